package codec

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

// ParseAt reads the piece back and parses it; spans of the value are relative
// to the piece's offset.
func ParseAt(d *model.Document, s model.Span) (jspan.Value, error) {
	b, err := d.Bytes(s)
	if err != nil {
		return jspan.Value{}, err
	}
	return jspan.Parse(b, 0)
}

// Within is the place in the source of a value that was parsed out of s.
func Within(s model.Span, v jspan.Value) model.Span {
	return model.Span{Off: s.Off + int64(v.Off), Len: int64(v.Len())}
}
