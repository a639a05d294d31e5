package transcript

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/internal/realdata"
	"palimpsest/internal/recount"
	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
)

// Of every real history at least nine tenths of the words are in some text that is read, or a
// note says what is not: counted by a walk through the source that knows no format.
func TestWhatIsNotReadIsSaid(t *testing.T) {
	more, err := filepath.Glob(filepath.Join(realdata.Root(t), "..", "shared", "data", "formats2", "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	looked, share := 0, 0.0
	for _, path := range append(realdata.Sources(t), more...) {
		d, err := Open(t.Context(), path, Options{})
		if err != nil || d.Unconfirmed || d.Size > 30<<20 {
			continue // it is refused in a sentence, or a guess, which other tests look at
		}
		source := make([]byte, d.Size)
		if _, err := io.ReadFull(io.NewSectionReader(d.Source, 0, d.Size), source); err != nil {
			t.Fatal(err)
		}
		u := recount.Cover(string(d.Format), source, wholeText(t, d))
		looked, share = looked+1, share+u.Share()
		if u.Missing > codec.FewWords && u.Share() > codec.MostUnread && !hasNote(d, "not-understood") && !hasNote(d, "not-read") {
			t.Errorf("%s (%s): %.0f %% of %d are not read, and no note says so: %v", path, d.Format, 100*u.Share(), u.Total, u.By)
		}
	}
	if looked == 0 {
		t.Error("no file was looked at")
	} else {
		t.Logf("%d files, of which %.1f %% of the words are not read, on average", looked, 100*share/float64(looked))
	}
}

// wholeText is all text of a document.
func wholeText(t *testing.T, d *model.Document) string {
	t.Helper()
	var b strings.Builder
	for _, c := range d.Conversations {
		for _, th := range c.Threads {
			for i := range th.Messages {
				parts, err := d.Parts(&th.Messages[i])
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range parts {
					b.WriteString(p.Text)
					b.WriteByte('\n')
				}
			}
		}
	}
	return b.String()
}

// What an unknown block, record or member holds is said, wherever it is.
func TestHolesOfAClaim(t *testing.T) {
	words := strings.Repeat("words that nobody reads ", 40)
	claude := func(blocks string) string {
		return `{"type":"user","uuid":"a","parentUuid":null,"sessionId":"s","timestamp":"2026-01-02T03:04:05Z","message":{"role":"user","content":"hello"}}` + "\n" +
			`{"type":"assistant","uuid":"b","parentUuid":"a","sessionId":"s","timestamp":"2026-01-02T03:04:06Z","message":{"role":"assistant","id":"m","content":[` + blocks + `]}}` + "\n"
	}
	anthropic := func(blocks string) string {
		return `{"model":"claude","system":"s","messages":[{"role":"user","content":"hello"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"ls","input":{}}]},{"role":"user","content":[` + blocks + `]},{"role":"assistant","content":"ok"}]}`
	}
	for name, c := range map[string]struct {
		text, says string
	}{
		"a block of Claude Code":     {claude(`{"type":"hologram","payload":"` + words + `"}`), "hologram"},
		"a member named data":        {anthropic(`{"type":"hologram","data":"` + words + `"},{"type":"text","text":"x"}`), "hologram"},
		"short texts":                {anthropic(strings.Repeat(`{"type":"hologram","payload":"short unread text"},`, 60) + `{"type":"text","text":"x"}`), "hologram"},
		"the body of a result":       {anthropic(`{"type":"tool_result","tool_use_id":"t","run":{"result":"` + words + `"}}`), "1 of "},
		"a member beside the text":   {`{"sessionId":"s","history":[{"message":{"role":"user","content":"hello"},"newThing":{"body":"` + words + `"}},{"message":{"role":"assistant","content":"ok"}}]}`, "newThing|body"},
		"an entry that no model has": {`{"responderUsername":"GitHub Copilot","requests":[{"requestId":"r","message":{"text":"hello"},"response":[{"value":"ok"},{"kind":"confirmation","title":"Sure?","message":"` + words + `"}]}]}`, "message"},
	} {
		d := mustRead(t, c.text)
		said := ""
		for _, n := range d.Notes {
			if n.Code == "not-understood" || n.Code == "not-read" {
				said += n.Reason
			}
		}
		found := false
		for one := range strings.SplitSeq(c.says, "|") {
			found = found || strings.Contains(said, one)
		}
		if !found {
			t.Errorf("%s (%s): nothing says %q: %q", name, d.Format, c.says, said)
		}
	}
}
