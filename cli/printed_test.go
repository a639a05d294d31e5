package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// elsewhere are printed commands that wait for somebody or need a server: their own tests run
// them; and those with a placeholder.
var elsewhere = regexp.MustCompile(`^palimpsest (run|serve|work|probe)\b|postgres://|\b(FILE|FOLDER|DIR|NAME|SESSION)\b|…`)

// printed are the commands that a page prints on lines of their own, as they are printed, and
// those within its text.
func printed(t *testing.T, page string) (lines, within []string) {
	t.Helper()
	text := strings.ReplaceAll(string(fileBytes(t, page)), "\\\n", "")
	for _, m := range regexp.MustCompile(`(?m)^    (palimpsest .*)$`).FindAllStringSubmatch(text, -1) {
		lines = append(lines, m[1])
	}
	for _, m := range regexp.MustCompile("`(palimpsest [a-z][^`]*)`").FindAllStringSubmatch(text, -1) {
		within = append(within, strings.ReplaceAll(m[1], `\|`, "|"))
	}
	return lines, within
}

// printer runs printed lines in a folder with the sample histories, where palimpsest is this
// test program.
type printer struct {
	*bench
	root string
	runs int
}

// line runs a line as it is printed, and returns the folder that it was run in, its exit code and its words.
func (s *printer) line(text string) (dir string, code int, said string) {
	s.Helper()
	s.runs++
	dir = s.path(fmt.Sprint("run", s.runs))
	must(s.T, os.MkdirAll(dir, 0o700))
	samples := filepath.Join(s.root, "assets", "samples")
	must(s.T, os.Symlink(samples, filepath.Join(dir, "sessions")))
	must(s.T, os.Symlink(filepath.Dir(samples), filepath.Join(dir, "assets")))
	session := filepath.Join(dir, "session.jsonl")
	must(s.T, os.WriteFile(session, sample(s.T), 0o600))
	must(s.T, os.Chtimes(session, time.Time{}, time.Now().Add(-time.Hour))) // no agent is at work on it
	cmd := exec.Command("bash", "-o", "pipefail", "-c", text)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), asProgram+"=1", "PATH="+s.path("bin")+":"+os.Getenv("PATH"), "PALIMPSEST_DB="+s.db, "HOME="+s.path("home"))
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		s.Fatal(err)
	}
	return dir, cmd.ProcessState.ExitCode(), string(out)
}

func sample(t *testing.T) []byte {
	b, err := os.ReadFile("../assets/samples/long-coding-run.jsonl")
	must(t, err)
	return b
}

func newPrinter(t *testing.T) *printer {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not here: the printed commands were not run")
	}
	root, err := filepath.Abs("..")
	must(t, err)
	s := &printer{newBench(t), root, 0}
	for _, dir := range []string{".claude/projects", ".codex", ".gemini", ".config/opencode", ".copilot/session-state"} {
		must(t, os.CopyFS(s.path("home/"+dir), os.DirFS(filepath.Join(root, "assets", "samples"))))
	}
	s.write("home/.config/opencode/opencode.json", []byte("{}"))
	must(t, os.MkdirAll(s.path("bin"), 0o700))
	must(t, os.WriteFile(s.path("bin/palimpsest"), []byte("#!/bin/sh\nexec '"+os.Args[0]+"' \"$@\"\n"), 0o700))
	return s
}

// Every command that README and the pages print runs as it is printed, in a shell; a verb that
// a text names is there, with the flags that it is named with.
func TestPrintedCommandsRun(t *testing.T) {
	s := newPrinter(t)
	pages, err := filepath.Glob("../docs/*.md")
	must(t, err)
	ran, named := 0, 0
	for _, page := range append([]string{"../README.md"}, pages...) {
		lines, within := printed(t, page)
		if filepath.Base(page) == "verbs.md" { // whose table is of whole commands
			lines = append(lines, within...)
		}
		for _, line := range lines {
			if program := regexp.MustCompile(`\| (\w+)`).FindStringSubmatch(line); program != nil {
				if _, err := exec.LookPath(program[1]); err != nil {
					continue
				}
			}
			if elsewhere.MatchString(line) || strings.Contains(line, "pause|resume") {
				continue
			}
			dir, code, said := s.line(line)
			if nothing := code == exitFailed && strings.HasPrefix(line, "palimpsest find"); code != exitDone && !nothing {
				t.Errorf("%s: %s\nends with %d: %s", filepath.Base(page), line, code, said)
			}
			if strings.HasPrefix(line, "palimpsest restore R-0001 -o original.jsonl") {
				back, err := os.ReadFile(filepath.Join(dir, "original.jsonl"))
				if must(t, err); !bytes.Equal(back, sample(t)) {
					t.Error("what is restored has other bytes")
				}
			}
			ran++
		}
		for _, words := range within {
			s.named(filepath.Base(page), words)
			named++
		}
		for i := range 14 { // pages speak of the seventh record, and of the fourteenth
			if filepath.Base(page) == "README.md" {
				s.run("compact", filepath.Join(s.root, "assets/samples/long-coding-run.jsonl"), "--preset", "message-count", "-o", s.path(fmt.Sprint("out", i, ".jsonl")))
			}
		}
	}
	if ran < 35 || named < 30 {
		t.Errorf("only %d commands were run, and %d named ones looked at", ran, named)
	}
}

// named checks that a verb that a text names is there, with its flags.
func (s *printer) named(page, words string) {
	s.Helper()
	fields := strings.Fields(words)[1:]
	verb := []string{fields[0]}
	if len(fields) > 1 && slices.Contains([]string{"records", "live", "hook", "completion"}, fields[0]) && regexp.MustCompile(`^[a-z]+$`).MatchString(fields[1]) {
		verb = fields[:2]
	}
	r := s.run(append(slices.Clone(verb), "--help-all")...)
	if r.code != exitDone {
		s.Errorf("%s: `%s`: there is no such verb: %s", page, words, r.err)
	}
	for _, flag := range regexp.MustCompile(`(?:^| )(--[a-z-]+)`).FindAllStringSubmatch(words, -1) {
		if !strings.Contains(r.out, flag[1]) {
			s.Errorf("%s: `%s`: %v has no %s", page, words, verb, flag[1])
		}
	}
}

// A command that README or the guide prints with its key has that key.
func TestPrintedKeysAreTrue(t *testing.T) {
	keys := string(fileBytes(t, "../docs/keys.md"))
	named := regexp.MustCompile("\\*([A-Z][a-z]+)[^*\n]*\\* \\(`((?:Ctrl|Alt|Shift|F\\d)[^`]*)`\\)")
	found := 0
	for _, page := range []string{"../README.md", "../docs/guide.md"} {
		for _, m := range named.FindAllStringSubmatch(string(fileBytes(t, page)), -1) {
			if m[2] == "Ctrl+K" { // by which a command is found that has no key
				continue
			}
			found++
			row := regexp.MustCompile("(?im)^\\|.*`" + regexp.QuoteMeta(m[2]) + "`.*\\|.*" + m[1] + ".*\\|$")
			if !row.MatchString(keys) {
				t.Errorf("%s: *%s* has not the key %s", page, m[1], m[2])
			}
		}
	}
	if found < 4 {
		t.Errorf("only %d keys are named", found)
	}
}
