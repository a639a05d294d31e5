package openai_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"palimpsest/model"
	"palimpsest/model/transcript"
)

// said opens a text and lists its messages: who speaks, tools, words.
func said(t *testing.T, text string) (model.Format, []string) {
	t.Helper()
	d, err := transcript.Read(t.Context(), "x", strings.NewReader(text), int64(len(text)), transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for m := range d.Messages {
		parts, err := d.Parts(m)
		if err != nil {
			t.Fatal(err)
		}
		words := fmt.Sprint(m.Role)
		for _, p := range parts {
			words += " " + strings.TrimSpace(p.Name+" "+p.Text)
		}
		list = append(list, words)
	}
	return d.Format, list
}

// Every format of the family is told from the others, and its messages are who said what
func TestTheFamilyIsRead(t *testing.T) {
	for text, want := range map[string][]string{
		`[{"role":"user","content":"Hi"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"ls","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"a.go"}]`: {"openai-chat", "user Hi", "assistant ls {}", "tool ls a.go"},
		`{"type":"session_meta","payload":{"id":"s","cwd":"/w"}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Hi"}]}}
{"type":"response_item","payload":{"type":"function_call","name":"ls","arguments":"{}","call_id":"c"}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":"a.go"}}
`: {"codex", "user Hi", "assistant ls {}", "tool ls a.go"},
		`{"input":[{"type":"message","role":"user","content":"Hi"},{"type":"function_call","name":"ls","arguments":"{}","call_id":"c"},{"type":"function_call_output","call_id":"c","output":"a.go"}]}`: {"openai-responses", "user Hi", "assistant ls {}", "tool ls a.go"},
		`[{"conversations":[{"from":"human","value":"Hi"},{"from":"gpt","value":"Yes"}]}]`:                                                                                                              {"sharegpt", "user Hi", "assistant Yes"},
	} {
		format, list := said(t, text)
		if string(format) != want[0] || !slices.Equal(list, want[1:]) {
			t.Errorf("%s\nis %s with %q, want %q", text, format, list, want)
		}
	}
}
