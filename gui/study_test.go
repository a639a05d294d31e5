package gui

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/session/figures"
	"palimpsest/compaction/session/recorded"
	"palimpsest/gui/chart"
	"palimpsest/gui/desk"
	"palimpsest/gui/show"
	"palimpsest/gui/study"
	"palimpsest/gui/words"
	"palimpsest/model"
)

func sweeping(t *testing.T) (*stage, *study.SweepSheet) {
	t.Helper()
	s := newStage(t)
	s.press("Ctrl+4")
	if s.sweep == nil || !s.sweep.Open || s.sweep.View == nil {
		t.Fatal("the sweep is not shown")
	}
	return s, s.sweep
}

func TestSweepShowsEveryCellAndLoadsOne(t *testing.T) {
	s, p := sweeping(t)
	w := s.Desk.Sweep()
	cells := w.Axes.Cells()
	if d := p.Heat.Data(); len(d.Cells) != cells || d.Current != w.Current(s.Desk.Planning.Params()) || d.Current < 0 {
		t.Fatalf("%d cells of %d, current %d", len(d.Cells), cells, d.Current)
	}
	for i := range w.Grid.Cells {
		c, shown := &w.Grid.Cells[i], p.Heat.Data().Cells[i]
		if v, _ := c.Spread(replay.MetricRecall); c.Impossible != (shown.State == chart.HeatImpossible) ||
			!c.Impossible && shown.Text != show.MetricCell(figures.OfMetric(replay.MetricRecall, v.Value, true, w.Made())) {
			t.Errorf("cell %d: %+v of %v", i, shown, v)
		}
	}
	if n := len(p.Plot.Data().Front); n != len(w.Grid.Front(replay.MetricRecall, replay.MetricInput)) ||
		n == 0 != strings.Contains(p.Note.Text(), "equal within its spread") {
		t.Errorf("%d best trade-offs", n)
	}
	if p.Loadable() || !p.Load.Disabled() {
		t.Error("nothing is chosen, yet it can be loaded")
	}
	before := s.Desk.Planning.Params()
	p.Heat.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
	p.Heat.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	cell := p.Heat.Selected()
	if cell < 0 || p.Load.Disabled() || !strings.Contains(p.Told.Text(), "Total input") {
		t.Fatalf("cell %d, told %q", cell, p.Told.Text())
	}
	p.Heat.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s.settle()
	if p.Heat.Data().Current != cell || p.Current() != cell {
		t.Errorf("cell %d was loaded, %d is current", cell, p.Current())
	}
	s.press("Ctrl+Z")
	if s.Desk.Planning.Params().Tail != before.Tail || p.Current() == cell {
		t.Error("not undone")
	}
	s.press("Esc")
	if s.InSheet() {
		t.Error("Esc does not close it")
	}
}

// A sweep whose axes, sessions or settings are others by now is faint, and nothing is held
// against it; Run makes it anew. Where the present settings are no cell, only they are of before.
func TestASweepOutOfDateIsComparedWithNothing(t *testing.T) {
	s, p := sweeping(t)
	p.Heat.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
	says := func(stale, before bool) {
		t.Helper()
		s.settle()
		rows := shown(s.top())
		if got := p.Heat.Data().Stale != ""; got != stale || strings.Contains(p.Note.Text(), "Run again") != stale {
			t.Errorf("out of date: %v, note %q", got, p.Note.Text())
		}
		if strings.Contains(rows, "before\n") != before || strings.Contains(rows, "B − A\n") == before || (p.Plot.Data().Current == nil) != before {
			t.Errorf("of before: %v\n%s", !before, rows)
		}
	}
	says(false, false)
	was := p.X.Field.Text()
	p.X.Field.SetText("60, 70")
	p.X.Read()
	says(true, true)
	p.X.Field.SetText(was)
	p.X.Read()
	says(false, false)
	s.Desk.Planning.Set(func(q *model.Policy) { q.Strategy = model.Extract })
	says(true, true)
	s.press("Ctrl+Z")
	says(false, false)
	s.Desk.Planning.Set(func(q *model.Policy) { model.ParamOf("tail").SetNumber(q, 5, model.Messages) })
	says(false, true)
	s.Commands.Run("runSweep")
	s.settle()
	p.Heat.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
	says(false, false)
}

func TestSweepAxesAreCheckedAsTheyAreTyped(t *testing.T) {
	s, p := sweeping(t)
	p.X.Field.SetText("50..x")
	p.X.Read()
	if p.X.Err == nil || !p.Run.Disabled() || p.X.Count.Text() != "unreadable" {
		t.Errorf("%v, run %v, %q", p.X.Err, p.Run.Disabled(), p.X.Count.Text())
	}
	p.X.Field.SetText("60, 70")
	p.X.Read()
	if p.X.Err != nil || p.Run.Disabled() || p.X.Count.Text() != "2 values" {
		t.Errorf("%v, %q", p.X.Err, p.X.Count.Text())
	}
	p.Y.Choose(replay.AxisTrigger)
	if !p.Run.Disabled() || !strings.Contains(p.Note.Text(), "different") {
		t.Errorf("the same parameter twice: %q", p.Note.Text())
	}
	for _, x := range replay.Params() { // any parameter can be chosen and swept
		if x == replay.AxisTrigger {
			continue
		}
		p.Y.Choose(x)
		for i := range p.Y.Units {
			p.Y.Unit.OnChanged(i)
			if p.Run.Disabled() {
				t.Fatalf("%s in %s can't be swept: %v", x, p.Y.Units[i], p.Y.Axis)
			}
		}
		s.Commands.Run("runSweep")
		s.settle()
		if w := s.Desk.Sweep(); w.Err != nil || w.Axes[1].Param != x || p.Shown != w {
			t.Errorf("%s: %v", x, w.Err)
		}
	}
}

func TestSweepOverSeveralSessionsTellsTheSpread(t *testing.T) {
	s := newStage(t)
	list := s.Desk.Entries()
	s.Desk.Select(list[1])
	s.settle()
	s.press("Ctrl+4")
	p := s.sweep
	p.Tick(list[0], true)
	p.X.Field.SetText("10..50/3")
	p.X.Read()
	p.Y.Field.SetText("4,8")
	p.Y.Read()
	s.Commands.Run("runSweep")
	s.settle()
	w := s.Desk.Sweep()
	if len(w.Over) != 2 || len(w.Grid.Subjects) != 2 {
		t.Fatalf("%d sessions", len(w.Over))
	}
	if c := p.Heat.Data().Cells[0]; c.Text == "" || c.Note == "" {
		t.Errorf("a cell of two sessions: %+v", c)
	}
	alike := len(p.Plot.Data().Front) == 0
	if alike != strings.Contains(p.Note.Text(), "equal within its spread") || !alike && !strings.Contains(p.Note.Text(), "the mean of 2 sessions") {
		t.Errorf("note %q", p.Note.Text())
	}
	p.Tick(list[0], false)
	p.Tick(list[1], false)
	if len(p.Histories()) != 1 {
		t.Error("nothing is left to sweep over")
	}
}

func TestAStoppedSweepIsMarked(t *testing.T) {
	s, p := sweeping(t)
	p.X.Field.SetText("1..100/50")
	p.X.Read()
	p.Y.Field.SetText("1..48/48")
	p.Y.Read()
	for try := 0; try == 0 || try < 20 && s.Desk.Sweep().Grid.Complete; try++ { // it may be done before it is stopped
		s.Commands.Run("runSweep")
		if !s.Desk.Sweep().Running() || p.Stop.Disabled() {
			t.Fatal("it does not run, or can't be stopped")
		}
		s.Commands.Run("stopSweep")
		s.settle()
	}
	waiting := slices.IndexFunc(p.Heat.Data().Cells, func(c chart.HeatCell) bool { return c.State == chart.HeatWaiting })
	if s.Desk.Sweep().Grid.Complete || waiting < 0 || !strings.HasPrefix(p.Count.Text(), "stopped: ") {
		t.Errorf("told as %q", p.Count.Text())
	}
	if all := len(p.Heat.Data().Cells); strings.Contains(shown(s.top()), fmt.Sprintf(" best of %d\n", all)) {
		t.Errorf("cells that are not done count among %d", all)
	}
}

// A sweep under way shows what is done, by the metrics that it will have at the end, and
// says nothing of what is not known yet.
func TestASweepIsShownAsItRuns(t *testing.T) {
	s, p := sweeping(t)
	p.X.Field.SetText("10..80/12")
	p.X.Read()
	p.Y.Field.SetText("2,4,8,16")
	p.Y.Read()
	seen := 0
	s.Desk.Listen(desk.TopicSweep, func() {
		if w := s.Desk.Sweep(); !w.Running() || w.Grid == nil {
			return
		}
		done := 0
		for _, c := range p.Heat.Data().Cells {
			if c.State != chart.HeatWaiting {
				done++
			}
		}
		if seen++; done == 0 || p.Metrics() != [2]replay.Metric{replay.MetricRecall, replay.MetricInput} {
			t.Errorf("%d cells are shown, by %v", done, p.Metrics())
		}
		if strings.Contains(p.Note.Text(), "stopped") {
			t.Errorf("while it runs: %q", p.Note.Text())
		}
	})
	s.Commands.Run("runSweep")
	s.settle()
	if w := s.Desk.Sweep(); seen == 0 || !w.Grid.Complete || p.View == nil {
		t.Errorf("seen %d times while it ran", seen)
	}
}

func TestSaveAndCopyASweep(t *testing.T) {
	s, p := sweeping(t)
	p.CopyTable()
	text := s.App.Clipboard().Content()
	w := s.Desk.Sweep()
	if lines := strings.Count(text, "\n"); lines != len(w.Grid.Y.Values)+1 || strings.Count(text, "\t") != lines*len(w.Grid.X.Values) {
		t.Errorf("copied %q", text)
	}
	s.Settings.P.SetString("export.folder", t.TempDir())
	s.Commands.Run("saveSweep")
	s.press("Enter")
	files, _ := filepath.Glob(filepath.Join(s.Settings.P.String("export.folder"), "*.csv"))
	if len(files) != 1 {
		t.Fatalf("files %v", files)
	}
	if raw, err := os.ReadFile(files[0]); err != nil || strings.Count(string(raw), "\n") != len(w.Grid.Cells)+1 {
		t.Errorf("%v, %d lines", err, strings.Count(string(raw), "\n"))
	}
}

func comparing(t *testing.T) (*stage, *study.CompareSheet) {
	t.Helper()
	s := newStage(t)
	s.press("c")
	if s.compare == nil || !s.compare.Open || s.compare.Shown == nil {
		t.Fatal("the comparison is not shown")
	}
	return s, s.compare
}

func TestCompareListsWhatDiffers(t *testing.T) {
	s, p := comparing(t)
	c := s.Desk.Comparing().Result
	if n := p.Rows.Len(); n != len(c.Rows) || n == 0 {
		t.Fatalf("%d rows of %d", n, len(c.Rows))
	}
	p.Which.OnChanged(1)
	p.Which.Select(1)
	p.Relist()
	if n := p.Rows.Len(); n != c.A.Plan.Line.Len() {
		t.Errorf("%d messages of %d", n, c.A.Plan.Line.Len())
	}
	differ := 0
	for i := range p.Rows.Len() {
		x, d := p.Rows.At(i)
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
	first := p.List.Selected()
	s.press("F7")
	if x, d := p.Rows.At(p.List.Selected()); !d || p.List.Selected() <= first {
		t.Errorf("F7 goes from %d to %d: %+v", first, p.List.Selected(), x)
	}
	if d := p.Chart.Plot.Data(); len(d.Series) != 2 || d.Series[0].Dotted || !d.Series[1].Dotted {
		t.Errorf("%d curves", len(d.Series))
	}
}

// Where nothing differs the middle of the empty list says so, and a former summary has
// its first words like a message.
func TestCompareOfEqualSetsAndOfSummaries(t *testing.T) {
	s, p := comparing(t)
	s.Desk.SetCandidate(s.Desk.Comparing().A)
	s.settle()
	if want := words.T("compare.sameSettings"); p.Rows.Len() != 0 || p.Note() != want {
		t.Errorf("%d rows, in the middle %q, not %q", p.Rows.Len(), p.Note(), want)
	}
	s.press("Esc")
	s.Desk.CompactNow()
	s.settle()
	s.Desk.Planning.Set(func(q *model.Policy) { q.Tail = model.Amount{N: 2, Unit: model.Messages} })
	s.settle()
	s.press("c")
	s.Desk.SetBaseline(desk.PresetSide(compaction.Presets()[0]))
	s.Desk.SetCandidate(desk.Side{From: desk.FromScreen})
	s.settle()
	for i := range p.Rows.Len() {
		if x, _ := p.Rows.At(i); x.Stored < 0 {
			if got := p.First(i); !strings.HasPrefix(got, "Messages ") || p.Note() != "" {
				t.Errorf("the summary begins with %q; in the middle is %q", got, p.Note())
			}
			return
		}
	}
	t.Error("no summary differs")
}

func TestCompareSwapsPromotesAndLoads(t *testing.T) {
	s, p := comparing(t)
	a, b := p.Sides[0].Text(), p.Sides[1].Text()
	s.press("x")
	if p.Sides[0].Text() != b || p.Sides[1].Text() != a {
		t.Errorf("%q and %q after swapping %q and %q", p.Sides[0].Text(), p.Sides[1].Text(), a, b)
	}
	s.press("x")
	s.Commands.Run("promote")
	s.settle()
	if p.Sides[0].Text() != b || len(s.Desk.Comparing().Result.B.Timeline.Calls) == 0 {
		t.Errorf("baseline %q, not %q", p.Sides[0].Text(), b)
	}
	want := s.Desk.Comparing().A.Policy.Tail
	for _, o := range p.HeadRow.Objects {
		if x, ok := o.(interface{ Text() string }); ok && x.Text() == "Open A" {
			o.(fyne.Tappable).Tapped(&fyne.PointEvent{})
		}
	}
	s.settle()
	if s.Desk.Planning.Params().Tail != want || s.InSheet() || s.Desk.NextUndo() == nil {
		t.Errorf("loaded %+v, want %+v", s.Desk.Planning.Params().Tail, want)
	}
}

// A comparison that is looked at is of the history as it is: a compaction that is applied
// or taken back changes it.
func TestAComparisonFollowsItsHistory(t *testing.T) {
	s, p := comparing(t)
	messages := func() int { return p.Shown.A.Plan.Line.Len() }
	was := messages()
	s.Desk.ApplyDraft()
	s.settle()
	if n := messages(); n >= was {
		t.Errorf("%d messages before a compaction, %d after it", was, n)
	}
	s.Desk.Undo()
	s.settle()
	if n := messages(); n != was {
		t.Errorf("%d messages, %d after undo", was, n)
	}
}

func TestACellBecomesTheCandidate(t *testing.T) {
	s, p := sweeping(t)
	p.Heat.Select(0)
	p.Choose(0)
	s.Commands.Run("cellCandidate")
	s.settle()
	c := s.Desk.Comparing()
	if !s.compare.Visible() || c.B.From != desk.FromSweep || c.B.Policy.Tail != s.Desk.Sweep().Policy(0).Tail {
		t.Fatalf("%+v", c.B)
	}
	if got := c.Result.B.Timeline.Totals; got != s.Desk.Sweep().Grid.Cells[0].Results[0].Totals {
		t.Errorf("compared %+v, swept %+v", got, s.Desk.Sweep().Grid.Cells[0].Results[0].Totals)
	}
}

// Settings are told as differing exactly when they do.
func TestSettingRows(t *testing.T) {
	a := model.Policy{Window: 1000, Tail: model.Amount{N: 10, Unit: model.Messages}, Strategy: model.Extract, Former: model.MergeFormer}
	if rows := show.SettingRows(a, a); len(rows) != 0 {
		t.Errorf("%+v", rows)
	}
	b := a
	b.Tail.N, b.Strategy, b.KeepFirstUser = 12, model.Drop, true
	rows := show.SettingRows(a, b)
	if len(rows) != 3 || rows[0].Change != "+2" || rows[1].A != "no" {
		t.Errorf("%+v", rows)
	}
}

// Both screens open on every sample, whatever it lacks, and say what there is.
func TestStudiesOfEverySample(t *testing.T) {
	s := newStage(t)
	for _, e := range s.Desk.Entries() {
		s.Desk.Select(e)
		s.settle()
		if s.Desk.Session() == nil {
			t.Fatalf("%s does not open", e.Title)
		}
		s.press("Ctrl+4")
		if w := s.Desk.Sweep(); !s.sweep.Visible() || s.sweep.View == nil || !slices.Contains(w.Over, e) || len(s.sweep.Heat.Data().Cells) != len(w.Grid.Cells) {
			t.Errorf("%s: no sweep", e.Title)
		}
		s.press("Ctrl+3")
		if c := s.Desk.Comparing(); !s.compare.Visible() || s.sweep.Visible() || c.Result == nil || s.compare.Shown != c.Result {
			t.Errorf("%s: no comparison", e.Title)
		}
		s.press("Esc")
		if s.InSheet() || s.Desk.Comparing().Result != nil {
			t.Errorf("%s: the comparison goes on unseen", e.Title)
		}
	}
}

func TestTheScreensParametersAreComparedAsTheyAre(t *testing.T) {
	s, p := comparing(t)
	s.press("Esc")
	s.Desk.Planning.Set(func(q *model.Policy) { q.Tail = model.Amount{N: 3000, Unit: model.Tokens} })
	s.settle()
	s.press("c")
	if got := s.Desk.Comparing().A; got.From != desk.FromScreen || got.Policy.Tail.N != 3000 {
		t.Fatalf("%+v", got)
	}
	s.press("Ctrl+Z")
	if got := s.Desk.Comparing(); got.A.Policy.Tail.N == 3000 || p.Shown != got.Result || got.Result == nil {
		t.Errorf("undone, yet compared with %+v", got.A.Policy.Tail)
	}
}

// A draft and the run as the file holds it are sides like any other: the one has its own
// text's figures, the other the calls and compactions of the file, and no settings.
func TestDraftsAndTheFileAreCompared(t *testing.T) {
	s, _ := comparing(t)
	for _, e := range s.Desk.Entries() { // one that holds compactions
		s.Desk.Select(e)
		s.settle()
		if s.Desk.Session() != nil && recorded.Holds(s.Desk.Session()) && s.Desk.DraftSet.Draft() != nil {
			break
		}
	}
	s.press("c")
	p := s.compare
	groups := desk.Sides(s.Desk)
	file, drafts := groups[0], groups[1]
	if len(file) != 1 || len(drafts) != len(s.Desk.DraftSet.Drafts()) || len(drafts) == 0 {
		t.Fatalf("%d files, %d drafts", len(file), len(drafts))
	}
	s.Desk.SetBaseline(file[0])
	s.Desk.SetCandidate(drafts[0])
	s.settle()
	c := s.Desk.Comparing().Result
	if c == nil || c != p.Shown || !c.A.Recorded || c.B.Draft != s.Desk.DraftSet.Draft() || c.B.Plan != s.Desk.DraftSet.Draft().Plan {
		t.Fatalf("%+v", c)
	}
	found := 0
	for _, f := range s.Desk.Session().Thread().Found {
		if !f.Clearing {
			found++
		}
	}
	if len(c.A.Timeline.Firings) != found || len(c.A.Timeline.Calls) != len(c.B.Timeline.Calls) || c.A.Timeline.Totals.Input <= 0 {
		t.Errorf("%d compactions of %d, %+v", len(c.A.Timeline.Firings), found, c.A.Timeline.Totals)
	}
	for _, x := range c.Rows {
		if x.A != model.Kept {
			t.Errorf("the file does something now: %+v", x)
		}
	}
	before := s.Desk.Planning.Params()
	s.Desk.Load(file[0])
	if !reflect.DeepEqual(s.Desk.Planning.Params(), before) {
		t.Error("the file has settings to load")
	}
	s.press("Esc")
	s.Desk.Planning.SetAt(s.Desk.Session().At() - 3) // the drafts are of another place now
	s.settle()
	s.press("c")
	if got := s.Desk.Comparing().B.From; got == desk.FromDraft && !slices.Contains(s.Desk.DraftSet.Drafts(), s.Desk.Comparing().B.Draft) {
		t.Error("a draft that is gone is compared")
	}
}
