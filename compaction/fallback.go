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
		over := p.Window > 0 && before().Tokens > int64(p.Window-p.Reserve)
		return q, "truncated at the hard limit", over
	}
	return q, "", false
}
