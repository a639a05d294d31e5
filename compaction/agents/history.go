package agents

import (
	"context"
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript/historyitem"
)

// History is what all agents of a conversation share: the exchanges with the
// person. What agents say to each other is in their own contexts only.
type History struct{ c *Conversation }

// AppendUserMessage adds what the person said.
func (h *History) AppendUserMessage(ctx context.Context, text string) error {
	return h.c.append(ctx, "", model.EventCalled, h.c.opt.Form.Message("user", text))
}

// AppendAssistantMessage adds an answer to the person.
func (h *History) AppendAssistantMessage(ctx context.Context, text string) error {
	return h.c.append(ctx, "", model.EventResponded, h.c.opt.Form.Message("assistant", text))
}

// AppendFunctionCall adds a function call. It is no message: the statistics
// don't count it.
func (h *History) AppendFunctionCall(ctx context.Context, callID, name, arguments string) error {
	return h.c.append(ctx, "", model.EventToolCalled, h.c.opt.Form.Call(callID, name, arguments))
}

// AppendFunctionCallOutput adds the output of a call. One without a call is kept;
// [Context.Orphans] lists it.
func (h *History) AppendFunctionCallOutput(ctx context.Context, callID, output string) error {
	return h.c.append(ctx, "", model.EventToolReturned, h.c.opt.Form.Output(callID, output))
}

// AppendItems adds items of any form or kind, such as Codex's, unchanged: all of them
// or none.
func (h *History) AppendItems(ctx context.Context, items []historyitem.Item) error {
	return h.c.appendItems(ctx, "", items)
}

// Context is the history of now.
func (h *History) Context() Context {
	x, _ := h.c.context("")
	return x
}

// Stats counts the messages ever appended, whatever was compacted since.
func (h *History) Stats() model.HistoryStats {
	h.c.mu.RLock()
	defer h.c.mu.RUnlock()
	return h.c.state.shared().history
}

// Replace replaces what was compacted by the result; see [Contexts.Replace].
func (h *History) Replace(ctx context.Context, compacted Context, items []historyitem.Item, made ...model.Compacted) error {
	return h.c.replace(ctx, "", compacted, items, made...)
}

// Originals returns every item ever appended, whatever was compacted since.
func (h *History) Originals(ctx context.Context) ([]historyitem.Item, error) {
	return h.c.originals(ctx, "")
}

// append writes one event with one item.
func (c *Conversation) append(ctx context.Context, agent string, kind model.EventKind, it historyitem.Item) error {
	return c.commit(ctx, func(*state) ([]entry, error) {
		return []entry{newEntry(agent, kind, it)}, nil
	})
}

func newEntry(agent string, kind model.EventKind, it historyitem.Item) entry {
	return entry{model.Event{Kind: kind, Agent: agent, Items: it.Raw()}, []historyitem.Item{it}}
}

// appendItems writes items as events of their kinds, in one transaction.
func (c *Conversation) appendItems(ctx context.Context, agent string, items []historyitem.Item) error {
	if slices.ContainsFunc(items, func(it historyitem.Item) bool { return it.Raw() == "" }) {
		return &model.Problem{Code: "no-item", What: "There is no item to append.", Next: "Parse or spell one."}
	}
	return c.commit(ctx, func(*state) ([]entry, error) { return entriesOf(agent, items), nil })
}

// entriesOf are the events of items that were not appended one by one.
func entriesOf(agent string, items []historyitem.Item) []entry {
	list := make([]entry, len(items))
	for i, it := range items {
		list[i] = newEntry(agent, eventKind(it), it)
	}
	return list
}

func eventKind(it historyitem.Item) model.EventKind {
	switch it.Kind() {
	case historyitem.Call:
		return model.EventToolCalled
	case historyitem.Output:
		return model.EventToolReturned
	case historyitem.Message:
		switch it.Role() {
		case "user":
			return model.EventCalled
		case "assistant":
			return model.EventResponded
		}
	}
	return model.EventItem
}
