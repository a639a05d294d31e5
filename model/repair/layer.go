package repair

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"hash/maphash"
	"io"
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript"
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
	last  string     // the id of the last new record
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

	elem []byte // of a new record: its only element of a list, which others at this place put into theirs
	end  int    // where that list ends; 0: there is none
}

type opKind uint8

const (
	replaces opKind = iota
	inserts         // after the piece
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
	lineOffs []lineAt
	file     io.ReaderAt
	size     int64
	utf16    bool // the file, which is UTF-8 here
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
func (r *Report) Count(h Harm) int { return r.count(func(f *Fault) bool { return f.Does.Harm() == h }) }

// Mended counts the mends that were made.
func (r *Report) Mended() int { return r.count(func(f *Fault) bool { return f.Mended }) }

func (r *Report) count(of func(*Fault) bool) (n int) {
	for _, f := range r.Faults {
		if of(f) {
			n++
		}
	}
	return n
}

// Tally is how many faults of a rule there are, and are left.
type Tally struct {
	Rule        string
	Found, Left int
}

// ByRule counts the faults by their rules, in the order of the file.
func (r *Report) ByRule() (list []Tally) {
	for _, f := range r.Faults {
		i := slices.IndexFunc(list, func(t Tally) bool { return t.Rule == f.Rule })
		if i < 0 {
			i, list = len(list), append(list, Tally{Rule: f.Rule})
		}
		list[i].Found++
		if !f.Mended {
			list[i].Left++
		}
	}
	return list
}

// KeptBytes is how much of the file no mend touches, and how long it is.
func (r *Report) KeptBytes() (kept, all int64) {
	for _, s := range r.Kept() {
		kept += s.Len
	}
	return kept, r.size
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

// check looks for the faults of one file.
type check struct {
	*Report
	ctx     context.Context
	lines   lineIndex
	found   []*Fault // of the layer that is looked at
	edits   int      // so far
	seen    map[string]bool
	copies  map[int64]*Fault // of records that were there before, by their places
	format  model.Format     // once it is known
	request bool             // the request is looked at
	cut     bool             // the end of the file\'s value was gone
}

// mostEdits bounds what is remembered of a file: one that needs more is no text.
const mostEdits = 1 << 20

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
	f.layer, f.Off = len(c.views), c.below(at.Off, len(c.views))
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
	f.Consequence = rule.In(c.format)
	f.Proposed = len(f.ops) > 0 && (f.Does.Harm() > Harmless || !rule.Asked && (c.format == "" || f.Does == Unknown))
	c.found = append(c.found, f)
	if f.Rule == "copied-record" {
		c.copies[f.Off] = f
	}
}

// raw notes a fault whose mend puts other bytes in the place of a span.
func (c *check) raw(rule string, off, n int64, with []byte, found string) {
	c.add(&Fault{Rule: rule, Found: found, ops: []op{put(model.Span{Off: off, Len: n}, with)}})
}

// layer ends a layer: the mends that are to be made become a view. It reports whether any was.
func (c *check) layer(d *model.Document) bool {
	src, size := c.top()
	var edits []transcript.Splice
	var all *transcript.Edits
	if d != nil {
		all = transcript.NewEdits(d)
	}
	made, joined := false, map[model.Span][]op{}
	c.withCopies(d)
	for _, f := range c.found {
		f.Mended = f.NoMend == "" && c.o.Mend(f)
		if !f.Mended {
			continue
		}
		made = true
		if d != nil {
			f.apply(all, joined)
			continue
		}
		edits = append(edits, f.splices()...)
	}
	if d != nil && made {
		insertJoined(all, joined)
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

// changed are the mends of the layer by the records that they change.
func (c *check) changed(d *model.Document) map[model.Span][]*Fault {
	changed := map[model.Span][]*Fault{}
	for _, f := range c.found {
		for _, o := range f.ops {
			i, _ := slices.BinarySearchFunc(d.Segments, o.at.Off+1, func(s model.Segment, at int64) int { return cmp.Compare(s.Off, at) })
			if i > 0 && o.kind < inserts && f.Rule != "copied-record" && f.NoMend == "" && c.o.Mend(f) {
				changed[d.Segments[i-1].Span] = append(changed[d.Segments[i-1].Span], f)
			}
		}
	}
	return changed
}

// withCopies has the copies of a record go that a mend changes: else they are other records with
// its id. A fault that begins in a copy is mended by that.
func (c *check) withCopies(d *model.Document) {
	if d == nil || len(c.copies) == 0 {
		return
	}
	changed := c.changed(d)
	if len(changed) == 0 {
		return
	}
	seed, first, moved := maphash.MakeSeed(), map[uint64]model.Span{}, map[*Fault]bool{}
	for _, s := range d.Segments {
		b, err := d.Bytes(s.Span)
		if err != nil || s.Kind != model.SegmentRecord {
			continue
		}
		hash := maphash.Bytes(seed, b)
		of, again := first[hash]
		if !again {
			first[hash] = s.Span
			continue
		}
		f := c.copies[c.below(s.Off, len(c.views))]
		if f == nil || len(changed[of]) == 0 && len(changed[s.Span]) == 0 {
			continue
		}
		if f.layer < len(c.views) {
			c.found, moved[f] = append(c.found, f), true
		}
		f.Proposed, f.layer, f.ops = true, len(c.views), []op{{kind: drops, at: model.Piece{Span: s.Span, Array: -1}}}
		for _, in := range changed[s.Span] {
			if at := in.ops[0].at; s.Off <= at.Off && at.End() <= s.End() {
				in.ops = f.ops
			}
		}
	}
	c.Faults = slices.DeleteFunc(c.Faults, func(f *Fault) bool { return moved[f] })
}

// below is the place in the file of a place on top of some layers.
func (r *Report) below(off int64, layers int) int64 {
	for i := layers - 1; i >= 0; i-- {
		off = r.views[i].down(off)
	}
	return off
}

// apply puts the mend into a list of edits, but for new records that may be joined with others.
func (f *Fault) apply(e *transcript.Edits, joined map[model.Span][]op) {
	for _, o := range f.ops {
		switch {
		case o.kind == replaces:
			text := o.text
			if o.at.Len == 0 { // another one may be put in there
				text = slices.Concat(e.Replaces[o.at.Span], text)
			}
			e.Replace(o.at.Span, text)
		case o.kind == drops:
			e.Drop(o.at)
		case o.end > 0:
			joined[o.at.Span] = append(joined[o.at.Span], o)
		default:
			e.Insert(o.at, o.kind == inserts, o.text)
		}
	}
}

// insertJoined puts new records in, those of one place as one.
func insertJoined(e *transcript.Edits, joined map[model.Span][]op) {
	for _, ops := range joined {
		text, end := ops[0].text, ops[0].end
		for _, o := range ops[1:] {
			text = slices.Concat(text[:end], []byte(","), o.elem, text[end:])
			end += 1 + len(o.elem)
		}
		e.Insert(ops[0].at, true, text)
	}
}

func (f *Fault) splices() (list []transcript.Splice) {
	for _, o := range f.ops {
		list = append(list, transcript.Splice{Span: o.at.Span, Bytes: o.text})
	}
	return list
}

// excerpt is the beginning of what is wrong.
func excerpt(b []byte) string { return excerptOf(b, 60) }

func excerptOf(b []byte, most int) string {
	b = bytes.TrimSpace(b)
	end := ""
	if len(b) > most {
		b, end = b[:most], "…"
	}
	return string(bytes.Map(func(r rune) rune {
		if r < ' ' {
			return '·'
		}
		return r
	}, bytes.ToValidUTF8(b, []byte("\ufffd")))) + end
}
