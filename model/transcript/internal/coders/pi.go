package coders

import (
	"context"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Pi reads the sessions of the pi coding agent: JSON Lines of entries behind a
// session header. Entries of version 2 and later name the entry before them and
// may form a tree, whose last entry is where the session is; those of
// version 1 follow the order of the file.
//
// A compaction entry hides all that came before it but the entries from the
// first kept one on, which it names by id (by index in version 1).
type Pi struct{}

func (Pi) Info() codec.Info {
	return codec.Info{Format: model.FormatPi, Title: "pi session",
		How: "a session line, then entries of type message whose message has a role (user, assistant, toolResult …)"}
}

func isPiMessage(v jspan.Value) bool {
	return v.Get("type").TextN(10) == "message" && v.Get("message", "role").Kind == jspan.String && !v.Has("uuid")
}

func (Pi) Recognise(s *codec.Sniff) (int, string) {
	if !s.JSONLines {
		return 0, ""
	}
	head := s.Any(func(v jspan.Value) bool {
		return v.Get("type").TextN(10) == "session" && v.Get("id").Kind == jspan.String && v.Has("timestamp")
	})
	switch {
	case head && s.Any(isPiMessage):
		return 92, "a session line and message entries, as pi writes them"
	case s.Share(isPiMessage) >= 0.5:
		return 60, "message entries as pi writes them, without a session line"
	case s.Any(isPiMessage):
		return 40, "message entries as pi writes them, among other records"
	}
	return 0, ""
}

func (Pi) Read(ctx context.Context, b *codec.Builder) error {
	r := &piReader{Builder: b, byID: map[string]int{}, leaf: -1}
	if err := b.EachValue(ctx, r.entry); err != nil {
		return err
	}
	r.finish()
	return nil
}

// Parts implements [model.Codec].
func (Pi) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	v, err := edit.ParseAt(d, m.Pieces[0].Span)
	if err != nil {
		return nil, err
	}
	switch v.Get("type").TextN(20) {
	case "":
		return []model.Part{{Kind: model.PartText, Text: v.Text()}}, nil // the text of a compaction
	case "branch_summary":
		return []model.Part{{Kind: model.PartText, Text: v.Get("summary").Text()}}, nil
	case "custom_message":
		return piContent(m, v.Get("content")), nil
	}
	msg := v.Get("message")
	if msg.Get("role").TextN(20) == "bashExecution" {
		text := "Ran `" + msg.Get("command").Text() + "`\n"
		if out := msg.Get("output").Text(); out != "" {
			text += "```\n" + out + "\n```"
		} else {
			text += "(no output)"
		}
		return []model.Part{{Kind: model.PartText, Text: text}}, nil
	}
	return piContent(m, msg.Get("content")), nil
}

// piContent decodes a string or a list of blocks.
func piContent(m *model.Message, content jspan.Value) []model.Part {
	var p codec.Parts
	switch content.Kind {
	case jspan.String:
		p.Text(m, content.Text())
	case jspan.Array:
		for _, e := range content.Items {
			piBlock(&p, m, e)
		}
	}
	p.EnsureResult(m)
	return p.Done()
}

func piBlock(p *codec.Parts, m *model.Message, e jspan.Value) {
	switch t := e.Get("type").TextN(40); t {
	case "text":
		p.Text(m, e.Get("text").Text())
	case "thinking":
		p.Reasoning(e.Get("thinking").Text())
		if s := e.Get("thinkingSignature"); s.Kind == jspan.String && s.Len() > 2 {
			p.Opaque("signature", s)
		}
	case "toolCall":
		p.Call(m, e.Get("name").TextN(200), e.Get("arguments"))
	case "image":
		name := e.Get("mimeType").TextN(80)
		if name == "" {
			name = t
		}
		p.Media(name, e.Get("data"))
	default:
		p.Opaque(codec.FirstOf(t, "block"), e)
	}
}
