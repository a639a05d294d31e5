package auto

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"palimpsest/model"
)

// A journal gets what changed since the entry before, so that it costs the same
// however long the history is:
//
//	event 1   messages 1–4
//	event 2   messages 5–9, the list after a compaction, its record
//	event 3   messages 10, 11
//
// Each event is a saved state (state.go) of which members are left out or have
// only what is new. Its Covers is how many messages of those before it are kept: fewer
// than there are when the history was loaded or forgotten.

// ErrElsewhere is the error of a history that another program writes, too: it
// has entries that this one does not know. Open it again.
var ErrElsewhere = errors.New("another program has written to the history of this agent")

// mark is how much of a state a journal has.
type mark struct {
	messages, records int
	version           int // of the runtime list; -1: none
}

// written is what the journal has of a compactor's state, and what it lacks
// besides the state.
type written struct {
	mark
	seq       int64
	loads     int    // how often the state was loaded or forgotten
	small     string // the members of the last entry that are written whole
	compacted []model.Compacted
	config    string // the configuration of the last entry that has it
}

// reset makes the next entry hold the whole state, which was loaded or forgotten.
func (w *written) reset() {
	w.mark, w.small = mark{version: -1}, ""
	w.loads++
}

// add notes a compaction; what the compactor holds now is after it.
func (w *written) add(a *Compactor, c *model.Compacted) {
	if a.journal != nil {
		w.compacted = append(w.compacted, *c)
	}
}

// Open returns the compactor of an agent whose history a journal keeps, as it was
// left. An unknown agent is new. A history that can't be read is an
// error, and is not written to.
func Open(ctx context.Context, cfg Config, o Options) (*Compactor, error) {
	switch {
	case o.Journal == nil:
		return nil, errors.New("automatic compaction: no journal was handed in")
	case o.Agent == "":
		return nil, errors.New("automatic compaction: the agent has no id")
	}
	a, err := newCompactor(cfg, o)
	if err != nil {
		return nil, err
	}
	var in loaded
	last := int64(0)
	for e, err := range model.EventsOf(ctx, o.Journal.Events, o.Agent, 0) {
		if err == nil {
			err = in.fold(e)
		}
		if err != nil {
			return nil, fmt.Errorf("agent %s: %w", o.Agent, err)
		}
		last = e.Seq
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.restore(in)
	a.written = written{mark: a.mem.mark(), seq: last, config: string(in.config)}
	return a, nil
}

func (m *memory) mark() mark { return mark{len(m.history), len(m.records), m.version} }

// StateOf is the state, as [Compactor.MarshalJSON] writes it, that the events of
// a journal lead to.
func StateOf(events []model.Event) ([]byte, error) {
	var in loaded
	for i := range events {
		if err := in.fold(&events[i]); err != nil {
			return nil, err
		}
	}
	if in.config != nil {
		in.unknown = append(in.unknown, field{"config", in.config})
	}
	m := in.memory(&memory{}, &Config{}, func(string) int { return 0 })
	return m.encode(in.Waits)
}

// fold adds an entry to a state.
func (in *loaded) fold(e *model.Event) error {
	damaged := func(why any) error { return fmt.Errorf("event %d of the journal: %v", e.Seq, why) }
	if e.Kind != model.EventAgentState {
		return damaged(fmt.Sprintf("%q is none of automatic compaction", e.Kind))
	}
	next, err := readMembers([]byte(e.Items))
	switch {
	case err != nil:
		return damaged(err)
	case e.Covers != 0 && e.Covers != len(in.Messages):
		return damaged(fmt.Sprintf("it goes on from message %d, there are %d", e.Covers, len(in.Messages)))
	case e.Covers == 0:
		*in = loaded{config: in.config}
	}
	if next.config == nil {
		next.config = in.config
	}
	if next.Runtime == nil {
		next.Runtime = append(in.Runtime, next.Messages...)
	}
	next.Messages = append(in.Messages, next.Messages...)
	next.Records = append(in.Records, next.Records...)
	*in = next
	return nil
}

// Save writes what changed to the journal, and returns when it is there. Without a
// journal it does nothing.
func (a *Compactor) Save(ctx context.Context) error {
	if a.journal == nil {
		return nil
	}
	select {
	case a.saving <- struct{}{}:
		defer func() { <-a.saving }()
	case <-ctx.Done():
		return ctx.Err()
	}
	a.mu.Lock()
	e, next, err := a.written.entry(a)
	agent, after := a.mem.agent, a.written.seq
	a.mu.Unlock()
	if err != nil || len(e.Events) == 0 {
		return err
	}
	missed, err := a.journal.Append(ctx, agent, after, e)
	if err == nil && len(missed) > 0 {
		err = ErrElsewhere
	}
	if err != nil {
		return fmt.Errorf("agent %s: %w", agent, err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	next.compacted = slices.Clone(a.written.compacted[len(e.Compacted):])
	if a.written.loads != next.loads {
		next.reset()
	}
	a.written = next
	return nil
}

// saved is a result after the history was written.
func saved(ctx context.Context, a *Compactor, r Result) Result {
	if err := a.Save(context.WithoutCancel(ctx)); err != nil {
		r.Err, r.OK = errors.Join(r.Err, err), false
	}
	return r
}

// entry is what the journal lacks, and what it has then; no events: nothing.
func (w *written) entry(a *Compactor) (model.Entry, written, error) {
	if a.unreadable != nil {
		return model.Entry{}, written{}, fmt.Errorf("the state was not loaded and is not overwritten: %w", a.unreadable)
	}
	m, before := &a.mem, *w
	fields, err := m.fields(a.decider.waits(), before.mark)
	if err != nil {
		return model.Entry{}, written{}, err
	}
	decision := a.decider.decide(false, 0)
	said, _ := model.PlainJSON(decisionJSON{decision.Why, decision.Usage.Messages, decision.Usage.Used, decision.Usage.Max}) // plain values
	config, _ := model.PlainJSON(a.cfg)
	next := written{mark: m.mark(), seq: before.seq + 1, loads: before.loads, small: smallOf(fields) + string(said), config: string(config)}
	if next.mark == before.mark && next.small == before.small && next.config == before.config && len(before.compacted) == 0 {
		return model.Entry{}, before, nil
	}
	if fields = append(fields, field{"decision", said}); next.config != before.config {
		fields = append(fields, field{"config", config})
	}
	now := a.clock.Now()
	ev := model.Event{Seq: next.seq, Time: now.UTC(), Kind: model.EventAgentState, Agent: m.agent, Covers: before.messages,
		Items: string(object(fields))}
	h := model.HistoryStats{Messages: len(m.history), LastAt: now}
	if k := len(m.history); k > 0 {
		h.LastContent, h.LastType = m.history[k-1].msg.Content, m.history[k-1].msg.Role
	}
	stats := model.ConversationStats{Title: m.title(), History: h, Agents: []model.AgentStats{{Agent: m.agent,
		State: decision.text(), Interactions: len(m.records), LastType: h.LastType, LastAt: now}}}
	return model.Entry{Events: []model.Event{ev}, Stats: stats, Compacted: slices.Clone(before.compacted)}, next, nil
}

type decisionJSON struct {
	Why      Reason `json:"why"`
	Messages int    `json:"messages"`
	Used     int64  `json:"usedTokens"`
	Max      int64  `json:"maxTokens,omitempty"`
}

// text is the decision in the words of a list of agents.
func (d *Decision) text() string {
	s := fmt.Sprintf("%s: %d messages, %d", d.Why, d.Usage.Messages, d.Usage.Used)
	if d.Usage.Max > 0 {
		s += fmt.Sprintf(" of %d", d.Usage.Max)
	}
	return s + " tokens"
}

// smallOf are the members that every entry has whole, but for the time.
func smallOf(fields []field) string {
	own := []string{"messages", "runtimeMessages", "compressions", "updatedAt"}
	return string(object(slices.DeleteFunc(slices.Clone(fields), func(f field) bool { return slices.Contains(own, f.name) })))
}

// title is the beginning of the first words of the person.
func (m *memory) title() string {
	for i := range m.history {
		if m.history[i].typed() {
			text := []rune(m.history[i].msg.Content)
			return string(text[:min(len(text), 80)])
		}
	}
	return m.agent
}

// describe describes a compaction before it is applied, or one that failed.
func (w *written) describe(a *Compactor, j *job, r *Result) *model.Compacted {
	c := compactedNow(a, a.decider.policy(&j.decision, j.manual, 0))
	c.Duration, c.Model = c.Time.Sub(j.began), j.cfg.model()
	if j.manual {
		c.Cause = model.CauseManual
	}
	if !j.cfg.asks() || r.Instead != "" {
		c.Model = ""
	}
	if r.Instead != "" && r.Err != nil {
		c.Reason = a.log.errorText(r.Err)
	}
	return c
}

// compactedNow has what every description of a compaction has.
func compactedNow(a *Compactor, p model.Policy) *model.Compacted {
	c := &model.Compacted{Format: model.FormatAgentState, Cause: model.CauseAutomatic, Policy: a.cfg.described(p), Time: a.clock.Now()}
	if a.journal != nil { // else it is read nowhere
		fields, _ := a.mem.fields(a.decider.waits(), mark{version: -1})
		config, _ := model.PlainJSON(a.cfg) // plain values
		c.Document = object(append(fields, field{"config", config}))
	}
	return c
}

// note notes a compaction that came to nothing.
func (w *written) note(a *Compactor, j *job, r *Result) {
	if r.Err == nil {
		return
	}
	c := w.describe(a, j, r)
	c.Outcome, c.Reason = model.Failed, a.log.errorText(r.Err)
	switch {
	case errors.Is(r.Err, ErrCancelled):
		c.Outcome = model.Cancelled
	case errors.Is(r.Err, ErrNotSmaller), errors.Is(r.Err, ErrChanged):
		c.Outcome = model.Refused
	}
	w.add(a, c)
}

// leftOut describes what a hard limit leaves out.
func (w *written) leftOut(a *Compactor, c *cut, notice string) *model.Compacted {
	d := Decision{Usage: a.mem.usage(&a.cfg), ByLimit: true}
	made := compactedNow(a, a.decider.policy(&d, false, 0))
	made.Take, made.Summary, made.LeftOut, made.Outcome = model.Range{From: c.from, To: c.to}, notice, true, model.Applied
	made.Kept = slices.DeleteFunc(a.mem.keptBy(&a.cfg), func(i int) bool { return i < c.from || i >= c.to })
	return made
}
