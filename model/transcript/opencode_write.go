package transcript

import (
	"bytes"
	"fmt"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// Parts implements [model.Codec]. A piece is a user's message, a part of an
// answer, or the text of a compaction's summary.
func (openCode) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	var p parts
	for _, piece := range m.Pieces {
		v, err := parseAt(d, piece.Span)
		if err != nil {
			return nil, err
		}
		switch {
		case v.Kind == jspan.String:
			p.text(m, v.Text())
		case v.Has("parts"):
			v.Get("parts").Items(func(_ int, e jspan.Value) bool {
				p.openCode(m, e)
				return true
			})
		default:
			p.openCode(m, v)
		}
	}
	return p.done(), nil
}

func (p *parts) openCode(m *model.Message, e jspan.Value) {
	switch e.Get("type").TextN(20) {
	case "text":
		if !e.Get("ignored").Bool() {
			p.text(m, e.Get("text").Text())
		}
	case "reasoning":
		p.reasoning(e.Get("text").Text())
	case "tool":
		if m.Kind == model.KindResult {
			out, _ := ocOutput(e)
			p.text(m, out.Text())
			e.Get("state", "attachments").Items(func(_ int, a jspan.Value) bool {
				p.media(firstOf(a.Get("mime").TextN(80), "file"), a.Get("url"))
				return true
			})
			return
		}
		p.call(m, e.Get("tool").TextN(200), e.Get("state", "input"))
	case "file":
		p.media(firstOf(e.Get("mime").TextN(80), "file"), e.Get("url"))
	case "subtask":
		p.text(m, e.Get("prompt").Text())
	}
}

// place is where the message's element stands, or behind it if an earlier step
// of the same answer is left; in place of an older summary, in that one's text.
func (openCode) place(d *model.Document, _ *model.Thread, m *model.Message, dropped func(model.Piece) bool) (model.Piece, bool) {
	p := m.Pieces[0]
	at := outermost(d, p)
	for _, el := range d.Arrays[p.Array].Elems {
		if at.Span != p.Span && el.Off < p.Off && !dropped(model.Piece{Span: el, Array: p.Array}) {
			return at, true
		}
	}
	return at, false
}

// summary spells a message of the user's with one text.
func (openCode) summary(d *model.Document, _ *model.Thread, s Summary, like model.Piece) ([]byte, error) {
	if isText, err := inText(d, like); isText || err != nil {
		return quote(d, s.Text), err
	}
	v, err := parseAt(d, like.Span)
	if err != nil {
		return nil, err
	}
	session := v.Get("info", "sessionID")
	when := newObject(d).raw("created", fmt.Append(nil, s.Time.UnixMilli())).done()
	info := newObject(d).raw("id", s.parent)
	part := newObject(d).str("id", "prt_"+s.UID)
	if session.Exists() {
		info.raw("sessionID", session.Raw())
		part.raw("sessionID", session.Raw())
	}
	info.str("role", "user").raw("time", when)
	part.raw("messageID", s.parent).str("type", "text").str("text", s.Text)
	list := bytes.Join([][]byte{{'['}, part.done(), {']'}}, nil)
	return spellLike(d, v).raw("info", info.done()).raw("parts", list).done(), nil
}

// resultContent is the output of the tool, or its error.
func (openCode) resultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	at := m.Pieces[0].Span
	v, err := parseAt(d, at)
	if err != nil {
		return nil, err
	}
	if out, _ := ocOutput(v); out.Exists() {
		return []model.Span{within(at, out)}, nil
	}
	return nil, fmt.Errorf("the result has no content")
}

// relink gives each summary an id: that of the message it stands for, so that
// ids stay in order, unless a step of that one is left. Answers to a message
// that goes become answers to the summary.
func (f openCode) relink(d *model.Document, th *model.Thread, c *Change, e *Edits) ([]Relink, error) {
	if len(c.Drop) == 0 {
		return nil, nil
	}
	if err := emptyTexts(d, th, c, e); err != nil {
		return nil, err
	}
	e.promote()
	gone := map[string]bool{}
	for i := range th.Messages {
		if m := &th.Messages[i]; e.Dropped(outermost(d, m.Pieces[0])) {
			gone[m.ID] = true
		}
	}
	standIn := ""
	for i := range c.Summaries {
		s := &c.Summaries[i]
		id := th.Messages[s.Before].ID
		if !gone[id] || id == "" {
			id = "msg_" + s.UID
		}
		s.parent = quote(d, id)
		if standIn == "" {
			standIn = id
		}
	}
	var out []Relink
	seen := map[model.Span]bool{}
	for i := range th.Messages {
		m := &th.Messages[i]
		at := outermost(d, m.Pieces[0])
		if !gone[m.ParentID] || gone[m.ID] || m.ParentID == standIn || seen[at.Span] || at.Array < 0 {
			continue
		}
		seen[at.Span] = true
		v, err := parseAt(d, at.Span)
		if err != nil {
			return nil, err
		}
		if p := v.Get("info", "parentID"); p.Kind == jspan.String {
			span := within(at.Span, p)
			e.Replace(span, quoteOrNull(d, standIn))
			out = append(out, Relink{Off: span.Off, Field: "parentID", From: m.ParentID, To: standIn})
		}
	}
	return out, nil
}
