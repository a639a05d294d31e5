package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"palimpsest/internal/bench/workload"
)

// measurePrograms times, on the histories that are loaded, wc -l, which finds
// their lines, and jq, which makes a column of a table of them.
func measurePrograms(ctx context.Context, o options, out *os.File, _ string) map[string]string {
	fmt.Fprintln(out, "pkg: palimpsest/peers")
	skipped := map[string]string{}
	for _, p := range []struct {
		goal, bench, program string
		args                 []string
		shapes               []workload.Shape
	}{
		{"L3", "Lines", "wc", []string{"-l"}, []workload.Shape{workload.ClaudeCode, workload.Codex}},
		{"L1", "JQ", "jq", []string{"-c", ".type"}, []workload.Shape{workload.ClaudeCode}}, // which takes seconds
	} {
		for _, shape := range p.shapes {
			took, err := runOn(ctx, shape, o, p.program, p.args...)
			if err != nil {
				skipped[p.goal] = err.Error()
				break
			}
			fmt.Fprintf(out, "Benchmark%s/%s\t1\t%d ns/op\n", p.bench, shape, took.Nanoseconds())
		}
	}
	return skipped
}

// runOn is how long a program takes with a history.
func runOn(ctx context.Context, shape workload.Shape, o options, program string, args ...string) (time.Duration, error) {
	path, err := workload.File(shape, int64(o.mb)*1e6)
	if err != nil {
		return 0, err
	}
	return runFor(ctx, program, append(args, path)...)
}
