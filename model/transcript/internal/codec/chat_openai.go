package codec

import (
	"palimpsest/model"
)

// UserOrigin tells what a user message is in this conversation.
func (c *Chat) UserOrigin(head string) model.Origin {
	if IsInjectedText(head) {
		return model.OriginInjected
	}
	if c.Th.Observations {
		if len(c.Th.Found) > 0 || HasMark(head, outputMarks) { // the task may be in a summary by now
			return model.OriginObservation
		}
		for _, i := range c.Th.History {
			if c.Th.Messages[i].Kind == model.KindUser {
				return model.OriginObservation
			}
		}
	}
	return model.OriginTyped
}
