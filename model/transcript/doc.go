// Package transcript reads other tools' histories and writes them back.
//
// A document is never decoded into a map and encoded again. Reading cuts the
// source into segments that cover every byte and notes where each message
// stands; writing copies the source and applies a list of [Edits], so that an
// untouched document comes out byte for byte and an edited one differs only
// where the edit is.
//
// Each format is one file with a type that implements the unexported interface
// format; [Formats] lists them. Which one a file holds is recognised from its
// content, never from its name.
//
// Readers are safe to use from several goroutines on different documents.
// Documents are immutable after [Open]; [Document.Parts] and [Edits.Write] may
// run concurrently on one document.
package transcript
