package anthropic

import (
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
)

func (ClaudeCode) Begin(b *codec.Builder) codec.Grower { return newCCReader(b) }

func (r *ccReader) Complete(d *model.Document) {
	c := *r
	c.Builder = r.Builder.CloneFor(d)
	c.recs = slices.Clone(r.recs)
	for i := range c.recs {
		c.recs[i].messages = codec.CloneMessages(c.recs[i].messages)
	}
	d.Items = c.items
	c.conversation()
}
