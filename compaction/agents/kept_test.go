package agents

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"palimpsest/model"
	"palimpsest/model/transcript/historyitem"
)

// sharedJournal is one that several programs write: who has not seen all of it is told the rest.
type sharedJournal struct{ memoryJournal }

func (j *sharedJournal) Append(_ context.Context, _ string, after int64, e model.Entry) ([]model.Event, error) {
	if missed := j.events[after:]; len(missed) > 0 {
		return slices.Clone(missed), nil
	}
	j.events = append(j.events, e.Events...)
	return nil, nil
}

// Two programs that write one conversation lose nothing of each other, and what one of them
// has not read yet is not in what it gives.
func TestTwoProgramsWriteOneConversation(t *testing.T) {
	j := &sharedJournal{}
	one, two := newConversation(t, Options{Journal: j}), newConversation(t, Options{Journal: j})
	must(t, one.History().AppendUserMessage(t.Context(), "1"))
	must(t, two.History().AppendUserMessage(t.Context(), "2"))
	must(t, two.History().AppendUserMessage(t.Context(), "3"))
	if got := texts(two.History().Context().Items); got != "1 2 3" {
		t.Errorf("the second program has %q", got)
	}
	old, err := one.History().Originals(t.Context())
	must(t, err)
	if texts(old) != "1" {
		t.Errorf("the originals of the first program, which has not read on, are %q", texts(old))
	}
	must(t, one.Agents().Called(t.Context(), "A", "4"))
	if got := texts(one.History().Context().Items); got != "1 2 3" {
		t.Errorf("the first program has %q", got)
	}
	j.events = append(j.events, model.Event{Seq: 99, Kind: model.EventCalled, Items: askItem})
	if err := two.History().AppendUserMessage(t.Context(), "5"); err == nil || texts(two.History().Context().Items) != "1 2 3" {
		t.Errorf("after a damaged event: %v, %q", err, texts(two.History().Context().Items))
	}
	j.events = j.events[:1]
	if list, err := one.History().Originals(t.Context()); err == nil || !strings.Contains(err.Error(), "ends at event 1 of 4") {
		t.Errorf("a journal that was cut gives %q, %v", texts(list), err)
	}
}

// A context that another program kept is imported with the agent that called it first.
func TestAnImportedContextKeepsItsCaller(t *testing.T) {
	c := newConversation(t, Options{})
	items := []historyitem.Item{historyitem.Wrapped.Message("assistant", "before"), historyitem.Wrapped.Message("user", "one"),
		historyitem.Wrapped.Message("user", "two")}
	must(t, c.Agents().Import(t.Context(), "B", "A", items[1:]))
	must(t, c.Agents().Import(t.Context(), "C", "A", items[:1]))
	if s, _ := c.Agents().Stats("B"); s.Caller != "A" {
		t.Errorf("B was called by %q", s.Caller)
	}
	if s, _ := c.Agents().Stats("C"); s.Caller != "" {
		t.Errorf("C, which nobody asked anything, was called by %q", s.Caller)
	}
	if x, ok := c.Agents().Context(""); ok || len(x.Items) != 0 {
		t.Errorf("no agent has the context %s", list(x))
	}
}

// The document has the title of the first question, the shared history, and each agent with
// its context.
func TestADocumentHasEachAgent(t *testing.T) {
	ctx := t.Context()
	c := newConversation(t, Options{})
	must(t, c.Agents().Responded(ctx, "B", "a greeting"))
	must(t, c.Agents().Called(ctx, "A", "first question"))
	must(t, c.Agents().Called(ctx, "A", "second question"))
	must(t, c.History().AppendUserMessage(ctx, "to all"))
	d := c.Document()
	if d.Title != "first question" || texts(d.History) != "to all" || d.Stats.Messages != 1 {
		t.Errorf("title %q, history %q, %+v", d.Title, texts(d.History), d.Stats)
	}
	var got []string
	for _, a := range d.Agents {
		got = append(got, a.Agent+": "+texts(a.Context))
	}
	if want := []string{"B: a greeting", "A: first question second question"}; !slices.Equal(got, want) {
		t.Errorf("agents %q, want %q", got, want)
	}
}

// A call that waits for its output may stay in a replacement, as often as it was there and
// not more often.
func TestAReplacementKeepsWhatWaits(t *testing.T) {
	item := historyitem.Wrapped
	call, output := item.Call("c", "weather", "{}"), item.Output("c", "rain")
	for _, x := range []struct {
		name      string
		now, next []historyitem.Item
		code      string
	}{
		{"the call stays", []historyitem.Item{item.Message("user", "q"), call}, []historyitem.Item{item.Message("user", "S"), call}, "<nil>"},
		{"the call goes", []historyitem.Item{item.Message("user", "q"), call}, []historyitem.Item{item.Message("user", "S")}, "pending-call"},
		{"one of two goes", []historyitem.Item{item.Message("user", "q"), call, call}, []historyitem.Item{item.Message("user", "S"), call}, "pending-call"},
		{"an output was there without its call", []historyitem.Item{item.Message("user", "q"), output}, []historyitem.Item{item.Message("user", "S"), output}, "<nil>"},
		{"an id is used twice", []historyitem.Item{call, output, call, output}, []historyitem.Item{call, output}, "<nil>"},
		{"an output twice for one call", []historyitem.Item{call, output, item.Message("user", "q")}, []historyitem.Item{call, output, output}, "orphan-result"},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := newConversation(t, Options{})
			must(t, c.History().AppendItems(t.Context(), x.now))
			err := c.History().Replace(t.Context(), c.History().Context(), x.next)
			if code(err) != x.code {
				t.Errorf("%v, want %s", err, x.code)
			}
		})
	}
}

// Tasks are listed in the order in which they were given, each with when it ended: one that
// another agent gave when its answer came to that agent.
func TestTasksAreListedInOrder(t *testing.T) {
	ctx := t.Context()
	c := newConversation(t, Options{Now: tick()})
	at := func(n int) time.Time { return time.Date(2025, 1, 3, 10, 0, n, 123456000, time.UTC) }
	for _, id := range []string{"z", "b", "y", "a"} {
		must(t, c.Begin(ctx, Task{ID: id, Agent: "B", Caller: "A", Input: "a<b " + id}))
	}
	if x := contextOf(t, c, "A"); !strings.Contains(list(x), `a<b z`) {
		t.Errorf("the arguments of the call: %s", list(x))
	}
	before := c.Tasks()
	if recorded, err := c.Finish(ctx, "b", "done"); !recorded || err != nil {
		t.Fatal(recorded, err)
	}
	var ids []string
	for _, task := range c.Tasks() {
		ids = append(ids, task.ID)
	}
	if !slices.Equal(ids, []string{"z", "b", "y", "a"}) || len(c.Unfinished()) != 3 {
		t.Errorf("tasks %q, %d unfinished", ids, len(c.Unfinished()))
	}
	events := c.Events()
	must(t, c.Agents().Called(ctx, "A", "more"))
	got := c.Tasks()[1]
	if !got.CalledAt.Equal(before[1].CalledAt) || got.Answer != "done" || got.Input != "a<b b" || got.Agent != "B" || got.Caller != "A" {
		t.Errorf("%+v", got)
	}
	x, _ := c.Agents().Stats("B")
	if !got.EndedAt.After(got.CalledAt) || got.EndedAt.Before(x.LastAt) || events != 10 {
		t.Errorf("ended at %s, %s after the first; B spoke last at %s; %d events", got.EndedAt, got.EndedAt.Sub(at(0)), x.LastAt, events)
	}
}

// An agent's program that neither returns nor answers leaves a failure that says so.
func TestARunThatNeverReturns(t *testing.T) {
	c := newConversation(t, Options{})
	var wg sync.WaitGroup
	wg.Go(func() {
		_ = c.Execute(t.Context(), Task{ID: "1", Agent: "A", Input: question}, func(context.Context, func(Response) error) error {
			runtime.Goexit()
			return nil
		}, nil)
	})
	wg.Wait()
	if s, _ := c.Agents().Stats("A"); !strings.Contains(s.State, "the agent's program broke off") || len(c.Unfinished()) != 0 {
		t.Errorf("state %q, unfinished %v", s.State, c.Unfinished())
	}
}
