package replay

import (
	"palimpsest/compaction"
	"palimpsest/model"
)

// coveredRange is the range of history positions that a plan takes messages from;
// empty when it takes none.
func coveredRange(pl *compaction.Plan) model.Range {
	r := model.Range{From: -1}
	for _, run := range pl.Runs {
		if !run.Goes() {
			continue
		}
		for i := run.From; i < run.To && r.From < 0; i++ {
			r.From = pl.Line.History(i)
		}
		for i := run.To - 1; i >= run.From; i-- {
			if h := pl.Line.History(i); h >= 0 {
				r.To = h + 1
				break
			}
		}
	}
	if r.From < 0 {
		return model.Range{}
	}
	return r
}

// cacheAfter is how many tokens of the call before are still read from the prompt
// cache once a plan is carried out, and how many are sent again word for word.
func (r *run) cacheAfter(pl *compaction.Plan) (read, resent int64) {
	first := -1
	for _, run := range pl.Runs {
		to := min(run.To, r.entries)
		switch {
		case run.From >= to: // was not sent before
		case run.Goes() || run.Fate == model.Cleared:
			if first < 0 {
				first = run.From
			}
		case first >= 0:
			resent += pl.Line.Span(run.From, to)
		}
	}
	if first < 0 {
		return r.sent, 0
	}
	return pl.Line.Fixed() + pl.Line.Span(0, first), resent
}

// Leaves is what a plan takes and leaves of the history.
func Leaves(pl *compaction.Plan) *Context {
	c := &Context{}
	for _, run := range pl.Runs {
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
