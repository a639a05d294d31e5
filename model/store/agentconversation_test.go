package store_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"palimpsest/compaction/agents"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript/historyitem"
)

var _ model.Journal = (*store.Store)(nil)

func open(t *testing.T, path string, opts ...store.Option) *store.Store {
	t.Helper()
	s, err := store.Open(path, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func conversation(t *testing.T, s *store.Store) *agents.Conversation {
	t.Helper()
	at := time.Date(2025, 1, 3, 10, 0, 0, 0, time.UTC)
	var mu sync.Mutex
	c, err := agents.Open(t.Context(), "c", agents.Options{Journal: s, Now: func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		at = at.Add(1234567 * time.Nanosecond)
		return at
	}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// I10: saved, loaded and saved again it is the same, items of unknown kind and
// spelling included.
func TestI10SaveLoadSave(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "p.db")
	s := open(t, path)
	c := conversation(t, s)
	if err := c.Execute(ctx, agents.Task{ID: "1", Agent: "A", Input: "帮我查北京天气"}, func(_ context.Context, respond func(agents.Response) error) error {
		return respond(agents.Response{Final: "北京今天晴天，温度25°C"})
	}, nil); err != nil {
		t.Fatal(err)
	}
	for _, raw := range []string{`{"type":"reasoning","n":58.0,"s":"\ud800 \u4e2d","unknown":[1,  2]}`, `{"web_search_call" : {}}`, `"text"`, `null`} {
		it, err := historyitem.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Agents().AppendItems(ctx, "A", []historyitem.Item{it}); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Agents().ToolReturned(ctx, "A", "large", strings.Repeat("漢", 10<<20/3)); err != nil {
		t.Fatal(err)
	}
	x, _ := c.Agents().Context("A")
	if err := c.Agents().Replace(ctx, x, x.Items[1:]); err != nil {
		t.Fatal(err)
	}
	want := string(c.Document().Bytes())
	s.Close()
	for range 2 {
		s = open(t, path)
		if got := string(conversation(t, s).Document().Bytes()); got != want {
			t.Fatalf("loaded it is\n%.2000s\nwas\n%.2000s", got, want)
		}
		s.Close()
	}
}

// I11, F22: eight goroutines through two opened stores append to one
// conversation while contexts are replaced. Nothing is lost, each writer's order
// is kept, and both see the same in the end.
func TestI11TwoStores(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "p.db")
	wait := store.BusyTimeout(time.Minute) // the race detector slows the machine down
	talks := []*agents.Conversation{conversation(t, open(t, path, wait)), conversation(t, open(t, path, wait))}
	const writers, each = 8, 12
	var wg sync.WaitGroup
	for w := range writers {
		c := talks[w%2]
		wg.Go(func() {
			for i := range each {
				id := fmt.Sprintf("%d/%d", w, i)
				if err := c.Begin(ctx, agents.Task{ID: id, Agent: "A", Input: id}); err != nil {
					t.Error(err)
				}
				if ok, err := talks[(w+1)%2].Finish(ctx, id, id); ok && err == nil {
					continue // unless it has not heard of the task yet
				}
				if _, err := c.Finish(ctx, id, id); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Go(func() {
		for range 10 {
			x, ok := talks[0].Agents().Context("A")
			if !ok {
				continue
			}
			var p *model.Problem
			if err := talks[0].Agents().Replace(ctx, x, x.Items[len(x.Items)/2:]); err != nil && !errors.As(err, &p) {
				t.Error(err)
			}
		}
	})
	wg.Wait()
	var docs []string
	for _, c := range talks {
		if err := c.Refresh(ctx); err != nil {
			t.Fatal(err)
		}
		docs = append(docs, string(c.Document().Bytes()))
		items, err := c.History().Originals(ctx)
		if err != nil || len(items) != 2*writers*each {
			t.Fatalf("%d items, %v", len(items), err)
		}
		next := map[string]int{}
		for _, it := range items {
			w, i, _ := strings.Cut(it.Text(), "/")
			if k := it.Role() + w; i != fmt.Sprint(next[k]) {
				t.Fatalf("%s %s after %d", it.Role(), it.Text(), next[k])
			}
			next[it.Role()+w]++
		}
		if left := c.Unfinished(); len(left) > 0 {
			t.Errorf("unfinished: %+v", left)
		}
		if items, err := c.Agents().Originals(ctx, "A"); err != nil || len(items) != 2*writers*each {
			t.Errorf("%d originals, %v", len(items), err)
		}
	}
	if docs[0] != docs[1] {
		t.Error("the two see different conversations")
	}
}

// A database that is locked or read-only is an error, and the conversation is
// what it was.
func TestWritingFails(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "p.db")
	s := open(t, path)
	c := conversation(t, s)
	if err := c.History().AppendUserMessage(ctx, "a"); err != nil {
		t.Fatal(err)
	}
	ro := conversation(t, open(t, path, store.OpenReadOnly()))
	if err := ro.History().AppendUserMessage(ctx, "b"); !errors.Is(err, store.ErrReadOnly) {
		t.Error(err)
	}
	if n := len(ro.History().Context().Items); n != 1 {
		t.Errorf("%d items", n)
	}
	s.Close()
	if err := c.History().AppendUserMessage(ctx, "b"); err == nil {
		t.Error("written to a closed database")
	}
	if n := len(c.History().Context().Items); n != 1 {
		t.Errorf("%d items", n)
	}
}

// B10: a column that no longer parses is an error when the conversation is
// opened, and nobody writes over it.
func TestB10DamagedColumnStays(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "p.db")
	s := open(t, path)
	before := conversation(t, s)
	if err := before.History().AppendUserMessage(ctx, "a"); err != nil {
		t.Fatal(err)
	}
	const broken = `{"message": {"role": "us`
	if err := s.Exec("UPDATE conversation_events SET items = ?", broken); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		var p *model.Problem
		_, err := agents.Open(ctx, "c", agents.Options{Journal: s})
		if !errors.As(err, &p) || p.Code != "damaged-conversation" || !strings.Contains(p.Why, "Event 1") {
			t.Error(err)
		}
		if _, err := before.History().Originals(ctx); err == nil {
			t.Error("the original of a damaged event was given")
		}
		// Whoever has it open goes on: events are only ever added.
		if err := before.History().AppendAssistantMessage(ctx, "b"); err != nil {
			t.Error(err)
		}
		if got, err := s.Column("SELECT items FROM conversation_events WHERE seq = 1"); got != broken || err != nil {
			t.Errorf("the column is %q, %v", got, err)
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	s, err := store.Open(filepath.Join(b.TempDir(), "p.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	c, err := agents.Open(b.Context(), "c", agents.Options{Journal: s, Now: time.Now})
	if err != nil {
		b.Fatal(err)
	}
	text := strings.Repeat("a line of a tool's output\n", 80)
	for b.Loop() {
		if err := c.Agents().ToolReturned(b.Context(), "A", "1", text); err != nil {
			b.Fatal(err)
		}
	}
}

// Restoring a conversation of a thousand events.
func BenchmarkOpen(b *testing.B) {
	s, err := store.Open(filepath.Join(b.TempDir(), "p.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	opt := agents.Options{Journal: s, Now: time.Now}
	c, err := agents.Open(b.Context(), "c", opt)
	if err != nil {
		b.Fatal(err)
	}
	for range 1000 {
		if err := c.Agents().Responded(b.Context(), "A", strings.Repeat("words ", 200)); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if _, err := agents.Open(b.Context(), "c", opt); err != nil {
			b.Fatal(err)
		}
	}
}
