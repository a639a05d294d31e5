package codec

import (
	"palimpsest/model"
)

// TaskOrigin calls the first user message of an agent's run typed, and all
// others observations. The task may be in a summary by now; a demonstration is
// not it.
func (c *Chat) TaskOrigin() model.Origin {
	if len(c.Th.Found) > 0 {
		return model.OriginObservation
	}
	for _, i := range c.Th.History {
		if c.Th.Messages[i].Typed() {
			return model.OriginObservation
		}
	}
	return model.OriginTyped
}
