package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"palimpsest/internal/bench/workload"
)

// literal is looked for: one small file has it.
const literal = "ledger of the harbour"

// findFiles is how many histories are looked through, so that ripgrep takes long
// enough to be compared with a program that has to start.
const findFiles = 20

// findRuns is how often each program looks in a round: the first one may find files that
// the system no longer holds in memory.
const findRuns = 3

// measureFind looks for a literal in a folder of histories, with and without an
// index, beside ripgrep: whole programs, on the clock.
func measureFind(ctx context.Context, o options, out *os.File, bin string) map[string]string {
	skip := func(err error) map[string]string { return map[string]string{"F2": err.Error()} }
	rg, err := exec.LookPath("rg")
	if err != nil {
		return skip(fmt.Errorf("there is no rg (ripgrep) here"))
	}
	program, dir := filepath.Join(bin, "verbs"), filepath.Join(bin, "find")
	with, without := filepath.Join(bin, "index.db"), filepath.Join(bin, "none.db")
	if _, err := os.Stat(program); err != nil { // measureVerbs may have built it
		if err := build(ctx, program, "./cli/palimpsest", "-tags=sqlite_fts5"); err != nil {
			return skip(err)
		}
	}
	if _, err := os.Stat(dir); err != nil {
		if err := findFolder(dir, o); err != nil {
			return skip(err)
		}
		took, err := runFor(ctx, program, "find", literal, dir, "--db", with, "--index")
		if err != nil {
			return skip(err)
		}
		text, index := sizeOf(filepath.Join(dir, "*")), sizeOf(with+"*")
		fmt.Fprintf(out, "pkg: palimpsest/peers\nBenchmarkFind/make\t1\t%d ns/op\t%.1f MB/s\t%.1f %%-of-text\n",
			took.Nanoseconds(), float64(text)/1e6/took.Seconds(), float64(index)/float64(text)*100)
	}
	fmt.Fprintln(out, "pkg: palimpsest/peers")
	each := []struct {
		name string
		args []string
	}{
		{"rg", []string{rg, "--count", "--ignore-case", "--fixed-strings", literal, dir}},
		{"scan", []string{program, "find", `"` + literal + `"`, dir, "--db", without}},
		{"index", []string{program, "find", `"` + literal + `"`, dir, "--db", with}},
	}
	for range findRuns {
		for _, p := range each {
			took, err := runFor(ctx, p.args[0], p.args[1:]...)
			if err != nil {
				return skip(err)
			}
			fmt.Fprintf(out, "BenchmarkFind/%s\t1\t%d ns/op\n", p.name, took.Nanoseconds())
		}
	}
	return nil
}

// findFolder fills a folder with the histories that are loaded, under several names,
// and one file that has the literal.
func findFolder(dir string, o options) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	shapes := []workload.Shape{workload.ClaudeCode, workload.Codex}
	for i := range findFiles {
		path, err := workload.File(shapes[i%len(shapes)], int64(o.mb)*1e6)
		if err != nil {
			return err
		}
		if err := os.Link(path, filepath.Join(dir, fmt.Sprintf("%d.jsonl", i))); err != nil {
			return err
		}
	}
	line := `{"type":"user","uuid":"1","message":{"role":"user","content":"the ` + literal + `"}}` + "\n"
	return os.WriteFile(filepath.Join(dir, "needle.jsonl"), []byte(line), 0o600)
}

// sizeOf are the bytes of the files that a pattern names.
func sizeOf(pattern string) (n int64) {
	list, _ := filepath.Glob(pattern) // the pattern is ours
	for _, path := range list {
		if st, err := os.Stat(path); err == nil {
			n += st.Size()
		}
	}
	return n
}

// runFor is how long a program takes.
func runFor(ctx context.Context, program string, args ...string) (time.Duration, error) {
	from := time.Now()
	cmd := exec.CommandContext(ctx, program, args...)
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n")
		return 0, fmt.Errorf("%s: %w: %s", filepath.Base(program), err, first)
	}
	return time.Since(from), nil
}
