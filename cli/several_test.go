package cli

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// given puts a text on the standard input of the verbs of a test.
func (b *bench) given(text string) {
	b.Helper()
	before := stdin
	stdin = strings.NewReader(text)
	b.Cleanup(func() { stdin = before })
}

// What goes in and comes out of a pipe is byte for byte what files would be.
func TestPipes(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	b := newBench(t)
	path := b.chat("a.json", 40)
	text := read(t, path)
	for _, args := range [][]string{
		{"inspect", "-"}, {"preview", "-", "--preset", "message-count"}, {"replay", "-"}, {"history", "-"},
		{"sweep", "-", "--x", "trigger=50,80", "--y", "tail=2%,10%"},
	} {
		b.given(text)
		got := b.run(args...).ends(exitDone).out
		want := b.run(slices.Replace(slices.Clone(args), 1, 2, path)...).ends(exitDone).out
		if strings.NewReplacer(path, "standard input", "a.json", "standard input").Replace(want) != got {
			t.Errorf("%v:\n%s\ninstead of\n%s", args, got, want)
		}
	}
	for _, form := range []string{"same", "markdown", "anthropic"} {
		file := filepath.Join(b.dir, "out."+form)
		b.run("export", path, "-f", form, "-o", file).ends(exitDone)
		b.given(text)
		r := b.run("export", "-", "-f", form, "-o", "-").ends(exitDone, "written to the standard output")
		if want := read(t, file); form != "markdown" && r.out != want || form == "markdown" && len(r.out) == 0 {
			t.Errorf("%s: %q instead of %q", form, r.out, want)
		}
	}
	b.given(text)
	piped := b.run("compact", "-", "-o", "-", "--preset", "message-count").ends(exitDone, "R-0001 applied", "written to the standard output")
	var v any
	if err := json.Unmarshal([]byte(piped.out), &v); err != nil || len(piped.out) >= len(text) {
		t.Errorf("%v, %d bytes of %d", err, len(piped.out), len(text))
	}
	if rec := value[struct{ Output string }](b.run("records", "show", "R-0001", "--json").ends(exitDone)); rec.Output != "-" {
		t.Errorf("the record says it was written to %q", rec.Output)
	}
	// What came out is known again, and what went in comes back.
	b.given(piped.out)
	b.run("inspect", "-").ends(exitDone).says("continues", "R-0001")
	if got := b.run("restore", "1", "-o", "-").ends(exitDone, "verified").out; got != text {
		t.Errorf("restored %d bytes instead of %d", len(got), len(text))
	}
	// Records pass from one database to another.
	records := b.run("records", "export", "-o", "-").ends(exitDone, "1 record").out
	other := newBench(t)
	other.given(records)
	other.run("records", "import", "-").ends(exitDone).says("1 record imported")
	if rest, _ := filepath.Glob(filepath.Join(os.TempDir(), "*")); len(rest) > 0 {
		t.Errorf("left in the folder for temporary files: %v", rest)
	}
	b.run("export", path, "-o", "-", "--json").ends(exitUsage, "leave --json out")
	// It can be read once, or each of two would get a part.
	for _, verb := range []string{"inspect", "sweep", "compact"} {
		b.given(text)
		b.run(verb, "-", "-").ends(exitUsage, "can be read once")
	}
	b.given(b.run("presets", "tools-only", "--json").ends(exitDone).out)
	b.run("preview", path, "--preset", "-").says("clears tool results")
	b.given(`{"rows":[{"question":"one?","answer":"two"},{"question":"three?","answer":"four"}]}`)
	b.run("compact", path, path, "-o", "-").ends(exitUsage, "one file")
}

// Several files and folders: results in their order, the worst exit code, what was not
// done listed.
func TestManyFiles(t *testing.T) {
	b := newBench(t)
	sub := filepath.Join(b.dir, "many", "deeper")
	if err := os.MkdirAll(sub, 0o777); err != nil {
		t.Fatal(err)
	}
	text := read(t, b.chat("a.json", 12))
	for _, name := range []string{"many/b.json", "many/deeper/c.json", "many/deeper/notes.txt"} {
		if err := os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	a, many := filepath.Join(b.dir, "a.json"), filepath.Join(b.dir, "many")
	b.run("inspect", many).ends(exitFailed, "Say -r")
	r := b.run("inspect", "-r", many, a).ends(exitDone, "3 files: 3 done, 0 not")
	var order []int
	for _, name := range []string{"many/b.json", "deeper/c.json", "a.json"} {
		order = append(order, strings.Index(r.out, name))
	}
	if !slices.IsSorted(order) || order[0] < 0 || strings.Contains(r.out, "notes") {
		t.Errorf("%v in\n%s", order, r.out)
	}
	b.run("inspect", "-r", "-q", many).ends(exitDone)

	missing := filepath.Join(b.dir, "missing.json")
	for _, verb := range []string{"inspect", "replay", "preview"} {
		args := []string{verb, a, missing, filepath.Join(many, "b.json"), "--json"}
		if verb == "preview" {
			args = append(args, "--preset", "message-count")
		}
		r = b.run(args...)
		if r.code != exitFailed {
			t.Errorf("%s: exit code %d", verb, r.code)
		}
		lines := strings.Split(strings.TrimSpace(r.out), "\n")
		if len(lines) != 3 {
			t.Fatalf("%s: %d lines of JSON:\n%s", verb, len(lines), r.out)
		}
		for i, l := range lines {
			var v struct {
				File  string
				Error *struct {
					What, Text string
					Exit       int
				}
			}
			if err := json.Unmarshal([]byte(l), &v); err != nil {
				t.Fatalf("%s: %v in %s", verb, err, l)
			}
			if (v.Error != nil) != (i == 1) || v.File != []string{a, missing, filepath.Join(many, "b.json")}[i] {
				t.Errorf("%s: line %d is %s", verb, i, l)
			}
			if v.Error != nil && (v.Error.Exit != exitFailed || !strings.Contains(v.Error.Text, "no such file")) {
				t.Errorf("%s: %+v", verb, v.Error)
			}
		}
		if !strings.Contains(r.err, "2 done, 1 not") || strings.Count(r.err, missing) < 2 {
			t.Errorf("%s said %s", verb, r.err)
		}
	}
	out := filepath.Join(b.dir, "out")
	b.run("export", "-r", many, a, "-f", "openai-chat", "-o", out).ends(exitDone, "3 done")
	if made, _ := filepath.Glob(filepath.Join(out, "*")); len(made) != 3 {
		t.Errorf("exported %v", made)
	}
}

// Of several files a table has a line for each, the fullest first; -l prints their pages.
func TestOverview(t *testing.T) {
	b := newBench(t)
	small, large := b.chat("sub/a.json", 12), b.chat("sub/b.json", 40)
	r := b.run("inspect", "-r", filepath.Dir(small)).ends(exitDone, "2 done")
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	if len(lines) != 4 || lines[0] != filepath.Dir(small)+"/" || !strings.Contains(lines[1], "of window") ||
		!strings.HasSuffix(lines[2], "  b.json") || !strings.HasSuffix(lines[3], "  a.json") ||
		!strings.Contains(lines[2], "128,000") {
		t.Errorf("%s", r.out)
	}
	if r = b.run("inspect", "-l", small, large).ends(exitDone, "2 done"); strings.Count(r.out, "Which preset would fire first") != 2 {
		t.Errorf("%s", r.out)
	}
	tiny := b.chat("sub/c.json", 2)
	r = b.run("preview", "--preset", "message-count", small, tiny).ends(exitFailed, "Refused: ", "2 files: 1 done, 1 not")
	if lines := strings.Split(r.out, "\n"); !strings.Contains(lines[2], "49 → 21") || !strings.Contains(lines[3], "refused") {
		t.Errorf("%s", r.out)
	}
	r = b.run("replay", "--preset", "message-count", "--recall", small, large).ends(exitDone, "2 done")
	if lines := strings.Split(r.out, "\n"); !strings.Contains(lines[1], "needed later") || !strings.Contains(lines[3], "b.json") {
		t.Errorf("%s", r.out)
	}
	// Presets are compared, each with a line.
	r = b.run("replay", "--preset", "message-count,tools-only", large).ends(exitDone)
	if lines := strings.Split(strings.TrimSpace(r.out), "\n"); len(lines) != 4 || !strings.HasSuffix(lines[2], "b.json, message-count") ||
		!strings.HasSuffix(lines[3], "b.json, tools-only") {
		t.Errorf("%s", r.out)
	}
	if list := value[[]replayed](b.run("replay", "--preset", "message-count,tools-only", large, "--json").ends(exitDone)); len(list) != 2 ||
		list[1].Policy.Preset != "tools-only" {
		t.Errorf("%d values", len(list))
	}
	b.run("replay", "--preset", "careful,balanced", large, "--csv").ends(exitUsage, "compared in a table")
	// Several conversations of a file have a line each.
	talks := b.chats("talks.jsonl", 12, 13, 12)
	if r = b.run("inspect", talks, small).ends(exitDone, "2 done"); strings.Count(r.out, "talks.jsonl, conversation") != 3 {
		t.Errorf("%s", r.out)
	}
	// compact takes folders as well.
	out := b.path("out")
	if err := os.Remove(tiny); err != nil {
		t.Fatal(err)
	}
	b.run("compact", "-r", filepath.Dir(small), "-o", out, "--tail", "4msgs").ends(exitDone).says("R-0001", "R-0002")
	if made, _ := filepath.Glob(filepath.Join(out, "*.json")); len(made) != 2 {
		t.Errorf("%v", made)
	}
}

// Of a file with several conversations all can be asked for, each is a value.
func TestConversationAll(t *testing.T) {
	b := newBench(t)
	path := b.chats("talks.jsonl", 12, 13, 12)
	n := value[struct{ Conversations int }](b.run("inspect", path, "--json").ends(exitDone)).Conversations
	if n < 2 {
		t.Fatalf("%d conversations", n)
	}
	for _, verb := range []string{"replay", "preview"} {
		r := b.run(verb, path, "--json", "--conversation", "all")
		if list := value[[]struct{ Conversation int }](r); len(list) != n || list[n-1].Conversation != n-1 {
			t.Errorf("%s: %v of %d", verb, list, n)
		}
	}
	out := filepath.Join(b.dir, "out")
	if list := value[[]struct{ Output string }](b.run("export", path, "-f", "openai-chat", "-o", out, "--conversation", "all", "--json").ends(exitDone)); len(list) != n {
		t.Errorf("exported %v", list)
	}
	if made, _ := filepath.Glob(filepath.Join(out, "*")); len(made) != n {
		t.Errorf("exported %v", made)
	}
	b.run("history", path, "--conversation", "all").ends(exitUsage, "say its number")
	b.run("replay", path, "--conversation", "some").ends(exitUsage, "say its number, or all")
}

// An error is an object where the result would be one.
func TestErrorsInJSON(t *testing.T) {
	b := newBench(t)
	r := b.run("inspect", filepath.Join(b.dir, "none.json"), "--json").ends(exitFailed, "no such file")
	v := value[failed](r)
	if v.Error == nil || v.Error.Exit != exitFailed || strings.TrimSpace(r.err) != v.Error.Text {
		t.Errorf("%s beside %s", r.out, r.err)
	}
	v = value[failed](b.run("restore", "R-0009", "-o", filepath.Join(b.dir, "x"), "--json").ends(exitFailed))
	if v.Error == nil || v.Error.Code != "no-database" || v.Error.Next == "" {
		t.Errorf("%+v", v.Error)
	}
	v = value[failed](b.run("preview", b.chat("a.json", 4), "--all", "--agent", "x", "--json").ends(exitUsage))
	if v.Error == nil || v.Error.Code != "usage" || v.Error.Exit != exitUsage {
		t.Errorf("%+v", v.Error)
	}
}

// Only our own words are coloured, and no control character of a transcript passes.
func TestColours(t *testing.T) {
	b := newBench(t)
	path := b.chat("a.json", 12)
	if r := b.run("inspect", path); strings.Contains(r.out+r.err, "\x1b") {
		t.Errorf("coloured where there is no terminal: %q", r.out)
	}
	r := b.run("--color", "always", "inspect", path, filepath.Join(b.dir, "\x1b[2Jnone.json"))
	if !strings.Contains(r.out, "\x1b[1m") || strings.Contains(r.out+r.err, "\x1b[2J") {
		t.Errorf("out %q\nerr %q", r.out, r.err)
	}
	if r = b.run("--color=never", "inspect", path); strings.Contains(r.out, "\x1b") {
		t.Errorf("coloured all the same: %q", r.out)
	}
}

// A table fits the terminal: the last column goes on below itself.
func TestTablesFit(t *testing.T) {
	var b strings.Builder
	table(&terminal{w: &output{to: &b}, width: 50}, "a\t12\tone two three four five six seven eight nine", "消息\t3\tshort")
	want := "  a     12  one two three four five six seven\n" +
		"            eight nine\n" +
		"  消息  3   short\n"
	if b.String() != want {
		t.Errorf("\n%q instead of\n%q", b.String(), want)
	}
	b.Reset()
	table(&terminal{w: &output{to: &b}, width: 38}, "name\tof twenty-two columns.\tno room", "b\tshort\tx")
	want = "  name  of twenty-two columns.\n        no room\n  b     short                   x\n"
	if b.String() != want {
		t.Errorf("no room for the last column:\n%q instead of\n%q", b.String(), want)
	}
	b.Reset()
	table(&terminal{w: &output{to: &b}, width: 24}, "call\tbefore\tafter\tsent again", "1\t1,000\t900\t20", "… and 7 more")
	want = "  call  before  after\n        sent again\n  1     1,000   900\n        20\n  … and 7 more\n"
	if b.String() != want {
		t.Errorf("no room for several columns:\n%q instead of\n%q", b.String(), want)
	}
	b.Reset()
	table(&terminal{w: &output{to: &b}, width: 24}, "best of this grid\tmean\tworst\tinput", "now\t85 %\t85 %\t100 %")
	want = "  best of this grid  mean\n      worst  input\n  now                85 %\n      85 %   100 %\n"
	if b.String() != want {
		t.Errorf("a wide first column:\n%q instead of\n%q", b.String(), want)
	}
	b.Reset()
	table(&terminal{w: &output{to: &b}, width: 50}, "went\t60 messages, 2–61\thash "+strings.Repeat("f", 30))
	want = "  went  60 messages, 2–61\n        hash " + strings.Repeat("f", 30) + "\n"
	if b.String() != want {
		t.Errorf("a long word:\n%q instead of\n%q", b.String(), want)
	}
	b.Reset()
	table(&b, "a\tone two three four five six seven eight nine ten eleven twelve thirteen fourteen")
	if strings.Count(b.String(), "\n") != 1 {
		t.Errorf("broken where there is no terminal: %q", b.String())
	}
}

// What is cancelled begins no further file.
func TestManyFilesCancelled(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 12)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b.runIn(ctx, Doors{}, "inspect", f, f, f).ends(exitFailed, "Cancelled: 3 of 3 files not done. Nothing of them was changed.")
}
