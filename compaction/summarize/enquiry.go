package summarize

import (
	"cmp"
	"errors"
	"fmt"
	"unicode/utf8"

	"palimpsest/compaction/facts"
)

// Enquiry is what a model will be asked for one summary: a question for each
// part of the range, and then, when there are several, questions that put the
// answers together. It is made without asking anybody, so that the cost can be
// shown first.
type Enquiry struct {
	Questions []Question // one for each part, in order
	Lang      Lang
	Ceiling   int // tokens of one answer

	Calls  int // all questions, those that merge included
	Input  int // tokens of all questions, as counted here; of those that merge the most there can be
	Output int // tokens of all answers at most

	// Share is about how much of the range's text the questions hold, by code points; the
	// rest is left out: what a transcript shortens, such as long results.
	Share float64

	ask   Ask
	group int // answers that one merging question takes
	count func(string) int
}

// DefaultCeiling bounds an answer when the budget does not, in tokens.
const DefaultCeiling = 4000

// spare is the share of a window that is left free, because a server counts
// with a vocabulary of its own.
const spare = 10 // 1/10

// ErrSmallWindow says that a model's context window has no room for a part worth
// asking about.
var ErrSmallWindow = errors.New("summarize: the model's limit is too small")

// leastRoom is the smallest part of a transcript that is asked about, in code
// points.
const leastRoom = 2000

// Enquire plans the questions for a model with a context window of that many
// tokens. count counts tokens. Ask.Room, Part and Parts are set here.
func Enquire(a Ask, window int, count func(string) int) (*Enquiry, error) {
	if count == nil {
		return nil, errors.New("summarize: an enquiry needs a token count")
	}
	a.Lang = a.language()
	if a.Ledger {
		a.Entries = withoutLedgers(a.Entries)
	}
	e := &Enquiry{Lang: a.Lang, Ceiling: ceiling(a.MaxChars, a.MaxTokens), ask: a, count: count}
	usable := window - window/spare
	// Two answers and the words around them must fit one question that merges them.
	e.Ceiling = min(e.Ceiling, usable/4)
	room := usable - e.Ceiling
	frame := joinPrompt(a, []string{"", ""})
	overhead := e.weight(frame)
	if e.Ceiling <= 0 || room-overhead < 2*(e.Ceiling+fencesWeight*2) {
		return nil, fmt.Errorf("%w: %d tokens", ErrSmallWindow, window)
	}
	each := e.Ceiling + e.count(promptWordsOf(a.Lang).partTitle(99)) + fencesWeight
	e.group = max(2, (room-overhead)/each)
	if (a.MaxTokens == 0 || a.MaxTokens > e.Ceiling) && (a.MaxChars == 0 || a.MaxChars > e.Ceiling) {
		e.ask.MaxTokens = e.Ceiling
	}
	if err := e.cut(room); err != nil {
		return nil, err
	}
	e.cost(overhead, each)
	e.Share = e.share()
	return e, nil
}

// ceiling is the most tokens an answer within the budget has: a token is at
// least one code point of ordinary text.
func ceiling(chars, tokens int) int {
	if tokens > 0 && chars > 0 {
		return min(tokens, chars)
	}
	return cmp.Or(max(tokens, chars, 0), DefaultCeiling)
}

// cut makes the questions, each of at most room tokens: one if it can be, else
// one for each part. Parts are cut by code points, and the text of a part that
// turns out heavier than the rest is shortened.
func (e *Enquiry) cut(room int) error {
	a := e.ask
	w := promptWordsOf(a.Lang)
	a.Room, a.Part, a.Parts = 0, 0, 0
	for i := range a.Entries {
		a.Room += promptSize(&a.Entries[i], w, 1<<30)
	}
	a.Room = max(a.Room, leastRoom)
	whole, err := Prompt(a)
	if err != nil {
		return err
	}
	if e.weight(whole) <= room {
		e.Questions = []Question{whole}
		return nil
	}
	size := utf8.RuneCountInString(whole.Prompt)
	a.Room = int(float64(size) / float64(e.weight(whole)) * float64(room) * 0.85)
	a.Room -= utf8.RuneCountInString(a.order(w))
	if a.Room < leastRoom {
		return fmt.Errorf("%w: there is room for %d characters of the history", ErrSmallWindow, max(0, a.Room))
	}
	runs := cutParts(a.Entries, a.Lang, a.Room)
	for i, run := range runs {
		q, err := e.part(a, run, i+1, len(runs), room)
		if errors.Is(err, ErrEmpty) {
			continue // nothing but what a transcript leaves out
		}
		if err != nil {
			return err
		}
		e.Questions = append(e.Questions, q)
	}
	if len(e.Questions) == 0 {
		return ErrEmpty
	}
	return nil
}

func (e *Enquiry) part(a Ask, run []Entry, n, of, room int) (Question, error) {
	if a.Entries, a.Part, a.Parts = run, n, of; of == 1 {
		a.Part, a.Parts = 0, 0
	}
	for {
		q, err := Prompt(a)
		if err != nil || e.weight(q) <= room {
			return q, err
		}
		if a.Room = a.Room * 3 / 4; a.Room < leastRoom {
			return q, fmt.Errorf("%w: part %d of %d does not fit", ErrSmallWindow, n, of)
		}
	}
}

// share is that of the entries' text which the questions hold.
func (e *Enquiry) share() float64 {
	held, all := 0, 0
	for _, q := range e.Questions {
		held += utf8.RuneCountInString(q.Prompt) - utf8.RuneCountInString(e.ask.order(promptWordsOf(e.ask.Lang)))
	}
	for i := range e.ask.Entries {
		all += utf8.RuneCountInString(e.ask.Entries[i].Former)
		for _, p := range e.ask.Entries[i].Parts {
			all += utf8.RuneCountInString(p.Text)
		}
	}
	return min(1, float64(max(0, held))/float64(max(1, all)))
}

func (e *Enquiry) weight(q Question) int { return e.count(q.Guard) + e.count(q.Prompt) }

// fencesWeight is more than the fences and line breaks around one text weigh, in
// tokens.
const fencesWeight = 8

// cost adds up what all questions take; each is the weight of an answer in a
// question that merges.
func (e *Enquiry) cost(overhead, each int) {
	e.Calls = len(e.Questions)
	for _, q := range e.Questions {
		e.Input += e.weight(q)
	}
	for n := len(e.Questions); n > 1; n = (n + e.group - 1) / e.group {
		for left := n; left > 1; left -= e.group {
			e.Calls++
			e.Input += overhead + min(left, e.group)*each
		}
	}
	e.Output = e.Calls * e.Ceiling
}

// withoutLedgers takes the lists of facts off former summaries.
func withoutLedgers(entries []Entry) []Entry {
	out := make([]Entry, len(entries))
	for i, e := range entries {
		if at := facts.LedgerStart(e.Former); at >= 0 {
			e.Former = e.Former[:at]
		}
		out[i] = e
	}
	return out
}
