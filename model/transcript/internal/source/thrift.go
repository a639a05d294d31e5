package source

import (
	"encoding/binary"
	"errors"
	"math"
)

// errCut is what a binary text is refused with that ends too early or says what cannot be.
var errCut = errors.New("it is damaged or cut off")

// bin reads a binary text from its beginning. What is behind its end is zero, and bad is
// set.
type bin struct {
	b   []byte
	bad bool
}

func (r *bin) take(n int) []byte {
	if n < 0 || n > len(r.b) {
		r.bad, r.b = true, nil
		return nil
	}
	out := r.b[:n:n]
	r.b = r.b[n:]
	return out
}

func (r *bin) byte() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *bin) uint32() int {
	if b := r.take(4); b != nil {
		return int(binary.LittleEndian.Uint32(b))
	}
	return 0
}

func (r *bin) varint() uint64 {
	n, size := binary.Uvarint(r.b)
	if size <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[size:]
	return n
}

func (r *bin) zigzag() int64 {
	n := r.varint()
	return int64(n>>1) ^ -int64(n&1)
}

// thrift is a structure of the compact protocol: its fields by their numbers.
type thrift map[int]any

func (t thrift) int(field int) int64 {
	n, _ := t[field].(int64)
	return n
}

func (t thrift) in(field int) thrift {
	in, _ := t[field].(thrift)
	return in
}

func (t thrift) list(field int) []any {
	list, _ := t[field].([]any)
	return list
}

func (t thrift) text(field int) string {
	b, _ := t[field].([]byte)
	return string(b)
}

// deepest bounds how deep structures lie in each other.
const deepest = 40

// structure reads one.
func (r *bin) structure(depth int) thrift {
	out := thrift{}
	for field := 0; !r.bad; {
		head := r.byte()
		if head == 0 {
			return out
		}
		if jump := int(head >> 4); jump > 0 {
			field += jump
		} else {
			field = int(r.zigzag())
		}
		switch kind := head & 15; kind {
		case 1, 2:
			out[field] = kind == 1
		default:
			out[field] = r.value(kind, depth)
		}
	}
	return out
}

func (r *bin) value(kind byte, depth int) any {
	if depth > deepest {
		r.bad = true
	}
	if r.bad {
		return nil
	}
	switch kind {
	case 1, 2:
		return r.byte() == 1
	case 3:
		return int64(int8(r.byte()))
	case 4, 5, 6:
		return r.zigzag()
	case 7:
		if b := r.take(8); b != nil {
			return math.Float64frombits(binary.LittleEndian.Uint64(b))
		}
	case 8:
		return r.take(int(min(r.varint(), math.MaxInt32)))
	case 9, 10:
		head := r.byte()
		n := uint64(head >> 4)
		if n == 15 {
			n = r.varint()
		}
		if n > uint64(len(r.b)) { // each takes a byte at least
			r.bad = true
			return nil
		}
		list := make([]any, 0, n)
		for range n {
			list = append(list, r.value(head&15, depth+1))
		}
		return list
	case 12:
		return r.structure(depth + 1)
	default: // a map, of which a table's description has none
		r.bad = true
	}
	return nil
}
