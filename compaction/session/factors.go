package session

import "palimpsest/model/tokens"

// FactorsSetting is the name under which the factors that a person set are kept
// among the settings of a database.
const FactorsSetting = "factors"

// Factors are those the file's sessions are opened with.
func (f *File) Factors() tokens.Factors { return f.opt.Factors }

// WithFactors is the file with other factors. Sessions are carried over by
// [File.Continue], which counts nothing again.
func (f *File) WithFactors(x tokens.Factors) *File {
	g := *f
	g.opt.Factors = x
	return &g
}

// AffectedBy reports whether these factors would change the token numbers of the
// thread: its vocabulary is not public, and nothing was fitted to what the file
// reports.
func (t *CountedThread) AffectedBy(x tokens.Factors) bool {
	return t.fit.Factor == 0 && x.ForModel(t.Model()) != t.counter
}
