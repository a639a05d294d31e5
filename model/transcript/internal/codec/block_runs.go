package codec

import (
	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// BlockRun is a run of content blocks that is one message.
type BlockRun struct {
	From, To   int // half-open; 0, 0: all of it
	Kind       model.Kind
	Compaction bool
}

// BlockRuns cuts a content value into messages. A string, and anything that is
// one message as a whole, gives one run or none.
func BlockRuns(m model.Message, content jspan.Value) []BlockRun {
	if content.Kind == jspan.String {
		if k := m.Kind; (k == model.KindUser || k == model.KindSystem) && IsSummaryText(content.TextN(MarkScan)) {
			return []BlockRun{{Kind: model.KindSummary}}
		}
		return nil
	}
	var runs []BlockRun
	for i, e := range content.Items {
		r := BlockRun{From: i, To: i + 1, Kind: m.Kind}
		alone := true
		switch e.Get("type").TextN(12) {
		case "tool_result":
			r.Kind = model.KindResult
		case "compaction": // without a text it failed, and replaces nothing
			if alone = e.Get("content").Exists() && e.Get("content").Kind != jspan.Null || encrypted(e); alone {
				r.Kind, r.Compaction = model.KindSummary, true
			}
		case "text":
			if alone = IsSummaryText(e.Get("text").TextN(MarkScan)); alone {
				r.Kind = model.KindSummary
			}
		default:
			alone = false
		}
		if n := len(runs); !alone && n > 0 && runs[n-1].Kind == m.Kind {
			runs[n-1].To = i + 1
			continue
		}
		runs = append(runs, r)
	}
	return runs
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

// EachRun gives every run with its message, a copy of m with the run's kind and
// pieces: the whole element at p where there is one run or none, else elements
// of the list.
func (b *Builder) EachRun(list jspan.Value, p model.Piece, m model.Message, runs []BlockRun, f func(r BlockRun, m model.Message)) {
	if len(runs) <= 1 {
		r := BlockRun{Kind: m.Kind}
		if len(runs) == 1 {
			r = runs[0]
		}
		m.Kind, m.Pieces = r.Kind, []model.Piece{p}
		f(r, m)
		return
	}
	array := b.Array(list, p)
	for _, r := range runs {
		m.Kind, m.Pieces = r.Kind, nil
		for i := r.From; i < r.To; i++ {
			m.Pieces = append(m.Pieces, b.Elem(array, i))
		}
		f(r, m)
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
