package repair

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript"
)

// Write writes the mended file.
func (r *Report) Write(w io.Writer) error {
	src, size := r.top()
	text := io.NewSectionReader(src, 0, size)
	plain := slices.ContainsFunc(r.Faults, func(f *Fault) bool { return f.Mended && f.Rule == "utf-16" })
	if r.pack == nil || plain {
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
			from, to := r.below(e.Off, k), r.below(e.End(), k)
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
	c.utf16 = d.Packed.Pack != nil && (bytes.HasPrefix(head, []byte{0xff, 0xfe}) || bytes.HasPrefix(head, []byte{0xfe, 0xff}))
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

// records looks for what is wrong with the records, once the text reads: first with what they
// say of each other, then with what a request made of them would be.
func (c *check) records() error {
	first, err := c.read()
	if err != nil || first == nil {
		return err
	}
	c.Before, c.format = countsOf(first), first.Format
	r := newRecords(c, first)
	for _, s := range first.Segments {
		if s.Kind == model.SegmentRecord && s.End() <= first.Size {
			if err := c.ctx.Err(); err != nil {
				return err
			}
			r.record(s)
		}
	}
	r.start()
	r.chain()
	r.oldCheckpoints()
	d := first
	for round := 0; ; round++ {
		made := c.layer(d)
		if made || c.Err != nil {
			if d, err = c.read(); err != nil || d == nil {
				return err
			}
		}
		if round > 1 && !made || round == mostRounds || c.Err != nil {
			break
		}
		c.request = true
		newRequest(c, d, round == 0).run()
	}
	c.Doc, c.After = d, countsOf(d)
	for _, f := range c.Faults { // those of the text were found before the format was known
		rule, _ := RuleOf(f.Rule)
		f.Consequence = rule.In(d.Format)
	}
	return nil
}

// mostRounds is how often the request is looked at again after its mends: a moved result may
// show that another one is a second one.
const mostRounds = 4

// read reads the text as it is so far; nil: it can't be read, and the report says why.
func (c *check) read() (*model.Document, error) {
	src, size := c.top()
	d, err := transcript.Read(c.ctx, c.Path, src, size, c.o.Read)
	if err == nil && d.Unconfirmed {
		err = transcript.Confirmed(d)
	}
	if err != nil {
		var p *model.Problem
		if c.ctx.Err() != nil || !errors.As(err, &p) && d == nil && !errors.Is(err, c.Err) {
			return nil, err
		}
		c.Err = err
		return nil, nil
	}
	return d, nil
}

// countsOf counts what a document holds, and what its models see at the end of the main threads.
func countsOf(d *model.Document) (n Counts) {
	n.Records = len(d.Segments)
	for _, conv := range d.Conversations {
		n.Live += len(conv.Main().Live(len(conv.Main().History)))
		for _, t := range conv.Threads {
			for i := range t.Messages {
				n.Calls += len(t.Messages[i].Calls)
				if t.Messages[i].Kind == model.KindResult {
					n.Results++
				}
			}
		}
	}
	return n
}
