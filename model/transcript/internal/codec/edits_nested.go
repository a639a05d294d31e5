package codec

import (
	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

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

// LastOfOtherList finds the last message before m that stands in another
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

func HasSummary(c *Change, i int32) bool {
	for _, s := range c.Summaries {
		if s.Before == i {
			return true
		}
	}
	return false
}
