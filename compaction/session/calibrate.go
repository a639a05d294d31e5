package session

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"palimpsest/compaction/summarize"
	"palimpsest/model"
	"palimpsest/model/tokens"
)

// Fit is how the file's own usage figures relate to our counts (design §9):
// usage of a call = Factor · counted + Fixed, between compactions.
type Fit struct {
	Factor float64
	Fixed  int // tokens of system prompt, tools and what else no message holds
	Calls  int // reported calls it rests on; 0: nothing could be fitted

	from string // the record that the file was written from and that knew it; "": the file itself
}

const (
	fitCalls  = 5   // fewer reported calls prove nothing
	fitStep   = 400 // counted tokens between two calls for their slope to mean something
	fitLowest = 0.4 // factors outside are a sign that the figures mean something else
	fitMost   = 3.0
)

// call is one reported request: what we count of it and what was reported.
type call struct {
	at       int  // history position of the answer
	phase    int  // number of resets and clearings before it
	cleared  bool // results before it were cleared, and the file does not say which
	counted  int64
	reported int64
}

// reportedCalls lists the calls of a thread whose usage the file reports. Calls
// behind one of our own summaries are left out unless they are known to be later
// than its record: what they report was measured before the messages in front of
// them were taken away.
func reportedCalls(t *model.Thread, raw []int32, made map[int32]*model.Record) []call {
	var out []call
	sum, phase, clearings := int64(0), 0, 0
	cleared := false
	const never = math.MinInt64
	rewritten := int64(never) // when the last summary of ours in the context was made
	see := func(m int32) {
		sum += int64(raw[m])
		if rec := made[m]; rec != nil {
			rewritten = max(rewritten, rec.Time.UnixMilli())
		} else if ownSummary(&t.Messages[m]) {
			rewritten = math.MaxInt64 // nobody knows
		}
	}
	for i, m := range t.History {
		for ; clearings < len(t.Found) && t.Found[clearings].At <= i; clearings++ {
			cleared = cleared || t.Found[clearings].Clearing
		}
		for ; phase < len(t.Resets) && t.Resets[phase].At <= i; phase++ {
			sum, rewritten, cleared = 0, never, false
			for _, b := range t.Resets[phase].Base {
				see(b)
			}
		}
		fresh := rewritten == never || t.Messages[m].Time > rewritten
		if u := t.Messages[m].Usage; u != nil && u.Input > 0 && fresh {
			out = append(out, call{i, phase + clearings, cleared, sum, int64(u.Input)})
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
	f.Fixed = max(0, int(median(residuals(calls, f.Factor))))
	return f
}

// residuals is what the reports hold beyond our counts. Behind a clearing our
// count is of results that were no longer sent: such calls are used for the
// fixed part only when there are no others.
func residuals(calls []call, factor float64) []float64 {
	var whole, all []float64
	for _, c := range calls {
		r := float64(c.reported) - factor*float64(c.counted)
		if all = append(all, r); !c.cleared {
			whole = append(whole, r)
		}
	}
	if len(whole) > 0 {
		return whole
	}
	return all
}

func median(v []float64) float64 {
	slices.Sort(v)
	n := len(v)
	if n%2 == 1 {
		return v[n/2]
	}
	return (v[n/2-1] + v[n/2]) / 2
}

// fitOf is the fit of the file that a record was made of, for one that was written
// from it: the usage that it rests on is gone. nil: there is none.
func fitOf(rec *model.Record, in tokens.Encoding) Fit {
	switch {
	case rec == nil || !strings.HasPrefix(rec.Counted, string(in)):
		return Fit{}
	case rec.Fitted == nil:
		return Fit{Fixed: rec.Policy.Fixed}
	}
	return Fit{Factor: rec.Fitted.Factor, Fixed: rec.Policy.Fixed, Calls: rec.Fitted.Calls, from: rec.ID}
}

// Source is where the factor is from, in a few words.
func (f Fit) Source() string {
	if f.from != "" {
		return fmt.Sprintf("fitted to %d calls before %s", f.Calls, f.from)
	}
	return fmt.Sprintf("fitted to %d calls", f.Calls)
}
