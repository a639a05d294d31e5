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
				c.Merged = append(c.Merged, it.Record)
			case h < 0:
				c.Stands = append(c.Stands, it.Record)
			case run.Goes():
				c.Gone = extend(c.Gone, h)
			case run.Fate == model.Cleared:
				c.Cleared = extend(c.Cleared, h)
			case !it.Cleared:
				c.Kept = extend(c.Kept, h)
			}
		}
	}
	return c
}

// extend adds a position to ranges that end before it.
func extend(rs []model.Range, h int) []model.Range {
	if k := len(rs) - 1; k >= 0 && rs[k].To == h {
		rs[k].To++
		return rs
	}
	return append(rs, model.Range{From: h, To: h + 1})
}
