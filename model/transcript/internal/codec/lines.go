package codec

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// Lines streams the source line by line. f gets each line that is one JSON
// object; the value is only valid during the call. Lines that are not, become
// bad segments with a note. An error of f ends the reading. The next batches are read, hashed
// and parsed while f takes in the records of one.
func (b *Builder) Lines(ctx context.Context, f func(v jspan.Value) error) error {
	off, number := int64(0), 0
	r := lineReader{src: b.Doc.Source, end: b.Doc.Size, sum: sha256.New()}
	if b.Doc.Style.BOM {
		if err := r.discard(3); err != nil {
			return err
		}
		off = 3
	}
	batches := readAhead(&r)
	defer batches.stop()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if b.Progress != nil {
			b.Progress(off, b.Doc.Size)
		}
		lines, err := batches.next()
		if err != nil {
			return fmt.Errorf("read behind line %d: %w", number, err)
		}
		if lines == nil {
			r.sum.Sum(b.Doc.SHA256[:0])
			return nil
		}
		for i := range lines.lines {
			l := &lines.lines[i]
			number++
			b.Base, b.Line = off, number
			if err := b.line(l, f); err != nil {
				return err
			}
			off += l.n
			number += l.others
		}
	}
}

// line gives the records of a line their segments, and its record to f.
func (b *Builder) line(l *line, f func(v jspan.Value) error) error {
	switch {
	case l.blank:
		return nil
	case l.err != nil:
		code, why := "bad-json", "not JSON: "+l.err.Error()
		switch {
		case l.err == errTooLong:
			code, why = "too-long", l.err.Error()
		case errors.Is(l.err, jspan.ErrCut):
			code, why = "truncated", fmt.Sprintf("cut off after %d bytes", l.body)
		case errors.Is(l.err, jspan.ErrDepth):
			code, why = "too-deep", l.err.Error()
		}
		if l.garbled {
			why += "; not valid UTF-8"
		}
		b.bad(code, why, l.body)
		return nil
	}
	if l.garbled {
		b.Note("bad-utf8", "holds bytes that are not valid UTF-8; they are shown as �, and kept")
	}
	if l.broken > 0 {
		b.bad("cut-record", "a record breaks off here, and another one follows on the line; that is read", int64(l.broken))
	}
	if !l.blank && l.others > 0 {
		b.Note(splitRecord, fmt.Sprintf("a record goes over %d lines, by line ends in a text; it is read as one", 1+l.others))
	}
	b.record(l.record)
	if len(l.more) > 0 {
		b.Note("glued-records", fmt.Sprintf("%d records are on one line, a line end is missing; all are read", 1+len(l.more)))
	}
	if err := f(l.record); err != nil {
		return err
	}
	for _, v := range l.more {
		b.record(v)
		if err := f(v); err != nil {
			return err
		}
	}
	return nil
}

// record gives a record of a line its segment.
func (b *Builder) record(v jspan.Value) {
	b.segment(b.Base+int64(v.Off), int64(v.Len()), model.SegmentRecord)
}

// line is one line of a source, its line end included.
type line struct {
	n       int64         // its length
	body    int64         // without the line end
	record  jspan.Value   // what it holds, with offsets into the line
	more    []jspan.Value // behind it, where a line end is missing
	blank   bool
	others  int  // so many more lines belong to it: blank ones, or those that its record goes on in
	broken  int  // so many bytes before its record are the beginning of one that was never finished
	garbled bool // holds bytes that are no UTF-8
	err     error
}

var errTooLong = fmt.Errorf("longer than %d MB", MaxLine>>20)

// parseLine finds out what a line is.
func parseLine(p *jspan.Parser, text []byte) line {
	l := line{n: int64(len(text))}
	body := bytes.TrimRight(text, "\r\n")
	l.body = int64(len(body))
	start := jspan.Space(text, 0)
	if start >= len(body) {
		l.blank = true
		return l
	}
	l.record, l.err = p.Parse(body, start)
	for at := l.record.End; l.err == nil && jspan.Space(body, at) != len(body); {
		v, err := p.Parse(body, at)
		if errors.Is(err, jspan.ErrCut) && body[jspan.Space(body, at)] == '{' { // it may go on in the next line
			l.more, l.err = nil, err
			break
		}
		if err != nil || v.Kind != jspan.Object || l.record.Kind != jspan.Object {
			l.more, l.err = nil, &jspan.SyntaxError{Off: l.record.End, What: "text behind the record"}
			break
		}
		l.more, at = append(l.more, v), v.End
	}
	if l.err == nil && l.record.Kind != jspan.Object {
		l.err = fmt.Errorf("a bare %s, not a record", l.record.Kind)
	}
	l.garbled = !utf8.Valid(body)
	return l
}

// Broken is what is found in a line that holds no record by itself.
type Broken struct {
	Len   int64 // of it, with the lines that its record goes on in
	Begun int   // bytes of a record that was never finished, before one that is whole; 0: there are none
	Split bool  // its record goes over several lines
}

// BrokenLine looks for the record of a line that is not whole; text begins with the line.
func BrokenLine(text []byte) (b Broken, cut bool) {
	p, n := &jspan.Parser{}, bytes.IndexByte(text, '\n')+1
	if n == 0 {
		n = len(text)
	}
	l := parseLine(p, text[:n])
	if l.err != nil {
		l = mendLine(p, text, l)
	}
	return Broken{Len: l.n, Begun: l.broken, Split: l.others > 0 && l.err == nil}, errors.Is(l.err, jspan.ErrCut)
}

// splitRecord is the code of a note on a record that goes over several lines.
const splitRecord = "split-record"

// mostSplit is how many lines a record may go over by line ends that were not escaped.
const mostSplit = 32

// mendLine looks for a record in a line that is none by itself: after a beginning of one
// that was never finished, with those after it, or with the lines that follow, where line ends in a text were
// not escaped, or the last of several records is split. text begins with the line.
func mendLine(p *jspan.Parser, text []byte, l line) line {
	body := text[:l.body]
	start := jspan.Space(body, 0)
	if colon := bytes.IndexByte(body, ':'); colon > start && body[start] == '{' {
		head := body[bytes.LastIndexByte(body[:colon], '{') : colon+1] // the one that is cut may end in its first name
		from := len(body)                                              // the records that are found so far begin there
		for at := bytes.LastIndex(body, head); at > start; at = bytes.LastIndex(body[:at], head) {
			if v, err := p.Parse(body, at); err == nil && jspan.Space(body, v.End) == from {
				if l.broken > 0 {
					l.more = slices.Insert(l.more, 0, l.record)
				}
				l.record, l.err, l.broken, from = v, nil, at, at
			}
		}
		if l.broken > 0 {
			return l
		}
	}
	if !errors.Is(l.err, jspan.ErrCut) {
		return l
	}
	end := int(l.n)
	for others := 1; others <= mostSplit && end < len(text); others++ {
		next := bytes.IndexByte(text[end:], '\n') + 1
		if next == 0 {
			next = len(text) - end
		}
		if whole := parseLine(p, text[end:end+next]); whole.err == nil && !whole.blank {
			break
		}
		end += next
		if one := parseLine(p, text[:end]); one.err == nil && (len(one.more) == 0 || l.record.Exists()) {
			one.others = others
			return one
		}
	}
	return l
}
