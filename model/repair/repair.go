package repair

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript"
	"palimpsest/model/transcript/jspan"
)

// Options say what is looked for and which mends are made. The zero value makes the mends
// that are proposed.
type Options struct {
	Only []string          // rules by id; nil: all
	Mend func(*Fault) bool // whether a fault's mend is made; nil: if it is proposed
	Read transcript.Options
}

// Fault is one place where something is wrong.
type Fault struct {
	Rule     string `json:"rule"`
	Line     int    `json:"line"` // of the file, from 1
	Off      int64  `json:"offset"`
	Found    string `json:"found"`    // what is there, short
	Proposed bool   `json:"proposed"` // its mend is made unless a person says otherwise
	Mended   bool   `json:"mended"`   // its mend is in the report's text
	NoMend   string `json:"no_mend"`  // why there is none, an English sentence; "": there is one
	Consequence

	ops   []op
	span  model.Span // of its layer, where it has no mend
	layer int
}

// Key names a fault of a file, whatever other mends are made.
func (f *Fault) Key() string { return fmt.Sprintf("%s@%d %s", f.Rule, f.Off, f.Found) }

// op is one change of a layer.
type op struct {
	kind opKind
	at   model.Piece
	text []byte
}

type opKind uint8

const (
	replaces opKind = iota
	inserts         // behind the piece
	precedes        // before the piece
	drops
)

// put puts other bytes in the place of a span.
func put(at model.Span, text []byte) op {
	return op{at: model.Piece{Span: at, Array: -1}, text: text}
}

// Report is what was found in a file, and the file with the mends that were made.
type Report struct {
	Path   string
	Faults []*Fault        // in the order of the file
	Doc    *model.Document // as the mended text reads; nil: it does not
	Err    error           // why it does not
	Lines  int             // of the file
	Before Counts          // of the file as it was read
	After  Counts

	o        Options
	views    []*view // one a layer; the last one is the mended text
	docs     []*model.Document
	lineOffs []int64 // of every 256th line
	file     io.ReaderAt
	size     int64
	pack     func(w io.Writer, text []byte) error
}

// Counts is what a person compares.
type Counts struct {
	Records, Calls, Results, Live int
}

// Worst is the harm of what is left: of faults that are not mended.
func (r *Report) Worst() (worst Harm) {
	for _, f := range r.Faults {
		if !f.Mended {
			worst = max(worst, f.Does.Harm())
		}
	}
	return worst
}

// Count counts faults of a harm, mended or not.
func (r *Report) Count(h Harm) (n int) {
	for _, f := range r.Faults {
		if f.Does.Harm() == h {
			n++
		}
	}
	return n
}

// Mended counts the mends that were made.
func (r *Report) Mended() (n int) {
	for _, f := range r.Faults {
		if f.Mended {
			n++
		}
	}
	return n
}

// Options are those that the file was looked through with.
func (r *Report) Options() Options { return r.o }

// top is the mended text.
func (r *Report) top() (io.ReaderAt, int64) {
	if n := len(r.views); n > 0 {
		return r.views[n-1], r.views[n-1].size
	}
	return r.file, r.size
}

// Write writes the mended file.
func (r *Report) Write(w io.Writer) error {
	src, size := r.top()
	text := io.NewSectionReader(src, 0, size)
	if r.pack == nil {
		_, err := io.Copy(w, text)
		return err
	}
	all, err := io.ReadAll(text)
	if err != nil {
		return err
	}
	return r.pack(w, all)
}

// Kept returns the spans of the file that no mend touches, in order.
func (r *Report) Kept() []model.Span {
	var cut []model.Span
	for k, v := range r.views {
		for _, e := range v.edits {
			from, to := e.Off, e.End()
			for i := k - 1; i >= 0; i-- {
				from, to = r.views[i].down(from), r.views[i].down(to)
			}
			cut = append(cut, model.Span{Off: from, Len: max(0, to-from)})
		}
	}
	slices.SortFunc(cut, func(a, b model.Span) int { return int(a.Off - b.Off) })
	var kept []model.Span
	at := int64(0)
	for _, c := range append(cut, model.Span{Off: r.size}) {
		if c.Off > at {
			kept = append(kept, model.Span{Off: at, Len: c.Off - at})
		}
		at = max(at, c.End())
	}
	return kept
}

// check looks for the faults of one file.
type check struct {
	*Report
	ctx     context.Context
	lines   lineIndex
	found   []*Fault // of the layer that is looked at
	edits   int      // so far
	seen    map[string]bool
	format  model.Format // once it is known
	request bool         // the request is looked at
}

// mostEdits bounds what is remembered of a file: one that needs more is no text.
const mostEdits = 1 << 20

var errTooMany = &model.Problem{Code: "too-many-faults", What: "The file can't be mended.",
	Why: "It has more than a million faults: it is no text any more.", Next: "Restore it from a copy."}

// Check looks for the faults of a source and makes the mends that the options say, in a view
// of the source: nothing is written. The error is the source's or the context's; of a file that
// can't be mended the report says why.
func Check(ctx context.Context, path string, src io.ReaderAt, size int64, o Options) (*Report, error) {
	if o.Mend == nil {
		o.Mend = func(f *Fault) bool { return f.Proposed }
	}
	c := &check{Report: &Report{Path: path, file: src, size: size, o: o}, ctx: ctx, lines: lineIndex{src: src}, seen: map[string]bool{}}
	if err := c.unpack(); err != nil {
		return nil, err
	}
	if c.Err != nil {
		return c.Report, nil
	}
	if err := c.text(); err != nil {
		return nil, err
	}
	if c.Err == nil {
		if err := c.records(); err != nil {
			return nil, err
		}
	}
	c.Lines, c.lineOffs = c.lines.lines, c.lines.every
	slices.SortStableFunc(c.Faults, func(a, b *Fault) int { return int(a.Off - b.Off) })
	return c.Report, nil
}

// packed are the beginnings of files whose text has to be unpacked.
var packed = [][]byte{{0x1f, 0x8b}, []byte("PK\x03\x04"), []byte("SQLite format 3"), {0x28, 0xb5, 0x2f, 0xfd}, {0xff, 0xfe}, {0xfe, 0xff}}

// unpack has a packed file looked into; what was unpacked is the source then.
func (c *check) unpack() error {
	head := make([]byte, 16)
	n, err := c.file.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if !slices.ContainsFunc(packed, func(mark []byte) bool { return bytes.HasPrefix(head[:n], mark) }) {
		return nil
	}
	d, err := transcript.Read(c.ctx, c.Path, c.file, c.size, c.o.Read)
	if err != nil || d.Packed == nil {
		c.Err = err
		return c.ctx.Err()
	}
	c.file, c.size, c.pack = d.Source, d.Size, d.Packed.Pack
	if c.pack == nil {
		why := d.Packed.Why
		c.pack = func(io.Writer, []byte) error {
			return &model.Problem{Code: "read-only-format", What: c.Path + " can't be mended.", Why: why,
				Next: "Write it in another form with palimpsest export."}
		}
	}
	c.lines.src = c.file
	return nil
}

// add notes a fault of the layer, or one more place of the one before, if that is of the same
// rule and on the same line.
func (c *check) add(f *Fault) {
	if len(c.o.Only) > 0 && !slices.Contains(c.o.Only, f.Rule) || c.edits > mostEdits {
		return
	}
	at := f.span
	if len(f.ops) > 0 {
		at = f.ops[0].at.Span
	}
	f.layer, f.Off = len(c.views), at.Off
	for i := len(c.views) - 1; i >= 0; i-- {
		f.Off = c.views[i].down(f.Off)
	}
	if c.request && c.seen[f.Key()] {
		return // it was found before, and not mended
	}
	c.seen[f.Key()] = true
	c.edits += len(f.ops)
	f.Line = c.lines.at(f.Off)
	if n := len(c.found); n > 0 && !c.request {
		if last := c.found[n-1]; last.Rule == f.Rule && last.Line == f.Line && len(f.ops) > 0 && c.lines.lines > 1 {
			last.ops = append(last.ops, f.ops...)
			return
		}
	}
	rule, _ := RuleOf(f.Rule)
	if len(f.ops) == 0 && f.NoMend == "" {
		f.NoMend = "No mend is known that loses nothing."
	}
	f.Consequence, f.Proposed = rule.other, len(f.ops) > 0 && !rule.Asked
	if c.format != "" {
		f.Consequence = rule.In(c.format)
		f.Proposed = f.Proposed && (f.Does.Harm() > Harmless || f.Does == Unknown)
	}
	c.found = append(c.found, f)
}

// raw notes a fault whose mend puts other bytes in the place of a span.
func (c *check) raw(rule string, off, n int64, with []byte, found string) {
	c.add(&Fault{Rule: rule, Found: found, ops: []op{put(model.Span{Off: off, Len: n}, with)}})
}

// cannot notes a fault that has no mend.
func (c *check) cannot(rule string, off, n int64, found string) {
	c.add(&Fault{Rule: rule, Found: found, span: model.Span{Off: off, Len: n}})
}

// layer ends a layer: the mends that are to be made become a view. It reports whether any was.
func (c *check) layer(d *model.Document) bool {
	src, size := c.top()
	var edits []transcript.Splice
	var all *transcript.Edits
	if d != nil {
		all = transcript.NewEdits(d)
	}
	made := false
	for _, f := range c.found {
		f.Mended = f.NoMend == "" && c.o.Mend(f)
		if !f.Mended {
			continue
		}
		made = true
		if d != nil {
			f.apply(all)
			continue
		}
		edits = append(edits, f.splices()...)
	}
	if d != nil && made {
		var err error
		if edits, err = all.Splices(); err != nil {
			c.Err = fmt.Errorf("the mends of %s can't be made together: %w", c.Path, err)
			made = false
		}
	}
	c.Faults = append(c.Faults, c.found...)
	c.found = nil
	c.views, c.docs = append(c.views, newView(src, size, edits)), append(c.docs, d)
	return made
}

// apply puts the mend into a list of edits.
func (f *Fault) apply(e *transcript.Edits) {
	for _, o := range f.ops {
		switch o.kind {
		case replaces:
			e.Replace(o.at.Span, o.text)
		case drops:
			e.Drop(o.at)
		default:
			e.Insert(o.at, o.kind == inserts, o.text)
		}
	}
}

func (f *Fault) splices() (list []transcript.Splice) {
	for _, o := range f.ops {
		list = append(list, transcript.Splice{Span: o.at.Span, Bytes: o.text})
	}
	return list
}

// text looks for what is wrong with the text, whatever it says.
func (c *check) text() error {
	head := make([]byte, min(c.size, 256<<10))
	if _, err := c.file.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	asLines, sure := recordLines(head)
	if asLines && !sure && c.oneValue() {
		asLines = false
	}
	begin := bytes.TrimLeft(head, "\x00 \t\r\n\ufeff")
	if !asLines && (len(begin) == 0 || begin[0] != '{' && begin[0] != '[') {
		return eachLine(c.ctx, c.file, c.size, func(off, _ int64, _ []byte) { c.lines.add(off) })
	}
	suspect := bytes.HasPrefix(head, []byte("\ufeff"))
	err := eachLine(c.ctx, c.file, c.size, func(off, n int64, text []byte) {
		c.lines.add(off)
		suspect = suspect || asLines && (text == nil || !fine(text))
	})
	if err != nil {
		return err
	}
	if !asLines || c.lines.lines < 2 {
		return c.wholeText(suspect)
	}
	if !suspect {
		return nil
	}
	eol := []byte("\n")
	if i := bytes.IndexByte(head, '\n'); i > 0 && head[i-1] == '\r' {
		eol = []byte("\r\n")
	}
	if err := c.pass(func(off, n int64, text []byte) {
		if off == 0 && bytes.HasPrefix(text, []byte("\ufeff")) {
			c.raw("byte-order-mark", 0, 3, nil, "")
		}
		if !fine(text) {
			c.holes(off, text)
		}
	}); err != nil {
		return err
	}
	l := lines{c: c, eol: eol}
	err = c.pass(func(off, n int64, text []byte) {
		if off == 0 && bytes.HasPrefix(text, []byte("\ufeff")) {
			text, off, n = text[3:], 3, n-3
		}
		l.line(off, n, text)
	}, l.flush)
	if err != nil {
		return err
	}
	return c.pass(func(off, n int64, text []byte) {
		if body := bytes.TrimRight(text, "\r\n"); !fine(text) {
			c.signs(off, body)
		}
	})
}

// oneValue reports whether a source that may be lines is one value.
func (c *check) oneValue() bool {
	if c.size > mostWhole {
		return false
	}
	text := make([]byte, c.size)
	if _, err := c.file.ReadAt(text, 0); err != nil && !errors.Is(err, io.EOF) {
		return false
	}
	v, err := jspan.Parse(bytes.TrimPrefix(text, []byte("\ufeff")), 0)
	return err == nil && jspan.Space(v.Buf, v.End) == len(v.Buf)
}

// fine reports whether a line is blank or a record that every reader takes.
func fine(text []byte) bool {
	body := bytes.TrimRight(text, "\r\n")
	start := jspan.Space(body, 0)
	return start == len(body) || body[start] == '{' && strict(body)
}

// pass goes over the lines of the text as it is so far; what is found is a layer.
func (c *check) pass(f func(off, n int64, text []byte), after ...func()) error {
	src, size := c.top()
	if err := eachLine(c.ctx, src, size, f); err != nil {
		return err
	}
	for _, end := range after {
		end()
	}
	if c.edits > mostEdits {
		c.Err = errTooMany
	}
	c.layer(nil)
	return nil
}

// wholeText is text for a source that is one value.
func (c *check) wholeText(suspect bool) error {
	if c.size > mostWhole {
		c.Err = &model.Problem{Code: "too-large", What: c.Path + " was not looked through.",
			Why:  fmt.Sprintf("It is one JSON value of %d MB; up to %d MB are held in memory.", c.size>>20, mostWhole>>20),
			Next: "Save it as JSON Lines."}
		return nil
	}
	look := func(f func(text []byte, bom int)) error {
		src, size := c.top()
		text := make([]byte, size)
		if _, err := src.ReadAt(text, 0); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		bom := 0
		if bytes.HasPrefix(text, []byte("\ufeff")) {
			bom = 3
		}
		if suspect = suspect || !strict(text[bom:]); suspect {
			f(text, bom)
			if c.edits > mostEdits {
				c.Err = errTooMany
			}
			c.layer(nil)
		}
		return nil
	}
	err := look(func(text []byte, bom int) {
		if bom > 0 {
			c.raw("byte-order-mark", 0, 3, nil, "")
		}
		c.holes(0, text)
	})
	if err == nil && suspect {
		err = look(func(text []byte, bom int) { c.value(text, bom) })
	}
	if err == nil && suspect {
		err = look(func(text []byte, _ int) { c.signs(0, text) })
	}
	return err
}

const mostWhole = 1 << 30
