package histories_test

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
		`{"stepNumber":1,"analysisResult":"Look","executionResult":"read","supervisionResult":"fine"}
{"stepNumber":2,"analysisResult":"Write","executionResult":"wrote","supervisionResult":"good"}
`: {"steps", "assistant Look", "assistant read", "assistant fine", "assistant Write", "assistant wrote", "assistant good"},
		`{"agentId":"a","messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Yes"}],"runtimeMessages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Yes"}],"compressions":[]}`: {"agent-state", "user Hi", "assistant Yes"},
		`{"historyContext":[{"message":{"role":"user","content":[{"type":"input_text","text":"Hi"}]}},{"message":{"role":"assistant","content":[{"type":"output_text","text":"Yes"}]}}]}`:                            {"history-items", "user Hi", "assistant Yes"},
	} {
		format, list := said(t, text)
		if string(format) != want[0] || !slices.Equal(list, want[1:]) {
			t.Errorf("%s\nis %s with %q, want %q", text, format, list, want)
		}
	}
}
