// Package session is one open history: its parameters, the plan that
// follows them, drafts, applying exactly a draft, restoring, exporting. Both
// doors of the program, the window and the verbs, call it and nothing below it.
//
// A [File] is an opened document; a [Session] is one thread of it with records
// applied. Its parts are a [CountedThread], which is immutable, the [Records] that
// are applied, and the [Insight] into the history; an [Overlay] is a snapshot of
// the thread as the records leave it, which exports, proofs and plans are made
// from. A session's own state is small and guarded, so that its methods may be
// called from any goroutine. What takes long takes a context and works on a
// snapshot; where it would change the session, it is refused if the session
// changed meanwhile.
//
// Clock, identifiers, summaries and storage are handed in (see [Options]);
// nothing here opens a database or a connection.
package session
