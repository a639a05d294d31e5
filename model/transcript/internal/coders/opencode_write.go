package coders

import (
	"fmt"
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Parts implements [model.Codec]. A piece is a user's message, a part of an
// answer, or the text of a compaction's summary.
func (OpenCode) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	return codec.ReadParts(d, m, func(p *codec.Parts, v jspan.Value) {
		switch {
		case v.Kind == jspan.String:
			p.Text(m, v.Text())
		case v.Has("parts"):
			for _, e := range v.Get("parts").Items {
				openCodePart(p, m, e)
			}
		default:
			openCodePart(p, m, v)
		}
	})
}

// Place is where the message's element is, or behind it if an earlier step
// of the same answer is left; in place of an older summary, in that one's text.
func (OpenCode) Place(d *model.Document, _ *model.Thread, m *model.Message, dropped func(model.Piece) bool) (model.Piece, bool) {
	p := m.Pieces[0]
	at := edit.Outermost(d, p)
	for _, el := range d.Arrays[p.Array].Elems {
		if at.Span != p.Span && el.Off < p.Off && !dropped(model.Piece{Span: el, Array: p.Array}) {
			return at, true
		}
	}
	return at, false
}

// Summary spells a message of the user's with one text.
func (OpenCode) Summary(d *model.Document, _ *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	session := like.Get("info", "sessionID")
	when := edit.NewObject(d).Raw("created", fmt.Append(nil, s.Time.UnixMilli())).Done()
	info := edit.NewObject(d).Raw("id", s.Parent)
	part := edit.NewObject(d).Str("id", "prt_"+s.UID)
	if session.Exists() {
		info.Raw("sessionID", session.Raw())
		part.Raw("sessionID", session.Raw())
	}
	info.Str("role", "user").Raw("time", when)
	part.Raw("messageID", s.Parent).Str("type", "text").Str("text", s.Text)
	list := edit.List(part.Done())
	return edit.SpellLike(d, like).Raw("info", info.Done()).Raw("parts", list).Done(), nil
}

// ResultContent is the output of the tool, or its error.
func (OpenCode) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	return codec.ResultSpan(d, m.Pieces[:1], func(v jspan.Value) jspan.Value {
		out, _ := openCodeOutput(v)
		return out
	})
}

// Relink gives each summary an id: that of the message it replaces, so that
// ids stay in order, unless a step of that one is left. Answers to a message
// that goes become answers to the summary. A tail that began with a message that goes begins
// with the next one.
func (f OpenCode) Relink(d *model.Document, th *model.Thread, c *edit.Change, e *edit.Edits) ([]edit.Relink, error) {
	if len(c.Drop) == 0 {
		return nil, nil
	}
	e.Promote()
	gone := map[string]bool{}
	for i := range th.Messages {
		if m := &th.Messages[i]; m.ID != "" && e.Dropped(edit.Outermost(d, m.Pieces[0])) {
			gone[m.ID] = true
		}
	}
	standIn := ""
	for i := range c.Summaries {
		s := &c.Summaries[i]
		id := th.Messages[s.Before].ID
		if !gone[id] {
			id = "msg_" + s.UID
		}
		s.Parent = edit.Quote(d, id)
		delete(gone, id)
		if standIn == "" {
			standIn = id
		}
	}
	var out []edit.Relink
	seen := map[model.Span]bool{}
	for i := range th.Messages {
		m := &th.Messages[i]
		at := edit.Outermost(d, m.Pieces[0])
		if e.Dropped(at) || seen[at.Span] || at.Array < 0 || !gone[m.ParentID] && m.Kind != model.KindBoundary {
			continue
		}
		seen[at.Span] = true
		v, err := edit.ParseAt(d, at.Span)
		if err != nil {
			return nil, err
		}
		repoint := func(field string, id jspan.Value, to string) {
			span := edit.Within(at.Span, id)
			e.Replace(span, edit.QuoteOrNull(d, to))
			out = append(out, edit.Relink{Off: span.Off, Field: field, From: id.TextN(200), To: to})
		}
		if p := v.Get("info", "parentID"); gone[m.ParentID] && p.Kind == jspan.String {
			repoint("parentID", p, standIn)
		}
		for _, part := range v.Get("parts").Items {
			tail := part.Get("tail_start_id")
			if next := openCodeNext(th.Messages[:i], tail.TextN(200), gone); next != "" {
				repoint("tail_start_id", tail, next)
			}
		}
	}
	return out, nil
}

// openCodeNext is the message that stays next after one that goes; "" if none does, or if that
// one stays. A tail that began with it would be empty else.
func openCodeNext(list []model.Message, id string, gone map[string]bool) string {
	at := slices.IndexFunc(list, func(m model.Message) bool { return m.ID == id })
	for ; gone[id] && at >= 0 && at < len(list); at++ {
		if next := list[at].ID; next != "" && !gone[next] {
			return next
		}
	}
	return ""
}

func openCodePart(p *codec.Parts, m *model.Message, e jspan.Value) {
	switch e.Get("type").TextN(20) {
	case "text":
		if !e.Get("ignored").Bool() {
			p.Text(m, e.Get("text").Text())
		}
	case "reasoning":
		p.Reasoning(e.Get("text").Text())
	case "tool":
		if m.Kind == model.KindResult {
			out, _ := openCodeOutput(e)
			p.Text(m, out.Text())
			for _, a := range e.Get("state", "attachments").Items {
				p.Media(codec.FirstOf(a.Get("mime").TextN(80), "file"), a.Get("url"))
			}
			return
		}
		p.Call(m, e.Get("tool").TextN(200), e.Get("state", "input"))
	case "file":
		p.Media(codec.FirstOf(e.Get("mime").TextN(80), "file"), e.Get("url"))
	case "subtask":
		p.Text(m, e.Get("prompt").Text())
	}
}
