package codec

import "palimpsest/model"

// Branch begins a conversation's branch, whose messages are its own.
func (c *Chat) Branch() *Chat {
	th := &model.Thread{ID: "branch", AgentID: c.Th.AgentID, Kind: model.ThreadBranch}
	c.Conv.Threads = append(c.Conv.Threads, th)
	return &Chat{B: c.B, Conv: c.Conv, Th: th, Served: c.Served}
}

// DropEmptyBranches takes out branches of nodes that hold no message.
func (c *Chat) DropEmptyBranches() {
	kept := c.Conv.Threads[:1]
	for _, th := range c.Conv.Threads[1:] {
		if len(th.Messages) > 0 {
			kept = append(kept, th)
		}
	}
	c.Conv.Threads = kept
}
