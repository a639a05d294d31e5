package session

import (
	"fmt"
	"math"
	"slices"

	"palimpsest/compaction"
	"palimpsest/model/figure"
)

// CrossCheck compares what we make of the last call whose usage the file reports
// with that report.
//
//	tokens       . estimated           From is the first call of the stretch in
//	  |       . '  |                   which both differ, At the last one
//	  |   _.-'     | Estimated − Reported
//	  | _/  \______| reported
//	  +-----|------|---- calls
//	      From    At
type CrossCheck struct {
	At        int // history position of the call's answer; -1: nothing is reported
	Reported  int64
	Estimated int64

	// The rest is known where the check is Loud.
	From  int   // history position from which both differ
	Cause Cause // the zero value: not known
}

// Cause is a reason for a difference that is known, not guessed from the numbers.
type Cause struct {
	Code CauseCode // "": none is known
	At   int       // history position of the clearing
}

// CauseCode is a kind of cause.
type CauseCode string

// The causes.
const (
	CauseFixedSet CauseCode = "fixed-set" // the fixed part was set by hand
	CauseCleared  CauseCode = "cleared"   // results were cleared, and the file does not say which
)

const (
	// loudShare is the difference from which it is said aloud.
	loudShare = 0.2
	// strayShare is the difference from which a call belongs to the stretch.
	strayShare = 0.1
	// setShare is the share of a difference that a fixed part set by hand explains at least.
	setShare = 0.25
)

// Off is the difference as a share of what is reported: 0.26 is 26 % too much.
func (c CrossCheck) Off() float64 {
	if c.At < 0 || c.Reported <= 0 {
		return 0
	}
	return float64(c.Estimated-c.Reported) / float64(c.Reported)
}

// Loud reports whether both differ so much that it must be said.
func (c CrossCheck) Loud() bool { return math.Abs(c.Off()) > loudShare }

// CrossCheck compares the last reported call with its estimate under a fixed part.
func (t *CountedThread) CrossCheck(fixed int) CrossCheck {
	if len(t.calls) == 0 || t.sketch {
		return CrossCheck{At: -1}
	}
	last := t.calls[len(t.calls)-1]
	if t.lineage.from() != nil && last.at < t.thread.LiveFrom(len(t.thread.History)) {
		return CrossCheck{At: -1} // nothing that is live was reported, and the fit is of other calls
	}
	c := CrossCheck{At: last.at, Reported: last.reported, Estimated: estimate(t, last, fixed)}
	if !c.Loud() {
		return c
	}
	c.From = last.at
	for _, call := range slices.Backward(t.calls) {
		off := float64(estimate(t, call, fixed)-call.reported) / float64(call.reported)
		if math.Abs(off) <= strayShare || (off > 0) != (c.Off() > 0) {
			break
		}
		c.From = call.at
	}
	c.Cause = t.causeOf(&c, fixed)
	return c
}

// estimate is the size of a call as we make it.
func estimate(t *CountedThread, c call, fixed int) int64 {
	return int64(math.Round(t.counter.Factor()*float64(c.counted))) + t.fit.Beyond(c.at, fixed)
}

// causeOf finds a known cause of a difference.
func (t *CountedThread) causeOf(c *CrossCheck, fixed int) Cause {
	diff := c.Estimated - c.Reported
	given := int64(fixed - t.fit.Fixed)
	if (given > 0) == (diff > 0) && math.Abs(float64(given)) >= setShare*math.Abs(float64(diff)) {
		return Cause{Code: CauseFixedSet}
	}
	for _, f := range t.thread.Found {
		if f.Clearing && f.At <= c.At && diff > 0 && f.At >= t.thread.LiveFrom(c.At) {
			return Cause{Code: CauseCleared, At: f.At}
		}
	}
	return Cause{}
}

// said is the check as a warning that plans repeat.
func (c CrossCheck) said() []compaction.Reason {
	if !c.Loud() {
		return nil
	}
	return []compaction.Reason{{Code: EstimateOff, N: c.Estimated, M: c.Reported}}
}

// EstimateOff is the code of the warning of plans that the [CrossCheck] is loud.
const EstimateOff = "estimate-off"

// String is the check in English, for the verbs; "" where there
// is nothing to say aloud.
func (c CrossCheck) String() string {
	if !c.Loud() {
		return ""
	}
	s := fmt.Sprintf("the last call is estimated at ~%s tokens, reported at %s (%s), and both differ from message %s on",
		figure.Int(c.Estimated), figure.Int(c.Reported), signed(c.Off()), figure.Int(int64(c.From+1)))
	if cause := c.Cause.String(); cause != "" {
		s += ". Cause: " + cause
	}
	return s
}

// String is the cause in English words; "" if none is known.
func (x Cause) String() string {
	switch x.Code {
	case CauseFixedSet:
		return "the fixed part that was set by hand"
	case CauseCleared:
		return fmt.Sprintf("tool results were cleared at message %s, and the file does not say which", figure.Int(int64(x.At+1)))
	}
	return ""
}

func signed(share float64) string {
	if share > loudest {
		return fmt.Sprintf("%.0f × what is reported", share+1)
	}
	return fmt.Sprintf("%+.0f %%", 100*share)
}

// loudest is the share from which a difference is said as a multiple.
const loudest = 2.0
