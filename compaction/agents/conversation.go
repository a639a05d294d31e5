package agents

import (
	"context"
	"fmt"
	"sync"
	"time"

	"palimpsest/compaction/summarize"
	"palimpsest/model"
	"palimpsest/model/transcript/historyitem"
)

// Options are what a conversation of agents gets from outside. The zero value
// keeps everything in memory and gives events no time.
type Options struct {
	Journal  model.Journal    // nil: the conversation lives in memory only
	Now      func() time.Time // nil: events carry no time
	Language summarize.Lang   // of state descriptions and failures; Auto: the conversation's own
	Form     historyitem.Form // of new items
	Compat   Compat
}

// Compat reproduces the behaviour of the first authors where ours differs.
type Compat struct {
	// StateAppend lets a state description grow by every input, output and tool
	// call, in place of the latest input with the current phase.
	StateAppend bool
}

// Conversation is a conversation of a person with agents that may call each
// other: one [History] that all share and one context for each agent, kept in
// step. The document calls its shared part
// ConversationHistoryManager.
//
// Every change is one transaction of its journal: when a method returns without
// an error, all of it is written; with one, nothing is and nothing has changed.
// Several programs may work on one journal: what another has written meanwhile
// is read before the next change.
//
// All methods may be called from any goroutine. What they return are copies
// that later changes do not alter.
type Conversation struct {
	id      string
	opt     Options
	writing chan struct{} // held while events are decided and written; a slot, so that waiting can be cancelled

	mu    sync.RWMutex
	state state
}

// Open restores a conversation from its journal. An unknown one is new, and
// exists from its first event. A journal whose items can't be read is an error,
// and is never written to.
func Open(ctx context.Context, id string, opt Options) (*Conversation, error) {
	if id == "" {
		return nil, &model.Problem{Code: "no-name", What: "The conversation has no id.", Next: "Give it one."}
	}
	if opt.Journal == nil {
		opt.Journal = &memoryJournal{}
	}
	c := &Conversation{id: id, opt: opt, writing: make(chan struct{}, 1), state: newState(opt)}
	if err := c.Refresh(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

// History is what all agents share: the exchanges with the person. The document calls it
// historyContext.
func (c *Conversation) History() *History { return &History{c} }

// Agents are the contexts of the agents: AgentContextManager of the document, which
// calls one of them activeContext.
func (c *Conversation) Agents() *Contexts { return &Contexts{c} }

// Events is the number of events so far.
func (c *Conversation) Events() int64 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.state.seq
}

// Refresh reads what others have written to the journal.
func (c *Conversation) Refresh(ctx context.Context) error {
	unlock, err := c.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	for {
		events, err := c.opt.Journal.Events(ctx, c.id, c.state.seq)
		if err != nil || len(events) == 0 {
			return err
		}
		if err := c.take(events); err != nil {
			return err
		}
	}
}

// lock waits until nobody else writes or changes the state.
func (c *Conversation) lock(ctx context.Context) (unlock func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case c.writing <- struct{}{}:
		return func() { <-c.writing }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// entry is an event with its items parsed.
type entry struct {
	model.Event
	items []historyitem.Item
}

// commit writes the entries that decide makes of the state, and compactions that were
// made. decide is called again when others wrote first; no entries and no compactions
// mean that there is nothing to do.
func (c *Conversation) commit(ctx context.Context, decide func(*state) ([]entry, error), made ...model.Compacted) error {
	unlock, err := c.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	for {
		entries, err := decide(&c.state)
		if err != nil || len(entries)+len(made) == 0 {
			return err
		}
		next := c.state.begin()
		events := make([]model.Event, len(entries))
		for i := range entries {
			e := &entries[i]
			e.Seq, e.Time = c.state.seq+int64(i)+1, c.now()
			if err := next.fold(e); err != nil {
				return fmt.Errorf("conversation %s: %w", c.id, err)
			}
			events[i] = e.Event
		}
		missed, err := c.opt.Journal.Append(ctx, c.id, c.state.seq, model.Entry{Events: events, Stats: next.stats(), Compacted: made})
		if err != nil {
			return err
		}
		if len(missed) == 0 {
			c.apply(next)
			return nil
		}
		if err := c.take(missed); err != nil {
			return err
		}
	}
}

// take adds events of the journal to the state: all, or none if one is damaged.
func (c *Conversation) take(events []model.Event) error {
	next := c.state.begin()
	for _, ev := range events {
		e, err := readEntry(ev)
		if err == nil {
			err = next.fold(&e)
		}
		if err != nil {
			return &model.Problem{Code: "damaged-conversation", What: fmt.Sprintf("Conversation %s can't be read.", c.id),
				Why:  fmt.Sprintf("Event %d of its journal is damaged: %v.", ev.Seq, err),
				Next: "Put back a backup of the database; nothing is written to this conversation until then.", Err: err}
		}
	}
	c.apply(next)
	return nil
}

func (c *Conversation) apply(d *delta) {
	c.mu.Lock()
	defer c.mu.Unlock()
	d.apply()
}

// now is the time of an event, in UTC and as exact as a journal keeps it.
func (c *Conversation) now() time.Time {
	if c.opt.Now == nil {
		return time.Time{}
	}
	return c.opt.Now().UTC().Truncate(time.Microsecond)
}

// readEntry parses the items of an event of the journal.
func readEntry(ev model.Event) (entry, error) {
	e := entry{Event: ev}
	var err error
	if ev.Kind == model.EventReplaced {
		e.items, err = historyitem.ParseList(ev.Items)
		return e, err
	}
	it, err := historyitem.Parse(ev.Items)
	e.items = []historyitem.Item{it}
	return e, err
}
