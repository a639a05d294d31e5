package show

import (
	"errors"
	"strings"

	"palimpsest/compaction/summarize/remote"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// FailureWords says why no summary was made. What a server said of it stays in
// the server's words.
func FailureWords(err error) string {
	var f *remote.Failure
	if !errors.As(err, &f) || words.Language() == words.English {
		return strings.TrimSuffix(strings.TrimPrefix(err.Error(), "summarise: "), ".")
	}
	reason, ok := Translated("failure." + string(f.Kind))
	switch {
	case !ok:
		return f.Error()
	case f.Status != 0:
		reason = words.T("failure.status", "reason", reason, "status", f.Status)
	}
	if cause := f.Cause(); cause != nil {
		return words.T("failure.said", "reason", reason, "said", FailureWords(cause))
	}
	if f.Said != "" {
		reason = words.T("failure.said", "reason", reason, "said", strings.TrimSuffix(f.Said, "."))
	}
	return reason
}

// ProblemCode is the code of a problem a person can act on; "" for none.
func ProblemCode(err error) string {
	if p, ok := errors.AsType[*model.Problem](err); ok {
		return p.Code
	}
	return ""
}
