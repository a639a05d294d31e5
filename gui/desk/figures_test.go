package desk

import (
	"bytes"
	"encoding/json"
	"math"
	"path/filepath"
	"reflect"
	"testing"

	"palimpsest/assets"
	"palimpsest/cli"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/figures"
	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/figure"
)

// The settings of the comparison: they fire in most files.
var agreed = []string{"--context-window", "40000", "--window", "8000tok", "--trigger", "80%"}

func agreedPolicy(p *model.Policy) {
	p.Window = 40_000
	p.SetTriggers([]model.Clause{{Share: .8}})
	model.ParamOf("tail").SetNumber(p, 8000, model.Tokens) // which ends adaptive sizes, as the flag does
}

// verb runs a verb and decodes its JSON; false if it ends otherwise than done or
// refused.
func verb(t *testing.T, out any, args ...string) bool {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cli.Run(t.Context(), append([]string{"--db", filepath.Join(t.TempDir(), "x.db")}, args...), &stdout, &stderr, cli.Doors{})
	var failed struct{ Error json.RawMessage }
	return json.Unmarshal(stdout.Bytes(), &failed) == nil && failed.Error == nil && json.Unmarshal(stdout.Bytes(), out) == nil
}

// told is what the verbs say, by the names that the window's figures have too.
type told struct {
	preview struct {
		Decision      string
		Before, After model.Size
		SummaryTokens int `json:"summary_tokens"`
	}
	replay struct {
		Totals struct{ Input, Resent, Largest, Firings int64 }
		Recall struct{ Needs, Met int64 }
	}
	sweep struct {
		Grid struct {
			Cells []struct {
				Impossible bool
				Results    []struct{ Input, Resent, Largest, Firings, Needs, Met int64 }
			}
		}
	}
}

func ask(t *testing.T, path string) (v told, ok bool) {
	file := append([]string{path}, agreed...)
	ok = verb(t, &v.preview, append([]string{"preview", "--json"}, file...)...) &&
		verb(t, &v.replay, append([]string{"replay", "--json", "--recall"}, file...)...) &&
		verb(t, &v.sweep, append([]string{"sweep", "--json", "--x", "trigger=80", "--y", "tail=8000tok", "--metric", "recall", "--against", "input"}, file...)...)
	return v, ok
}

// The window, preview, replay and sweep have equal values for equal names, over
// all real files, some long sessions and the samples; and what adds up to a figure does.
func TestWindowAndVerbsAgree(t *testing.T) {
	var files []string
	for _, s := range assets.Samples {
		files = append(files, filepath.Join("..", "..", "assets", "samples", s.File))
	}
	if testing.Short() {
		files = files[1:2] // figures; what runs beside the window is the same for each
	} else if _, here := realdata.Look(t); here {
		files = append(files, realdata.Sources(t)...)
		files = append(files, someSessions(t, 40)...)
	}
	agreeing := 0
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			w := newWindow(t)
			w.Add(path)
			w.settle()
			if w.Session() == nil || w.Current().File == nil || w.Current().File.Doc.Unconfirmed {
				t.Skip("the window does not open it")
			}
			compared := comparedWith(w, agreedPolicy)
			w.Planning.Set(agreedPolicy)
			w.settle()
			compared(t)
			c, _ := w.CompactionFigures()
			r, ok := w.RunFigures()
			if !ok {
				t.Skip("nothing to replay")
			}
			v, ok := ask(t, path)
			if !ok {
				t.Skip("the verbs do not read it")
			}
			agreeing++
			agree(t, c, r, v)
		})
	}
	if agreeing < min(len(files), len(assets.Samples)-1) {
		t.Errorf("only %d of %d files were compared", agreeing, len(files))
	}
	t.Logf("%d of %d files compared", agreeing, len(files))
}

// someSessions are every nth of the long real sessions; none where they are not here.
func someSessions(t *testing.T, nth int) (out []string) {
	all, err := realdata.SessionFiles(filepath.Join(realdata.Root(t), "..", "shared", "data", "sessions"))
	if err != nil {
		t.Logf("no long sessions: %v", err)
	}
	for i := nth / 2; i < len(all); i += nth {
		out = append(out, all[i])
	}
	return out
}

// comparedWith has parameters compared while others are on the screen. What it returns
// checks, once they are those on the screen, that both columns have the figures of Result.
func comparedWith(w *window, change func(*model.Policy)) (check func(*testing.T)) {
	p := w.Planning.Params()
	change(&p)
	w.BeginCompare()
	w.SetBaseline(Side{From: FromScreen})
	w.SetCandidate(Side{From: FromRecord, Policy: p})
	w.settle()
	before := w.Comparing().Result.B
	w.EndCompare()
	return func(t *testing.T) {
		w.BeginCompare()
		w.settle()
		defer w.EndCompare()
		result, _ := w.CompactionFigures()
		for name, x := range map[string]session.Side{"a side": before, "the screen": w.Comparing().Result.A} {
			if got := figures.OfCompaction(w.Session(), figures.MadeOf(&x)); !reflect.DeepEqual(got, result) {
				t.Errorf("%s of the comparison has\n%+v\nResult\n%+v", name, got, result)
			}
			if run, ok := w.RunFigures(); ok && !reflect.DeepEqual(figures.OfRun(w.Session(), x.Timeline, x.Needed), run) {
				t.Errorf("%s of the comparison: the whole run is another one than Result's", name)
			}
		}
	}
}

func agree(t *testing.T, c figures.Compaction, r figures.Run, v told) {
	equal := func(name string, f figure.Figure, n int64) {
		t.Helper()
		if int64(f.Value) != n {
			t.Errorf("%s: the window has %s, the verb %d", name, f.Full(), n)
		}
	}
	equal("before", c.Before, v.preview.Before.Tokens)
	equal("after", c.After, v.preview.After.Tokens)
	if saved := 1 - float64(v.preview.After.Tokens)/float64(v.preview.Before.Tokens); c.Change.Known() && math.Abs(c.Change.Value+saved) > 1e-9 {
		t.Errorf("saved: the window has %v, the verb's sizes make %v", c.Change.Value, -saved)
	}
	if v.preview.Decision == "apply" {
		equal("summary", c.Summary, int64(v.preview.SummaryTokens))
	}
	equal("input", r.Input, v.replay.Totals.Input)
	equal("resent", r.Resent, v.replay.Totals.Resent)
	equal("largest", r.Largest, v.replay.Totals.Largest)
	equal("firings", r.Firings, v.replay.Totals.Firings)
	if r.Recall.Of != v.replay.Recall.Needs || r.Recall.N != v.replay.Recall.Met {
		t.Errorf("needed later: the window has %d of %d, replay %d of %d", r.Recall.N, r.Recall.Of, v.replay.Recall.Met, v.replay.Recall.Needs)
	}
	if cell := v.sweep.Grid.Cells[0]; !cell.Impossible {
		x := cell.Results[0]
		equal("input of the sweep", r.Input, x.Input)
		equal("resent of the sweep", r.Resent, x.Resent)
		equal("largest of the sweep", r.Largest, x.Largest)
		equal("firings of the sweep", r.Firings, x.Firings)
		if r.Recall.Of != x.Needs || r.Recall.N != x.Met {
			t.Errorf("needed later: the window has %d of %d, the sweep %d of %d", r.Recall.N, r.Recall.Of, x.Met, x.Needs)
		}
	}
	for _, f := range []figure.Figure{c.Before, c.After, r.Input} {
		sum := 0.
		for _, p := range f.Parts {
			sum += p.Value
		}
		if sum != f.Value {
			t.Errorf("the parts of %s come to %.0f, it is %.0f: %+v", f.Name, sum, f.Value, f.Parts)
		}
	}
}
