package codec

import (
	"strings"
	"unsafe"
)

// TextArena holds the IDs and previews of a document's messages one behind the
// other. They live as long as the document, and an allocation for each would
// cost more than most of them. The zero value is empty.
type TextArena struct{ room []byte }

// keptRoom is how much is asked for at a time. A text that takes a large part of it
// gets memory of its own.
const keptRoom = 32 << 10

// Keep is a copy of a text.
func (k *TextArena) Keep(s string) string {
	if len(s) == 0 {
		return ""
	}
	if len(s) > keptRoom/16 {
		return strings.Clone(s)
	}
	if len(s) > cap(k.room)-len(k.room) {
		k.room = make([]byte, 0, keptRoom)
	}
	from := len(k.room)
	k.room = append(k.room, s...)
	return ViewOf(k.room[from:])
}

// ViewOf is a text over bytes that are not copied: it is good as long as they
// stay as they are.
func ViewOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
