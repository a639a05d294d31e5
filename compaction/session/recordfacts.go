package session

import (
	"slices"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/replay"
	"palimpsest/model"
)

// Tallies are the counts of a survival as a record keeps them, of the kinds that
// occur; nil for a nil survival.
func Tallies(v *facts.Survival) []model.FactTally {
	if v == nil {
		return nil
	}
	out := []model.FactTally{}
	for k, t := range v.Kinds {
		if t.Gone > 0 {
			out = append(out, model.FactTally{Kind: facts.Kind(k).String(), Gone: t.Gone, Standing: t.Survived})
		}
	}
	return out
}

// Made reports whether a record is an applied compaction of this very history:
// the same bytes, the same thread.
func (t *CountedThread) Made(r *model.Record) bool {
	return r.Outcome == model.Applied && r.Cause != model.CauseRestore && r.SourceSHA == t.file.Doc.Hash() && t.ownRecord(r)
}

// SurviveRecord is what survived a record that [CountedThread.Made] is true of:
// its runs hold what went, its live list what stayed. Former summaries are those
// of the records on the stack. The index must have been built: nil otherwise.
func (in *Insight) SurviveRecord(r *model.Record) *facts.Survival {
	x := in.KnownFacts()
	if x == nil {
		return nil
	}
	o := in.s.Overlay()
	c := facts.Change{At: r.At}
	for _, run := range r.Runs {
		if run.From < run.To && (run.Taken() || run.Fate == model.Cleared.String()) {
			c.Removed = append(c.Removed, model.Range{From: run.From, To: run.To})
		}
	}
	for _, old := range o.stack {
		if slices.Contains(r.Parents, old.ID) {
			c.Away = append(c.Away, old.Summary)
		}
	}
	place := make(map[int32]int, len(in.s.thread.History))
	for h, stored := range in.s.thread.History {
		place[stored] = h
	}
	for _, it := range r.Live {
		h, inHistory := place[it.Msg]
		switch {
		case it.Record == r.UID:
			c.Remaining = append(c.Remaining, r.Summary)
		case it.Msg < 0 || !inHistory:
			c.Remaining = append(c.Remaining, o.texts(it)...)
		case !it.Cleared:
			c.Kept = replay.Extend(c.Kept, h)
		}
	}
	return x.Survive(c)
}
