// Package model holds the nouns of the program: documents and what they
// contain, the policy that says when and how to compact, and the record of a
// compaction that was made.
//
// It imports nothing else of this module. Values that describe a loaded
// document are immutable once the loader has returned them; they may be read
// by any number of goroutines. Text is not kept: a message knows where its
// text lies in the source and a [Codec] reads it back when it is looked at, so
// that memory grows with the number of messages and not with their length.
package model
