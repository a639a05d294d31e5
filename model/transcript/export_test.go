package transcript

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"palimpsest/model"
)

const exportSource = `{"title":"Tidy # the\nparser","messages":[
{"role":"system","content":"Be brief."},
{"role":"user","content":"Look at lex.go","timestamp":1767225600},
{"role":"assistant","content":"I look.","reasoning_content":"first\nsecond","tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"lex.go\"}"}}]},
{"role":"tool","tool_call_id":"c1","content":"a fence:\n` + "````" + `\ninside"},
{"role":"assistant","content":"Done."}]}`

func exportItems() []model.Item {
	return []model.Item{{Msg: 0}, {Msg: -1, Record: "R-0007"}, {Msg: 2}, {Msg: 3}, {Msg: 3, Cleared: true}, {Msg: 4}}
}

func summaryOf(record string) string { return "what " + record + " says" }

func TestMarkdown(t *testing.T) {
	d := mustRead(t, exportSource)
	var b bytes.Buffer
	if err := writeMarkdown(&b, d, d.Conversations[0].Main(), exportItems(), summaryOf); err != nil {
		t.Fatal(err)
	}
	want := "# Tidy # the parser\n\n## System\n\nBe brief.\n\n## Summary of earlier messages (R-0007)\n\nwhat R-0007 says\n\n" +
		"## Assistant\n\n> first\n> second\n\nI look.\n\n**Call** `read`\n\n```json\n{\"path\":\"lex.go\"}\n```\n\n" +
		"## Tool result · read\n\n`````text\na fence:\n````\ninside\n`````\n\n" +
		"## Tool result · read\n\n```text\n[old tool result cleared]\n```\n\n## Assistant\n\nDone.\n\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestPlainJSON(t *testing.T) {
	d := mustRead(t, exportSource)
	var b bytes.Buffer
	if err := writeJSON(&b, d, d.Conversations[0].Main(), exportItems(), summaryOf); err != nil {
		t.Fatal(err)
	}
	want := `[
{"role":"system","kind":"system","text":"Be brief."},
{"role":"system","kind":"summary","text":"what R-0007 says","record":"R-0007"},
{"role":"assistant","kind":"assistant","reasoning":"first\nsecond","text":"I look.","calls":[{"id":"c1","name":"read","arguments":"{\"path\":\"lex.go\"}"}]},
{"role":"tool","kind":"tool result","name":"read","text":"a fence:\n` + "````" + `\ninside","answers":"c1"},
{"role":"tool","kind":"tool result","name":"read","text":"[old tool result cleared]","answers":"c1","cleared":true},
{"role":"assistant","kind":"assistant","text":"Done."}
]
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	b.Reset()
	if err := writeJSON(&b, d, d.Conversations[0].Main(), nil, nil); err != nil || !json.Valid(b.Bytes()) {
		t.Errorf("an empty list gives %q, %v", b.String(), err)
	}
}

// Every real file can be exported, and the JSON of it is JSON.
func TestExportsOfRealFiles(t *testing.T) {
	for _, s := range fewer(samples(t, "openai_chat", "anthropic_messages", "claude_code", "codex_rollout")) {
		if strings.HasSuffix(s.File, ".meta.json") {
			continue
		}
		d := openSample(t, s.Path)
		th := d.Conversations[0].Main()
		var items []model.Item
		for _, i := range th.Live(len(th.History)) {
			items = append(items, model.Item{Msg: i})
		}
		var b bytes.Buffer
		if err := writeJSON(&b, d, th, items, summaryOf); err != nil {
			t.Fatalf("%s: %v", s.File, err)
		}
		var list []plainMessage
		if err := json.Unmarshal(b.Bytes(), &list); err != nil || len(list) != len(items) {
			t.Errorf("%s: %d of %d messages, %v", s.File, len(list), len(items), err)
		}
		if err := writeMarkdown(io.Discard, d, th, items, summaryOf); err != nil {
			t.Errorf("%s: %v", s.File, err)
		}
	}
}

type failingWriter struct{ n int }

func (w *failingWriter) Write(b []byte) (int, error) {
	if w.n -= len(b); w.n < 0 {
		return 0, io.ErrShortWrite
	}
	return len(b), nil
}

func TestExportTellsOfFullDisks(t *testing.T) {
	d := mustRead(t, exportSource)
	for _, write := range []func(io.Writer, *model.Document, *model.Thread, []model.Item, func(string) string) error{writeMarkdown, writeJSON} {
		if err := write(&failingWriter{10}, d, d.Conversations[0].Main(), exportItems(), summaryOf); err == nil {
			t.Error("a full disk goes unnoticed")
		}
	}
}
