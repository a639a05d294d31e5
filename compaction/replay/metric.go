package replay

import "sort"

// Metric is a number of a replay that settings are judged by.
type Metric string

const (
	MetricAfter   Metric = "after"   // tokens of a request after the last message
	MetricSaved   Metric = "saved"   // share of the uncompacted input that was not sent, 0–1
	MetricInput   Metric = "input"   // tokens sent by all calls
	MetricLargest Metric = "largest" // tokens of the largest call
	MetricFirings Metric = "firings" // compactions
	MetricThrash  Metric = "thrash"  // of them, soon after another
	MetricResent  Metric = "resent"  // tokens written to the prompt cache again
	MetricWritten Metric = "written" // tokens of all summaries
	MetricMisses  Metric = "misses"  // needs that were not met
	MetricRecall  Metric = "recall"  // share of needs that were met, 0–1
	// MetricSurvives is the share, 0–1, of the facts in what firings took away that
	// were live right after them, counted firing by firing.
	MetricSurvives Metric = "survives"
	// MetricOver is the calls that don't fit the context window unless messages are
	// left out unsummarised.
	MetricOver Metric = "over"
)

// Metrics lists them all.
var Metrics = []Metric{
	MetricAfter, MetricSaved, MetricInput, MetricLargest, MetricFirings, MetricThrash, MetricResent, MetricWritten, MetricOver,
	MetricMisses, MetricRecall, MetricSurvives,
}

// More reports whether more of it is better.
func (m Metric) More() bool { return m == MetricSaved || m == MetricRecall || m == MetricSurvives }

// OfFacts reports whether a metric counts facts, which a sweep must be asked for.
// Without a summariser summaries have no text: then recall and survives count the
// kept messages alone, lower bounds, and misses is an upper bound.
func (m Metric) OfFacts() bool {
	return m == MetricRecall || m == MetricMisses || m == MetricSurvives
}

// Kept reports whether a metric says what is kept of what the agent needed. Only
// beside one of those is another metric a reason to choose a setting.
func (m Metric) Kept() bool { return m.OfFacts() }

// Beside is the metric that another one is weighed against if nobody says which:
// what is needed later against the total input.
func (m Metric) Beside() Metric {
	if m.Kept() {
		return MetricInput
	}
	return MetricRecall
}

// Judged is what became of facts over the firings of a replay.
type Judged struct {
	Needs    int `json:"needs"`    // uses of what had gone
	Met      int `json:"met"`      // of them, those of what was still live
	Gone     int `json:"gone"`     // facts in what each firing took away, summed up
	Standing int `json:"standing"` // of them, those still live right after it

	Orders     int `json:"orders"`      // what a person asked or forbade in what each firing took away, summed up
	OrdersKept int `json:"orders_kept"` // of them, those still live right after it
	// Standing orders are those of the orders that are meant to last.
	Lasting     int `json:"lasting"`
	LastingKept int `json:"lasting_kept"`
	// Halves are the needs in two parts, so that what was chosen by the one can be
	// checked by the other: a fact always falls into the same part.
	Halves [2]Met `json:"-"`
}

// Met counts needs.
type Met struct{ Needs, Met int }

// Share is the share of the needs that were met; 1 if there is none.
func (m Met) Share() float64 {
	if m.Needs == 0 {
		return 1
	}
	return float64(m.Met) / float64(m.Needs)
}

// NeedsToCount is how few needs make a session's recall count beside others
// (design §5).
const NeedsToCount = 20

// Result is that of one replay of a sweep.
type Result struct {
	Totals
	Facts bool `json:"facts"` // facts were looked for
	Judged
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
		return float64(r.Over + r.Truncations), true
	case MetricMisses:
		return float64(r.Needs - r.Met), r.Facts
	case MetricRecall:
		return float64(r.Met) / float64(max(1, r.Needs)), r.Facts && r.Needs > 0
	case MetricSurvives:
		return float64(r.Standing) / float64(max(1, r.Gone)), r.Facts && r.Gone > 0
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
