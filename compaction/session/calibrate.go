package session

import (
	"fmt"
	"sort"

	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// Fit is how the file's own usage figures relate to our counts (design §9):
// usage of a call = Factor · counted + Fixed, between compactions.
type Fit struct {
	Factor float64
	Fixed  int // tokens of system prompt, tools and what else no message holds
	Calls  int // reported calls it rests on; 0: nothing could be fitted
}

const (
	fitCalls  = 5   // fewer reported calls prove nothing
	fitStep   = 400 // counted tokens between two calls for their slope to mean something
	fitLowest = 0.4 // factors outside are a sign that the figures mean something else
	fitMost   = 3.0
)

// call is one reported request: what we count of it and what was reported.
type call struct {
	at       int // history position of the answer
	phase    int // number of resets before it
	counted  int64
	reported int64
}

// reportedCalls lists the calls of a thread whose usage the file reports. Calls
// behind one of our own summaries are left out: what they report was measured
// before the messages in front of them were taken away.
func reportedCalls(t *model.Thread, raw []int32) []call {
	var out []call
	sum, phase, rewritten := int64(0), 0, false
	see := func(m int32) {
		sum += int64(raw[m])
		rewritten = rewritten || ownSummary(&t.Messages[m])
	}
	for i, m := range t.History {
		for phase < len(t.Resets) && t.Resets[phase].At <= i {
			sum, rewritten = 0, false
			for _, b := range t.Resets[phase].Base {
				see(b)
			}
			phase++
		}
		if u := t.Messages[m].Usage; u != nil && u.Input > 0 && !rewritten {
			out = append(out, call{i, phase, sum, int64(u.Input)})
		}
		see(m)
	}
	return out
}

func ownSummary(m *model.Message) bool {
	return m.Kind == model.KindSummary && summarize.IsSummary(m.Preview)
}

// fit takes the factor from differences between calls of one phase (the median
// slope) and the fixed part from the median residual.
func fit(calls []call) Fit {
	var slopes []float64
	for i := 0; i < len(calls); i++ {
		for j := i + 1; j < len(calls) && calls[j].phase == calls[i].phase; j++ {
			dc, dr := calls[j].counted-calls[i].counted, calls[j].reported-calls[i].reported
			if dc < fitStep {
				continue
			}
			if dr > 0 {
				slopes = append(slopes, float64(dr)/float64(dc))
			}
			break
		}
	}
	if len(calls) < fitCalls || len(slopes) < fitCalls-1 {
		return Fit{}
	}
	f := Fit{Factor: median(slopes), Calls: len(calls)}
	if f.Factor < fitLowest || f.Factor > fitMost {
		return Fit{}
	}
	rest := make([]float64, len(calls))
	for i, c := range calls {
		rest[i] = float64(c.reported) - f.Factor*float64(c.counted)
	}
	f.Fixed = max(0, int(median(rest)))
	return f
}

func median(v []float64) float64 {
	sort.Float64s(v)
	n := len(v)
	if n%2 == 1 {
		return v[n/2]
	}
	return (v[n/2-1] + v[n/2]) / 2
}

// Source says in a few words where the factor is from.
func (f Fit) Source() string { return fmt.Sprintf("fitted to %d calls", f.Calls) }
