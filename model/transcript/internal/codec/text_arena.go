package codec

import (
	"strings"
	"unsafe"

	"palimpsest/model/transcript/jspan"
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

// Texts are the texts of values that a document keeps. It is for one goroutine; the zero
// value holds none.
type Texts struct {
	Arena TextArena
	names map[string]string
	head  []byte // of a text, while its preview is made
}

// Intern keeps one copy of strings that repeat: ids, models, tool names.
func (t *Texts) Intern(s string) string {
	if len(s) > 200 {
		return s
	}
	if have, ok := t.names[s]; ok {
		return have
	}
	if t.names == nil {
		t.names = map[string]string{}
	}
	t.names[s] = s
	return s
}

// Text is intern for the text of a value, which costs no memory where it is known.
func (t *Texts) Text(v jspan.Value) string { return t.TextOf(v.Bytes()) }

// TextOf is intern for bytes, which are copied where they are not known.
func (t *Texts) TextOf(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if have, ok := t.names[string(b)]; ok {
		return have
	}
	return t.Intern(t.Arena.Keep(ViewOf(b)))
}

// ID is the text of a value that hardly any other repeats.
func (t *Texts) ID(v jspan.Value) string { return t.Arena.Keep(ViewOf(v.Bytes())) }
