package transcript

import (
	"fmt"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// summary spells a user message as its neighbour is spelled: with an id where
// that has one, in blocks, with a time. It has no isSummary: some versions take
// that to hide all that stands before, also what was kept.
func (cline) summary(d *model.Document, _ *model.Thread, s Summary, like model.Piece) ([]byte, error) {
	v, err := parseAt(d, like.Span)
	if err != nil {
		return nil, err
	}
	o := spellLike(d, v)
	if !v.Has("role") && v.Get("type").TextN(12) != "reasoning" { // between kept blocks
		return o.str("type", "text").str("text", s.Text).done(), nil
	}
	if v.Has("id") {
		o.str("id", s.UID)
	}
	o.str("role", "user")
	if v.Get("content").Kind == jspan.String {
		o.str("content", s.Text)
	} else {
		o.raw("content", textBlocks(d, "text", s.Text))
	}
	return o.raw("ts", fmt.Append(nil, s.Time.UnixMilli())).done(), nil
}

// relink takes out what a summary or marker hid when that goes, or it would be
// sent again.
func (f cline) relink(d *model.Document, th *model.Thread, c *Change, e *Edits) ([]Relink, error) {
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
	return f.anthropic.relink(d, th, c, e)
}
