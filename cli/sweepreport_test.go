package cli

import (
	"encoding/xml"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/compaction/replay"
	"palimpsest/model"
)

// A sweep of three parameters, one of them a word, is the replays of its settings; the
// table, the JSON and both reports name the same figures, and the reports need no other
// file.
func TestSweepOfThreeParameters(t *testing.T) {
	b := newBench(t)
	sample := filepath.Join("..", "assets", "samples", "long-coding-run.jsonl")
	args := []string{"sweep", sample, "--x", "trigger=50,80", "--y", "tail=4k,16k", "--z", "strategy=extract,ledger"}
	r := value[swept](b.run(append(args, "--json")...).ends(exitDone))
	g := r.Grid
	if len(g.Cells) != 8 || len(r.Values) != 4 || g.Z == nil || g.Z.Names[1] != string(model.Ledger) || g.Cells[5].Z != 1 {
		t.Fatalf("%d cells, %d rows, %+v", len(g.Cells), len(r.Values), g.Z)
	}
	for i, c := range g.Cells {
		one := value[replayed](b.run("replay", sample, "--json", "--recall", "--trigger", []string{"50%", "80%"}[c.X],
			"--tail", []string{"4ktok", "16ktok"}[c.Y], "--strategy", g.Z.Names[c.Z]).ends(exitDone))
		if got := c.Results[0]; got.Totals != one.Totals || got.Needs != one.Recall.Needs || got.Met != one.Recall.Met {
			t.Errorf("cell %d: %+v, replayed %+v", i, got, one.Totals)
		}
	}
	if g.Advice == nil || len(g.Advice.Suggestions) == 0 {
		t.Fatalf("nothing is suggested: %+v", g.Advice)
	}
	best, _ := g.Cells[0].Spread(replay.MetricRecall)
	c := sweepCmd{Texts: true}
	figure := metricFigure(replay.MetricRecall, best.Value, c.texts(false))
	b.run(args...).ends(exitDone).says("strategy extract", "strategy ledger", figure, "safer")
	md := b.run(append(args, "--markdown")...).ends(exitDone).says("# Sweep of trigger × tail × strategy", figure, "| whole run | now | safer |").out
	html := b.run(append(args, "--html")...).ends(exitDone).says("<!doctype html>", figure, "<th>safer</th>").out
	for name, text := range map[string]string{"Markdown": md, "HTML": html} {
		if n := strings.Count(text, "<svg "); n != 2 {
			t.Errorf("%s has %d pictures", name, n)
		}
		if strings.Contains(strings.ReplaceAll(text, `"http://www.w3.org/2000/svg"`, ""), "http") || strings.Contains(text, "<script") {
			t.Errorf("%s needs something else", name)
		}
		wellFormed(t, text)
	}
}

// wellFormed reads every picture of a text.
func wellFormed(t *testing.T, text string) {
	t.Helper()
	for {
		at := strings.Index(text, "<svg ")
		if at < 0 {
			return
		}
		text = text[at:]
		end := strings.Index(text, "</svg>") + len("</svg>")
		d := xml.NewDecoder(strings.NewReader(text[:end]))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("a picture can't be read: %v", err)
			}
		}
		text = text[end:]
	}
}

// Presets are an axis too; over several sessions each setting has its spread and the
// worst session.
func TestSweepOfPresetsOverSessions(t *testing.T) {
	b := newBench(t)
	sample := filepath.Join("..", "assets", "samples", "long-coding-run.jsonl")
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
