package transcript

import (
	"fmt"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// place puts the summary before the message that held the first thing it
// replaces, or behind it if kept blocks stand in front. In the place of a
// compaction block it is a compaction block, so that what that one hid stays
// hidden; between two kept blocks it is a text block.
func (anthropic) place(d *model.Document, th *model.Thread, m *model.Message, dropped func(model.Piece) bool) (model.Piece, bool) {
	p := m.Pieces[0]
	if p.Array < 0 {
		return p, false
	}
	a := d.Arrays[p.Array]
	if a.Holder.Len == 0 || isCompaction(d, p) {
		return p, false
	}
	if at, ok := lastOfOtherList(d, th, m); ok {
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

// lastOfOtherList finds the last message before m that stands in another
// outermost list than m does.
func lastOfOtherList(d *model.Document, th *model.Thread, m *model.Message) (at model.Piece, ok bool) {
	list := outermost(d, m.Pieces[0]).Array
	for i := range th.Messages {
		if &th.Messages[i] == m {
			break
		}
		if q := outermost(d, th.Messages[i].Pieces[0]); q.Array >= 0 && q.Array != list {
			at, ok = q, true
		}
	}
	return at, ok
}

// outermost is the element of an outermost array that holds a piece.
func outermost(d *model.Document, p model.Piece) model.Piece {
	for p.Array >= 0 && d.Arrays[p.Array].Holder.Len > 0 {
		p = d.Arrays[p.Array].Holder
	}
	return p
}

func isCompaction(d *model.Document, p model.Piece) bool {
	v, err := parseAt(d, p.Span)
	return err == nil && v.Get("type").TextN(12) == "compaction"
}

// summary spells a user message; roles may then repeat, the API merges
// neighbours.
func (anthropic) summary(d *model.Document, _ *model.Thread, s Summary, like model.Piece) ([]byte, error) {
	v, err := parseAt(d, like.Span)
	if err != nil {
		return nil, err
	}
	o := spellLike(d, v)
	switch {
	case v.Get("type").TextN(12) == "compaction":
		return o.str("type", "compaction").str("content", s.Text).done(), nil
	case !v.Has("role"):
		return o.str("type", "text").str("text", s.Text).done(), nil
	case firstKey(v) == "content":
		return o.str("content", s.Text).str("role", "user").done(), nil
	}
	return o.str("role", "user").str("content", s.Text).done(), nil
}

// firstKey is the name of an object's first member.
func firstKey(v jspan.Value) (name string) {
	v.Each(func(key []byte, _ jspan.Value) bool {
		name = string(key)
		return false
	})
	return name
}

// resultContent is the content of the tool_result block.
func (anthropic) resultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	for _, p := range m.Pieces {
		v, err := parseAt(d, p.Span)
		if err != nil {
			return nil, err
		}
		block := v
		if v.Has("role") {
			block = v.Get("content")
			if block.Kind == jspan.Array {
				block = block.Index(0)
			} else {
				return []model.Span{within(p.Span, block)}, nil
			}
		}
		if content := block.Get("content"); content.Exists() {
			return []model.Span{within(p.Span, content)}, nil
		}
	}
	return nil, fmt.Errorf("the result has no content")
}

// relink mends one thing: a compaction block that goes without another in its
// place would bring back what it hid, so that goes as well.
func (anthropic) relink(d *model.Document, th *model.Thread, c *Change, e *Edits) ([]Relink, error) {
	for _, i := range c.Drop {
		m := &th.Messages[i]
		if m.Kind != model.KindSummary || len(m.Pieces) == 0 || !isCompaction(d, m.Pieces[0]) || replaced(c, i) {
			continue
		}
		live := indexSet(th.Live(len(th.History)))
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

func replaced(c *Change, i int32) bool {
	for _, s := range c.Summaries {
		if s.Before == i {
			return true
		}
	}
	return false
}
