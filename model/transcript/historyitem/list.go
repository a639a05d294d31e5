package historyitem

import (
	"fmt"
	"strings"

	"palimpsest/model/transcript/jspan"
)

// ParseList reads a list of items as a database column holds it. An empty
// column and null are the empty list. Anything else that is not one JSON array
// is an error: whoever meets it must not write over the column.
func ParseList(column string) ([]Item, error) {
	if strings.Trim(column, " \t\r\n") == "" {
		return nil, nil
	}
	v, err := parse(column)
	switch {
	case err != nil:
		return nil, fmt.Errorf("a list of history items is not JSON: %w", err)
	case v.Kind == jspan.Null:
		return nil, nil
	case v.Kind != jspan.Array:
		return nil, fmt.Errorf("a list of history items is a JSON %s, not an array", v.Kind)
	}
	var list []Item
	for _, e := range v.Items {
		list = append(list, newItem(e))
	}
	return list, nil
}

// FormatList spells a list. What [ParseList] gives of it is the same list, item
// by item and byte by byte.
func FormatList(list []Item) string {
	n := 2
	for _, it := range list {
		n += len(it.raw) + 2
	}
	var b strings.Builder
	b.Grow(n)
	b.WriteByte('[')
	for i, it := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(it.raw)
	}
	b.WriteByte(']')
	return b.String()
}
