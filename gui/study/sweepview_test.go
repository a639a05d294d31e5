package study

import (
	"testing"

	"fyne.io/fyne/v2/test"

	"palimpsest/compaction/replay"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/model"
)

// Where the present settings, which are no cell, keep as much as every cell for no more, the
// grid's best are not offered as if they were better; one that is better in something is. Cells
// that are not done count nowhere.
func TestNoCellIsBetterThanThePresentSettings(t *testing.T) {
	kit.Use(test.NewTempApp(t), kit.Dark, 1)
	x, err := replay.NewAxis(replay.AxisTrigger, model.Percent, 50, 70, 3)
	if err != nil {
		t.Fatal(err)
	}
	y, err := replay.NewAxis(replay.AxisTail, model.Percent, 10, 10, 1)
	if err != nil {
		t.Fatal(err)
	}
	cell := func(met int, input int64) replay.Cell {
		return replay.Cell{Done: true, Results: []replay.Result{{Facts: true, Totals: replay.Totals{Input: input, Firings: 1, Largest: 10},
			Judged: replay.Judged{Needs: 1000, Met: 10 * met}}}}
	}
	for _, c := range []struct {
		met   int
		input int64
		want  bool
	}{{95, 900, true}, {90, 500, true}, {85, 500, false}, {95, 1000, false}, {99, 700, true}} {
		g := &replay.Grid{X: x, Y: y, Subjects: []string{"one"}, Now: cell(c.met, c.input),
			Cells: []replay.Cell{cell(80, 900), cell(90, 950), {Results: make([]replay.Result, 1)}}}
		v := newSweepView(&desk.Sweep{Axes: replay.Axes{x, y}, Texts: true, Grid: g}, replay.MetricRecall, replay.MetricInput)
		if got := v.nowUnbeaten(-1); got != c.want {
			t.Errorf("%d %% for %d: no cell is better: %v", c.met, c.input, got)
		}
		if n := doneCells(g); n != 2 || v.nowUnbeaten(1) {
			t.Errorf("%d cells are done", n)
		}
	}
}
