package model

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
)

// Percent is a share of the context window; [Amount.Of] says what it comes to.
// Results counts tool results, and is a unit of a [Param] only.
const (
	Percent Unit = "%"
	Results Unit = "results"
)

// Param is one parameter of a policy, a row of the table that [Params] returns.
// What handles parameters one by one reads the table and names none of them:
//
//	normalising        Clamp, Clamped, Choices
//	flags and files    Flag, Units, Plain, Choices
//	axes of sweeps     Axis, AxisWord, Units, Usual
//	screens            Word, Zero, Off, Rank, Scale, Used
//
// A new parameter is a field of [Policy], a row here, its rule in the engine and
// its name in each language.
type Param struct {
	Key  string // names it, also as an axis of a sweep
	JSON string // its field in the JSON of a policy
	Word string // translation key of its name
	Rank Rank

	Units   []Unit   // it may be counted in, the usual one first; empty: it is no number
	Plain   Unit     // of a number that a person gives without a unit; "": the first of Units
	Choices []string // words it may be, the default first; empty: it is no word
	// Formerly are words that earlier versions or other programs had, with those they are now.
	Formerly map[string]string
	Clamped  string // reason code of a number that was brought into its range

	Flag     Flag     // of the verbs
	Also     []string // other names of the flag and of the axis: former ones, and those of other programs
	Own      bool     // it belongs to a history: presets don't set it
	Axis     bool     // a sweep may move it
	AxisWord string
	Usual    map[Unit][]float64 // values that a sweep starts with; elsewhere those around the present one

	Zero  string         // translation key of what 0 means, or "?": unknown; "": a number like others
	Off   string         // translation key of what is shown while its switch is off
	Scale map[Unit]Scale // right end of a slider; empty: there is no slider

	value  func(*Policy) any    // pointer to the value
	toggle func(*Policy) *bool  // the switch that it needs; nil: none
	like   func(*Policy) Unit   // unit of an amount that has none; nil: the plain one
	most   func(*Policy) int    // largest legal number; nil: mostNumber
	now    func(*Policy) Amount // the amount in force; nil: as it is set
	used   func(*Policy) bool   // nil: always

	// then makes up the rest of a policy when this was set; sliding: it slid over steps
	// before. nil: nothing follows.
	then func(p *Policy, sliding bool)
}

// Rank is how often a parameter is looked at.
type Rank uint8

const (
	Main   Rank = iota // always in view
	Second             // folded away where it is set
	Rare               // and left out of short descriptions
)

// Flag is how the verbs name a parameter; without a Name there is no flag.
type Flag struct{ Name, Placeholder, Help string }

// Scale is the right end of a slider: a share of the context window or, while
// that is unknown or the share is 0, a number.
type Scale struct {
	Share  float64
	Number int
}

// mostNumber is the largest number that is taken; no limit can mean more.
const mostNumber = 1 << 40

// Params returns the table, in the order in which parameters are shown. It must
// not be written to.
func Params() []*Param { return params }

// Named returns the row that a person names by its flag, another name of it, or its key,
// which may be the flag of another row; nil: there is none.
func Named(name string) *Param {
	for _, x := range params {
		if x.Flag.Name == name || slices.Contains(x.Also, name) {
			return x
		}
	}
	return ParamOf(name)
}

// Name is how verbs and reports call the parameter.
func (x *Param) Name() string { return cmp.Or(x.Flag.Name, x.Key) }

// ParamOf returns the row of a key; nil: there is none.
func ParamOf(key string) *Param {
	if i := slices.IndexFunc(params, func(x *Param) bool { return x.Key == key }); i >= 0 {
		return params[i]
	}
	return nil
}

// Value returns a pointer to the parameter in a policy: *int, *[Amount], *bool,
// *string (one of Choices), *[][Clause] or *[][Range].
func (x *Param) Value(p *Policy) any { return x.value(p) }

// Switch returns the switch without which the parameter has no effect; nil: it
// needs none.
func (x *Param) Switch(p *Policy) *bool {
	if x.toggle == nil {
		return nil
	}
	return x.toggle(p)
}

// SwitchedOff reports whether the parameter has a switch and it is off.
func (x *Param) SwitchedOff(p *Policy) bool { s := x.Switch(p); return s != nil && !*s }

// InForce is an amount as it is planned with: a share of the context window in
// tokens. It returns false for a parameter that can't be a share.
func (x *Param) InForce(p *Policy) (Amount, bool) {
	if x.now == nil {
		return Amount{}, false
	}
	return x.now(p), true
}

// Used reports whether the parameter has any effect beside the others.
func (x *Param) Used(p *Policy) bool { return x.used == nil || x.used(p) }

// Copy takes the parameter over from another policy.
func (x *Param) Copy(to, from *Policy) {
	if x.then != nil {
		defer x.then(to, to.Sliding())
	}
	if v, is := x.value(from).(*[]Clause); is {
		to.SetTriggers(*v)
		return
	}
	reflect.ValueOf(x.value(to)).Elem().Set(reflect.ValueOf(x.value(from)).Elem())
}

// Number returns a parameter that is a number, and what it counts; false: it is
// none, as a trigger of several clauses. A share is in percent, to a hundredth.
func (x *Param) Number(p *Policy) (float64, Unit, bool) {
	switch v := x.value(p).(type) {
	case *int:
		return float64(*v), x.Units[0], true
	case *Amount:
		if v == &p.Tail && p.Sliding() { // also of one that was stored with what stays after a compaction
			v = &p.Triggers[0].At
		}
		return float64(v.N), x.unit(p, v.Unit), true
	case *[]Clause:
		if len(*v) != 1 {
			return 0, "", false
		}
		if c := (*v)[0]; c.Share == 0 {
			return float64(c.At.N), x.unit(p, c.At.Unit), true
		} else {
			return math.Round(c.Share*1e4) / 100, Percent, true
		}
	}
	return 0, "", false
}

// SetNumber sets a parameter that is a number; a unit "" leaves the one it has.
// A trigger becomes this one clause. What follows from the parameter is set as well.
func (x *Param) SetNumber(p *Policy, n float64, u Unit) {
	if x.then != nil {
		defer x.then(p, p.Sliding())
	}
	switch v := x.value(p).(type) {
	case *int:
		*v = int(n)
	case *Amount:
		v.N = int(n)
		if u != "" {
			v.Unit = u
		}
	case *[]Clause:
		c := Clause{Share: n / 100}
		if u != Percent {
			c = Clause{At: Amount{N: int(n), Unit: u}}
		}
		p.SetTriggers([]Clause{c})
	}
}

// mostPlain is the largest number without a unit that can be meant in messages.
const mostPlain = 1000

// Plainly is the unit that is meant by a number without one: that of the policy, but
// where it is a share or in tokens the plain one. The error asks for it where the number
// may be meant in tokens as well.
func (x *Param) Plainly(p *Policy, n int) (Unit, error) {
	u := cmp.Or(x.Plain, x.Units[0])
	if _, now, ok := x.Number(p); ok && now != Percent && now != Tokens {
		u = now
	}
	if UnclearIn(n, u, x.Units) {
		return u, fmt.Errorf("%d needs a unit: %dtok (tokens) or %d%s", n, n, n, u)
	}
	return u, nil
}

// UnclearIn reports whether a number without a unit may be meant in tokens as well as
// in the unit that represents none.
func UnclearIn(n int, plain Unit, units []Unit) bool {
	return n > mostPlain && slices.Contains(alongHistory, plain) && slices.Contains(units, Tokens)
}

// unit is u, or the unit that represents none.
func (x *Param) unit(p *Policy, u Unit) Unit {
	switch {
	case u != "":
		return u
	case x.like != nil:
		return x.like(p)
	}
	return cmp.Or(x.Plain, x.Units[0])
}

// Today is a word under the name that it has now.
func (x *Param) Today(word string) string { return cmp.Or(x.Formerly[word], word) }

// Clamp puts the nearest legal number in the place of one that is out of range,
// and the usual unit and word where there is none. It returns the number, and
// whether that changed. Parameters before this one must be legal.
func (x *Param) Clamp(p *Policy) (int, bool) {
	var n *int
	most := mostNumber
	switch v := x.value(p).(type) {
	case *int:
		n = v
	case *Amount:
		if n, v.Unit = &v.N, x.unit(p, v.Unit); v.Unit == Percent {
			most = 100
		}
	case *string:
		if *v = x.Today(*v); *v == "" {
			*v = x.Choices[0]
		}
		return 0, false
	default:
		return 0, false
	}
	if x.most != nil {
		most = x.most(p)
	}
	was := *n
	*n = min(max(was, 0), most)
	return *n, *n != was
}

// Check returns an error for words and units that no policy can have. Numbers
// out of range are no error: the nearest legal one is taken.
func (p Policy) Check() error {
	var errs []error
	for _, x := range params {
		unit := func(u Unit) {
			if u != "" && !slices.Contains(x.Units, u) {
				errs = append(errs, fmt.Errorf("%s: unit %q is not known; there are %v", x.JSON, u, x.Units))
			}
		}
		switch v := x.value(&p).(type) {
		case *string:
			if !slices.Contains(x.Choices, x.Today(*v)) {
				errs = append(errs, fmt.Errorf("%s %q is not known; there are %v", x.JSON, *v, x.Choices))
			}
		case *Amount:
			unit(v.Unit)
		case *[]Clause:
			for _, c := range *v {
				unit(c.At.Unit)
			}
		}
	}
	return errors.Join(errs...)
}
