package show

import (
	"palimpsest/compaction/session"
	"palimpsest/gui/words"
	"palimpsest/model/tokens"
)

// CounterOf describes how the tokens of a session are made, and to how many
// calls its factor is fitted, if it is.
func CounterOf(s *session.Session) string {
	c, fit := s.Counter(), s.Calibration()
	if c.Method() == tokens.Counted || fit.Calls == 0 {
		return CounterWords(c)
	}
	return words.T("counter.fitted", "encoding", string(c.Encoding()), "factor", words.Decimal(c.Factor(), 2),
		"family", FamilyWords(c.Family()), "count", fit.Calls)
}

// CounterWords describes how tokens are estimated: the vocabulary, the factor, the
// family and where the factor is from.
func CounterWords(c tokens.Counter) string {
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
	return words.T("factors.method", "encoding", string(c.Encoding()), "factor", words.Decimal(c.Factor(), 2), "family",
		FamilyWords(c.Family()), "why", why)
}

// FamilyWords is the name of a family; some are no names but words.
func FamilyWords(name string) string {
	switch name {
	case tokens.UnknownFamily:
		return words.T("factors.unknown")
	case tokens.LaterClaude:
		return words.T("factors.laterClaude")
	}
	return name
}
