package transcript

import "palimpsest/model"

// store keeps a message in the stored view only: it was never part of a
// request as it stands here, or a compaction put it in.
func (c *chat) store(m model.Message) int32 {
	c.th.Messages = append(c.th.Messages, m)
	return int32(len(c.th.Messages) - 1)
}

// compacted says that the file holds a compaction here, which left base as the
// live list. f says what the file tells of it; where it took effect is filled in.
func (c *chat) compacted(base []int32, f model.Found) {
	f.At = len(c.th.History)
	c.live = append([]int32(nil), base...)
	c.th.Found = append(c.th.Found, f)
	r := model.Reset{At: f.At, Base: c.live[:len(c.live):len(c.live)]}
	if n := len(c.th.Resets); n > 0 && c.th.Resets[n-1].At == f.At {
		c.th.Resets[n-1] = r
	} else {
		c.th.Resets = append(c.th.Resets, r)
	}
}

// duplicate lets a piece go where a stored message goes.
func (c *chat) duplicate(msg int32, p model.Piece) {
	p.Duplicate = true
	m := &c.th.Messages[msg]
	m.Pieces = append(m.Pieces, p)
}

// sibling builds another thread of the same conversation.
func (c *chat) sibling(th *model.Thread) *chat {
	return &chat{b: c.b, conv: c.conv, th: th, open: map[string][]int32{}}
}
