package repair

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"palimpsest/model"
	"palimpsest/model/transcript"
	"palimpsest/model/transcript/jspan"
)

var errTooMany = &model.Problem{Code: "too-many-faults", What: "The file can't be mended.",
	Why: "It has more than a million faults: it is no text any more.", Next: "Restore it from a copy."}

// Check looks for the faults of a source and makes the mends that the options say, in a view
// of the source: nothing is written. The error is the source's or the context's; of a file that
// can't be mended the report says why.
func Check(ctx context.Context, path string, src io.ReaderAt, size int64, o Options) (*Report, error) {
	if o.Mend == nil {
		o.Mend = func(f *Fault) bool { return f.Proposed }
	}
	c := &check{Report: &Report{Path: path, file: src, size: size, o: o}, ctx: ctx, lines: lineIndex{src: src},
		seen: map[string]bool{}, copies: map[int64]*Fault{}}
	if err := c.unpack(); err != nil {
		return nil, err
	}
	if c.Err != nil {
		return c.Report, nil
	}
	err := c.text()
	if errors.As(err, new(*model.Problem)) {
		c.Err = err
	} else if err == nil {
		err = c.records()
	}
	if err != nil && c.Err == nil {
		return nil, err
	}
	c.Lines, c.lineOffs = c.lines.lines, c.lines.every
	slices.SortStableFunc(c.Faults, func(a, b *Fault) int { return int(a.Off - b.Off) })
	return c.Report, nil
}

// text looks for what is wrong with the text, whatever it says: line by line, or in all of it at
// once where that is one value.
func (c *check) text() error {
	head := make([]byte, min(c.size, 256<<10))
	if _, err := c.file.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if len(bytes.Trim(head, "\x00")) == 0 { // reading refuses it
		return nil
	}
	asLines, err := c.asLines(head)
	if err != nil {
		return err
	}
	begin := bytes.TrimLeft(head, "\x00 \t\r\n\ufeff")
	suspect := bytes.HasPrefix(head, bom)
	err = eachLine(c.ctx, c.file, c.size, func(off, _ int64, line []byte) {
		c.lines.add(off)
		suspect = suspect || asLines && (line == nil || !fine(line))
	})
	if err != nil || !asLines && (len(begin) == 0 || begin[0] != '{' && begin[0] != '[') {
		return err
	}
	l := lines{c: c, eol: lineEnd(head), whole: !asLines || c.lines.lines < 2}
	if l.whole {
		all, err := c.all()
		if err != nil {
			return err
		}
		suspect = suspect || !strict(all) // with a mark it is suspect all the same
	}
	if !suspect && !c.utf16 {
		return nil
	}
	if c.utf16 {
		c.raw("utf-16", 0, 0, nil, "")
	}
	return l.look()
}

// asLines reports whether the text is lines of records; head is its beginning.
func (c *check) asLines(head []byte) (bool, error) {
	yes, sure := recordLines(head)
	if !yes || sure || c.size > mostWhole {
		return yes, nil
	}
	all, err := c.all()
	return !oneValue(bytes.TrimPrefix(all, bom)), err
}

// look goes over the text three times: for bytes that no text has, for its structure, and for
// what is in it.
func (l *lines) look() error {
	for _, f := range []func(off, n int64, text []byte){l.c.holes, l.line, l.c.signs} {
		if err := l.c.pass(l.whole, f); err != nil {
			return err
		}
	}
	return nil
}

var bom = []byte("\ufeff")

// oneValue reports whether a text is one value, and that is whole.
func oneValue(text []byte) bool {
	v, err := jspan.Parse(text, 0)
	return err == nil && jspan.Space(text, v.End) == len(text)
}

// lineEnd is how the first line of a text ends.
func lineEnd(text []byte) []byte {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return []byte("\r\n")
	}
	return []byte("\n")
}

// all is the text as it is so far.
func (c *check) all() ([]byte, error) {
	src, size := c.top()
	if size > mostWhole {
		return nil, &model.Problem{Code: "too-large", What: c.Path + " was not looked through.",
			Why:  fmt.Sprintf("It is one JSON value of %d MB; up to %d MB are held in memory.", size>>20, mostWhole>>20),
			Next: "Save it as JSON Lines."}
	}
	text := make([]byte, size)
	if _, err := src.ReadAt(text, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return text, nil
}

// fine reports whether a line is blank or a record that every reader takes.
func fine(text []byte) bool {
	body := bytes.TrimRight(text, "\r\n")
	start := jspan.Space(body, 0)
	return start == len(body) || body[start] == '{' && strict(body)
}

// pass goes over the text as it is so far; what is found is a layer.
func (c *check) pass(whole bool, look func(off, n int64, text []byte)) error {
	if whole {
		all, err := c.all()
		if err != nil {
			return err
		}
		look(0, int64(len(all)), all)
	} else {
		src, size := c.top()
		if err := eachLine(c.ctx, src, size, look); err != nil {
			return err
		}
	}
	c.layer(nil)
	if c.edits > mostEdits {
		return errTooMany
	}
	return nil
}

const mostWhole = 1 << 30

// maxLine is the longest line that is looked into, as for reading.
const maxLine = 64 << 20

// eachLine calls f with every line of a source, its end included, and where it begins. A line
// that is too long comes without its text.
func eachLine(ctx context.Context, src io.ReaderAt, size int64, f func(off int64, n int64, text []byte)) error {
	r := bufio.NewReaderSize(io.NewSectionReader(src, 0, size), 1<<20)
	var long []byte
	for off := int64(0); off < size; {
		if err := ctx.Err(); err != nil {
			return err
		}
		long = long[:0]
		n := int64(0)
		text, err := r.ReadSlice('\n')
		for n = int64(len(text)); errors.Is(err, bufio.ErrBufferFull) && ctx.Err() == nil; n += int64(len(text)) {
			if n <= maxLine {
				long = append(long, text...)
			}
			text, err = r.ReadSlice('\n')
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return cmp.Or(ctx.Err(), err)
		}
		switch {
		case n > maxLine:
			text = nil
		case n > int64(len(text)):
			long = append(long, text...)
			text = long
		}
		f(off, n, text)
		off += n
	}
	return nil
}

// recordLines reports whether a head of a source is lines of records, as far as damage lets
// see: most begin as an object, and do not end as a part of a larger value does. sure: few of
// them look otherwise.
func recordLines(head []byte) (yes, sure bool) {
	records, others := 0, 0
	for line := range bytes.Lines(head) {
		line = bytes.Trim(line, "\x00 \t\r\n\ufeff")
		switch {
		case len(line) == 0:
		case len(line) > 2 && line[0] == '{' && line[len(line)-1] != ',' && line[len(line)-1] != '[' && line[len(line)-1] != '{':
			if records++; whole(line) {
				records++
			}
		default:
			others++
		}
		if records+others > 200 {
			break
		}
	}
	return records > others || records > 0 && records == others, records > 4*others
}

// strict reports whether a text is what every reader of JSON takes: one value in valid UTF-8,
// without half a character or a number that is too large.
func strict(text []byte) bool {
	return utf8.Valid(text) && json.Valid(text) && halfAt(text, 0) < 0 && !mayOverflow(text)
}

// mayOverflow reports whether a text has what looks like a number of hundreds of digits.
func mayOverflow(text []byte) bool {
	from := -1 // where a number begins
	for i, b := range text {
		switch digit := b >= '0' && b <= '9'; {
		case digit && from < 0 && i > 0 && bytes.IndexByte([]byte(":,[ -\t\n"), text[i-1]) >= 0:
			from = i
		case digit || b == '.':
		case from >= 0 && b|0x20 == 'e' && len(digits(bytes.TrimPrefix(text[i+1:], []byte("+")))) > 2, from >= 0 && i-from > 300:
			return true
		default:
			from = -1
		}
	}
	return false
}

// digits is how a text begins, as far as it is digits.
func digits(text []byte) []byte {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return text[:n]
}

// halfAt is the place of the next escape of half a character that the other half does not
// follow; -1: there is none.
func halfAt(text []byte, from int) int {
	for at := from; ; {
		i := bytes.IndexByte(text[at:], '\\')
		if i < 0 {
			return -1
		}
		at += i
		switch unit := escaped(text, at); {
		case !utf16.IsSurrogate(unit):
			at = min(at+2, len(text))
		case utf16.DecodeRune(unit, escaped(text, at+6)) == utf8.RuneError:
			return at
		default:
			at += 12
		}
	}
}

// escaped is what an escape like \ud83d stands for; 0: there is none.
func escaped(text []byte, at int) rune {
	if at+6 > len(text) || text[at] != '\\' || text[at+1] != 'u' {
		return 0
	}
	unit, _ := strconv.ParseUint(string(text[at+2:at+6]), 16, 16)
	return rune(unit)
}

// holes finds bytes that no text has: a mark at its beginning, zeros, and those that are no UTF-8.
func (c *check) holes(off, _ int64, text []byte) {
	if fine(text) {
		return
	}
	if body := bytes.Trim(text, "\x00\r\n\t "); len(body) == 0 { // a line of nothing else goes with its end
		c.raw("nul-bytes", off, int64(len(text)), nil, fmt.Sprintf("%d zero bytes", bytes.Count(text, []byte{0})))
		return
	}
	inText := false
	for i := 0; i < len(text); {
		switch r, n := utf8.DecodeRune(text[i:]); {
		case text[i] == 0:
			to := i
			for to < len(text) && text[to] == 0 {
				to++
			}
			c.raw("nul-bytes", off+int64(i), int64(to-i), nil, fmt.Sprintf("%d zero bytes", to-i))
			i = to
		case r == utf8.RuneError && n <= 1:
			sign := []byte("\ufffd")
			if !inText && bytes.IndexByte(text, '"') >= 0 { // between strings a sign would be as wrong
				sign = nil
			}
			i += c.noUTF8(off+int64(i), text[i:], sign)
		case r == '\ufeff' && !inText:
			c.raw("byte-order-mark", off+int64(i), int64(n), nil, "")
			i += n
		case inText && text[i] == '\\' && i+1 < len(text) && text[i+1] < utf8.RuneSelf:
			i += 2
		default:
			inText = inText != (text[i] == '"')
			i += n
		}
	}
}

// noUTF8 notes the bytes at the beginning of text that are no UTF-8; it returns their number.
func (c *check) noUTF8(off int64, text, sign []byte) int {
	rule, n := "not-utf8", 1
	if isHalf(text) {
		rule, n = "half-character", 3
	}
	for rule == "not-utf8" && n < len(text) && text[n]&0xc0 == 0x80 {
		n++
	}
	c.raw(rule, off, int64(n), sign, fmt.Sprintf("%x", text[:n]))
	return n
}

// isHalf reports whether a text begins with half a character as three bytes.
func isHalf(b []byte) bool {
	return len(b) > 2 && b[0] == 0xed && b[1] >= 0xa0 && b[1] <= 0xbf && b[2]&0xc0 == 0x80
}

// signs finds what is wrong inside a value whose structure is whole: raw control characters
// and half characters in strings, words that are no number of JSON.
func (c *check) signs(off, _ int64, text []byte) {
	if _, err := jspan.Parse(bytes.TrimPrefix(text, bom), 0); err != nil || fine(text) { // in a broken one no string is sure
		return
	}
	text = bytes.TrimRight(text, "\r\n")
	for at := halfAt(text, 0); at >= 0; at = halfAt(text, at+6) {
		c.raw("half-character", off+int64(at), 6, []byte(`\ufffd`), string(text[at:at+6]))
	}
	inText := false
	for i := 0; i < len(text); i++ {
		b := text[i]
		switch {
		case b == '"':
			inText = !inText
		case inText && b == '\\':
			i++
		case inText && b < 0x20:
			spelled := cmp.Or(map[byte]string{'\n': `\n`, '\r': `\r`, '\t': `\t`, '\b': `\b`, '\f': `\f`}[b], fmt.Sprintf(`\u%04x`, b))
			c.raw("control-character", off+int64(i), 1, []byte(spelled), spelled)
		case !inText:
			i += c.number(off, text, i)
		}
	}
}

// number looks at a number, or a word that stands for one, and returns how many more bytes it has.
func (c *check) number(off int64, text []byte, i int) int {
	rest := text[i:]
	if rest[0] == '-' || rest[0] >= '0' && rest[0] <= '9' {
		n := len(rest) - len(bytes.TrimLeft(rest, "+-.0123456789eE"))
		if v, err := strconv.ParseFloat(string(rest[:n]), 64); err != nil && math.IsInf(v, 0) {
			c.raw("huge-number", off+int64(i), int64(n), []byte("0"), excerpt(rest[:n]))
		}
		return n - 1
	}
	for _, word := range []string{"NaN", "Infinity"} {
		if bytes.HasPrefix(rest, []byte(word)) {
			from, to := i, i+len(word)
			if i > 0 && text[i-1] == '-' {
				from--
			}
			c.raw("not-a-number", off+int64(from), int64(to-from), []byte("null"), string(text[from:to]))
			return len(word) - 1
		}
	}
	return 0
}

// lines finds what is wrong with the lines of a source: cut, glued, split, or no record.
type lines struct {
	c     *check
	until int64 // the end of the last record that goes over several lines
	eol   []byte
	whole bool // they are one value
}

// ahead is how far a record is looked for in the lines after its beginning.
const ahead = 4 << 20

func (l *lines) line(off, n int64, text []byte) {
	if bytes.HasPrefix(text, bom) {
		off, n, text = off+int64(len(bom)), n-int64(len(bom)), text[len(bom):]
	}
	body := bytes.TrimRight(text, "\r\n")
	start := jspan.Space(body, 0)
	switch {
	case l.whole:
		l.value(off, text)
		return
	case off < l.until:
		return
	case text == nil:
		l.c.add(&Fault{Rule: "long-line", Found: fmt.Sprintf("%d MB", n>>20), span: model.Span{Off: off, Len: n}})
		return
	case start == len(body) || whole(body):
		return
	}
	if v, err := jspan.Parse(body, 0); err == nil && v.Kind == jspan.Object {
		l.c.raw("glued-lines", off+int64(v.End), 0, l.eol, excerpt(body[v.End:]))
		l.line(off+int64(v.End), n-int64(v.End), text[v.End:])
		return
	}
	src, size := l.c.top()
	switch b, cut := transcript.BrokenLine(readAt(src, size, off, n+ahead)); {
	case b.Begun > 0:
		l.c.raw("cut-record", off+int64(start), int64(b.Begun-start), nil, excerpt(body[start:b.Begun]))
		l.line(off+int64(b.Begun), n-int64(b.Begun), text[b.Begun:])
	case b.Split:
		l.split(off, b.Len)
	case cut && body[start] == '{':
		l.c.raw("cut-line", off, n, nil, excerpt(body))
	default:
		l.c.raw("no-record", off, n, nil, excerpt(body))
	}
}

// split puts a record on one line that goes over several, since line ends were not escaped.
func (l *lines) split(off, n int64) {
	src, size := l.c.top()
	text := bytes.TrimRight(readAt(src, size, off, n), "\r\n")
	f := &Fault{Rule: "split-record", Found: fmt.Sprintf("%d lines", bytes.Count(text, []byte("\n"))+1)}
	inText := false
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '"':
			inText = !inText
		case text[i] == '\\':
			i++
		case text[i] == '\n' || bytes.HasPrefix(text[i:], []byte("\r\n")):
			to, with := i+bytes.IndexByte(text[i:], '\n')+1, []byte(`\n`)
			if !inText {
				with = nil
			}
			f.ops = append(f.ops, put(model.Span{Off: off + int64(i), Len: int64(to - i)}, with))
			i = to - 1
		}
	}
	l.until = off + n
	l.c.add(f)
}

// whole reports whether a line is one object.
func whole(body []byte) bool {
	start := jspan.Space(body, 0)
	return start < len(body) && body[start] == '{' && oneValue(body)
}

// value mends a source that is one value and is not whole: what is after it goes, or the
// beginning of it that is whole is closed. Where it is a record, those after it come onto lines.
func (l *lines) value(off int64, text []byte) {
	first, err := jspan.Parse(text, 0)
	if err != nil {
		if end, closers := lastWhole(text); end > 0 && errors.Is(err, jspan.ErrCut) {
			l.c.cut = true
			l.c.raw("cut-value", off+int64(end), int64(len(text)-end), closers, excerpt(text[end:]))
		}
		return
	}
	rest := jspan.Space(text, first.End)
	if rest == len(text) {
		return
	}
	if bytes.IndexByte(text[rest:], '{') >= 0 && !l.c.isSession(first) {
		l.spread(off, text)
		return
	}
	f := &Fault{Rule: "text-after", Found: excerpt(text[rest:])}
	f.ops = []op{put(model.Span{Off: off + int64(first.End), Len: int64(len(text) - first.End)}, []byte("\n"))}
	if second, err := jspan.Parse(text, rest); err == nil && second.Kind >= jspan.Array {
		f.ops, f.span = nil, model.Span{Off: off + int64(rest), Len: int64(second.Len())}
		f.NoMend = "It is a second whole value: which of the two counts is not in the file."
	}
	l.c.add(f)
}

// isSession reports whether a value is a session by itself, as in a file of one value, and no
// record of one.
func (c *check) isSession(v jspan.Value) bool {
	if v.Kind != jspan.Object || filepath.Ext(c.Path) == ".jsonl" {
		return v.Kind == jspan.Array
	}
	d, err := transcript.Read(c.ctx, c.Path, bytes.NewReader(v.Raw()), int64(v.Len()), c.o.Read)
	return err == nil && countsOf(d).Live > 1
}

// spread puts records, of which some go over several lines or share one, onto a line each.
func (l *lines) spread(off int64, text []byte) {
	l.whole = false
	end := 0
	for at := 0; at < len(text); at = jspan.Space(text, end) {
		v, err := jspan.Parse(text, at)
		if at > 0 && !bytes.ContainsRune(text[end:at], '\n') {
			l.c.raw("glued-lines", off+int64(at), 0, l.eol, excerpt(text[at:]))
		}
		if err != nil || v.Kind != jspan.Object {
			_ = eachLine(l.c.ctx, bytes.NewReader(text[at:]), int64(len(text)-at), func(on, n int64, line []byte) { // pass stops, too
				l.line(off+int64(at)+on, n, line)
			})
			return
		}
		if end = v.End; bytes.IndexByte(v.Raw(), '\n') >= 0 {
			l.split(off+int64(v.Off), int64(v.Len()))
		}
	}
}

// lastWhole is where a cut text is cut back to, and what closes it there: after the last
// whole element of the outermost list that is open and has one, else after the last whole
// member of the outermost object.
func lastWhole(text []byte) (end int, closers []byte) {
	type container struct {
		close byte
		whole int // after its last element or member that is whole; 0: none is
	}
	var open []container
	inText := false
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case b == '"':
			inText = !inText
		case inText && b == '\\':
			i++
		case inText:
		case b == '{' || b == '[':
			open = append(open, container{close: b + 2})
		case b == ',' && len(open) > 0 && open[len(open)-1].close == '}':
			open[len(open)-1].whole = i
		case (b == '}' || b == ']') && len(open) > 0:
			if open = open[:len(open)-1]; len(open) > 0 {
				open[len(open)-1].whole = i + 1
			}
		}
	}
	for _, kind := range []byte{']', '}'} {
		for k, c := range open {
			if c.close != kind || c.whole == 0 {
				continue
			}
			for i := k; i >= 0; i-- {
				closers = append(closers, open[i].close)
			}
			return c.whole, append(closers, '\n')
		}
	}
	return 0, nil
}
