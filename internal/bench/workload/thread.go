package workload

import (
	"os"
	"strconv"

	"palimpsest/internal/bench/floor"
)

// SizeVariable names the environment variable with the size of the histories
// that are loaded, in MB.
const SizeVariable = "PALIMPSEST_BENCH_MB"

// HistoryBytes is that size; 20 MB unless it is set.
func HistoryBytes() int64 {
	if mb, err := strconv.Atoi(os.Getenv(SizeVariable)); err == nil && mb > 0 {
		return int64(mb) * 1e6
	}
	return 20e6
}

// Floor gives n messages with the proportions of real agent runs to the floor
// program: what each weighs, what it is, and the sums of all before it.
func Floor(n int) (tokens []int32, kinds []floor.Kind, sums []int64) {
	sums = make([]int64, 1, n+1)
	for i := range n {
		k := floor.Result
		switch {
		case i == 0:
			k = floor.System
		case i%20 == 1:
			k = floor.User
		case i%2 == 0:
			k = floor.Assistant
		}
		kinds, tokens = append(kinds, k), append(tokens, int32(40+i*7919%460))
		sums = append(sums, sums[i]+int64(tokens[i]))
	}
	return tokens, kinds, sums
}
