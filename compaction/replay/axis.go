package replay

import (
	"fmt"
	"math"

	"palimpsest/model"
)

// Param is a parameter that an axis of a sweep may move.
type Param string

const (
	AxisTrigger Param = "trigger" // the trigger, this one clause alone
	AxisTail    Param = "tail"    // recent tail
	AxisBatch   Param = "batch"   // the most one pass takes
	AxisTarget  Param = "target"  // tokens to be reached once it has fired
	AxisBudget  Param = "budget"  // of one summary
	AxisLayer   Param = "layer"   // of all summaries together
	AxisWindow  Param = "window"  // context window
	AxisReserve Param = "reserve" // kept free for the answer
	AxisKeep    Param = "keep"    // clear old tool results but the newest so many
	AxisAbove   Param = "above"   // clear only results of more tokens
	AxisMinGain Param = "gain"    // messages a pass must free
	AxisBackOff Param = "backoff" // messages to wait after a failure
)

// Percent is the unit of a trigger that is a share of the context window.
const Percent model.Unit = "%"

// params says what each parameter may be counted in, the first where nothing is
// said; none: the unit that the policy has.
var params = []struct {
	Param
	units []model.Unit
}{
	{AxisTrigger, []model.Unit{Percent, model.Tokens, model.Messages, model.Groups, model.Steps, model.Turns}},
	{AxisTail, []model.Unit{"", model.Tokens, model.Messages, model.Groups, model.Steps, model.Turns}},
	{AxisBatch, []model.Unit{"", model.Tokens, model.Messages, model.Groups, model.Steps, model.Turns}},
	{AxisTarget, []model.Unit{model.Tokens}},
	{AxisBudget, []model.Unit{"", model.Tokens, model.Chars}},
	{AxisLayer, []model.Unit{"", model.Tokens, model.Chars}},
	{AxisWindow, []model.Unit{model.Tokens}},
	{AxisReserve, []model.Unit{model.Tokens}},
	{AxisKeep, []model.Unit{"results"}},
	{AxisAbove, []model.Unit{model.Tokens}},
	{AxisMinGain, []model.Unit{model.Messages}},
	{AxisBackOff, []model.Unit{model.Messages}},
}

// Params lists the parameters there are.
func Params() []Param {
	out := make([]Param, len(params))
	for i, p := range params {
		out[i] = p.Param
	}
	return out
}

// Units lists what a parameter may be counted in, its usual unit first; "" is
// the unit that the policy has.
func (p Param) Units() []model.Unit {
	for _, x := range params {
		if x.Param == p {
			return append([]model.Unit(nil), x.units...)
		}
	}
	return nil
}

// Axis is a parameter with the values it takes.
type Axis struct {
	Param  Param      `json:"param"`
	Unit   model.Unit `json:"unit"` // "": that of the policy; "%": of the context window
	Values []float64  `json:"values"`
}

// MostValues bounds an axis: more can't be looked at.
const MostValues = 1000

// NewAxis makes an axis of n values evenly spaced from one to the other. Counts
// are whole and shares rounded to a hundredth of a percent, so that fewer than n
// may be left.
func NewAxis(p Param, u model.Unit, from, to float64, n int) (Axis, error) {
	if n < 1 || n > MostValues {
		return Axis{}, fmt.Errorf("an axis has 1 to %d values, not %d", MostValues, n)
	}
	values := make([]float64, n)
	for i := range values {
		values[i] = from
		if n > 1 {
			values[i] += (to - from) * float64(i) / float64(n-1)
		}
	}
	return AxisOf(p, u, values)
}

// AxisOf makes an axis of given values, each once. The unit "" is the
// parameter's usual one, or that of the policy.
func AxisOf(p Param, u model.Unit, values []float64) (Axis, error) {
	a := Axis{Param: p, Unit: u}
	if err := a.unit(); err != nil {
		return a, err
	}
	if len(values) < 1 || len(values) > MostValues {
		return a, fmt.Errorf("an axis has 1 to %d values, not %d", MostValues, len(values))
	}
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 || v > 1<<40 {
			return a, fmt.Errorf("%s can't be %g", p, v)
		}
		if a.Unit == Percent {
			v = math.Round(v*100) / 100
		} else {
			v = math.Round(v)
		}
		if a.Unit == Percent && (v == 0 || v > 100) {
			return a, fmt.Errorf("%s can't be %g %%; a share is above 0 %% and at most 100 %%", p, v)
		}
		if !contains(a.Values, v) {
			a.Values = append(a.Values, v)
		}
	}
	return a, nil
}

// unit checks the unit or puts in the usual one.
func (a *Axis) unit() error {
	for _, p := range params {
		if p.Param != a.Param {
			continue
		}
		if a.Unit == "" {
			a.Unit = p.units[0]
			return nil
		}
		for _, u := range p.units {
			if u == a.Unit {
				return nil
			}
		}
		return fmt.Errorf("%s can't be in %s", a.Param, a.Unit)
	}
	return fmt.Errorf("%q is no parameter of a sweep; there are %v", a.Param, Params())
}

func contains(list []float64, v float64) bool {
	for _, x := range list {
		if x == v {
			return true
		}
	}
	return false
}

// Set is the policy with the parameter at a value.
func (a Axis) Set(p model.Policy, v float64) model.Policy {
	amount := func(to *model.Amount) {
		to.N = int(v)
		if a.Unit != "" {
			to.Unit = a.Unit
		}
	}
	switch a.Param {
	case AxisTrigger:
		c := model.Clause{Share: v / 100}
		if a.Unit != Percent {
			c = model.Clause{At: model.Amount{N: int(v), Unit: a.Unit}}
		}
		p.Triggers = []model.Clause{c}
	case AxisTail:
		amount(&p.Tail)
	case AxisBatch:
		amount(&p.Batch)
	case AxisTarget:
		p.Target = int(v)
	case AxisBudget:
		amount(&p.Budget)
	case AxisLayer:
		amount(&p.LayerBudget)
	case AxisWindow:
		p.Window = int(v)
	case AxisReserve:
		p.Reserve = int(v)
	case AxisKeep:
		p.Clear.On, p.Clear.Keep = true, int(v)
	case AxisAbove:
		p.Clear.On, p.Clear.Above = true, int(v)
	case AxisMinGain:
		p.MinGain.Messages = int(v)
	case AxisBackOff:
		p.BackOff = int(v)
	}
	return p
}
