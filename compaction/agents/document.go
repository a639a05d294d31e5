package agents

import (
	"slices"

	"palimpsest/model/transcript/historyitem"
)

// Document is the conversation of now, to be written or opened like a file: the
// shared history and the context of every agent.
func (c *Conversation) Document() *historyitem.Document {
	c.mu.RLock()
	defer c.mu.RUnlock()
	s := &c.state
	h := s.shared()
	d := &historyitem.Document{ID: c.id, Title: s.title, History: slices.Clip(h.items), Messages: h.history.Messages,
		LastContent: h.history.LastContent, LastType: h.history.LastType, LastAt: h.history.LastAt}
	for _, agent := range s.agents {
		x := s.contexts[agent]
		st := x.agentStats(agent, s.language())
		d.Agents = append(d.Agents, historyitem.Agent{ID: agent, CalledBy: st.Caller, Context: slices.Clip(x.items), State: st.State,
			Interactions: st.Interactions, LastType: st.LastType, LastAt: st.LastAt})
	}
	return d
}
