package replay

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/model"

	"pgregory.net/rapid"
)

func axis(t *testing.T, p Param, u model.Unit, from, to float64, n int) Axis {
	t.Helper()
	a, err := NewAxis(p, u, from, to, n)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestAxes(t *testing.T) {
	if a := axis(t, AxisTrigger, "", 50, 95, 4); a.Unit != model.Percent || !reflect.DeepEqual(a.Values, []float64{50, 65, 80, 95}) {
		t.Errorf("%+v", a)
	}
	if a := axis(t, AxisTail, model.Messages, 1, 3, 9); !reflect.DeepEqual(a.Values, []float64{1, 2, 3}) {
		t.Errorf("whole values, each once: %+v", a)
	}
	if a := axis(t, AxisTail, model.Percent, 1, 3, 9); !reflect.DeepEqual(a.Values, []float64{1, 2, 3}) {
		t.Errorf("whole percents of an amount: %+v", a)
	}
	for _, c := range []struct {
		p    Param
		u    model.Unit
		a, b float64
		n    int
	}{
		{"nonsense", "", 1, 2, 2}, {AxisTail, "bananas", 1, 2, 2}, {AxisTail, model.Percent, 1, 101, 2}, {"batch", model.Percent, 1, 2, 2}, {AxisTrigger, "", 0, 50, 3}, {AxisTrigger, "", 50, 101, 3},
		{AxisTail, "", -1, 5, 2}, {AxisTail, "", 1, math.Inf(1), 2}, {AxisTail, "", math.NaN(), 1, 2}, {AxisTail, "", 1, 2, 0}, {AxisTail, "", 1, 1e6, MostValues + 1},
	} {
		if a, err := NewAxis(c.p, c.u, c.a, c.b, c.n); err == nil {
			t.Errorf("%+v is taken as %+v", c, a)
		}
	}
}

// Every parameter moves its own field of the policy and nothing else.
func TestAxesMoveTheirParameter(t *testing.T) {
	base := compaction.Default()
	changed := func(set func(*model.Policy)) model.Policy {
		p := base
		set(&p)
		return p
	}
	for _, c := range []struct {
		p    Param
		u    model.Unit
		want model.Policy
	}{
		{AxisTrigger, "", changed(func(p *model.Policy) { p.Triggers = []model.Clause{{Share: 0.42}} })},
		{AxisTrigger, model.Steps, changed(func(p *model.Policy) {
			p.Triggers = []model.Clause{{At: model.Amount{N: 42, Unit: model.Steps}}}
		})},
		{AxisTail, "", changed(func(p *model.Policy) { p.Tail.N = 42 })},
		{AxisTail, model.Turns, changed(func(p *model.Policy) { p.Tail = model.Amount{N: 42, Unit: model.Turns} })},
		{"batch", "", changed(func(p *model.Policy) { p.Batch.N = 42 })},
		{"target", "", changed(func(p *model.Policy) { p.Target = 42 })},
		{"budget", model.Chars, changed(func(p *model.Policy) { p.Budget = model.Amount{N: 42, Unit: model.Chars} })},
		{"layer", "", changed(func(p *model.Policy) { p.LayerBudget.N = 42 })},
		{AxisWindow, "", changed(func(p *model.Policy) { p.Window = 42 })},
		{"reserve", "", changed(func(p *model.Policy) { p.Reserve = 42 })},
		{"keep", "", changed(func(p *model.Policy) { p.Clear.On, p.Clear.Keep = true, 42 })},
		{"above", "", changed(func(p *model.Policy) { p.Clear.On, p.Clear.Above = true, 42 })},
		{"gain", "", changed(func(p *model.Policy) { p.MinGain.Messages = 42 })},
		{"backoff", "", changed(func(p *model.Policy) { p.BackOff = 42 })},
	} {
		if got := axis(t, c.p, c.u, 42, 42, 1).Set(base, 42); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s %s: %+v", c.p, c.u, got)
		}
	}
	if !reflect.DeepEqual(base, compaction.Default()) {
		t.Error("the policy it was set on changed")
	}
}

// A cell is what a replay of its two values gives, for each subject, however
// many workers there are.
func TestSweepIsItsReplays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var subjects []Subject
		for range rapid.IntRange(1, 3).Draw(t, "subjects") {
			th, sizes := drawHistory(t)
			subjects = append(subjects, Subject{Name: "s", History: preparedFor(th, sizes), Policy: drawPolicy(t)})
		}
		x, err := NewAxis(AxisTrigger, model.Tokens, 100, 3000, 4)
		if err != nil {
			t.Fatal(err)
		}
		y, err := NewAxis(AxisTail, model.Messages, 0, 9, 3)
		if err != nil {
			t.Fatal(err)
		}
		switch rapid.IntRange(0, 2).Draw(t, "second") {
		case 1:
			if y, err = categoryAxis("strategy", "drop", "extract"); err != nil {
				t.Fatal(err)
			}
		case 2:
			y = PresetAxis([]string{"a", "b"}, []model.Policy{drawPolicy(t), drawPolicy(t)})
		}
		axes := Axes{x, y}
		seen := 0
		g, err := Sweep(context.Background(), subjects, axes, SweepOptions{
			Workers:  rapid.IntRange(0, 5).Draw(t, "workers"),
			Progress: func(done, total int) { seen = max(seen, done) }, // told one at a time
			Judge: func(_ context.Context, _ int, fs []Firing) (Judged, error) {
				n := 0
				for _, f := range fs {
					n += len(f.Context.Gone)
				}
				return Judged{Needs: 2 * n, Met: n, Gone: 4 * n, Standing: n}, nil
			},
		})
		if err != nil || !g.Complete || len(g.Cells) != axes.Cells() || seen != (1+len(g.Cells))*len(subjects) {
			t.Fatalf("%v, %d told of %d", err, seen, (1+len(g.Cells))*len(subjects))
		}
		for k, c := range append([]Cell{g.Now}, g.Cells...) {
			if k > 0 && (g.Cell(c.X, c.Y) != &g.Cells[k-1] || !c.Done) {
				t.Fatalf("%+v", c)
			}
			for i, s := range subjects {
				p := s.Policy
				if k > 0 {
					if y.Param == AxisPreset { // it is set before what the other axis changes in it
						p = x.Set(y.Set(p, y.Values[c.Y]), x.Values[c.X])
					} else {
						p = y.Set(x.Set(p, x.Values[c.X]), y.Values[c.Y])
					}
				}
				if p.Window != s.Policy.Window || p.Fixed != s.Policy.Fixed {
					t.Fatalf("cell %d has another context window than its history", k)
				}
				tl, err := Run(context.Background(), s.History, p, Options{Context: true})
				if err != nil {
					t.Fatal(err)
				}
				needs := 0
				for _, f := range tl.Firings {
					needs += 2 * len(f.Context.Gone)
				}
				if r := c.Results[i]; r.Totals != tl.Totals || r.Needs != needs || r.Met != needs/2 {
					t.Fatalf("cell %d %d, subject %d: %+v, want %+v", c.X, c.Y, i, r, tl.Totals)
				}
			}
		}
	})
}

// looks is a context that ends when it is looked at for the n-th time. It counts
// what it is asked.
type looks struct {
	context.Context
	asked, until int
}

func (l *looks) Err() error {
	if l.asked++; l.asked >= l.until {
		return context.Canceled
	}
	return nil
}

// A replay looks up at least once in so many calls, whatever comes of them, and
// then ends: a sweep that is stopped waits for no replay.
func TestAReplayIsStoppedWithinIt(t *testing.T) {
	th, sizes := long(10 * callsPerCheck)
	h := preparedFor(th, sizes)
	check := func(id string, p model.Policy) {
		all := &looks{Context: context.Background(), until: math.MaxInt}
		tl, err := Run(all, h, p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if least := len(tl.Calls) / callsPerCheck; all.asked < least || least == 0 {
			t.Errorf("%s: %d looks at the context, %d calls", id, all.asked, len(tl.Calls))
		}
		for _, until := range []int{1, 2, all.asked / 2, all.asked} {
			ends := &looks{Context: context.Background(), until: until}
			if _, err := Run(ends, h, p, Options{}); !errors.Is(err, context.Canceled) || ends.asked > until+1 { // the last look may be one to see and one to tell
				t.Errorf("%s: ended at look %d of %d with %v", id, ends.asked, until, err)
			}
		}
	}
	for _, preset := range compaction.Presets() {
		check(preset.ID, benchPolicy(preset.ID))
	}
	vain := benchPolicy("balanced") // fires before every call, and nothing can be compacted
	vain.Window, vain.Tail.N = 100, 1<<40
	check("in vain", vain)
	vain.BackOff = 1 << 40
	check("held back", vain)
}

// A stopped sweep gives what is done and says what is not.
func TestStoppedSweep(t *testing.T) {
	th, sizes := long(2000)
	ctx, cancel := context.WithCancel(context.Background())
	g, err := Sweep(ctx, []Subject{{History: preparedFor(th, sizes), Policy: benchPolicy("balanced")}},
		Axes{axis(t, AxisTrigger, "", 50, 95, 9), axis(t, AxisTail, model.Tokens, 2000, 32000, 7)}, SweepOptions{Workers: 2, Progress: func(done, _ int) {
			if done == 20 {
				cancel()
			}
		}})
	if !errors.Is(err, context.Canceled) || g == nil || g.Complete {
		t.Fatalf("%v %+v", err, g)
	}
	done := 0
	for i := range g.Cells {
		c := &g.Cells[i]
		_, known := c.Spread(MetricInput)
		if known != c.Done || c.Done && c.Results[0].Calls == 0 {
			t.Errorf("%+v", c)
		}
		if c.Done {
			done++
		}
	}
	if done < 19 || done > 21 { // and the present settings
		t.Errorf("%d cells are done", done)
	}
}

// A sweep under way is seen as far as it is done: of one session cell by cell, of more
// session by session, and what is seen stays as it is.
func TestASweepIsSeenUnderWay(t *testing.T) {
	th, sizes := long(600)
	subject := Subject{History: preparedFor(th, sizes), Policy: benchPolicy("balanced")}
	axes := Axes{axis(t, AxisTrigger, "", 50, 95, 4), axis(t, AxisTail, model.Tokens, 2000, 32000, 3)}
	for _, many := range []int{1, 3} {
		var sofar func() *Grid
		var seen []*Grid
		whole, err := Sweep(t.Context(), slices.Repeat([]Subject{subject}, many), axes, SweepOptions{Workers: 2,
			Watch:    func(f func() *Grid) { sofar = f },
			Progress: func(int, int) { seen = append(seen, sofar()) }})
		if err != nil || !whole.Complete {
			t.Fatal(err, whole.Complete)
		}
		was, fewest := 0, axes.Cells()
		for i, g := range seen {
			done := 0
			for k := range g.Cells {
				c := &g.Cells[k]
				if len(c.Results) != len(g.Subjects) || c.X != whole.Cells[k].X || c.Y != whole.Cells[k].Y {
					t.Fatalf("%+v of %v", c, g.Subjects)
				}
				if !c.Done {
					continue
				}
				done++
				for j := range c.Results {
					if c.Results[j] != whole.Cells[k].Results[j] {
						t.Errorf("cell %d of session %d is another at the end", k, j)
					}
				}
			}
			if at := done * len(g.Subjects); at < was || g.Complete && i < len(seen)-2 {
				t.Errorf("%d of %d sessions, %d before, complete %v after %d", done, len(g.Subjects), was, g.Complete, i+1)
			} else {
				was = at
			}
			fewest = min(fewest, done)
		}
		if was != axes.Cells()*many || fewest > 2 {
			t.Errorf("%d results at the end, %d cells at first", was, fewest)
		}
	}
}

func TestSweepRefusesNonsense(t *testing.T) {
	s := []Subject{{History: even("SUA")}}
	x, y := axis(t, AxisTail, "", 1, 9, 9), axis(t, "batch", "", 1, 1000, 1000)
	for name, f := range map[string]func() (*Grid, error){
		"no history": func() (*Grid, error) { return Sweep(context.Background(), nil, Axes{x, y}, SweepOptions{}) },
		"one parameter twice": func() (*Grid, error) {
			return Sweep(context.Background(), s, Axes{x, x}, SweepOptions{})
		},
		"no values": func() (*Grid, error) {
			return Sweep(context.Background(), s, Axes{{Param: AxisTail}, y}, SweepOptions{})
		},
		"too many cells": func() (*Grid, error) {
			return Sweep(context.Background(), s, Axes{axis(t, AxisTail, "", 1, 1000, 1000), y}, SweepOptions{})
		},
	} {
		if g, err := f(); err == nil || g != nil {
			t.Errorf("%s: %v", name, g)
		}
	}
	boom := errors.New("boom")
	_, err := Sweep(context.Background(), s, Axes{x, axis(t, "budget", "", 1, 9, 9)}, SweepOptions{
		Judge: func(context.Context, int, []Firing) (Judged, error) { return Judged{}, boom }})
	if !errors.Is(err, boom) {
		t.Errorf("an error of the measure: %v", err)
	}
}

// grid makes cells whose total input and firings are given. Their misses are a hundred times as
// many, so that each number of them differs from the next beyond its spread.
func grid(t *testing.T, nx int, input, firings []int) *Grid {
	g := &Grid{X: Axis{Param: AxisTrigger, Unit: model.Percent}, Y: Axis{Param: AxisTail, Unit: model.Tokens}, Subjects: []string{"one"}}
	for i := range nx {
		g.X.Values = append(g.X.Values, float64(50+i))
	}
	for i := range len(input) / nx {
		g.Y.Values = append(g.Y.Values, float64(1000*i))
	}
	for i := range input {
		g.Cells = append(g.Cells, Cell{X: i % nx, Y: i / nx, Done: true,
			Results: []Result{{Totals: Totals{Input: int64(input[i]), Uncompacted: 1000, Firings: firings[i]}, Facts: true, Judged: Judged{Needs: 1000, Met: 1000 - 100*firings[i]}}}})
	}
	return g
}

func TestFront(t *testing.T) {
	// cell:            0    1    2    3    4    5
	g := grid(t, 3, []int{500, 400, 400, 300, 600, 300}, []int{1, 2, 3, 4, 1, 4})
	// Least input and fewest misses: 3 equals 5, 1 beats 2, 0 beats 4.
	if got := g.Front(MetricInput, MetricMisses); !reflect.DeepEqual(got, []int{5, 1, 0}) {
		t.Errorf("%v", got)
	}
	g.Cells[1].Impossible, g.Cells[0].Done = true, false
	if got := g.Front(MetricInput, MetricMisses); !reflect.DeepEqual(got, []int{5, 2, 4}) {
		t.Errorf("%v", got)
	}
	g.Cells[1].Impossible = false
	for i := range g.Cells {
		g.Cells[i].Results[0].Judged = Judged{Needs: 20, Met: 20}
	}
	if got := g.Front(MetricRecall, MetricInput); got != nil {
		t.Errorf("all keep the same, and the cheapest is called best: %v", got)
	}
	if v, _, same := g.Same(MetricRecall); !same || v != 1 {
		t.Errorf("recall is the same everywhere: %v %v", v, same)
	}
	for met, alike := range map[int]bool{94: true, 88: true, 80: false} {
		for i := range g.Cells {
			g.Cells[i].Results[0].Judged = Judged{Needs: 100, Met: 96}
		}
		g.Cells[2].Results[0].Met = met
		if low, high, same := g.Same(MetricRecall); same != alike || low != float64(met)/100 || high != .96 {
			t.Errorf("96 and %d of 100: %v to %v, alike %v", met, low, high, same)
		}
		if got := g.Front(MetricRecall, MetricInput); (got == nil) != alike {
			t.Errorf("96 and %d of 100: best are %v", met, got)
		}
	}
	if _, _, same := g.Same(MetricInput); same {
		t.Error("the input differs")
	}
	if got := g.Front(MetricInput, MetricSurvives); got != nil {
		t.Errorf("a metric nobody knows: %v", got)
	}
	for _, m := range Metrics {
		if got := g.Front(m, MetricResent); got != nil && !m.Kept() {
			t.Errorf("%s against resent, by cost alone: %v", m, got)
		}
		if (m.Beside().Kept()) == m.Kept() {
			t.Errorf("%s is weighed against %s", m, m.Beside())
		}
	}
}

// What a setting is over several sessions is the same in the map and session by session.
func TestTheMiddleOfABoxIsItsCell(t *testing.T) {
	g := grid(t, 2, []int{100, 200}, []int{1, 1})
	g.Now = g.Cells[0]
	for i := range g.Cells {
		g.Cells[i].Results = nil
		for k, met := range []int{40, 36, 20, 2} {
			g.Cells[i].Results = append(g.Cells[i].Results, Result{Totals: Totals{Input: int64(100 * (k + i + 1)), Uncompacted: 1000, Firings: k},
				Facts: true, Judged: Judged{Needs: 40 - 36*(k/3), Met: met, Gone: 50, Standing: 10 + k*k}})
		}
	}
	g.Now.Results = g.Cells[0].Results
	for _, m := range Metrics {
		for i := range g.Cells {
			s, known := g.Cells[i].Spread(m)
			b, drawn := g.Box(i, m)
			if known != drawn || s.Value != b.Middle || s.Of != len(b.Of) {
				t.Errorf("%s: %+v in the map, %+v session by session", m, s, b)
			}
			if !m.Averaged() && b.Middle != b.Median {
				t.Errorf("%s: the median %v is shown as %v", m, b.Median, b.Middle)
			}
		}
	}
	if s, _ := g.Cells[0].Spread(MetricRecall); s.Of != 3 || math.Abs(s.Value-.8) > 1e-9 {
		t.Errorf("recall %+v, want the mean of 1, .9 and .5", s)
	}
	if s, _ := g.Cells[0].Spread(MetricInput); s.Value != 250 { // of 100, 200, 300, 400
		t.Errorf("input %+v", s)
	}
	if b, _ := g.Box(1, MetricRecall); b.Input != 1.4 || len(b.Of) == 4 { // 1,400 of 1,000: one with few needs counts, too
		t.Errorf("input %v of %d sessions", b.Input, len(b.Of))
	}
	g.Cells[0].Results[3].Input = 4000 // the one that is paid for
	if s, _ := g.Cells[0].Spread(MetricInput); s.Value != 1150 {
		t.Errorf("input %+v, want the mean", s)
	}
}

// All settings of a sweep are judged by the same needs, the most that any of them has: one that
// fires later still has the rest, and a session counts under all of them or under none.
func TestAllCellsAreOfTheSameNeeds(t *testing.T) {
	of := func(needs, met int) Cell {
		return Cell{Done: true, Results: []Result{{Facts: true, Judged: Judged{Needs: needs, Met: met}}, {Facts: true, Judged: Judged{Needs: needs / 10, Met: needs / 10}}}}
	}
	cells := []Cell{of(80, 60), of(200, 150), of(0, 0), of(900, 0)}
	cells[3].Impossible = true
	sameNeeds(cells)
	for k, want := range []float64{.9, .75, 1} {
		r := cells[k].Results
		if v, known := r[0].Value(MetricRecall); !known || math.Abs(v-want) > 1e-9 || !r[1].counts(MetricRecall) {
			t.Errorf("cell %d: %v, want %v", k, v, want)
		}
	}
	if !MetricRecall.Alike(&cells[0], &cells[0]) || MetricRecall.Alike(&cells[0], &cells[1]) || MetricMisses.Alike(&cells[0], &cells[1]) {
		t.Error("20 and 50 of 200 are equal, or 20 differ from themselves")
	}
}

// The front is that of the definition, each pair of values once.
func TestFrontIsUnbeaten(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := 4 * rapid.IntRange(1, 6).Draw(rt, "rows")
		draw := rapid.SliceOfN(rapid.IntRange(0, 6), n, n)
		input, firings := draw.Draw(rt, "input"), draw.Draw(rt, "firings")
		on := map[int]bool{}
		for _, c := range grid(t, 4, input, firings).Front(MetricSaved, MetricMisses) {
			on[c] = true
		}
		flat := slices.Max(firings) == slices.Min(firings) // cost alone decides nothing
		for i := range n {
			beaten := flat
			for j := range n {
				same := input[j] == input[i] && firings[j] == firings[i]
				beaten = beaten || input[j] <= input[i] && firings[j] <= firings[i] && (!same || j > i)
			}
			if on[i] == beaten {
				rt.Fatalf("cell %d of %v %v: on the front %v, beaten %v", i, input, firings, on[i], beaten)
			}
		}
	})
}

// Of several sessions a cell has the mean or the median and how far they lie apart, and a
// recall that rests on few needs does not count.
func TestSpreadOverSessions(t *testing.T) {
	c := Cell{Done: true}
	for i, in := range []int64{100, 900, 200, 300} {
		c.Results = append(c.Results, Result{Totals: Totals{Input: in, Firings: []int{1, 9, 7, 2}[i]}, Facts: true, Judged: Judged{Needs: 10 * (i + 1), Met: 5 * i, Gone: 50, Standing: 10 * i}})
	}
	if s, ok := c.Spread(MetricInput); !ok || s != (Spread{Value: 375, Low: 100, High: 900, Of: 4}) {
		t.Errorf("%+v", s)
	}
	if s, ok := c.Spread(MetricFirings); !ok || s != (Spread{Value: 4.5, Low: 1, High: 9, Of: 4}) {
		t.Errorf("%+v", s)
	}
	// 0, 10, 20 and 30 of 50
	if s, ok := c.Spread(MetricSurvives); !ok || s.Of != 4 || math.Abs(s.Value-0.3) > 1e-9 || s.Low != 0 || s.High != 0.6 {
		t.Errorf("%+v", s)
	}
	// 5 of 20, 10 of 30, 15 of 40; the first has 10 needs only
	if s, ok := c.Spread(MetricRecall); !ok || s.Of != 3 || math.Abs(s.Value-(0.25+1.0/3+0.375)/3) > 1e-9 {
		t.Errorf("%+v", s)
	}
	if _, ok := c.Spread(MetricSaved); ok {
		t.Error("nothing was sent, so nothing is saved")
	}
}

func TestSweepCSV(t *testing.T) {
	g := grid(t, 2, []int{1234567, 20, 30, 40}, []int{1, 2, 3, 4})
	g.Cells[3].Done = false
	var b bytes.Buffer
	if err := g.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) != 5 {
		t.Fatalf("%v %d rows", err, len(rows))
	}
	got := func(row int, column string) string {
		for i, h := range rows[0] {
			if h == column {
				return rows[row][i]
			}
		}
		return "no column " + column
	}
	for _, c := range []struct {
		row          int
		column, want string
	}{
		{1, "trigger (%)", "50"}, {2, "trigger (%)", "51"}, {3, "tail (tok)", "1000"}, {1, "input", "1234567"}, {2, "firings", "2"},
		{1, "recall", "0.9"}, {4, "done", "false"}, {4, "input", ""}, {3, "impossible", "false"},
	} {
		if text := got(c.row, c.column); text != c.want {
			t.Errorf("row %d, %s: %q, want %q", c.row, c.column, text, c.want)
		}
	}
	if err := g.WriteCSV(fullDisk{}); !errors.Is(err, errFull) {
		t.Errorf("a write that fails: %v", err)
	}
}

func TestTimelineCSV(t *testing.T) {
	tl := lived(t, even("SUAUAUAUA"), model.Policy{Triggers: []model.Clause{{At: tok(600)}}, Tail: messages(2), Budget: tok(30)})
	var b strings.Builder
	if err := tl.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	want := "call,message,tokens,recorded,state,reason\n0,2,200,,waits,200 of 600 tokens\n1,4,400,,waits,400 of 600 tokens\n" +
		"2,6,330,,fired,600 of 600 tokens\n3,8,530,,waits,530 of 600 tokens\n"
	if b.String() != want {
		t.Errorf("%s", b.String())
	}
}

var errFull = errors.New("disk full")

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

// A scale of colours keeps what is alike alike: it spans 5 points of a share at least,
// within 0 and 1, and holds the range that it is made for.
func TestAScaleHasALeastWidth(t *testing.T) {
	for _, c := range []struct {
		m            Metric
		lo, hi, a, b float64
	}{
		{MetricRecall, .996, 1, .95, 1},
		{MetricRecall, .84, .94, .84, .94},
		{MetricRecall, 0, .01, 0, .05},
		{MetricRecall, .5, .5, .475, .525},
		{MetricInput, 100, 101, 97.975, 103.025},
		{MetricFirings, 2, 3, 2, 3},
	} {
		if a, b := c.m.Scale(c.lo, c.hi); math.Abs(a-c.a) > 1e-9 || math.Abs(b-c.b) > 1e-9 {
			t.Errorf("%s %v–%v: %v–%v, want %v–%v", c.m, c.lo, c.hi, a, b, c.a, c.b)
		}
	}
}
