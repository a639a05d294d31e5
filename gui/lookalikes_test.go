package gui

import (
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/gui/chart"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// Each look-alike is told with its source, date and differences in both languages,
// is not called the product, and is used with the history's own window and pins.
func TestLookAlikesAreToldAndUsed(t *testing.T) {
	s := newStage(t)
	s.d.TogglePin(3)
	s.settle()
	before := s.d.Params()
	for _, lang := range words.Languages {
		words.Set(lang)
		for _, l := range compaction.LookAlikes() {
			differs, known := translated("lookalike.differs." + l.ID)
			if !known || lang == words.English && differs != l.Differs {
				t.Errorf("%s, %s: %q", lang, l.ID, differs)
			}
			if name := presetName(l.ID); !strings.Contains(name, l.Engine) || name == l.Engine {
				t.Errorf("%s: called %q", l.ID, name)
			}
		}
	}
	words.Set(words.English)
	showLookAlikes(s.d, s.win)
	s.settle()
	dlg, ok := s.win.Canvas().Overlays().Top().(*kit.Dialog)
	if !ok {
		t.Fatalf("no dialog but %T", s.win.Canvas().Overlays().Top())
	}
	dlg.Hide()
	l, _ := lookAlike("like-pi")
	q := l.Policy
	q.Preset = l.ID
	s.d.UsePreset(q)
	s.settle()
	if p := s.d.Params(); p.Window != before.Window || len(p.Pins) != len(before.Pins) || p.Triggers[0] != l.Policy.Triggers[0] {
		t.Errorf("%+v", p)
	}
	if got := params(s).presetTitle(); got != "pi look-alike" {
		t.Errorf("called %q", got)
	}
}

// A click on a mark opens the log at its call; a record opens that of its own
// parameters, without changing those on the screen.
func TestWhyFromMarksAndRecords(t *testing.T) {
	s := newStage(t)
	w := newWhySheet(s.d, s.c)
	at := s.d.Timeline().Firings[1].At
	p := newChartPane(s.d, s.win, s.c)
	p.plot.OnMark(chart.Mark{X: float64(at), Simulated: true})
	if i := w.list.Selected(); i < 0 || int(w.timeline.Calls[w.calls[i]].At) < at || w.timeline.Why(w.calls[i]).Firing == nil {
		t.Fatalf("row %d of the log, it fired at %d", i, at)
	}
	w.close()
	s.c.run("compact")
	s.settle()
	rec := s.d.Session().Stack()[0]
	s.d.Set(func(q *model.Policy) { q.Triggers = []model.Clause{{Share: .35}} })
	s.settle()
	now := s.d.Params()
	s.c.why(rec.At, rec)
	s.settle()
	if w.timeline == nil || w.timeline.Policy.Triggers[0] != rec.Policy.Triggers[0] || s.d.Params().Triggers[0] != now.Triggers[0] {
		t.Errorf("the log is not that of the record's parameters")
	}
	if !strings.Contains(w.head.Text(), rec.ID) || w.foot.Visible() {
		t.Errorf("%q, remedy shown: %v", w.head.Text(), w.foot.Visible())
	}
}

// The log offers the remedy of what the chosen call is about: one click, undoable.
func TestWhyOffersARemedy(t *testing.T) {
	s := newStage(t)
	w := newWhySheet(s.d, s.c)
	s.d.Set(func(q *model.Policy) { q.Tail = model.Amount{N: 170000, Unit: model.Tokens} })
	s.settle()
	w.show(-1, nil)
	if !w.foot.Visible() || w.remedy.use.Text() == "" {
		t.Fatalf("no remedy for %v", w.timeline.Warnings)
	}
	was := s.d.Params().Tail
	w.remedy.use.Tapped(nil)
	s.settle()
	if s.d.Params().Tail == was {
		t.Error("nothing changed")
	}
	s.d.Undo()
	if s.d.Params().Tail != was {
		t.Error("it can't be undone")
	}
}

// Without real summaries a sweep's figures of facts are bounds and say so; the
// chosen cell lists its misses, and slices run through it.
func TestSweepTellsFactsAsBounds(t *testing.T) {
	s, p := sweeping(t)
	m := p.view
	if m.w.Texts || !strings.HasPrefix(m.value("recall", .5), "≥") || !strings.HasPrefix(m.value("misses", 3), "≤") || strings.ContainsAny(m.value("input", 3), "≤≥") {
		t.Errorf("%q %q %q", m.value("recall", .5), m.value("misses", 3), m.value("input", 3))
	}
	if !p.missed.Disabled() {
		t.Error("no cell is chosen")
	}
	cell := m.w.Current(s.d.Params())
	p.heat.Select(cell)
	p.choose(cell)
	if p.missed.Disabled() {
		t.Fatal("the misses of a chosen cell can't be listed")
	}
	p.showMissed()
	s.settle()
	if _, ok := s.win.Canvas().Overlays().Top().(*kit.Dialog); !ok {
		t.Error("no list of misses")
	}
	for i, plot := range p.matters.slices.plots {
		line := plot.Data().Series[0].Points
		n := []int{len(m.w.X.Values), len(m.w.Y.Values)}[i]
		if len(line) == 0 || len(line) > n {
			t.Errorf("slice %d has %d points of %d", i, len(line), n)
		}
		x := float64([]int{cell % len(m.w.X.Values), cell / len(m.w.X.Values)}[i])
		if v, _ := m.at(cell); func() float64 { y, _ := chart.At(line, x); return y }() != v {
			t.Errorf("slice %d does not run through the cell", i)
		}
	}
}
