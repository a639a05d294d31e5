package transcript

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// TestMalformed opens files that were damaged on purpose: every good row is
// there, the damage is listed with its line, the bytes survive.
func TestMalformed(t *testing.T) {
	type fault struct {
		line int
		code string
	}
	want := map[string]struct {
		items, messages int
		format          model.Format
		bad             []fault
		codes           map[string]int // notes that skip nothing
	}{
		"malformed/cc_truncated_last_line.jsonl": {13, 11, model.FormatClaudeCode, []fault{{26, "truncated"}}, nil},
		"malformed/cc_bad_lines_between.jsonl": {14, 12, model.FormatClaudeCode,
			[]fault{{3, "bad-json"}, {5, "bad-json"}, {6, "bad-json"}, {8, "truncated"}}, nil},
		"malformed/cc_bom_crlf.jsonl":                  {14, 12, model.FormatClaudeCode, nil, nil},
		"malformed/cc_invalid_utf8.jsonl":              {14, 12, model.FormatClaudeCode, nil, map[string]int{"bad-utf8": 1}},
		"malformed/cc_lone_surrogate_escape.jsonl":     {14, 12, model.FormatClaudeCode, nil, nil},
		"malformed/cc_duplicate_uuids.jsonl":           {28, 12, model.FormatClaudeCode, nil, map[string]int{"duplicate-id": 22}},
		"malformed/cc_parent_cycle.jsonl":              {14, 12, model.FormatClaudeCode, nil, map[string]int{"cycle": 1}},
		"malformed/codex_two_sessions_truncated.jsonl": {36, 24, model.FormatCodex, []fault{{60, "truncated"}}, nil},
	}
	for _, s := range samples(t, "malformed") {
		t.Run(s.File, func(t *testing.T) {
			d := openSample(t, s.Path)
			w := want[s.File]
			if d.Format != w.format || d.Items != w.items || len(d.Conversations[0].Main().Messages) != w.messages {
				t.Errorf("%s with %d items and %d messages, want %s with %d and %d", d.Format, d.Items,
					len(d.Conversations[0].Main().Messages), w.format, w.items, w.messages)
			}
			var bad []fault
			codes := map[string]int{}
			for _, n := range d.Notes {
				if n.Bad {
					bad = append(bad, fault{n.Line, n.Code})
				} else {
					codes[n.Code]++
				}
			}
			if !reflect.DeepEqual(bad, w.bad) || len(codes)+len(w.codes) > 0 && !reflect.DeepEqual(codes, w.codes) {
				t.Errorf("damage %v and notes %v, want %v and %v", bad, codes, w.bad, w.codes)
			}
			checkDocument(t, d)
			checkRewrites(t, d, 6)
		})
	}
}

// NUL bytes are what a crash may leave in a file that is appended to. They are
// kept, wherever they are, also when a compaction moves them to the beginning.
func TestNULBytesAreKept(t *testing.T) {
	lines := strings.SplitAfter(claudeTalk(40), "\n")
	for name, block := range map[string]string{"a line": strings.Repeat("\x00", 20) + "\n", "before a record": strings.Repeat("\x00", 5000)} {
		for _, at := range []int{0, 1, 20, len(lines)} {
			d := mustRead(t, strings.Join(lines[:at], "")+block+strings.Join(lines[at:], ""))
			checkDocument(t, d)
			checkRewrites(t, d, 10)
			if d.Format != model.FormatClaudeCode || len(d.Damaged()) == 0 {
				t.Errorf("%s at %d: %s, %d damaged lines", name, at, d.Format, len(d.Damaged()))
			}
		}
	}
	if _, err := readBytes("x", []byte(strings.Repeat("\x00", 100))); problemCode(err) != "binary" {
		t.Error(err)
	}
}

// claudeTalk is a Claude Code session of n messages.
func claudeTalk(n int) string {
	var b strings.Builder
	for i := range n {
		parent, role := `null`, "user"
		if i > 0 {
			parent = fmt.Sprintf(`"u%d"`, i-1)
		}
		if i%2 == 1 {
			role = "assistant"
		}
		fmt.Fprintf(&b, `{"type":"%s","uuid":"u%d","parentUuid":%s,"sessionId":"s","message":{"role":"%s","content":[{"type":"text","text":"message %d"}]}}`+"\n", role, i, parent, role, i)
	}
	return b.String()
}

// What is no JSON from its beginning on is refused for that, and not read to its end.
func TestWhatIsNoJSONIsNotReadWhole(t *testing.T) {
	for name, head := range map[string]string{"no value": "x", "nested": strings.Repeat("[", 600), "behind a mark": "\xef\xbb\xbf{1:2}",
		"in the middle": `{"a":[1,2,` + strings.Repeat(`"b",`, 1000) + `}`} {
		src := &countingReader{Reader: strings.NewReader(head + strings.Repeat("x", 8<<20))}
		_, err := Read(context.Background(), "x.json", src, src.Size(), Options{})
		var whole error
		if _, err := jspan.Parse([]byte(head+"xx"), len(head)-len(strings.TrimPrefix(head, "\xef\xbb\xbf"))); err != nil {
			whole = err
		}
		if problemCode(err) != "not-json" || whole == nil || !strings.Contains(err.Error(), whole.Error()) {
			t.Errorf("%s: %v; it is %v", name, err, whole)
		}
		if src.most > 1<<20 {
			t.Errorf("%s: %d bytes were asked for at once", name, src.most)
		}
	}
	cut := "[" + strings.Repeat("12345, ", 1<<16) + "-1.5e10]" // the head ends in any place of a number
	for pad := range 7 {
		src := strings.Repeat(" ", pad) + cut
		_, err := Read(context.Background(), "x.json", strings.NewReader(src), int64(len(src)), Options{})
		if c := problemCode(err); c == "not-json" || c == "" {
			t.Errorf("%d spaces before: %v", pad, err)
		}
	}
}

type countingReader struct {
	*strings.Reader
	most int
}

func (r *countingReader) ReadAt(b []byte, off int64) (int, error) {
	r.most = max(r.most, len(b))
	return r.Reader.ReadAt(b, off)
}

// Blank lines are counted, however many they are.
func TestLineNumbersBehindBlankLines(t *testing.T) {
	const record = `{"type":"user","uuid":"%d","sessionId":"s","message":{"role":"user","content":"hi"}}` + "\n"
	src := fmt.Sprintf(record, 1) + fmt.Sprintf(record, 2) + strings.Repeat("\n", 300_000) + "broken\n" + strings.Repeat(" \r\n", 5) +
		fmt.Sprintf(record, 3) + "{\n"
	d, err := Read(context.Background(), "s.jsonl", strings.NewReader(src), int64(len(src)), Options{Format: model.FormatClaudeCode})
	if err != nil {
		t.Fatal(err)
	}
	checkDocument(t, d)
	var lines []int
	for _, n := range d.Notes {
		if n.Bad {
			lines = append(lines, n.Line)
		}
	}
	if want := []int{300_003, 300_010}; !slices.Equal(lines, want) {
		t.Errorf("the damaged lines are %v, not %v", lines, want)
	}
}
