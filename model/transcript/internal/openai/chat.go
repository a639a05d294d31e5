package openai

import (
	"context"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Chat reads OpenAI Chat Completions in all the shapes in which they are
// kept: arrays, requests, responses, proxy logs, fine-tuning lines.
type Chat struct{}

func (Chat) Info() codec.Info {
	return codec.Info{Format: model.FormatOpenAI, Title: "OpenAI Chat",
		How: "messages with a role and string content or typed parts; tool_calls and role tool"}
}

func (Chat) Recognise(s *codec.Sniff) (int, string) {
	g := s.Requests()
	switch {
	case g.Shape == "" || g.Anthropic > g.OpenAI:
		return 0, ""
	case g.OpenAI > 0:
		return 70, g.Shape + " with " + g.What
	}
	return 50, g.Shape + "; text only, which OpenAI Chat and Anthropic spell alike, so it is called OpenAI Chat"
}

func (f Chat) Read(ctx context.Context, b *codec.Builder) error {
	return codec.ReadRequests(ctx, b, f)
}

// System takes a plain string; anything else stays a fixed part that the
// wrapper holds.
func (Chat) System(c *codec.Chat, v jspan.Value) {
	if v.Kind == jspan.String {
		codec.AddSystem(c, v)
	}
}

// Response adds the first choice of an answer to the conversation; the others
// are branches.
func (f Chat) Response(c *codec.Chat, v jspan.Value, _ model.Piece) {
	choices := v.Get("choices")
	if choices.Kind != jspan.Array {
		return
	}
	list := c.B.Array(choices, model.Piece{})
	name := c.B.Intern(v.Get("model").TextN(200))
	when, usage := codec.Millis(v.Get("created")), codec.OpenAIUsage(v.Get("usage"))
	for i, e := range choices.Items {
		m := e.Get("message")
		if m.Kind != jspan.Object {
			continue
		}
		c.B.Doc.Items++
		msg := f.Message(c, m)
		msg.Pieces = []model.Piece{c.B.Elem(list, i)}
		msg.Model, msg.Time, msg.Usage = name, when, usage
		if i == 0 {
			c.Add(msg, m)
			continue
		}
		c.Conv.Threads = append(c.Conv.Threads, &model.Thread{ID: "choice", AgentID: "main", Kind: model.ThreadBranch,
			Messages: []model.Message{msg}, History: []int32{0}})
	}
}

// Element adds the message of one element of a list.
func (f Chat) Element(c *codec.Chat, v jspan.Value, p model.Piece) {
	m := f.Message(c, v)
	m.Pieces = []model.Piece{p}
	c.Add(m, v)
}

// Message reads one message, without its pieces.
func (Chat) Message(c *codec.Chat, v jspan.Value) model.Message {
	f := codec.OpenAIFieldsOf(v)
	head := codec.ContentHead(f.Content)
	m := model.Message{ID: f.ID.TextN(200), Name: c.B.Intern(f.Name.TextN(200)), Model: c.B.Intern(f.Model.TextN(200)),
		Time: codec.Millis(f.When), Sealed: codec.HoldsCheckpoint(v)}
	m.Role, m.Kind = codec.RoleOf(f.Role)
	m.Calls = codec.OpenAICalls(c.B, f)
	switch m.Kind {
	case model.KindUser:
		m.Origin = c.UserOrigin(head)
	case model.KindResult:
		m.Answers = f.Answers.TextN(200)
		if m.Answers == "" && strings.EqualFold(f.Role.TextN(10), "function") {
			m.Answers = m.Name // a legacy call is known by its function
		}
		m.Error = f.Failed.Bool() || f.Failed.TextN(8) == "error"
	case model.KindOther:
		c.B.NoteRole(v, "role", f.Role.TextN(40))
	}
	codec.MarkSummary(&m, head)
	if f.Extra.Exists() && !f.Usage.Exists() {
		f.Usage = f.Extra.Get("response", "usage")
	}
	m.Usage = codec.OpenAIUsage(f.Usage)
	m.Preview = codec.Preview(head)
	if m.Preview == "" {
		m.Preview = codec.Preview(codec.CallPreview(m.Calls, f))
	}
	return m
}

// Parts implements [model.Codec].
func (Chat) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	var p codec.Parts // a loop of its own, not codec.ReadParts, so that it stays on the stack
	for _, piece := range m.Pieces {
		if piece.Duplicate {
			continue
		}
		v, err := edit.ParseAt(d, piece.Span)
		if err != nil {
			return nil, err
		}
		if msg := v.Get("message"); msg.Kind == jspan.Object {
			v = msg // a choice of a response
		}
		p.OpenAI(m, v)
	}
	return p.Done(), nil
}

// Place puts the summary before the first message it replaces. What is
// outside the list of messages (a response beside its request) has it behind
// the last message of the list.
func (Chat) Place(d *model.Document, th *model.Thread, m *model.Message, _ func(model.Piece) bool) (model.Piece, bool) {
	p := m.Pieces[0]
	if p.Array < 0 {
		return p, false
	}
	v, err := edit.ParseAt(d, p.Span)
	if err != nil || v.Get("message").Kind != jspan.Object {
		return p, false
	}
	if at, ok := edit.LastOfOtherList(d, th, m); ok {
		return at, true
	}
	return p, false
}

// Summary spells a system message with the members in the order and
// the white space of its neighbour.
func (Chat) Summary(d *model.Document, _ *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	if inner := like.Get("message"); inner.Kind == jspan.Object {
		body := edit.SpellLike(d, inner).Str("role", "system").Str("content", s.Text).Done()
		return edit.SpellLike(d, like).Raw("index", []byte("0")).Raw("message", body).Done(), nil
	}
	content := edit.Quote(d, s.Text)
	if like.Get("content").Index(0).Get("value").Kind == jspan.String {
		content = edit.TextBlocks(d, "value", s.Text) // a reader of typed parts takes nothing else
	}
	o := edit.SpellLike(d, like)
	for key := range like.Each {
		if string(key) == "content" {
			return o.Raw("content", content).Str("role", "system").Done(), nil
		}
		break
	}
	return o.Str("role", "system").Raw("content", content).Done(), nil
}

// ResultContent is the content of the tool message.
func (Chat) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	return codec.ResultSpan(d, m.Pieces, func(v jspan.Value) jspan.Value {
		content := v.Get("content")
		if one := content.Index(0).Get("value"); content.Count() == 1 && one.Kind == jspan.String {
			return one
		}
		return content
	})
}

// Relink mends one thing: where the first choice of an answer goes and no
// summary takes its place, the others go as well, or one of them would become
// the answer. Messages refer to each other by call ids only, and no group is
// ever split.
func (f Chat) Relink(d *model.Document, th *model.Thread, c *edit.Change, e *edit.Edits) ([]edit.Relink, error) {
	for _, i := range c.Drop {
		p := th.Messages[i].Pieces[0]
		if p.Array < 0 || len(d.Arrays[p.Array].Elems) < 2 {
			continue
		}
		if v, err := edit.ParseAt(d, p.Span); err != nil {
			return nil, err
		} else if v.Get("message").Kind != jspan.Object {
			continue
		}
		if _, beside := f.Place(d, th, &th.Messages[i], e.Dropped); !beside && edit.HasSummary(c, i) {
			continue
		}
		for _, el := range d.Arrays[p.Array].Elems {
			e.Drop(model.Piece{Span: el, Array: p.Array})
		}
	}
	return nil, nil
}
