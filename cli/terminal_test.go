package cli

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/quick"

	"palimpsest/model/visible"
)

// written puts a text through a terminal in pieces of so many bytes.
func written(text string, size int) string {
	var b strings.Builder
	t := &terminal{w: &b}
	for len(text) > size {
		_, _ = t.Write([]byte(text[:size])) // a strings.Builder takes all
		text = text[size:]
	}
	_, _ = t.Write([]byte(text))
	t.end()
	return b.String()
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
