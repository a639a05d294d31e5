package agents

import (
	"context"
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript/historyitem"
)

// Unreplace puts back what a replacement took out of the shared history; see
// [Contexts.Unreplace].
func (h *History) Unreplace(ctx context.Context, made func([]historyitem.Item) bool) error {
	return h.c.unreplace(ctx, "", made)
}

// Unreplace puts the context of an agent back as it was before the replacement
// that brought in what made reports of a list; what was appended since stays
// behind it. Nothing is taken out of the journal: it is another
// replacement.
func (a *Contexts) Unreplace(ctx context.Context, agent string, made func([]historyitem.Item) bool) error {
	if agent == "" {
		return noAgent()
	}
	return a.c.unreplace(ctx, agent, made)
}

func (c *Conversation) unreplace(ctx context.Context, agent string, made func([]historyitem.Item) bool) error {
	if err := c.Refresh(ctx); err != nil {
		return err
	}
	now, known := c.context(agent)
	if !known {
		return unknownAgent(agent)
	}
	before, found, err := c.before(ctx, agent, c.Events(), made)
	if err != nil {
		return err
	}
	if !found {
		return notReplaced("no-replacement", "No compaction was written back that is still there.", "Choose another conversation.")
	}
	return c.replace(ctx, agent, now, before)
}

// before reads the journal up to an event: the list before the replacement that
// brought something in, with what was appended since.
func (c *Conversation) before(ctx context.Context, agent string, last int64, made func([]historyitem.Item) bool) (
	before []historyitem.Item, found bool, err error) {
	x := &contextState{}
	for ev, err := range c.upTo(ctx, last) {
		if err != nil {
			return nil, false, err
		}
		if ev.Agent != agent {
			continue
		}
		e, err := readEntry(*ev)
		if err != nil {
			return nil, false, err
		}
		if ev.Kind != model.EventReplaced {
			x.items, x.appended = append(x.items, e.items...), x.appended+1
			before = append(before, e.items...)
			continue
		}
		if !found && made(e.items) { // later ones may put it back when they are undone themselves
			before, found = slices.Clone(x.items), true
		}
		if err := x.replace(&e); err != nil {
			return nil, false, err
		}
	}
	return before, found, nil
}
