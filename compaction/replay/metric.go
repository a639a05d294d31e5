package replay

import (
	"cmp"
	"slices"
	"sort"
)

// Metric is a number of a replay that settings are judged by.
type Metric string

const (
	MetricAfter   Metric = "after"   // tokens of a request after the last message
	MetricSaved   Metric = "saved"   // share of the uncompacted input that was not sent, 0–1
	MetricInput   Metric = "input"   // tokens sent by all calls
	MetricCost    Metric = "cost"    // of these and the summaries, in tokens of fresh input: [Totals.CostAt]
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
	MetricAfter, MetricSaved, MetricInput, MetricCost, MetricLargest, MetricFirings, MetricThrash, MetricResent, MetricWritten, MetricOver,
	MetricMisses, MetricRecall, MetricSurvives,
}

// More reports whether more of it is better.
func (m Metric) More() bool { return m == MetricSaved || m == MetricRecall || m == MetricSurvives }

// Averaged reports whether the value over several sessions is the mean, not the median:
// shares of what was needed are mostly near 1, and the one that is not has to show; and
// what is paid or missed adds up, where the session in the middle may be one that no
// setting touches.
func (m Metric) Averaged() bool {
	switch m {
	case MetricRecall, MetricMisses, MetricInput, MetricCost, MetricResent, MetricWritten:
		return true
	}
	return false
}

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

// NeedsToCount is the fewest needs for which a session's recall enters a comparison.
const NeedsToCount = 20

// Result is that of one replay of a sweep.
type Result struct {
	Totals
	Facts bool `json:"facts"` // facts were looked for
	Judged
	// Most is the most needs that any of the settings had that are compared: a setting that
	// fires later has fewer, since what they are of is still there.
	Most int     `json:"most_needs,omitempty"`
	Cost float64 `json:"cost"` // at the rates of the model
	// Impossible says that the trigger is not below context window − output reserve, or
	// not above the fixed part.
	Impossible bool `json:"impossible,omitempty"`
	// Aside says that the history counts in no cell: another setting, which most of the
	// histories can have, is impossible for it.
	Aside bool `json:"aside,omitempty"`
}

// Of is how many needs its recall is of.
func (r *Result) Of() int { return max(r.Needs, r.Most) }

// Value of a metric; false where it is not known.
func (r *Result) Value(m Metric) (float64, bool) {
	if r.Aside {
		return 0, false
	}
	switch m {
	case MetricAfter:
		return float64(r.After.Tokens), true
	case MetricSaved:
		return r.Saved(), r.Uncompacted > 0
	case MetricInput:
		return float64(r.Input), true
	case MetricCost:
		return r.Cost, r.CacheRead+r.CacheWrite > 0
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
		return 1 - float64(r.Needs-r.Met)/float64(max(1, r.Of())), r.Facts && r.Of() > 0
	case MetricSurvives:
		return float64(r.Standing) / float64(max(1, r.Gone)), r.Facts && r.Gone > 0
	}
	return 0, false
}

// Unit is what a metric counts: "tokens", "%" of a share, or what is counted one by one.
func (m Metric) Unit() string {
	switch m {
	case MetricSaved, MetricRecall, MetricSurvives:
		return "%"
	case MetricFirings, MetricThrash:
		return "compactions"
	case MetricOver:
		return "calls"
	case MetricMisses:
		return "facts"
	}
	return "tokens"
}

// leastScale is how much of a whole a scale spans at least: 99.6 and 100 % are not the
// worst and the best, but alike.
const leastScale = .05

// Scale makes a range of values as wide as a scale of colours has to be: 5 points of a
// share, a twentieth of the largest of what is counted.
func (m Metric) Scale(lo, hi float64) (from, to float64) {
	whole, share := hi, m.Unit() == "%"
	if share {
		whole = 1
	}
	grow := (whole*leastScale - (hi - lo)) / 2
	if grow <= 0 {
		return lo, hi
	}
	from, to = lo-grow, hi+grow
	if from < 0 {
		from, to = 0, to-from
	}
	if share && to > 1 {
		from, to = from-(to-1), 1
	}
	return from, to
}

// counts reports whether a session says enough about a metric to be compared.
func (r *Result) counts(m Metric) bool { return m != MetricRecall || r.Of() >= NeedsToCount }

// Box is a metric of one setting over several sessions.
type Box struct {
	Of      []Of    `json:"of"` // by session
	Low     float64 `json:"low"`
	Quarter float64 `json:"quarter"` // a quarter of the sessions is below
	Median  float64 `json:"median"`
	Middle  float64 `json:"middle"` // the value of the cell, see [Spread]
	Upper   float64 `json:"upper"`  // a quarter is above
	High    float64 `json:"high"`
	Worst   int     `json:"worst"`    // its session
	LeftOut int     `json:"left_out"` // sessions that don't know it, or have too few needs
	// Input is the total input of all sessions over that with the present settings.
	Input float64 `json:"input"`
}

// Of is the value of one session.
type Of struct {
	Session int     `json:"session"`
	Value   float64 `json:"value"`
}

// Box is a cell of the grid over its sessions, or with −1 the present settings; false
// where no session knows the metric.
func (g *Grid) Box(cell int, m Metric) (b Box, ok bool) {
	c := &g.Now
	if cell >= 0 {
		c = &g.Cells[cell]
	}
	var values []float64
	input, now := int64(0), int64(0)
	for i := range c.Results {
		r := &c.Results[i]
		if was := g.Now.Results[i].Input; !r.Aside && r.Input > 0 && was > 0 { // else it is under way
			input, now = input+r.Input, now+was
		}
		v, known := r.Value(m)
		if !known || !c.Done || !r.counts(m) {
			b.LeftOut++
			continue
		}
		b.Of = append(b.Of, Of{i, v})
		values = append(values, v)
	}
	if len(values) == 0 {
		return b, false
	}
	worst := slices.MinFunc(b.Of, func(x, y Of) int {
		if m.More() {
			return cmp.Compare(x.Value, y.Value)
		}
		return cmp.Compare(y.Value, x.Value)
	})
	b.Worst = worst.Session
	sort.Float64s(values)
	b.Low, b.High = values[0], values[len(values)-1]
	b.Quarter, b.Median, b.Upper = quantile(values, .25), quantile(values, .5), quantile(values, .75)
	if now > 0 {
		b.Input = float64(input) / float64(now)
	}
	s, _ := spread(c.Results, m)
	b.Middle = s.Value
	return b, true
}

// quantile of ascending values, between neighbours in proportion.
func quantile(v []float64, q float64) float64 {
	at := q * float64(len(v)-1)
	i := int(at)
	if i+1 >= len(v) {
		return v[len(v)-1]
	}
	return v[i] + (at-float64(i))*(v[i+1]-v[i])
}

// Spread is a metric over the sessions of a cell.
type Spread struct {
	Value float64 `json:"value"` // the median; of a metric that is averaged the mean
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
		if !known || len(results) > 1 && !results[i].counts(m) {
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
	if m.Averaged() {
		s.Value = sum / float64(n)
	}
	return s, true
}
