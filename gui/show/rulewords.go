package show

import (
	"strings"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/gui/desk"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/figure"
)

// RuleName is what a rule is called in its row; the first one is that of the
// parameters.
func RuleName(i int, r compaction.Rule) string {
	switch {
	case i == 0:
		return words.T("rules.own")
	case r.Preset == "sliding-adaptive":
		return words.T("rules.slidingAdaptive")
	case r.Preset == "sliding-fixed":
		return words.T("rules.slidingFixed")
	}
	return PresetName(r.Preset)
}

// ClauseShort measures the clause of a rule that fires first: "38/40 messages",
// "76 % of 80 %".
func ClauseShort(d *desk.Desk, r compaction.Rule) string {
	k := max(r.First, 0)
	if k >= len(r.Clauses) {
		return words.T("rules.noClause")
	}
	c := r.Clauses[k]
	switch {
	case c.Unknown:
		return words.T("rules.noWindow")
	case c.Clause.Share > 0:
		share := c.Clause.Share * float64(c.Measure) / float64(max(c.Limit, 1))
		if share > figure.MuchMore {
			return words.T("rules.timesShort", "times", words.Times(share))
		}
		// Rounded down, so that what has not fired does not look as if it had.
		return words.T("result.of", "n", words.Percent(float64(int(100*share))/100), "m", ShareWords(c.Clause.Share))
	case c.Clause.At.Unit == model.Tokens:
		return TokenCount(d, c.Measure) + "/" + words.TokensShort(c.Limit)
	case c.Clause.At.Unit == model.Steps:
		return words.T("rules.steps", "count", c.Measure, "n", c.Measure, "m", c.Limit)
	}
	return words.Int(c.Measure) + "/" + AmountWords(c.Clause.At)
}

// OfWindow is a context usage as a share of the context window: "84 % of the
// context window", "106 × the context window".
func OfWindow(tokens int64, window int) string {
	share := float64(tokens) / float64(window)
	if share > figure.MuchMore {
		return words.T("rules.times", "times", words.Times(share))
	}
	return words.T("chart.hoverShare", "percent", words.Percent(share))
}

// WhenShort says how far a rule is: "now", "in ~14 messages".
func WhenShort(r compaction.Rule) string {
	switch n := r.Messages(); {
	case n < 0:
		return words.T("rules.never")
	case n > 0:
		return words.T("rules.toGo", "count", n, "n", Roughly(r))
	case r.Plan.Outcome == compaction.WouldApply:
		return words.T("rules.now")
	}
	return words.T("rules.idle")
}

// Roughly is how many messages a rule still waits for: "~14".
func Roughly(r compaction.Rule) string {
	s := words.Int(int64(r.Messages()))
	if r.Estimated() {
		s = "~" + s
	}
	return s
}

// RuleTip shows a rule in full: every clause, and what it would do.
func RuleTip(d *desk.Desk, r compaction.Rule) string {
	parts := make([]string, 0, 4)
	for _, c := range r.Clauses {
		parts = append(parts, UpperFirst(ReasonWords(d, c.Reason()))+".")
	}
	parts = append(parts, ruleEffect(d, r))
	return strings.Join(parts, " ")
}

// ruleEffect is a sentence on what the rule would do now, or when.
func ruleEffect(d *desk.Desk, r compaction.Rule) string {
	n, pl := r.Messages(), r.Plan
	switch {
	case n < 0:
		return words.T("rules.effect.never")
	case n > 0 && r.Estimated():
		return words.T("rules.effect.about", "count", n)
	case n > 0:
		return words.T("rules.effect.in", "count", n)
	case pl.Outcome != compaction.WouldApply:
		return words.T("rules.effect.nothing", "reason", ReasonWords(d, pl.Why))
	case pl.Removed.Messages == 0:
		return words.T("rules.effect.clears", "count", pl.ClearedN)
	}
	taken := session.Covers(pl)
	return words.T("rules.effect.takes", "range", SpanWords(taken.From+1, taken.To), "count", pl.Passes)
}
