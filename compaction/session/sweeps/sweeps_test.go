package sweeps

import (
	"slices"
	"strings"
	"testing"

	"palimpsest/compaction/replay"
	"palimpsest/model"
)

// A grid of three thresholds and two windows over two sessions. What is kept grows with
// both, and so does what is sent. Summaries are of the expected size: at least so much is kept.
func grid(t *testing.T) *Sweep {
	t.Helper()
	x, err := replay.AxisOf(replay.AxisTrigger, model.Percent, []float64{50, 65, 80})
	if err != nil {
		t.Fatal(err)
	}
	y, err := replay.AxisOf(replay.AxisTail, model.Tokens, []float64{4000, 20000})
	if err != nil {
		t.Fatal(err)
	}
	result := func(met int, input int64) (r replay.Result) {
		r.Facts, r.Needs, r.Met, r.Input, r.Uncompacted = true, 1000, 10*met, input, 1_000_000
		return r
	}
	g := &replay.Grid{X: x, Y: y, Subjects: []string{"first", "second"}, Complete: true}
	for row := range 2 {
		for col := range 3 {
			met, input := 40+10*col+20*row, int64(300_000+100_000*col+50_000*row)
			g.Cells = append(g.Cells, replay.Cell{X: col, Y: row, Done: true, Results: []replay.Result{result(met, input), result(met+4, input)}})
		}
	}
	g.Now = replay.Cell{Done: true, Results: []replay.Result{result(30, 900_000), result(50, 900_000)}}
	return &Sweep{Grid: g, Metric: replay.MetricRecall, Against: replay.MetricInput}
}

// Each trade-off is a row with the values of one cell: rows never share their columns.
func TestTradeOffsAreThoseOfTheirCells(t *testing.T) {
	s := grid(t)
	got := s.Front()
	want := [][]string{
		{"threshold (%)", "window (tok)", "recall", "input"},
		{"80", "20K", "≥ 82 %", "550.0K"}, {"65", "20K", "≥ 72 %", "450.0K"}, {"50", "20K", "≥ 62 %", "350.0K"}, {"50", "4K", "≥ 42 %", "300.0K"},
	}
	if len(got) != len(want) {
		t.Fatalf("%q", got)
	}
	for i := range want {
		if !slices.Equal(got[i], want[i]) {
			t.Errorf("row %d is %q, not %q", i, got[i], want[i])
		}
	}
	names, cells := s.Named()
	if !slices.Equal(cells, []int{-1, 5, 4, 3, 0}) || names[0] != "now" || names[1] != "80 %, 20K" || names[4] != "50 %, 4K" {
		t.Errorf("%q, %v", names, cells)
	}
}

// Over several sessions each setting has its middle, its worst session and how much is sent
// of what the present one sends.
func TestSettingsSpreadOverSessions(t *testing.T) {
	s := grid(t)
	rows := s.Sessions()
	if len(rows) != 6 || rows[0][1] != "mean" {
		t.Fatalf("%q", rows)
	}
	if now := rows[1]; !slices.Equal(now, []string{"now", "≥ 40 %", "≥ 30 %", "first", "100 %", "2", "0"}) {
		t.Errorf("%q", now)
	}
	if best := rows[2]; best[1] != "≥ 82 %" || best[2] != "≥ 80 %" || best[4] != "61 %" {
		t.Errorf("%q", best)
	}
	s.Grid.Subjects = s.Grid.Subjects[:1]
	if rows := s.Sessions(); rows != nil {
		t.Errorf("one session spreads: %q", rows)
	}
}

// Every metric says its unit and which way is better; a grid without facts has no trade-offs.
func TestMetricsAreExplained(t *testing.T) {
	for _, m := range replay.Metrics {
		text := About(m, 3)
		if !strings.HasPrefix(text, string(m)+": ") || !strings.Contains(text, m.Unit()+", ") || !strings.Contains(text, "3 sessions") && !strings.Contains(text, "of 3") {
			t.Errorf("%s: %q", m, text)
		}
	}
	s := grid(t)
	s.Metric, s.Against = replay.MetricLargest, replay.MetricInput
	if rows := s.Front(); rows != nil {
		t.Errorf("by cost alone there is a best: %q", rows)
	}
}

// A session that counts in no cell is named.
func TestSessionsLeftOutAreNamed(t *testing.T) {
	s := grid(t)
	if text := Aside(s.Grid); text != "" {
		t.Error(text)
	}
	s.Grid.Subjects[1] = "/somewhere/second.jsonl"
	for i := range s.Grid.Cells {
		s.Grid.Cells[i].Results[1].Aside = true
	}
	s.Grid.Now.Results[1].Aside = true
	if text := Aside(s.Grid); !strings.HasSuffix(text, ": second.jsonl.") {
		t.Error(text)
	}
}
