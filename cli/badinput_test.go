package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/model"
)

// What can't be read ends with a sentence and leaves nothing behind, whatever
// verb meets it.
func TestUnreadable(t *testing.T) {
	b := newBench(t)
	if err := os.Mkdir(b.path("folder"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path  string
		words string
	}{
		{b.path("none.jsonl"), "no such file"},
		{b.path("folder"), "is a folder"},
		{"/dev/null", "not a regular file"},
		{b.write("empty.jsonl", nil), "is empty"},
		{b.write("blank.jsonl", []byte(" \n\n")), "is empty"},
		{b.write("binary", bytes.Repeat([]byte{0, 1, 2, 0xff}, 5000)), "binary"},
		{b.write("zip", []byte("PK\x03\x04rest")), "zip archive"},
		{b.write("prose.txt", []byte("Dear diary,\nnothing happened.\n")), "not JSON"},
		{b.write("cut.json", []byte(`{"messages":[{"role":"user","content":"hel`)), "cut off"},
		{b.write("deep.json", []byte(strings.Repeat("[", 200_000))), "nested"},
		{b.write("deep2.json", []byte(`{"messages":[{"role":"user","content":`+strings.Repeat("[", 50_000)+strings.Repeat("]", 50_000)+`}]}`)), "deep2.json"},
		{b.write("none.json", []byte(`{"messages":[]}`)), "none.json"},
		{b.write("other.json", []byte(`{"weather":{"today":"rain"}}`)), "not a conversation"},
		{b.write("number.json", []byte(`42`)), "not a conversation"},
	} {
		out := b.path("out")
		for _, args := range [][]string{{"inspect", c.path}, {"preview", c.path}, {"compact", c.path, "-o", out}, {"export", c.path, "--format", "markdown", "-o", out}} {
			r := b.run(args...)
			if r.code != exitFailed || !strings.Contains(r.err, c.words) || r.out != "" {
				t.Errorf("%q: %d %q %.200q", args, r.code, r.err, r.out)
			}
			if n := strings.Count(strings.TrimSpace(r.err), "\n"); n > 0 || !strings.HasSuffix(strings.TrimSpace(r.err), ".") {
				t.Errorf("%q is not one paragraph of sentences: %q", args, r.err)
			}
		}
		got := value[compacted](b.run("compact", c.path, "--json").ends(exitFailed))
		if got.Outcome != model.Failed || got.Record != nil || !strings.Contains(got.Reason, c.words) {
			t.Errorf("%s: %+v", c.path, got)
		}
		b.missing(out)
	}
	if list := value[[]recordInfo](b.run("records", "--json")); len(list) != 0 {
		t.Errorf("records of nothing: %+v", list)
	}
}

// oddities are files with faults that a history may have. All of them are read;
// compacting them does not crash, adds no fault and is undone byte for byte.
func oddities(b *bench) map[string]string {
	turn := func(i int) []message {
		return []message{
			{"role": "user", "content": fmt.Sprintf("Question %d", i)},
			{"role": "assistant", "content": strings.Repeat("A long answer. ", 30), "tool_calls": []message{{"id": fmt.Sprint("c", i), "type": "function", "function": message{"name": "run", "arguments": "{"}}}},
			{"role": "tool", "tool_call_id": fmt.Sprint("c", i), "content": strings.Repeat("out ", 100)},
		}
	}
	var list []message
	for i := range 12 {
		list = append(list, turn(i)...)
	}
	file := func(name string, msgs ...message) string {
		text, err := json.Marshal(message{"messages": msgs})
		if err != nil {
			b.Fatal(err)
		}
		return b.write(name, text)
	}
	insert := func(at int, m ...message) []message {
		return append(append(append([]message(nil), list[:at]...), m...), list[at:]...)
	}
	claude := string(b.read(filepath.Join("..", "assets", "samples", "damaged.jsonl")))
	return map[string]string{
		"duplicate ids":       file("dup.json", append(insert(0), turn(3)...)...),
		"orphan results":      file("orphan.json", insert(9, message{"role": "tool", "tool_call_id": "nobody", "content": "?"})...),
		"results before call": file("before.json", insert(3, message{"role": "tool", "tool_call_id": "c1", "content": "early"})...),
		"unknown roles":       file("roles.json", insert(6, message{"role": "narrator", "content": "meanwhile"})...),
		"odd content":         file("odd.json", insert(6, message{"role": "user", "content": 7}, message{"role": "user"}, message{"content": []any{}, "role": "assistant"})...),
		"lone surrogate":      b.write("sur.json", bytes.Replace(b.read(file("s.json", list...)), []byte("Question 4"), []byte(`\ud800 half`), 1)),
		"invalid UTF-8":       b.write("utf8.json", bytes.Replace(b.read(file("u.json", list...)), []byte("Question 4"), []byte("\xff\xfe"), 1)),
		"damaged lines":       b.write("damaged.jsonl", []byte(claude)),
		"cut last line":       b.write("cutlast.jsonl", []byte(claude[:len(claude)-200])),
		"50 MB line":          file("long.json", insert(6, message{"role": "user", "content": strings.Repeat("lorem ipsum ", 50<<20/12)})...),
		"CRLF and BOM":        b.write("crlf.jsonl", []byte("\ufeff"+strings.ReplaceAll(claude, "\n", "\r\n"))),
	}
}

func TestOddInput(t *testing.T) {
	b := newBench(t)
	for name, f := range oddities(b) {
		b.run("inspect", f).ends(exitDone)
		out := f + ".out"
		r := b.run("compact", f, "--window", "4", "--summary-budget", "200", "-o", out, "--json")
		got := value[compacted](r)
		if got.Outcome != model.Applied {
			t.Errorf("%s: %s: %s", name, got.Outcome, got.Reason)
			continue
		}
		in, after := value[inspection](b.run("inspect", f, "--json")), value[inspection](b.run("inspect", out, "--json"))
		if after.Tokens.Count >= in.Tokens.Count {
			t.Errorf("%s: %d tokens, before %d", name, after.Tokens.Count, in.Tokens.Count)
		}
		if orphans(after) > orphans(in) {
			t.Errorf("%s: new orphans: %+v", name, after.Notes)
		}
		b.run("restore", *got.Record, "-o", f+".back").ends(exitDone)
		b.same(f+".back", f)
	}
}

func orphans(r inspection) (n int) {
	for _, l := range r.Notes {
		if l.Code == "orphan-result" {
			n++
		}
	}
	return n
}
