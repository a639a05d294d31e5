package summarize

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"palimpsest/model"
)

// digest is what a summary says of its entries beside the parts of a note: which messages
// and turns they are, how many calls were made, and what step records tell.
type digest struct {
	w           *words
	formers     []string
	covered     []cover // what former summaries say that they cover
	messages    int
	first, last int // message numbers
	turns       []*turn
	steps       []*Step
}

// turn is what happened from one typed message to the next.
type turn struct {
	n             int // in the history; 0: not known yet
	first, last   int // message numbers
	typed         bool
	user, outcome string
	calls, failed int
}

// empty reports whether there is nothing to tell of a turn so far, so that the context before
// a person's first words makes no turn.
func (t *turn) empty() bool { return t.user == "" && t.outcome == "" && t.calls == 0 && t.failed == 0 }

// read reads the entries of a request, for a note after a text that tells some of it; "": none.
func (q *Request) read(ctx context.Context, w *words, after string) (*digest, *note, error) {
	d := &digest{w: w}
	r := &noteReader{d: d, n: new(note), w: w, memory: cmp.Or(q.Memory, new(Memory)), guess: !marked(q.Entries), work: newWork(),
		asked: map[string]bool{}, known: map[string]bool{}, after: after}
	for i := range q.Entries {
		if err := ctx.Err(); err != nil {
			return nil, nil, fmt.Errorf("summarize: %w", err)
		}
		r.entry(&q.Entries[i])
	}
	if d.first == 0 && d.messages > 0 { // nothing but copies and former summaries
		d.first, d.last = q.Entries[0].Num, q.Entries[len(q.Entries)-1].Num
	}
	r.finish()
	d.number()
	return d, r.n, nil
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

// former counts a former summary; false: it was there before.
func (d *digest) former(text string) bool {
	if slices.Contains(d.formers, text) {
		return false
	}
	d.formers = append(d.formers, text)
	return true
}

// count counts a message.
func (d *digest) count(e *Entry) {
	d.messages++
	if e.Copy {
		return
	}
	if d.first == 0 || e.Num < d.first {
		d.first = e.Num
	}
	d.last = max(d.last, e.Num)
}

// addPhase adds a message of a step record to its step.
func (d *digest) addPhase(e *Entry, p phase) {
	k := len(d.steps) - 1
	if k < 0 || d.steps[k].Number != e.Msg.StepNumber() || *d.steps[k].phase(p) != "" {
		d.steps, k = append(d.steps, &Step{Number: e.Msg.StepNumber()}), k+1
	}
	step := d.steps[k]
	step.Failed = step.Failed || e.Msg.Error
	*step.phase(p) = strings.TrimPrefix(joinText(e.Parts)+"\n"+joinParts(e.Parts, model.PartResult), "\n")
	*step.phase(p) = strings.TrimSuffix(*step.phase(p), "\n")
}

func (s *Step) phase(p phase) *string {
	switch p {
	case phaseAnalysis:
		return &s.Analysis
	case phaseExecution:
		return &s.Execution
	}
	return &s.Supervision
}

// tell adds a message to the turn that it belongs to. Where messages in between stay, the
// next one may belong to another turn although no person typed it.
func (d *digest) tell(e *Entry, t *told) {
	var cur *turn
	if k := len(d.turns); k > 0 {
		cur = d.turns[k-1]
	}
	begins := cur == nil || e.Turn > 0 && e.Turn != cur.n && !cur.empty() || e.Turn == 0 && e.Msg.Typed() && !cur.empty()
	if begins {
		cur = &turn{n: e.Turn, typed: e.Msg.Typed(), first: e.Num}
		d.turns = append(d.turns, cur)
	}
	cur.last, cur.n = e.Num, max(cur.n, e.Turn) // what stood before a person's first words belongs to their turn
	switch {
	case e.Msg.Kind == model.KindUser && t.said != "" && cur.user == "":
		cur.user = clip(t.said, wordsLimit)
	case e.Msg.Kind == model.KindAssistant && t.said != "" && t.failed:
		cur.failed++
	case e.Msg.Kind == model.KindAssistant && t.said != "":
		cur.outcome = clip(t.said, wordsLimit)
	}
	cur.calls += len(t.calls)
	for i := range t.results {
		if t.results[i].failed {
			cur.failed++
		}
	}
}

// number numbers the turns that do not know their number on from the last that a former
// summary names.
func (d *digest) number() {
	next := 1
	for _, f := range d.formers {
		if _, last := Numbered(f); last > 0 {
			next = max(next, last)
			if len(d.turns) > 0 && d.turns[0].typed {
				next = max(next, last+1)
			}
		}
	}
	for _, t := range d.turns {
		if t.n == 0 {
			t.n = max(1, next)
		}
		next = t.n + 1
	}
}

// cover is what the entries cover.
func (d *digest) cover() cover {
	c := cover{first: d.first, last: d.last}
	for i, t := range d.turns {
		if i == 0 {
			c.turns[0] = t.n
		}
		c.turns[1] = t.n
		c.calls, c.failed = c.calls+t.calls, c.failed+t.failed
	}
	if n := len(d.steps); n > 0 {
		c.steps = [2]int{d.steps[0].Number, d.steps[n-1].Number}
	}
	return c
}

// covers are what the summary covers, with former summaries that it follows. Step records
// need no such line: their title says it.
func (d *digest) covers() []cover {
	all := slices.Clone(d.covered)
	if d.messages > 0 && (len(d.turns) > 0 || len(d.steps) == 0) {
		all = append(all, d.cover())
	}
	return joinCovers(all)
}

func (d *digest) keyPoints() []string {
	points := make([]string, 0, len(d.turns)+len(d.steps))
	for _, s := range d.steps {
		f := s.facts(StepCompat{})
		points = append(points, d.w.pointLine(f.point(s.Number)))
	}
	for _, t := range d.turns {
		s := d.w.turns(t.n, t.n, t.first, t.last) + d.w.colon
		end := t.outcome
		if end == "" {
			end = d.w.tally(t.calls, t.failed)
		}
		switch {
		case t.user != "" && end != "":
			s += clip(t.user, 80) + " → " + clip(end, 80)
		default:
			s += clip(t.user+end, 120)
		}
		points = append(points, shorten(strings.TrimRight(s, ": ："), 200))
	}
	return points
}
