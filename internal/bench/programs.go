package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
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

// verbRuns is how often each verb is started.
const verbRuns = 15

// linkedSource is a program with all that the verbs are linked with, which does nothing; with
// an argument it waits for the end of its input.
const linkedSource = `package main

import (
	"io"
	"os"

	_ "palimpsest/cli"
)

func main() {
	if len(os.Args) > 1 {
		_, _ = io.Copy(io.Discard, os.Stdin)
	}
}
`

// buildVerbs builds a program as scripts/cli.sh does, which the packages hold: on Linux one
// that needs no library.
func buildVerbs(ctx context.Context, path, pkg string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", path,
		"-tags=sqlite_fts5,netgo,osusergo,sqlite_omit_load_extension", "-ldflags=-s -w", pkg)
	if runtime.GOOS == "linux" {
		cmd.Args[len(cmd.Args)-2] += " -linkmode external -extldflags -static"
		if _, err := exec.LookPath("musl-gcc"); err == nil {
			cmd.Env = append(os.Environ(), "CC=musl-gcc")
		}
	}
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w: %s", pkg, err, text)
	}
	return nil
}

// measureVerbs starts the program of the verbs, and the same program without anything to
// do: what a start takes.
func measureVerbs(ctx context.Context, _ options, out *os.File, dir string) map[string]string {
	skip := func(err error) map[string]string { return map[string]string{"V1": err.Error()} }
	program, linked, history := filepath.Join(dir, "verbs"), filepath.Join(dir, "linked"), filepath.Join(dir, "small.jsonl")
	if _, err := os.Stat(linked); err != nil {
		source := linked + ".go"
		if err := os.WriteFile(source, []byte(linkedSource), 0o600); err != nil {
			return skip(err)
		}
		for path, pkg := range map[string]string{program: "./cli/palimpsest", linked: source} {
			if err := buildVerbs(ctx, path, pkg); err != nil {
				return skip(err)
			}
		}
		f, err := os.Create(history)
		if err != nil {
			return skip(err)
		}
		err = workload.Write(f, workload.ClaudeCode, 10_000)
		if f.Close(); err != nil {
			return skip(err)
		}
	}
	fmt.Fprintln(out, "pkg: palimpsest/peers")
	for _, v := range []struct {
		name string
		args []string
	}{{"linked", []string{linked}}, {"version", []string{program, "--version"}},
		{"inspect", []string{program, "inspect", history, "--db", filepath.Join(dir, "verbs.db")}}} {
		for range verbRuns {
			cmd := exec.CommandContext(ctx, v.args[0], v.args[1:]...)
			cmd.Stdout, cmd.Stderr = io.Discard, os.Stderr
			from := time.Now()
			if err := cmd.Run(); err != nil {
				return skip(err)
			}
			took, p := time.Since(from), cmd.ProcessState
			fmt.Fprintf(out, "BenchmarkVerb/%s\t1\t%d ns/op\t%d cpu-ns/op\n", v.name, took.Nanoseconds(),
				(p.UserTime() + p.SystemTime()).Nanoseconds())
		}
	}
	for name, args := range map[string][]string{"waiting": {program, "inspect", "-", "--db", filepath.Join(dir, "verbs.db")},
		"linked-waiting": {linked, "wait"}} {
		if err := waitingVerb(ctx, out, name, args...); err != nil {
			return skip(err)
		}
	}
	return nil
}

// waitingVerb writes down the memory of a program whose input has not come yet.
func waitingVerb(ctx context.Context, out *os.File, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	select {
	case <-time.After(time.Second):
	case <-ctx.Done():
	}
	pid := cmd.Process.Pid
	fmt.Fprintf(out, "BenchmarkVerb/%s\t1\t%.1f MB-resident\t%.1f MB-own\n", name, memory(pid, "VmRSS:"), memory(pid, "RssAnon:"))
	in.Close()
	_ = cmd.Wait() // nothing is no transcript
	return nil
}
