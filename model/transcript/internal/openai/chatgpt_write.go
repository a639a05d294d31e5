package openai

import (
	"slices"
	"strconv"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Parts implements [model.Codec]. A piece is a member of mapping.
func (ChatGPT) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	return codec.ReadParts(d, m, func(p *codec.Parts, v jspan.Value) {
		v = edit.MemberValue(v).Get("message")
		if to := v.Get("recipient").TextN(200); m.Kind == model.KindAssistant && to != "" && to != "all" {
			part := model.Part{Kind: model.PartCall, Name: to}
			if p.Calls < len(m.Calls) {
				part.CallID = m.Calls[p.Calls].ID
			}
			for _, t := range chatGPTTexts(v.Get("content")) {
				part.Text += t.Text()
			}
			p.Calls++
			p.Add(part)
			return
		}
		chatGPTParts(p, m, v.Get("content"))
	})
}

// chatGPTTexts are the strings in a content that people read.
func chatGPTTexts(content jspan.Value) (texts []jspan.Value) {
	add := func(v jspan.Value) {
		if v.Kind == jspan.String && v.Len() > 2 {
			texts = append(texts, v)
		}
	}
	for _, e := range content.Get("parts").Items {
		add(e)
		add(e.Get("text")) // of a part that is spoken
	}
	for _, key := range []string{"text", "content", "result", "user_profile", "user_instructions", "model_set_context"} {
		add(content.Get(key))
	}
	for _, e := range content.Get("thoughts").Items {
		add(e.Get("content"))
	}
	return texts
}

func chatGPTHead(content jspan.Value) string {
	if t := chatGPTTexts(content); len(t) > 0 {
		return t[0].TextN(codec.PreviewScan)
	}
	return ""
}

// Relink mends the tree.
func (f ChatGPT) Relink(d *model.Document, th *model.Thread, c *edit.Change, e *edit.Edits) ([]edit.Relink, error) {
	t := f.trees[edit.ConversationOf(d, th)]
	if t == nil || len(c.Drop) == 0 {
		return nil, nil
	}
	return t.Relink(d, th, c, e)
}

// Summary spells a node with a message of the user.
func (ChatGPT) Summary(d *model.Document, _ *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	like = edit.MemberValue(like)
	author := edit.NewObject(d).Str("role", "user").Raw("name", []byte("null")).Raw("metadata", []byte("{}")).Done()
	content := edit.NewObject(d).Str("content_type", "text").Raw("parts", edit.List(edit.Quote(d, s.Text))).Done()
	message := edit.NewObject(d).Str("id", s.UID).Raw("author", author).
		Raw("create_time", strconv.AppendFloat(nil, float64(s.Time.UnixMilli())/1000, 'f', 3, 64)).Raw("update_time", []byte("null")).
		Raw("content", content).Str("status", "finished_successfully").Raw("end_turn", []byte("null")).Raw("weight", []byte("1.0")).
		Raw("metadata", []byte("{}")).Str("recipient", "all").Done()
	if len(s.Parent) == 0 { // it is at no node of the tree
		s.Parent, s.Children = []byte("null"), []byte("[]")
	}
	o := edit.SpellLike(d, like)
	colon := o.Colon
	node := o.Str("id", s.UID).Raw("message", message).Raw("parent", s.Parent).Raw("children", s.Children).Done()
	return slices.Concat(edit.Quote(d, s.UID), []byte(colon), node), nil
}

// ResultContent are the strings of the content.
func (ChatGPT) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	return codec.ResultSpans(d, m, func(v jspan.Value) []jspan.Value {
		return chatGPTTexts(edit.MemberValue(v).Get("message", "content"))
	})
}

func chatGPTParts(p *codec.Parts, m *model.Message, content jspan.Value) {
	kind := content.Get("content_type").TextN(24)
	texts := chatGPTTexts(content)
	if m.Kind == model.KindResult && len(texts) == 0 {
		p.Text(m, "")
	}
	for _, t := range texts {
		if kind == "thoughts" || kind == "reasoning_recap" {
			p.Reasoning(t.Text())
		} else {
			p.Text(m, t.Text())
		}
	}
	media := false
	for _, e := range content.Get("parts").Items {
		if e.Kind == jspan.Object && !e.Has("text") {
			p.Media(e.Get("content_type").TextN(80), e)
			media = true
		}
	}
	if len(texts) == 0 && !media && content.Count() > 1 && !content.Has("parts") {
		p.Opaque(kind, content)
	}
}
