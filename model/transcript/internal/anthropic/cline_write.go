package anthropic

import (
	"fmt"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Summary spells a user message as its neighbour is spelled: with an id where
// that has one, in blocks, with a time. It has no isSummary: some versions take
// that to hide all that stands before, also what was kept.
func (Cline) Summary(d *model.Document, _ *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	o := edit.SpellLike(d, like)
	if !like.Has("role") && like.Get("type").TextN(12) != "reasoning" { // between kept blocks
		return o.Str("type", "text").Str("text", s.Text).Done(), nil
	}
	if like.Has("id") {
		o.Str("id", s.UID)
	}
	o.Str("role", "user")
	if like.Get("content").Kind == jspan.String {
		o.Str("content", s.Text)
	} else {
		o.Raw("content", edit.TextBlocks(d, "text", s.Text))
	}
	return o.Raw("ts", fmt.Append(nil, s.Time.UnixMilli())).Done(), nil
}

// Relink takes out what a summary or marker hid when that goes, or it would be
// sent again.
func (f Cline) Relink(d *model.Document, th *model.Thread, c *edit.Change, e *edit.Edits) ([]edit.Relink, error) {
	n := f.notes[th]
	if n == nil {
		return nil, nil
	}
	gone := map[string]bool{}
	drop := c.Drop
	for len(drop) > 0 {
		fresh := false
		for _, i := range drop {
			if id := n.id[i]; id != "" && !gone[id] {
				gone[id], fresh = true, true
			}
		}
		drop = nil
		for i, id := range n.hiddenBy {
			if fresh && gone[id] {
				drop = append(drop, i)
				for _, p := range th.Messages[i].Pieces {
					e.Drop(p)
				}
			}
		}
	}
	return f.Messages.Relink(d, th, c, e)
}
