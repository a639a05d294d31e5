package transcript

import (
	"fmt"
	"slices"
	"strconv"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// Parts implements [model.Codec]. A piece is a member of mapping.
func (chatGPT) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	var p parts
	for _, piece := range m.Pieces {
		node, err := parseMember(d, piece.Span)
		if err != nil {
			return nil, err
		}
		v := node.Get("message")
		if to := v.Get("recipient").TextN(200); m.Kind == model.KindAssistant && to != "" && to != "all" {
			part := model.Part{Kind: model.PartCall, Name: to}
			if p.calls < len(m.Calls) {
				part.CallID = m.Calls[p.calls].ID
			}
			for _, t := range chatGPTTexts(v.Get("content")) {
				part.Text += t.Text()
			}
			p.calls++
			p.add(part)
			continue
		}
		p.chatGPT(m, v.Get("content"))
	}
	return p.done(), nil
}

// chatGPTTexts are the strings in a content that people read.
func chatGPTTexts(content jspan.Value) (texts []jspan.Value) {
	add := func(v jspan.Value) {
		if v.Kind == jspan.String && v.Len() > 2 {
			texts = append(texts, v)
		}
	}
	content.Get("parts").Items(func(_ int, e jspan.Value) bool {
		add(e)
		add(e.Get("text")) // of a part that is spoken
		return true
	})
	for _, key := range []string{"text", "content", "result", "user_profile", "user_instructions", "model_set_context"} {
		add(content.Get(key))
	}
	content.Get("thoughts").Items(func(_ int, e jspan.Value) bool {
		add(e.Get("content"))
		return true
	})
	return texts
}

func chatGPTHead(content jspan.Value) string {
	if t := chatGPTTexts(content); len(t) > 0 {
		return t[0].TextN(previewScan)
	}
	return ""
}

func (p *parts) chatGPT(m *model.Message, content jspan.Value) {
	kind := content.Get("content_type").TextN(24)
	texts := chatGPTTexts(content)
	if m.Kind == model.KindResult && len(texts) == 0 {
		p.text(m, "")
	}
	for _, t := range texts {
		if kind == "thoughts" || kind == "reasoning_recap" {
			p.reasoning(t.Text())
		} else {
			p.text(m, t.Text())
		}
	}
	media := false
	content.Get("parts").Items(func(_ int, e jspan.Value) bool {
		if e.Kind == jspan.Object && !e.Has("text") {
			p.media(e.Get("content_type").TextN(80), e)
			media = true
		}
		return true
	})
	if len(texts) == 0 && !media && content.Count() > 1 && !content.Has("parts") {
		p.opaque(kind, content)
	}
}

// place puts the summary where the first node stood that it replaces.
func (chatGPT) place(_ *model.Document, _ *model.Thread, m *model.Message, _ func(model.Piece) bool) (model.Piece, bool) {
	return m.Pieces[0], false
}

// relink mends the tree.
func (f chatGPT) relink(d *model.Document, th *model.Thread, c *Change, e *Edits) ([]Relink, error) {
	t := f.trees[conversationOf(d, th)]
	if t == nil || len(c.Drop) == 0 {
		return nil, nil
	}
	return t.mend(d, th, c, e)
}

// summary spells a node with a message of the user.
func (chatGPT) summary(d *model.Document, _ *model.Thread, s Summary, like model.Piece) ([]byte, error) {
	v, err := parseMember(d, like.Span)
	if err != nil {
		return nil, err
	}
	author := newObject(d).str("role", "user").raw("name", []byte("null")).raw("metadata", []byte("{}")).done()
	content := newObject(d).str("content_type", "text").raw("parts", slices.Concat([]byte{'['}, quote(d, s.Text), []byte{']'})).done()
	message := newObject(d).str("id", s.UID).raw("author", author).
		raw("create_time", strconv.AppendFloat(nil, float64(s.Time.UnixMilli())/1000, 'f', 3, 64)).raw("update_time", []byte("null")).
		raw("content", content).str("status", "finished_successfully").raw("end_turn", []byte("null")).raw("weight", []byte("1.0")).
		raw("metadata", []byte("{}")).str("recipient", "all").done()
	if len(s.parent) == 0 { // it stands at no node of the tree
		s.parent, s.children = []byte("null"), []byte("[]")
	}
	o := spellLike(d, v)
	colon := o.colon
	node := o.str("id", s.UID).raw("message", message).raw("parent", s.parent).raw("children", s.children).done()
	return slices.Concat(quote(d, s.UID), []byte(colon), node), nil
}

// resultContent are the strings of the content.
func (chatGPT) resultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	p := m.Pieces[0]
	node, err := parseMember(d, p.Span)
	if err != nil {
		return nil, fmt.Errorf("read the node: %w", err)
	}
	var spans []model.Span
	for _, t := range chatGPTTexts(node.Get("message", "content")) {
		spans = append(spans, within(p.Span, t))
	}
	return spans, nil
}
