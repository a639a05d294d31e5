package gui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/replay"
	"palimpsest/gui/chart"
	"palimpsest/gui/desk"
	"palimpsest/model"
)

func sweeping(t *testing.T) (*stage, *sweepSheet) {
	t.Helper()
	s := newStage(t)
	s.press("Ctrl+4")
	if s.sweep == nil || !s.sweep.open || s.sweep.view == nil {
		t.Fatal("the sweep is not shown")
	}
	return s, s.sweep
}

func TestSweepShowsEveryCellAndLoadsOne(t *testing.T) {
	s, p := sweeping(t)
	w := s.d.Sweep()
	cells := len(w.X.Values) * len(w.Y.Values)
	if d := p.heat.Data(); len(d.Cells) != cells || d.Current != w.Current(s.d.Params()) || d.Current < 0 {
		t.Fatalf("%d cells of %d, current %d", len(d.Cells), cells, d.Current)
	}
	for i := range w.Grid.Cells {
		c, shown := &w.Grid.Cells[i], p.heat.Data().Cells[i]
		if v, _ := c.Spread(replay.MetricInput); c.Impossible != (shown.State == chart.HeatImpossible) ||
			!c.Impossible && shown.Text != metricCell(replay.MetricInput, v.Value, !w.Estimated) {
			t.Errorf("cell %d: %+v of %v", i, shown, v)
		}
	}
	if n := len(p.plot.Data().Front); n == 0 || n != len(w.Grid.Front(replay.MetricInput, replay.MetricFirings)) {
		t.Errorf("%d best trade-offs", n)
	}
	if p.loadable() || !p.load.Disabled() {
		t.Error("nothing is chosen, yet it can be loaded")
	}
	before := s.d.Params()
	p.heat.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
	p.heat.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	cell := p.heat.Selected()
	if cell < 0 || p.load.Disabled() || !strings.Contains(p.told.Text(), "Total input") {
		t.Fatalf("cell %d, told %q", cell, p.told.Text())
	}
	p.heat.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s.settle()
	if p.heat.Data().Current != cell || p.current() != cell {
		t.Errorf("cell %d was loaded, %d is current", cell, p.current())
	}
	s.press("Ctrl+Z")
	if s.d.Params().Tail != before.Tail || p.current() == cell {
		t.Error("not undone")
	}
	s.press("Esc")
	if s.inSheet() {
		t.Error("Esc does not close it")
	}
}

func TestSweepAxesAreCheckedAsTheyAreTyped(t *testing.T) {
	s, p := sweeping(t)
	p.x.field.SetText("50..x")
	p.x.read()
	if p.x.err == nil || !p.run.Disabled() || p.x.count.Text() != "unreadable" {
		t.Errorf("%v, run %v, %q", p.x.err, p.run.Disabled(), p.x.count.Text())
	}
	p.x.field.SetText("60, 70")
	p.x.read()
	if p.x.err != nil || p.run.Disabled() || p.x.count.Text() != "2 values" {
		t.Errorf("%v, %q", p.x.err, p.x.count.Text())
	}
	p.y.choose(replay.AxisTrigger)
	if !p.run.Disabled() || !strings.Contains(p.note.Text(), "different") {
		t.Errorf("the same parameter twice: %q", p.note.Text())
	}
	for _, x := range replay.Params() { // any parameter can be chosen and swept
		if x == replay.AxisTrigger {
			continue
		}
		p.y.choose(x)
		for i := range p.y.units {
			p.y.unit.OnChanged(i)
			if p.run.Disabled() {
				t.Fatalf("%s in %s can't be swept: %v", x, p.y.units[i], p.y.axis)
			}
		}
		s.c.run("runSweep")
		s.settle()
		if w := s.d.Sweep(); w.Err != nil || w.Y.Param != x || p.shown != w {
			t.Errorf("%s: %v", x, w.Err)
		}
	}
}

func TestSweepOverSeveralSessionsTellsTheSpread(t *testing.T) {
	s := newStage(t)
	list := s.d.Entries()
	s.d.Select(list[1])
	s.settle()
	s.press("Ctrl+4")
	p := s.sweep
	p.tick(list[0], true)
	s.c.run("runSweep")
	s.settle()
	w := s.d.Sweep()
	if len(w.Over) != 2 || len(w.Grid.Subjects) != 2 {
		t.Fatalf("%d sessions", len(w.Over))
	}
	if c := p.heat.Data().Cells[0]; !strings.Contains(c.Note, "–") {
		t.Errorf("a cell of two sessions says %q", c.Note)
	}
	if !strings.Contains(p.note.Text(), "median of 2") {
		t.Errorf("note %q", p.note.Text())
	}
	p.tick(list[0], false)
	p.tick(list[1], false)
	if len(p.histories()) != 1 {
		t.Error("nothing is left to sweep over")
	}
}

func TestAStoppedSweepIsMarked(t *testing.T) {
	s, p := sweeping(t)
	p.x.field.SetText("1..100/50")
	p.x.read()
	p.y.field.SetText("1K..48K/48")
	p.y.read()
	for try := 0; try == 0 || try < 20 && s.d.Sweep().Grid.Complete; try++ { // it may be done before it is stopped
		s.c.run("runSweep")
		if !s.d.Sweep().Running() || p.stop.Disabled() {
			t.Fatal("it does not run, or can't be stopped")
		}
		s.c.run("stopSweep")
		s.settle()
	}
	waiting := slices.IndexFunc(p.heat.Data().Cells, func(c chart.HeatCell) bool { return c.State == chart.HeatWaiting })
	if s.d.Sweep().Grid.Complete || waiting < 0 || !strings.HasPrefix(p.count.Text(), "stopped: ") {
		t.Errorf("told as %q", p.count.Text())
	}
	if !strings.Contains(p.matters.mean.Text(), "stopped") {
		t.Errorf("which setting matters: %q", p.matters.mean.Text())
	}
}

func TestSaveAndCopyASweep(t *testing.T) {
	s, p := sweeping(t)
	p.copyTable()
	text := s.app.Clipboard().Content()
	w := s.d.Sweep()
	if lines := strings.Count(text, "\n"); lines != len(w.Y.Values)+1 || strings.Count(text, "\t") != lines*len(w.X.Values) {
		t.Errorf("copied %q", text)
	}
	s.set.p.SetString("export.folder", t.TempDir())
	s.c.run("saveSweep")
	s.press("Enter")
	files, _ := filepath.Glob(filepath.Join(s.set.p.String("export.folder"), "*.csv"))
	if len(files) != 1 {
		t.Fatalf("files %v", files)
	}
	if raw, err := os.ReadFile(files[0]); err != nil || strings.Count(string(raw), "\n") != len(w.Grid.Cells)+1 {
		t.Errorf("%v, %d lines", err, strings.Count(string(raw), "\n"))
	}
}

func comparing(t *testing.T) (*stage, *compareSheet) {
	t.Helper()
	s := newStage(t)
	s.press("c")
	if s.compare == nil || !s.compare.open || s.compare.shown == nil {
		t.Fatal("the comparison is not shown")
	}
	return s, s.compare
}

func TestCompareListsWhatDiffers(t *testing.T) {
	s, p := comparing(t)
	c := s.d.Comparing().Result
	if n := p.rows.len(); n != len(c.Rows) || n == 0 {
		t.Fatalf("%d rows of %d", n, len(c.Rows))
	}
	p.which.OnChanged(1)
	p.which.Select(1)
	p.relist()
	if n := p.rows.len(); n != c.A.Plan.Line.Len() {
		t.Errorf("%d messages of %d", n, c.A.Plan.Line.Len())
	}
	differ := 0
	for i := range p.rows.len() {
		x, d := p.rows.at(i)
		if d != (x.A != x.B) || x.Entry != i {
			t.Fatalf("row %d: %+v, differs %v", i, x, d)
		}
		if d {
			differ++
		}
	}
	if differ != len(c.Rows) {
		t.Errorf("%d differ of %d", differ, len(c.Rows))
	}
	s.press("F7")
	first := p.list.Selected()
	s.press("F7")
	if x, d := p.rows.at(p.list.Selected()); !d || p.list.Selected() <= first {
		t.Errorf("F7 goes from %d to %d: %+v", first, p.list.Selected(), x)
	}
	if d := p.chart.plot.Data(); len(d.Series) != 2 || d.Series[0].Dotted || !d.Series[1].Dotted {
		t.Errorf("%d curves", len(d.Series))
	}
}

func TestCompareSwapsPromotesAndLoads(t *testing.T) {
	s, p := comparing(t)
	a, b := p.sides[0].Text(), p.sides[1].Text()
	s.press("x")
	if p.sides[0].Text() != b || p.sides[1].Text() != a {
		t.Errorf("%q and %q after swapping %q and %q", p.sides[0].Text(), p.sides[1].Text(), a, b)
	}
	s.press("x")
	s.c.run("promote")
	s.settle()
	if p.sides[0].Text() != b || len(s.d.Comparing().Result.B.Timeline.Calls) == 0 {
		t.Errorf("baseline %q, not %q", p.sides[0].Text(), b)
	}
	want := s.d.Comparing().A.Policy.Tail
	for _, o := range p.headRow.Objects {
		if x, ok := o.(interface{ Text() string }); ok && x.Text() == "Open A" {
			o.(fyne.Tappable).Tapped(&fyne.PointEvent{})
		}
	}
	s.settle()
	if s.d.Params().Tail != want || s.inSheet() || !s.d.Session().CanUndo() {
		t.Errorf("loaded %+v, want %+v", s.d.Params().Tail, want)
	}
}

func TestACellBecomesTheCandidate(t *testing.T) {
	s, p := sweeping(t)
	p.heat.Select(0)
	p.choose(0)
	s.c.run("cellCandidate")
	s.settle()
	c := s.d.Comparing()
	if !s.compare.visible() || c.B.From != desk.FromSweep || c.B.Policy.Tail != s.d.Sweep().Policy(0).Tail {
		t.Fatalf("%+v", c.B)
	}
	if got := c.Result.B.Timeline.Totals; got != s.d.Sweep().Grid.Cells[0].Results[0].Totals {
		t.Errorf("compared %+v, swept %+v", got, s.d.Sweep().Grid.Cells[0].Results[0].Totals)
	}
}

// Settings are told as differing exactly when they do.
func TestSettingRows(t *testing.T) {
	a := model.Policy{Window: 1000, Tail: model.Amount{N: 10, Unit: model.Messages}, Strategy: model.Extract, Former: model.MergeFormer}
	if rows := settingRows(a, a); len(rows) != 0 {
		t.Errorf("%+v", rows)
	}
	b := a
	b.Tail.N, b.Strategy, b.KeepFirstUser = 12, model.Drop, true
	rows := settingRows(a, b)
	if len(rows) != 3 || rows[0].change != "+2" || rows[1].a != "no" {
		t.Errorf("%+v", rows)
	}
}

// Both screens open on every sample, whatever it lacks, and say what there is.
func TestStudiesOfEverySample(t *testing.T) {
	s := newStage(t)
	for _, e := range s.d.Entries() {
		s.d.Select(e)
		s.settle()
		if s.d.Session() == nil {
			t.Fatalf("%s does not open", e.Title)
		}
		s.press("Ctrl+4")
		if w := s.d.Sweep(); !s.sweep.visible() || s.sweep.view == nil || !slices.Contains(w.Over, e) || len(s.sweep.heat.Data().Cells) != len(w.Grid.Cells) {
			t.Errorf("%s: no sweep", e.Title)
		}
		s.press("Ctrl+3")
		if c := s.d.Comparing(); !s.compare.visible() || s.sweep.visible() || c.Result == nil || s.compare.shown != c.Result {
			t.Errorf("%s: no comparison", e.Title)
		}
		s.press("Esc")
		if s.inSheet() || s.d.Comparing().Result != nil {
			t.Errorf("%s: the comparison goes on unseen", e.Title)
		}
	}
}

func TestTheScreensParametersAreComparedAsTheyAre(t *testing.T) {
	s, p := comparing(t)
	s.press("Esc")
	s.d.Set(func(q *model.Policy) { q.Tail.N = 3000 })
	s.settle()
	s.press("c")
	if got := s.d.Comparing().A; got.From != desk.FromScreen || got.Policy.Tail.N != 3000 {
		t.Fatalf("%+v", got)
	}
	s.press("Ctrl+Z")
	if got := s.d.Comparing(); got.A.Policy.Tail.N == 3000 || p.shown != got.Result || got.Result == nil {
		t.Errorf("undone, yet compared with %+v", got.A.Policy.Tail)
	}
}
