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
