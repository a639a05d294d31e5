package show

import (
	"palimpsest/compaction"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// AfterParts are what a context holds after a plan, by fate, with their letters.
func AfterParts(pl *compaction.Plan) []kit.BarPart {
	var sums [len(model.Fates)]int64
	for _, run := range pl.Runs.All() {
		switch {
		case pl.Outcome == compaction.WouldApply && (run.Fate == model.Summarised || run.Fate == model.Dropped):
		case run.Fate == model.Cleared:
			sums[FateIndex(run.Fate)] += int64(compaction.NoteTokens * (run.To - run.From))
		default:
			sums[FateIndex(run.Fate)] += run.Tokens
		}
	}
	if pl.Outcome == compaction.WouldApply && pl.Insert >= 0 {
		sums[FateIndex(model.Added)] += int64(pl.Summary)
	}
	parts := []kit.BarPart{{Value: float64(pl.Line.Fixed()), Color: kit.ColorFaint}}
	for _, f := range []model.Fate{model.Pinned, model.Added, model.Cleared, model.Kept} {
		parts = append(parts, kit.BarPart{Value: float64(sums[FateIndex(f)]), Color: kit.FateColor(f.Letter()), Text: f.Letter()})
	}
	return parts
}

// OutsideName names the words for what a context holds that is in no message: the fixed
// part, or more than that.
func OutsideName(outside, fixed int64) string {
	if outside > fixed {
		return "outside"
	}
	return "fixedPart"
}

// LaterWords says why the plan can't be applied though it would compact: a record was
// made later in the history. "": none was.
func LaterWords(d interface{ Later() *model.Record }) string {
	if r := d.Later(); r != nil {
		return words.T("plan.later", "record", r.ID, "n", r.At)
	}
	return ""
}

// RefusedWords says in one line why a plan does not apply.
func RefusedWords(d Tuned, pl *compaction.Plan) string {
	return UpperFirst(ReasonWords(d, pl.Why))
}
