package steps

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"palimpsest/compaction/summarize"
)

// Report sums up a run at its end (spec A24).
type Report struct {
	MaxSteps    int // the limit the run had
	ActualSteps int
	Completed   bool // the task was done
}

// Used is the share of the allowed steps that were taken, in percent; 0 when no
// step was allowed. Success is [Report.Completed], not this (F11).
func (r Report) Used() float64 {
	if r.MaxSteps <= 0 {
		return 0
	}
	return float64(r.ActualSteps) / float64(r.MaxSteps) * 100
}

// Text is the report in four lines, after an empty one.
func (r Report) Text(l summarize.Lang) string {
	w := wordsOf(l)
	end := w.completed
	switch {
	case !r.Completed && r.ActualSteps >= r.MaxSteps:
		end = w.limit
	case !r.Completed:
		end = w.stopped
	}
	return fmt.Sprintf("\n"+w.report+"\n"+w.total+"\n"+end+"\n"+w.used, r.ActualSteps, r.ActualSteps, r.MaxSteps, r.Used())
}

// CompatEfficiency is the efficiency as the first authors' program meant to print
// it: 100 for every completed run, NaN or Infinity where no step was allowed.
func (r Report) CompatEfficiency() string {
	percent := 100.0
	if !r.Completed {
		percent = float64(r.ActualSteps) / float64(r.MaxSteps) * 100
	}
	switch {
	case math.IsNaN(percent):
		return "NaN%"
	case math.IsInf(percent, 0):
		return strings.TrimPrefix(strconv.FormatFloat(percent, 'f', 1, 64), "+") + "inity%"
	}
	// Its language rounds the shortest decimal that names the number, ties up;
	// ours the number itself, ties to even.
	exact, _ := new(big.Rat).SetString(strconv.FormatFloat(percent, 'f', -1, 64))
	return exact.FloatString(1) + "%" // which rounds halves away from zero
}
