// Package workload makes long histories in the shapes of real programs, filled with the
// strings of real transcripts, the same every time. Only tests and the lab import it.
package workload
