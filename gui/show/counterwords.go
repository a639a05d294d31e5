package show

import (
	"cmp"
	"regexp"
	"strconv"

	"palimpsest/compaction/session"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/tokens"
	"palimpsest/model/transcript"
)

// CounterOf describes how the tokens of a session are made, and to how many
// calls its factor is fitted, if it is.
func CounterOf(s *session.Session) string {
	c, fit := s.Counter(), s.Calibration()
	if c.Method() == tokens.Counted || fit.Factor == 0 {
		return CounterWords(c)
	}
	return words.T("counter.fitted", "encoding", string(c.Encoding()), "factor", words.Decimal(c.Factor(), 2),
		"family", FamilyWords(c.Family()), "count", fit.Calls)
}

// CounterNote is CounterOf, and says where it is not proven that a session's tool would send what is counted.
func CounterNote(s *session.Session) string {
	if transcript.Proven(s.File().Doc) {
		return CounterOf(s)
	}
	return words.T("counter.unproven", "method", CounterOf(s))
}

// CounterWords describes how tokens are estimated: the vocabulary, the factor, the
// family and where the factor is from.
func CounterWords(c tokens.Counter) string {
	if c.Method() == tokens.Counted {
		return string(c.Encoding())
	}
	return factorWords(string(c.Encoding()), c.Factor(), c.Family(), c.Why())
}

var counterName = regexp.MustCompile(`^(\S+) × ([0-9.]+) \((.+), (.+)\)$`) // see tokens.Counter.Name

// CounterOfRecord describes how the tokens of a record were made, which it holds as
// the name of a counter.
func CounterOfRecord(r *model.Record) string {
	if m := counterName.FindStringSubmatch(r.Counted); m != nil && r.Fitted != nil && r.Fitted.Factor > 0 {
		factor, _ := strconv.ParseFloat(m[2], 64)
		return words.T("counter.fitted", "encoding", m[1], "factor", words.Decimal(factor, 2),
			"family", FamilyWords(m[3]), "count", r.Fitted.Calls)
	}
	return counterNamed(r.Counted)
}

// counterNamed describes a counter of which only the name is known.
func counterNamed(name string) string {
	m := counterName.FindStringSubmatch(name)
	switch {
	case name == "reported":
		return words.T("records.reported")
	case m == nil:
		return name
	}
	factor, _ := strconv.ParseFloat(m[2], 64)
	return factorWords(m[1], factor, m[3], m[4])
}

func factorWords(encoding string, factor float64, family, from string) string {
	why := map[string]string{tokens.ByHand: "factors.why.byHand", tokens.Usual: "factors.why.usual",
		tokens.LowConfidence: "factors.why.low"}
	return words.T("factors.method", "encoding", encoding, "factor", words.Decimal(factor, 2), "family",
		FamilyWords(family), "why", words.T(cmp.Or(why[from], "factors.why.fitted")))
}

// FamilyWords is the name of a family; some are no names but words.
func FamilyWords(name string) string {
	keys := map[string]string{tokens.UnknownFamily: "factors.unknown", tokens.LaterClaude: "factors.laterClaude"}
	if key := keys[name]; key != "" {
		return words.T(key)
	}
	return name
}
