package desk

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"palimpsest/compaction"
	"palimpsest/compaction/agents"
	"palimpsest/compaction/session"
	"palimpsest/model"
)

// A recorded conversation is listed, opened with its agents, compacted, and
// written back.
func TestARecordedConversationIsListedOpenedAndWrittenBack(t *testing.T) {
	d := newWindow(t)
	st := d.Store()
	c, err := agents.Open(t.Context(), "talk 1", agents.Options{Journal: st})
	if err != nil {
		t.Fatal(err)
	}
	for range 40 {
		if err := c.History().AppendUserMessage(t.Context(), "deploy the service to the cluster and tell me what it says, word for word"); err != nil {
			t.Fatal(err)
		}
		if err := c.History().AppendAssistantMessage(t.Context(), "It is deployed; all twelve checks passed, the log is in /var/log/deploy.log."); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Agents().Called(t.Context(), "A", "deploy"); err != nil {
		t.Fatal(err)
	}
	d.LoadRecents()
	d.settle()
	groups, _ := d.Shelf("", ByAdded)
	if len(groups) != 1 || groups[0].Kind != GroupConversations || len(groups[0].Recents) != 1 {
		t.Fatalf("%+v", groups)
	}
	d.Add(groups[0].Recents[0].Path)
	d.settle()
	s := d.Session()
	if s == nil || s.File().Doc.Path != session.ConversationName("talk 1") || d.Current().Threads != 2 {
		t.Fatalf("%+v", d.Current())
	}
	if groups, _ = d.Shelf("", ByAdded); len(groups) != 1 || len(groups[0].Entries) != 1 || len(groups[0].Recents) != 0 {
		t.Errorf("%+v", groups)
	}
	if d.CanWriteBack() {
		t.Error("nothing was compacted")
	}
	p, _ := compaction.PresetByID("message-count")
	draft, err := s.Draft(t.Context(), p.Policy, compaction.Options{Manual: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Records.Apply(t.Context(), draft); err != nil {
		t.Fatal(err)
	}
	if !d.CanWriteBack() {
		t.Fatal("a compaction can't be written back")
	}
	d.Planning.Set(func(p *model.Policy) { p.Window = 54_321 })
	d.WriteBack()
	d.settle()
	if n := d.Planning.Params().Window; n != 54_321 {
		t.Errorf("opened anew, the context window is %d", n)
	}
	if err := c.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := len(c.History().Context().Items); n >= 80 || n < 10 {
		t.Errorf("%d items; notices %v", n, d.Notices())
	}
	if now := d.Session(); now == s || now == nil || d.CanWriteBack() {
		t.Errorf("what stands there now was not opened: %v, can write back: %v", now != s, d.CanWriteBack())
	}
	rec := d.RecordList.RecordAt(0)
	if d.RecordView.RecordState(rec) != model.WrittenBack || !d.Unwritable(rec) {
		t.Errorf("%s is %s, undo: %v", rec.ID, d.RecordView.RecordState(rec), d.Unwritable(rec))
	}
	if twice := d.RecordList.RecordAt(1); twice != nil {
		t.Errorf("%s is %s, and once more in the list: %+v", rec.ID, rec.State(false), twice)
	}
	d.RecordView.SelectRecord(rec.ID)
	d.settle()
	written := len(c.History().Context().Items)
	for again := range 2 { // the write-back is a step like any other
		d.Undo()
		d.settle()
		if err := c.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := len(c.History().Context().Items); n != 80 || d.NextRedo() == nil || !d.CanWriteBack() {
			t.Errorf("undo %d: %d items; notices %v", again, n, d.Notices())
		}
		if rec := d.RecordList.RecordAt(0); d.RecordView.RecordState(rec) != model.InForce || rec.Output != "" {
			t.Errorf("undo %d: %s is %s, written to %q", again, rec.ID, d.RecordView.RecordState(rec), rec.Output)
		}
		if rec := d.RecordView.Record(); rec == nil || rec.Output != "" {
			t.Errorf("undo %d: the record looked at is the one of before: %+v", again, rec)
		}
		d.Redo()
		d.settle()
		if err := c.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := len(c.History().Context().Items); n != written {
			t.Errorf("redo %d: %d items, want %d", again, n, written)
		}
	}
	if err := c.History().AppendUserMessage(t.Context(), "And now?"); err != nil {
		t.Fatal(err)
	}
	if draft, err = d.Session().Draft(t.Context(), model.Policy{Window: 100_000, Tail: model.Amount{N: 2, Unit: model.Messages}, Strategy: model.Extract,
		Former: model.MergeFormer, Budget: model.Amount{N: 300, Unit: model.Tokens}}, compaction.Options{Manual: true}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Session().Records.Apply(t.Context(), draft); err != nil {
		t.Fatal(err)
	}
	before := len(c.History().Context().Items)
	d.WriteBack()
	d.settle()
	if err := c.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := len(c.History().Context().Items); n >= before {
		t.Errorf("a second compaction could not be written back: %d → %d items; notices %v", before, n, d.Notices())
	}
	if all, err := c.History().Originals(t.Context()); err != nil || len(all) != 81 {
		t.Errorf("%d originals, %v", len(all), err)
	}
}

func TestAFolderOfEventsIsOneHistory(t *testing.T) {
	dir := t.TempDir()
	events := filepath.Join(dir, "run", "events")
	if err := os.MkdirAll(events, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"0.json": `{"id":0,"timestamp":"2025-01-01T00:00:00","source":"user","message":"hi","action":"message","args":{"content":"hi"}}`,
		"1.json": `{"id":1,"timestamp":"2025-01-01T00:00:01","source":"agent","message":"ok","action":"message","args":{"content":"ok"}}`,
	} {
		if err := os.WriteFile(filepath.Join(events, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "x.jsonl"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := findTranscripts(context.Background(), []string{dir, session.ConversationName("c")})
	want := []string{filepath.Join(dir, "run"), filepath.Join(dir, "x.jsonl"), session.ConversationName("c")}
	if err != nil || !slices.Equal(got.files, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}
