package summarize

import "strings"

// block is a turn or a step.
type block struct {
	turn        *turn // nil: a step
	step        *Step
	facts       stepFacts
	first, last int // message numbers
}

// turn is what happened from one typed message to the next.
type turn struct {
	n       int  // in the history; 0: not known yet
	typed   bool // it begins with a person's words
	user    string
	outcome string
	calls   []*call
	errs    []string     // errors that are not the result of a call
	groups  []*toolGroup // of the calls, see byTool; nil: not made yet
}

// call is one tool call and how it ended.
type call struct {
	tool, key string
	edit      bool
	answered  bool
	err       string // first error line; "" and failed: without words
	failed    bool
	times     int // how often in a row, after collapsing
}

// collapse joins runs of the same call with the same end.
func collapse(calls []*call) []*call {
	var out []*call
	for _, c := range calls {
		if k := len(out) - 1; k >= 0 && out[k].same(c) {
			out[k].times += c.times
			continue
		}
		out = append(out, c)
	}
	return out
}

func (c *call) same(o *call) bool {
	return c.tool == o.tool && c.key == o.key && c.answered == o.answered && c.failed == o.failed && c.err == o.err
}

// counts are the turn's calls and failures; errors outside of calls are failures.
func (t *turn) counts() (calls, failed int) {
	for _, c := range t.calls {
		calls += c.times
		if c.failed {
			failed += c.times
		}
	}
	return calls, failed + len(t.errs)
}

func (d *digest) keyPoints() []string {
	points := make([]string, 0, len(d.blocks))
	for _, b := range d.blocks {
		if b.step != nil {
			points = append(points, d.w.pointLine(b.facts.point(b.step.Number)))
			continue
		}
		t := b.turn
		s := d.w.turns(t.n, t.n, b.first, b.last) + d.w.colon
		end := t.outcome
		if end == "" {
			end = d.w.tally(t.counts())
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
