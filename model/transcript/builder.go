package transcript

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"sort"
	"unicode/utf8"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// MaxLine is the longest line that is read; a longer one is listed as damaged
// and copied through. It bounds the memory one record can ask for.
const MaxLine = 64 << 20

// builder collects a document while a format reads it.
type builder struct {
	doc      *model.Document
	whole    jspan.Value // of a single JSON value
	progress func(done, total int64)
	base     int64 // file offset of the buffer that values point into
	line     int   // 1-based line of that buffer; 0 for a single value
	names    map[string]string
}

// span is a value's place in the source.
func (b *builder) span(v jspan.Value) model.Span {
	return model.Span{Off: b.base + int64(v.Off), Len: int64(v.Len())}
}

// record is the piece for a value that is a record of its own.
func (b *builder) record(v jspan.Value) model.Piece {
	return model.Piece{Span: b.span(v), Array: -1}
}

// array registers a JSON array whose elements belong to different messages and
// returns its index. holder is what goes when the last element goes; the zero
// Piece lets the empty array stay.
func (b *builder) array(v jspan.Value, holder model.Piece) int32 {
	a := model.Array{Span: b.span(v), Holder: holder}
	v.Items(func(_ int, e jspan.Value) bool {
		a.Elems = append(a.Elems, b.span(e))
		return true
	})
	b.doc.Arrays = append(b.doc.Arrays, a)
	return int32(len(b.doc.Arrays) - 1)
}

// elem is the piece for element i of a registered array.
func (b *builder) elem(array int32, i int) model.Piece {
	return model.Piece{Span: b.doc.Arrays[array].Elems[i], Array: array}
}

// note remembers something to say about the current line.
func (b *builder) note(code, reason string) {
	b.doc.Notes = append(b.doc.Notes, model.Note{Line: b.line, Off: b.base, Code: code, Reason: reason})
}

// intern keeps one copy of strings that repeat: ids, models, tool names.
func (b *builder) intern(s string) string {
	if len(s) > 200 {
		return s
	}
	if have, ok := b.names[s]; ok {
		return have
	}
	b.names[s] = s
	return s
}

// lines streams the source line by line. f gets each line that is one JSON
// value; the value's buffer is only valid during the call. Lines that are not,
// become bad segments with a note. An error of f ends the reading.
func (b *builder) lines(ctx context.Context, f func(v jspan.Value) error) error {
	p := linePlace{sum: sha256.New()}
	if err := b.linesFrom(ctx, &p, f); err != nil {
		return err
	}
	p.sum.Sum(b.doc.SHA256[:0])
	return nil
}

// linePlace is how far the lines of a source were read.
type linePlace struct {
	off  int64
	line int
	sum  hash.Hash // of all bytes before off
}

// linesFrom is lines from a place on, which it moves to the source's end.
func (b *builder) linesFrom(ctx context.Context, p *linePlace, f func(v jspan.Value) error) error {
	rest := b.doc.Size - p.off
	r := bufio.NewReaderSize(io.TeeReader(io.NewSectionReader(b.doc.Source, p.off, rest), p.sum), int(min(1<<20, rest+1)))
	if p.off == 0 && b.doc.Style.BOM {
		if _, err := r.Discard(3); err != nil {
			return err
		}
		b.segment(0, 3, model.SegmentGap)
		p.off = 3
	}
	var buf []byte
	for {
		if p.line%256 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if b.progress != nil {
				b.progress(p.off, b.doc.Size)
			}
		}
		text, n, err := readLine(r, &buf)
		if n == 0 && err == io.EOF {
			return nil
		}
		p.line++
		if err != nil && err != io.EOF {
			return fmt.Errorf("read line %d: %w", p.line, err)
		}
		b.base, b.line = p.off, p.line
		if err := b.oneLine(text, n, f); err != nil {
			return err
		}
		p.off += n
	}
}

// readLine reads up to and including the next newline. n is its full length;
// text is nil when it is longer than MaxLine.
func readLine(r *bufio.Reader, buf *[]byte) (text []byte, n int64, err error) {
	*buf = (*buf)[:0]
	over := false
	for {
		chunk, err := r.ReadSlice('\n')
		n += int64(len(chunk))
		if over = over || len(*buf)+len(chunk) > MaxLine; !over {
			*buf = append(*buf, chunk...)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if over {
			return nil, n, err
		}
		return *buf, n, err
	}
}

func (b *builder) oneLine(text []byte, n int64, f func(v jspan.Value) error) error {
	if text == nil {
		b.bad("too-long", fmt.Sprintf("longer than %d MB", MaxLine>>20), n)
		return nil
	}
	body := len(bytes.TrimRight(text, "\r\n"))
	start := jspan.Space(text, 0)
	if start >= body {
		b.segment(b.base, n, model.SegmentGap)
		return nil
	}
	v, err := jspan.Parse(text[:body], start)
	if err == nil && jspan.Space(text[:body], v.End) != body {
		err = &jspan.SyntaxError{Off: v.End, What: "text behind the record"}
	}
	if err == nil && v.Kind != jspan.Object {
		err = fmt.Errorf("a bare %s, not a record", v.Kind)
	}
	if err != nil {
		code, why := "bad-json", "not JSON: "+err.Error()
		switch {
		case errors.Is(err, jspan.ErrCut):
			code, why = "truncated", fmt.Sprintf("cut off after %d bytes", body)
		case errors.Is(err, jspan.ErrDepth):
			code, why = "too-deep", err.Error()
		}
		if !utf8.Valid(text[:body]) {
			why += "; not valid UTF-8"
		}
		b.bad(code, why, int64(body))
		b.segment(b.base+int64(body), n-int64(body), model.SegmentGap)
		return nil
	}
	if !utf8.Valid(v.Raw()) {
		b.note("bad-utf8", "holds bytes that are not valid UTF-8; they are shown as �, and kept")
	}
	b.segment(b.base, int64(v.Off), model.SegmentGap)
	b.segment(b.base+int64(v.Off), int64(v.Len()), model.SegmentRecord)
	b.segment(b.base+int64(v.End), n-int64(v.End), model.SegmentGap)
	return f(v)
}

func (b *builder) bad(code, reason string, n int64) {
	b.doc.Notes = append(b.doc.Notes, model.Note{Line: b.line, Off: b.base, Code: code, Reason: reason, Bad: true})
	b.segment(b.base, n, model.SegmentBad)
}

// segment appends to the cover; gaps that touch become one.
func (b *builder) segment(off, n int64, kind model.SegmentKind) {
	if n == 0 {
		return
	}
	if k := len(b.doc.Segments); kind == model.SegmentGap && k > 0 && b.doc.Segments[k-1].Kind == kind {
		b.doc.Segments[k-1].Len += n
		return
	}
	b.doc.Segments = append(b.doc.Segments, model.Segment{
		Span: model.Span{Off: off, Len: n}, Kind: kind, Line: int32(b.line)})
}

// cover cuts a document that is one JSON value into segments: the elements of
// the outermost registered arrays are records, all else is gap.
func (b *builder) cover() {
	d := b.doc
	order := make([]int, len(d.Arrays))
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(i, j int) bool { return d.Arrays[order[i]].Off < d.Arrays[order[j]].Off })
	at := int64(0)
	for _, i := range order {
		a := d.Arrays[i]
		if a.Off < at {
			continue // inside one that is already cut
		}
		for _, e := range a.Elems {
			b.segment(at, e.Off-at, model.SegmentGap)
			b.segment(e.Off, e.Len, model.SegmentRecord)
			at = e.End()
		}
	}
	if at == 0 && b.whole.Exists() {
		s := b.span(b.whole)
		b.segment(0, s.Off, model.SegmentGap)
		b.segment(s.Off, s.Len, model.SegmentRecord)
		at = s.End()
	}
	b.segment(at, d.Size-at, model.SegmentGap)
}

// preview is the first words of a text on one line.
func preview(s string) string {
	out := make([]byte, 0, 4*model.PreviewRunes) // a constant: it stays on the stack
	runes, gap := 0, false
	for _, r := range s {
		if r == ' ' || r == '\n' || r == '\t' || r == '\r' {
			gap = len(out) > 0
			continue
		}
		if gap {
			runes++
		}
		if runes+1 > model.PreviewRunes-1 {
			out = append(out, "…"...)
			break
		}
		if gap {
			out = append(out, ' ')
			gap = false
		}
		out = utf8.AppendRune(out, r)
		runes++
	}
	return string(out)
}

// previewScan bounds how much of a text is decoded to make its preview.
const previewScan = 4 * model.PreviewRunes
