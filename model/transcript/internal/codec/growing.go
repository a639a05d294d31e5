package codec

import (
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// Growing is a format whose reader can go on where a file ended: agents append
// to it while a person looks on.
type Growing interface {
	Format
	Begin(b *Builder) Grower
}

// Grower reads records and can complete a document at any time without ending
// the reading.
type Grower interface {
	Record(v jspan.Value, p model.Piece)

	// Complete fills d, which is the reader's own document copied by [CloneDocument],
	// with the conversations of the records read so far. Nothing it makes is
	// changed by records that are read later.
	Complete(d *model.Document)
}

// CloneDocument copies a document that is still being filled, so that the copy
// stays as it is.
func CloneDocument(d *model.Document) *model.Document {
	c := *d
	c.Segments, c.Arrays, c.Notes = slices.Clone(d.Segments), slices.Clip(d.Arrays), slices.Clone(d.Notes)
	return &c
}

// CloneMessages copies messages so that neither side sees what is appended to the
// pieces and calls of the other.
func CloneMessages(list []model.Message) []model.Message {
	out := slices.Clone(list)
	for i := range out {
		m := &out[i]
		m.Pieces, m.Calls = slices.Clip(m.Pieces), slices.Clip(m.Calls)
	}
	return out
}

// CloneFor returns a builder for a copy of the document. It has arrays of its own
// to cut lists from, and texts: sharing them, both builders would write to the same memory.
func (b *Builder) CloneFor(d *model.Document) *Builder {
	c := *b
	c.Doc, c.singles, c.oneCall, c.usages, c.Texts = d, nil, nil, nil, Texts{}
	return &c
}
