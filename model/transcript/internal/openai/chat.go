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

func (f Chat) Element(c *codec.Chat, v jspan.Value, p model.Piece) {
	m := f.Message(c, v)
	m.Pieces = []model.Piece{p}
	c.Add(m, v)
}

// Message reads one message, without its pieces.
func (Chat) Message(c *codec.Chat, v jspan.Value) model.Message {
	f := codec.OpenAIFieldsOf(v)
	head := codec.ContentHead(f.Content)
	m := model.Message{ID: f.ID.TextN(200), Name: c.B.Intern(f.Name.TextN(200)), Model: c.B.Intern(f.Model.TextN(200)), Time: codec.Millis(f.When)}
	m.Role, m.Kind = codec.RoleOf(f.Role)
	m.Calls = codec.OpenAICalls(c.B, f)
	switch m.Kind {
	case model.KindSystem:
		if codec.IsSummaryText(head) {
			m.Kind = model.KindSummary
		}
	case model.KindUser:
		m.Origin = c.UserOrigin(head)
		if codec.IsSummaryText(head) {
			m.Kind, m.Origin = model.KindSummary, model.OriginUnknown
		}
	case model.KindResult:
		m.Answers = f.Answers.TextN(200)
		if m.Answers == "" && strings.EqualFold(f.Role.TextN(10), "function") {
			m.Answers = m.Name // a legacy call is known by its function
		}
		m.Error = f.Failed.Bool() || f.Failed.TextN(8) == "error"
	case model.KindOther:
		c.B.NoteAt(v, "unknown-role", "unknown role "+string(edit.Quote(c.B.Doc, f.Role.TextN(40)))+"; the message is kept")
	}
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
	return codec.ReadParts(d, m, func(p *codec.Parts, v jspan.Value) {
		if msg := v.Get("message"); msg.Kind == jspan.Object {
			v = msg // a choice of a response
		}
		p.OpenAI(m, v)
	})
}
