package source

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"palimpsest/model"
)

// A Parquet table keeps its rows by columns, and of a nested one with each value how deep
// it lies and where a list goes on. Here each row becomes a line of JSON again.
//
//	PAR1 │ row group: column, column … │ row group … │ description │ its length │ PAR1

// column is a field of the table's rows: one that holds values, or one with others in it.
type column struct {
	name       string
	repeated   bool
	optional   bool
	kind       int // of a value
	size       int // of values of a fixed size
	means      meaning
	kids       []*column
	def, rep   int // how deep a value of it lies, and in how many lists
	leaf       int // of a value: which of the row's
	wrapsLists bool
	wrapsMaps  bool
}

// meaning is what a value stands for.
type meaning uint8

const (
	plainValue meaning = iota
	textValue
	jsonValue
	dayValue
	milliValue
	microValue
	nanoValue
)

func parquet(s *state) (*Text, error) {
	if !bytes.HasPrefix(s.head, []byte("PAR1")) {
		return nil, nil
	}
	refused := func(err error) error {
		return &model.Problem{Code: "not-unpacked", What: fmt.Sprintf("%s could not be read.", s.path),
			Why: "It is a Parquet table: " + err.Error() + ".", Next: "Write its rows as JSON Lines, and open those.", Err: err}
	}
	t, err := openTable(s)
	if err != nil {
		return nil, refused(err)
	}
	b := rowText{most: int(t.most)}
	for _, g := range t.groups {
		if err := t.rows(&b, g); err != nil {
			return nil, refused(err)
		}
	}
	if len(b.text) == 0 {
		return nil, refused(fmt.Errorf("it has no rows"))
	}
	return &Text{Bytes: b.text, Packed: &model.Packed{Kind: "Parquet", Why: "A table is read, and not written."}}, nil
}

// table is the description of a file.
type table struct {
	src    io.ReaderAt
	size   int64
	root   *column
	leaves []*column
	groups []thrift
	most   int64 // bytes of text that its rows may have
	count  int64 // values so far
}

func openTable(s *state) (*table, error) {
	t := &table{src: s.src, size: s.size, most: budget(min(s.size, s.file))}
	tail, err := t.at(s.size-8, 8)
	if err != nil {
		return nil, err
	}
	if string(tail[4:]) == "PARE" {
		return nil, fmt.Errorf("it is encrypted")
	}
	n := int64(binary.LittleEndian.Uint32(tail))
	head, err := t.at(s.size-8-n, n)
	if err != nil {
		return nil, err
	}
	r := bin{b: head}
	d := r.structure(0)
	schema := d.list(2)
	if r.bad || len(schema) == 0 {
		return nil, errCut
	}
	rest := schema
	if t.root, rest = t.column(rest, 0, 0, 0); t.root == nil || len(rest) > 0 {
		return nil, errCut
	}
	for _, g := range d.list(4) {
		if g, ok := g.(thrift); ok {
			t.groups = append(t.groups, g)
		}
	}
	return t, nil
}

func (t *table) at(off, n int64) ([]byte, error) {
	if off < 0 || n < 0 || off > t.size-n {
		return nil, errCut
	}
	b := make([]byte, n)
	if _, err := t.src.ReadAt(b, off); err != nil && err != io.EOF {
		return nil, err
	}
	return b, nil
}

// column reads a field of the description, and those in it, which follow it.
func (t *table) column(list []any, def, rep, depth int) (*column, []any) {
	if len(list) == 0 || depth > deepest {
		return nil, nil
	}
	e, _ := list[0].(thrift)
	list = list[1:]
	c := &column{name: e.text(4), kind: int(e.int(1)), size: int(e.int(2)), def: def, rep: rep, leaf: -1}
	if depth > 0 {
		switch e.int(3) {
		case 1:
			c.optional = true
			c.def++
		case 2:
			c.repeated = true
			c.def++
			c.rep++
		}
	}
	logical := e.in(10)
	converted, marked := e[6]
	is := func(field int, old ...int64) bool {
		n, _ := converted.(int64)
		return logical[field] != nil || marked && slices.Contains(old, n)
	}
	kids := int(e.int(5))
	if kids == 0 {
		c.leaf = len(t.leaves)
		c.means = meaningOf(is, logical)
		t.leaves = append(t.leaves, c)
		return c, list
	}
	c.wrapsLists, c.wrapsMaps = is(3, 3), is(2, 1, 2)
	for range kids {
		var kid *column
		if kid, list = t.column(list, c.def, c.rep, depth+1); kid == nil {
			return nil, nil
		}
		c.kids = append(c.kids, kid)
	}
	return c, list
}

func meaningOf(is func(field int, old ...int64) bool, logical thrift) meaning {
	switch unit := logical.in(8).in(2); {
	case is(12, 19):
		return jsonValue
	case is(1, 0), is(4, 4):
		return textValue
	case is(6, 6):
		return dayValue
	case unit[2] != nil || is(-1, 10):
		return microValue
	case unit[3] != nil:
		return nanoValue
	case unit[1] != nil || is(-1, 9):
		return milliValue
	}
	return plainValue
}

// rows writes the rows of a group, a line each.
func (t *table) rows(w *rowText, g thrift) error {
	cols := make([]*cells, len(t.leaves))
	chunks := g.list(1)
	if len(chunks) != len(cols) {
		return errCut
	}
	for i, c := range chunks {
		c, _ := c.(thrift)
		var err error
		if cols[i], err = t.cells(t.leaves[i], c.in(3)); err != nil {
			return err
		}
	}
	for range g.int(3) {
		whole := writeRow(w, t.root, cols)
		switch w.put("\n"); {
		case w.full:
			return fmt.Errorf("its rows have more than %d MB of text", t.most>>20)
		case !whole:
			return errCut
		}
	}
	return nil
}

// cells are the values of a column in a group of rows, in order, as far as they were taken.
type cells struct {
	def, rep []uint16 // nil: all are zero
	n, at    int
	vals     []value
	val      int
	full     int // the depth of one that is there
}

// value is a text, or the bits of a number.
type value struct {
	b []byte
	n uint64
}

func (v *cells) depth() int {
	if v.at < v.n && v.def != nil {
		return int(v.def[v.at])
	}
	return 0
}

// follows reports whether the next value goes on in a list.
func (v *cells) follows(rep int) bool {
	return v.at < v.n && v.rep != nil && int(v.rep[v.at]) == rep
}

// next takes a value; none is one that is not there.
func (v *cells) next() (out value, there, ok bool) {
	if v.at >= v.n {
		return value{}, false, false
	}
	there = v.depth() == v.full
	v.at++
	if there {
		if v.val >= len(v.vals) {
			return value{}, false, false
		}
		out = v.vals[v.val]
		v.val++
	}
	return out, there, true
}

// first is the leftmost value in a column.
func (c *column) first() int {
	for c.leaf < 0 {
		c = c.kids[0]
	}
	return c.leaf
}

// pass takes one value of each column in a column, where there is nothing in it.
func (c *column) pass(cols []*cells) bool {
	if c.leaf >= 0 {
		_, _, ok := cols[c.leaf].next()
		return ok
	}
	return !slices.ContainsFunc(c.kids, func(k *column) bool { return !k.pass(cols) })
}

// rowText is the text of the rows, which has a bound: a word is written wherever it
// stands, and kept once. It never asks for more memory than the bound.
type rowText struct {
	text []byte
	most int
	full bool
}

// room makes room for so many bytes more, if there may be.
func (w *rowText) room(n int) bool {
	n += len(w.text)
	if w.full = w.full || n > w.most; !w.full && n > cap(w.text) {
		w.text = append(make([]byte, 0, min(w.most, max(n, 2*cap(w.text)))), w.text...)
	}
	return !w.full
}

func (w *rowText) put(s string) {
	if w.room(len(s)) {
		w.text = append(w.text, s...)
	}
}

func (w *rowText) Write(b []byte) (int, error) {
	if !w.room(len(b)) {
		return 0, io.ErrShortWrite
	}
	w.text = append(w.text, b...)
	return len(b), nil
}

func writeRow(w *rowText, root *column, cols []*cells) bool { return root.object(w, cols) }

// write writes a column's value in a row.
func (c *column) write(w *rowText, cols []*cells) bool {
	first := cols[c.first()]
	switch {
	case first.at >= first.n:
		return false
	case c.repeated:
		return c.elements(w, cols, c.element)
	case c.optional && first.depth() < c.def:
		w.put("null")
		return c.pass(cols)
	}
	return c.element(w, cols)
}

// elements writes those of a repeated column.
func (c *column) elements(w *rowText, cols []*cells, one func(*rowText, []*cells) bool) bool {
	first := cols[c.first()]
	w.put("[")
	defer w.put("]")
	if first.depth() < c.def {
		return c.pass(cols)
	}
	for i := 0; ; i++ {
		if i > 0 {
			w.put(",")
		}
		if !one(w, cols) {
			return false
		}
		if !first.follows(c.rep) {
			return true
		}
	}
}

// element writes what a column holds, once.
func (c *column) element(w *rowText, cols []*cells) bool {
	if w.full {
		return false
	}
	if c.leaf >= 0 {
		v, there, ok := cols[c.leaf].next()
		if !there {
			w.put("null")
		} else {
			c.spell(w, v)
		}
		return ok
	}
	if in := c.kids[0]; len(c.kids) == 1 && in.repeated && in.leaf < 0 {
		switch {
		case c.wrapsLists && len(in.kids) == 1:
			return in.elements(w, cols, in.kids[0].write)
		case c.wrapsMaps && len(in.kids) == 2 && in.kids[0].means == textValue:
			return in.members(w, cols)
		}
	}
	if len(c.kids) == 1 && c.wrapsLists && c.kids[0].repeated {
		return c.kids[0].write(w, cols)
	}
	return c.object(w, cols)
}

func (c *column) object(w *rowText, cols []*cells) bool {
	w.put("{")
	for i, k := range c.kids {
		if i > 0 {
			w.put(",")
		}
		w.put(spelledString(k.name))
		w.put(":")
		if !k.write(w, cols) {
			return false
		}
	}
	w.put("}")
	return true
}

// members writes keys and values as an object.
func (c *column) members(w *rowText, cols []*cells) bool {
	first := cols[c.first()]
	w.put("{")
	defer w.put("}")
	if first.depth() < c.def {
		return c.pass(cols)
	}
	for i := 0; ; i++ {
		if i > 0 {
			w.put(",")
		}
		key, _, ok := cols[c.kids[0].leaf].next()
		if w.put(spelledString(string(key.b)) + ":"); !ok || !c.kids[1].write(w, cols) {
			return false
		}
		if !first.follows(c.rep) {
			return true
		}
	}
}

// The kinds of values.
const (
	boolKind = iota
	int32Kind
	int64Kind
	int96Kind
	floatKind
	doubleKind
	bytesKind
	fixedKind
)

// spell writes a value as JSON. Bytes that are no text, as a picture's, are left out.
func (c *column) spell(w *rowText, v value) {
	number := func(f float64) {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			w.put("null")
			return
		}
		w.put(strconv.FormatFloat(f, 'g', -1, 64))
	}
	moment := func(t time.Time) { w.put(t.UTC().Format(`"2006-01-02T15:04:05.999999999Z"`)) }
	n := int64(v.n)
	switch {
	case c.means == dayValue:
		w.put(time.Unix(n*86400, 0).UTC().Format(`"2006-01-02"`))
	case c.means == milliValue:
		moment(time.UnixMilli(n))
	case c.means == microValue:
		moment(time.UnixMicro(n))
	case c.means == nanoValue:
		moment(time.Unix(0, n))
	case c.kind == boolKind:
		w.put(strconv.FormatBool(n != 0))
	case c.kind == int32Kind, c.kind == int64Kind:
		w.put(strconv.FormatInt(n, 10))
	case c.kind == floatKind:
		number(float64(math.Float32frombits(uint32(v.n))))
	case c.kind == doubleKind:
		number(math.Float64frombits(v.n))
	case c.kind == int96Kind && len(v.b) == 12: // nanoseconds of a day, and the day
		day := int64(binary.LittleEndian.Uint32(v.b[8:])) - 2440588
		moment(time.Unix(day*86400, int64(binary.LittleEndian.Uint64(v.b))))
	case c.means == jsonValue && json.Valid(v.b) && !bytes.ContainsRune(v.b, '\n'):
		_, _ = w.Write(v.b)
	case utf8.Valid(v.b):
		w.quote(v.b)
	default:
		w.put("null")
	}
}

// quote writes a text as JSON.
func (w *rowText) quote(b []byte) {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	if e.Encode(string(b)) == nil {
		w.text = w.text[:len(w.text)-1] // the line end
	}
}
