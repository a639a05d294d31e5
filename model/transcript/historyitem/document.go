package historyitem

import (
	"strconv"
	"strings"
	"time"

	"palimpsest/model"
)

// Document is one conversation with the contexts of its agents, as the format
// "history-items" keeps it in one JSON object.
type Document struct {
	ID      string
	Title   string
	History []Item // what all agents share: the exchanges with the user
	Stats   model.HistoryStats
	Agents  []Agent
}

// Agent is one agent's part of a [Document].
type Agent struct {
	model.AgentStats
	Context []Item // what it would send to its model now
}

// Bytes spells the document: one item a line, so that a difference between two
// states of a conversation reads well. The same document gives the same bytes.
func (d *Document) Bytes() []byte {
	agents := make([]string, len(d.Agents))
	for i := range d.Agents {
		a := &d.Agents[i]
		agents[i] = object([][2]string{{"agentId", quote(a.Agent)}, {"calledBy", unlessEmpty(a.Caller)},
			{"stateDescription", quote(a.State)}, {"interactionCount", strconv.Itoa(a.Interactions)},
			{"lastInteractionType", quote(a.LastType)}, {"lastInteractionAt", moment(a.LastAt)}, {"activeContext", items(a.Context)}})
	}
	return []byte(object([][2]string{{"conversationId", quote(d.ID)}, {"title", quote(d.Title)},
		{"messageCount", strconv.Itoa(d.Stats.Messages)}, {"lastMessageType", quote(d.Stats.LastType)},
		{"lastMessageAt", moment(d.Stats.LastAt)}, {"lastMessageContent", quote(d.Stats.LastContent)},
		{"historyContext", items(d.History)}, {"agents", inLines("[", agents, "]")}}) + "\n")
}

// object spells the members that have a value, one a line and without indent: items are
// spelled already, and some of them span lines.
func object(members [][2]string) string {
	var list []string
	for _, m := range members {
		if m[1] != "" {
			list = append(list, quote(m[0])+": "+m[1])
		}
	}
	return inLines("{", list, "}")
}

func inLines(begin string, list []string, end string) string {
	if len(list) > 0 {
		begin, end = begin+"\n", "\n"+end
	}
	return begin + strings.Join(list, ",\n") + end
}

func items(list []Item) string {
	texts := make([]string, len(list))
	for i, it := range list {
		texts[i] = it.raw
	}
	return inLines("[", texts, "]")
}

func unlessEmpty(s string) string {
	if s == "" {
		return ""
	}
	return quote(s)
}

func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return quote(t.UTC().Format(time.RFC3339Nano))
}
