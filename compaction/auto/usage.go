package auto

import (
	"cmp"
	"math/big"
	"strconv"

	"palimpsest/compaction"
	"palimpsest/model"
	"palimpsest/model/tokens"
)

// ReportedUsage is what the provider reported for the last call: the tokens of
// its request, and the context window it holds itself to.
type ReportedUsage struct {
	Used int64 `json:"usedTokens"`
	Max  int64 `json:"maxTokens"` // 0: not reported
}

// usageMeter turns counted tokens into context usage: usage = scale · counted
// + fixed. A report above what was counted means a fixed part
// (tools, the provider's own words); one below it, that the count is too high
// for this model. Both readings err on the side of more.
//
// So usage is never a figure of the past: messages that came after a report, or
// went in a compaction, are in it at once.
type usageMeter struct {
	scale    float64 // 0: 1
	fixed    int64
	fitted   bool           // by a report
	reported *ReportedUsage // of the list as it is; nil after a change
	messages int            // of the list that were in the report
	zero     bool           // Compat: reported as, or cleared to, 0
}

func (u *usageMeter) used(counted int64) int64 {
	if u.zero {
		return 0
	}
	if u.scale > 0 {
		return int64(u.scale*float64(counted)) + u.fixed
	}
	return counted + u.fixed
}

// report fits the meter to a call whose request was counted as counted.
func (u *usageMeter) report(r ReportedUsage, counted int64) {
	u.reported, u.zero, u.fitted = &r, r.Used == 0, true
	used := min(r.Used, mostReported)
	u.scale, u.fixed = 0, used-counted
	if u.fixed < 0 {
		u.scale, u.fixed = float64(used)/float64(counted), 0
	}
}

// mostReported is more than any request has, and adds up with one.
const mostReported = 1 << 50

// clear forgets the report, which no longer describes the list.
func (u *usageMeter) clear(zero bool) { u.reported, u.zero = nil, zero }

// sentList is the list of a call, as far as a report on it needs.
type sentList struct {
	counted           int64
	messages, version int
}

// current is the runtime list as it would be sent.
func (m *memory) current() *sentList {
	return &sentList{m.counted, len(m.runtime), m.version}
}

// report takes in what the provider reported for the last call.
func (m *memory) report(r ReportedUsage) {
	of := m.sent
	if of == nil {
		of = m.current()
	}
	m.meter.report(r, of.counted)
	if m.meter.messages = of.messages; of.version != m.version {
		m.meter.clear(false) // the fit of the count holds, but the list is gone
	}
}

// used is the context usage of the runtime list, in tokens.
func (m *memory) used() int64 { return m.meter.used(m.counted) }

func (m *memory) usage(c *Config) Usage {
	return Usage{Used: m.used(), Max: m.window(c), Fitted: m.meter.fitted, Messages: len(m.runtime)}
}

// window is the context window: as set, as reported, or as the model is known
// to have; 0: unknown.
func (m *memory) window(c *Config) int64 {
	if n := cmp.Or(int64(c.Window), m.reportedMax); n > 0 {
		return n
	}
	n, _, _ := tokens.Window(c.AgentName)
	return int64(n)
}

// limit is what a request may hold at most; 0: unknown.
func (m *memory) limit(c *Config) int64 {
	w := m.window(c)
	if w == 0 {
		return 0
	}
	return max(1, w-int64(c.Reserve))
}

// limits is what a request may hold, and by how much the list should be able to
// grow after a compaction: by as many messages as it waits for after one that was
// of no use. The first authors' programs know no limits of this kind.
func (m *memory) limits(c *Config) compaction.Limits {
	if c.CountCompat.any() || c.ShareCompat.any() {
		return compaction.Limits{}
	}
	out := compaction.Limits{Tokens: m.limit(c)}
	if c.OnFailure == model.TruncateAtHard && len(m.runtime) >= c.MaxCount {
		out.Messages = c.HardCount
	}
	if n := len(m.runtime); n > 0 {
		out.Growth = m.counted / int64(n) * int64(c.BackOff)
	}
	return out
}

// Usage is the context usage that a [Compactor] decides by.
type Usage struct {
	Used     int64 // tokens
	Max      int64 // context window; 0: unknown
	Fitted   bool  // to what a provider reported, else counted only
	Messages int
}

func (u Usage) size() model.Size { return model.Size{Messages: u.Messages, Tokens: u.Used} }

// Percent is the share of the window with one decimal, ties rounded up as the
// first authors' program has it: "80.0%"; "?" when the window is not
// known.
func (u Usage) Percent() string {
	if u.Max <= 0 {
		return "?"
	}
	return percent(float64(u.Used) / float64(u.Max) * 100)
}

func percent(f float64) string {
	exact := new(big.Rat).SetFloat64(f)
	if exact == nil { // not finite
		return "?"
	}
	return exact.FloatString(1) + "%" // which rounds halves away from zero
}

// share100 is a share as a percentage without needless decimals: "80%", "12.5%".
func share100(f float64) string {
	return strconv.FormatFloat(f*100, 'g', 12, 64) + "%"
}
