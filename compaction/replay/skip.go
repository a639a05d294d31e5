package replay

import (
	"math"
	"sort"

	"palimpsest/compaction"
)

// Most calls of a history do nothing: between two firings the list only grows, and
// what the calls send are sums of the history. A replay skips them:
//
//	calls     0 1 2 3 4 5 6 7 8 9 10 …
//	tokens    ▁ ▂ ▃ ▄ ▅ ▂ ▃ ▄ ▅ ▂ ▃         a firing, and the list is short again
//	          ───────→│ ─────→│ ────→        skip: no clause fires, found by
//	                  5       9              bisection, or added call by call
//	                  attemptAt              where a timeline keeps each of them

// skip skips the calls from i on before which nothing is done: no clause fires, or
// one does, but an attempt before did not help or this one can't. It visits no call from
// end on, and returns the first that is not skipped, and whether the policy may act
// before it; false: there is none left to visit, or the track must advance to say so.
func (r *run) skip(i, end int, tl *Timeline) (to int, acts bool) {
	switch {
	case tl != nil:
		to, acts = r.skipAndKeep(i, end, tl)
	case r.tokens(i) > r.limit:
		return i, true
	case !r.firesAt(i):
		to = r.firstOver(i, r.firstFiring(i))
	default:
		to, acts = r.skipHeldBack(i, end)
	}
	if to > i {
		r.countSent(i, to, r.sent)
	}
	return to, acts
}

// skipAndKeep is skip for a timeline, which keeps each call.
func (r *run) skipAndKeep(i, end int, tl *Timeline) (to int, acts bool) {
	calls, certain := r.h.Calls(), r.track.Certain()
	for ; i < end; i++ {
		at := int(calls[i])
		if at > certain {
			return i, false
		}
		near, state := r.track.NearestAt(at), Waits
		if r.tokens(i) > r.limit {
			r.near = near
			return i, true
		}
		if near.Fires() {
			if left := r.back.Left(at); left > 0 {
				state, near.Missing = BackedOff, int64(left)
				r.totals.BackedOff++
			} else if why, refused := r.track.Refusal(at); refused {
				state = Refused
				r.totals.Refused++
				r.refuse(r.causes.refusal(i, why))
			} else {
				r.near = near
				return i, true
			}
		}
		tl.Calls = append(tl.Calls, r.callAt(i, state, near))
	}
	return i, false
}

// callAt is call i, before which nothing or a compaction was done.
func (r *run) callAt(i int, state State, near compaction.Nearest) Call {
	at := r.h.Calls()[i]
	return Call{At: at, State: state, Recorded: r.h.Recorded(i), Clause: int16(min(near.Clause, math.MaxInt16)), Missing: near.Missing,
		Tokens: r.tokens(i)}
}

// tokens is what call i sends when nothing is done before it.
func (r *run) tokens(i int) int64 { return r.beyond + r.h.Before(int(r.h.Calls()[i])) }

func (r *run) firesAt(i int) bool { return r.track.FiresAt(int(r.h.Calls()[i])) }

// firstFiring is the first call behind i, which waits, that does not wait or for
// which the track must advance.
func (r *run) firstFiring(i int) int {
	calls, certain := r.h.Calls(), r.track.Certain()
	// A clause that fires still fires on a longer list, while the clauses stay the same.
	until := min(certain, r.track.Steady(int(calls[i])))
	stop := func(k int) bool { return k >= len(calls) || int(calls[k]) > until || r.firesAt(k) }
	// Firings come at similar distances: the search begins where the next is expected.
	lo, hi := i, i+max(1, r.stride) // lo waits
	for step := 1; !stop(hi); step *= 2 {
		lo, hi = hi, hi+step
	}
	hi = lo + 1 + sort.Search(hi-lo-1, func(k int) bool { return stop(lo + 1 + k) })
	r.stride = hi - i
	return hi
}

// skipHeldBack skips the calls before which a clause fires, but an attempt before
// did not help or this one can't; see [run.skip].
func (r *run) skipHeldBack(i, end int) (to int, acts bool) {
	calls, certain := r.h.Calls(), r.track.Certain()
	for ; i < end && int(calls[i]) <= certain && r.tokens(i) <= r.limit && r.firesAt(i); i++ {
		at := int(calls[i])
		if r.back.Left(at) > 0 {
			r.totals.BackedOff++
		} else if _, refused := r.track.Refusal(at); refused {
			r.totals.Refused++
		} else {
			return i, true
		}
	}
	return i, false
}

// countSent adds what the calls [i, to) send to the totals. The first of them reads
// so many tokens from the prompt cache, the others all of the request before.
func (r *run) countSent(i, to int, read int64) {
	calls, t := r.h.Calls(), &r.totals
	before, last := r.h.BeforeCalls(i, to), r.tokens(to-1)
	sum := before + int64(to-i)*r.beyond
	t.Input += sum
	t.Uncompacted += before + int64(to-i)*r.h.Fixed(&r.policy)
	t.Largest = max(t.Largest, last)
	t.CacheRead += read + sum - last
	t.CacheWrite += last - read
	for ; r.pause < len(r.h.Pauses()) && int(r.h.Pauses()[r.pause]) < to; r.pause++ {
		if k := int(r.h.Pauses()[r.pause]); k > i {
			t.Expired += r.tokens(k - 1)
		} else if k == i {
			t.Expired += read
		}
	}
	if window := int64(r.policy.Window); window > 0 && last > window {
		t.Over += to - i - sort.Search(to-i, func(k int) bool { return r.tokens(i+k) > window })
	}
	line := r.track.Line()
	r.sent, r.entries = last, line.Len()+int(calls[to-1])-line.At()
}
