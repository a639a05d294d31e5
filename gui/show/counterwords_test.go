package show

import (
	"context"
	"strings"
	"testing"

	"palimpsest/compaction/session"
	"palimpsest/model/transcript"
)

// Beside tokens it is said where it is not proven which messages the tool would send.
func TestUnprovenMessagesAreSaidBesideTokens(t *testing.T) {
	for source, want := range map[string]bool{
		`[{"prompt":"a question","completion":"an answer"},{"prompt":"b","completion":"c"}]`:                       true,
		`{"model":"gpt-4o","messages":[{"role":"user","content":"a"},{"role":"assistant","content":"an answer"}]}`: false,
	} {
		d, err := transcript.Read(context.Background(), "x.json", strings.NewReader(source), int64(len(source)), transcript.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := session.NewFile(d, session.Options{}).Session(context.Background(), session.Ref{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if said := CounterNote(s) != CounterOf(s); said != want {
			t.Errorf("%s: %q", d.Format, CounterNote(s))
		}
	}
}
