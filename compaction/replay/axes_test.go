package replay_test

import (
	"context"
	"slices"
	"testing"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/internal/realdata"
	"palimpsest/model"
)

// worthASweep is how long a history must be, in calls and tokens beside the fixed
// part, for a sweep of it to have anything to compare.
const worthASweep, worthTokens = 20, 20_000

// In a window of its own, in one that its history overflows and in one that it
// never fills, a sweep of a real history begins with settings that all compact it.
func TestFirstAxesFireEverywhere(t *testing.T) {
	ctx := context.Background()
	cells, histories, idle := 0, 0, 0
	for _, path := range realdata.Sources(t) {
		for _, s := range sessions(t, path) {
			h := s.History()
			if len(h.Calls()) < worthASweep || h.Before(h.Len()) < worthTokens {
				continue
			}
			histories++
			own := s.Policy()
			for _, window := range []int{own.Window, int(h.Before(h.Len())) / 3, int(h.Before(h.Len()))*4 + own.Fixed} {
				p := own
				p.Window, p.Reserve = window, 0
				if p.Fixed >= window/2 {
					continue
				}
				x, y := replay.FirstAxes(ctx, h, p)
				if len(x.Values) < 2 || len(y.Values) < 2 || !slices.IsSorted(x.Values) || !slices.IsSorted(y.Values) {
					t.Errorf("%s in %d: %+v %+v", path, window, x, y)
				}
				g, err := replay.Sweep(ctx, []replay.Subject{{History: h, Policy: p}}, replay.Axes{x, y}, replay.SweepOptions{})
				if err != nil {
					t.Fatal(err)
				}
				for i := range g.Cells {
					c := &g.Cells[i]
					cells++
					if c.Results[0].Firings == 0 {
						idle++
						t.Logf("%s, window %d, fixed %d, %d tokens, %d calls: %v %s, %v %s never fires", path, window, p.Fixed, h.Before(h.Len()),
							len(h.Calls()), x.Values[c.X], x.Unit, y.Values[c.Y], y.Unit)
					}
					if c.Impossible {
						t.Errorf("%s, window %d: %v, %v is not possible", path, window, x.Values[c.X], y.Values[c.Y])
					}
				}
			}
		}
	}
	if idle > 0 {
		t.Errorf("%d of %d cells never fire", idle, cells)
	}
	t.Logf("%d cells of %d histories", cells, histories)
	if histories == 0 {
		t.Error("no history is worth a sweep: the test proves nothing")
	}
}

// What can't fire anywhere is said, and a preset in other units has its own axes.
func TestFirstAxesOfAShortHistory(t *testing.T) {
	s := sessions(t, "../../assets/samples/lab-notebook.jsonl")[0]
	for _, preset := range compaction.Presets() {
		p := preset.Policy
		p.Window = 1_000_000
		x, y := replay.FirstAxes(context.Background(), s.History(), p)
		if len(x.Values) == 0 || len(y.Values) == 0 {
			t.Errorf("%s: %+v %+v", preset.ID, x, y)
		}
		for _, v := range x.Values {
			if x.Unit == model.Percent && v > 2 {
				t.Errorf("%s fires at %v %% of a window that is never 1 %% full", preset.ID, v)
			}
		}
	}
	p := compaction.Default()
	p.Window = 1_000_000
	x, _ := replay.AxisOf(replay.AxisTrigger, model.Percent, []float64{50, 80})
	y, _ := replay.AxisOf(replay.AxisTail, model.Percent, []float64{2, 10})
	g, err := replay.Sweep(context.Background(), []replay.Subject{{History: s.History(), Policy: p}}, replay.Axes{x, y}, replay.SweepOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if largest, never := g.NeverFires(); !never || largest == 0 || largest > 20_000 {
		t.Errorf("%d %v", largest, never)
	}
}
