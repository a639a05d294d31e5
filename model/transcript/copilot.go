package transcript

import (
	"context"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// copilot reads the events of GitHub Copilot CLI: one chain of {type, data, id,
// timestamp, parentId}. Messages, answers and completed tools are the history;
// starts, ends and hooks beside them tell the same to a screen and go where
// their message goes. What has a parentToolCallId is a sub-agent's.
type copilot struct{}

func (copilot) info() Info {
	return Info{model.FormatCopilot, "GitHub Copilot CLI events",
		"records with data and a type with a dot (session.start, assistant.message, tool.execution_complete …)"}
}

// isCopilotEvent recognises the envelope of an event.
func isCopilotEvent(v jspan.Value) bool {
	m := members(v, "type", "data")
	family, _, dot := strings.Cut(m[0].TextN(60), ".")
	if m[1].Kind != jspan.Object {
		return false
	}
	switch family {
	case "session", "user", "assistant", "tool", "hook", "system", "subagent", "skill":
		return dot
	}
	return family == "abort"
}

func (copilot) recognise(s *sniff) (int, string) {
	telling := func(v jspan.Value) bool {
		switch v.Get("type").TextN(60) {
		case "user.message", "assistant.message", "session.start", "tool.execution_complete":
			return true
		}
		return false
	}
	if s.share(isCopilotEvent) >= 0.5 && s.any(telling) {
		return 92, "events with a type like assistant.message and data, as GitHub Copilot CLI writes them"
	}
	return 0, ""
}

func (copilot) read(ctx context.Context, b *builder) error {
	r := &copilotReader{chat: b.newChat(), hooks: map[string]int32{}, agents: map[string]*copilotReader{}, names: map[string]string{}}
	r.top = r
	if b.whole.Exists() {
		r.event(b.whole, b.record(b.whole))
	} else if err := b.lines(ctx, func(v jspan.Value) error {
		r.event(v, b.record(v))
		return nil
	}); err != nil {
		return err
	}
	r.unknown.tell(b)
	r.settle()
	if len(r.conv.Threads) == 1 {
		r.finish()
	}
	return nil
}

// Parts implements [model.Codec].
func (copilot) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	v, err := parseAt(d, m.Pieces[0].Span)
	if err != nil {
		return nil, err
	}
	var p parts
	if v.Kind == jspan.String { // the text of a compaction
		p.text(m, v.Text())
		return p.done(), nil
	}
	data := v.Get("data")
	switch m.Kind {
	case model.KindAssistant:
		p.reasoning(data.Get("reasoningText").Text())
		for _, k := range []string{"reasoningOpaque", "encryptedContent"} {
			if x := data.Get(k); x.Kind == jspan.String && x.Len() > 2 {
				p.opaque(k, x)
			}
		}
		p.text(m, data.Get("content").Text())
		data.Get("toolRequests").Items(func(_ int, e jspan.Value) bool {
			p.call(m, e.Get("name").TextN(200), e.Get("arguments"))
			return true
		})
	case model.KindResult:
		out := copilotOutput(data)
		if out.Kind == jspan.String || !out.Exists() {
			p.text(m, out.Text())
		} else {
			p.text(m, rawText(out))
		}
	default:
		text := data.Get("transformedContent") // what the model gets
		if text.Kind != jspan.String || text.Len() <= 2 {
			text = data.Get("content")
		}
		p.text(m, text.Text())
		data.Get("attachments").Items(func(_ int, e jspan.Value) bool {
			if x := e.Get("data"); x.Kind == jspan.String {
				p.media(firstOf(e.Get("mimeType").TextN(80), "attachment"), x)
			}
			return true
		})
	}
	return p.done(), nil
}

// copilotOutput is what a tool gave to the model: its result, or why it failed.
func copilotOutput(data jspan.Value) jspan.Value {
	if out := data.Get("result", "content"); out.Exists() {
		return out
	}
	if out := data.Get("error", "message"); out.Exists() {
		return out
	}
	return data.Get("error")
}
