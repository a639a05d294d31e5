package steps

import (
	"fmt"

	"palimpsest/compaction/summarize"
)

// Report sums up a run at its end.
type Report struct {
	MaxSteps    int // the limit the run had
	ActualSteps int
	Completed   bool // the task was done
}

// Used is the share of the allowed steps that were taken, in percent; 0 when no
// step was allowed. Success is [Report.Completed], not this.
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
