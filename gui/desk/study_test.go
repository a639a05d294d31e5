package desk

import (
	"testing"

	"palimpsest/model"
)

// The replay follows the parameters while they are dragged; the former one
// stays until the new one is there, and another history begins without one.
func TestTimelineFollowsTheParameters(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 30))
	w.settle()
	first := w.Timeline()
	if first == nil || len(first.Calls) != 60 || first.Totals.Firings != 0 {
		t.Fatalf("no replay of the 60 calls: %+v", first)
	}
	heard := w.heard[TopicReplay]
	w.Planning.Adjust(func(p *model.Policy) {
		p.Triggers = []model.Clause{{At: model.Amount{N: 40, Unit: model.Messages}}}
		p.Tail = model.Amount{N: 10, Unit: model.Messages}
	})
	if w.Timeline() != first {
		t.Error("the former replay went before the new one was there")
	}
	w.settle()
	if n := w.Timeline().Totals.Firings; n < 2 || w.heard[TopicReplay] != heard+1 {
		t.Errorf("%d firings, told %d times", n, w.heard[TopicReplay]-heard)
	}
	w.Add(chat(t, 3))
	w.settle()
	w.Select(w.Entries()[0])
	if w.Timeline() != nil {
		t.Error("another history began with the replay of the one before")
	}
}
