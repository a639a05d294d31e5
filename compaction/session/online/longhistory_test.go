package online_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/compaction/session"
	"palimpsest/compaction/summarize"
	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

// joined are real histories put one behind the other: no single one that is at
// hand has a thousand messages.
func joined(t *testing.T, names ...string) []byte {
	t.Helper()
	var all struct {
		Messages []json.RawMessage `json:"messages"`
	}
	for _, name := range names {
		path := filepath.Join(realdata.Transcripts(t), name)
		f, err := session.Open(context.Background(), path, session.Options{}, transcript.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		s, err := f.Session(context.Background(), session.Ref{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(t.TempDir(), "chat.json")
		if _, err := s.Overlay().ExportAs(context.Background(), session.Output{Path: out}, session.Form{Format: model.FormatOpenAI, Full: true}); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		one := all
		if err := json.Unmarshal(text, &one); err != nil {
			t.Fatal(err)
		}
		all.Messages = append(all.Messages, one.Messages...)
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A real history of more than a thousand messages goes all the way: drafted in
// parts, drafted again, edited by hand, applied, closed, opened, exported,
// restored; what was shown is what is there, to the byte.
func TestAThousandRealMessages(t *testing.T) {
	if testing.Short() {
		t.Skip("one compaction after the other")
	}
	ctx := context.Background()
	b := newBench(t, 1)
	b.input = joined(t, "pi/pi_before_compaction.jsonl", "codex_rollout/agentv_1f4427_0_compacted.jsonl")
	b.write()
	b.window = 16000
	b.server.Text = func(_, user string) string { // finds out which part it is
		h := fnv.New32a()
		h.Write([]byte(user))
		return fmt.Sprintf("Conversation summary: what was asked has %d characters, mark %x.\n\n- tabs\tand 汉字, é, 🙂", len(user), h.Sum32())
	}
	s := b.open()
	if n := len(s.Thread().History); n < 1000 {
		t.Fatalf("%d messages", n)
	}
	p := policy(s)
	p.Budget = model.Amount{N: 1500, Unit: model.Tokens}
	e, err := s.Enquire(ctx, p, manual, session.Asking{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	merged := 0
	d, err := s.Ask(ctx, e, func(h summarize.AskProgress) {
		if h.Merging && h.Delta == "" {
			merged++
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	reqs := b.server.Requests()
	if e.Plan.Removed.Messages < 1000 || len(e.Questions) < 5 || len(reqs) != e.Calls || merged == 0 || d.Asked.Parts != len(e.Questions) {
		t.Errorf("%d messages, %d parts, %d requests of %d, %d merged", e.Plan.Removed.Messages, len(e.Questions), len(reqs), e.Calls, merged)
	}
	for i, r := range reqs {
		if w := s.CountText(r.System+r.User) + r.MaxTokens; w > b.window {
			t.Errorf("request %d takes %d tokens", i, w)
		}
	}
	again := ask(t, s, p, session.Asking{Instruction: "Name the tools."})
	if again.Text.Text == d.Text.Text {
		t.Error("the second draft is the first")
	}
	edited := s.Edit(s.Accept(again), again.Text.Text+"\n\nAdded by hand:\t„quotes“ \\ and a space at the end ")
	shown := edited.Text.Text
	rec, err := s.Records.Apply(ctx, edited)
	if err != nil || !rec.Edited || rec.Summary != shown || rec.Asked == nil || rec.Asked.Instruction != "Name the tools." || rec.Asked.Wording == "" {
		t.Fatalf("%+v, %v", rec, err)
	}
	b.store.Close()
	if b.store, err = store.Open(filepath.Join(filepath.Dir(b.path), "p.db")); err != nil {
		t.Fatal(err)
	}
	b.opt.Store, b.opt.Answers = b.store, b.store
	s = b.open()
	stack := s.Stack()
	if len(stack) != 1 || stack[0].Summary != shown || !stack[0].Edited {
		t.Fatalf("opened again: %d records", len(stack))
	}
	out := filepath.Join(t.TempDir(), "compacted.json")
	if _, err := s.Overlay().ExportFile(ctx, session.Output{Path: out}); err != nil { // reads it back, summary included
		t.Fatal(err)
	}
	var written struct{ Messages []struct{ Content any } }
	text, err := os.ReadFile(out)
	if err != nil || json.Unmarshal(text, &written) != nil {
		t.Fatal(err)
	}
	found := false
	for _, m := range written.Messages {
		said, _ := m.Content.(string)
		found = found || strings.HasSuffix(said, shown)
	}
	if !found {
		t.Error("the export does not hold the summary")
	}
	if _, err := s.Records.Restore(ctx, stack[0].ID); err != nil {
		t.Fatal(err)
	}
	var back bytes.Buffer
	if _, err := s.Overlay().Export(&back); err != nil || !bytes.Equal(back.Bytes(), b.input) {
		t.Errorf("restored, it is not the input: %v", err)
	}
	t.Logf("%d messages, %d parts, %d calls, ~%d tokens in; after %d messages", e.Plan.Removed.Messages, len(e.Questions), e.Calls, e.Input, rec.After.Messages)
}
