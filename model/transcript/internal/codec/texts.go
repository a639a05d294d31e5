package codec

import (
	"unsafe"

	"palimpsest/model/transcript/jspan"
)

// ViewOf is a text over bytes that are not copied: it is good as long as they
// stay as they are.
func ViewOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Texts are the texts of values that a document keeps. It is for one goroutine; the zero
// value holds none.
type Texts struct {
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
	return t.Intern(string(b))
}

// ID is the text of a value that hardly any other repeats.
func (t *Texts) ID(v jspan.Value) string { return string(v.Bytes()) }
