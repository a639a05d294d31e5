package auto

import (
	"math/big"
	"strconv"
)

// ReportedUsage is what the provider reported for the last call: the tokens of
// its request, and the context window it holds itself to.
type ReportedUsage struct {
	Used int64 `json:"usedTokens"`
	Max  int64 `json:"maxTokens"` // 0: not reported
}

// usageMeter turns counted tokens into context usage: usage = scale · counted
// + fixed (DESIGN §9). A report that is above what was counted tells of a fixed
// part (tools, the provider's own words); one below it, that the count is too
// high for this model. Both readings err on the side of more.
//
// So usage is never a figure of the past: messages that came after a report, or
// went in a compaction, are in it at once (spec F55, F56).
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

// clear forgets the report, which no longer describes the list (spec D11).
func (u *usageMeter) clear(zero bool) { u.reported, u.zero = nil, zero }

// Usage is the context usage a [Compactor] goes by.
type Usage struct {
	Used     int64 // tokens
	Max      int64 // context window; 0: unknown
	Fitted   bool  // to what a provider reported, else counted only
	Messages int
}

// Percent is the share of the window with one decimal, ties rounded up as the
// first authors' program has it (spec F66): "80.0%"; "?" when the window is not
// known.
func (u Usage) Percent() string {
	if u.Max <= 0 {
		return "?"
	}
	return percent(float64(u.Used) / float64(u.Max) * 100)
}

func percent(f float64) string {
	tenths := new(big.Rat).SetFloat64(f)
	if tenths == nil {
		return "?"
	}
	tenths.Mul(tenths, big.NewRat(10, 1)).Add(tenths, big.NewRat(1, 2))
	n := new(big.Int).Quo(tenths.Num(), tenths.Denom())
	whole, rest := new(big.Int).QuoRem(n, big.NewInt(10), new(big.Int))
	return whole.String() + "." + rest.String() + "%"
}

// share100 is a share as a percentage without needless decimals: "80%", "12.5%".
func share100(f float64) string {
	return strconv.FormatFloat(f*100, 'g', 12, 64) + "%"
}
