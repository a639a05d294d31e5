package codec

import (
	"palimpsest/model"
)

// AwaitsResult reports whether the next message can be a result: a call is open, and
// nothing but results came since.
func (c *Chat) AwaitsResult() bool {
	n := len(c.Th.Messages)
	if n == 0 || c.nextOpen("") == "" {
		return false
	}
	last := &c.Th.Messages[n-1]
	return last.Kind == model.KindResult || len(last.Calls) > 0
}
