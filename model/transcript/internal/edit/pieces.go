package edit

import (
	"cmp"
	"fmt"
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// IndexSet makes a set of a list of indices.
func IndexSet(list []int32) map[int32]bool {
	set := make(map[int32]bool, len(list))
	for _, i := range list {
		set[i] = true
	}
	return set
}

// Outermost is the element of an outermost array that holds a piece.
func Outermost(d *model.Document, p model.Piece) model.Piece {
	for p.Array >= 0 && d.Arrays[p.Array].Holder.Len > 0 {
		p = d.Arrays[p.Array].Holder
	}
	return p
}

// FirstKey is the name of an object's first member.
func FirstKey(v jspan.Value) (name string) {
	for key := range v.Each {
		name = string(key)
		break
	}
	return name
}

// LastOfOtherList finds the last message before m that is in another
// outermost list than m does.
func LastOfOtherList(d *model.Document, th *model.Thread, m *model.Message) (at model.Piece, ok bool) {
	list := Outermost(d, m.Pieces[0]).Array
	for i := range th.Messages {
		if &th.Messages[i] == m {
			break
		}
		if q := Outermost(d, th.Messages[i].Pieces[0]); q.Array >= 0 && q.Array != list {
			at, ok = q, true
		}
	}
	return at, ok
}

// HasSummary reports whether a summary is placed at stored message i.
func HasSummary(c *Change, i int32) bool {
	for _, s := range c.Summaries {
		if s.Before == i {
			return true
		}
	}
	return false
}

// EditablePiece returns the piece that edits change for a message: its first one,
// or where that is only for reading, the piece of another message around it.
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

// RecordAround is the record of the source that a piece lies in.
func RecordAround(d *model.Document, p model.Piece) (model.Span, bool) {
	for _, s := range d.Segments {
		if s.Kind == model.SegmentRecord && s.Off <= p.Off && p.End() <= s.End() {
			return s.Span, true
		}
	}
	return model.Span{}, false
}

// ConversationOf finds the conversation a thread belongs to.
func ConversationOf(d *model.Document, th *model.Thread) *model.Conversation {
	for _, c := range d.Conversations {
		for _, t := range c.Threads {
			if t == th {
				return c
			}
		}
	}
	return &model.Conversation{}
}

// Editable reports whether a piece is something an edit can change: an
// element or a whole record. Others say where a fixed part is.
func Editable(d *model.Document, p model.Piece) bool {
	r, in := RecordOf(d, p)
	return p.Array >= 0 || in && r.Span == p.Span
}

// IsTextElem reports whether a piece is a string of a record: it is all that its array has.
func IsTextElem(d *model.Document, p model.Piece) bool {
	return p.Array >= 0 && d.Arrays[p.Array].Span == p.Span
}

// EmptyTexts leaves an empty string where such a string goes without a summary
// in its place. It has room for one summary only.
func EmptyTexts(d *model.Document, th *model.Thread, c *Change, e *Edits) error {
	placed := map[model.Span]bool{}
	for _, s := range c.Summaries {
		p := th.Messages[s.Before].Pieces[0]
		if IsTextElem(d, p) && placed[p.Span] {
			return fmt.Errorf("two summaries for message %d, whose text has room for one", s.Before)
		}
		placed[p.Span] = true
	}
	for _, i := range c.Drop {
		for _, p := range th.Messages[i].Pieces {
			if IsTextElem(d, p) && !placed[p.Span] {
				e.Insert(p, false, []byte(`""`))
			}
		}
	}
	return nil
}

// RecordOf is the record that a piece is, or is inside of; false: it is in none.
func RecordOf(d *model.Document, p model.Piece) (model.Piece, bool) {
	i, exact := slices.BinarySearchFunc(d.Segments, p.Off, func(s model.Segment, off int64) int { return cmp.Compare(s.Off, off) })
	if !exact {
		i--
	}
	if i < 0 || d.Segments[i].Kind != model.SegmentRecord || d.Segments[i].End() < p.End() {
		return model.Piece{}, false
	}
	return model.Piece{Span: d.Segments[i].Span, Array: -1}, true
}
