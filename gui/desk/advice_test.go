package desk

import (
	"path/filepath"
	"runtime"
	"testing"

	"palimpsest/compaction/replay"
	"palimpsest/gui/state/plan"
	"palimpsest/model"
)

// A suggestion that is used has on the screen the figures that it was shown with,
// and one step back is what was before.
func TestSuggestionsKeepTheirWord(t *testing.T) {
	if testing.Short() {
		t.Skip("a search whose figures are compared; TestAnEditEndsTheSearch runs one beside the window")
	}
	w := newWindow(t)
	w.Add(filepath.Join("..", "..", "assets", "samples", "long-coding-run.jsonl"))
	w.settle()
	d := w.Desk
	before := d.Planning.Params()
	d.SeekAdvice()
	if a := d.Advice(); a == nil || a.Advice != nil {
		t.Fatalf("at once: %+v", a)
	}
	w.settle()
	a := d.Advice()
	if a == nil || a.Advice == nil || a.Why != replay.Advised || !a.For(before) {
		t.Fatalf("%+v", a)
	}
	for _, x := range a.Suggestions {
		d.Planning.Set(func(p *model.Policy) { *p = x.Policy[0] })
		w.settle()
		run, ok := d.RunFigures()
		if !ok || a.For(d.Planning.Params()) {
			t.Fatalf("%s: figures %v", x.Aim, ok)
		}
		if run.Recall.Value != x.Recall || int64(run.Input.Value) != x.Input || int(run.Firings.Value) != x.Firings {
			t.Errorf("%s: %+v %+v\nshown with %v %v", x.Aim, run.Recall, run.Input, x.Recall, x.Input)
		}
		d.Undo()
		w.settle()
		if !plan.Same(d.Planning.Params(), before) || !a.For(before) {
			t.Fatalf("undone to %+v", d.Planning.Params())
		}
	}
}

// A change of the parameters ends a search; another history has no advice yet.
func TestAnEditEndsTheSearch(t *testing.T) {
	w := opened(t)
	d := w.Desk
	d.SeekAdvice()
	d.Planning.Set(func(p *model.Policy) { p.Reserve = 9000 })
	if d.Advice() != nil {
		t.Error("the search goes on")
	}
	w.settle()
	if d.Advice() != nil {
		t.Error("what was cancelled came all the same")
	}
	if d.AdviseUnasked(); len(d.Notices()) > 0 {
		t.Errorf("%+v", d.Notices())
	}
	d.Planning.Set(func(p *model.Policy) { p.Reserve = 0 })
	w.settle()
	if a := d.Advice(); a == nil || a.Advice == nil {
		t.Error("nothing was sought when all was quiet")
	}
}

// What the settings of a search that nobody asked for came to is held no longer than that;
// one that was asked for may be asked for again.
func TestUnaskedAdviceLeavesNoTexts(t *testing.T) {
	w := newWindow(t)
	w.Desk.AdviseUnasked()
	w.Add(filepath.Join("..", "..", "assets", "samples", "long-coding-run.jsonl"))
	held := func() int64 {
		w.settle()
		if a := w.Desk.Advice(); a == nil || a.Advice == nil {
			t.Fatalf("%+v", a)
		}
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	unasked := held()
	w.Desk.SeekAdvice()
	if more := held() - unasked; more < 4<<20 {
		t.Errorf("texts that were asked for take %d bytes more than those that were not", more)
	}
}
