package compaction

import (
	"palimpsest/model"
)

// Instead is the policy to use when a summary can't be made, as OnFailure says:
// extract, or drop messages if the context, of the size that before returns, no
// longer fits its window. what names it for a person.
func Instead(p model.Policy, before func() model.Size) (q model.Policy, what string, ok bool) {
	switch q = p; p.OnFailure {
	case model.ExtractInstead:
		q.Strategy = model.Extract
		return q, "extracted", p.Strategy != model.Extract
	case model.TruncateAtHard:
		q.Strategy = model.Drop
		return q, "truncated at the hard limit", !Fits(&p, before().Tokens)
	}
	return q, "", false
}

// Fits reports whether a context of so many tokens fits the window, which is not known
// where it is 0, with what is reserved for the answer.
func Fits(p *model.Policy, tokens int64) bool {
	return p.Window <= 0 || tokens <= int64(p.Window-p.Reserve)
}
