package gui

import (
	"palimpsest/compaction/session"
	"palimpsest/gui/words"
	"palimpsest/model/tokens"
)

// counterWords says how the tokens of a session are counted: with which
// vocabulary, and by which factor that is corrected.
func counterWords(s *session.Session) string {
	c := s.Counter()
	if c.Method() == tokens.Counted {
		return string(c.Encoding())
	}
	family := c.Family()
	if family == "" {
		family = words.T("counter.anyModel")
	}
	args := []any{"encoding", string(c.Encoding()), "factor", words.Decimal(c.Factor(), 2), "family", family}
	switch fit := s.Calibration(); {
	case fit.Calls > 0:
		return words.T("counter.fitted", append(args, "count", fit.Calls)...)
	case c.Family() == "":
		return words.T("counter.unknown", args...)
	}
	return words.T("counter.factor", args...)
}
