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
	d := &historyitem.Document{ID: c.id, Title: s.title, History: slices.Clip(h.items), Stats: h.history}
	for _, agent := range s.agents {
		x := s.contexts[agent]
		d.Agents = append(d.Agents, historyitem.Agent{AgentStats: x.agentStats(agent, s.language()), Context: slices.Clip(x.items)})
	}
	return d
}
