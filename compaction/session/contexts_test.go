package session_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"palimpsest/compaction/agents"
	"palimpsest/compaction/session"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

// weather records what docs/embedding.md shows: a person asks A twice, and A asks B for the
// second answer, all in words that are too few to be told from any others.
func weather(t *testing.T, st *store.Store, now func() time.Time) *agents.Conversation {
	t.Helper()
	c, err := agents.Open(t.Context(), "weather", agents.Options{Journal: st, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	answer := func(text string, before func(ctx context.Context) error) func(context.Context, func(agents.Response) error) error {
		return func(ctx context.Context, respond func(agents.Response) error) error {
			if err := before(ctx); err != nil {
				return err
			}
			return respond(agents.Response{Final: text})
		}
	}
	nothing := func(context.Context) error { return nil }
	err = errors.Join(c.Execute(t.Context(), agents.Task{ID: "1", Agent: "A", Input: "帮我查北京天气"}, answer("请稍等", nothing), nil),
		c.Execute(t.Context(), agents.Task{ID: "2", Agent: "A", Input: "让B查"}, answer("晴天", func(ctx context.Context) error {
			return c.Execute(ctx, agents.Task{ID: "2.1", Agent: "B", Caller: "A", Input: "查北京"}, answer("晴", nothing), nil)
		}), nil))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// B4 to B8, B13: the tree has what is recorded of each agent, who called whom with which
// message, and no agent that there is not. It is the same from the database, of an exported
// file, and of that file recorded anew.
func TestB13TheTreeOfRecordedContexts(t *testing.T) {
	st, err := store.Open(filepath.Join(t.TempDir(), "p.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	at := time.Date(2025, 1, 3, 10, 0, 0, 0, time.UTC)
	c := weather(t, st, func() time.Time { at = at.Add(time.Second); return at })
	opt := session.Options{Store: st, Conversations: st}
	recorded, err := session.OpenConversation(t.Context(), st, "weather", opt)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "weather.json")
	if err := os.WriteFile(path, c.Document().Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := session.Open(t.Context(), path, opt, transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := session.RecordConversation(t.Context(), st, "again", file); err != nil {
		t.Fatal(err)
	}
	again, err := session.OpenConversation(t.Context(), st, "again", opt)
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]*session.File{"recorded": recorded, "file": file, "recorded anew": again} {
		list, _, err := f.Agents(t.Context(), session.AgentsRequest{})
		if err != nil || len(list) != 2 {
			t.Fatalf("%s: %d agents, %v", name, len(list), err)
		}
		a, b := &list[0], &list[1]
		if a.Name != "A" || a.Parent != -1 || b.Name != "B" || b.Parent != 0 || b.Depth != 1 {
			t.Errorf("%s: %s under %d, %s under %d", name, a.Name, a.Parent, b.Name, b.Parent)
		}
		if r := a.Recorded; r == nil || r.State != "输入: 让B查 | 输出: 晴天" || r.Interactions != 4 || r.LastType != "responded" {
			t.Errorf("%s: of A is recorded %+v", name, r)
		}
		if r := b.Recorded; r == nil || r.State != "输入: 查北京 | 输出: 晴" || r.Interactions != 2 || r.Caller != "A" {
			t.Errorf("%s: of B is recorded %+v", name, r)
		}
		if s := f.Doc.Conversations[0].Shared; s == nil || s.Messages != 4 || s.LastContent != "晴天" || s.LastType != "assistant" || s.LastAt.IsZero() {
			t.Errorf("%s: of the shared history is recorded %+v", name, s)
		}
		var tasks []string
		for i := range list {
			for _, x := range list[i].Tasks {
				tasks = append(tasks, fmt.Sprintf("%d→%s #%d #%d %s %s", x.Caller, list[i].Name, x.Called, x.Returned, x.Asked, x.Answered))
			}
		}
		want := []string{"-1→A #1 #2 帮我查北京天气 请稍等", "-1→A #3 #6 让B查 晴天", "0→B #4 #5 查北京 晴"}
		if !slices.Equal(tasks, want) {
			t.Errorf("%s: the tasks are\n%s", name, strings.Join(tasks, "\n"))
		}
		if timed := a.From > 0; timed != (name != "file") || a.To == 0 || name == "recorded" && a.To-a.From != 10_000 {
			t.Errorf("%s: A worked from %d to %d", name, a.From, a.To)
		}
	}
	if n := time.UnixMilli(recorded.Doc.Conversations[0].Threads[2].Messages[1].Time).UTC().Format(time.TimeOnly); n != "10:00:09" {
		t.Errorf("B answered at %s", n) // the ninth event
	}
}

// What is written back keeps the times of what stayed; the summary has its own.
func TestTimesOutliveACompaction(t *testing.T) {
	st, err := store.Open(filepath.Join(t.TempDir(), "p.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	at := time.Date(2025, 1, 3, 10, 0, 0, 0, time.UTC)
	now := func() time.Time { at = at.Add(time.Second); return at }
	c, err := agents.Open(t.Context(), "talk", agents.Options{Journal: st, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		if err := c.Agents().Called(t.Context(), "A", fmt.Sprint("Say yes. ", i, strings.Repeat(" Please.", 200))); err != nil {
			t.Fatal(err)
		}
		if err := c.Agents().Responded(t.Context(), "A", "Yes."); err != nil {
			t.Fatal(err)
		}
	}
	last := at
	opt := session.Options{Store: st, Conversations: st, Now: now}
	f, err := session.OpenConversation(t.Context(), st, "talk", opt)
	if err != nil {
		t.Fatal(err)
	}
	if err := compactThread(t, f, "A").Overlay().WriteBack(t.Context()); err != nil {
		t.Fatal(err)
	}
	if f, err = session.OpenConversation(t.Context(), st, "talk", opt); err != nil {
		t.Fatal(err)
	}
	list := f.Doc.Conversations[0].Threads[1].Messages
	came := func(i int) time.Time { return time.UnixMilli(list[i].Time).UTC() }
	if n := len(list); n != 11 || !came(0).After(last) {
		t.Fatalf("%d messages, the summary came at %s", n, came(0))
	}
	for i := 1; i < len(list); i++ {
		if want := last.Add(-time.Duration(len(list)-1-i) * time.Second); !came(i).Equal(want) {
			t.Errorf("message %d came at %s, want %s", i+1, came(i), want)
		}
	}
}
