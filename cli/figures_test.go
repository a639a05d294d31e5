package cli

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"palimpsest/assets"
	"palimpsest/model"
	"palimpsest/model/figure"
)

// A number without a unit that can be meant in messages and in tokens is asked
// back, under either name of the flag.
func TestANumberThatMayBeTokensIsAskedBack(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 30)
	for _, flag := range []string{"--window", "--tail", "--batch"} {
		b.run("preview", f, flag, "20000").ends(exitUsage, "20000tok or 20000msgs?")
		b.run("preview", f, flag, "20k").ends(exitUsage, "20000tok or 20000msgs?")
	}
	a := b.run("preview", f, "--window", "10", "--json").ends(exitDone)
	if c := b.run("preview", f, "--tail", "10msgs", "--json").ends(exitDone); a.out != c.out {
		t.Error("--tail is not --window, or a small number not messages")
	}
	b.run("preview", f, "--tail", "400tok").ends(exitDone)
}

// No line that a verb prints about random settings has a number that says nothing
// or can't be.
func TestNoVerbPrintsAnAbsurdNumber(t *testing.T) {
	b, r := newBench(t), rand.New(rand.NewPCG(7, 11))
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	tried := 0
	for _, s := range assets.Samples {
		f := filepath.Join("..", "assets", "samples", s.File)
		for range 4 {
			policy := []string{f, "--context-window", pick("1", "1000", "10k", "40k", "200k", "1m"), "--trigger", pick("1%", "50%", "80%", "1msgs", "5steps", "1steps", "1tok", "20k"),
				"--window", pick("0", "1msgs", "1steps", "1turns", "10", "1tok", "8000tok", "900000tok"), "--batch", pick("0", "1msgs", "30msgs", "1steps"),
				"--strategy", pick("extract", "ledger", "table", "drop", "clear"), "--summary-budget", pick("1tok", "10chars", "1000tok", "40k"), "--min-gain", pick("0", "1", "2")}
			for _, verb := range [][]string{{"preview"}, {"replay", "--recall", "--why"}, {"replay", "--expected"},
				{"sweep", "--x", "trigger=2,80", "--y", "tail=100,9000", "--metric", pick("recall", "saved", "largest", "survives"), "--against", "input", pick("--expected", "--texts")}} {
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
	for i := range int64(3) { // what no sample shows
		for _, text := range []string{change(1000, 1000-i), change(1000, 1), change(1, 1000), plural(int(i), "summary"), amountText(model.Amount{N: int(i), Unit: model.Steps})} {
			if bad := figure.Absurd(fmt.Sprintln(text)); bad != "" {
				t.Errorf("%q", text)
			}
		}
	}
}
