// Package source makes text of what files hold packed: archives, databases, Markdown,
// UTF-16. It works before any format is recognised.
//
//	file ─▶ gzip, Zstandard, xz ─▶ tar, zip: one entry ─▶ UTF-16 ─▶ text
//	     ─▶ SQLite, a copy with its write-ahead log ─▶ a row a line ─▶ JSON Lines
//	     ─▶ Markdown of Aider, SpecStory ─▶ a message a line ─▶ JSON Lines
//
// Spans of a document point into the text. A copy is the file, byte for byte; an
// edited text is packed again in the way in which it was, where that can be done.
package source
