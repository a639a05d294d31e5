package mapped

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

// chat is a conversation that is being read. The last message waits: what comes may
// belong to it.
type chat struct {
	*codec.Chat
	model string
	open  *model.Message
	by    *rule // what made the open one
	at    jspan.Value
	step  bool            // a step began, whose answer goes on until the step ends
	late  []waiting       // what comes in the step that is no part of its answer
	empty []int32         // where a step was in which nothing was said: the message that came next
	seen  map[string]bool // agents

	hidden map[int32]bool  // messages that the next compaction hides
	inside bool            // what is read is in a compaction
	live   map[string]bool // ids of the messages that the model sees; nil: not said

	unapplied bool // it holds a compaction that is not read

	texts jspan.Value // the long texts
	glued []byte      // the texts that come in many pieces
	used  map[string][]*model.Usage
}

// waiting is a message that goes after the answer of a step.
type waiting struct {
	m  model.Message
	at jspan.Value
}

func (r *reader) chat(v jspan.Value) *chat {
	c := &chat{Chat: r.b.NewChat(), seen: map[string]bool{}, hidden: map[int32]bool{}, used: map[string][]*model.Usage{}}
	c.Served = r.Served
	r.order = append(r.order, c)
	r.about(c, v)
	for _, u := range r.Talk.Used {
		r.reports(c, u, v)
	}
	return c
}

// reports reads what a provider reported for answers.
func (r *reader) reports(c *chat, u used, v jspan.Value) {
	if !hold(u.If, v) {
		return
	}
	u.At.all(v, parsed, func(in, _ jspan.Value, _ int) {
		if use := u.Usage.of(in); use != nil {
			id := u.ID.text(in)
			c.used[id] = append(c.used[id], use)
		}
	})
}

// about reads what is said about a conversation.
func (r *reader) about(c *chat, v jspan.Value) {
	set := func(to *string, at places) {
		if s := at.text(v); s != "" && len(at) > 0 {
			*to = s
		}
	}
	set(&c.Conv.ID, r.Talk.ID)
	set(&c.Conv.Dir, r.Talk.Dir)
	set(&c.Conv.Title, r.Talk.Title)
	c.Conv.Title = codec.Title(codec.Preview(c.Conv.Title))
	if len(r.Talk.Outer) > 0 {
		c.Conv.Model = cmp.Or(r.Talk.Outer.text(r.b.Whole), c.Conv.Model)
	}
	set(&c.Conv.Model, r.Talk.Model)
	set(&c.Conv.Agents[0].Name, r.Talk.Agent)
	if len(r.Talk.Live) > 0 {
		r.Talk.Live.all(v, parsed, func(id, _ jspan.Value, _ int) {
			if c.live == nil {
				c.live = map[string]bool{}
			}
			c.live[id.Text()] = true
		})
	}
	c.model = c.Conv.Model
	c.texts = r.Talk.Texts.one(v)
	c.unapplied = holdAny(r.Talk.Unapplied, v)
	if s := r.Talk.System.one(v); len(r.Talk.System) > 0 && s.Exists() && said(s) != "" {
		r.leaves.read(said(s))
		p := r.b.InnerPiece(s)
		r.plan[keyOf(p, false, model.RoleSystem)] = planned{of: []part{{As: "text"}}}
		c.Add(model.Message{Role: model.RoleSystem, Kind: model.KindSystem, Preview: codec.Preview(codec.HeadOf(said(s))),
			Pieces: []model.Piece{p}}, s)
	}
}

// chatOf is the conversation that an element belongs to.
func (r *reader) chatOf(v jspan.Value) *chat {
	key := ""
	if len(r.By) > 0 {
		key = r.By.text(v)
	}
	c := r.chats[key]
	if c == nil {
		c = r.chat(v)
		r.chats[key] = c
	} else if c.Conv.ID == "" || c.Conv.Dir == "" || c.Conv.Title == "" {
		r.about(c, v)
	}
	return c
}

// take makes texts of results that no call waits for.
func (c *chat) take(m *model.Message, list []spoken) {
	if !slices.ContainsFunc(list, func(s spoken) bool { return s.unasked }) {
		return
	}
	asked := slices.ContainsFunc(list, func(s spoken) bool { return s.Kind == model.PartCall })
	if c.flush(); asked || c.AwaitsResult() {
		return
	}
	for i := range list {
		if list[i].unasked {
			list[i].Kind, m.Origin = model.PartText, model.OriginInjected
		}
	}
}

// join takes a message into the one that waits.
func (c *chat) join(m model.Message) {
	c.open.Pieces = append(c.open.Pieces, m.Pieces...)
	c.open.Calls = append(c.open.Calls, m.Calls...)
	if c.open.Preview == "" {
		c.open.Preview = m.Preview
	} else if c.by.Glue && len([]rune(c.open.Preview)) < model.PreviewRunes/2 {
		c.open.Preview = codec.Preview(c.open.Preview + m.Preview)
	}
	if m.Usage != nil {
		c.open.Usage = m.Usage
	}
	if m.Model != "" {
		c.open.Model = m.Model
	}
}

func (c *chat) flush() {
	if c.open != nil {
		m, at := *c.open, c.at
		c.open, c.at = nil, jspan.Value{}
		c.Add(m, at)
	} else if c.step {
		c.empty = append(c.empty, int32(len(c.Th.Messages)))
	}
	late := c.late
	c.step, c.late = false, nil
	for _, results := range []bool{true, false} { // those of its calls follow the answer
		for _, w := range late {
			if (w.m.Kind == model.KindResult) == results {
				c.Add(w.m, w.at)
			}
		}
	}
}

// finish adds what waits, drops conversations in which nothing is said, and notes what
// was not read.
func (r *reader) finish() {
	for _, c := range r.order {
		c.flush()
		c.settle()
		r.leaves.read(string(c.glued))
		if c.unapplied {
			codec.Say(r.b.Doc, model.Note{Code: "live-unproven",
				Reason: "it holds compactions that are not applied: all messages count as what the model sees"})
		}
	}
	r.b.Doc.Conversations = slices.DeleteFunc(r.b.Doc.Conversations, func(c *model.Conversation) bool {
		return len(c.Threads[0].Messages) == 0
	})
	named := map[string]int{}
	for _, c := range r.b.Doc.Conversations { // several runs of one task
		if named[c.ID]++; c.ID != "" && named[c.ID] > 1 {
			c.ID += fmt.Sprintf(" %d", named[c.ID])
		}
	}
	var kinds []string
	n := 0
	for k, times := range r.unread {
		kinds = append(kinds, k)
		n += times
	}
	if n > 0 {
		slices.Sort(kinds)
		codec.Say(r.b.Doc, model.Note{Code: "unknown-record",
			Reason: fmt.Sprintf("%d records are of kinds that are not read (%s); they are kept", n,
				strings.Join(kinds[:min(len(kinds), 8)], ", "))})
	}
}
