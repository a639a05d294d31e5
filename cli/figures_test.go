package cli

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"palimpsest/assets"
	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/figure"
)

// A number without a unit that can be meant in messages and in tokens is asked
// back, under either name of the flag.
func TestANumberThatMayBeTokensIsAskedBack(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 30)
	for _, flag := range []string{"--window", "--tail", "--batch"} {
		b.run("preview", f, flag, "20000").ends(exitUsage, "20000tok (tokens) or 20000msgs.")
		b.run("preview", f, flag, "20k").ends(exitUsage, "20000tok (tokens) or 20000msgs.")
	}
	a := b.run("preview", f, "--window", "10", "--json").ends(exitDone)
	if c := b.run("preview", f, "--tail", "10msgs", "--json").ends(exitDone); a.out != c.out {
		t.Error("--tail is not --window, or a small number not messages")
	}
	b.run("preview", f, "--tail", "400tok").ends(exitDone)
}

// Where the fixed part is not known, sizes of contexts are bounds in every verb.
func TestSizesWithoutAFixedPartAreBounds(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 30)
	b.run("preview", f, "--trigger", "2msgs", "--window", "2msgs").says("before", "≥ ")
	b.run("replay", f).says("total input", "the largest sends ≥ ")
	grid := []string{"sweep", f, "--x", "trigger=2msgs,9msgs", "--y", "tail=2msgs,4msgs", "--context-window", "9000"}
	b.run(append(grid, "--metric", "input", "--against", "recall")...).says("≥ ")
	b.run(append(grid, "--metric", "resent", "--against", "recall")...).lacks("≥ ")
	b.run(append(grid, "--metric", "written", "--against", "recall")...).lacks("≥ ")
	b.run(append(grid, "--metric", "saved", "--against", "recall")...).says("≤ ")
	b.run("compact", f, "--trigger", "2msgs", "--window", "2msgs").ends(exitDone).says(" → ≥ ")
	b.run("records").says(" → ≥ ")
	b.run("records", "show", "R-0001").says("after", ", ≥ ")
}

// policiesTried is how many random policies each file is looked at under.
var policiesTried = flag.Int("policies", 1, "random policies for each real file of TestNoVerbPrintsAnAbsurdNumber; samples take four times as many")

// No line that a verb prints about random settings has a number that says nothing
// or can't be: over the samples and all real files that are not large.
func TestNoVerbPrintsAnAbsurdNumber(t *testing.T) {
	b, r := newBench(t), rand.New(rand.NewPCG(7, 11))
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	tried := 0
	var files []string
	for _, s := range assets.Samples {
		files = append(files, filepath.Join("..", "assets", "samples", s.File))
	}
	samples := len(files)
	if _, here := realdata.Look(t); here && !testing.Short() {
		for _, f := range realdata.Files(t) {
			if info, err := os.Stat(f); err == nil && info.Size() < 1<<20 {
				files = append(files, f)
			}
		}
	}
	for i, f := range files {
		times := *policiesTried
		if i < samples {
			times *= 4
		}
		if out := b.run("inspect", f); figure.Absurd(out.out+"\n"+out.err) != "" {
			t.Errorf("%q prints %q:\n%s%s", out.args, figure.Absurd(out.out+"\n"+out.err), out.out, out.err)
		}
		for range times {
			policy := []string{f, "--context-window", pick("1", "1000", "10k", "40k", "200k", "1m"), "--trigger", pick("1%", "50%", "80%", "1msgs", "5steps", "1steps", "1tok", "20k"),
				"--window", pick("0", "1msgs", "1steps", "1turns", "10", "1tok", "8000tok", "900000tok"), "--batch", pick("0", "1msgs", "30msgs", "1steps"),
				"--strategy", pick("extract", "ledger", "table", "drop", "clear"), "--summary-budget", pick("1tok", "10chars", "1000tok", "40k"), "--min-gain", pick("0", "1", "2")}
			for _, verb := range [][]string{{"preview"}, {"replay", "--recall", "--why"}, {"replay", "--expected"},
				{"sweep", "--x", "trigger=2,80", "--y", "tail=100tok,9000tok", "--metric", pick("recall", "saved", "largest", "survives"), "--against", "input", pick("--expected", "--texts")}} {
				if i >= samples && verb[0] == "sweep" {
					continue // many replays
				}
				tried++
				out := b.run(append(verb, policy...)...)
				if bad := figure.Absurd(out.out + "\n" + out.err); bad != "" {
					t.Errorf("%q prints %q:\n%s%s", out.args, bad, out.out, out.err)
				}
			}
		}
	}
	if tried < 90 {
		t.Errorf("only %d runs", tried)
	}
	t.Logf("%d files, %d runs", len(files), tried)
	for i := range int64(3) { // what no sample shows
		for _, text := range []string{change(1000, 1000-i), change(1000, 1), change(1, 1000), plural(int(i), "summary"), amountText(model.Amount{N: int(i), Unit: model.Steps})} {
			if bad := figure.Absurd(fmt.Sprintln(text)); bad != "" {
				t.Errorf("%q", text)
			}
		}
	}
}
