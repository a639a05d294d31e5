// Package workload makes what the benchmarks measure: long histories in the
// shapes of real programs, filled with the strings of real transcripts, the same
// every time. Only tests and the bench command import it.
package workload
