package summarize

import "unicode/utf16"

// StepCompat says in what the reading of step records behaves exactly as the
// first authors' program did, for comparison with it. The zero value is the
// careful reading.
type StepCompat struct {
	// FieldEnd: a field ends at the next "**", bold words in its value included.
	FieldEnd bool
	// Markers: nothing but the Chinese markers in their one spelling is read, so
	// that an error step says nothing, whatever its length.
	Markers bool
	// Unit: limits count UTF-16 units, and hold for goal and result only (F9,
	// F12).
	Unit bool
}

// limit cuts the value of a field.
func (c StepCompat) limit(field int, value string) string {
	switch {
	case !c.Unit:
		return Truncate(value, fieldLimit)
	case field == fieldGoal || field == fieldResult:
		return truncateUTF16(value, fieldLimit)
	}
	return value
}

// truncateUTF16 cuts as the first authors did. Where the limit falls inside a
// surrogate pair, the half that stays is no character any more and becomes the
// replacement character, as in every reader of the result.
func truncateUTF16(s string, limit int) string {
	units := 0
	for i, r := range s {
		switch width := utf16.RuneLen(r); {
		case units == limit:
			return s[:i] + "..."
		case units+width > limit:
			return s[:i] + "\ufffd..."
		default:
			units += width
		}
	}
	return s
}

// UTF16Len is the length of a text in UTF-16 units.
func UTF16Len(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}
