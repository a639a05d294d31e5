package coders_test

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
		`{"type":"session","version":3,"id":"s","cwd":"/w"}
{"type":"message","id":"1","parentId":null,"message":{"role":"user","content":"Hi"}}
{"type":"message","id":"2","parentId":"1","message":{"role":"assistant","content":[{"type":"text","text":"Yes"}],"stopReason":"stop"}}
`: {"pi", "user Hi", "assistant Yes"},
		`{"info":{"id":"ses_1","directory":"/w","version":"1"},"messages":[{"info":{"id":"msg_1","sessionID":"ses_1","role":"user"},"parts":[{"id":"p1","type":"text","text":"Hi"}]},{"info":{"id":"msg_2","sessionID":"ses_1","role":"assistant"},"parts":[{"id":"p2","type":"text","text":"Yes"}]}]}`: {"opencode", "user Hi", "assistant Yes"},
		`{"messages":[{"role":"user","content":"t"},{"role":"assistant","content":"a","extra":{}},{"role":"exit","content":"patch"}],"trajectory_format":"mini-swe-agent-1"}`:                                                                                                                           {"mini-swe-agent", "user t", "assistant a", "other patch"},
		`[{"task_id":3,"reward":1.0,"traj":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Yes"}],"trial":0}]`:                                                                                                                                                                           {"tau-bench", "user Hi", "assistant Yes"},
	} {
		format, list := said(t, text)
		if string(format) != want[0] || !slices.Equal(list, want[1:]) {
			t.Errorf("%s\nis %s with %q, want %q", text, format, list, want)
		}
	}
}
