// Package cli is the door without a window: verbs for scripts, batches and
// tests. They do the same work as the window, through the same sessions.
//
// Contract. A verb exits with 0 when it did what was asked, 1 when it was
// refused or failed, 2 when it was called wrongly. Results go to the standard
// output, as short text for people or, with --json, as exactly one JSON value
// of the schema in docs/json.md. Why something did not work goes to the
// standard error: what, why and what to do next. Nothing is overwritten without
// --force. Verbs work on the file they are given, not on what a window made of
// it; the records they make are the same.
package cli
