package codec

import (
	"context"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// Most formats hold a conversation in one JSON object. A source is one such
// object, an array of them, or one a line; what differs is told by a test of
// one object.

// Layout says in which of these ways a source holds objects that pass the
// test; "" if fewer than half of what is sniffed do. what names one object.
func (s *Sniff) Layout(is func(jspan.Value) bool, what string) string {
	if s.JSONLines {
		others := 0
		for _, l := range s.Lines {
			if is(l) {
				continue
			}
			if others++; others*2 > len(s.Lines) { // every format asks this of every file
				return ""
			}
		}
		return "one object a line with " + what
	}
	if is(s.Whole) {
		if s.Whole.Kind == jspan.Array {
			return "an array of " + what
		}
		return "an object with " + what
	}
	seen, good := 0, 0
	if s.Whole.Kind == jspan.Array {
		for _, e := range s.Whole.Items {
			seen++
			if is(e) {
				good++
			}
			if seen >= SniffLines {
				break
			}
		}
	}
	if good > 0 && good*2 >= seen {
		return "an array of objects with " + what
	}
	return ""
}

// ReadConversations gives every object that passes the test to read, wherever it
// stands. The others are noted and stay. An object that is the whole source is
// given even if it does not pass: the user said what it is.
func (b *Builder) ReadConversations(ctx context.Context, is func(jspan.Value) bool, read func(jspan.Value)) error {
	one := func(v jspan.Value) {
		if is(v) {
			read(v)
			return
		}
		b.NoteAt(v, "unknown-record", "not a conversation; it is kept where it stands")
	}
	if !b.Whole.Exists() {
		return b.Lines(ctx, func(v jspan.Value) error {
			one(v)
			return nil
		})
	}
	if is(b.Whole) || b.Whole.Kind != jspan.Array {
		read(b.Whole)
		return ctx.Err()
	}
	for _, v := range b.Whole.Items {
		if b.Progress != nil {
			b.Progress(int64(v.Off), b.Doc.Size)
		}
		one(v)
		if ctx.Err() != nil {
			break
		}
	}
	return ctx.Err()
}

// EachMessage registers a list of messages and gives its elements with their
// pieces, counted as items.
func (b *Builder) EachMessage(list jspan.Value, f func(v jspan.Value, p model.Piece)) {
	if list.Kind != jspan.Array {
		return
	}
	array := b.Array(list, model.Piece{})
	for i, v := range list.Items {
		b.Doc.Items++
		f(v, b.Elem(array, i))
	}
}

// EachPiece reads the pieces of a message back, without those that repeat it.
func EachPiece(d *model.Document, m *model.Message, f func(v jspan.Value)) error {
	for _, p := range m.Pieces {
		if p.Duplicate {
			continue
		}
		v, err := ParseAt(d, p.Span)
		if err != nil {
			return err
		}
		f(v)
	}
	return nil
}

// Unlinked is a format whose messages refer to each other by call ids only:
// there is nothing to mend, as no group is ever split.
type Unlinked struct{}

func (Unlinked) Relink(*model.Document, *model.Thread, *Change, *Edits) ([]Relink, error) {
	return nil, nil
}

// InnerPiece is the piece for a value inside a record that another message holds: a
// result beside its call. It tells where to read; no edit takes hold of it,
// which is exact because the two stay or go together.
func (b *Builder) InnerPiece(v jspan.Value) model.Piece {
	return model.Piece{Span: b.Span(v), Array: -1}
}

// EditablePiece is the piece that edits take hold of for a message: its own first one,
// or the one around it that a message before it has.
func EditablePiece(d *model.Document, th *model.Thread, m *model.Message) model.Piece {
	p := m.Pieces[0]
	if Editable(d, p) {
		return p
	}
	for i := range th.Messages {
		for _, q := range th.Messages[i].Pieces {
			if q.Off <= p.Off && p.End() <= q.End() && q.Span != p.Span {
				return q
			}
		}
	}
	return p
}

// TypedText spells a list with one part of a type that holds text.
func TypedText(d *model.Document, kind, text string) []byte {
	part := NewObject(d).Str("type", kind).Str("text", text).Done()
	return append(append([]byte{'['}, part...), ']')
}

// Alternatives gives the other elements of a list of answers to the message at
// first, which has the one that counts: they go when it goes, or one of them
// would be the answer.
func (c *Chat) Alternatives(first int, list int32) {
	if first >= len(c.Th.Messages) {
		return
	}
	m := &c.Th.Messages[first]
	for i := 1; i < len(c.B.Doc.Arrays[list].Elems); i++ {
		p := c.B.Elem(list, i)
		p.Duplicate = true
		m.Pieces = append(m.Pieces, p)
	}
}

// CutRuns cuts a list of parts into messages. of says what the message of a part
// is, whether it is one of its own, and whether it begins one.
func CutRuns(list jspan.Value, kind model.Kind, of func(part jspan.Value) (own model.Kind, alone, begins bool)) []BlockRun {
	var runs []BlockRun
	for i, e := range list.Items {
		own, alone, begins := of(e)
		if n := len(runs); !alone && !begins && n > 0 && runs[n-1].Kind == kind {
			runs[n-1].To = i + 1
			continue
		}
		runs = append(runs, BlockRun{From: i, To: i + 1, Kind: own})
	}
	return runs
}

// EachRun gives every run with its pieces: the whole element at p where there is
// one run or none, else elements of the list.
func (b *Builder) EachRun(list jspan.Value, p model.Piece, kind model.Kind, runs []BlockRun, f func(r BlockRun, pieces []model.Piece)) {
	if len(runs) <= 1 {
		r := BlockRun{Kind: kind}
		if len(runs) == 1 {
			r = runs[0]
		}
		f(r, []model.Piece{p})
		return
	}
	array := b.Array(list, p)
	for _, r := range runs {
		var pieces []model.Piece
		for i := r.From; i < r.To; i++ {
			pieces = append(pieces, b.Elem(array, i))
		}
		f(r, pieces)
	}
}

// Each gives the elements of a list that a run holds.
func (r BlockRun) Each(list jspan.Value, f func(part jspan.Value)) {
	for i, e := range list.Items {
		if i >= r.From && i < r.To {
			f(e)
		}
		if i >= r.To {
			break
		}
	}
}

// Headline finds the first words of a message: those of a person before those
// of a program.
type Headline struct {
	Text            string
	texts, injected int
}

func (h *Headline) Add(text string) {
	if text == "" {
		return
	}
	h.texts++
	if IsInjectedText(text) {
		h.injected++
	}
	if h.Text == "" || h.injected == h.texts-1 && IsInjectedText(h.Text) {
		h.Text = text
	}
}

// Origin is who wrote a user message of these texts.
func (h *Headline) Origin() model.Origin {
	if h.texts > 0 && h.texts == h.injected {
		return model.OriginInjected
	}
	return model.OriginTyped
}

// HeadOf is the beginning of a text.
func HeadOf(text string) string { return text[:CutRunes(text, PreviewScan)] }

// MarkSummary calls a user's or system message a summary if it begins as one.
func MarkSummary(m *model.Message, head string) {
	if (m.Kind == model.KindUser || m.Kind == model.KindSystem) && IsSummaryText(head) {
		m.Kind, m.Origin = model.KindSummary, model.OriginUnknown
	}
}
