package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// serving are the verbs that wait for somebody, or need a server; their own tests run them.
var serving = []string{"run", "serve", "mcp", "work", "batch", "live"}

// printed are the commands that a page prints, each as its words; the words of a shell are
// taken off: comments, quotes, where the output goes.
func printed(t *testing.T, page string) (list [][]string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		line, is := strings.CutPrefix(line, "    palimpsest ")
		if !is {
			continue
		}
		var words []string
		for i, part := range strings.Split(strings.TrimSpace(line), "'") {
			if i%2 == 1 {
				words = append(words, part)
				continue
			}
			part, _, _ = strings.Cut(part, " #")
			fields := strings.Fields(part)
			end := slices.IndexFunc(fields, func(w string) bool { return w == "|" || w == ">" || strings.HasPrefix(w, "2>") })
			if end >= 0 {
				words = append(words, fields[:end]...)
				break
			}
			words = append(words, fields...)
		}
		list = append(list, words)
	}
	return list
}

// The commands that README and the pages for users print run as they are printed.
func TestPrintedCommandsRun(t *testing.T) {
	b := newBench(t)
	home, here := b.path("home"), b.path("here")
	t.Setenv("HOME", home)
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	samples := filepath.Join(root, "assets", "samples")
	for _, dir := range []string{home + "/.claude/projects", home + "/.codex", home + "/.gemini", home + "/.config/opencode", here + "/sessions", here + "/assets/samples"} {
		if err := os.CopyFS(dir, os.DirFS(samples)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(home+"/.config/opencode/opencode.json", []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	pages := []string{root + "/README.md"}
	for _, name := range []string{"find", "live", "verbs", "writing"} {
		pages = append(pages, root+"/docs/"+name+".md")
	}
	t.Chdir(here)
	session := fileBytes(t, samples+"/long-coding-run.jsonl")
	if err := os.WriteFile("session.jsonl", session, 0o600); err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, page := range pages {
		commands := printed(t, page)
		if len(commands) == 0 {
			t.Errorf("%s prints no command", filepath.Base(page))
		}
		for _, words := range commands {
			if slices.Contains(serving, words[0]) {
				continue
			}
			for i, w := range words {
				words[i] = strings.Replace(w, "~/", home+"/", 1)
			}
			r := b.run(words...)
			if nothing := r.code == exitFailed && words[0] == "find"; r.code != exitDone && !nothing {
				t.Errorf("%s: palimpsest %s\nends with %d: %s", filepath.Base(page), strings.Join(words, " "), r.code, r.err)
			}
			ran++
		}
		for i := range 7 { // docs/live.md speaks of the seventh record
			if filepath.Base(page) == "README.md" {
				b.run("compact", "session.jsonl", "--preset", "message-count", "-o", fmt.Sprint("out", i, ".jsonl"))
			}
		}
	}
	if ran < 20 {
		t.Errorf("only %d commands were run", ran)
	}
	b.same("original.jsonl", samples+"/long-coding-run.jsonl")
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
