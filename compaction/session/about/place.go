package about

import (
	"strconv"

	"palimpsest/model"
	"palimpsest/model/pattern"
)

// placeWords is how summaries that are made without a model say which messages
// they refer to, in text, tables and JSON, in both languages.
var placeWords = pattern.New(`(?i)(?:\bmessages?"?:? ?"?|消息 ?)(\d{1,9})(?: ?[-–] ?(\d{1,9}))?\b`)

// Ref is a place in a text that names messages.
type Ref struct {
	From, To int         // bytes of the text
	Messages model.Range // history positions
}

// Refs are the places in a text that name messages, in order.
func Refs(text string) (list []Ref) {
	for _, m := range placeWords.FindAllStringSubmatchIndex(text, -1) {
		from, err := strconv.Atoi(text[m[2]:m[3]])
		to := from
		if m[4] >= 0 && err == nil {
			to, err = strconv.Atoi(text[m[4]:m[5]])
		}
		if err == nil && from >= 1 && to >= from {
			list = append(list, Ref{m[0], m[1], model.Range{From: from - 1, To: to}})
		}
	}
	return list
}

// Place is the messages, in history indices, that a line of a summary
// summarizes: those that the line names, or else the nearest line above it. False
// where the summary names none.
func Place(lines []string, at int) (model.Range, bool) {
	for i := min(at, len(lines)-1); i >= 0; i-- {
		if list := Refs(lines[i]); len(list) > 0 {
			return list[0].Messages, true
		}
	}
	return model.Range{}, false
}
