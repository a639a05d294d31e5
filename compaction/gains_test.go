package compaction

import (
	"pgregory.net/rapid"
	"testing"

	"palimpsest/model"
)

// A longer pass never frees less: what pass relies on when it looks at the
// batch alone.
func TestALongerPassNeverFreesLess(t *testing.T) {
	enough := 0
	checkAll(t, func(t *rapid.T) {
		l := newDesk(t).line()
		p, _ := Normalise(drawPolicy(t))
		b := Planner{plan: &Plan{}}
		b.begin(l, &p, nil, Options{Manual: true})
		b.low, b.high = l.system, max(l.tailFrom(model.Amount{N: p.Tail.N % 5, Unit: p.Tail.Unit}), l.system)
		b.protect()
		b.clear()
		b.removed.to = b.low
		gained := false
		for _, c := range cutsByDefinition(l) {
			if c <= b.removed.to || c > b.high {
				continue
			}
			longer := b.removal(c)
			ok, why := b.gainsEnough(&longer)
			if gained && !ok {
				t.Fatalf("a shorter pass than up to %d is worth it, this one is not: %v", c, why)
			}
			if gained = ok; ok {
				enough++
			}
		}
	})
	if enough == 0 {
		t.Error("no pass was worth it: the test proves nothing")
	}
}
