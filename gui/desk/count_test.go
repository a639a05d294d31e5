package desk

import (
	"testing"

	"palimpsest/model"
)

// A large file shows its rows as a sketch first; what a person changed on it
// stays when the counted session takes its place. Opened again, it is counted.
func TestLargeFileIsSketchedFirst(t *testing.T) {
	w := newWindow(t)
	path := chat(t, 6000) // about 10 MB
	var sketched []bool
	moved := false // the person moved a parameter, on the sketch
	w.Listen(TopicPlan, func() {
		s := w.Session()
		if s == nil || w.Plan() == nil {
			return
		}
		if !moved {
			moved = true
			if w.RowCount() < 24_000 || !s.Estimated() {
				t.Errorf("the sketch shows %d rows, estimated %v", w.RowCount(), s.Estimated())
			}
			w.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 12, Unit: model.Messages} })
		}
		sketched = append(sketched, s.Sketched())
	})
	w.Add(path)
	w.settle()
	s := w.Session()
	if len(sketched) < 2 || !sketched[0] || s.Sketched() || s.Estimated() || len(w.Notices()) > 0 {
		t.Fatalf("sketched %v, now %v, notices %v", sketched, s.Sketched(), w.Notices())
	}
	if w.Params().Tail.N != 12 || s.Policy().Tail.N != 12 || w.Draft() == nil || s.KnownFacts() == nil {
		t.Errorf("tail %v of %v, draft %v", w.Params().Tail, s.Policy().Tail, w.Draft() != nil)
	}
	w.Reload()
	sketched = nil
	w.settle()
	if w.Session() == s || len(sketched) == 0 || sketched[0] {
		t.Errorf("a file that was counted is sketched again: %v", sketched)
	}
}
