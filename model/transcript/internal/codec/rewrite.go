package codec

import (
	"cmp"
	"fmt"
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Rewriting is an export by rewriting: the edits, and what a reader of the
// result should know.
type Rewriting struct {
	Edits    *edit.Edits
	Relinked []edit.Relink
}

// Plan turns a change into edits: drops first, then what the format repairs,
// then summaries and cleared results. It does not write.
func Plan(d *model.Document, c *edit.Change) (*Rewriting, error) {
	f := d.Codec.(Writer)
	th := d.Conversations[c.Conversation].Threads[c.Thread]
	e := edit.NewEdits(d)
	work := *c
	work.Summaries = slices.Clone(c.Summaries)
	c = &work
	for _, i := range c.Drop {
		for _, p := range th.Messages[i].Pieces {
			e.Drop(p)
		}
	}
	if err := edit.EmptyTexts(d, th, c, e); err != nil {
		return nil, err
	}
	links, err := f.Relink(d, th, c, e)
	if err != nil {
		return nil, err
	}
	for _, s := range c.Summaries {
		m := &th.Messages[s.Before]
		if len(m.Pieces) == 0 {
			return nil, fmt.Errorf("message %d has no place in the source", s.Before)
		}
		at, behind := f.Place(d, th, m, e.Dropped)
		b, err := spellSummary(f, d, th, s, at)
		if err != nil {
			return nil, fmt.Errorf("write summary: %w", err)
		}
		e.Insert(at, behind, b)
		if err := carryOutside(f, d, e, s, at); err != nil {
			return nil, fmt.Errorf("write summary: %w", err)
		}
	}
	for _, i := range c.Clear {
		spans, err := f.ResultContent(d, &th.Messages[i])
		if err != nil {
			return nil, fmt.Errorf("clear result %d: %w", i, err)
		}
		for _, s := range spans {
			note, err := spellNote(f, d, s, c.Note(i))
			if err != nil {
				return nil, fmt.Errorf("clear result %d: %w", i, err)
			}
			e.Replace(s, note)
		}
	}
	for _, i := range c.Thinking {
		if err := leaveThinking(d, &th.Messages[i], e); err != nil {
			return nil, fmt.Errorf("leave out the thinking of message %d: %w", i, err)
		}
	}
	if d.Style.JSONLines && !c.Damaged && len(c.Drop)+len(c.Clear)+len(c.Summaries) > 0 {
		if err := mend(d, e); err != nil {
			return nil, err
		}
	}
	return &Rewriting{Edits: e, Relinked: links}, nil
}

// mend leaves out lines that could not be read, and puts a record that goes over several
// lines on one: the tool that wrote the file would stop at them.
func mend(d *model.Document, e *edit.Edits) error {
	for _, s := range d.Segments {
		if s.Kind == model.SegmentBad {
			e.Drop(model.Piece{Span: s.Span, Array: -1})
		}
	}
	for _, n := range d.Notes {
		i, found := slices.BinarySearchFunc(d.Segments, n.Off, func(s model.Segment, off int64) int { return cmp.Compare(s.Off, off) })
		if n.Code != splitRecord || !found {
			continue
		}
		at := d.Segments[i].Span
		text, err := d.Bytes(at)
		if err != nil {
			return err
		}
		for k, b := range text {
			if span := (model.Span{Off: at.Off + int64(k), Len: 1}); (b == '\n' || b == '\r') && !e.Covered(span) {
				e.Replace(span, []byte{'\\', map[byte]byte{'\n': 'n', '\r': 'r'}[b]})
			}
		}
	}
	return nil
}

// spellSummary spells a summary that is placed at a piece.
func spellSummary(f Writer, d *model.Document, th *model.Thread, s edit.Summary, at model.Piece) ([]byte, error) {
	if edit.IsTextElem(d, at) {
		return edit.Quote(d, s.Text), nil
	}
	like, err := edit.ParsePiece(d, at)
	if err != nil {
		return nil, err
	}
	b, err := f.Summary(d, th, s, like)
	if x, ok := f.(carrier); ok && err == nil && s.Made != nil && x.Carries(like) {
		b = append(append(append(b[:len(b)-1:len(b)-1], `,"`+MadeMember+`":`...), s.Made...), '}')
	}
	return b, err
}

// carryOutside has the record that a summary is placed inside of say how it was made, where
// the summary itself can't. Of several summaries in one record it says it of the last.
func carryOutside(f Format, d *model.Document, e *edit.Edits, s edit.Summary, at model.Piece) error {
	x, ok := f.(carrier)
	if !ok || s.Made == nil {
		return nil
	}
	record, v, err := carries(x, d, at)
	switch {
	case err != nil || record.Len == 0 || record.Span == at.Span:
		return err
	case v.Has(MadeMember):
		e.Replace(edit.Within(record.Span, v.Get(MadeMember)), s.Made)
	default:
		e.Replace(model.Span{Off: record.End() - 1}, append([]byte(`,"`+MadeMember+`":`), s.Made...))
	}
	return nil
}

// carries is the piece that can say how a summary was made, and its value: the one that
// the summary is at, or the record that it is inside of; without a length: neither can.
func carries(x carrier, d *model.Document, at model.Piece) (p model.Piece, v jspan.Value, err error) {
	if !edit.IsTextElem(d, at) {
		if v, err = edit.ParsePiece(d, at); err != nil || x.Carries(v) {
			return at, v, err
		}
	}
	record, in := edit.RecordOf(d, at)
	if !in {
		return model.Piece{}, v, nil
	}
	if v, err = edit.ParsePiece(d, record); err != nil || v.Kind != jspan.Object || !x.Carries(v) {
		return model.Piece{}, v, err
	}
	return record, v, nil
}

// MadeMember is the member of a summary's record that holds [edit.Summary].Made.
const MadeMember = "palimpsest"

// carrier is a format whose readers pass over members of a record that they don't
// know. Carries reports whether a summary beside such a record can have one.
type carrier interface {
	Carries(like jspan.Value) bool
}

// Made is what this program says in a file of how a summary was made; it does not
// exist where it says nothing.
func Made(d *model.Document, m *model.Message) (jspan.Value, error) {
	x, ok := d.Codec.(carrier)
	if !ok || len(m.Pieces) == 0 {
		return jspan.Value{}, nil
	}
	p, v, err := carries(x, d, edit.Outermost(d, m.Pieces[0]))
	if err != nil || p.Len == 0 {
		return jspan.Value{}, err
	}
	return v.Get(MadeMember), nil
}

// InPlace is what formats have in common whose records do not point to each
// other: the summary is where the first message it replaces stood, and
// there is nothing to mend.
type InPlace struct{ Unlinked }

func (InPlace) Place(_ *model.Document, _ *model.Thread, m *model.Message, _ func(model.Piece) bool) (model.Piece, bool) {
	return m.Pieces[0], false
}

// noteSpeller is a format in which the output of a result is more than a
// string. SpellNote spells a note that takes the place of the value at a span
// that ResultContent returned.
type noteSpeller interface {
	SpellNote(d *model.Document, at model.Span, note string) ([]byte, error)
}

// spellNote spells a note as the format wants it: a string, if it doesn't say.
func spellNote(f Format, d *model.Document, at model.Span, note string) ([]byte, error) {
	if s, ok := f.(noteSpeller); ok {
		return s.SpellNote(d, at, note)
	}
	return edit.Quote(d, note), nil
}

// Unlinked is a format whose messages refer to each other by call ids only:
// there is nothing to mend, as no group is ever split.
type Unlinked struct{}

func (Unlinked) Relink(*model.Document, *model.Thread, *edit.Change, *edit.Edits) ([]edit.Relink, error) {
	return nil, nil
}
