package openai

import (
	"maps"
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
)

func (Codex) Begin(b *codec.Builder) codec.Grower { return NewCodexReader(b) }

func (r *codexReader) Complete(d *model.Document) {
	c := *r
	c.Builder = r.Builder.CloneFor(d)
	th, conv := *r.Th, *r.Conv
	c.Th, c.Conv = &th, &conv
	th.Messages, th.History = codec.CloneMessages(th.Messages), slices.Clone(th.History)
	th.Found, th.Resets = slices.Clone(th.Found), slices.Clone(th.Resets)
	for i := range th.Resets {
		th.Resets[i].Base = slices.Clone(th.Resets[i].Base)
	}
	conv.Agents = slices.Clone(conv.Agents)
	c.typed = maps.Clone(r.typed)
	c.finish()
}
