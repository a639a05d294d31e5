package edit

import (
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

func (o *Object) Done() []byte { return append(o.b, '}') }

// QuoteOrNull spells an id that is a string, or null where there is none.
func QuoteOrNull(d *model.Document, id string) []byte {
	if id == "" {
		return []byte("null")
	}
	return Quote(d, id)
}
