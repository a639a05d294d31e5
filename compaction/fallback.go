package compaction

import (
	"palimpsest/model"
)

// Instead is the policy to use when a summary can't be made, as OnFailure says:
// extract, or drop messages if the context no longer fits its window or has too many of
// them. what names it for a person.
func Instead(p model.Policy, line func() *Line) (q model.Policy, what string, ok bool) {
	switch q = p; p.OnFailure {
	case model.ExtractInstead:
		q.Strategy = model.Extract
		return q, "extracted", p.Strategy != model.Extract
	case model.TruncateAtHard:
		l := line()
		over := l.Len() - p.MaxMessages
		q.Strategy = model.Drop
		if p.MaxMessages > 0 && over > 0 { // the notice of what went is one more
			over = min(l.CutAfter(over+l.system+1), l.Len())
			q.Tail, q.Batch = model.Amount{N: l.Len() - over, Unit: model.Messages}, model.Amount{Unit: model.Messages}
			return q, "truncated at the hard limit", true
		}
		return q, "truncated at the hard limit", !Fits(&p, l.Usage().Tokens)
	}
	return q, "", false
}

// Fits reports whether a context of so many tokens fits the window, which is not known
// where it is 0, with what is reserved for the answer.
func Fits(p *model.Policy, tokens int64) bool {
	return p.Window <= 0 || tokens <= int64(p.Window-p.Reserve)
}
