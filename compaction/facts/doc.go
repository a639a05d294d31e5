// Package facts says what of a history is literally there: which paths, URLs,
// commands, numbers, identifiers, error messages, quoted strings, instructions
// and decisions occur where, which of them a compaction leaves standing, and
// which of them the agent needed afterwards.
//
// A fact is a kind and a literal string that was lifted from a text without a
// model. It takes runs of history positions and texts, never a plan, and it
// keeps no text: an [Index] holds every fact's string once and where it occurs.
//
// # Lifting
//
// [Lift] lifts facts from the decoded parts of a message. Its rules carry a version
// ([Extractor]) and are described in docs/insight.md.
//
// Paths, URLs, numbers with a unit and identifiers are atoms: whether a token
// is one depends on the token and what touches it (a bracket, a unit), on
// nothing else. Within one history a token is one fact, of the kind it was first
// lifted as. Commands, error messages, quoted strings, instructions and
// decisions are phrases: what makes them one is where they occur (a call, a line
// that begins with "error:", a person's sentence).
//
// # Standing
//
// "Standing" is the package's word for: the context still holds the fact. One rule
// decides whether a fact stands in a text. An atom stands in it when it
// is lifted from it: a.go does not stand in data.go, nor src/a.go in
// lib/src/a.go. A phrase stands in it when its string occurs in it, not
// touched on either side by a letter, digit or underscore that would continue a
// word of it (CJK characters never continue a word). A phrase exists from the
// message on in which it is first lifted; an atom always.
//
// # Measures
//
// [Index.Survive] counts the facts a change removes and those that survive it.
// [Index.NeededLater] walks a finished history. For each fact that had been removed
// and that the agent used later, it reports whether the context still held it.
// [Lister.Ledger] lists literally the facts that are likeliest to be needed.
//
// The package is pure: no clock, file, network or randomness. An index is
// immutable and may be read by any number of goroutines.
package facts
