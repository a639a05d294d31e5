package transcript

import (
	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// quote spells a string the way the document does.
func quote(d *model.Document, s string) []byte {
	return jspan.AppendQuote(nil, s, d.Style.ASCII)
}

// object spells an object member by member in the document's style.
type object struct {
	d     *model.Document
	b     []byte
	first bool
}

func newObject(d *model.Document) *object { return &object{d: d, b: []byte{'{'}, first: true} }

func (o *object) key(k string) *object {
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

// raw adds a member whose value is already spelled.
func (o *object) raw(k string, v []byte) *object {
	o.key(k).b = append(o.b, v...)
	return o
}

// str adds a string member.
func (o *object) str(k, v string) *object {
	o.key(k)
	o.b = jspan.AppendQuote(o.b, v, o.d.Style.ASCII)
	return o
}

func (o *object) done() []byte { return append(o.b, '}') }

// parseAt reads the piece back and parses it; spans of the value are relative
// to the piece's offset.
func parseAt(d *model.Document, s model.Span) (jspan.Value, error) {
	b, err := d.Bytes(s)
	if err != nil {
		return jspan.Value{}, err
	}
	return jspan.Parse(b, 0)
}

// within is the place in the source of a value that was parsed out of s.
func within(s model.Span, v jspan.Value) model.Span {
	return model.Span{Off: s.Off + int64(v.Off), Len: int64(v.Len())}
}
