package codec

import (
	"palimpsest/model"
)

// Author lists an agent when it first speaks. The first one is the thread's.
func (c *Chat) Author(seen map[string]bool, name string) {
	if seen[name] || name == "" {
		return
	}
	seen[name] = true
	if len(seen) == 1 {
		c.Conv.Agents[0].Name = name
		return
	}
	c.Conv.Agents = append(c.Conv.Agents, model.Agent{ID: name, Name: name, Parent: c.Conv.Agents[0].ID})
}
