package google_test

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
		`{"contents":[{"role":"user","parts":[{"text":"Hi"}]},{"role":"model","parts":[{"functionCall":{"name":"ls","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"ls","response":{"output":"a.go"}}}]}]}`:                                         {"gemini", "user Hi", "assistant ls {}", "tool ls a.go"},
		`{"sessionId":"s","projectHash":"h","startTime":"2026-01-01T00:00:00Z","messages":[{"id":"1","type":"user","content":"Hi"},{"id":"2","type":"gemini","content":"Yes"}]}`:                                                                                       {"gemini-cli", "user Hi", "assistant Yes"},
		`{"id":"s","appName":"a","userId":"u","state":{},"events":[{"id":"1","invocationId":"i","author":"user","content":{"role":"user","parts":[{"text":"Hi"}]}},{"id":"2","invocationId":"i","author":"bot","content":{"role":"model","parts":[{"text":"Yes"}]}}]}`: {"adk", "user Hi", "assistant Yes"},
	} {
		format, list := said(t, text)
		if string(format) != want[0] || !slices.Equal(list, want[1:]) {
			t.Errorf("%s\nis %s with %q, want %q", text, format, list, want)
		}
	}
}
