package compaction

import (
	"iter"
	"sort"

	"palimpsest/model"
)

// Run is a run of entries of one fate and reason.
type Run struct {
	From, To int // entries of the line, half-open
	Fate     model.Fate
	Why      string // code of the reason
	Tokens   int64  // before
}

// Goes reports whether the messages of the run are summarised or dropped.
func (r Run) Goes() bool { return goes(r.Fate) }

func goes(f model.Fate) bool { return f == model.Summarised || f == model.Dropped }

// Runs are the runs of a plan, in order and without gaps.
type Runs struct {
	ends []runEnd
	line *Line
}

type runEnd struct {
	to   int32
	fate model.Fate
	why  runReason
}

// Len is the number of runs.
func (r *Runs) Len() int { return len(r.ends) }

// At is the k-th run.
func (r *Runs) At(k int) Run {
	e, from := r.ends[k], 0
	if k > 0 {
		from = int(r.ends[k-1].to)
	}
	return Run{from, int(e.to), e.fate, runReasons[e.why], r.line.Span(from, int(e.to))}
}

// All yields the runs with their numbers.
func (r *Runs) All() iter.Seq2[int, Run] {
	return func(yield func(int, Run) bool) {
		k, before := 0, int64(0)
		for x := range r.spans() {
			sum := r.line.before(x.to)
			if !yield(k, Run{x.from, x.to, x.fate, runReasons[x.why], sum - before}) {
				return
			}
			before = sum
			k++
		}
	}
}

// spans yields the runs.
func (r *Runs) spans() iter.Seq[span] {
	return func(yield func(span) bool) {
		from := 0
		for _, e := range r.ends {
			if !yield(span{from, int(e.to), e.fate, e.why}) {
				return
			}
			from = int(e.to)
		}
	}
}

// Of is the number of the run of an entry; Len where it has none.
func (r *Runs) Of(entry int) int {
	return sort.Search(len(r.ends), func(k int) bool { return int(r.ends[k].to) > entry })
}

// add appends the entries up to to, or extends the last run if that is of the same
// kind. Nothing is added where they have a run.
func (r *Runs) add(to int, fate model.Fate, why runReason) {
	from := 0
	if k := len(r.ends); k > 0 {
		last := &r.ends[k-1]
		if from = int(last.to); to > from && last.fate == fate && last.why == why {
			last.to = int32(to)
			return
		}
	}
	if to > from {
		r.ends = append(r.ends, runEnd{int32(to), fate, why})
	}
}

// runReason is an index into runReasons.
type runReason uint8

const (
	whySystem runReason = iota
	whyPinned
	whyKeptStart
	whyTail
	whyRange
	whyFormer
	whyFormerStands
	whyDropped
	whyCleared
	whyBetween
	whyUntaken
	whySealed
	whySealedLost
	whyOriginals
)

// runReasons are the codes of the reasons of runs.
var runReasons = [...]string{"system", "pinned", "kept-start", "tail", "range", "former", "former-stands", "range-dropped", "cleared",
	"between", "untaken", "sealed", "sealed-lost", "sealed-originals"}
