// Command judge judges the texts that stand for a compacted history, from outside: it reads
// sessions with a reader of its own and asks the built program on its command line.
//
//	scripts/lab.sh judge round -into FOLDER …    sheets for blind readers
//	scripts/lab.sh judge scores -into FOLDER     what the readers gave
//	scripts/lab.sh judge meters …                what the calls say for certain, beside the texts
//	scripts/lab.sh judge cycles …                the templates of CompactBench, three compactions each
//	scripts/lab.sh judge defaults …              long sessions under other thresholds, windows and budgets
//
// The sessions are those of cuts.tsv, under the folder -data; see docs/insight.md.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "judge:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return errors.New("round, scores, meters, cycles or defaults is wanted")
	}
	f := flag.NewFlagSet(args[0], flag.ContinueOnError)
	cuts := f.String("cuts", "internal/lab/judge/cuts.tsv", "the cuts that are judged")
	data := f.String("data", "", "folder of their sessions")
	into := f.String("into", "", "folder of the sheets; the key is written beside it")
	note := f.String("note", "build/palimpsest", "the program that is judged")
	strategy := f.String("strategy", "note", "the strategy that is judged")
	ledger := f.String("ledger", "", "a program that still has the strategy ledger, for comparison; empty: -note")
	all := f.Bool("all", false, "meters: all sessions under -data, not those of -cuts")
	most := f.Int("most", 12, "with -all: the most cuts of one folder")
	faults := f.String("faults", "", "meters: a file for each fault of the notes")
	bench := f.String("compactbench", "", "cycles: a folder of CompactBench")
	budget := f.Float64("budget", 0.5, "cycles: the most a summary may take, as a share of the talk")
	window := f.Int("window", 100_000, "defaults: the context window")
	if err := f.Parse(args[1:]); err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "judge")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	judged := program{*note, *strategy, scratch}
	before := program{*ledger, "ledger", scratch}
	if *ledger == "" {
		before.path = *note
	}
	list, err := places(*cuts)
	if *all {
		list, err = everyCut(*data, *most)
	}
	if err != nil {
		return err
	}
	switch args[0] {
	case "defaults":
		return defaults(list, *data, *window, judged)
	case "cycles":
		return cycles(*bench, *budget, judged)
	case "meters":
		return meters(list, *data, before, judged, *faults)
	case "scores":
		return scores(*into)
	case "round":
		return round(list, *data, *into, before, judged)
	}
	return fmt.Errorf("no %q", args[0])
}
