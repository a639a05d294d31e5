package cli

import (
	"encoding/json"
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"testing/quick"

	"palimpsest/model/visible"
)

// written puts a text through a terminal in pieces of so many bytes.
func written(text string, size int) string {
	var b strings.Builder
	t := &terminal{w: &output{to: &b}}
	for len(text) > size {
		_, _ = t.Write([]byte(text[:size])) // a strings.Builder takes all
		text = text[size:]
	}
	_, _ = t.Write([]byte(text))
	t.end()
	return b.String()
}

// full is an output that takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) {
	return 0, &fs.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}
}

// A result that could not be written is no success.
func TestOutputThatFails(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 12)
	for _, args := range [][]string{{"inspect", f}, {"inspect", f, f, "--json"}, {"replay", f, "--csv"}, {"export", f, "-o", "-"}, {"--version"}} {
		var said strings.Builder
		code := Run(t.Context(), append([]string{"--db", b.db}, args...), full{}, &said, Doors{})
		if code != exitFailed || !strings.HasSuffix(said.String(),
			"The output could not be written whole. The system says: no space left on device. What is there of it is not all.\n") {
			t.Errorf("%v: %d, %s", args, code, &said)
		}
	}
}

// Where a table is too wide for the terminal one of its columns is cut: of a text the
// begin stays, of a path its end.
func TestFittingTables(t *testing.T) {
	for _, c := range []struct {
		width, column int
		rows          []string
		want          string
	}{
		{28, 1, []string{"a\t漢字漢字漢字漢字漢字\t12"}, "  a  漢字漢字漢字漢字漢…  12\n"},
		{20, 1, []string{"a\tthe title of it\t12"}, "  a  the title …  12\n"},
		{30, 2, []string{"a\t12\tone/two/three/four.json"}, "  a  12  …/two/three/four.json\n"},
		{0, 1, []string{"a\tthe title of it\t12"}, "  a  the title of it  12\n"},
	} {
		var b strings.Builder
		tableFitting(&terminal{w: &output{to: &b}, width: c.width}, c.column, c.rows...)
		for line := range strings.Lines(b.String()) {
			if n := columnsOf(strings.TrimSuffix(line, "\n")); c.width > 0 && n > c.width {
				t.Errorf("%d columns in %d: %q", n, c.width, line)
			}
		}
		if b.String() != c.want {
			t.Errorf("width %d: %q, not %q", c.width, b.String(), c.want)
		}
	}
}

func TestTerminal(t *testing.T) {
	for text, want := range map[string]string{
		"plain 漢字 ✓\n\tand tab":               "plain 漢字 ✓\n\tand tab",
		"\x1b]0;title\a\x1b[2J":               `\u001b]0;title\u0007\u001b[2J`,
		"over\rwritten\b\x7f\x00":             `over\u000dwritten\u0008\u007f\u0000`,
		"\u009b31m \u202egnp.exe\u2066\u200b": `\u009b31m \u202egnp.exe\u2066\u200b`,
		"\xff\x9b31m":                         `\xff\x9b31m`,
		"tag \U000e0041, line\u2028":          `tag \udb40\udc41, line\u2028`,
		"cut \xe6\xbc":                        `cut \xe6\xbc`,
	} {
		for size := 1; size < 5; size++ {
			if got := written(text, size); got != want {
				t.Errorf("%q in pieces of %d: %q", text, size, got)
			}
		}
	}
}

// Nothing that is not seen passes, and JSON means what it meant.
func TestTerminalPassesNothingUnseen(t *testing.T) {
	check := func(text string) bool {
		out := written(text, 3)
		if strings.ContainsFunc(out, hidden) {
			return false
		}
		b, err := json.Marshal(text)
		if err != nil {
			return false
		}
		var want, got string
		return json.Unmarshal(b, &want) == nil && json.Unmarshal([]byte(written(string(b), 7)), &got) == nil && got == want
	}
	if err := quick.Check(check, nil); err != nil {
		t.Error(err)
	}
}

// The names of files, agents and arguments are as little trusted as transcripts.
func TestNoVerbPrintsControls(t *testing.T) {
	b := newBench(t)
	bad := "\x1b]0;x\a\u202e\u009b"
	f := b.write("na"+bad+"me.json", []byte(`{"messages":[{"role":"user","content":"hi`+`\u001b[2J"},{"role":"assistant","content":"yes"}]}`))
	two := b.write("two.jsonl", []byte(`{"messages":[{"role":"user","content":"a\u001b[2J"},{"role":"assistant","content":"b"}]}
{"messages":[{"role":"user","content":"c\u202e"},{"role":"assistant","content":"d"}]}
`))
	for _, args := range [][]string{{"inspect", f}, {"inspect", f, "--json"}, {"preview", two}, {"compact", two}, {"compact", f, "--agent", "x" + bad},
		{"inspect", "no" + bad}, {"restore", bad + "R", "-o", "x"}, {bad}, {"compact", f, "--strategy", bad}, {"presets", bad},
		{"export", f, "--format", bad, "-o", b.path("q")}, {"records"}} {
		r := b.run(args...)
		if out := r.out + r.err; strings.ContainsFunc(out, hidden) {
			t.Errorf("%q: %q", args, out)
		}
	}
}

func hidden(r rune) bool { return !visible.Is(r) }
