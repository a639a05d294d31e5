package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"

	"palimpsest/internal/bench/workload"
)

// measureLines times wc -l on the histories that are loaded.
func measureLines(ctx context.Context, o options, out *os.File, _ string) map[string]string {
	wc, err := exec.LookPath("wc")
	if err != nil {
		return map[string]string{"L3": "there is no wc here"}
	}
	fmt.Fprintln(out, "pkg: palimpsest/peers")
	for _, shape := range []workload.Shape{workload.ClaudeCode, workload.Codex} {
		path, err := workload.File(shape, int64(o.mb)*1e6)
		if err != nil {
			return map[string]string{"L3": err.Error()}
		}
		from := time.Now()
		cmd := exec.CommandContext(ctx, wc, "-l", path)
		if err := cmd.Run(); err != nil {
			return map[string]string{"L3": "wc: " + err.Error()}
		}
		fmt.Fprintf(out, "BenchmarkLines/%s\t1\t%d ns/op\n", shape, time.Since(from).Nanoseconds())
	}
	return nil
}
