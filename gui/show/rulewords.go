package show

import (
	"palimpsest/compaction"
	"palimpsest/gui/words"
)

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
