package gui

import (
	"palimpsest/compaction/session"
	"palimpsest/gui/words"
	"palimpsest/model/tokens"
)

// counterOf tells how the tokens of a session are made, and to how many
// calls its factor is fitted, if it is.
func counterOf(s *session.Session) string {
	c, fit := s.Counter(), s.Calibration()
	if c.Method() == tokens.Counted || fit.Calls == 0 {
		return counterWords(c)
	}
	return words.T("counter.fitted", "encoding", string(c.Encoding()), "factor", words.Decimal(c.Factor(), 2),
		"family", familyWords(c.Family()), "count", fit.Calls)
}

// counterWords tells how tokens are estimated: the vocabulary, the factor, the
// family and where the factor is from.
func counterWords(c tokens.Counter) string {
	if c.Method() == tokens.Counted {
		return string(c.Encoding())
	}
	why := words.T("factors.why.fitted")
	switch c.Why() {
	case tokens.ByHand:
		why = words.T("factors.why.byHand")
	case tokens.Usual:
		why = words.T("factors.why.usual")
	case tokens.LowConfidence:
		why = words.T("factors.why.low")
	}
	return words.T("factors.method", "encoding", string(c.Encoding()), "factor", words.Decimal(c.Factor(), 2), "family", familyWords(c.Family()), "why", why)
}

// familyWords is the name of a family; some are no names but words.
func familyWords(name string) string {
	switch name {
	case tokens.UnknownFamily:
		return words.T("factors.unknown")
	case tokens.LaterClaude:
		return words.T("factors.laterClaude")
	}
	return name
}
