package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const sample = `rounds: 2
goos: linux
pkg: palimpsest/model/tokens
cpu: some
BenchmarkCount/English/o200k-2      	     100	   2000 ns/op	   1000 cpu-ns/op	 50 MB/s
BenchmarkCount/English/split-2      	     100	   2000 ns/op	    400 cpu-ns/op
BenchmarkRun/"_"×100000#01-2        	       5	 900000 ns/op
--- BENCH: BenchmarkCount
PASS
pkg: palimpsest/peers
BenchmarkNode/best/English	1	9000 cpu-ns/op
pkg: palimpsest/model/tokens
BenchmarkCount/English/o200k-2      	     100	   2000 ns/op	   3000 cpu-ns/op
BenchmarkCount/English/split-2      	     100	   2000 ns/op	    600 cpu-ns/op
BenchmarkRun/"_"×100000#01-2        	       5	 700000 ns/op
`

// Ratios are taken round by round, CPU time before the clock; what was not
// measured says so and is not reached.
func TestJudge(t *testing.T) {
	r, err := readResults(strings.NewReader(sample))
	if err != nil {
		t.Fatal(err)
	}
	list := judge([]goal{
		{ID: "A", Limit: 3, Unit: "×", Num: []string{"model/tokens:Count/English/o200k"},
			Den: []string{"model/tokens:Count/English/split"}},
		{ID: "B", Limit: 8, Least: true, Num: []string{"peers:Node/best/English"}, Den: []string{"model/tokens:Count/English/o200k"}},
		{ID: "C", Limit: 1, Unit: "ms", Scale: 1e6, Num: []string{`model/tokens:Run/"_"×100000#01`, "model/tokens:Run/none"}},
		{ID: "D", Num: []string{"nowhere:Nothing"}},
		{ID: "E", Num: []string{"nowhere:Nothing"}},
		{ID: "M", Limit: 2, Median: true, Num: []string{"model/tokens:Count/English/o200k", "model/tokens:Count/English/split"},
			Den: []string{"model/tokens:Count/English/o200k", "model/tokens:Count/English/split"}},
		{ID: "F", Beside: true, Unit: "ms", Scale: 1e6, Num: []string{"model/tokens:Count/English/split ns/op"}},
	}, r, map[string]string{"E": "there is no node"})
	for i, want := range []string{"A ≤ 3 × 3.75 × 2.50–5 missed", "B ≥ 8 9  reached", "C ≤ 1 ms 0.80 ms 0.70–0.90 reached",
		"D ≤ 0 –  not measured: nothing was measured in this run", "E ≤ 0 –  not measured: there is no node",
		"M ≤ 2 1.55 1.43–1.67 reached",
		"F  0.002 ms 0.002–0.002 for comparison"} {
		v := list[i]
		if got := strings.Join([]string{v.ID, v.wanted(), v.got(), v.spread(), v.mark()}, " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if len(r.about) != 2 {
		t.Errorf("about: %q", r.about)
	}
}

// Only the table between its marks changes.
func TestReplaceTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.md")
	text := "before\n" + tableBegin + "\nold\n" + tableEnd + "\nafter\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := replaceTable(path, []verdict{{goal: goal{ID: "T1", Name: "exact"}, measured: true}}, []string{"rounds: 2"}); err != nil {
			t.Fatal(err)
		}
	}
	b, _ := os.ReadFile(path)
	if s := string(b); !strings.HasPrefix(s, "before\n") || !strings.HasSuffix(s, "\nafter\n") || strings.Contains(s, "old") ||
		strings.Count(s, "| T1 | exact | ≤ 0 | 0 |  | reached |") != 1 {
		t.Errorf("%s", s)
	}
	// What was not measured this time keeps its figure, under the bound of now.
	kept := verdict{goal: goal{ID: "T1", Name: "exact", Limit: 2, Least: true, Unit: "×", Missed: "why"}}
	if err := replaceTable(path, []verdict{kept}, nil); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(path); !strings.Contains(string(b), "| T1 | exact | ≥ 2 × | 0 × |  | missed: why |") {
		t.Errorf("%s", b)
	}
	if err := replaceTable(os.DevNull, nil, nil); err == nil {
		t.Error("a document without marks was written")
	}
}

// Every goal of the specification has a line, and every line a bound that means
// something.
func TestGoals(t *testing.T) {
	goals, err := readGoals()
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]int{}
	for _, g := range goals {
		lines[g.ID]++
		if len(g.Num) == 0 || len(g.Den) > 1 && len(g.Den) != len(g.Num) || g.Least && g.Limit == 0 {
			t.Errorf("%s %s", g.ID, g.Name)
		}
	}
	for _, id := range strings.Fields("T1 T2 T3 T4 T5 T6 T7 L1 L2 L3 L4 M1 P1 P2 P3 P4 U1 D1 D2 D3 S1 G1 G2") {
		if lines[id] == 0 {
			t.Errorf("nothing measures %s", id)
		}
	}
}
