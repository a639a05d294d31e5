package cli

import (
	"encoding/csv"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"palimpsest/compaction/replay"
	"palimpsest/model"
)

// sweptSample is a sweep of two parameters, one of them a word, over the long sample.
var sweptSample = []string{"sweep", filepath.Join("..", "assets", "samples", "long-coding-run.jsonl"),
	"--x", "tail=4ktok,16ktok", "--y", "strategy=extract,ledger"}

// A sweep is the replays of its settings. The CSV and the JSON have the same figures of every
// setting.
func TestSweepInEveryForm(t *testing.T) {
	b := newBench(t)
	run := func(form string) string { return b.run(append(slices.Clone(sweptSample), form)...).ends(exitDone).out }
	r := value[swept](b.run(append(slices.Clone(sweptSample), "--json")...).ends(exitDone))
	g := r.Grid
	if len(g.Cells) != 4 || len(r.Values) != 2 || g.Y.Names[1] != string(model.NoteText) || g.Cells[2].Y != 1 ||
		g.X.Unit != model.Tokens {
		t.Fatalf("%d cells, %d rows, %+v", len(g.Cells), len(r.Values), g.Axes())
	}
	for _, i := range []int{1, 2} {
		c := g.Cells[i]
		one := value[replayed](b.run("replay", sweptSample[1], "--json", "--recall",
			"--tail", []string{"4ktok", "16ktok"}[c.X], "--strategy", g.Y.Names[c.Y]).ends(exitDone))
		if got := c.Results[0]; got.Totals != one.Totals || got.Cost != one.Cost || got.Needs != one.Recall.Needs || got.Met != one.Recall.Met {
			t.Errorf("cell %d: %+v, replayed %+v", i, got, one.Totals)
		}
	}
	rows, err := csv.NewReader(strings.NewReader(run("--csv"))).ReadAll()
	if err != nil || len(rows) != len(g.Cells)+1 {
		t.Fatal(err, len(rows))
	}
	for i := range g.Cells {
		for _, m := range replay.Metrics {
			v, known := g.Cells[i].Spread(m)
			if !known {
				t.Fatalf("%s of cell %d is not known", m, i)
			}
			inCSV, err := strconv.ParseFloat(rows[i+1][slices.Index(rows[0], string(m))], 64)
			if err != nil || inCSV != v.Value {
				t.Errorf("cell %d, %s: %v in the CSV, %v in the JSON", i, m, inCSV, v.Value)
			}
		}
	}
}

// Presets are an axis too; over several sessions each setting has its spread and the
// worst session.
func TestSweepOfPresetsOverSessions(t *testing.T) {
	b := newBench(t)
	sample := sweptSample[1]
	r := value[swept](b.run("sweep", sample, sample, "--x", "trigger=60,80", "--y", "preset=balanced,careful", "--json").ends(exitDone))
	if len(r.Over) == 0 || r.Over[0].Setting != "now" || r.Over[0].Cell != -1 || len(r.Over[0].Box.Of) != 2 ||
		r.Over[0].Box.Low != r.Over[0].Box.High || r.Over[0].Box.Input != 1 {
		t.Errorf("%+v", r.Over)
	}
	one := value[replayed](b.run("replay", sample, "--json", "--preset", "careful", "--trigger", "60%").ends(exitDone))
	if got := r.Grid.Cell(0, 1).Results[0].Totals; got != one.Totals {
		t.Errorf("%+v, replayed %+v", got, one.Totals)
	}
	b.run("sweep", sample, "--y", "preset=nonsense", "--x", "trigger=50").ends(exitUsage, "no preset")
	b.run("sweep", sample, "--y", "strategy=nonsense", "--x", "trigger=50").ends(exitUsage, "can't be")
}
