package source

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
)

// mostValues may be in any table.
const mostValues = 2 << 20

// cells reads a column of a group of rows: its pages, the first of which may be a
// dictionary.
func (t *table) cells(c *column, about thrift) (*cells, error) {
	v := &cells{n: int(about.int(5)), full: c.def}
	if t.count += int64(v.n); v.n < 0 || t.count > max(mostValues, 2*t.size) { // a value takes 32 bytes of memory, however it is spelled
		return nil, fmt.Errorf("it says that it has %d values, more than its size allows", v.n)
	}
	from := about.int(9)
	if d := about.int(11); d > 0 && d < from {
		from = d
	}
	b, err := t.at(from, about.int(7))
	if err != nil {
		return nil, err
	}
	p := pages{c: c, v: v, codec: int(about.int(4)), most: int(t.most)}
	for r := (bin{b: b}); len(r.b) > 0 && p.read < v.n; {
		head := r.structure(0)
		body := r.take(int(head.int(3)))
		if r.bad {
			return nil, errCut
		}
		if err := p.page(head, body); err != nil {
			return nil, err
		}
	}
	if p.read != v.n {
		return nil, errCut
	}
	return v, nil
}

// pages reads the pages of one column.
type pages struct {
	c     *column
	v     *cells
	codec int
	most  int
	read  int // values so far, those that are not there too
	words []value
}

// The kinds of pages, and how values are spelled in them.
const (
	dataPage       = 0
	dictionaryPage = 2
	dataPage2      = 3

	plainCode      = 0
	dictionaryCode = 2
	runCode        = 3
	deltaCode      = 5
	lengthsCode    = 6
	prefixesCode   = 7
	dictionaryNew  = 8
)

func (p *pages) page(head thrift, body []byte) error {
	size := int(head.int(2))
	switch head.int(1) {
	case dictionaryPage:
		body, err := p.unpack(body, size)
		if err != nil {
			return err
		}
		words, err := p.plain(&bin{b: body}, int(head.in(7).int(1)))
		p.words = words
		return err
	case dataPage:
		body, err := p.unpack(body, size)
		if err != nil {
			return err
		}
		h := head.in(5)
		r := &bin{b: body}
		levels := func(most int) ([]uint16, error) {
			if most == 0 {
				return nil, nil
			}
			return runs[uint16](&bin{b: r.take(r.uint32())}, bits.Len(uint(most)), int(h.int(1)), p.v.n-p.read)
		}
		rep, err := levels(p.c.rep)
		if err != nil {
			return err
		}
		def, err := levels(p.c.def)
		if err != nil {
			return err
		}
		return p.data(r, int(h.int(1)), int(h.int(2)), rep, def)
	case dataPage2:
		h := head.in(8)
		n := int(h.int(1))
		r := &bin{b: body}
		repeats, depths := r.take(int(h.int(6))), r.take(int(h.int(5)))
		if r.bad {
			return errCut
		}
		var rep, def []uint16
		var err error
		if p.c.rep > 0 {
			if rep, err = runs[uint16](&bin{b: repeats}, bits.Len(uint(p.c.rep)), n, p.v.n-p.read); err != nil {
				return err
			}
		}
		if p.c.def > 0 {
			if def, err = runs[uint16](&bin{b: depths}, bits.Len(uint(p.c.def)), n, p.v.n-p.read); err != nil {
				return err
			}
		}
		rest := r.b
		if packed, said := h[7].(bool); packed || !said {
			if rest, err = p.unpack(rest, size-len(repeats)-len(depths)); err != nil {
				return err
			}
		}
		return p.data(&bin{b: rest}, n, int(h.int(4)), rep, def)
	}
	return nil // an index
}

// data takes the values of a page in.
func (p *pages) data(r *bin, n, code int, rep, def []uint16) error {
	there := n
	if p.c.def > 0 {
		there = 0
		for _, d := range def {
			if int(d) == p.c.def {
				there++
			}
		}
	}
	if n < 0 || p.read+n > p.v.n {
		return errCut
	}
	vals, err := p.decode(r, there, code)
	if err != nil {
		return err
	}
	switch {
	case p.read == 0 && n == p.v.n: // most columns have one page
		p.v.vals = vals
	case p.v.vals == nil: // no doubling
		p.v.vals = make([]value, 0, p.v.n)
		fallthrough
	default:
		p.v.vals = append(p.v.vals, vals...)
	}
	p.read += n
	p.v.rep = append(p.v.rep, rep...)
	p.v.def = append(p.v.def, def...)
	return nil
}

func (p *pages) decode(r *bin, n, code int) ([]value, error) {
	switch code {
	case plainCode:
		return p.plain(r, n)
	case dictionaryCode, dictionaryNew:
		if n == 0 {
			return nil, nil
		}
		at, err := runs[uint32](r, int(r.byte()), n, p.most)
		if err != nil {
			return nil, err
		}
		out := make([]value, n)
		for i, k := range at {
			if int(k) >= len(p.words) {
				return nil, errCut
			}
			out[i] = p.words[k]
		}
		return out, nil
	case runCode: // of truth values
		list, err := runs[uint16](&bin{b: r.take(r.uint32())}, 1, n, p.most)
		out := make([]value, len(list))
		for i, b := range list {
			out[i].n = uint64(b)
		}
		return out, err
	case deltaCode:
		list, err := deltas(r, n)
		out := make([]value, len(list))
		for i, d := range list {
			out[i].n = uint64(d)
		}
		return out, err
	case lengthsCode:
		return texts(r, n)
	case prefixesCode:
		common, err := deltas(r, n)
		if err != nil {
			return nil, err
		}
		out, err := texts(r, n)
		if err != nil {
			return nil, err
		}
		total := 0
		for i := range out {
			if i > 0 {
				k := common[i]
				if k < 0 || k > int64(len(out[i-1].b)) {
					return nil, errCut
				}
				if total += int(k); total > p.most {
					return nil, errCut
				}
				out[i].b = append(append([]byte{}, out[i-1].b[:k]...), out[i].b...)
			}
		}
		return out, nil
	}
	return nil, fmt.Errorf("the column %s is spelled in a way (%d) that is not read", p.c.name, code)
}

// plain reads values one after the other.
func (p *pages) plain(r *bin, n int) ([]value, error) {
	if n < 0 || n > 8*len(r.b) && n > 0 {
		return nil, errCut
	}
	out := make([]value, n)
	var bit byte
	for i := range out {
		switch p.c.kind {
		case boolKind:
			if i%8 == 0 {
				bit = r.byte()
			}
			out[i].n = uint64(bit >> (i % 8) & 1)
		case int32Kind:
			out[i].n = uint64(int64(int32(uint32(r.uint32()))))
		case floatKind:
			out[i].n = uint64(r.uint32())
		case int64Kind, doubleKind:
			if b := r.take(8); b != nil {
				out[i].n = binary.LittleEndian.Uint64(b)
			}
		case int96Kind:
			out[i].b = r.take(12)
		case fixedKind:
			out[i].b = r.take(p.c.size)
		default:
			out[i].b = r.take(r.uint32())
		}
	}
	if r.bad {
		return nil, errCut
	}
	return out, nil
}

// runs reads numbers of some bits each: a number that is repeated, or eight and more that
// follow each other.
func runs[T uint16 | uint32](r *bin, width, n, most int) ([]T, error) {
	if width > 32 || n < 0 || n > most {
		return nil, errCut
	}
	out := make([]T, 0, min(n, 1<<20))
	for len(out) < n {
		head := r.varint()
		if r.bad {
			return nil, errCut
		}
		if head&1 == 0 {
			var b [4]byte
			copy(b[:], r.take((width+7)/8))
			v := T(binary.LittleEndian.Uint32(b[:]))
			for range min(head>>1, uint64(n-len(out))) {
				out = append(out, v)
			}
			if r.bad || head == 0 {
				return nil, errCut
			}
			continue
		}
		groups := head >> 1
		if groups == 0 || groups > uint64(n) {
			return nil, errCut
		}
		packed := r.take(min(int(groups)*width, len(r.b))) // the last one may be cut
		for i := 0; i < int(groups)*8 && len(out) < n; i++ {
			out = append(out, T(bitsAt(packed, i*width, width)))
		}
	}
	return out, nil
}

// bitsAt is the number of some bits from a bit on.
func bitsAt(b []byte, at, width int) (n uint64) {
	for i := 0; i < width; {
		k := at + i
		if k/8 >= len(b) {
			return n
		}
		left := min(8-k%8, width-i)
		n |= uint64(b[k/8]>>(k%8)) & (1<<left - 1) << i
		i += left
	}
	return n
}

// deltas reads numbers as differences, in blocks that each have their least one and, of
// each of some parts, how many bits the rest has.
func deltas(r *bin, n int) ([]int64, error) {
	block, parts := int(r.varint()), int(r.varint())
	total := r.varint()
	last := r.zigzag()
	if r.bad || parts <= 0 || block <= 0 || block%parts != 0 || block > 1<<20 || n < 0 || total != uint64(n) {
		return nil, errCut
	}
	size := block / parts
	out := make([]int64, 0, min(n, 1<<20))
	if total > 0 {
		out = append(out, last)
	}
	for uint64(len(out)) < total && !r.bad {
		least := r.zigzag()
		widths := r.take(parts)
		for _, width := range widths {
			if uint64(len(out)) >= total {
				break
			}
			if width > 64 {
				return nil, errCut
			}
			packed := r.take(size * int(width) / 8)
			for i := range size {
				if uint64(len(out)) >= total || r.bad {
					break
				}
				last += least + int64(bitsAt(packed, i*int(width), int(width)))
				out = append(out, last)
			}
		}
	}
	if r.bad || len(out) < n {
		return nil, errCut
	}
	return out, nil
}

// texts reads texts behind the list of their lengths.
func texts(r *bin, n int) ([]value, error) {
	sizes, err := deltas(r, n)
	if err != nil {
		return nil, err
	}
	out := make([]value, n)
	for i, size := range sizes {
		out[i].b = r.take(int(size))
	}
	if r.bad {
		return nil, errCut
	}
	return out, nil
}

// unpack unpacks the body of a page, which then has a size.
func (p *pages) unpack(b []byte, size int) (out []byte, err error) {
	if size < 0 || size > p.most {
		return nil, errCut
	}
	whole := func(r io.Reader, err error) ([]byte, error) {
		if err != nil {
			return nil, err
		}
		return io.ReadAll(io.LimitReader(r, int64(size)+1))
	}
	switch p.codec {
	case 0:
		out = b
	case 1:
		if n, err := snappy.DecodedLen(b); err != nil || n != size {
			return nil, errCut
		}
		out, err = snappy.Decode(nil, b)
	case 2:
		out, err = whole(gzip.NewReader(bytes.NewReader(b)))
	case 4:
		out, err = whole(brotli.NewReader(bytes.NewReader(b)), nil)
	case 6:
		r, bad := zstd.NewReader(bytes.NewReader(b), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(mostWindow))
		if bad == nil {
			defer r.Close()
		}
		out, err = whole(r, bad)
	default:
		return nil, fmt.Errorf("it is packed with LZ4 or LZO, which is not read")
	}
	if err != nil || len(out) != size {
		return nil, errCut
	}
	return out, nil
}
