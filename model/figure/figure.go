// Package figure holds the numbers that people are shown: what each one is, how
// it was made, how far it can be trusted, and how it is written. The window and
// the verbs write the same figure the same way.
//
//	158.9K      reported by the provider, or counted
//	~158.9K     estimated
//	≥ ~158.9K   a bound: the truth is not below it
//	–           not known; the figure says why
package figure

import (
	"math"
	"strings"
)

// Kind says where a number is from.
type Kind uint8

// The kinds.
const (
	Unknown   Kind = iota // nobody knows it; Reason says why
	Reported              // by the provider, in the file
	Counted               // with the vocabulary of the model, or one by one
	Estimated             // by a method that can be off
)

var kindNames = [...]string{"unknown", "reported", "counted", "estimated"}

func (k Kind) String() string { return kindNames[k] }

// Bound says on which side of a number the truth is.
type Bound int8

// The bounds.
const (
	AtMost  Bound = -1 // the truth is the number or less
	None    Bound = 0
	AtLeast Bound = 1 // the truth is the number or more
)

// Unit is what a number counts.
type Unit uint8

// The units.
const (
	Tokens  Unit = iota
	Share        // a part of a whole, 0 to 1
	Change       // of a size, −1 to any: −0.68 is 68 % less
	Count        // of whole things
	Average      // of counts, with one place
	Points       // of a hundred, by which two shares differ; as a share
)

// Scope is what a number speaks of. Two figures of one name differ only by it.
type Scope uint8

// The scopes.
const (
	OfCompaction Scope = iota + 1 // one compaction, made when At messages have been
	OfRun                         // the whole history under the parameters
	OfCall                        // one call of the model, at message At
	OfRecord                      // a stored compaction
)

// Part is one of the numbers that add up to a figure.
type Part struct {
	Name     string // key of its words
	Value    float64
	From, To int // messages, half-open; equal: it is not one of messages
	Of       int // the most that it may be; 0: there is no limit
}

// Method says how a part of a figure was counted. Name and How are keys; Text is
// a name that is no word, as of a vocabulary.
type Method struct {
	Name, How string
	Text      string
	N         int // what the words of How count, as calls
}

// Figure is a number with all that has to be known to defend it.
type Figure struct {
	Name    string // equal in every place that shows it
	Value   float64
	Unit    Unit
	Kind    Kind
	Bound   Bound
	Signed  bool // it is written with its sign, as a difference
	Scope   Scope
	At      int    // messages before it
	N, Of   int64  // of a share: how many of how many
	Reason  string // key: why it is unknown, or a bound
	Parts   []Part
	Methods []Method
	// Error is how far estimates of this history are off what the provider
	// reported, as a share: the median over its calls; 0: not known.
	Error float64
}

// Ratio is the figure of a share: n of the whole. Nothing of nothing is unknown
// for the reason.
func Ratio(name string, n, whole int64, reason string) Figure {
	f := Figure{Name: name, Unit: Share, Kind: Counted, N: n, Of: whole}
	if whole <= 0 {
		f.Kind, f.Reason = Unknown, reason
		return f
	}
	f.Value = float64(n) / float64(whole)
	return f
}

// Relative is the figure of a change from one size to another, as a share of the first.
func Relative(name string, from, to int64, k Kind) Figure {
	f := Figure{Name: name, Unit: Change, Kind: k, N: from - to, Of: from}
	if from <= 0 {
		f.Kind = Unknown
		return f
	}
	f.Value = float64(to-from) / float64(from)
	return f
}

// Known reports whether there is something to show: a bound that every number
// keeps to, at least nothing or at most all, is none.
func (f Figure) Known() bool {
	switch {
	case f.Kind == Unknown || math.IsNaN(f.Value) || math.IsInf(f.Value, 0):
		return false
	case f.Bound == AtLeast:
		return f.Value >= f.least()
	case f.Bound == AtMost && f.Unit == Share:
		return f.Value <= 1-f.least()
	}
	return true
}

// least is what is written as more than nothing.
func (f Figure) least() float64 {
	switch f.Unit {
	case Share, Change, Points:
		return .005
	case Average:
		return .05
	}
	return .5
}

// bound is the side of the truth that is written: of a share whose bound is all
// or nothing there is no other side.
func (f Figure) bound() Bound {
	if f.Unit == Share && (f.Bound == AtLeast && f.Value > 1-f.least() || f.Bound == AtMost && f.Value < f.least()) {
		return None
	}
	return f.Bound
}

// String is the figure as short as a screen shows it.
func (f Figure) String() string { return f.write(false) }

// Full is the figure with all its digits, as it is copied.
func (f Figure) Full() string { return f.write(true) }

func (f Figure) write(full bool) string {
	if !f.Known() {
		return Missing
	}
	s, rough := "", f.Kind == Estimated && f.Value != 0
	switch n := int64(math.Round(f.Value)); f.Unit {
	case Tokens:
		if s = TokensShort(n, true); full {
			s = Int(n)
		}
	case Share:
		if s = Percent(f.Value); full {
			s = PercentTenths(f.Value)
		}
	case Change:
		s, rough = ChangeOf(f.Value), false // the sizes it is of wear the sign
	case Count:
		s = Int(n)
	case Average:
		s = Decimal(f.Value, 1)
	case Points:
		s = Decimal(math.Round(f.Value*100), 0)
		if rough = rough && s != "0"; full {
			s = Decimal(f.Value*100, 1)
		}
	}
	sign := ""
	if rest, less := strings.CutPrefix(s, Minus); less {
		sign, s = Minus, rest
	} else if f.Signed && f.Value > 0 && s != "0" {
		sign = "+"
	}
	if rough {
		sign += "~"
	}
	return Bounded(sign+s, f.bound())
}
