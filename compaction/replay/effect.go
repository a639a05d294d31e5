package replay

import (
	"palimpsest/compaction"
	"palimpsest/model"
)

// cacheAfter is how many tokens of the call before are still read from the prompt
// cache once a plan is carried out, and how many are sent again word for word.
func (r *run) cacheAfter(pl *compaction.Plan) (read, resent int64) {
	first, resent := pl.SentAgain(r.entries)
	if first < 0 {
		return r.sent, 0
	}
	return pl.Line.Fixed() + pl.Line.Span(0, first), resent
}

// Leaves is what a plan takes and leaves of the history.
func Leaves(pl *compaction.Plan) *Context {
	c := &Context{}
	for _, run := range pl.Runs.All() {
		for i := run.From; i < run.To; i++ {
			h, it := pl.Line.History(i), pl.Line.Item(i)
			switch {
			case h < 0 && run.Goes():
				c.Merged = append(c.Merged, it)
			case h < 0 && run.Fate != model.Cleared && !it.Cleared:
				c.Stands = append(c.Stands, it)
			case h < 0:
			case run.Goes():
				c.Gone = Extend(c.Gone, h)
			case run.Fate == model.Cleared:
				c.Cleared = Extend(c.Cleared, h)
			case !it.Cleared:
				c.Kept = Extend(c.Kept, h)
			}
		}
	}
	return c
}

// Extend adds a position to ascending ranges that end before it.
func Extend(rs []model.Range, at int) []model.Range {
	if k := len(rs) - 1; k >= 0 && rs[k].To == at {
		rs[k].To++
		return rs
	}
	return append(rs, model.Range{From: at, To: at + 1})
}
