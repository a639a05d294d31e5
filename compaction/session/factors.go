package session

import (
	"palimpsest/model/tokens"
)

// FactorsSetting is the name under which the factors that a person set are kept
// among the settings of a database.
const FactorsSetting = "factors"

// Factors are those the file's sessions are opened with.
func (f *File) Factors() tokens.Factors { return f.opt.Factors }

// WithFactors is the file with other factors. Sessions are taken along by
// [File.Continue], which counts nothing anew.
func (f *File) WithFactors(x tokens.Factors) *File {
	g := *f
	g.opt.Factors = x
	return &g
}

// Weighs reports whether the session would weigh its messages otherwise with
// these factors: its vocabulary is not public, and nothing was fitted to what the
// file reports.
func (s *Session) Weighs(x tokens.Factors) bool {
	return s.fit.Calls == 0 && x.ForModel(threadModel(s.Conversation(), s.thread)) != s.counter
}
