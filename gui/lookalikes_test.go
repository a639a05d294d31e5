package gui

import (
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/gui/chart"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/study"
	"palimpsest/gui/words"
	"palimpsest/gui/workbench"
	"palimpsest/model"
)

// A look-alike is not called the product, and is used with the history's own window and
// pins.
func TestLookAlikesAreNamedAndUsed(t *testing.T) {
	s := newStage(t)
	s.Desk.TogglePin(3)
	s.settle()
	before := s.Desk.Planning.Params()
	for _, lang := range words.Languages {
		words.Set(lang)
		for _, l := range compaction.LookAlikes() {
			if name := show.PresetName(l.ID); !strings.Contains(name, l.Engine) || name == l.Engine {
				t.Errorf("%s: called %q", l.ID, name)
			}
		}
	}
	words.Set(words.English)
	l, _ := show.LookAlike("like-pi")
	params(s).Preset.Tapped(nil)
	s.tap(words.T("lookalike.menu"))
	s.tap(show.PresetName(l.ID))
	s.settle()
	if p := s.Desk.Planning.Params(); p.Window != before.Window || len(p.Pins) != len(before.Pins) || p.Triggers[0] != l.Policy.Triggers[0] {
		t.Errorf("%+v", p)
	}
	if got := params(s).PresetTitle(); got != "pi look-alike" {
		t.Errorf("called %q", got)
	}
}

// A click on a mark opens the log at its call.
func TestWhyFromMarks(t *testing.T) {
	s := newStage(t)
	w := study.NewWhySheet(s.Desk, s.Commands)
	at := s.Desk.Timeline().Firings[1].At
	p := workbench.NewChartPane(s.Desk, s.Win, s.Commands)
	p.Plot.OnMark(chart.Mark{X: float64(at), Simulated: true})
	if i := w.List.Selected(); i < 0 || int(w.Timeline.Calls[w.Calls[i]].At) < at || w.Timeline.Why(w.Calls[i]).Firing == nil {
		t.Fatalf("row %d of the log, it fired at %d", i, at)
	}
}

// The log offers the remedy of what the chosen call is about: one click, undoable.
func TestWhyOffersARemedy(t *testing.T) {
	s := newStage(t)
	w := study.NewWhySheet(s.Desk, s.Commands)
	s.Desk.Planning.Set(func(q *model.Policy) { q.Tail = model.Amount{N: 170000, Unit: model.Tokens} })
	s.settle()
	w.Show(-1)
	if !w.Foot.Visible() || w.Remedy.Use.Text() == "" {
		t.Fatalf("no remedy for %v", w.Timeline.Warnings)
	}
	was := s.Desk.Planning.Params().Tail
	w.Remedy.Use.Tapped(nil)
	s.settle()
	if s.Desk.Planning.Params().Tail == was {
		t.Error("nothing changed")
	}
	s.Desk.Undo()
	if s.Desk.Planning.Params().Tail != was {
		t.Error("it can't be undone")
	}
}

// Without real summaries a sweep's figures of facts are bounds and say so; the
// chosen cell lists its misses.
func TestSweepTellsFactsAsBounds(t *testing.T) {
	s, p := sweeping(t)
	s.Desk.RunSweep(replay.Axes{p.X.Axis, p.Y.Axis}, s.Desk.Sweepable()[:1], false)
	s.settle()
	m := p.View
	if m.W.Texts || !strings.HasPrefix(m.Value("recall", .5), "≥") || !strings.HasPrefix(m.Value("misses", 3), "≤") || strings.ContainsAny(m.Value("input", 3), "≤≥") {
		t.Errorf("%q %q %q", m.Value("recall", .5), m.Value("misses", 3), m.Value("input", 3))
	}
	if !p.Missed.Disabled() {
		t.Error("no cell is chosen")
	}
	cell := m.W.Current(s.Desk.Planning.Params())
	p.Heat.Select(cell)
	p.Choose(cell)
	if p.Missed.Disabled() {
		t.Fatal("the misses of a chosen cell can't be listed")
	}
	p.ShowMissed()
	s.settle()
	if _, ok := s.Win.Canvas().Overlays().Top().(*kit.Dialog); !ok {
		t.Error("no list of misses")
	}
}
