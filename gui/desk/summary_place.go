package desk

import (
	"strconv"

	"palimpsest/model"
	"palimpsest/model/pattern"
)

// placeWords is how summaries that are made without a model say which messages
// they refer to, in text, tables and JSON, in both languages.
var placeWords = pattern.New(`(?i)(?:\bmessages?"?:? ?"?|消息 ?)(\d{1,9})(?: ?[-–] ?(\d{1,9}))?\b`)

// SummaryPlace is the messages, in history indices, that a line of a summary
// summarizes: those that the line names, or else the nearest line above it. False
// where the summary names none.
func SummaryPlace(lines []string, at int) (model.Range, bool) {
	for i := min(at, len(lines)-1); i >= 0; i-- {
		m := placeWords.FindStringSubmatch(lines[i])
		if m == nil {
			continue
		}
		from, err := strconv.Atoi(m[1])
		to := from
		if m[2] != "" && err == nil {
			to, err = strconv.Atoi(m[2])
		}
		if err == nil && from >= 1 && to >= from {
			return model.Range{From: from - 1, To: to}, true
		}
	}
	return model.Range{}, false
}
