// Package recorded measures what the compactions that a file holds kept of what
// the agent went on to use, beside what a list of facts of the same size would
// have kept.
//
//	 what went                    the cut                      what followed
//	─────────────────────────────────┼──────────────────────────────────────────▶ history
//	 facts ─────────┐                │ their summary       ┐
//	                │                │ our ledger, as long │ which of them hold
//	                └─ used again ───│ theirs + 500        │ what is used here?
//	                                 │ theirs + 1,000      ┘
//
// [Measure] returns a [File] with a [Page] for each compaction, a page a [Row] for
// each fact that had gone and that the agent used before the next compaction. A row
// is of one of three parts, by what happened: the fact was [Held] by what the cut
// left; or it was [BroughtBack] by a tool or a person before its first use, which
// cost calls and tokens; or it came [FromElsewhere]: nothing that the file shows
// held it (the system prompt may, or the agent guessed, or knew it by another
// spelling).
//
// A [Score] is held ÷ (held + brought back). A fact that came from elsewhere does not
// count.
//
// What is measured is literal strings. A summary that says something in its own
// words has no credit for it. The agent went on with their summary, which favours
// what that says. A system prompt that the file does not hold counts for nobody.
//
// Tokens of summaries and ledgers are true tokens of a public vocabulary
// ([Encoding]), the same for every model: what is compared has the same size.
// The package is deterministic.
package recorded
