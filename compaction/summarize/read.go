package summarize

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"palimpsest/model"
)

// digest is what was read from the entries: everything a summary may say, in
// pieces of bounded size.
type digest struct {
	w           *words
	formers     []former
	blocks      []*block
	messages    int
	first, last int // message numbers
	turnsBefore int // see Request.TurnsBefore
	firstTurn   int
	lastTurn    int
	memory      *Memory
}

// reader builds a digest.
type reader struct {
	d      *digest
	cur    *turn
	block  *block
	open   map[string][]*call // unanswered calls by id
	guess  bool               // results carry no error marks: judge by their text
	action string             // last words of an agent, in case they hold an action
}

// read reads the entries of a request, or some like them.
func (q *Request) read(ctx context.Context, entries []Entry, w *words) (*digest, error) {
	d := &digest{turnsBefore: q.TurnsBefore, w: w, memory: q.Memory}
	if d.memory == nil {
		d.memory = new(Memory)
	}
	r := &reader{d: d, open: map[string][]*call{}, guess: !marked(entries)}
	for i := range entries {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("summarize: %w", err)
		}
		r.entry(&entries[i])
	}
	if r.d.first == 0 && r.d.messages > 0 { // nothing but copies and former summaries
		r.d.first, r.d.last = entries[0].Num, entries[len(entries)-1].Num
	}
	r.finish()
	return r.d, nil
}

// marked reports whether the source marks failed results.
func marked(entries []Entry) bool {
	for i := range entries {
		if m := entries[i].Msg; m != nil && m.Kind == model.KindResult && m.Error {
			return true
		}
		for _, p := range entries[i].Parts {
			if p.Kind == model.PartResult && p.Error {
				return true
			}
		}
	}
	return false
}

func (r *reader) entry(e *Entry) {
	if e.Former != "" {
		r.former(e.Former)
		return
	}
	if e.Msg == nil {
		return
	}
	d := r.d
	d.messages++
	if !e.Copy {
		if d.first == 0 || e.Num < d.first {
			d.first = e.Num
		}
		d.last = max(d.last, e.Num)
	}
	text := ownText(e.Parts)
	if p := phaseOf(e.Msg); p != phaseNone {
		r.phase(e, p)
		return
	}
	if e.Msg.Kind == model.KindSummary || e.Msg.Kind != model.KindResult && IsSummary(head(text, 1024)) {
		r.former(text)
		return
	}
	if e.Copy {
		r.copied(e, text)
		return
	}
	r.message(e, text)
}

// copied takes what was said in a copy for a line of what went earlier: the turn it
// belongs to is not in the range.
func (r *reader) copied(e *Entry, text string) {
	who := r.d.w.agent
	if e.Msg.Kind == model.KindUser {
		who = r.d.w.user
	}
	if said := r.described(e, text); said != "" && (e.Msg.Typed() || e.Msg.Kind == model.KindAssistant) {
		r.former(who + said)
	}
}

func (r *reader) former(text string) {
	f := newFormer(text, r.d.w, r.d.memory)
	for i := range r.d.formers {
		if r.d.formers[i].same(&f) {
			return
		}
	}
	r.d.formers = append(r.d.formers, f)
}

// phase adds a message to its step.
func (r *reader) phase(e *Entry, p phase) {
	b := r.block
	if b == nil || b.step == nil || b.step.Number != e.Msg.StepNumber() || r.has(b.step, p) {
		b = &block{step: &Step{Number: e.Msg.StepNumber()}, first: e.Num}
		r.d.blocks = append(r.d.blocks, b)
		r.block, r.cur = b, nil
	}
	b.last = e.Num
	b.step.Failed = b.step.Failed || e.Msg.Error
	var s []string
	for i := range e.Parts {
		if k := e.Parts[i].Kind; k == model.PartText || k == model.PartResult {
			s = append(s, e.Parts[i].Text)
		}
	}
	*b.step.phase(p) = strings.Join(s, "\n")
}

func (r *reader) has(s *Step, p phase) bool { return *s.phase(p) != "" }

func (s *Step) phase(p phase) *string {
	switch p {
	case phaseAnalysis:
		return &s.Analysis
	case phaseExecution:
		return &s.Execution
	}
	return &s.Supervision
}

// message adds a message to the turn it belongs to.
func (r *reader) message(e *Entry, text string) {
	m := e.Msg
	if m.Kind == model.KindOther || m.Kind == model.KindBoundary {
		if r.block != nil {
			r.block.last = e.Num
		}
		return
	}
	if r.beginsTurn(e) {
		r.begin(e)
	}
	r.block.last = e.Num
	r.cur.n = max(r.cur.n, e.Turn) // what stood before a person's first words belongs to their turn
	read := r.heard(e, text)
	switch m.Kind {
	case model.KindUser:
		r.userMessage(e, text, read.said)
	case model.KindAssistant:
		r.agentMessage(e, text, read.said)
	}
	call, ended := 0, 0
	for i := range e.Parts {
		switch p := &e.Parts[i]; p.Kind {
		case model.PartCall:
			r.call(p.CallID, read.calls[call])
			call++
		case model.PartResult:
			if handedOver(m) {
				r.call("", read.calls[call])
				call++
			}
			r.result(&read.results[ended])
			ended++
		}
	}
	if ended < len(read.results) { // the message as a whole
		r.result(&read.results[ended])
	}
}

// beginsTurn reports whether a message opens a block of its own. Where messages in
// between stay, the next one may belong to another turn although nobody typed it.
func (r *reader) beginsTurn(e *Entry) bool {
	switch {
	case r.cur == nil:
		return true
	case e.Turn > 0:
		return e.Turn != r.cur.n && !r.nothingToReport()
	}
	return e.Msg.Typed() && !r.nothingToReport()
}

// nothingToReport reports whether the current turn has nothing to report so far, so that
// the context before a person's first words does not make a turn of its own.
func (r *reader) nothingToReport() bool {
	t := r.cur
	return t != nil && t.user == "" && t.outcome == "" && len(t.calls) == 0 && len(t.errs) == 0
}

func (r *reader) begin(e *Entry) {
	r.cur = &turn{n: e.Turn, typed: e.Msg.Typed()}
	r.block = &block{turn: r.cur, first: e.Num}
	r.d.blocks = append(r.d.blocks, r.block)
	r.action = ""
}

func (r *reader) userMessage(e *Entry, text, said string) {
	switch e.Msg.Origin {
	case model.OriginTyped, model.OriginUnknown:
		if r.cur.user == "" {
			r.cur.user = said
		} else if said != "" && !e.Msg.Typed() {
			r.cur.user = clip(r.cur.user+" / "+said, wordsLimit)
		}
	case model.OriginObservation:
		if tool, key, edit, words, ok := action(r.action); ok {
			c := &call{tool: tool, key: key, edit: edit, answered: true, times: 1}
			c.err, c.failed = failure(text, e.Msg.Error, true)
			r.cur.calls = append(r.cur.calls, c)
			if said := line(words, wordsLimit); said != "" {
				r.cur.outcome = said
			}
		}
	}
	r.action = ""
}

func (r *reader) agentMessage(e *Entry, text, said string) {
	r.action = text
	if said == "" {
		return
	}
	if e.Msg.Error {
		r.cur.errs = append(r.cur.errs, shorten(said, errLimit))
		return
	}
	r.cur.outcome = said
}

func (r *reader) call(id string, c call) {
	r.cur.calls = append(r.cur.calls, &c)
	r.open[id] = append(r.open[id], &c)
}

// result ends the latest unanswered call of its id. One whose call is not in
// the range is shown only if it failed.
func (r *reader) result(end *result) {
	waiting := r.open[end.id]
	if len(waiting) == 0 {
		if err := end.err; end.failed && err != "" {
			if end.name != "" {
				err = shorten(end.name+": "+err, errLimit)
			}
			r.cur.errs = append(r.cur.errs, err)
		}
		return
	}
	k := len(waiting) - 1
	if end.id == "" {
		k = 0 // without ids results come in the order of the calls
	}
	c := waiting[k]
	r.open[end.id] = append(waiting[:k:k], waiting[k+1:]...)
	c.answered, c.err, c.failed = true, end.err, end.failed
}

// finish numbers the turns, reads the steps' fields and collapses runs of calls.
func (r *reader) finish() {
	d := r.d
	next := 1 + max(0, d.turnsBefore) // of the first turn that does not know its number
	for i := range d.formers {
		if last := d.formers[i].lastTurn; d.turnsBefore <= 0 && last > 0 {
			next = max(next, last)
			if r.opensTyped() {
				next = max(next, last+1)
			}
		}
	}
	for _, b := range d.blocks {
		if b.step != nil {
			b.facts = b.step.facts(StepCompat{})
			continue
		}
		if b.turn.n == 0 {
			b.turn.n = max(1, next)
		}
		if d.firstTurn == 0 {
			d.firstTurn = b.turn.n
		}
		d.lastTurn = b.turn.n
		next = b.turn.n + 1
		b.turn.calls = collapse(b.turn.calls)
	}
}

// opensTyped reports whether the first turn begins with a person's words: if not,
// it goes on with the turn before.
func (r *reader) opensTyped() bool {
	i := slices.IndexFunc(r.d.blocks, func(b *block) bool { return b.turn != nil })
	return i >= 0 && r.d.blocks[i].turn.typed
}
