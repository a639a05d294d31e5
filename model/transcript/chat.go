package transcript

import (
	"fmt"
	"strconv"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// chat assembles a conversation of one thread from messages in the order in
// which a request holds them. It keeps the three views in step and pairs
// results with calls.
type chat struct {
	b    *builder
	conv *model.Conversation
	th   *model.Thread

	served bool // calls without an id are the provider's own: nothing answers them

	live  []int32 // the live list so far; bases of resets are prefixes of it
	calls []chatCall
	open  map[string][]int32 // unanswered calls by id: indices into calls
}

type chatCall struct {
	id, name string
	msg      int32
	answered bool
}

// newChat adds an empty conversation to the document.
func (b *builder) newChat() *chat {
	c := &chat{b: b, open: map[string][]int32{},
		th:   &model.Thread{ID: "main", Kind: model.ThreadMain, AgentID: "main"},
		conv: &model.Conversation{Agents: []model.Agent{{ID: "main"}}}}
	c.conv.Threads = []*model.Thread{c.th}
	b.doc.Conversations = append(b.doc.Conversations, c.conv)
	return c
}

// finish drops the conversation again if nothing was said in it.
func (c *chat) finish() {
	if n := len(c.b.doc.Conversations); len(c.th.Messages) == 0 && n > 0 && c.b.doc.Conversations[n-1] == c.conv {
		c.b.doc.Conversations = c.b.doc.Conversations[:n-1]
	}
}

// add appends a message to the stored view and to the views its kind belongs
// to. A summary does not enter the history: it enters the live list by a reset.
func (c *chat) add(m model.Message, at jspan.Value) int32 {
	c.pair(&m, at)
	i := int32(len(c.th.Messages))
	c.th.Messages = append(c.th.Messages, m)
	c.live = append(c.live, i)
	if m.Kind == model.KindSummary {
		c.reset(i, m.Time)
	} else {
		c.th.History = append(c.th.History, i)
	}
	if m.Model != "" {
		c.conv.Model = m.Model
	}
	if c.conv.Title == "" && m.Typed() {
		c.conv.Title = title(m.Preview)
	}
	return i
}

// summarises says that everything but the fixed part in front is replaced by
// the next message, a summary: what stood before it is no longer sent.
func (c *chat) summarises() {
	fixed := 0
	for fixed < len(c.live) && c.th.Messages[c.live[fixed]].Kind == model.KindSystem {
		fixed++
	}
	c.live = append([]int32(nil), c.live[:fixed]...)
}

func (c *chat) reset(summary int32, when int64) {
	at := len(c.th.History)
	base := c.live[:len(c.live):len(c.live)]
	if n := len(c.th.Resets); n > 0 && c.th.Resets[n-1].At == at {
		c.th.Resets[n-1].Base = base
	} else {
		c.th.Resets = append(c.th.Resets, model.Reset{At: at, Base: base})
	}
	c.th.Found = append(c.th.Found, model.Found{At: at, Summary: int(summary), Time: when})
}

// pair registers the calls of a message, or finds the call that a result
// answers: the latest unanswered one of its id, else, without an id, the first
// unanswered one of the last message that called, of its name if it has one.
// Calls without an id get one that is unique in their message, unless the
// provider runs them.
func (c *chat) pair(m *model.Message, at jspan.Value) {
	for k := range m.Calls {
		call := &m.Calls[k]
		if call.ID == "" && c.served {
			continue
		}
		if call.ID == "" {
			call.ID = "#" + strconv.Itoa(k+1)
		}
		c.open[call.ID] = append(c.open[call.ID], int32(len(c.calls)))
		c.calls = append(c.calls, chatCall{id: call.ID, name: call.Name, msg: int32(len(c.th.Messages))})
	}
	if m.Kind != model.KindResult {
		return
	}
	if m.Answers == "" {
		m.Answers = c.nextOpen(m.Name)
	}
	list := c.open[m.Answers]
	if len(list) == 0 || m.Answers == "" {
		c.b.noteAt(at, "orphan-result", fmt.Sprintf("the result of call %q has no call before it", m.Answers))
		return
	}
	call := &c.calls[list[len(list)-1]]
	c.open[m.Answers] = list[:len(list)-1]
	call.answered = true
	if m.Name == "" {
		m.Name = call.name
	}
}

// nextOpen is the id of the first unanswered call of the last message that
// called anything, of the given name if there is one; "" if all are answered.
func (c *chat) nextOpen(name string) string {
	id, named := "", ""
	for k := len(c.calls) - 1; k >= 0 && c.calls[k].msg == c.calls[len(c.calls)-1].msg; k-- {
		if c.calls[k].answered {
			continue
		}
		id = c.calls[k].id
		if name != "" && c.calls[k].name == name {
			named = id
		}
	}
	if named != "" {
		return named
	}
	return id
}

// noteAt remembers something to say about a value.
func (b *builder) noteAt(v jspan.Value, code, reason string) {
	b.doc.Notes = append(b.doc.Notes, model.Note{Line: b.line, Off: b.span(v).Off, Code: code, Reason: reason})
}

// titleRunes bounds a title that is made from the first words of a person.
const titleRunes = 80

func title(preview string) string {
	r := []rune(preview)
	if len(r) <= titleRunes {
		return preview
	}
	return string(r[:titleRunes-1]) + "…"
}
