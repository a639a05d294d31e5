package session_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/compaction/agents"
	"palimpsest/compaction/session"
	"palimpsest/compaction/summarize"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
	"palimpsest/model/transcript/historyitem"
)

// recordedTalk is a conversation in a database: one agent, n questions, with an
// item of unknown kind among them.
func recordedTalk(t *testing.T, n int) (*store.Store, *agents.Conversation) {
	t.Helper()
	st, err := store.Open(filepath.Join(t.TempDir(), "p.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	c, err := agents.Open(t.Context(), "talk", agents.Options{Journal: st})
	if err != nil {
		t.Fatal(err)
	}
	strange, err := historyitem.Parse(`{"type":"strange","n":58.0}`)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		id := fmt.Sprint("t", i)
		err := errors.Join(c.Begin(t.Context(), agents.Task{ID: id, Agent: "A", Input: fmt.Sprintf("Question %d about src/f%d.go? %s", i, i, strings.Repeat("Please. ", 50))}),
			c.Agents().CalledTool(t.Context(), "A", id, "read", `{"path":"src/f.go"}`),
			c.Agents().ToolReturned(t.Context(), "A", id, strings.Repeat("package main\n", 50)))
		if _, end := c.Finish(t.Context(), id, fmt.Sprintf("Answer %d.", i)); err != nil || end != nil {
			t.Fatal(err, end)
		}
		if i == n-1 {
			if err := c.Agents().AppendItems(t.Context(), "A", []historyitem.Item{strange}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return st, c
}

func compactThread(t *testing.T, f *session.File, agent string) *session.Session {
	t.Helper()
	ref, err := f.Find(0, agent)
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.Session(t.Context(), ref, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := s.Policy()
	p.Window, p.Triggers = 100_000, nil
	p.Strategy, p.Tail = model.Extract, model.Amount{N: 6, Unit: model.Messages}
	d, err := s.Draft(t.Context(), p, compaction.Options{Manual: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Records.Apply(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	return s
}

// F25, I2: a compaction of an agent's context becomes that context; what was
// said meanwhile stays behind it and the originals can be had.
func TestF25WriteBack(t *testing.T) {
	ctx := t.Context()
	st, c := recordedTalk(t, 12)
	f, err := session.Open(ctx, session.ConversationName("talk"), session.Options{Store: st, Conversations: st}, transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Name() != "conversation:talk" || f.Doc.Format != model.FormatHistoryItems {
		t.Errorf("%s, %s", f.Name(), f.Doc.Format)
	}
	before, _ := c.Agents().Context("A")
	s := compactThread(t, f, "A")
	if err := c.Agents().Called(ctx, "A", "Meanwhile?"); err != nil {
		t.Fatal(err)
	}
	if err := s.Overlay().WriteBack(ctx); err != nil {
		t.Fatal(err)
	}
	if err := c.Refresh(ctx); err != nil {
		t.Fatal(err)
	}
	x, _ := c.Agents().Context("A")
	n := len(x.Items)
	if n >= len(before.Items) || x.Items[n-1].Text() != "Meanwhile?" || x.Items[n-2].Raw() != `{"type":"strange","n":58.0}` ||
		!strings.Contains(historyitem.FormatList(x.Items), summarize.Heading(summarize.English)) || len(x.Orphans()) > 0 {
		t.Errorf("the context is now %s", historyitem.FormatList(x.Items))
	}
	if got := x.Items[n-3].Raw(); got != before.Items[len(before.Items)-2].Raw() {
		t.Errorf("a kept item became %s", got)
	}
	originals, err := c.Agents().Originals(ctx, "A")
	if err != nil || historyitem.FormatList(originals[:len(originals)-1]) != historyitem.FormatList(before.Items) {
		t.Errorf("the originals are others: %v", err)
	}
	if got := len(c.History().Context().Items); got != 24 {
		t.Errorf("the shared history has %d items", got)
	}
	var p *model.Problem
	if err := s.Overlay().WriteBack(ctx); !errors.As(err, &p) || p.Code != "context-changed" {
		t.Errorf("written back twice: %v", err)
	}
	// The shared history likewise, and the conversation as it is now opens again.
	if f, err = session.OpenConversation(ctx, st, "talk", session.Options{}); err != nil {
		t.Fatal(err)
	}
	if len(f.Doc.Conversations[0].Threads[1].Found) != 1 {
		t.Error("the compaction is not found in it")
	}
	if err := compactThread(t, f, "").Overlay().WriteBack(ctx); err != nil {
		t.Fatal(err)
	}
	if err := c.Refresh(ctx); err != nil {
		t.Fatal(err)
	}
	if got := len(c.History().Context().Items); got >= 24 {
		t.Errorf("the shared history has %d items", got)
	}
}

func TestConversationTroubles(t *testing.T) {
	ctx := t.Context()
	st, _ := recordedTalk(t, 1)
	code := func(err error) string {
		var p *model.Problem
		if errors.As(err, &p) {
			return p.Code
		}
		return fmt.Sprint(err)
	}
	if _, err := session.OpenConversation(ctx, st, "nobody", session.Options{}); code(err) != "no-conversation" {
		t.Error(err)
	}
	if _, err := session.Open(ctx, "conversation:talk", session.Options{}, transcript.Options{}); code(err) != "no-file" {
		t.Error(err)
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := session.OpenConversation(gone, st, "talk", session.Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	f, err := session.OpenConversation(ctx, st, "talk", session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.Session(ctx, session.Ref{Thread: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Overlay().WriteBack(ctx); code(err) != "nothing-compacted" {
		t.Error(err)
	}
	for path, want := range map[string]string{"/a/b.jsonl": "b.jsonl", "conversation:a/b c:北": "conversation-a-b-c-北.json"} {
		if got := session.BaseName(path); got != want {
			t.Errorf("%q", got)
		}
	}
}

// A conversation whose shared history is empty is opened for its agents.
func TestConversationWithoutHistory(t *testing.T) {
	ctx := t.Context()
	st, _ := recordedTalk(t, 1)
	c, err := agents.Open(ctx, "agents", agents.Options{Journal: st})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Agents().Called(ctx, "A", "x"); err != nil {
		t.Fatal(err)
	}
	f, err := session.OpenConversation(ctx, st, "agents", session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range f.Doc.Conversations[0].Threads {
		s, err := f.Session(ctx, session.Ref{Thread: i}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Draft(ctx, s.Policy(), compaction.Options{Manual: true}, nil); err != nil {
			t.Errorf("thread %d: %v", i, err)
		}
	}
	if f.Title(0) != "x" {
		t.Errorf("%q", f.Title(0))
	}
}
