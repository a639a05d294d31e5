package codec

import (
	"palimpsest/model/transcript/jspan"
)

// MembersOf finds several members of an object in one pass over it: a source that
// is one value may be large, and every format looks for its own.
func MembersOf(v jspan.Value, names ...string) []jspan.Value {
	found := make([]jspan.Value, len(names))
	left := len(names)
	for key, val := range v.Each {
		for i, n := range names {
			if string(key) == n && !found[i].Exists() {
				found[i] = val
				left--
				break
			}
		}
		if left <= 0 {
			break
		}
	}
	return found
}
