package transcript

import (
	"maps"
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// growing is a format whose reader can go on where a file ended: agents append
// to it while a person looks on.
type growing interface {
	format
	begin(b *builder) grower
}

// grower reads records and can complete a document at any time without ending
// the reading.
type grower interface {
	record(v jspan.Value, p model.Piece)

	// complete fills d, which is the reader's own document copied by cloneDocument,
	// with the conversations of the records read so far. Nothing it makes is
	// changed by records that are read later.
	complete(d *model.Document)
}

func (claudeCode) begin(b *builder) grower { return newCCReader(b) }
func (codex) begin(b *builder) grower      { return newCXReader(b) }

// cloneDocument copies a document that is still being filled, so that the copy
// stays as it is.
func cloneDocument(d *model.Document) *model.Document {
	c := *d
	c.Segments, c.Arrays, c.Notes = slices.Clone(d.Segments), slices.Clip(d.Arrays), slices.Clone(d.Notes)
	return &c
}

// ownMessages copies messages so that neither side sees what is appended to the
// pieces and calls of the other.
func ownMessages(list []model.Message) []model.Message {
	out := slices.Clone(list)
	for i := range out {
		m := &out[i]
		m.Pieces, m.Calls = slices.Clip(m.Pieces), slices.Clip(m.Calls)
	}
	return out
}

// completing is a builder for a copy of the document. It shares no memory that is
// still to be cut into pieces, or both would write to the same.
func (b *builder) completing(d *model.Document) *builder {
	c := *b
	c.doc, c.singles, c.oneCall, c.usages, c.kept, c.head = d, nil, nil, nil, keptTexts{}, nil
	return &c
}

func (r *ccReader) complete(d *model.Document) {
	c := *r
	c.builder = r.builder.completing(d)
	c.recs = slices.Clone(r.recs)
	for i := range c.recs {
		c.recs[i].messages = ownMessages(c.recs[i].messages)
	}
	d.Items = c.items
	c.conversation()
}

func (r *cxReader) complete(d *model.Document) {
	c := *r
	c.builder = r.builder.completing(d)
	th, conv := *r.th, *r.conv
	c.th, c.conv = &th, &conv
	th.Messages, th.History = ownMessages(th.Messages), slices.Clone(th.History)
	th.Found, th.Resets = slices.Clone(th.Found), slices.Clone(th.Resets)
	for i := range th.Resets {
		th.Resets[i].Base = slices.Clone(th.Resets[i].Base)
	}
	conv.Agents = slices.Clone(conv.Agents)
	c.typed = maps.Clone(r.typed)
	c.finish()
}
