package agents

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript/historyitem"
)

// Context is a list of items as it was at one moment: an agent's context,
// or the history that all agents share. It is a copy.
type Context struct {
	Items []historyitem.Item

	agent        string
	appended     int
	replacements int
}

// Orphans lists the ids of outputs without a call before them, one entry for
// each output.
func (x Context) Orphans() []string { return orphanOutputs(x.Items) }

func (c *Conversation) context(agent string) (Context, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	x := c.state.contexts[agent]
	if x == nil {
		return Context{agent: agent}, false
	}
	return Context{slices.Clone(x.items), agent, x.appended, x.replacements}, true
}

func (c *Conversation) replace(ctx context.Context, agent string, compacted Context, items []historyitem.Item,
	made ...model.Compacted) error {
	if compacted.agent != agent {
		return notReplaced("other-context", "The compaction is one of another agent's context.", "Compact this one.")
	}
	for _, it := range items {
		if it.Raw() == "" {
			return notReplaced("no-item", "One of the new items is empty.", "Parse or spell it.")
		}
	}
	list := historyitem.FormatList(items)
	return c.commit(ctx, func(s *state) ([]entry, error) {
		x := s.contexts[agent]
		switch {
		case x == nil:
			return nil, unknownAgent(agent)
		case x.replacements != compacted.replacements || x.appended < compacted.appended:
			return nil, notReplaced("context-changed", "It was replaced by another compaction meanwhile.", "Compact it again.")
		}
		if err := mayReplace(x.items, slices.Concat(items, x.since(compacted.appended))); err != nil {
			return nil, err
		}
		ev := model.Event{Kind: model.EventReplaced, Agent: agent, Items: list, Covers: compacted.appended}
		return []entry{{ev, items}}, nil
	}, made...)
}

// Note gives the journal compactions of contexts that came to nothing.
func (c *Conversation) Note(ctx context.Context, made ...model.Compacted) error {
	return c.commit(ctx, func(*state) ([]entry, error) { return nil, nil }, made...)
}

func notReplaced(code, why, next string) error {
	return &model.Problem{Code: code, What: "The context was not replaced.", Why: why, Next: next}
}

func unknownAgent(agent string) error {
	return &model.Problem{Code: "unknown-agent", What: fmt.Sprintf("There is no agent %q in this conversation.", agent),
		Next: "Choose one that was called."}
}

// mayReplace compares the new list with the one it replaces: it may not have
// another orphan, nor lack a call whose output is still awaited.
func mayReplace(now, next []historyitem.Item) error {
	if id, found := extra(orphanOutputs(next), orphanOutputs(now)); found {
		why := fmt.Sprintf("The output of call %q would be left without its call.", id)
		return notReplaced("orphan-result", why, "Keep both, or take both.")
	}
	if id, found := extra(pendingCalls(now), openCalls(next)); found {
		why := fmt.Sprintf("Call %q would go, and its output is still awaited.", id)
		return notReplaced("pending-call", why, "Keep the call, or wait for its output.")
	}
	return nil
}

// extra returns the first id that is more often in list than in allowed.
func extra(list, allowed []string) (id string, found bool) {
	left := map[string]int{}
	for _, id := range allowed {
		left[id]++
	}
	for _, id := range list {
		if left[id]--; left[id] < 0 {
			return id, true
		}
	}
	return "", false
}

// orphanOutputs lists the ids of outputs without a call before them.
func orphanOutputs(items []historyitem.Item) []string {
	return unpaired(slices.All(items), historyitem.Output, historyitem.Call)
}

// openCalls lists the ids of calls without an output after them, last first.
func openCalls(items []historyitem.Item) []string {
	return unpaired(slices.Backward(items), historyitem.Call, historyitem.Output)
}

// unpaired lists the ids of items of a kind that come before their partner, or
// have none.
func unpaired(items iter.Seq2[int, historyitem.Item], kind, partner historyitem.Kind) []string {
	var ids []string
	partners := map[string]int{}
	for _, it := range items {
		switch id := it.CallID(); it.Kind() {
		case partner:
			partners[id]++
		case kind:
			if partners[id] == 0 {
				ids = append(ids, id)
				continue
			}
			partners[id]--
		}
	}
	return ids
}

// pendingCalls lists the open calls after the last message: the conversation
// has not gone on without their outputs.
func pendingCalls(items []historyitem.Item) []string {
	from := len(items)
	for from > 0 && items[from-1].Kind() != historyitem.Message {
		from--
	}
	return openCalls(items[from:])
}

// originals reads the journal up to the last event of the state.
func (c *Conversation) originals(ctx context.Context, agent string) ([]historyitem.Item, error) {
	if _, known := c.context(agent); !known && agent != "" {
		return nil, unknownAgent(agent)
	}
	var items []historyitem.Item
	for ev, err := range c.upTo(ctx, c.Events()) {
		if err != nil {
			return nil, err
		}
		if ev.Agent != agent || ev.Kind == model.EventReplaced {
			continue
		}
		it, err := historyitem.Parse(ev.Items)
		if err != nil {
			return nil, fmt.Errorf("event %d of conversation %s: %w", ev.Seq, c.id, err)
		}
		items = append(items, it)
	}
	return items, nil
}

// upTo are the events of the journal as far as one, which it must hold.
func (c *Conversation) upTo(ctx context.Context, last int64) iter.Seq2[*model.Event, error] {
	return func(yield func(*model.Event, error) bool) {
		at := int64(0)
		for ev, err := range model.EventsOf(ctx, c.opt.Journal.Events, c.id, 0) {
			if err == nil && ev.Seq > last {
				return
			}
			if !yield(ev, err) || err != nil {
				return
			}
			at = ev.Seq
		}
		if at < last {
			yield(nil, fmt.Errorf("conversation %s ends at event %d of %d", c.id, at, last))
		}
	}
}
