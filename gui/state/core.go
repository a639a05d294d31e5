package state

import (
	"context"
	"errors"

	"palimpsest/gui/sched"
	"palimpsest/model/store"
)

// Topic is a part of the state that panes listen to.
type Topic uint8

const (
	TopicFiles   Topic = iota // the list of histories, or one's state in it
	TopicSession              // another history or thread is looked at
	TopicParams               // the parameters changed
	TopicPlan                 // plan, draft or ledger changed
	TopicSelect               // another row is selected
	TopicRecords              // the list of records, or the one looked at
	TopicJob                  // a compaction began, moved on or ended
	TopicNotice               // something to say appeared or was closed
	TopicDetail               // the text of the selected row was read
	TopicAsking               // a model is to be asked, is being asked or answered, or who is asked
	TopicSweep                // a sweep began, moved on or ended
	TopicCompare              // the two sides that are compared, or the result
	TopicReplay               // the history was replayed under other parameters
	TopicAgents               // the agents of the conversation, or their own parameters
	TopicHistory              // a step was done, undone or redone
	TopicFacts                // what survives or was needed later is known, or how far that is
	TopicAdvice               // settings that suit better are being sought, or were found
	Topics                    // their number
)

// Core is what every subject of a window uses.
type Core struct {
	Dispatch func(func()) // runs a function on the goroutine that owns the window
	Sched    *sched.Scheduler
	Hand     sched.Hand   // that drags a parameter
	Store    *store.Store // nil: records are kept in memory only
	Fail     func(error)  // says an error to the person

	unwritten map[string]any // settings that are being written
	listeners [Topics][]func()
}

// New makes a core whose work is applied by dispatch.
func New(dispatch func(func()), st *store.Store) *Core {
	return &Core{Dispatch: dispatch, Sched: sched.New(dispatch), Store: st, unwritten: map[string]any{}}
}

// Listen calls f whenever the topic changed.
func (c *Core) Listen(t Topic, f func()) { c.listeners[t] = append(c.listeners[t], f) }

// StopListening forgets all listeners, before the panes are built again.
func (c *Core) StopListening() { c.listeners = [Topics][]func(){} }

// Notify calls the listeners of the topics.
func (c *Core) Notify(list ...Topic) {
	for _, t := range list {
		for _, f := range c.listeners[t] {
			f()
		}
	}
}

// Run does work beside the window and applies its result at the window, unless newer work
// was started under its key. An error is said; of work that was cancelled nothing is said.
func Run[T any](c *Core, key string, work func(context.Context) (T, error), apply func(T)) {
	alone := func(ctx context.Context, _ func(sched.Progress)) (T, error) { return work(ctx) }
	sched.Run(c.Sched, key, alone, func(v T, err error) {
		switch {
		case err == nil:
			apply(v)
		case !errors.Is(err, context.Canceled):
			c.Fail(err)
		}
	})
}

// Do is [Run] for work without a result; done may be nil.
func Do(c *Core, key string, work func(context.Context) error, done func()) {
	Run(c, key, func(ctx context.Context) (struct{}, error) { return struct{}{}, work(ctx) }, func(struct{}) {
		if done != nil {
			done()
		}
	})
}

// Keep writes a setting into the database, if there is one that can be written. The value must not change
// afterwards.
func (c *Core) Keep(setting string, value any) {
	if st := c.Store; st != nil && !st.ReadOnly() {
		c.unwritten[setting] = value
		Do(c, "keep "+setting, func(ctx context.Context) error { return st.SetSetting(ctx, setting, value) },
			func() { delete(c.unwritten, setting) })
	}
}

// Flush writes what Keep began to write, before the program ends.
func (c *Core) Flush() {
	for setting, value := range c.unwritten {
		_ = c.Store.SetSetting(context.Background(), setting, value) // the window is gone that could say it
	}
}
