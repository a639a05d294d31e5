// Package session is one open history: its parameters with undo, the plan that
// follows them, drafts, applying exactly a draft, restoring, exporting. Both
// doors of the program, the window and the verbs, call it and nothing below it.
//
// A [File] is an opened document; a [Session] is one thread of it with a stack
// of records on top. The document is immutable; a session's own state is small
// and guarded, so that its methods may be called from any goroutine. What takes
// long takes a context and may run beside the others: it works on a snapshot
// and, where it would change the session, finds out whether the session moved
// on meanwhile.
//
// Clock, identifiers, summaries and storage are handed in (see [Options]);
// nothing here opens a database or a connection.
package session
