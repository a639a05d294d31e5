package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"palimpsest/cli/batch/queue"
	"palimpsest/model"
	"palimpsest/model/program"
	"palimpsest/model/store"
)

// bench is one test's folder and database.
type bench struct {
	*testing.T
	dir string
	db  string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	dir := t.TempDir()
	return &bench{t, dir, filepath.Join(dir, "data", "palimpsest.db")}
}

// store opens the database of the verbs, for a test that fills it by itself.
func (b *bench) store() *store.Store {
	b.Helper()
	if err := os.MkdirAll(filepath.Dir(b.db), 0o777); err != nil {
		b.Fatal(err)
	}
	st, err := store.Open(b.db)
	if err != nil {
		b.Fatal(err)
	}
	return st
}

// result is how a verb ended.
type result struct {
	*bench
	args []string
	code int
	out  string
	err  string
}

func (b *bench) run(args ...string) *result {
	b.Helper()
	return b.runIn(context.Background(), Doors{Queue: queue.Open}, args...)
}

func (b *bench) runIn(ctx context.Context, doors Doors, args ...string) *result {
	b.Helper()
	var out, errOut bytes.Buffer
	code := Run(ctx, append([]string{"--db", b.db}, args...), &out, &errOut, doors)
	return &result{b, args, code, out.String(), errOut.String()}
}

// ends checks the exit code, and that the error output holds the words.
func (r *result) ends(code int, words ...string) *result {
	r.Helper()
	if r.code != code {
		r.Fatalf("%q ended with %d instead of %d\nout: %s\nerr: %s", r.args, r.code, code, r.out, r.err)
	}
	for _, w := range words {
		if !strings.Contains(r.err, w) {
			r.Errorf("%q: the error output lacks %q: %s", r.args, w, r.err)
		}
	}
	if said := slowly.ReplaceAllString(r.err, ""); code == exitDone && len(words) == 0 && said != "" {
		r.Errorf("%q: done, and yet said: %s", r.args, said)
	}
	return r
}

// slowly is how far a verb is, which one that takes long says.
var slowly = regexp.MustCompile(`(?m)^\d+ of \d+ replays, \d+ s\n`)

// says checks that the output holds the words.
func (r *result) says(words ...string) *result {
	r.Helper()
	for _, w := range words {
		if !strings.Contains(r.out, w) {
			r.Errorf("%q: the output lacks %q:\n%s", r.args, w, r.out)
		}
	}
	return r
}

// lacks checks that the output does not hold the words.
func (r *result) lacks(words ...string) *result {
	r.Helper()
	for _, w := range words {
		if strings.Contains(r.out, w) {
			r.Errorf("%q: the output holds %q:\n%s", r.args, w, r.out)
		}
	}
	return r
}

// value decodes the output, which must be one JSON value and nothing else.
func value[T any](r *result) T {
	r.Helper()
	var v T
	d := json.NewDecoder(strings.NewReader(r.out))
	if err := d.Decode(&v); err != nil {
		r.Fatalf("%q: %v in %q", r.args, err, r.out)
	}
	if d.More() {
		r.Fatalf("%q: more than one JSON value: %s", r.args, r.out)
	}
	return v
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

func (b *bench) write(name string, content []byte) string {
	b.Helper()
	path := b.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o666); err != nil {
		b.Fatal(err)
	}
	return path
}

func (b *bench) read(path string) []byte {
	b.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	return content
}

func (b *bench) same(got, want string) {
	b.Helper()
	if !bytes.Equal(b.read(got), b.read(want)) {
		b.Errorf("%s is not %s", got, want)
	}
}

func (b *bench) missing(path string) {
	b.Helper()
	if _, err := os.Lstat(path); err == nil {
		b.Errorf("%s was written", path)
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".palimpsest-*"))
	if err != nil || len(left) > 0 {
		b.Errorf("left behind: %q %v", left, err)
	}
}

// message is one element of a chat file.
type message = map[string]any

// talk is a chat of n turns: a question, a call, its result and an answer.
func talk(n int, words string) []message {
	list := []message{{"role": "system", "content": "You are an agent."}}
	for i := range n {
		id := fmt.Sprintf("call_%d", i)
		list = append(list,
			message{"role": "user", "content": fmt.Sprintf("Question %d: %s", i+1, words)},
			message{"role": "assistant", "content": nil, "tool_calls": []message{{"id": id, "type": "function",
				"function": message{"name": "read", "arguments": fmt.Sprintf(`{"path":"src/file%d.go"}`, i)}}}},
			message{"role": "tool", "tool_call_id": id, "content": strings.Repeat(fmt.Sprintf("line of file %d\n", i), 40)},
			message{"role": "assistant", "content": fmt.Sprintf("Answer %d. %s", i+1, words)})
	}
	return list
}

func (b *bench) chat(name string, n int) string {
	b.Helper()
	text, err := json.MarshalIndent(message{"model": "gpt-4o", "messages": talk(n, "what does this file do?")}, "", "  ")
	if err != nil {
		b.Fatal(err)
	}
	return b.write(name, text)
}

// chats is a file of several conversations, one a line.
func (b *bench) chats(name string, turns ...int) string {
	b.Helper()
	var text bytes.Buffer
	for i, n := range turns {
		line, err := json.Marshal(message{"messages": talk(n, fmt.Sprintf("talk %d", i+1))})
		if err != nil {
			b.Fatal(err)
		}
		text.Write(append(line, '\n'))
	}
	return b.write(name, text.Bytes())
}

// samples are the histories that the program brings along.
func samples(t *testing.T) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join("..", "assets", "samples", "*.json*"))
	if err != nil || len(list) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	return list
}

func TestDoors(t *testing.T) {
	b := newBench(t)
	var opened []string
	var on string
	doors := Doors{
		Window: func(files []string, db string) error { opened, on = files, db; return nil },
	}
	ctx := context.Background()
	for _, args := range [][]string{nil, {"./inspect"}, {"a.jsonl", "some/folder"}, {"/tmp/compact"}, {"conversation:crew"}} {
		opened = []string{"?"}
		b.runIn(ctx, doors, args...).ends(exitDone)
		if !slices.Equal(opened, args) || on != b.db {
			t.Errorf("%q opened %q on %s", args, opened, on)
		}
	}
	b.write("inspect2", nil)
	t.Chdir(b.dir)
	b.runIn(ctx, doors, "inspect2").ends(exitDone)
	b.runIn(ctx, doors, "inspct").ends(exitUsage, "no verb and no file", "--help")
	b.run().ends(exitFailed, "can't be opened", "Install the package palimpsest-window, or use a verb")
}

// The words help and version are what they are in other programs.
func TestHelpAndVersionAreWords(t *testing.T) {
	for _, c := range []struct{ words, flags []string }{
		{[]string{"help"}, []string{"--help"}}, {[]string{"help", "compact"}, []string{"compact", "--help"}},
		{[]string{"help", "records", "show"}, []string{"records", "show", "--help"}}, {[]string{"version"}, []string{"--version"}},
	} {
		var out [2]bytes.Buffer
		for i, args := range [][]string{c.words, c.flags} {
			if code := Run(t.Context(), args, &out[i], &out[i], Doors{}); code != exitDone || out[i].Len() == 0 {
				t.Errorf("%q ended with %d: %s", args, code, &out[i])
			}
		}
		if out[0].String() != out[1].String() {
			t.Errorf("%q printed\n%s\nand %q\n%s", c.words, &out[0], c.flags, &out[1])
		}
	}
}

func TestHelp(t *testing.T) {
	b := newBench(t)
	b.run("inspect", "--help").says("\n2 more flags, and more", "Show this page.")
	b.run("preview", "--help").says("--threshold=80%", "--window=N", "--model-limit=N")
	b.run("--help-all").ends(exitDone).says("Commands:", "opens the window")
	verbs := []string{"inspect", "preview", "replay", "sweep", "suggest", "compact", "restore", "export", "records", "presets", "formats"}
	b.run("--help").ends(exitDone).says(append(verbs, "opens the window", "--db")...)
	for _, v := range verbNames() {
		if v == "window" { // which nobody types
			continue
		}
		page := b.run(v, "--help").ends(exitDone).says("Usage: palimpsest " + v).out
		flags := 0
		for l := range strings.Lines(page) {
			if flagLine.MatchString(l) {
				flags++
			}
		}
		if flags > 12 {
			t.Errorf("the page of %s has %d flags", v, flags)
		}
		if !strings.HasPrefix(page, "Examples:\n  palimpsest "+v) {
			t.Errorf("the page of %s does not begin with an example: %.80q", v, page)
		}
	}
	b.run("compact", "--help").lacks("--write-back").says("palimpsest compact --help-all")
	b.run("serve", "--help").says("--upstream", "--mode", "--listen", "--policy")
	b.run("use", "--help").says("--in", "--write", "--read", "--dry-run")
	b.run("compact", "--help-all").ends(exitDone).says("--write-back", "--help-all", "Summaries by a model")
	b.run("--version").ends(exitDone).says("palimpsest " + program.Version)
	b.missing(filepath.Dir(b.db))
}

// flagLine begins the lines of a flag on a page of help.
var flagLine = regexp.MustCompile(`^  (-\w, |    )?--[a-z]`)

func TestUsage(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 5)
	for _, c := range []struct {
		args  []string
		words string
	}{
		{[]string{"inspect"}, "missing: <FILE|DIR>"},
		{[]string{"compact"}, "missing: <FILE|DIR>"},
		{[]string{"inspct"}, "Did you mean inspect?"},
		{[]string{"inspect", f, "--jsn"}, "Did you mean --json?"},
		{[]string{"preview", f, "--strategy", "ledgr"}, "Did you mean ledger?"},
		{[]string{"preview", f, "--preset", "carefull"}, "Did you mean careful?"},
		{[]string{"preview", f, "--read-as", "codx"}, "Did you mean codex?"},
		{[]string{"use", "--in", "claude-cod"}, "Did you mean claude-code?"},
		{[]string{"inspect", f, "--read-limit", "5"}, "--read-limit needs a time as 30s"},
		{[]string{"restore", "R-0001"}, "give -o out"},
		{[]string{"records", "shw"}, `There is no verb "records shw". Did you mean show?`},
		{[]string{"restore", "R-0001", "twice"}, `"twice" is one argument too many`},
		{[]string{"inspect", f, "--nonsense"}, "There is no flag --nonsense"},
		{[]string{"preview", f, "--trigger", "0%"}, "not a share"},
		{[]string{"preview", f, "--trigger", "many"}, "not a number with a unit, as in 80%, 20000tok"},
		{[]string{"preview", f, "--trigger", "9chars"}, "chars"},
		{[]string{"preview", f, "--tail", "5apples"}, "apples"},
		{[]string{"preview", f, "--tail", "2.5msgs"}, "whole number"},
		{[]string{"preview", f, "--tail=-3"}, "below 0"},
		{[]string{"preview", f, "--tail", "9e99"}, "e99"},
		{[]string{"preview", f, "--tail", "99999999999999999999"}, "too large"},
		{[]string{"preview", f, "--tail", "20000"}, "--window 20000 needs a unit: 20000tok (tokens) or 20000msgs."},
		{[]string{"preview", f, "--window", "20000"}, "20000msgs. The model's limit is --model-limit."},
		{[]string{"preview", f, "--tail", "-5msgs"}, `--window can't be "-5msgs". See`},
		{[]string{"inspect", f, "--jobs", "-1"}, `--jobs can't be "-1". See`},
		{[]string{"inspect", f, "--job", "2"}, "There is no flag --job. Did you mean --jobs?"},
		{[]string{"preview", f, "--COMPACT_WINDOW", "2"}, "There is no flag --COMPACT_WINDOW. Did you mean --batch?"},
		{[]string{"preview", f, "--keep-recent-count", "2"}, "Did you mean --window?"},
		{[]string{"preview", f, "--窗口大小", "2"}, "Did you mean --window?"},
		{[]string{"inspect", f, "--windowSize", "2"}, "There is no flag --windowSize. See"},
		{[]string{"preview", f, "--conv", "2"}, "There is no flag --conv. Did you mean --conversation?"},
		{[]string{"export", f, "-f", "opnai-chat", "-o", b.path("x")}, "Did you mean openai-chat?"},
		{[]string{"use", "--in", "claude-cod"}, "Did you mean claude-code?"},
		{[]string{"completion", "tcsh"}, "<SHELL> can't be \"tcsh\". It is one of"},
		{[]string{"find", "/(/", f}, "can't be read: missing closing )."},
		{[]string{"preview", f, "--tail", "10chars"}, "--window can't be in chars"},
		{[]string{"preview", f, "--summary-budget", "3turns"}, "--summary-budget can't be in turns"},
		{[]string{"preview", f, "--reserve", "10msgs"}, "takes no unit"},
		{[]string{"preview", f, "--strategy", "magic"}, "--strategy can't be \"magic\". It is one of"},
		{[]string{"preview", f, "--on-failure", "panic"}, "--on-failure can't be \"panic\". It is one of"},
		{[]string{"preview", f, "--pin", "0"}, "not a message number"},
		{[]string{"preview", f, "--pin", "5-3"}, "not a message number"},
		{[]string{"preview", f, "--pin", "20-22"}, "no message 22"},
		{[]string{"preview", f, "--at", "0"}, "no message 0"},
		{[]string{"preview", f, "--at", "23"}, "the history has 21"},
		{[]string{"preview", f, "--conversation", "2"}, "no conversation 2"},
		{[]string{"preview", f, "--agent", "nobody"}, `no agent "nobody"`},
		{[]string{"preview", f, "--all", "--conversation", "1"}, "--all"},
		{[]string{"preview", f, "--preset", "nothing"}, `no preset "nothing"`},
		{[]string{"presets", "nothing"}, `no preset "nothing"`},
		{[]string{"export", f, "--format", "pdf", "-o", b.path("x")}, `"pdf" is not known; there are same, openai-chat, anthropic, markdown, html, json`},
		{[]string{"export", f, "--full", "-o", b.path("x")}, "--full"},
		{[]string{"records", "--limit", "-1"}, "limit"},
		{[]string{"compact", f, f, "-o", f}, "a folder"},
	} {
		r := b.run(c.args...)
		if r.code != exitUsage || !strings.Contains(strings.ToLower(r.err), strings.ToLower(c.words)) || r.out != "" {
			t.Errorf("%q: %d %q %q", c.args, r.code, r.err, r.out)
		}
	}
	b.missing(filepath.Dir(b.db))
}

// Each parameter goes by its name, its former ones and those of the four systems' documents.
func TestFlagsGoByAllTheirNames(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 30)
	policy := func(args ...string) model.Policy {
		t.Helper()
		return value[preview](b.run(append([]string{"preview", f, "--json"}, args...)...)).Policy
	}
	for _, same := range [][][]string{
		{{"--threshold", "60%"}, {"--trigger", "60%"}, {"--threshold", "0.6"}},
		{{"--window", "7"}, {"--tail", "7"}, {"--keep-recent", "7"}, {"--window", "7msgs"}},
		{{"--model-limit", "90k"}, {"--context-window", "90k"}, {"--hard-limit", "90000"}},
		{{"--summary-budget", "900chars"}, {"--max-summary", "900chars"}},
		{{"--layer-budget", "900chars"}, {"--max-summary-length", "900chars"}},
		{{"--strategy", "extract"}, {"--strategy", "SIMPLE_EXTRACT"}},
		{{"--strategy", "structured"}, {"--strategy", "STRUCTURED_COMPRESS"}},
	} {
		want, plain := policy(same[0]...), policy()
		if reflect.DeepEqual(want, plain) {
			t.Errorf("%q changes nothing", same[0])
		}
		for _, other := range same[1:] {
			if got := policy(other...); !reflect.DeepEqual(got, want) {
				t.Errorf("%q gives %+v, and %q %+v", other, got, same[0], want)
			}
		}
	}
	b.run("preview", f, "--strategy", "AI_SUMMARY").ends(exitUsage, "need to know whom to ask")
	b.run("preview", f, "--threshold", "1.5").ends(exitUsage, "not a whole number")
	sweep := func(axis string) string {
		return b.run("sweep", f, "--expected", "--x", axis, "--y", "threshold=10,20msgs").ends(exitDone).out
	}
	if got, want := sweep("strategy=SIMPLE_EXTRACT,STRUCTURED_COMPRESS"), sweep("strategy=extract,structured"); got != want {
		t.Errorf("a sweep of their names says %s, and of ours %s", got, want)
	}
	b.run("sweep", f, "--expected", "--x", "window=500,900tok", "--y", "threshold=10,20msgs").says("the model's limit is model-limit=…")
	file := b.write("their.json", []byte(`{"strategy":"STRUCTURED_COMPRESS"}`))
	if p := policy("--preset", file); p.Strategy != model.StructuredJSON {
		t.Errorf("a file with their name has %q", p.Strategy)
	}
}
