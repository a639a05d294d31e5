package summarize

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"palimpsest/compaction/facts"
	"palimpsest/model/pattern"
)

// ask takes what a person said. It ends the turn before; what it overrules is not carried on.
func (r *noteReader) ask(t *told, e *Entry) {
	said := t.said
	r.endTurn(overrules.MatchString(said), refutes.MatchString(clip(said, shortAsk)))
	r.lift(said)
	if r.before, r.askChars = r.turn.said, chars(said); !r.turn.ended {
		r.before = remark{}
	}
	if q := lastQuestion(r.turn.said.text); q != "" && chars(said) <= briefAsk {
		said += r.w.asked(q)
	}
	of := r.turn.said.text
	r.turn = noteTurn{from: e.Num, to: e.Num}
	r.next, r.found = remark{}, nil
	if r.staying = (remark{}); e.Stays {
		r.staying = remark{text: said, from: e.Num, to: e.Num}
	} else {
		r.addAsk(remark{text: said, from: e.Num, to: e.Num}, t.orders, lastSentences(of, shortAsk/2))
	}
}

// lift forgets an order not to do what is now asked for: "Don't commit", then "Commit it".
func (r *noteReader) lift(said string) {
	if m := bids.FindStringSubmatch(said); m != nil {
		works := acts.MatchString(m[1])
		r.n[orderPart] = slices.DeleteFunc(r.n[orderPart], func(o remark) bool {
			order, _, _ := strings.Cut(o.text, r.w.either(" (of: ", "（所指："))
			if works && handsOff.MatchString(order) {
				return true
			}
			not := forbidsOnce.FindStringSubmatch(order)
			return not != nil && strings.EqualFold(not[1], m[1])
		})
	}
}

var (
	bids = pattern.New(`(?i)^(?:(?:please|now|ok(?:ay)?|yes|and|then|go ahead(?: and)?|you (?:can|may)(?: now)?|` +
		`let['’]?s),? )*(\w+)\b`)
	forbidsOnce = pattern.New(`(?i)\b(?:don['’]?t|do not) (\w+)(?: (?:it|this|that|them|yet|anything|now|for now))*$`)
	// refutes is how a person begins to whom what the agent found or did is wrong.
	refutes = pattern.New(`(?i)\b(?:same (?:bug|issue|error|problem|result)|still (?:the same|broken|fail\w*|not|happen\w*|does|see\w*)|` +
		`(?:did|does|do)(?:n['’]?t| not) (?:work|help|fix|solve)|(?:is|are)(?:n['’]?t| not) (?:working|fixed|right|true)|` +
		`no (?:change|effect|difference))\b|^but (?:why|is|does|should)|^(?:why do you think|are you sure)\b|仍然|还是不|没有用|不对`)
)

// briefAsk is the length, in code points, up to which an ask needs the question that it
// answers: "4", "yes".
const briefAsk = 24

// questionLimit is the length, in code points, of a question beside its answer.
const questionLimit = 160

// lastQuestion is the last question that a message of the agent's asks.
func lastQuestion(said string) (q string) {
	facts.Sentences(said, func(s string) {
		if strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") {
			if at := strings.LastIndexAny(s, ":;"); at > 0 && chars(s[at:]) > courtesy {
				s = strings.TrimSpace(s[at+1:]) // after headings and other lines
			}
			q = clip(s, questionLimit)
		}
	})
	return q
}

func isBrief(answer string) bool {
	return chars(strings.TrimSuffix(answer, " (Recommended)")) <= briefAsk
}

// answers are the answers to questions, each brief one with its question after it: that goes first
// where there is little room.
func (w *words) answers(said string) string {
	var out []string
	for _, l := range strings.Split(said, "\n") {
		if at := strings.LastIndex(l, " → "); at > 0 {
			question := l[:at]
			if l = l[at+len(" → "):]; isBrief(l) {
				l += w.asked(question)
			}
		}
		out = append(out, line(l, askLimit))
	}
	return strings.Join(out, "; ")
}

// asked says which question an answer is to.
func (w *words) asked(q string) string {
	return fmt.Sprintf(w.either(" (asked: %s)", "（所问：%s）"), q)
}

// addAsk adds an ask and the standing orders in it. An ask that is nothing but an order
// stands once, among the orders. One that points to something has the words it points to: those before it.
func (r *noteReader) addAsk(a remark, orders []string, of string) {
	for _, o := range orders {
		if !r.known[o] {
			r.known[o] = true
			m := remark{text: o, from: a.from, to: a.to}
			if before, _, _ := strings.Cut(a.text, o); points.MatchString(o) {
				if of = cmp.Or(lastSentences(before, shortAsk/2), of); of != "" {
					m.text += fmt.Sprintf(r.w.either(" (of: %s)", "（所指：%s）"), of)
				}
			}
			r.n[orderPart] = append(r.n[orderPart], m)
		}
	}
	if r.isNew(a.text) && (len(orders) != 1 || chars(a.text) > chars(orders[0])+2) {
		r.n[askPart] = append(r.n[askPart], a)
	}
}

// points is how an order speaks of something that it does not name.
var points = pattern.New(`(?i)^(?:\S+ ){1,4}(?:(?:this|that|it|these|those|them)(?: (?:in|yet|now|again|out|up|on|anymore))?|` +
	`the \S+ (?:thing|one|stuff))[.!]?$`)

// isNew reports whether an ask is told for the first time, with whatever question it answers.
func (r *noteReader) isNew(ask string) bool {
	ask, _, _ = strings.Cut(ask, r.w.either(" (asked: ", "（所问："))
	bare := []rune(bareWords(head(ask, headBytes)))
	key := string(bare[:min(len(bare), sameAsk)])
	was := r.asked[key]
	r.asked[key] = true
	return !was
}

// sameAsk is how many letters two asks have in common that are one, told twice.
const sameAsk = 60

// overrules is how a person begins who does not want what the agent said it would do.
var overrules = pattern.New(`(?i)^(?:no[,. ]|nope|wait\b|stop\b|hold on|don'?t\b|do not\b|actually\b|instead\b|not (?:that|what|like)|` +
	`undo\b|revert\b|that'?s (?:wrong|not)|(?:i|we) don['’]?t (?:like|want|get|need)|(?:those|that|this|it)(?:['’]s| is| are) too\b|` +
	`.{0,80}\b(?:sucks|is too similar|drawing board)\b|不[，,要是对行]|别|停|等等|错了|撤销)`)

// bareAsk is the length, in code points, up to which a first ask says nothing alone:
// "implement", "/spec:execute".
const bareAsk = 30

// lightAsk is the weight of an answer.
const lightAsk = 1

// newAsks are the latest asks that have more room than those before; fewAsks are told even where they digress.
const newAsks, fewAsks = 10, 3

// weighAsks gives the last ask most room, then the first one, then the latest; what strays goes
// first.
func weighAsks(asks []remark, strays func(remark) bool) {
	last := true
	for i := len(asks) - 1; i >= 0; i-- {
		switch {
		case asks[i].more > 0 || i > 0 && strays(asks[i]):
		case asks[i].weight == lightAsk && i > 0 && i < len(asks)-1: // the agent's words, chosen
		case last:
			asks[i].weight, last = 16, false
		case len(numbered.FindAllStringIndex(asks[i].text, fewNumbers)) == fewNumbers: // each answers something
			asks[i].weight = 16
		case i == 0, decides.MatchString(asks[i].text) && chars(asks[i].text) <= shortAsk:
			asks[i].weight = 8
		case chars(asks[i].text) <= shortAsk && restricts.MatchString(asks[i].text):
			asks[i].weight = 7
		case i >= len(asks)-newAsks:
			asks[i].weight = 6
		case chars(asks[i].text) >= courtesy:
			asks[i].weight = 2
		}
	}
}

// restricts is how an ask says what is not to be done.
var restricts = pattern.New(`(?i)\b(?:(?:do not|don['’]?t) (?:make|do|implement|change|touch|edit|add|write|use|run|commit|push|need to)|` +
	`never|must|make sure|only|no need|without)\b|不要|别|必须|只`)

// numbered is an entry of a list in an ask, fewNumbers are so many that it gives several answers or tasks.
var numbered = pattern.New(`(?:^|\s)\d{1,2}[.)] `)

const fewNumbers = 3

// shortAsk is the most code points of an ask taken to refer to the agent's words before it:
// "Please address the feedback", "proceed with all".
const shortAsk = 200
