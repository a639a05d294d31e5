// Package codec is what the transcript formats share: cutting a source into
// records, building a document from them, spelling new records like their
// neighbours, and the edits that turn a source into a compacted copy.
//
// [Format] is what a format implements. The formats themselves live in the
// packages beside this one, a family each.
package codec
