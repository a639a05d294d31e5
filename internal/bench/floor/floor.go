// Package floor is the least programs that do the same. One decides what a compaction
// would do: plain loops over what each message weighs and what it is, without groups,
// pins, reasons or warnings. One makes rows of a file, with the checks of opening it and
// without. The program is measured against them. Only tests import it.
package floor

import "sort"

// Kind is what a message is, as far as the floor cares.
type Kind uint8

const (
	System Kind = iota
	User
	Assistant
	Result
)

// Fate is what is decided for a message.
type Fate uint8

const (
	Kept Fate = iota
	Shrunk
	Dropped
)

// note is what is left of a shrunk result, in tokens.
const note = 16

// Decide writes the fate of every message to out: all results but the newest keep ones
// are shrunk, then the oldest messages are dropped until the rest is in the
// budget. It gives what is left, in tokens.
func Decide(out []Fate, tokens []int32, kinds []Kind, budget int64, keep int) int64 {
	total := int64(0)
	for i := len(tokens) - 1; i >= 0; i-- {
		out[i] = Kept
		if kinds[i] == Result && tokens[i] > note {
			if keep--; keep < 0 {
				out[i] = Shrunk
				total += note
				continue
			}
		}
		total += int64(tokens[i])
	}
	for i := range tokens {
		if total <= budget {
			break
		}
		if kinds[i] == System {
			continue
		}
		if out[i] == Shrunk {
			total -= note
		} else {
			total -= int64(tokens[i])
		}
		out[i] = Dropped
	}
	return total
}

// Tail is where the newest messages of at least keep tokens begin, from the sums
// of all before each message.
func Tail(sums []int64, keep int64) int {
	n := len(sums) - 1
	return sort.Search(n, func(i int) bool { return sums[n]-sums[i+1] < keep })
}

// Replay walks a history: before each message that is not a result it compares
// the context with the trigger, and beyond it puts a summary in the
// place of all before the tail. It returns the number of compactions and the tokens
// of all requests.
func Replay(sums []int64, kinds []Kind, trigger, tail, summary int64) (compactions int, input int64) {
	from, before := 0, int64(0) // the first message that is kept, the summary before it
	for i := range kinds {
		if kinds[i] != Assistant {
			continue
		}
		if before+sums[i]-sums[from] > trigger {
			if cut := from + Tail(sums[from:i+1], tail); cut > from {
				from, before = cut, summary
				compactions++
			}
		}
		input += before + sums[i] - sums[from]
	}
	return compactions, input
}

// Clearing is a policy that clears old results and, where that is not enough, leaves out
// the oldest messages.
type Clearing struct {
	Trigger, Limit int64 // tokens: it clears beyond the one, and leaves out beyond the other
	Tail, Gain     int64 // tokens that are not touched, and the least that a clearing frees
	Keep           int   // results that are not touched
	Above          int32 // tokens up to which a result stays
}

// ReplayClearing walks a history as Replay does, with a policy that clears: before a call
// beyond the trigger it looks at the results that have become old since it looked last.
// It returns how often it cleared, how often it left messages out, and the tokens of all
// requests.
func ReplayClearing(tokens []int32, sums []int64, kinds []Kind, c Clearing) (clearings, truncations int, input int64) {
	var results []int
	cleared := make([]bool, len(tokens))
	from, tail, seen, done := 1, 0, 0, 0 // the first message that is kept, of the tail, not looked at, not cleared yet
	freed, pending := int64(0), int64(0)
	for i, k := range kinds {
		if k == Result {
			results = append(results, i)
		}
		if k != Assistant {
			continue
		}
		total := sums[1] + sums[i] - sums[from] - freed
		if total > c.Trigger && len(results) > c.Keep {
			for tail < i && sums[i]-sums[tail+1] >= c.Tail {
				tail++
			}
			for old := min(tail, results[len(results)-c.Keep]); seen < old; seen++ {
				if kinds[seen] == Result && tokens[seen] > c.Above {
					pending += int64(tokens[seen] - note)
				}
			}
			if pending >= c.Gain {
				for ; done < seen; done++ {
					cleared[done] = kinds[done] == Result && tokens[done] > c.Above
				}
				total, freed, pending = total-pending, freed+pending, 0
				clearings++
			}
		}
		if total > c.Limit {
			truncations++
			for ; total > c.Limit && from < done; from++ {
				total -= int64(tokens[from])
				if cleared[from] {
					total += int64(tokens[from] - note)
					freed -= int64(tokens[from] - note)
				}
			}
		}
		input += total
	}
	return clearings, truncations, input
}
