package edit

import (
	"bytes"
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// Quote spells a string the way the document does.
func Quote(d *model.Document, s string) []byte {
	return jspan.AppendQuote(nil, s, d.Style.ASCII)
}

// Object spells an object member by member in the document's style.
type Object struct {
	d     *model.Document
	b     []byte
	first bool
}

// NewObject begins an object in the document's style, on one line.
func NewObject(d *model.Document) *Object { return &Object{d: d, b: []byte{'{'}, first: true} }

func (o *Object) key(k string) *Object {
	if !o.first {
		o.b = append(o.b, ',')
		if o.d.Style.Spaced {
			o.b = append(o.b, ' ')
		}
	}
	o.first = false
	o.b = append(jspan.AppendQuote(o.b, k, true), ':')
	if o.d.Style.Spaced {
		o.b = append(o.b, ' ')
	}
	return o
}

// Raw adds a member whose value is already spelled.
func (o *Object) Raw(k string, v []byte) *Object {
	o.key(k).b = append(o.b, v...)
	return o
}

// Str adds a string member.
func (o *Object) Str(k, v string) *Object {
	o.key(k)
	o.b = jspan.AppendQuote(o.b, v, o.d.Style.ASCII)
	return o
}

// Done returns the object.
func (o *Object) Done() []byte { return append(o.b, '}') }

// QuoteOrNull spells an id that is a string, or null where there is none.
func QuoteOrNull(d *model.Document, id string) []byte {
	if id == "" {
		return []byte("null")
	}
	return Quote(d, id)
}

// speller writes an object with the white space of a neighbour, so that a
// pretty-printed list stays pretty and a compact one compact.
type speller struct {
	doc                     *model.Document
	open, sep, Colon, close string
	b                       []byte
	n                       int
}

// SpellLike takes the white space from like, an object of the source. Anything
// else gives the document's style on one line.
func SpellLike(d *model.Document, like jspan.Value) *speller {
	s := &speller{doc: d, sep: ",", Colon: ":"}
	if d.Style.Spaced {
		s.sep, s.Colon = ", ", ": "
	}
	s.b = append(s.b, '{')
	if like.Kind != jspan.Object {
		return s
	}
	buf, end, n := like.Buf, like.Off+1, 0
	for key, val := range like.Each {
		at := jspan.Space(buf, end)
		if n > 0 { // at a comma
			at = jspan.Space(buf, at+1)
		}
		keyEnd := at + len(key) + 2
		switch n {
		case 0:
			s.open, s.Colon = string(buf[end:at]), string(buf[keyEnd:val.Off])
			if s.open != "" {
				s.sep = "," + s.open
			}
		case 1:
			s.sep = string(buf[end:at])
		}
		n++
		end = val.End
	}
	if n > 0 {
		s.close = string(buf[end : like.End-1])
	}
	return s
}

// Raw adds a member whose value is already spelled.
func (s *speller) Raw(key string, val []byte) *speller {
	if s.n == 0 {
		s.b = append(s.b, s.open...)
	} else {
		s.b = append(s.b, s.sep...)
	}
	s.n++
	s.b = jspan.AppendQuote(s.b, key, s.doc.Style.ASCII)
	s.b = append(s.b, s.Colon...)
	s.b = append(s.b, val...)
	return s
}

// Str adds a string member.
func (s *speller) Str(key, val string) *speller { return s.Raw(key, Quote(s.doc, val)) }

// Done returns the object.
func (s *speller) Done() []byte {
	return append(append(s.b, s.close...), '}')
}

// List spells a list of elements that are already spelled.
func List(elems ...[]byte) []byte {
	return slices.Concat([]byte{'['}, bytes.Join(elems, []byte{','}), []byte{']'})
}

// TextBlocks spells a list with one text block.
func TextBlocks(d *model.Document, member, text string) []byte {
	o := NewObject(d).Str("type", "text").Str(member, text)
	return List(o.Done())
}

// TypedText spells a list with one part of a type that holds text.
func TypedText(d *model.Document, kind, text string) []byte {
	part := NewObject(d).Str("type", kind).Str("text", text).Done()
	return List(part)
}
