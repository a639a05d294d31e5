// Package edit writes: it turns a source into a compacted copy by a list of
// edits, and changes nothing else in it.
//
//	source   [record][gap][record][gap][record]…      every byte is in a segment
//	              │                  │
//	edits        drop             replace a span, insert before or behind
//	              ▼                  ▼
//	export   the bytes between the edits, copied while they are hashed
//
// Formats decide which edits are made. This package has what they share for it:
// spelling new records like their neighbours, repairing references between
// records ([Links]), and sources whose texts are packed in strings ([PackedSource]). It knows neither formats nor readers.
package edit
