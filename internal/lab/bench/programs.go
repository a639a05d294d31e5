package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"palimpsest/internal/lab/workload"
)

// usage is what a program took: on the clock, of the processors, at most of memory.
type usage struct {
	clock, cpu time.Duration
	memory     float64 // MB
}

// runProgram runs a program to its end.
func runProgram(ctx context.Context, program string, args ...string) (u usage, err error) {
	cmd := exec.CommandContext(ctx, program, args...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = io.Discard, &said
	from := time.Now()
	err = cmd.Run()
	if p := cmd.ProcessState; p != nil {
		u = usage{time.Since(from), p.UserTime() + p.SystemTime(), peakOf(p)}
	}
	if err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n")
		err = fmt.Errorf("%s: %w: %s", filepath.Base(program), err, first)
	}
	return u, err
}

// verb runs a verb with a database that nothing is in, so that nothing is known yet.
func (l *lab) verb(ctx context.Context, args ...string) (usage, error) {
	db := filepath.Join(l.dir, "new.db")
	for _, end := range []string{"", "-wal", "-shm"} {
		_ = os.Remove(db + end) // the first time it is not there
	}
	return runProgram(ctx, l.verbs, append(args, "--db", db)...)
}

// once is [lab.verb], measured once in a round for all rows that ask for it.
func (l *lab) once(ctx context.Context, args ...string) (u usage, err error) {
	key := strings.Join(args, " ")
	if u, ok := l.sampled[key]; ok {
		return u, nil
	}
	if u, err = l.verb(ctx, args...); err == nil {
		l.sampled[key] = u
	}
	return u, err
}

// lines is a history of so many MB in the shape of Claude Code, a value in each line.
func (l *lab) lines(mb float64) (string, error) {
	return workload.File(workload.ClaudeCode, int64(mb*1e6))
}

// array is a history of about so many MB as one JSON value: a list of chat messages.
func (l *lab) array(mb float64) (string, error) {
	path := filepath.Join(l.dir, fmt.Sprintf("array-%g.json", mb))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	lines, err := l.lines(mb)
	if err != nil {
		return "", err
	}
	_, err = runProgram(context.Background(), l.verbs, "export", lines,
		"--format", "openai-chat", "-o", path, "--db", filepath.Join(l.dir, "export.db"))
	return path, err
}

// sameLines is the list of [lab.array] with a message in each line.
func (l *lab) sameLines(mb float64) (string, error) {
	list, err := l.array(mb)
	if err != nil {
		return "", err
	}
	b, err := os.ReadFile(list)
	if err != nil {
		return "", err
	}
	path, lines := list+"l", bytes.Split(bytes.TrimSpace(b), []byte("\n"))
	var out bytes.Buffer
	for _, line := range lines[1 : len(lines)-1] { // the brackets have lines for themselves
		out.Write(bytes.TrimSuffix(line, []byte(",")))
		out.WriteByte('\n')
	}
	return path, os.WriteFile(path, out.Bytes(), 0o600)
}

// short is a history of so many short messages.
func (l *lab) short(messages int) (string, error) {
	path := filepath.Join(l.dir, fmt.Sprintf("short-%d.jsonl", messages))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	var b bytes.Buffer
	parent := "null"
	for i := range messages {
		kind := []string{"user", "assistant"}[i%2]
		fmt.Fprintf(&b, `{"type":%q,"sessionId":"s","uuid":"u%07d","parentUuid":%s,"timestamp":"2026-11-24T02:%02d:%02d.000Z",`+
			`"message":{"role":%q,"content":"Message %d says what it has to say in a line."}}`+"\n",
			kind, i, parent, i/60%60, i%60, kind, i)
		parent = fmt.Sprintf(`"u%07d"`, i)
	}
	return path, os.WriteFile(path, b.Bytes(), 0o600)
}

// folder has so many histories of one line.
func (l *lab) folder(files int) (string, error) {
	dir := filepath.Join(l.dir, fmt.Sprintf("folder-%d", files))
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", err
	}
	for i := range files {
		line := fmt.Sprintf(`{"type":"user","sessionId":"s%d","uuid":"u%d","message":{"role":"user","content":"Hello %d"}}`+"\n", i, i, i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.jsonl", i)), []byte(line), 0o600); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// largeFiles is a folder of so many histories of 10 MB, which are one on the disk.
func (l *lab) largeFiles(files int) (string, error) {
	path, err := l.lines(10)
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(l.dir, "large-*")
	for i := 0; i < files && err == nil; i++ {
		err = os.Link(path, filepath.Join(dir, fmt.Sprintf("%d.jsonl", i)))
	}
	return dir, err
}

// literal is looked for: one small file has it.
const literal = "ledger of the harbour"

// library is a folder of twenty large histories with an index of it, and one file that
// has the literal.
func (l *lab) library(ctx context.Context) (dir, db string, err error) {
	dir, db = filepath.Join(l.dir, "library"), filepath.Join(l.dir, "index.db")
	if _, err := os.Stat(dir); err == nil {
		return dir, db, nil
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", "", err
	}
	for i := range 20 {
		path, err := workload.File([]workload.Shape{workload.ClaudeCode, workload.Codex}[i%2], int64(l.mb)*1e6)
		if err == nil {
			err = os.Link(path, filepath.Join(dir, fmt.Sprintf("%d.jsonl", i)))
		}
		if err != nil {
			return "", "", err
		}
	}
	line := `{"type":"user","uuid":"1","message":{"role":"user","content":"the ` + literal + `"}}` + "\n"
	if err := os.WriteFile(filepath.Join(dir, "needle.jsonl"), []byte(line), 0o600); err != nil {
		return "", "", err
	}
	_, err = runProgram(ctx, l.verbs, "find", literal, dir, "--db", db, "--index")
	return dir, db, err
}

func sizeOf(path string) (float64, error) {
	st, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return float64(st.Size()), nil
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}
