package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sashabaranov/go-openai"

	"palimpsest/compaction/summarize/remote/trial"
)

// The program talks to a server that misbehaves on request, is stopped, and goes
// on where it was.
func TestTalk(t *testing.T) {
	s, err := trial.Listen("")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	conf := openai.DefaultConfig("key")
	conf.BaseURL = s.URL()
	folder := t.TempDir()
	said := func(from, n int) string {
		var in, out strings.Builder
		for i := range n {
			fmt.Fprintf(&in, "Question %d: %s\n", from+i, strings.Repeat("tell me more. ", 30))
		}
		client, err := open(conf, "good", folder)
		if err != nil {
			t.Fatal(err)
		}
		if err := talk(t.Context(), client, "good", strings.NewReader(in.String()), &out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	first := said(1, 30)
	if !strings.Contains(first, "[61 messages said, ") || strings.Contains(first, "[61 messages said, 61 sent") {
		t.Errorf("it was not compacted:\n%s", first[len(first)-200:])
	}
	if again := said(31, 1); !strings.Contains(again, "[63 messages said, ") {
		t.Errorf("it does not go on:\n%s", again)
	}
}
