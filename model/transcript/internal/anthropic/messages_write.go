package anthropic

import (
	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Place puts the summary before the message that held the first thing it
// replaces, or behind it if kept blocks are in front. In the place of a
// compaction block it is a compaction block, so that what that one hid stays
// hidden; between two kept blocks it is a text block.
func (Messages) Place(d *model.Document, th *model.Thread, m *model.Message, dropped func(model.Piece) bool) (model.Piece, bool) {
	p := m.Pieces[0]
	if p.Array < 0 {
		return p, false
	}
	a := d.Arrays[p.Array]
	if a.Holder.Len == 0 || isCompaction(d, p) {
		return p, false
	}
	if at, ok := edit.LastOfOtherList(d, th, m); ok {
		return at, true // an answer beside its request
	}
	before, after := false, false
	for _, el := range a.Elems {
		kept := !dropped(model.Piece{Span: el, Array: p.Array})
		before = before || kept && el.Off < p.Off
		after = after || kept && el.Off > p.Off
	}
	switch {
	case !before:
		return a.Holder, false
	case !after:
		return a.Holder, true
	}
	return p, false
}

func isCompaction(d *model.Document, p model.Piece) bool {
	v, err := edit.ParseAt(d, p.Span)
	return err == nil && v.Get("type").TextN(12) == "compaction"
}

// Summary spells a user message; roles may then repeat, the API merges
// neighbours.
func (Messages) Summary(d *model.Document, _ *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	o := edit.SpellLike(d, like)
	switch {
	case like.Get("type").TextN(12) == "compaction":
		return o.Str("type", "compaction").Str("content", s.Text).Done(), nil
	case !like.Has("role"):
		return o.Str("type", "text").Str("text", s.Text).Done(), nil
	case edit.FirstKey(like) == "content":
		return o.Str("content", s.Text).Str("role", "user").Done(), nil
	}
	return o.Str("role", "user").Str("content", s.Text).Done(), nil
}

// ResultContent is the content of the tool_result block.
func (Messages) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	return codec.ResultSpan(d, m.Pieces, func(block jspan.Value) jspan.Value {
		if block.Has("role") {
			if block = block.Get("content"); block.Kind != jspan.Array {
				return block
			}
			block = block.Index(0)
		}
		return block.Get("content")
	})
}

// Relink mends one thing: a compaction block that goes without another in its
// place would bring back what it hid, so that goes as well.
func (Messages) Relink(d *model.Document, th *model.Thread, c *edit.Change, e *edit.Edits) ([]edit.Relink, error) {
	for _, i := range c.Drop {
		m := &th.Messages[i]
		if m.Kind != model.KindSummary || len(m.Pieces) == 0 || !isCompaction(d, m.Pieces[0]) || edit.HasSummary(c, i) {
			continue
		}
		live := edit.IndexSet(th.Live(len(th.History)))
		for k := range i {
			if live[k] {
				continue
			}
			for _, p := range th.Messages[k].Pieces {
				e.Drop(p)
			}
		}
	}
	return nil, nil
}
