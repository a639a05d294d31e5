package desk

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/gui/state/plan"
	"palimpsest/model"

	"pgregory.net/rapid"
)

func TestReadAxis(t *testing.T) {
	for text, want := range map[string][]float64{
		"60..92/9": {60, 64, 68, 72, 76, 80, 84, 88, 92},
		"60–90%/4": {60, 70, 80, 90},
		"80":       {80},
		"50, 80":   {50, 80},
	} {
		a, err := (&study{}).ReadAxis(replay.AxisTrigger, model.Percent, text)
		if err != nil || !slices.Equal(a.Values, want) {
			t.Errorf("%q: %v %v", text, a.Values, err)
		}
	}
	a, err := (&study{}).ReadAxis(replay.AxisTail, model.Tokens, "8k, 1.5K,1m")
	if err != nil || !slices.Equal(a.Values, []float64{8000, 1500, 1e6}) {
		t.Errorf("%v %v", a.Values, err)
	}
	for _, bad := range []string{"", "k", "a..b", "1..2/x", "1..2/0", "1..2/9999", "-5", "1,,2", "NaN", "Inf", "kk"} {
		if a, err := (&study{}).ReadAxis(replay.AxisTail, model.Tokens, bad); err == nil {
			t.Errorf("%q is read as %v", bad, a.Values)
		}
	}
}

func TestAxisTextIsReadAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.IntRange(0, 3_000_000), 1, 12).Draw(t, "values")
		values := make([]float64, len(list))
		for i, n := range list {
			values[i] = float64(n)
		}
		a, err := replay.AxisOf(replay.AxisTail, model.Tokens, values)
		if err != nil {
			t.Fatal(err)
		}
		b, err := (&study{}).ReadAxis(a.Param, a.Unit, AxisText(a))
		if err != nil || !slices.Equal(a.Values, b.Values) {
			t.Fatalf("%v → %q → %v %v", a.Values, AxisText(a), b.Values, err)
		}
	})
}

// At finds back what Axis.Set put in, for every parameter and unit.
func TestAxisAtReadsWhatSetWrites(t *testing.T) {
	for _, p := range replay.Params() {
		for _, u := range p.Row().Units {
			a, err := replay.AxisOf(p, u, []float64{7, 29, 58})
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range a.Values {
				if got, ok := a.At(a.Set(model.Policy{}, v)); !ok || got != v {
					t.Errorf("%s in %q: %v is read as %v %v", p, a.Unit, v, got, ok)
				}
			}
		}
	}
}

func opened(t *testing.T) *window {
	t.Helper()
	w := newWindow(t)
	w.Add(chat(t, 60))
	w.settle()
	if w.Session() == nil {
		t.Fatal("not open")
	}
	return w
}

func axes(t *testing.T) (x, y replay.Axis) {
	t.Helper()
	x, errX := replay.AxisOf(replay.AxisTrigger, model.Percent, []float64{50, 80})
	y, errY := replay.AxisOf(replay.AxisTail, model.Percent, []float64{4, 10})
	if errX != nil || errY != nil {
		t.Fatal(errX, errY)
	}
	return x, y
}

func TestSweepLoadsACellUndoably(t *testing.T) {
	w := opened(t)
	d := w.Desk
	d.Planning.Set(at80)
	w.settle()
	x, y := axes(t)
	d.RunSweep(replay.Axes{x, y}, d.Sweepable(), false)
	if !d.Sweep().Running() || d.Sweep().Total != 5 {
		t.Fatalf("%+v", d.Sweep())
	}
	w.settle()
	sw := d.Sweep()
	if sw.Running() || sw.Err != nil || sw.Done != 5 || !sw.Grid.Complete {
		t.Fatalf("%+v", sw)
	}
	before := d.Planning.Params()
	if at := sw.Current(before); at != 3 {
		t.Errorf("80 %% and 10 %% lie on cell %d", at)
	}
	d.LoadCell(0)
	w.settle()
	p := d.Planning.Params()
	if p.Triggers[0].Share != .5 || p.Tail.N != 4 || p.Window != before.Window || sw.Current(p) != 0 {
		t.Errorf("loaded %+v", p)
	}
	// What the screen's parameters come to is what the cell says.
	tl, err := d.Session().Insight.Replay(t.Context(), p, false)
	if err != nil || tl.Totals != sw.Grid.Cells[0].Results[0].Totals {
		t.Errorf("the cell %+v\nthe parameters %+v", sw.Grid.Cells[0].Results[0].Totals, tl.Totals)
	}
	d.Undo()
	w.settle()
	if d.Planning.Params().Tail != before.Tail || d.Planning.Params().Triggers[0] != before.Triggers[0] {
		t.Errorf("undone to %+v", d.Planning.Params())
	}
	p.Reserve = 5
	if sw.Current(p) != -1 {
		t.Error("parameters that differ elsewhere lie on a cell")
	}
}

func TestAStoppedSweepKeepsWhatItHas(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 1000))
	w.settle()
	x, _ := replay.NewAxis(replay.AxisTrigger, model.Percent, 1, 100, 50)
	y, _ := replay.NewAxis(replay.AxisTail, model.Tokens, 100, 20000, 50)
	var sw *Sweep
	for try := 0; try == 0 || try < 20 && sw.Grid != nil && sw.Grid.Complete; try++ { // it may be done before it is stopped
		w.RunSweep(replay.Axes{x, y}, w.Sweepable(), false)
		w.StopSweep()
		w.settle()
		sw = w.Sweep()
	}
	if sw.Running() || sw.Err != nil || sw.Grid == nil || sw.Grid.Complete {
		t.Fatalf("%+v", sw)
	}
	if len(w.Notices()) > 0 {
		t.Errorf("it is told as a failure: %+v", w.Notices()[0])
	}
}

func TestSaveSweep(t *testing.T) {
	w := opened(t)
	x, y := axes(t)
	w.RunSweep(replay.Axes{x, y}, w.Sweepable(), false)
	w.settle()
	for form, begins := range map[SweepForm]string{SweepCSV: "trigger (%),tail (%),", SweepJSON: "{\n  \"grid\""} {
		path := filepath.Join(t.TempDir(), "sweep")
		var err error
		w.SaveSweep(path, form, false, func(_ *session.Written, e error) { err = e })
		w.settle()
		raw, rerr := os.ReadFile(path)
		if err != nil || rerr != nil || !bytes.HasPrefix(raw, []byte(begins)) {
			t.Errorf("form %d: %v %v %.40q", form, err, rerr, raw)
		}
	}
}

func TestCheckSweep(t *testing.T) {
	x, y := axes(t)
	if err := CheckSweep(replay.Axes{x, y}); err != nil {
		t.Error(err)
	}
	if CheckSweep(replay.Axes{x, x}) == nil {
		t.Error("the same parameter twice")
	}
	tails, _ := replay.NewAxis(replay.AxisTail, model.Tokens, 1, 1e6, replay.MostValues)
	shares, _ := replay.NewAxis(replay.AxisTrigger, model.Percent, 1, 100, 3)
	if CheckSweep(replay.Axes{shares, tails}) == nil {
		t.Errorf("%d cells are taken", len(shares.Values)*len(tails.Values))
	}
}

func TestCompareSides(t *testing.T) {
	w := opened(t)
	d := w.Desk
	d.BeginCompare()
	w.settle()
	c := d.Comparing()
	if c.A.From != FromScreen || c.B.From != FromPreset || c.Result == nil {
		t.Fatalf("%+v", c)
	}
	if c.B.Policy.Window != d.Planning.Params().Window || c.B.Policy.Preset == d.Planning.Params().Preset {
		t.Errorf("candidate %+v", c.B.Policy)
	}
	a, b := c.A.Policy, c.B.Policy
	d.SwapSides()
	w.settle()
	if !plan.Same(c.A.Policy, b) || c.Result.A.Plan.Policy.Preset != b.Preset {
		t.Error("not swapped")
	}
	d.Promote()
	w.settle()
	if !plan.Same(c.A.Policy, a) || !plan.Same(c.B.Policy, d.Planning.Params()) || len(c.Result.Rows) != 0 {
		t.Errorf("promoted %+v", c.A.Policy)
	}
	d.Planning.Set(func(q *model.Policy) { q.Tail.N++ })
	d.Promote()
	held := d.Planning.Params()
	d.Planning.Set(func(q *model.Policy) { q.Tail.N++ })
	d.BeginCompare()
	w.settle()
	if !plan.Same(c.A.Policy, held) || plan.Same(c.B.Policy, held) {
		t.Errorf("a promoted candidate went on with the screen: %+v", c.A.Policy)
	}
	d.Load(Side{From: FromPreset, Policy: b})
	if d.Planning.Params().Preset != b.Preset || d.NextUndo() == nil {
		t.Error("not loaded")
	}
}

// The side that is the parameters on the screen has the text that is there for them, as
// somebody changed it, and follows it.
func TestTheChangedDraftIsCompared(t *testing.T) {
	w := opened(t)
	w.DraftSet.EditDraft("Short.")
	edited := w.DraftSet.Draft()
	w.BeginCompare()
	w.settle()
	if c := w.Comparing(); c.A.From != FromScreen || c.Result.A.Draft != edited || c.Result.A.Plan.After != w.Planning.Plan().After {
		t.Fatalf("%+v", c.A)
	}
	w.Undo()
	w.settle()
	if c := w.Comparing(); c.Result == nil || c.Result.A.Draft == edited || c.Result.A.Plan.After != w.Planning.Plan().After {
		t.Errorf("after undo: %+v", c.A)
	}
}

// With real summaries a sweep knows what was needed later, as the replay of a
// cell's parameters gives.
func TestASweepWithTextsKnowsRecall(t *testing.T) {
	w := opened(t)
	x, y := axes(t)
	x.Unit, x.Values = model.Tokens, []float64{4000, 8000}
	w.RunSweep(replay.Axes{x, y}, w.Sweepable(), true)
	w.settle()
	sw := w.Sweep()
	for i := range sw.Grid.Cells {
		got := sw.Grid.Cells[i].Results[0]
		_, want, err := w.Session().Insight.Live(t.Context(), sw.Policy(i), true)
		if err != nil || !got.Facts || got.Needs != want.Recall.Needs || got.Met != want.Recall.Met {
			t.Errorf("cell %d: %d of %d met, want %+v %v", i, got.Met, got.Needs, want.Recall, err)
		}
	}
}
