package transcript

import (
	"context"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// Most formats hold a conversation in one JSON object. A source is one such
// object, an array of them, or one a line; what differs is told by a test of
// one object.

// talkShape says in which of these ways a source holds objects that pass the
// test; "" if fewer than half of what is sniffed do. what names one object.
func (s *sniff) talkShape(is func(jspan.Value) bool, what string) string {
	if s.jsonl {
		others := 0
		for _, l := range s.lines {
			if is(l) {
				continue
			}
			if others++; others*2 > len(s.lines) { // every format asks this of every file
				return ""
			}
		}
		return "one object a line with " + what
	}
	if is(s.whole) {
		if s.whole.Kind == jspan.Array {
			return "an array of " + what
		}
		return "an object with " + what
	}
	seen, good := 0, 0
	if s.whole.Kind == jspan.Array {
		s.whole.Items(func(_ int, e jspan.Value) bool {
			seen++
			if is(e) {
				good++
			}
			return seen < sniffLines
		})
	}
	if good > 0 && good*2 >= seen {
		return "an array of objects with " + what
	}
	return ""
}

// readTalks gives every object that passes the test to read, wherever it
// stands. The others are noted and stay. An object that is the whole source is
// given even if it does not pass: the user said what it is.
func (b *builder) readTalks(ctx context.Context, is func(jspan.Value) bool, read func(jspan.Value)) error {
	one := func(v jspan.Value) {
		if is(v) {
			read(v)
			return
		}
		b.noteAt(v, "unknown-record", "not a conversation; it is kept where it stands")
	}
	if !b.whole.Exists() {
		return b.lines(ctx, func(v jspan.Value) error {
			one(v)
			return nil
		})
	}
	if is(b.whole) || b.whole.Kind != jspan.Array {
		read(b.whole)
		return ctx.Err()
	}
	b.whole.Items(func(_ int, v jspan.Value) bool {
		if b.progress != nil {
			b.progress(int64(v.Off), b.doc.Size)
		}
		one(v)
		return ctx.Err() == nil
	})
	return ctx.Err()
}

// eachElement registers a list of messages and gives its elements with their
// pieces, counted as items.
func (b *builder) eachElement(list jspan.Value, f func(v jspan.Value, p model.Piece)) {
	if list.Kind != jspan.Array {
		return
	}
	array := b.array(list, model.Piece{})
	list.Items(func(i int, v jspan.Value) bool {
		b.doc.Items++
		f(v, b.elem(array, i))
		return true
	})
}

// eachPiece reads the pieces of a message back, without those that repeat it.
func eachPiece(d *model.Document, m *model.Message, f func(v jspan.Value)) error {
	for _, p := range m.Pieces {
		if p.Duplicate {
			continue
		}
		v, err := parseAt(d, p.Span)
		if err != nil {
			return err
		}
		f(v)
	}
	return nil
}

// unlinked is a format whose messages refer to each other by call ids only:
// there is nothing to mend, as no group is ever split.
type unlinked struct{}

func (unlinked) relink(*model.Document, *model.Thread, *Change, *Edits) ([]Relink, error) {
	return nil, nil
}

// inner is the piece for a value inside a record that another message holds: a
// result beside its call. It tells where to read; no edit takes hold of it,
// which is exact because the two stay or go together.
func (b *builder) inner(v jspan.Value) model.Piece {
	return model.Piece{Span: b.span(v), Array: -1}
}

// heldBy is the piece that edits take hold of for a message: its own first one,
// or the one around it that a message before it has.
func heldBy(d *model.Document, th *model.Thread, m *model.Message) model.Piece {
	p := m.Pieces[0]
	if standing(d, p) {
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

// typedText spells a list with one part of a type that holds text.
func typedText(d *model.Document, kind, text string) []byte {
	part := newObject(d).str("type", kind).str("text", text).done()
	return append(append([]byte{'['}, part...), ']')
}

// alternatives gives the other elements of a list of answers to the message at
// first, which has the one that counts: they go when it goes, or one of them
// would be the answer.
func (c *chat) alternatives(first int, list int32) {
	if first >= len(c.th.Messages) {
		return
	}
	m := &c.th.Messages[first]
	for i := 1; i < len(c.b.doc.Arrays[list].Elems); i++ {
		p := c.b.elem(list, i)
		p.Duplicate = true
		m.Pieces = append(m.Pieces, p)
	}
}

// cutRuns cuts a list of parts into messages. of says what the message of a part
// is, whether it is one of its own, and whether it begins one.
func cutRuns(list jspan.Value, kind model.Kind, of func(part jspan.Value) (own model.Kind, alone, begins bool)) []blockRun {
	var runs []blockRun
	list.Items(func(i int, e jspan.Value) bool {
		own, alone, begins := of(e)
		if n := len(runs); !alone && !begins && n > 0 && runs[n-1].kind == kind {
			runs[n-1].to = i + 1
			return true
		}
		runs = append(runs, blockRun{from: i, to: i + 1, kind: own})
		return true
	})
	return runs
}

// eachRun gives every run with its pieces: the whole element at p where there is
// one run or none, else elements of the list.
func (b *builder) eachRun(list jspan.Value, p model.Piece, kind model.Kind, runs []blockRun, f func(r blockRun, pieces []model.Piece)) {
	if len(runs) <= 1 {
		r := blockRun{kind: kind}
		if len(runs) == 1 {
			r = runs[0]
		}
		f(r, []model.Piece{p})
		return
	}
	array := b.array(list, p)
	for _, r := range runs {
		var pieces []model.Piece
		for i := r.from; i < r.to; i++ {
			pieces = append(pieces, b.elem(array, i))
		}
		f(r, pieces)
	}
}

// items gives the elements of a list that a run holds.
func (r blockRun) items(list jspan.Value, f func(part jspan.Value)) {
	list.Items(func(i int, e jspan.Value) bool {
		if i >= r.from && i < r.to {
			f(e)
		}
		return i < r.to
	})
}

// headline finds the first words of a message: those of a person before those
// of a program.
type headline struct {
	text            string
	texts, injected int
}

func (h *headline) add(text string) {
	if text == "" {
		return
	}
	h.texts++
	if isInjectedText(text) {
		h.injected++
	}
	if h.text == "" || h.injected == h.texts-1 && isInjectedText(h.text) {
		h.text = text
	}
}

// origin is who wrote a user message of these texts.
func (h *headline) origin() model.Origin {
	if h.texts > 0 && h.texts == h.injected {
		return model.OriginInjected
	}
	return model.OriginTyped
}

// headOf is the beginning of a text.
func headOf(text string) string { return text[:cutRunes(text, previewScan)] }

// summaryItself calls a user's or system message a summary if it begins as one.
func summaryItself(m *model.Message, head string) {
	if (m.Kind == model.KindUser || m.Kind == model.KindSystem) && isSummaryText(head) {
		m.Kind, m.Origin = model.KindSummary, model.OriginUnknown
	}
}
