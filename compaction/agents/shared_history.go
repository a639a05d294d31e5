package agents

import (
	"context"

	"palimpsest/model"
	"palimpsest/model/transcript/historyitem"
)

// ConversationHistory is what all agents of a conversation share: the exchanges
// with the person. What agents say to each other stands in their own contexts.
type ConversationHistory struct{ c *AgentConversation }

// AppendUserMessage adds what the person said.
func (h *ConversationHistory) AppendUserMessage(ctx context.Context, text string) error {
	return h.c.append(ctx, "", model.EventCalled, h.c.opt.Form.Message("user", text))
}

// AppendAssistantMessage adds an answer to the person.
func (h *ConversationHistory) AppendAssistantMessage(ctx context.Context, text string) error {
	return h.c.append(ctx, "", model.EventResponded, h.c.opt.Form.Message("assistant", text))
}

// AppendFunctionCall adds a function call. It is no message: the statistics
// don't count it.
func (h *ConversationHistory) AppendFunctionCall(ctx context.Context, callID, name, arguments string) error {
	return h.c.append(ctx, "", model.EventToolCalled, h.c.opt.Form.Call(callID, name, arguments))
}

// AppendFunctionCallOutput adds what a call gave back. One without a call is
// kept; [AgentContext.Orphans] tells of it.
func (h *ConversationHistory) AppendFunctionCallOutput(ctx context.Context, callID, output string) error {
	return h.c.append(ctx, "", model.EventToolReturned, h.c.opt.Form.Output(callID, output))
}

// AppendItem adds an item as it is spelled, whatever its form or kind.
func (h *ConversationHistory) AppendItem(ctx context.Context, it historyitem.Item) error {
	return h.c.appendItem(ctx, "", it)
}

// Context is the history as it stands.
func (h *ConversationHistory) Context() AgentContext {
	x, _ := h.c.context("")
	return x
}

// Stats tells of the messages ever appended, whatever was compacted since.
func (h *ConversationHistory) Stats() model.HistoryStats {
	h.c.mu.RLock()
	defer h.c.mu.RUnlock()
	return h.c.state.shared().history
}

// Replace puts the result of a compaction in the place of what was compacted;
// see [AgentContexts.Replace].
func (h *ConversationHistory) Replace(ctx context.Context, compacted AgentContext, items []historyitem.Item) error {
	return h.c.replace(ctx, "", compacted, items)
}

// Originals gives every item ever appended, whatever was compacted since.
func (h *ConversationHistory) Originals(ctx context.Context) ([]historyitem.Item, error) {
	return h.c.originals(ctx, "")
}

// append writes one event with one item.
func (c *AgentConversation) append(ctx context.Context, agent string, kind model.EventKind, it historyitem.Item) error {
	return c.commit(ctx, func(*conversationState) ([]entry, error) {
		return []entry{newEntry(agent, kind, it)}, nil
	})
}

func newEntry(agent string, kind model.EventKind, it historyitem.Item) entry {
	return entry{model.Event{Kind: kind, Agent: agent, Items: it.Raw()}, []historyitem.Item{it}}
}

// appendItem writes an item as the event that it tells of.
func (c *AgentConversation) appendItem(ctx context.Context, agent string, it historyitem.Item) error {
	if it.Raw() == "" {
		return &model.Problem{Code: "no-item", What: "There is no item to append.", Next: "Parse or spell one."}
	}
	kind := model.EventItem
	switch it.Kind() {
	case historyitem.Call:
		kind = model.EventToolCalled
	case historyitem.Output:
		kind = model.EventToolReturned
	case historyitem.Message:
		switch it.Role() {
		case "user":
			kind = model.EventCalled
		case "assistant":
			kind = model.EventResponded
		}
	}
	return c.append(ctx, agent, kind, it)
}
