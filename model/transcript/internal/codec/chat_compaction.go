package codec

import (
	"slices"

	"palimpsest/model"
)

// Store keeps a message in the stored view only: it was never part of a
// request as it is here, or a compaction put it in.
func (c *Chat) Store(m model.Message) int32 {
	c.Th.Messages = append(c.Th.Messages, m)
	return int32(len(c.Th.Messages) - 1)
}

// AddCompaction says that the file holds a compaction here, which left base as the
// live list. f holds what the file says of it; where it took effect is filled in.
func (c *Chat) AddCompaction(base []int32, f model.Found) {
	f.At = len(c.Th.History)
	c.Live = append([]int32(nil), base...)
	c.Th.Found = append(c.Th.Found, f)
	r := model.Reset{At: f.At, Base: c.Live[:len(c.Live):len(c.Live)]}
	if n := len(c.Th.Resets); n > 0 && c.Th.Resets[n-1].At == f.At {
		c.Th.Resets[n-1] = r
	} else {
		c.Th.Resets = append(c.Th.Resets, r)
	}
}

// SetLive makes a list the live one, as no compaction does.
func (c *Chat) SetLive(live []int32) {
	c.AddCompaction(live, model.Found{})
	c.Th.Found = c.Th.Found[:len(c.Th.Found)-1]
}

// Duplicate lets a piece go where a stored message goes.
func (c *Chat) Duplicate(msg int32, p model.Piece) {
	p.Duplicate = true
	m := &c.Th.Messages[msg]
	m.Pieces = append(m.Pieces, p)
}

// Sibling builds another thread of the same conversation.
func (c *Chat) Sibling(th *model.Thread) *Chat {
	return &Chat{B: c.B, Conv: c.Conv, Th: th}
}

// Insert adds a message that a compaction put in: like a summary it is no part
// of the history, but it replaces nothing.
func (c *Chat) Insert(m model.Message) {
	c.Live = append(c.Live, int32(len(c.Th.Messages)))
	c.Th.Messages = append(c.Th.Messages, m)
	at := len(c.Th.History)
	c.Th.Resets = append(c.Th.Resets, model.Reset{At: at, Base: slices.Clone(c.Live)})
	c.Th.Found = append(c.Th.Found, model.Found{At: at, Summary: -1, Time: m.Time})
}

// HidePast takes everything but the leading system messages out of the live
// list: the next message is a summary that replaces it.
func (c *Chat) HidePast() {
	fixed := 0
	for fixed < len(c.Live) && c.Th.Messages[c.Live[fixed]].Kind == model.KindSystem {
		fixed++
	}
	c.Live = append([]int32(nil), c.Live[:fixed]...)
}

func (c *Chat) reset(summary int32, when int64) {
	at := len(c.Th.History)
	base := c.Live[:len(c.Live):len(c.Live)]
	if n := len(c.Th.Resets); n > 0 && c.Th.Resets[n-1].At == at {
		c.Th.Resets[n-1].Base = base
	} else {
		c.Th.Resets = append(c.Th.Resets, model.Reset{At: at, Base: base})
	}
	c.Th.Found = append(c.Th.Found, model.Found{At: at, Summary: int(summary), Time: when})
}
