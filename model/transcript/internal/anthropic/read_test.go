package anthropic_test

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
		`{"type":"user","uuid":"1","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"Hi"}}
{"type":"assistant","uuid":"2","parentUuid":"1","sessionId":"s","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"c","name":"LS","input":{}}]}}
{"type":"user","uuid":"3","parentUuid":"2","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"a.go"}]}}
`: {"claude-code", "user Hi", "assistant LS {}", "tool LS a.go"},
		`{"system":"Be kind.","messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"x"},{"type":"text","text":"Yes"}]}]}`: {"anthropic", "system Be kind.", "user Hi", "assistant hm signature Yes"},
	} {
		format, list := said(t, text)
		if string(format) != want[0] || !slices.Equal(list, want[1:]) {
			t.Errorf("%s\nis %s with %q, want %q", text, format, list, want)
		}
	}
}
