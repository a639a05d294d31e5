package codec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// Chat assembles a conversation of one thread from messages in the order in
// which a request holds them. It keeps the three views in step and pairs
// results with calls.
type Chat struct {
	B    *Builder
	Conv *model.Conversation
	Th   *model.Thread

	Served bool // calls without an ID are run by the provider, so nothing answers them
	ByID   bool // a result without an ID answers no call: it is a handoff

	Live  []int32 // the live list so far; bases of resets are prefixes of it
	Calls []ChatCall
	pairs model.NamedPairing // of calls, by their place in Calls
}

// ChatCall is a call that was made so far.
type ChatCall struct {
	ID, Name string
	Msg      int32
	answered bool
}

// NewChat adds an empty conversation to the document.
func (b *Builder) NewChat() *Chat {
	c := &Chat{B: b,
		Th:   &model.Thread{ID: "main", Kind: model.ThreadMain, AgentID: "main"},
		Conv: &model.Conversation{Agents: []model.Agent{{ID: "main"}}}}
	c.Conv.Threads = []*model.Thread{c.Th}
	b.Doc.Conversations = append(b.Doc.Conversations, c.Conv)
	return c
}

// Finish drops the conversation again if nothing was said in it.
func (c *Chat) Finish() {
	if n := len(c.B.Doc.Conversations); len(c.Th.Messages) == 0 && n > 0 && c.B.Doc.Conversations[n-1] == c.Conv {
		c.B.Doc.Conversations = c.B.Doc.Conversations[:n-1]
	}
}

// Add appends a message to the stored view and to the views its kind belongs
// to. A summary does not enter the history: it enters the live list by a reset.
func (c *Chat) Add(m model.Message, at jspan.Value) int32 {
	c.Pair(&m, at)
	i := int32(len(c.Th.Messages))
	c.Th.Messages = append(c.Th.Messages, m)
	c.Live = append(c.Live, i)
	if m.Kind == model.KindSummary {
		c.reset(i, m.Time)
	} else {
		c.Th.History = append(c.Th.History, i)
	}
	if m.Model != "" {
		c.Conv.Model = m.Model
	}
	if c.Conv.Title == "" && m.Typed() {
		c.Conv.Title = Title(m.Preview)
	}
	return i
}

// Pair registers the calls of a message, or finds the call that a result
// answers:
//   - a result with an ID answers the latest unanswered call of that ID;
//   - one without an ID answers a call of the last message that made any: the
//     first unanswered one of the result's name, else the first unanswered one.
//
// Calls without an ID get one that is unique in their message, unless the
// provider runs them.
func (c *Chat) Pair(m *model.Message, at jspan.Value) {
	for k := range m.Calls {
		call := &m.Calls[k]
		if call.ID == "" && c.Served {
			continue
		}
		if call.ID == "" {
			call.ID = "#" + strconv.Itoa(k+1)
		}
		c.NoteCall(*call, int32(len(c.Th.Messages)))
	}
	for _, l := range m.Links {
		c.answer(c.pairs.Link(c.pairs.ID(l.ID), l.Result, int32(len(c.Calls))))
	}
	if m.Kind != model.KindResult {
		return
	}
	if m.Answers == "" && c.ByID {
		return
	}
	unnamed := m.Answers == ""
	if unnamed {
		m.Answers = c.nextOpen(m.Name)
	}
	if m.Answers == "" {
		c.B.NoteAt(at, "orphan-result", "a result that does not say which call it answers")
		return
	}
	k, tie := c.pairs.Result(c.pairs.ID(m.Answers), int32(len(c.Calls)))
	c.answer(k, tie)
	switch {
	case tie == model.TieNone:
		c.B.NoteAt(at, "orphan-result", fmt.Sprintf("the result of call %q has no call", m.Answers))
		return
	case tie == model.TieFurther:
		c.B.NoteAt(at, "second-result", fmt.Sprintf("a further result of call %q, which has one", m.Answers))
	}
	if m.Name == "" || unnamed || strings.EqualFold(m.Name, c.Calls[k].Name) {
		m.Name = c.Calls[k].Name
	}
	if model.Asks(m.Name) && !m.Error {
		m.Origin = model.OriginTyped
	}
}

// NoteCall registers a call of a message.
func (c *Chat) NoteCall(call model.Call, message int32) {
	early := c.pairs.Call(c.pairs.ID(call.ID), int32(len(c.Calls)))
	c.Calls = append(c.Calls, ChatCall{ID: call.ID, Name: call.Name, Msg: message, answered: early >= 0})
	if early >= 0 { // its result stands before it, and is none without a call
		c.B.Doc.Notes = slices.DeleteFunc(c.B.Doc.Notes, func(n model.Note) bool {
			return n.Code == "orphan-result" && strings.Contains(n.Reason, strconv.Quote(call.ID))
		})
	}
}

func (c *Chat) answer(call int32, tie model.Tie) {
	if tie == model.TieFirst {
		c.Calls[call].answered = true
	}
}

// ForgetCalls begins without calls.
func (c *Chat) ForgetCalls() { c.Calls, c.pairs = nil, model.NamedPairing{} }

// nextOpen is the id of the first unanswered call of the last message that
// called anything, of the given name if there is one; "" if all are answered.
func (c *Chat) nextOpen(name string) string {
	id, named := "", ""
	for k := len(c.Calls) - 1; k >= 0 && c.Calls[k].Msg == c.Calls[len(c.Calls)-1].Msg; k-- {
		if c.Calls[k].answered {
			continue
		}
		id = c.Calls[k].ID
		if name != "" && strings.EqualFold(c.Calls[k].Name, name) {
			named = id
		}
	}
	if named != "" {
		return named
	}
	return id
}

// NoteAt remembers something to say about a value.
func (b *Builder) NoteAt(v jspan.Value, code, reason string) {
	Say(b.Doc, model.Note{Line: b.Line, Off: b.Span(v).Off, Code: code, Reason: reason})
}

// titleRunes bounds a title that is made from the first words of a person.
const titleRunes = 80

// Title shortens a preview to what a title may have.
func Title(preview string) string {
	r := []rune(preview)
	if len(r) <= titleRunes {
		return preview
	}
	return string(r[:titleRunes-1]) + "…"
}

// AwaitsOne reports whether the message at a place answers the message before it, which
// makes just one call that nothing has answered.
func (c *Chat) AwaitsOne(at int32) bool {
	if at == 0 || len(c.Th.Messages[at-1].Calls) != 1 {
		return false
	}
	n := len(c.Calls)
	return n > 0 && c.Calls[n-1].Msg == at-1 && !c.Calls[n-1].answered
}

// AwaitsResult reports whether the next message can be a result: a call is open, and
// nothing but results and reminders came since.
func (c *Chat) AwaitsResult() bool {
	n := len(c.Th.Messages)
	for n > 0 && c.Th.Messages[n-1].Kind == model.KindSystem { // a reminder between them
		n--
	}
	if n == 0 || c.nextOpen("") == "" {
		return false
	}
	last := &c.Th.Messages[n-1]
	return last.Kind == model.KindResult || len(last.Calls) > 0
}

// Author lists an agent once, by name; the first is the thread's agent.
func (c *Chat) Author(seen map[string]bool, name string) {
	if seen[name] || name == "" {
		return
	}
	seen[name] = true
	if len(seen) == 1 {
		c.Conv.Agents[0].Name = name
		return
	}
	c.Conv.Agents = append(c.Conv.Agents, model.Agent{ID: name, Name: name, Parent: c.Conv.Agents[0].ID})
}

// Alternatives gives the other elements of a list of answers to the message at
// first, which has the one that counts: they go when it goes, or one of them
// would be the answer.
func (c *Chat) Alternatives(first int, list int32) {
	if first >= len(c.Th.Messages) {
		return
	}
	m := &c.Th.Messages[first]
	for i := 1; i < len(c.B.Doc.Arrays[list].Elems); i++ {
		p := c.B.Elem(list, i)
		p.Duplicate = true
		m.Pieces = append(m.Pieces, p)
	}
}
