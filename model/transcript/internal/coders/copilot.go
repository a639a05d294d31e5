package coders

import (
	"context"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Copilot reads the events of GitHub Copilot CLI: one chain of {type, data, id,
// timestamp, parentId}. Messages, answers and completed tools are the history;
// starts, ends and hooks beside them repeat it for a screen and go where
// their message goes. What has a parentToolCallId is a sub-agent's.
type Copilot struct{ codec.InPlace }

func (Copilot) Info() codec.Info {
	return codec.Info{Format: model.FormatCopilot, Title: "GitHub Copilot CLI events",
		How: "records with data and a type with a dot (session.start, assistant.message, tool.execution_complete …)"}
}

// isCopilotEvent recognises the envelope of an event.
func isCopilotEvent(v jspan.Value) bool {
	m := codec.MembersOf(v, "type", "data")
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

func (Copilot) Recognise(s *codec.Sniff) (int, string) {
	telling := func(v jspan.Value) bool {
		switch v.Get("type").TextN(60) {
		case "user.message", "assistant.message", "session.start", "tool.execution_complete":
			return true
		}
		return false
	}
	if s.Share(isCopilotEvent) >= 0.5 && s.Any(telling) {
		return 92, "events with a type like assistant.message and data, as GitHub Copilot CLI writes them"
	}
	return 0, ""
}

func (Copilot) Read(ctx context.Context, b *codec.Builder) error {
	r := &copilotReader{Chat: b.NewChat(), hooks: map[string]int32{}, agents: map[string]*copilotReader{}, names: map[string]string{}}
	r.top = r
	if err := codec.EachRecord(ctx, b, jspan.Value{}, r.event); err != nil {
		return err
	}
	r.unknown.Report(b)
	r.flushAhead()
	if len(r.Conv.Threads) == 1 {
		r.Finish()
	}
	return nil
}

// Parts implements [model.Codec].
func (Copilot) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	v, err := edit.ParseAt(d, m.Pieces[0].Span)
	if err != nil {
		return nil, err
	}
	var p codec.Parts
	if v.Kind == jspan.String { // the text of a compaction
		p.Text(m, v.Text())
		return p.Done(), nil
	}
	data := v.Get("data")
	switch m.Kind {
	case model.KindAssistant:
		p.Reasoning(data.Get("reasoningText").Text())
		for _, k := range []string{"reasoningOpaque", "encryptedContent"} {
			if x := data.Get(k); x.Kind == jspan.String && x.Len() > 2 {
				p.Opaque(k, x)
			}
		}
		p.Text(m, data.Get("content").Text())
		for _, e := range data.Get("toolRequests").Items {
			p.Call(m, e.Get("name").TextN(200), e.Get("arguments"))
		}
	case model.KindResult:
		out := copilotOutput(data)
		if out.Kind == jspan.String || !out.Exists() {
			p.Text(m, out.Text())
		} else {
			p.Text(m, out.RawText())
		}
	default:
		text := data.Get("transformedContent") // what the model gets
		if text.Kind != jspan.String || text.Len() <= 2 {
			text = data.Get("content")
		}
		p.Text(m, text.Text())
		for _, e := range data.Get("attachments").Items {
			if x := e.Get("data"); x.Kind == jspan.String {
				p.Media(codec.FirstOf(e.Get("mimeType").TextN(80), "attachment"), x)
			}
		}
	}
	return p.Done(), nil
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

// Summary spells a message of the user's, or the text of an older compaction.
// It has the time of the event it replaces: the chain is read in order.
func (Copilot) Summary(d *model.Document, _ *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	data := edit.NewObject(d).Str("content", s.Text).Raw("attachments", []byte("[]"))
	for _, k := range []string{"interactionId", "parentToolCallId"} {
		if x := like.Get("data", k); x.Exists() {
			data.Raw(k, x.Raw())
		}
	}
	o := edit.NewObject(d).Str("type", "user.message").Raw("data", data.Done()).Str("id", s.UID)
	if when := like.Get("timestamp"); when.Exists() {
		o.Raw("timestamp", when.Raw())
	}
	return o.Raw("parentId", s.Parent).Done(), nil
}

// ResultContent lists the model's text, the screen's longer one, and a hook's copies of
// both.
func (Copilot) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	return codec.ResultSpans(d, m.Pieces, func(v jspan.Value, p model.Piece) []jspan.Value {
		data := v.Get("data")
		if p.Duplicate {
			data = data.Get("input", "toolResult")
			return []jspan.Value{data.Get("textResultForLlm"), data.Get("sessionLog")}
		}
		return []jspan.Value{copilotOutput(data), data.Get("result", "detailedContent")}
	})
}

// CopilotIDs reads the ID of an event and the one it follows, for [edit.ReadLinks].
func CopilotIDs(v jspan.Value, ref func(field string, parent bool, at jspan.Value)) string {
	if p := v.Get("parentId"); p.Exists() {
		ref("parentId", true, p)
	}
	return v.Get("id").Text()
}

// Relink closes the chain over what goes.
func (Copilot) Relink(d *model.Document, th *model.Thread, c *edit.Change, e *edit.Edits) ([]edit.Relink, error) {
	if len(c.Drop) == 0 {
		return nil, nil
	}
	if err := noNegatives(d, th, e); err != nil {
		return nil, err
	}
	l, err := edit.ReadLinks(d, e, CopilotIDs)
	if err != nil {
		return nil, err
	}
	for i := range c.Summaries {
		s := &c.Summaries[i]
		s.Parent = edit.QuoteOrNull(d, l.PlaceSummary(th.Messages[s.Before].Pieces[0].Off, s.UID))
	}
	return l.Relink(e, func(_, id string) []byte { return edit.QuoteOrNull(d, id) }), nil
}

// noNegatives writes 0 for a negative number of tokens that a compaction says it removed: with
// it Copilot CLI does not open the session.
func noNegatives(d *model.Document, th *model.Thread, e *edit.Edits) error {
	for _, f := range th.Found {
		if f.Summary < 0 {
			continue
		}
		record, ok := edit.RecordAround(d, th.Messages[f.Summary].Pieces[0])
		if !ok {
			continue
		}
		v, err := edit.ParseAt(d, record)
		if err != nil {
			return err
		}
		if n := v.Get("data", "tokensRemoved"); n.Kind == jspan.Number && n.Int() < 0 {
			e.Replace(edit.Within(record, n), []byte("0"))
		}
	}
	return nil
}
