package edit

import (
	"bytes"
	"sort"

	"palimpsest/model"
)

// arraySplices rewrites the separators of one array: a dropped element takes
// one comma and the white space around it along, an insertion brings one.
func (e *Edits) arraySplices(index int32) []Splice {
	a := e.doc.Arrays[index]
	before := make(map[int][][]byte)
	for _, in := range e.Inserts {
		if in.At.Array != index {
			continue
		}
		k := sort.Search(len(a.Elems), func(i int) bool { return a.Elems[i].Off >= in.At.Off })
		if in.behind {
			k++
		}
		before[k] = append(before[k], in.bytes)
	}
	sep := e.Separator(a)
	var list []Splice
	emitted := false
	put := func(at int64, k int) {
		for _, b := range before[k] {
			if emitted {
				b = append(append([]byte{}, sep...), b...)
			}
			list = append(list, Splice{model.Span{Off: at}, b})
			emitted = true
		}
	}
	for i, el := range a.Elems {
		at := el.Off
		if i > 0 {
			at = a.Elems[i-1].End()
		}
		put(at, i)
		if _, gone := e.Gone[el]; gone {
			list = append(list, Splice{model.Span{Off: at, Len: el.End() - at}, nil})
			continue
		}
		switch {
		case i > 0 && !emitted: // nothing in front of it is left
			list = append(list, Splice{model.Span{Off: at, Len: el.Off - at}, nil})
		case i == 0 && emitted:
			list = append(list, Splice{model.Span{Off: at}, sep})
		}
		emitted = true
	}
	at := a.Off + 1
	if n := len(a.Elems); n > 0 {
		at = a.Elems[n-1].End()
	}
	put(at, len(a.Elems))
	return list
}

// Separator is what is between two elements of the array.
func (e *Edits) Separator(a model.Array) []byte {
	if len(a.Elems) > 1 {
		if b, err := e.doc.Bytes(model.Span{Off: a.Elems[0].End(), Len: a.Elems[1].Off - a.Elems[0].End()}); err == nil {
			return b
		}
	}
	if len(a.Elems) == 1 && a.Elems[0].Off > a.Off {
		b, err := e.doc.Bytes(model.Span{Off: a.Off + 1, Len: a.Elems[0].Off - a.Off - 1})
		if err == nil && bytes.IndexByte(b, '\n') >= 0 {
			return append([]byte{','}, b...)
		}
	} else if e.doc.Style.Indent != "" {
		return []byte("," + e.doc.Style.EOL + e.doc.Style.Indent)
	}
	if e.doc.Style.Spaced {
		return []byte(", ")
	}
	return []byte(",")
}
