package codec

import (
	"slices"

	"palimpsest/model"
)

// Insert adds a message that a compaction put in: like a summary it is no part
// of the history, but it stands for nothing.
func (c *Chat) Insert(m model.Message) {
	c.Live = append(c.Live, int32(len(c.Th.Messages)))
	c.Th.Messages = append(c.Th.Messages, m)
	at := len(c.Th.History)
	c.Th.Resets = append(c.Th.Resets, model.Reset{At: at, Base: slices.Clone(c.Live)})
	c.Th.Found = append(c.Th.Found, model.Found{At: at, Summary: -1, Time: m.Time})
}
