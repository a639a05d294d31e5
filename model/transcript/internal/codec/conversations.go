package codec

import (
	"context"
	"errors"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Most formats hold a conversation in one JSON object. A source is one such
// object, an array of them, or one a line; formats differ in the test of
// one object.

// Layout says in words how a source holds objects that pass the test; "" if
// fewer than half of those looked at pass. what names one object.
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
	if Mostly(s.Whole, SniffLines, is) {
		return "an array of objects with " + what
	}
	return ""
}

// EachValue gives read every value that may hold a conversation: the source, if
// it is one object, else the elements of the array that it is, else its lines.
func (b *Builder) EachValue(ctx context.Context, read func(jspan.Value)) error {
	if !b.Whole.Exists() {
		return b.Lines(ctx, func(v jspan.Value) error {
			read(v)
			return nil
		})
	}
	if b.Whole.Kind != jspan.Array {
		read(b.Whole)
		return ctx.Err()
	}
	return b.elements(ctx, read)
}

// EachRecord gives f the elements of a list, where there is one, else the source, if it is one
// value, else its lines, each with its piece.
func EachRecord(ctx context.Context, b *Builder, list jspan.Value, f func(v jspan.Value, p model.Piece)) error {
	switch {
	case list.Kind == jspan.Array:
		at := b.Array(list, model.Piece{})
		for i, v := range list.Items {
			if f(v, b.Elem(at, i)); ctx.Err() != nil {
				break
			}
		}
	case b.Whole.Exists():
		f(b.Whole, b.Record(b.Whole))
	default:
		return b.Lines(ctx, func(v jspan.Value) error {
			f(v, b.Record(v))
			return nil
		})
	}
	return ctx.Err()
}

// largeArray is from when on an array is not kept while its elements are read.
const largeArray = 32 << 20

// elements gives read the elements of the array that the source is. Those of a large one
// are read from the source again, some at a time: what is made of them may need as much
// memory as the array.
func (b *Builder) elements(ctx context.Context, read func(jspan.Value)) error {
	one := func(v jspan.Value) {
		if b.Progress != nil {
			b.Progress(b.Span(v).Off, b.Doc.Size)
		}
		read(v)
	}
	if b.Whole.Len() > largeArray {
		return b.elementsAgain(ctx, one)
	}
	for _, v := range b.Whole.Items {
		if one(v); ctx.Err() != nil {
			break
		}
	}
	return ctx.Err()
}

func (b *Builder) elementsAgain(ctx context.Context, one func(jspan.Value)) error {
	defer func() { b.Base = 0 }()
	var spans []model.Span
	for _, v := range b.Whole.Items {
		spans = append(spans, b.Span(v))
	}
	b.Whole.Buf = nil
	const atOnce = 1 << 20
	for len(spans) > 0 && ctx.Err() == nil {
		n, from := 1, spans[0].Off
		for n < len(spans) && spans[n].End() < from+atOnce {
			n++
		}
		buf, err := b.Doc.Bytes(model.Span{Off: from, Len: spans[n-1].End() - from})
		if err != nil {
			return OpenProblem(b.Doc.Path, err)
		}
		b.Base = from
		for _, s := range spans[:n] {
			v, err := jspan.Parse(buf, int(s.Off-from))
			if err != nil || b.Span(v) != s {
				return OpenProblem(b.Doc.Path, errors.New("it was changed while it was read"))
			}
			one(v)
		}
		spans = spans[n:]
	}
	return ctx.Err()
}

// ScoreLayout is what most formats recognise a source by: the score for one
// that holds objects that pass the test, and where they are.
func (s *Sniff) ScoreLayout(score int, is func(jspan.Value) bool, what string) (int, string) {
	if layout := s.Layout(is, what); layout != "" {
		return score, layout
	}
	return 0, ""
}

// Mostly reports whether at least half of the first n elements of a list pass a
// test.
func Mostly(list jspan.Value, n int, test func(jspan.Value) bool) bool {
	seen, good := 0, 0
	for _, e := range list.Items {
		if seen++; test(e) {
			good++
		}
		if seen == n {
			break
		}
	}
	return good > 0 && good*2 >= seen
}

// ReadChats is [Builder.ReadConversations] for formats in which each object is
// one conversation. read fills it.
func (b *Builder) ReadChats(ctx context.Context, is func(jspan.Value) bool, read func(*Chat, jspan.Value)) error {
	return b.ReadConversations(ctx, is, func(v jspan.Value) {
		c := b.NewChat()
		read(c, v)
		c.Finish()
	})
}

// ReadConversations gives read every object that passes the test. Others are
// noted and kept. An object that is the whole source is read even if it does not
// pass: the user said what it is.
func (b *Builder) ReadConversations(ctx context.Context, is func(jspan.Value) bool, read func(jspan.Value)) error {
	if b.Whole.Exists() && (is(b.Whole) || b.Whole.Kind != jspan.Array) {
		read(b.Whole)
		return ctx.Err()
	}
	return b.EachValue(ctx, func(v jspan.Value) {
		if is(v) {
			read(v)
			return
		}
		b.NoteAt(v, "unknown-record", "not a conversation; it is kept in place")
	})
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

// EachPiece reads the pieces of a message back, without those that repeat it. A value is good
// until f returns.
func EachPiece(d *model.Document, m *model.Message, f func(v jspan.Value)) error {
	for _, p := range m.Pieces {
		if p.Duplicate {
			continue
		}
		if err := edit.WithPiece(d, p, f); err != nil {
			return err
		}
	}
	return nil
}

// ReadParts reads the parts of a message: it reads its pieces back, without
// those that repeat it, and gives each to add.
func ReadParts(d *model.Document, m *model.Message, add func(p *Parts, v jspan.Value)) ([]model.Part, error) {
	var p Parts
	if err := EachPiece(d, m, func(v jspan.Value) { add(&p, v) }); err != nil {
		return nil, err
	}
	return p.Done(), nil
}

// ResultSpans returns the spans of the values that hold a result's output: find
// returns them for each of the pieces. Values that are missing do not count.
func ResultSpans(d *model.Document, of []model.Piece, find func(v jspan.Value, p model.Piece) []jspan.Value) ([]model.Span, error) {
	var spans []model.Span
	for _, p := range of {
		v, err := edit.ParseAt(d, p.Span)
		if err != nil {
			return nil, err
		}
		for _, out := range find(v, p) {
			if out.Exists() {
				spans = append(spans, edit.Within(p.Span, out))
			}
		}
	}
	return spans, nil
}

// ResultSpan is [ResultSpans] for a format whose results have their output in
// one value of a piece. A result without it is an error.
func ResultSpan(d *model.Document, of []model.Piece, find func(v jspan.Value) jspan.Value) ([]model.Span, error) {
	spans, err := ResultSpans(d, of, func(v jspan.Value, _ model.Piece) []jspan.Value { return []jspan.Value{find(v)} })
	if err == nil && len(spans) == 0 {
		return nil, errors.New("the result has no content")
	}
	return spans, err
}

// InnerPiece is the piece for a value inside a record that another message holds: a
// result beside its call. It says where to read; edits do not change it,
// which is exact because the two stay or go together.
func (b *Builder) InnerPiece(v jspan.Value) model.Piece {
	return model.Piece{Span: b.Span(v), Array: -1}
}

// HeadOf is the beginning of a text, which does not keep the rest in memory.
func HeadOf(text string) string { return strings.Clone(text[:CutRunes(text, PreviewScan)]) }
