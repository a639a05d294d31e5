package probing

import (
	"fmt"
	"math"
	"testing"

	"palimpsest/compaction/probe"
)

// of is n sessions of ten questions of two kinds each, of which the sides "a" and "b" know some.
func of(n int, right func(side string, session, question int) bool) (out []*Probe) {
	for i := range n {
		p := &Probe{File: fmt.Sprint(i), Cuts: []Cut{{Sides: []Side{{Name: "a"}, {Name: "b"}, {Name: "c", Why: "too small"}}}}}
		for k := range 20 {
			q := Question{probe.Question{Kind: probe.Recall, Kept: k == 19}, map[string]Reply{}}
			if k < 2 {
				q.Kind = probe.Order
			}
			for _, side := range []string{"a", "b"} {
				m := probe.Wrong
				if right(side, i, k) {
					m = probe.Right
				}
				q.Replies[side] = Reply{Mark: m}
			}
			p.Cuts[0].Questions = append(p.Cuts[0].Questions, q)
		}
		out = append(out, p)
	}
	return out
}

func TestTable(t *testing.T) {
	// a knows the orders and nothing else; b half of all.
	rows := Table(of(12, func(side string, i, k int) bool { return side == "a" && k < 2 || side == "b" && (i+k)%2 == 0 }), "a")
	if len(rows) != 2 || rows[0].Side != "a" || rows[0].Less != nil || rows[1].Less == nil {
		t.Fatalf("%+v", rows)
	}
	a, b := rows[0], rows[1]
	if a.Share != .5 || a.Points != .25 || a.Of != (Tally{Right: 24, Wrong: 12 * 17}) || a.Kept.All() != 12 {
		t.Errorf("%+v", a)
	}
	if math.Abs(b.Share-.5) > .02 || math.Abs(b.Less.Mean) > .02 || b.Less.From >= b.Less.Mean || b.Less.To <= b.Less.Mean ||
		b.Less.Sessions != 12 || b.Less.Questions != 12*19 {
		t.Errorf("%+v %+v", b, b.Less)
	}
	same := Table(of(12, func(string, int, int) bool { return true }), "a")[1].Less
	if same.Mean != 0 || same.From != 0 || same.To != 0 {
		t.Errorf("two that know the same differ by %+v", same)
	}
	all := Table(of(12, func(side string, _, _ int) bool { return side == "b" }), "a")[1].Less
	if all.Mean != 1 || all.From != 1 || all.To != 1 {
		t.Errorf("one that knows all differs from one that knows nothing by %+v", all)
	}
	for _, few := range []int{9, 10} { // 90 % of the sessions, then of the questions
		if r := Table(of(few, func(string, int, int) bool { return true }), "a"); r[1].Less != nil {
			t.Errorf("a difference is told of %d sessions", few)
		}
	}
}
