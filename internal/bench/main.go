// Bench measures the program against the goals of its performance: it runs the
// benchmarks of the packages round by round, each with its baseline, measures
// whole programs where there are any to compare with, prints one table, and
// writes it to docs/performance.md. It is no part of the program.
//
//	go run ./internal/bench [-quick] [-only REGEXP] [-rounds N] [-table FILE] [-raw FILE]
//	go run ./internal/bench -from build/bench.txt      (judge an earlier run)
//
// The raw file is in the format of Go's benchmarks, for benchstat.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"strings"
)

func main() {
	log.SetFlags(0)
	var o options
	flag.BoolVar(&o.quick, "quick", false, "one round on small histories: whether it works, not how fast it is")
	flag.IntVar(&o.rounds, "rounds", 5, "how often each pair is measured; the median counts")
	flag.IntVar(&o.mb, "mb", 200, "size of the histories that are loaded")
	flag.StringVar(&o.table, "table", "docs/performance.md", "file whose table is replaced; empty: none")
	flag.StringVar(&o.raw, "raw", "build/bench.txt", "where the measurements go, in the format of Go's benchmarks")
	flag.StringVar(&o.only, "only", "", "regular expression: measure the benchmarks that it matches; the table keeps the other figures")
	flag.StringVar(&o.from, "from", "", "measure nothing, judge this file")
	flag.Parse()
	if o.quick {
		o.rounds, o.mb = 1, 20
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		log.Fatal(err)
	}
}

type options struct {
	quick            bool
	rounds, mb       int
	table, raw, from string
	only             string
}

func run(ctx context.Context, o options) error {
	raw := o.from
	var skipped map[string]string
	var failed []string
	if raw == "" {
		var err error
		if skipped, failed, err = measure(ctx, o); err != nil {
			return err
		}
		raw = o.raw
	}
	file, err := os.Open(raw)
	if err != nil {
		return err
	}
	defer file.Close()
	r, err := readResults(file)
	if err != nil {
		return fmt.Errorf("read %s: %w", raw, err)
	}
	goals, err := readGoals()
	if err != nil {
		return err
	}
	verdicts := judge(goals, r, skipped)
	if err := printTable(os.Stdout, verdicts); err != nil {
		return err
	}
	if o.table != "" {
		if err := replaceTable(o.table, verdicts, r.about); err != nil {
			return err
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("these benchmarks failed: %s", strings.Join(failed, ", "))
	}
	return nil
}
