package edit

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"

	"palimpsest/model"
)

// Edits is what an export changes in a source: pieces dropped, new records or
// elements put in, spans replaced. Everything else is copied byte for byte.
// It is built by one goroutine and may then be written any number of times.
type Edits struct {
	doc      *model.Document
	Gone     map[model.Span]model.Piece
	Inserts  []insertion
	Replaces map[model.Span][]byte
}

type insertion struct {
	At     model.Piece
	behind bool
	bytes  []byte
}

// NewEdits starts an empty list of edits of d.
func NewEdits(d *model.Document) *Edits {
	return &Edits{doc: d, Gone: map[model.Span]model.Piece{}, Replaces: map[model.Span][]byte{}}
}

// Drop takes a piece out. When the last element of an array goes, the array's
// holder goes instead.
func (e *Edits) Drop(p model.Piece) { e.Gone[p.Span] = p }

// Dropped reports whether a piece goes, by itself or with what holds it.
func (e *Edits) Dropped(p model.Piece) bool {
	for {
		if _, ok := e.Gone[p.Span]; ok {
			return true
		}
		if p.Array < 0 {
			return false
		}
		a := e.doc.Arrays[p.Array]
		if a.Holder.Len == 0 {
			return false
		}
		if e.emptied(a) {
			return true
		}
		p = a.Holder
	}
}

func (e *Edits) emptied(a model.Array) bool {
	for _, el := range a.Elems {
		if _, ok := e.Gone[el]; !ok {
			return false
		}
	}
	return len(a.Elems) > 0
}

// Insert puts a new record or element before or behind a piece, which may
// itself be dropped. bytes carry no line end and no comma.
func (e *Edits) Insert(at model.Piece, behind bool, bytes []byte) {
	e.Inserts = append(e.Inserts, insertion{at, behind, bytes})
}

// Replace puts other bytes in the place of a span inside a kept piece.
func (e *Edits) Replace(s model.Span, bytes []byte) { e.Replaces[s] = bytes }

// Covered reports whether a span is in one that is replaced or goes.
func (e *Edits) Covered(s model.Span) bool {
	in := func(o model.Span) bool { return o.Off <= s.Off && s.End() <= o.End() }
	for o := range e.Replaces {
		if in(o) {
			return true
		}
	}
	for o := range e.Gone {
		if in(o) {
			return true
		}
	}
	return false
}

// Splice replaces a span of the source; at equal offsets the earlier one in the
// list is written first.
type Splice struct {
	model.Span
	Bytes []byte
}

// Write copies the source with the edits applied. It fails if the source is no
// longer what was opened; then what was written is worthless.
func (e *Edits) Write(w io.Writer) error {
	list, err := e.Splices()
	if err != nil {
		return err
	}
	if e.doc.Packed != nil {
		return writePacked(w, e.doc, list)
	}
	return writeInto(w, e.doc, list)
}

// writePacked copies the file as it is, or packs the edited text as it was.
func writePacked(w io.Writer, d *model.Document, list []Splice) error {
	p := d.Packed
	if len(list) == 0 {
		file := &model.Document{Path: d.Path, Source: p.Source, Size: p.Size, SHA256: d.SHA256}
		return writeSpliced(w, file, nil)
	}
	if p.Pack == nil {
		return &model.Problem{Code: "read-only-format", What: fmt.Sprintf("%s was not written.", d.Path), Why: p.Why,
			Next: "Write it in another form: -f openai-chat, or -f markdown."}
	}
	var text bytes.Buffer
	if err := writeInto(&text, d, list); err != nil {
		return err
	}
	if err := p.Pack(w, text.Bytes()); err != nil {
		return fmt.Errorf("pack: %w", err)
	}
	return nil
}

// writeInto copies the source with the edits, in whatever of it they are.
func writeInto(w io.Writer, d *model.Document, list []Splice) error {
	if p, ok := d.Source.(*PackedSource); ok && len(list) > 0 {
		return p.write(w, d, list)
	}
	return writeSpliced(w, d, list)
}

// writeSpliced copies a source with splices of its bytes, and verifies that it
// still is what was opened.
func writeSpliced(w io.Writer, d *model.Document, list []Splice) error {
	src := newSourceReader(d)
	for _, s := range list {
		if err := src.copyTo(w, s.Off); err != nil {
			return err
		}
		if _, err := w.Write(s.Bytes); err != nil {
			return fmt.Errorf("write: %w", err)
		}
		if err := src.skipTo(s.End()); err != nil {
			return err
		}
	}
	if err := src.copyTo(w, d.Size); err != nil {
		return err
	}
	return src.verify()
}

// Copy writes the untouched document and verifies that it still is what was
// opened.
func Copy(w io.Writer, d *model.Document) error { return NewEdits(d).Write(w) }

// Splices turns the edits into an ordered list of replacements that do not
// overlap.
func (e *Edits) Splices() ([]Splice, error) {
	e.Promote()
	var list []Splice
	arrays := map[int32]bool{}
	for _, p := range e.Gone {
		if p.Array >= 0 {
			arrays[p.Array] = true
		}
	}
	for _, in := range e.Inserts {
		if in.At.Array >= 0 {
			arrays[in.At.Array] = true
		}
	}
	list = append(list, e.lineSplices()...)
	for a := range arrays {
		list = append(list, e.arraySplices(a)...)
	}
	for s, b := range e.Replaces {
		list = append(list, Splice{s, b})
	}
	slices.SortStableFunc(list, bySplice)
	return withoutNested(list)
}

// bySplice orders splices by their places; insertions first.
func bySplice(a, b Splice) int {
	return cmp.Or(cmp.Compare(a.Off, b.Off), cmp.Compare(a.Len, b.Len))
}

// Promote drops the holder of every array that loses all elements and gets
// none, until nothing more is to be promoted.
func (e *Edits) Promote() {
	gets := map[int32]bool{}
	for _, in := range e.Inserts {
		if in.At.Array >= 0 {
			gets[in.At.Array] = true
		}
	}
	for again := true; again; {
		again = false
		for i, a := range e.doc.Arrays {
			if a.Holder.Len == 0 || gets[int32(i)] || !e.emptied(a) {
				continue
			}
			for _, el := range a.Elems {
				delete(e.Gone, el)
			}
			e.Gone[a.Holder.Span] = a.Holder
			again = true
		}
	}
}

// withoutNested removes replacements inside dropped spans and refuses real
// overlaps, which would be a fault of this package.
func withoutNested(list []Splice) ([]Splice, error) {
	out := list[:0]
	end := int64(-1)
	for _, s := range list {
		if s.End() <= end && s.Len > 0 || s.Len == 0 && s.Off < end {
			continue
		}
		if s.Off < end {
			return nil, fmt.Errorf("edits overlap at byte %d", s.Off)
		}
		out = append(out, s)
		end = max(end, s.End())
	}
	return out, nil
}

// sourceReader streams a source once while hashing all of it.
type sourceReader struct {
	doc *model.Document
	at  int64
	sum interface {
		io.Writer
		Sum([]byte) []byte
	}
	buf []byte
}

func newSourceReader(d *model.Document) *sourceReader {
	return &sourceReader{doc: d, sum: sha256.New(), buf: make([]byte, 256<<10)}
}

func (r *sourceReader) copyTo(w io.Writer, end int64) error { return r.advance(w, end) }
func (r *sourceReader) skipTo(end int64) error              { return r.advance(io.Discard, end) }

func (r *sourceReader) advance(w io.Writer, end int64) error {
	for r.at < end {
		n := int(min(int64(len(r.buf)), end-r.at))
		m, err := r.doc.Source.ReadAt(r.buf[:n], r.at)
		if m < n {
			return changed(r.doc, err)
		}
		r.sum.Write(r.buf[:n])
		if _, err := w.Write(r.buf[:n]); err != nil {
			return fmt.Errorf("write: %w", err)
		}
		r.at += int64(n)
	}
	return nil
}

func (r *sourceReader) verify() error {
	if err := r.skipTo(r.doc.Size); err != nil {
		return err
	}
	want := r.doc.SHA256
	if p := r.doc.Packed; p != nil {
		want = p.Text
	}
	if [32]byte(r.sum.Sum(nil)) != want {
		return changed(r.doc, nil)
	}
	return nil
}

func changed(d *model.Document, err error) error {
	return &model.Problem{Code: "source-changed", What: fmt.Sprintf("%s is no longer the file that was opened.", d.Path),
		Why: "Its bytes changed or it became shorter meanwhile.", Next: "Open it again.", Err: err}
}
