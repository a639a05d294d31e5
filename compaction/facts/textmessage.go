package facts

import "palimpsest/model"

// textMessage is a text as a message without an author: atoms are lifted from it
// and nothing is judged.
func textMessage(s string) *Message {
	return &Message{Author: Tool, Parts: []model.Part{{Kind: model.PartText, Text: s}}}
}
