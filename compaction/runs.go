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

// Runs are the runs of a plan, in order and without gaps. A plan that clears results
// has up to one a message. Between two protected entries they follow from the list of
// what the line can clear, which all its plans share, so that only the stretch is kept:
//
//	entries   0      1 2 3      4 5 6 … 800            801 802 …
//	ends      1 K    4 S        800 whyStretch         803 K      end, fate, reason
//	stretches                   clearable[lo:hi], and what lies between them
type Runs struct {
	ends      []runEnd
	stretches []stretch
	line      *Line
}

type runEnd struct {
	to   int32
	fate model.Fate
	why  runReason
}

// stretch is many runs: some results that are cleared, and what is between them.
type stretch struct {
	of       *clearable
	lo, hi   int // the results are of.at[lo:hi]; there is one
	from, to int // entries
	end      int // its place in ends
	number   int // of its first run
	runs     int // how many
	lead     int // 1: it begins with what is not cleared
	block    int // of lo
	why      runReason
}

// span is a run without its tokens.
type runSpan struct {
	from, to int
	fate     model.Fate
	why      runReason
}

// addStretch appends a stretch behind the last run.
func (r *Runs) addStretch(s stretch) {
	s.end, s.number = len(r.ends), r.Len()
	if s.end > 0 {
		s.from = int(r.ends[s.end-1].to)
	}
	at := s.of.at[s.lo:s.hi]
	if s.block = s.of.blockOf(s.lo); int(at[0]) > s.from {
		s.lead = 1
	}
	if s.runs = s.lead + 2*(s.of.blockOf(s.hi-1)-s.block) + 1; int(at[len(at)-1])+1 < s.to {
		s.runs++
	}
	r.stretches = append(r.stretches, s)
	r.ends = append(r.ends, runEnd{int32(s.to), model.Kept, whyStretch})
}

// blockOf is the number of the run of neighbours that an index of at is in.
func (c *clearable) blockOf(i int) int {
	return sort.Search(len(c.blocks), func(k int) bool { return int(c.blocks[k]) > i }) - 1
}

// run is the j-th run of a stretch.
func (s *stretch) run(j int) runSpan {
	at := s.of.at[s.lo:s.hi]
	if j -= s.lead; j < 0 {
		return runSpan{s.from, int(at[0]), model.Kept, s.why}
	}
	k, lo, hi := s.block+j/2, 0, len(at)
	lo = max(0, int(s.of.blocks[k])-s.lo)
	if k+1 < len(s.of.blocks) {
		hi = min(hi, int(s.of.blocks[k+1])-s.lo)
	}
	end, next := int(at[hi-1])+1, s.to
	if j%2 == 0 {
		return runSpan{int(at[lo]), end, model.Cleared, whyCleared}
	}
	if hi < len(at) {
		next = int(at[hi])
	}
	return runSpan{end, next, model.Kept, s.why}
}

// of is the number in the stretch of the run of an entry.
func (s *stretch) runOf(entry int) int {
	i := s.lo + firstAtLeast(s.of.at[s.lo:s.hi], entry+1)
	if i == s.lo {
		return 0
	}
	j := s.lead + 2*(s.of.blockOf(i-1)-s.block)
	if entry >= s.run(j).to {
		j++
	}
	return j
}

// Len is the number of runs.
func (r *Runs) Len() int { return r.numberOf(len(r.ends), len(r.stretches)) }

// numberOf is the number of the run at a place in ends, before which are so many
// stretches.
func (r *Runs) numberOf(end, stretches int) int {
	if stretches == 0 {
		return end
	}
	s := &r.stretches[stretches-1]
	return s.number + s.runs + end - s.end - 1
}

// At is the k-th run.
func (r *Runs) At(k int) Run {
	i, end, x := sort.Search(len(r.stretches), func(i int) bool { return r.stretches[i].number > k })-1, k, runSpan{}
	if i >= 0 {
		s := &r.stretches[i]
		if k < s.number+s.runs {
			x = s.run(k - s.number)
			return Run{x.from, x.to, x.fate, runReasons[x.why], r.line.Span(x.from, x.to)}
		}
		end = s.end + 1 + k - s.number - s.runs
	}
	e, from := r.ends[end], 0
	if end > 0 {
		from = int(r.ends[end-1].to)
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
func (r *Runs) spans() iter.Seq[runSpan] {
	return func(yield func(runSpan) bool) {
		from, stretches := 0, r.stretches
		for _, e := range r.ends {
			if e.why != whyStretch {
				if !yield(runSpan{from, int(e.to), e.fate, e.why}) {
					return
				}
			} else {
				for j := range stretches[0].runs {
					if !yield(stretches[0].run(j)) {
						return
					}
				}
				stretches = stretches[1:]
			}
			from = int(e.to)
		}
	}
}

// Of is the number of the run of an entry; Len where it has none.
func (r *Runs) Of(entry int) int {
	end := sort.Search(len(r.ends), func(k int) bool { return int(r.ends[k].to) > entry })
	i := sort.Search(len(r.stretches), func(i int) bool { return r.stretches[i].end >= end })
	if i < len(r.stretches) && r.stretches[i].end == end {
		return r.stretches[i].number + r.stretches[i].runOf(entry)
	}
	return r.numberOf(end, i)
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
	whyStretch // of no run, but of a stretch of them
)

// runReasons are the codes of the reasons of runs.
var runReasons = [...]string{"system", "pinned", "kept-start", "tail", "range", "former", "former-stands", "range-dropped", "cleared",
	"between", "untaken"}
