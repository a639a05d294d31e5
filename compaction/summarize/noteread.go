package summarize

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"palimpsest/compaction/facts"
	"palimpsest/model"
	"palimpsest/model/pattern"
)

// How long, in code points, what a note quotes may be before it is cut to the budget.
const (
	askLimit    = 12000
	saidLimit   = 2400
	reportLimit = 400
)

// noteReader reads entries into a note.
type noteReader struct {
	d      *digest
	n      *note
	w      *words
	memory *Memory
	guess  bool // results carry no error marks: judge by their text

	turn  noteTurn
	last  *Entry          // of the agent, in case its words hold a call
	work                  // what the calls show
	asked map[string]bool // asks that are in the note
	known map[string]bool // sentences that are in it
	next  remark          // a next step that a former summary names
	found []remark        // what other agents reported since the last ask
	// what the agent had said before the last ask, and that ask's length: a short one goes by it
	before   remark
	askChars int
	staying  remark // the last ask, where its message stays
	after    string // the text that the note follows
	plan     string // the first document that was read
}

// noteTurn is what happened since a person spoke last.
type noteTurn struct {
	from, to     int // numbers of messages
	said         remark
	thought      remark
	reports      []remark
	findings     []remark
	changed      []string // names of files
	did          []string // other calls by their key argument
	read         []string
	acted, ended bool // the agent did something; its last message has no call
}

func (r *noteReader) entry(e *Entry) {
	if e.Former != "" || e.Msg == nil {
		if !e.Stays && e.Former != "" {
			r.former(e.Former, e.Num)
		}
		return
	}
	if !e.Stays {
		r.d.count(e)
	}
	switch p := phaseOf(e.Msg); {
	case p != phaseNone && !e.Stays:
		r.d.addPhase(e, p)
		fallthrough
	case p != phaseNone, e.Msg.Kind == model.KindOther, e.Msg.Kind == model.KindBoundary, e.Msg.Kind == model.KindSystem:
		return
	}
	t := r.told(e)
	if t.plans {
		r.plans(e.Num)
	}
	if tellsCommit(t.said) {
		r.toldSaved = e.Num
	}
	if t.former == "" {
		r.message(t, e)
	} else if !e.Stays {
		r.d.messages--
		r.former(t.former, e.Num)
	}
}

// message takes a message that is no summary.
func (r *noteReader) message(t *told, e *Entry) {
	if !e.Copy && !e.Stays {
		r.d.tell(e, t)
	}
	switch {
	case e.Msg.Kind == model.KindUser && t.said != "":
		r.ask(t, e)
	case e.Msg.Kind == model.KindUser && e.Msg.Origin == model.OriginObservation && r.last != nil:
		r.observed(e)
	default:
		r.agent(t, e.Num)
	}
	if r.last = nil; e.Msg.Kind == model.KindAssistant {
		r.last = e
	}
	for i := range t.calls {
		r.call(&t.calls[i], e.Num)
	}
	for i := range t.results {
		r.result(&t.results[i], e.Num)
	}
}

// observed takes the call that an agent of a text protocol wrote in its words, with what
// came back.
func (r *noteReader) observed(e *Entry) {
	tool, key, edit, _, ok := action(ownText(r.last.Parts))
	if !ok {
		return
	}
	c := toldCall{tool: tool, key: key, edit: edit, command: key}
	if c.runs, c.test = runsOf(key); edit {
		c.command, c.files = "", patchedFiles(ownText(r.last.Parts))
	}
	if k := len(r.d.turns); k > 0 {
		r.d.turns[k-1].calls++
	}
	r.call(&c, r.last.Num)
	end := r.readResult(e.Msg, &model.Part{Text: ownText(e.Parts)})
	end.err, end.failed = failure(ownText(e.Parts), e.Msg.Error, true)
	r.result(&end, e.Num)
}

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

// agent takes what the agent says and thinks.
func (r *noteReader) agent(t *told, num int) {
	turn := &r.turn
	r.next = remark{} // it went on
	if turn.from == 0 {
		turn.from = num
	}
	turn.to = max(turn.to, num)
	if t.thought != "" {
		turn.thought = remark{text: t.thought, from: num, to: num}
	}
	for _, s := range t.reasons {
		turn.findings = append(turn.findings, remark{text: s, from: num, to: num})
	}
	if t.report != "" {
		r.mended(nil)
	}
	if t.said != "" && !t.failed {
		turn.acted, turn.ended = true, len(t.calls) == 0
		if turn.said.text != "" && t.report != "" {
			turn.reports = append(turn.reports, remark{text: t.report, from: num, to: num})
		}
		turn.said = remark{text: t.said, from: num, to: num}
	}
}

// endTurn tells the turn that is over in a sentence or more of the agent's, or, if it said
// nothing, by what it changed.
func (r *noteReader) endTurn(overruled, refuted bool) {
	t := &r.turn
	if !t.acted || t.from == 0 {
		return
	}
	r.tellUnsaid(donePart, t.reports)
	switch {
	case overruled && len(t.changed) == 0:
		return
	default:
		done := remark{text: outcome(t.said.text), from: t.from, to: t.to, weight: 2}
		switch {
		case done.text == "":
			done.text, done.weight = t.silent(r.w), 1
		case len(t.changed)+len(t.did) == 0:
			done.text = r.w.either("Said: ", "所说：") + done.text
		}
		if refuted {
			done.text += r.w.either(" (the person did not agree)", "（用户并不认同）")
		}
		r.tell(donePart, done)
	}
	if !overruled && !refuted {
		for _, f := range t.findings {
			r.tell(findingPart, f)
		}
	}
}

// outcome are the sentences of an agent's closing words that report a result. Plans, questions
// and offers, which end with the turn, and work that was open then are left out.
func outcome(said string) string {
	var b strings.Builder
	over, open, goesOn := false, false, false
	eachSentence(said, func(s string) {
		bare := strings.TrimLeft(s, " *#-✅🎉")
		if r, _ := utf8.DecodeRuneInString(bare); !goesOn && !unicode.IsLower(r) && r != '"' && !(open && speaksOn.MatchString(bare)) {
			open = halfway.MatchString(bare) // a sentence that begins otherwise shares the fate of that before it
			over = open || strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") || announces.MatchString(bare) ||
				chatter.MatchString(bare) || offers.MatchString(bare) || strings.HasSuffix(bare, ":") ||
				chars(bare) < courtesy && !reports.MatchString(bare)
		}
		goesOn = over && strings.HasSuffix(s, ";")
		if !over && chars(b.String()) < reportLimit {
			if last, _ := utf8.DecodeLastRuneInString(b.String()); b.Len() > 0 && last < unicode.MaxLatin1 {
				b.WriteByte(' ')
			}
			b.WriteString(s)
		}
	})
	return clip(strings.TrimRight(b.String(), ";； "), reportLimit)
}

// offers is how an agent asks a person for something, or offers more.
var offers = pattern.New(`(?i)^(?:(?:now |then )?please\b|want me to|shall i|should i|would you like|do you want|if you(?:['’]d|` +
	` would| want| have)|` +
	`let me know|(?:just )?(?:tell|ping) me|try (?:it|again|now|testing)|once you|you can now|go run|ready (?:to|for)|happy to|` +
	`whenever you|when you['’]re|say the word)|\blet me\b|如果你|需要我|是否需要|请告诉我`)

// tell adds a remark whose words the note does not hold yet.
func (r *noteReader) tell(p part, m remark) {
	if m.text != "" && !r.known[m.text] {
		r.known[m.text] = true
		r.n[p] = append(r.n[p], m)
	}
}

// tellUnsaid adds the remarks of this turn that its last words do not hold.
func (r *noteReader) tellUnsaid(p part, list []remark) {
	for _, m := range list {
		if !strings.Contains(r.turn.said.text, m.text) {
			r.tell(p, m)
		}
	}
}

// silent says what a turn without words did: what it changed, else what it ran, else what
// it read.
func (t *noteTurn) silent(w *words) string {
	for _, of := range []struct {
		list       []string
		verb, verw string
	}{{t.changed, "Changed ", "改动了 "}, {t.did, "Ran ", "运行了 "}, {t.read, "Read ", "读取了 "}} {
		if len(of.list) > 0 {
			text := shortenList(unequal(of.list), 160, w.either(", ", "、"))
			return w.either(of.verb, of.verw) + text
		}
	}
	return ""
}

// unequal drops repeated strings.
func unequal(list []string) (out []string) {
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// finish ends the last turn, which is the state of things, and writes what the calls show.
func (r *noteReader) finish() {
	t := r.turn
	r.tellUnsaid(donePart, t.reports)
	r.tellUnsaid(findingPart, t.findings)
	if r.staying.text != "" {
		r.addAsk(r.staying, nil, "")
	}
	if asks := r.n[askPart]; len(asks) > 0 && asks[0].more == 0 && chars(asks[0].text) <= bareAsk && r.plan != "" {
		asks[0].text += fmt.Sprintf(r.w.either(" (read first: %s)", "（最先读取：%s）"), r.plan)
	}
	r.dropOverlain()
	slices.SortStableFunc(r.n[donePart], func(a, b remark) int { return a.from - b.from })
	r.state(&t)
	r.n[todoPart] = append(r.n[todoPart], r.openFirst()...)
	r.n[filePart] = append(r.n[filePart], r.folders()...)
	r.n[commitPart] = append(r.n[commitPart], r.commits...)
	slices.Reverse(r.n[commitPart])
	for p := range r.n {
		r.n[p] = joinCounts(r.n[p])
	}
	r.leaveAsides()
}

// bareAsk is the length, in code points, up to which a first ask says nothing alone:
// "implement", "/spec:execute".
const bareAsk = 30

// dropOverlain drops findings of trouble that was dealt with since, as far as a commit, a
// later turn or a changed file shows it. Of earlier turns only decisions stand, once work went on.
func (r *noteReader) dropOverlain() {
	since, changed := max(r.turn.from-1, r.lastCommit()), r.lastChange()
	r.n[findingPart] = slices.DeleteFunc(r.n[findingPart], func(m remark) bool {
		return (trouble.MatchString(m.text) || halfway.MatchString(m.text)) && m.to < max(since+1, changed) ||
			!chooses.MatchString(m.text) && m.to < r.turn.from && (m.to < changed || r.turn.to-m.to > 2*longAgo) ||
			m.to < changed && ofLine.MatchString(m.text)
	})
	r.dropUndone()
	r.n[orderPart] = slices.DeleteFunc(r.n[orderPart], func(m remark) bool {
		return handsOff.MatchString(m.text) && m.to < min(r.turn.from, r.worked)
	})
	for i := range r.n[donePart] {
		if m := &r.n[donePart][i]; m.to < max(since+1, changed) {
			m.text = without(m.text, func(s string) bool { // what was open then, or missing
				return halfway.MatchString(s) || m.to < changed && lacks.MatchString(s)
			})
		}
	}
	r.n[donePart] = slices.DeleteFunc(r.n[donePart], func(m remark) bool { return m.text == "" && m.more == 0 })
	r.undone.mark(r.n[donePart], r.latestFiles(), r.w)
}

// without is what was said without some sentences, and those that say nothing without them.
func without(text string, over func(s string) bool) string {
	kept, gone := "", false
	eachSentence(text, func(s string) {
		if gone = over(s) || gone && speaksOn.MatchString(s); !gone {
			kept += s + " "
		}
	})
	if len(kept) >= len(text) {
		return text
	}
	return strings.TrimRight(kept, ":;； ")
}

// speaksOn is how a sentence begins that says nothing without that before it.
var speaksOn = pattern.New(`^(?:And |But |So )?(?:No |(?:[Tt]hat|[Tt]his|[Ii]t|[Tt]hey|[Tt]hese|[Tt]hose)(?:['’]s|\b))`)

var lacks = pattern.New(`(?i)^(?:but )?(?:it|this|that|there|we|you) (?:do(?:es)? not|don['’]t|doesn['’]t) ` +
	`(?:yet|currently|automatically|have|manage|exist|support|include|contain|cover|handle|define)\b`)

var (
	trouble = pattern.New(`(?i)\b(?:fail\w*|errors?|not|\w+n['’]t|empty|unused|missing|issues?|problems?|bugs?|critical|wrong|` +
		`root cause|culprit|(?:simplest|real|best|right|proper|only) (?:fix|solution|way)|the fix)\b|失败|错误|缺少|问题`)
	halfway = pattern.New(`(?i)\b(?:in the middle of|in progress|partially|not (?:\w+ ){0,4}yet|still (?:need|to do|open|remain|the old|` +
		`fail)\w*|` +
		`remaining|(?:current|remaining) (?:error|issue|problem)s?|(?:i was|i am|i'm) about to|needs? to be|` +
		`tests? (?:(?:are )?still )?fail\w*|` +
		`(?:is|are|keeps?) failing)\b|` +
		`\b(?:i am|i['’]m|we are|still) blocked\b|^blocked\b|\bunfixed\b|进行中|尚未|还没`)
	// ofLine is a finding about a line of a file as it was then.
	ofLine = pattern.New(`(?i)\w\.\w{1,4}:\d+\b|\(?\blines? \d+`)
)

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

// joinCounts makes one line of neighbours that count what had no room before.
func joinCounts(list []remark) (out []remark) {
	for _, m := range list {
		if k := len(out) - 1; k >= 0 && m.more > 0 && out[k].more > 0 {
			out[k].more += m.more
			out[k].span(m.from, m.to)
			continue
		}
		out = append(out, m)
	}
	return out
}

// sureWeight is the weight of a short and certain remark about how things are, failedWeight of one about a failure.
const sureWeight, failedWeight = 9, 15

// state says how things are at the last moment.
func (r *noteReader) state(t *noteTurn) {
	add := func(kind int, m remark) {
		if m.text != "" {
			m.text, m.weight = r.w.state[kind]+m.text, cmp.Or(m.weight, sureWeight)
			r.n[statePart] = append(r.n[statePart], m)
		}
	}
	said, next := r.splitNext(t.said)
	said.weight = 16
	add(stateSaid, said)
	if thought := t.thought; thought.from > t.said.from && !(r.calledSince(thought.from) && announces.MatchString(thought.text)) {
		thought.weight = 6
		add(stateThought, thought)
	}
	if before := r.before; r.askChars <= shortAsk && chars(before.text) > shortAsk && chars(said.text) <= shortAsk/2 {
		before.weight = 8
		brief := outcome(before.text)
		if undone := r.undone.of(before, r.w); undone != "" {
			before.text = undone + before.text
		} else if r.lastChange() > before.to {
			before.text = r.w.either("(Files were changed since) ", "（此后改过文件）") + before.text
		}
		add(stateBefore, before)
		r.n[donePart] = slices.DeleteFunc(r.n[donePart], func(m remark) bool { return brief != "" && strings.HasSuffix(m.text, brief) })
	}
	for _, found := range r.found {
		if r.turn.to-found.to <= longAgo && r.lastChange() <= found.to {
			found.text, found.weight = clipEnds(found.text, saidLimit/len(r.found)), max(2, 8/len(r.found))
			add(stateFound, found)
		}
	}
	for _, m := range r.lastCalls(t) {
		add(stateCall, m)
	}
	add(stateRead, reads(&r.work))
	add(statePlanning, r.planning)
	add(stateConflicts, r.openConflicts())
	add(stateUncommitted, r.uncommitted())
	add(stateUnpushed, r.unpushed())
	for _, f := range r.failures() {
		f.weight = failedWeight
		add(stateFailed, f)
	}
	add(stateTest, r.lastTest(t))
	for _, b := range r.running {
		if r.turn.to-b.to <= longAgo {
			add(stateRunning, b.remark)
		}
	}
	for _, m := range r.unanswered() {
		add(stateOpen, m)
	}
	add(stateBranch, r.branch)
	if next != "" {
		r.next = remark{text: next, from: t.said.from, to: t.said.to, weight: 2}
	}
	add(stateNext, r.next)
}

// splitNext parts what comes next from the agent's last words; "": they don't say, or it has begun.
func (r *noteReader) splitNext(said remark) (rest remark, next string) {
	if r.calledSince(said.from) {
		return said, ""
	}
	next = nextStep(said.text)
	before, after, ok := strings.Cut(said.text, next)
	if !ok || next == "" || strings.TrimSpace(before+after) == "" {
		return said, ""
	}
	said.text = strings.TrimSpace(before + strings.TrimLeft(after, ".:;。：； "))
	return said, next
}

// calledSince reports whether the agent called something in a message or after it.
func (r *noteReader) calledSince(num int) bool {
	return len(r.calls) > 0 && r.calls[len(r.calls)-1].num >= num
}

// lastTest is the last test result, unless the agent has said since that something fails.
func (r *noteReader) lastTest(t *noteTurn) remark {
	test := r.test
	if test.text == "" || t.said.from > test.to && fails.MatchString(t.said.text) {
		return remark{}
	}
	if r.untested {
		test.text += r.w.either(" (files were changed since)", "（此后改过文件）")
	}
	return test
}

// fails is how somebody says that something does not work.
var fails = pattern.New(`(?i)\b(?:same|still|these|those|new|[1-9]\d*) (?:\w+ )?fail|\b(?:still|keeps?|is|are|tests?) (?:broken|fail)|失败`)

// shortAsk is the length, in code points, up to which an ask speaks of what the agent had said
// before it: "Please address the feedback", "proceed with all".
const shortAsk = 200

// nextStep is the sentence of the agent's last message that says what comes next.
func nextStep(said string) string {
	found := ""
	facts.Sentences(said, func(s string) {
		if announces.MatchString(s) {
			found = s
		}
	})
	return found
}

var announces = pattern.New(`(?i)^(?:next\b|the next step|now (?:let me|let's|i'll|i will|i need)|let me (?:now )?|` +
	`i'll (?:now|next|then)|remaining\b|what(?:'s| is) left|still (?:to do|open|needed))|^(?:下一步|接下来|现在我|还需要|剩下)`)

// told is what a message tells a note. It is read once.
type told struct {
	said, thought string
	former        string   // it is a summary
	plans         bool     // it says that nothing is to be changed before a plan is approved
	failed        bool     // it reports an error of the agent's program
	orders        []string // that a person gives for good
	report        string   // a sentence that says that something is done
	reasons       []string // sentences that give a decision or a finding with its reason
	calls         []toldCall
	results       []toldResult
}

// told reads a message.
func (r *noteReader) told(e *Entry) *told {
	key := messageKey{e.Msg, r.w.lang, r.guess}
	return r.memory.remember(key, func() *told { return r.readTold(e) })
}

func (r *noteReader) readTold(e *Entry) *told {
	m, t, text := e.Msg, &told{failed: e.Msg.Error}, ownText(e.Parts)
	t.plans = m.Kind == model.KindUser && planMode.MatchString(text)
	switch {
	case m.Kind == model.KindSummary, m.Kind != model.KindResult && IsSummary(head(text, 1024)):
		return &told{former: text}
	case m.Kind == model.KindUser:
		r.person(t, e, text)
	case m.Kind == model.KindAssistant:
		words, _, _ := strings.Cut(text, "<function=")
		words = withoutChatter(words)
		if t.said = clipEnds(sentencesOf(words, 4*saidLimit), saidLimit); idleWords.MatchString(t.said) {
			t.said = "" // a program's
		}
		thought := htmlNote.ReplaceAllString(joinParts(e.Parts, model.PartReasoning), "")
		t.thought = line(lastSentences(thought, reportLimit), 2*reportLimit)
		facts.Sentences(head(words, phaseBytes), func(s string) { t.sentence(s, true) })
		facts.Sentences(head(joinParts(e.Parts, model.PartReasoning), phaseBytes), func(s string) { t.sentence(s, false) })
	}
	for i := range e.Parts {
		switch p := &e.Parts[i]; p.Kind {
		case model.PartCall:
			t.calls = append(t.calls, readCall(p))
		case model.PartResult:
			t.results = append(t.results, r.readResult(m, p))
		}
	}
	if m.Kind == model.KindResult && len(t.results) == 0 {
		t.results = append(t.results, r.readResult(m, &model.Part{Text: text, CallID: m.Answers, Name: m.Name}))
	}
	return t
}

// idleWords are a program's in an agent's place.
var idleWords = pattern.New(`^(?:No response requested|API Error\b)`)

// typedBytes bounds how much of a message is read as typed, at its beginning and at its end:
// what is between them in a longer one is pasted.
const typedBytes = 8 << 10

// person reads what a person typed, or the command with a slash in its place.
func (r *noteReader) person(t *told, e *Entry, text string) {
	switch e.Msg.Origin {
	case model.OriginTyped, model.OriginUnknown:
		said := model.Said(text)
		if _, after, ok := strings.Cut(said, "\n# User Request\n"); ok {
			said = strings.TrimSpace(after) // a program's words stand before it
		}
		said = withoutPaste(keyCodes.ReplaceAllString(ends(said, typedBytes), ""), r.w)
		said = longDots.ReplaceAllString(htmlNote.ReplaceAllString(said, ""), "…")
		if t.said = line(said, askLimit); strings.HasPrefix(t.said, "{") || isElement(t.said) {
			t.said = "" // a program's
		}
		t.said = strings.TrimSpace(t.said + " " + strings.Join(mediaNames(r.w, e.Parts), " "))
		if e.Msg.Name != "" && e.Msg.Name != e.Msg.Role.String() && !strings.HasPrefix(e.Msg.Name, "queue") && t.said != "" {
			t.said = line(e.Msg.Name, nameLimit) + r.w.colon + t.said
		}
		t.orders = standing(said)
	case model.OriginInjected:
		if m := slashCommand.FindStringSubmatch(head(text, headBytes)); m != nil && !idleCommands[m[1]] {
			args := slashArgs.FindStringSubmatch(head(text, headBytes))
			t.said = m[1]
			if args != nil {
				t.said = line(m[1]+" "+args[1], askLimit)
				t.orders = standing(args[1])
			}
		}
	}
}

// htmlNote is a comment by which programs mark what they typed, or a tag around an image.
var htmlNote = pattern.New(`<!--.*?-->|</?image\b[^>]*>`)

// longDots are more full stops than three, or some with blanks between.
var longDots = pattern.New(`\.{4,}|(?:…|\.{2,3})(?:\s*(?:…|\.\.+))+`)

// keyCodes are what a terminal sent, pasted with what it showed.
var keyCodes = pattern.New(`\^\[(?:\[[0-9;?]*[A-Za-z]|\][0-9;]*;rgb:[0-9a-f/]*(?:\^\[\\|\^G)?)`)

// isElement reports whether a text begins with an element that ends: a program's.
func isElement(text string) bool {
	name := startTag.FindStringSubmatch(text)
	return name != nil && strings.Contains(text, "</"+name[1]+">")
}

var startTag = pattern.New(`^<([\w-]+)[ >]`)

// withoutPaste leaves out most of what a person pasted: logs, code, quotations. A line says
// how much. The end of a log says as much as its beginning.
func withoutPaste(text string, w *words) string {
	if len(text) < 600 {
		return text
	}
	var b strings.Builder
	lines := slices.Collect(strings.Lines(text))
	is := pastedLines(lines)
	for i := 0; i < len(lines); i++ {
		end := i
		for end < len(lines) && is[end] {
			end++
		}
		if hidden := end - i - 2*pasteShown; hidden > 0 {
			b.WriteString(strings.Join(lines[i:i+pasteShown], ""))
			fmt.Fprintf(&b, w.either("[… %d more lines pasted]\n", "[… 另粘贴 %d 行]\n"), hidden)
			i = end - pasteShown
		}
		b.WriteString(lines[i])
	}
	return b.String()
}

// pasteShown is how many lines of a paste stay at its beginning, and at its end.
const pasteShown = 2

// pastedLines says which lines of a message are no words of the person's: logs with what stands
// between two of their lines, what is there twice, code, and quotations.
func pastedLines(lines []string) []bool {
	is, log := make([]bool, len(lines)), len(lines)
	before := map[string]int{}
	for i, l := range lines {
		bare := strings.TrimSpace(l)
		twin, again := before[bare]
		if is[i] = is[i] || pasted.MatchString(l) || bare == "" && i > 0 && is[i-1]; again && chars(bare) > leastCut {
			is[i], is[twin] = true, true
		}
		before[bare] = i
		if logLine.MatchString(l) {
			for k := max(log, i-longAgo); k <= i; k++ {
				is[k] = true
			}
			log = i
		}
	}
	return is
}

// ownWords is a message without what was pasted in it, and without a document with headings
// that follows a person's words, or is all.
func ownWords(text string) string {
	if at := docHeading.FindAllStringIndex(text, fewHeadings); len(at) == fewHeadings {
		text = text[:at[0][0]]
	}
	var b strings.Builder
	lines := slices.Collect(strings.Lines(text))
	for i, is := range pastedLines(lines) {
		if !is {
			b.WriteString(lines[i])
		}
	}
	return b.String()
}

// fewHeadings are so many that a text with them is a document.
const fewHeadings = 3

var (
	docHeading = pattern.New(`(?m)^#{1,4} \S`)
	// pasted is a line of a log, of code, or of a quotation.
	pasted = pattern.New(`^\s*(?:>|[|{}\[\]$]|\d{4}-\d\d-\d\d|\d\d:\d\d|at \S+[:(]\d*|[0-9a-f]{7,40}\b|(?:INFO|WARN\w*|ERROR|DEBUG|` +
		`commit|Author:|Date:)\b|` +
		`[+-]{1,3}\S|@@|//|import |func |const |let |var |def |class |return )|^(?: {4,}|\t)\S|[{};]\s*$`)
	// logLine is a line of a log by its time or level.
	logLine = pattern.New(`(?i)^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|` +
		`\[?(?-i:LOG|INFO|WARN\w*|ERROR|DEBUG|TRACE|FATAL)\b\]?[ :]|` +
		`(?:log|info|warn\w*|error|debug|trace|fault|default|notice)\s+\[?\d\d:\d\d)`)
)

var (
	slashCommand = pattern.New(`<command-name>(/?[\w:.-]+)</command-name>`)
	slashArgs    = pattern.New(`(?s)<command-args>(.+?)</command-args>`)
	// idleCommands change the program, not the work.
	idleCommands = map[string]bool{"/clear": true, "/compact": true, "/model": true, "/exit": true, "/config": true, "/cost": true,
		"/status": true, "/resume": true, "/login": true, "/logout": true, "/help": true, "/context": true, "/usage": true, "/mcp": true,
		"/permissions": true, "/memory": true, "/doctor": true, "/ide": true, "/hooks": true, "/agents": true, "/plugin": true}
)

// standing are the sentences in which a person orders something for good, word for word: few
// and sure ones, lasting by their words; what is in doubt belongs to its ask. A short message
// that settles something is one as a whole. Of a long text, only its ends are the person's.
func standing(text string) (orders []string) {
	if settles.MatchString(text) && chars(text) <= reportLimit {
		return []string{line(text, askLimit)}
	}
	if text = ownWords(text); len(text) > longAsk {
		text = head(text, longAsk/4) + "\n" + tail(text, longAsk/4)
	}
	text = stepRest.ReplaceAllString(text, "$1")
	facts.Sentences(text, func(s string) {
		asks := strings.HasSuffix(s, "？") || strings.HasSuffix(s, "?") && !lasts.MatchString(s) ||
			wonders.MatchString(s) && !insists.MatchString(s)
		long := func() bool { return len(strings.Fields(s)) >= leastOrder || chars(s) < len(s) }
		idle := handsOff.MatchString(s)
		if !asks && (idle || commands.MatchString(s) || forbids.MatchString(s)) && !describes.MatchString(s) &&
			(idle || !passes.MatchString(s) || insists.MatchString(s)) && long() {
			orders = append(orders, line(s, askLimit))
		}
	})
	return orders
}

// stepRest is a step of a procedure, its first sentence and the others: these are about the
// step.
var stepRest = pattern.New(`(?m)^(\s*\d{1,2}[.)] .*?[.:!]) .*$`)

// leastOrder is how many words an order has at least: "Always on" answers a question.
const leastOrder = 3

var (
	// forbids is how a person forbids within a sentence: "just leave it dont write any tests".
	// After another clause without such a word, it belongs to that one act.
	forbids = pattern.New(`(?i)\b(?:don['’]?t|do not) (?:\w+ ){1,3}?(?:any\w*|ever|again|unless|until|without)\b`)
	// wonders is how somebody asks or reproaches without a mark.
	wonders = pattern.New(`(?i)\b(?:why|how) (?:did|didn['’]?t|do|you|we|it|can)\b`)
	// describes is how somebody says what is not so.
	describes = pattern.New(`(?i)\b(?:you|i|we|they|it|that|which|who|tests|why) (?:(?:really|still|just|also) )?(?:do not|don['’]?t) ` +
		`(?:have|know|think|see|understand|get|exist|need|like|want|use|run|write)\b|don['’]?t worry|^["“]`)
	// passes is what is ordered for the moment only.
	passes = pattern.New(`(?i)\b(?:yet|just (?:explain|tell|answer|look)|for now|dont? (?:make any changes|implement anything)|` +
		`don['’]t (?:make any changes|implement anything))\b`)
)

// longAsk is how many bytes a message has that is not only a person's own words.
const longAsk = 3000

var (
	// settles is how a person decides between ways.
	settles = pattern.New(`(?i)\b(?:final answer|off the table|new plan|total reset|ignore everything|scratch that|let'?s not do|` +
		`not up for debate|red line|swap the approach|under no circumstances|only direction|we(?:'re| are) going with)\b|最终决定|就这么定|推翻`)
	// commands is how a person orders or forbids for good: at the beginning of a clause, "don't"
	// only at the beginning of a sentence.
	commands = pattern.New(`(?i)^(?:(?:please|also|and|but|so|just|then|ok(?:ay)?|yes|no|you|remember),? )*` +
		`(?:do not|don['’]?t)\b|(?:^|[,;:.—–(]\s*|-\s+|` +
		`\b(?:and|but|so|please|also|just|then|ok(?:ay)?|yes|no|you|i want you to|make sure (?:to|you|that you)) )` +
		`(?:please |also |should )*` +
		`(?:never|always|avoid|must (?:not|never|always|be)|mustn['’]t|no need (?:to|for)|from now on|` +
		`going forward|no new|only (?:use|edit|change|touch|when|if)|use only|without asking|every time|each time|` +
		`whenever|keep (?:\S+ ){1,3}(?:scoped|small|minimal|short|simple|unless)|` +
		`prefer|use \S+ (?:\S+ )?(?:for (?:all|every|each)|everywhere))\b|` +
		`\b(?:not allowed|forbidden|under no circumstances|in (?:the )?future)\b|不要\p{Han}|必须|務必|务必|禁止|不得|只能|不许|一定要|以后|从现在起|每次|` +
		`ないで|しないこと|マセヨ|마세요|반드시`)
	insists = pattern.New(`(?i)\b(?:never|always)\b`)
	lasts   = pattern.New(`(?i)\b(?:from now on|going forward|every time|each time|never again)\b`)
)

// sentence judges a sentence that the agent said or thought: a report, or a decision or
// finding.
func (t *told) sentence(s string, said bool) {
	s = strings.ReplaceAll(s, "**", "")
	n := chars(s)
	if n < 30 || n > reportLimit || strings.HasSuffix(s, "?") || strings.Contains(s, " · ") ||
		announces.MatchString(s) || chatter.MatchString(s) {
		return
	}
	if speaksOn.MatchString(s) {
		return
	}
	if said && t.report == "" && reports.MatchString(s) && !onTheWay.MatchString(s) {
		t.report = line(s, reportLimit)
	}
	if len(t.reasons) < 3 && concludes.MatchString(s) && gives.MatchString(s) && !muses.MatchString(s) {
		t.reasons = append(t.reasons, line(s, reportLimit))
	}
}

// muses is how somebody thinks aloud: what comes of it is not known.
var muses = pattern.New(`(?i)\bi['’]m (?:\w+ )?\w+ing\b|^(?:but\b|and\b|yet\b|however\b|rather than keep\b|at that point|` +
	`wait\b|actually\b|or\b|maybe|perhaps|so\b|then\b|let me|once\b|try\b|if\b|alternatively|` +
	`i (?:should|could|need|can|might|think|guess|want)|we (?:could|should|might|need)|the user|(?:it|that|this) (?:might|could|may|` +
	`seems|looks))|` +
	`\b(?:might|maybe|perhaps|probably|likely|could be|i wonder|not sure|may (?:be|have)|i think|i(?:'ll| will)? need to|seems? (?:to|` +
	`like)|strange|should (?:be (?:fine|smart|stable|preserved|automatically)|work|evaluate))\b|\b(?:but|because|that|the)$|也许|可能|似乎`)

var (
	reports = pattern.New(`(?i)\b(?:fixed|added|done|complete[d]?|pass(?:es|ed)|(?:tests?|checks?|all) pass|committed|pushed|created|` +
		`implemented|updated|removed|` +
		`renamed|replaced|verified|confirmed|works|merged|released|deployed|all (?:tests|green))\b|已|完成|通过|修复|修好`)
	// onTheWay is a remark on the way, not what came about.
	onTheWay = pattern.New(`(?i)\b(?:already|but|should|needs?|i['’]?ll|i will|because|since|earlier|when i|said|used to|now that)\b|` +
		`^(?:first|marking|so|next)\b`)
	// concludes is a finding or a decision, gives its reason.
	concludes = pattern.New(`(?i)\b(?:root cause|turns out|the (?:bug|issue|problem|cause|reason|culprit) (?:is|was)|` +
		`found (?:that|the|a|an|\d)|confirmed|decided|chose|going with|we(?:'ll| will) use|i(?:'ll| will) (?:use|keep)|` +
		`should (?:be|stay|use)|instead of|rather than|caused by|because|means that|never|doesn't|does not|isn't|wasn't|missing)\b|` +
		`原因|决定|发现|改用|因此|问题是`)
	gives = pattern.New(`(?i)\b(?:because|since|so that|instead of|rather than|caused by|due to|which means|means that|root cause|` +
		`turns out|` +
		`the (?:bug|issue|problem|cause|reason|culprit) (?:is|was)|found that|to (?:avoid|keep))\b|因为|由于|所以|原因|发现|问题是`)
)

// chatter is a sentence that only leads to the next one.
var chatter = pattern.New(`(?i)^(?:here(?:'s| is| are) |let me know|perfect\b|great[!,.]|excellent\b|good[!,.]|done[!.]?$|all set|` +
	`now i (?:have|understand|can see)|now (?:mark|update|populate|add|create|fix|run|check|commit|move|write|replace)\b|` +
	`(?:i )?found (?:it|the (?:issue|problem|bug|cause))[!.:]*$|yes\b.{0,20}[.!]$|exactly\b.{0,60}$|all done[.!]?$|` +
	`good (?:clarification|question|instinct|point|call)\b.{0,20}[.!]?$|` +
	`now [a-z]+[^s\s] (?:the|a|an|it|them|this|that|all|\x60)|(?:so |then |but )?i need to\b|this is a continuation|` +
	`i (?:now )?have a (?:complete|full|good|clear)|i (?:now )?(?:have|understand|see)\b.{0,30}$|meanwhile|wait,|hmm|` +
	`ok(?:ay)?[,.]|think about|(?:final )?summary\b.{0,20}$|no response requested|i(?:['’]m| am) (?:now |also |just )?\w+ing\b|` +
	`i['’]ll\b|this is just|(?:still |now )?waiting|while (?:they|it|those|these|the) |anything else|\(?that's just|好的|下面是|以下是)`)

// lastSentences are the last sentences of a text within a limit.
func lastSentences(text string, limit int) string {
	out := ""
	facts.Sentences(tail(text, 8*limit), func(s string) {
		if out != "" {
			out += ". "
		}
		out += s
	})
	for chars(out) > limit {
		_, rest, more := strings.Cut(out, ". ")
		if !more {
			return ""
		}
		out = rest
	}
	return out
}

// withoutChatter is a text without the lines that only lead to the next one, but for its
// last, and with the rows of its tables as lines: they hold the findings of many a report.
func withoutChatter(text string) string {
	var b strings.Builder
	left := len(text)
	for l := range strings.Lines(text) {
		left -= len(l)
		row := strings.TrimSpace(l)
		if strings.HasPrefix(row, "|") {
			if l = tableCells(row, english) + "\n"; l == "\n" {
				continue
			}
		} else if left > courtesy {
			bare := strings.TrimSpace(strings.TrimLeft(row, "#*- "))
			if end := strings.IndexAny(bare, ".!:"); chatter.MatchString(bare) && end >= 0 && end < 120 {
				bare = strings.TrimLeft(bare[end+1:], " *")
				l = bare + "\n"
			}
		}
		b.WriteString(l)
	}
	return b.String()
}
