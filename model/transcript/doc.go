// Package transcript reads other tools' histories and writes them back.
//
// A document is never decoded into a map and encoded again. Reading cuts the
// source into segments that cover every byte and notes where each message
// is; writing copies the source and applies a list of edits, so that an
// untouched document comes out byte for byte and an edited one differs only
// where the edit is.
//
// This package is the door: Open, Follow, exports and the registry of formats.
// What the formats share is in internal/codec, and each family of formats is a
// package in internal. Which format a file is in is recognised from its
// content, never from its name.
//
// Readers are safe to use from several goroutines on different documents.
// Documents are immutable after [Open]; reading parts and writing edits may
// run concurrently on one document.
package transcript
