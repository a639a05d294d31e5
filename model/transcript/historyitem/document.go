package historyitem

import (
	"strconv"
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
	w := &writer{}
	w.open("{")
	w.str("conversationId", d.ID)
	w.str("title", d.Title)
	w.num("messageCount", d.Stats.Messages)
	w.str("lastMessageType", d.Stats.LastType)
	w.time("lastMessageAt", d.Stats.LastAt)
	w.str("lastMessageContent", d.Stats.LastContent)
	w.items("historyContext", d.History)
	w.key("agents")
	w.open("[")
	for i := range d.Agents {
		w.next()
		d.Agents[i].write(w)
	}
	w.close("]")
	w.close("}")
	return append(w.b, '\n')
}

func (a *Agent) write(w *writer) {
	w.open("{")
	w.str("agentId", a.Agent)
	if a.Caller != "" {
		w.str("calledBy", a.Caller)
	}
	w.str("stateDescription", a.State)
	w.num("interactionCount", a.Interactions)
	w.str("lastInteractionType", a.LastType)
	w.time("lastInteractionAt", a.LastAt)
	w.items("activeContext", a.Context)
	w.close("}")
}

// writer spells JSON with a member or element a line and no indent: the items
// are spelled already, and some of them span lines.
type writer struct {
	b     []byte
	begun bool // the innermost container has something in it
}

func (w *writer) open(bracket string) {
	w.b = append(w.b, bracket...)
	w.begun = false
}

func (w *writer) close(bracket string) {
	if w.begun {
		w.b = append(w.b, '\n')
	}
	w.b = append(w.b, bracket...)
	w.begun = true
}

// next separates a member or an element from the one before it.
func (w *writer) next() {
	if w.begun {
		w.b = append(w.b, ',')
	}
	w.b = append(w.b, '\n')
	w.begun = true
}

func (w *writer) key(k string) {
	w.next()
	w.b = append(append(w.b, quote(k)...), ": "...)
}

func (w *writer) str(k, v string) {
	w.key(k)
	w.b = append(w.b, quote(v)...)
}

func (w *writer) num(k string, n int) {
	w.key(k)
	w.b = strconv.AppendInt(w.b, int64(n), 10)
}

// time leaves a member out that is empty.
func (w *writer) time(k string, t time.Time) {
	if !t.IsZero() {
		w.str(k, t.UTC().Format(time.RFC3339Nano))
	}
}

func (w *writer) items(k string, list []Item) {
	w.key(k)
	w.open("[")
	for _, it := range list {
		w.next()
		w.b = append(w.b, it.raw...)
	}
	w.close("]")
}
