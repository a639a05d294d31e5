package compaction

import (
	"math"
)

// BackOff is how long automatic compaction waits after an attempt that did not
// help, so that a failing model is not called on every turn and a
// policy that can't get below its own trigger does not compact all the time.
// It is a small value: each attempt returns the next one. The zero value does not
// wait; a success returns to it.
//
// Time is the length of the history, so a replay and a live session wait the same.
type BackOff struct {
	From int `json:"from"` // history length at the last attempt that did not help
	Wait int `json:"wait"` // messages the history must grow by from there; 0: none
}

// Left is how many messages a history of length at must still grow by before
// the next attempt, for [Options.Wait]. A history that is shorter than at the last
// attempt was rewound, and need not wait for what failed then.
func (b BackOff) Left(at int) int {
	if at < b.From {
		return 0
	}
	return max(0, b.Wait-(at-b.From))
}

// Failed is the state after an attempt that cost a summary and gave none to
// use: k messages the first time, then twice as many as before; 0: no back-off.
func (b BackOff) Failed(at, k int) BackOff {
	if k <= 0 {
		return BackOff{}
	}
	if b.Wait > math.MaxInt/2 {
		return BackOff{From: at, Wait: math.MaxInt}
	}
	return BackOff{From: at, Wait: max(k, 2*b.Wait)}
}

// After is the state after an automatic attempt at a history of length at: the
// draft that [MakeDraft] returned, or its error, under the policy's back-off.
//
// A plan that waits or refuses before any text was made does not change the state:
// checking costs nothing, and the next message may make it possible. Cancelled
// attempts should not be reported.
func (b BackOff) After(d *Draft, err error, at, k int) BackOff {
	switch {
	case err != nil:
		return b.Failed(at, k)
	case d.Plan.Outcome == WouldApply && !d.Plan.stillFires:
		return BackOff{}
	case d.Plan.Outcome == WouldApply:
		// Each time the same: the list did get smaller, and must not outgrow its
		// window because of the waiting.
		return BackOff{From: at, Wait: max(0, k)}
	case d.Text.Text != "": // refused only once the text was there
		return b.Failed(at, k)
	}
	return b
}
