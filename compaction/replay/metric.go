package replay

import "sort"

// Metric is a number of a replay that settings are judged by.
type Metric string

const (
	MetricAfter   Metric = "after"   // tokens of the request behind the last message
	MetricSaved   Metric = "saved"   // share of the uncompacted input that was not sent, 0–1
	MetricInput   Metric = "input"   // tokens sent by all calls
	MetricLargest Metric = "largest" // tokens of the largest call
	MetricFirings Metric = "firings" // compactions
	MetricThrash  Metric = "thrash"  // of them, soon after another
	MetricResent  Metric = "resent"  // tokens written to the prompt cache anew
	MetricWritten Metric = "written" // tokens of all summaries
	MetricMisses  Metric = "misses"  // needs that were not met
	MetricRecall  Metric = "recall"  // share of needs that were met, 0–1
	MetricOver    Metric = "over"    // calls larger than the context window
)

// Metrics lists them all.
var Metrics = []Metric{
	MetricAfter, MetricSaved, MetricInput, MetricLargest, MetricFirings, MetricThrash, MetricResent, MetricWritten, MetricOver,
	MetricMisses, MetricRecall,
}

// More reports whether more of it is better.
func (m Metric) More() bool { return m == MetricSaved || m == MetricRecall }

// NeedsToCount is how few needs make a session's recall count beside others
// (design §5).
const NeedsToCount = 20

// Result is what one replay of a sweep came to.
type Result struct {
	Totals
	// Facts says that needs were looked for; Needs of them there were, Met were
	// met.
	Facts bool `json:"facts"`
	Needs int  `json:"needs"`
	Met   int  `json:"met"`
}

// Value of a metric; false where it is not known.
func (r *Result) Value(m Metric) (float64, bool) {
	switch m {
	case MetricAfter:
		return float64(r.After.Tokens), true
	case MetricSaved:
		return r.Saved(), r.Uncompacted > 0
	case MetricInput:
		return float64(r.Input), true
	case MetricLargest:
		return float64(r.Largest), true
	case MetricFirings:
		return float64(r.Firings), true
	case MetricThrash:
		return float64(r.Thrash), true
	case MetricResent:
		return float64(r.Resent), true
	case MetricWritten:
		return float64(r.SummaryOutput), true
	case MetricOver:
		return float64(r.Over), true
	case MetricMisses:
		return float64(r.Needs - r.Met), r.Facts
	case MetricRecall:
		return float64(r.Met) / float64(max(1, r.Needs)), r.Facts && r.Needs > 0
	}
	return 0, false
}

// Spread is a metric over the sessions of a cell.
type Spread struct {
	Value float64 `json:"value"` // the median; of recall the mean
	Low   float64 `json:"low"`   // the least
	High  float64 `json:"high"`  // and the most of any session
	Of    int     `json:"of"`    // sessions that know it
}

// spread is a metric over several results. Recall is averaged over those with
// enough needs, for which a share means something.
func spread(results []Result, m Metric) (Spread, bool) {
	var v []float64
	sum := 0.0
	for i := range results {
		x, known := results[i].Value(m)
		if !known || m == MetricRecall && len(results) > 1 && results[i].Needs < NeedsToCount {
			continue
		}
		v = append(v, x)
		sum += x
	}
	n := len(v)
	if n == 0 {
		return Spread{}, false
	}
	sort.Float64s(v)
	s := Spread{Value: (v[(n-1)/2] + v[n/2]) / 2, Low: v[0], High: v[n-1], Of: n}
	if m == MetricRecall {
		s.Value = sum / float64(n)
	}
	return s, true
}
