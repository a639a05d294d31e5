package replay

import (
	"context"
	"math"
	"slices"

	"palimpsest/compaction"
	"palimpsest/model"
)

// What a sweep begins with, if nobody says otherwise: the trigger across, the
// recent tail up, with values at which this history is compacted. A share of a
// window that a history never fills would say nothing in most cells:
//
//	fixed                     40 %              95 % of the room    peak
//	|---------------------------|------ triggers ------|-------------|
//	       |-- tails --| at most half of what lies below the lowest trigger

const (
	lowTrigger, highTrigger = .4, .95 // of the room between fixed part and peak
	mostTail                = .5      // of the room below the lowest trigger
	fewest                  = 4       // usual values that are enough for an axis
	fitted                  = 8       // values of an axis that is made for a history
)

// FirstAxes are the axes that a sweep of a history begins with. Their values are
// those usual for the parameters, as far as the history reaches them. Where no
// setting could make it fire, the axes are the usual ones.
func FirstAxes(ctx context.Context, h *compaction.History, p model.Policy) (x, y Axis) {
	if p.Sliding() {
		return AxisAround(h, AxisTail, model.Steps, p), AxisAround(h, "batch", model.Steps, p)
	}
	unit := model.Percent
	if _, u, one := AxisTrigger.Row().Number(&p); one {
		unit = u
	}
	if unit == model.Percent && p.Window == 0 {
		unit = model.Tokens
	}
	x = AxisAround(h, AxisTrigger, unit, p)
	y = AxisAround(h, AxisTail, "", p)
	if y.Unit == model.Percent && (len(y.Values) < fewest || slices.Max(y.Values) > longestTail(h, y.Unit, p)) {
		y = AxisAround(h, AxisTail, model.Tokens, p) // a whole percent is too much
	}
	// A range can still be too little to be worth a summary where a few messages
	// are most of the history.
	for range 4 {
		highest, longest := slices.Max(x.Values), slices.Max(y.Values)
		if fires(ctx, h, y.Set(x.Set(p, highest), longest)) || ctx.Err() != nil {
			break
		}
		if fires(ctx, h, y.Set(x.Set(p, highest), slices.Min(y.Values))) && len(y.Values) > 2 {
			y.Values = slices.DeleteFunc(y.Values, func(v float64) bool { return v == longest })
			continue
		}
		if len(x.Values) > 2 {
			x.Values = slices.DeleteFunc(x.Values, func(v float64) bool { return v == highest })
		}
	}
	return x, y
}

func fires(ctx context.Context, h *compaction.History, p model.Policy) bool {
	tl, err := Run(ctx, h, p, Options{})
	return err == nil && tl.Totals.Firings > 0
}

// AxisAround is an axis of a parameter in a unit, "" the one that the policy has.
// Trigger and tail take values that the history reaches; others, values around
// the one that is set. A value that is set is among them if the history reaches it.
func AxisAround(h *compaction.History, param Param, u model.Unit, p model.Policy) Axis {
	a := Axis{Param: param, Unit: u}
	if param.Categories() {
		a, _ = categoryAxis(param)
		return a
	}
	if a = a.In(p); a.Unit == "" {
		a.Unit = model.Tokens
	}
	now, set := a.At(p)
	set = set && now > 0
	switch usual := param.Row().Usual[a.Unit]; {
	case usual != nil:
		a.Values = slices.Clone(usual)
	case set:
		a.Values = around(now)
	case a.Unit == model.Tokens:
		a.Values = around(40e3)
	default:
		a.Values = around(10)
	}
	if set && !slices.Contains(a.Values, now) {
		a.Values = append(a.Values, now)
		slices.Sort(a.Values)
	}
	switch {
	case param == AxisTrigger, param == AxisTail && p.Sliding():
		low, high := triggerRange(h, a.Unit, p)
		return a.within(low, high)
	case param == AxisTail:
		most := longestTail(h, a.Unit, p)
		return a.within(most/8, most)
	}
	return a
}

// within drops the values outside a range; if few are left, or they fill little of
// it, others take their place.
func (a Axis) within(low, high float64) Axis {
	if high <= 0 || low >= high {
		return a
	}
	floor := low
	if a.Param == AxisTail {
		floor = 0 // a shorter tail fires as well
	}
	left := slices.DeleteFunc(slices.Clone(a.Values), func(v float64) bool { return v < floor || v > high })
	if len(left) >= fewest && left[len(left)-1] >= high*.6 {
		a.Values = left
		return a
	}
	if made := a.between(low, high, fitted); len(made) > 0 {
		a.Values = made
	}
	return a
}

// between are at most n values of a range that read well.
func (a Axis) between(low, high float64, n int) []float64 {
	made := make([]float64, n)
	for i := range made {
		made[i] = neat(low+(high-low)*float64(i)/float64(n-1), high-low, a.Unit)
	}
	whole := a.Param == AxisTail || a.Unit != model.Percent // see AxisOf
	made = slices.DeleteFunc(made, func(v float64) bool { return v > high || v <= 0 || whole && v != math.Round(v) })
	return slices.Compact(made)
}

// neat rounds a value down to one that reads well within a range of that size.
func neat(v, size float64, u model.Unit) float64 {
	step := 1.0
	switch {
	case u == model.Percent && size < fitted:
		step = .1
	case u == model.Tokens:
		for _, s := range []float64{1000, 100, 10} {
			if size >= fitted*s {
				step = s
				break
			}
		}
	}
	return math.Round(math.Floor(v/step+1e-9)*step*100) / 100
}

// peak is what the clause of a unit measures before the last call, if nothing was
// compacted: the most it measures at any call.
func peak(h *compaction.History, u model.Unit, p *model.Policy) float64 {
	calls := h.Calls()
	if len(calls) == 0 {
		return 0
	}
	switch at := int(calls[len(calls)-1]); u {
	case model.Tokens, model.Percent:
		return float64(h.Before(at) + h.Fixed(p))
	case model.Steps:
		return float64(h.Steps(at))
	case model.Turns:
		return float64(h.Turns(at))
	default:
		return float64(at) // of groups an upper bound
	}
}

// triggerRange is what the lowest and highest trigger of a first axis may be, in
// the axis' unit.
func triggerRange(h *compaction.History, u model.Unit, p model.Policy) (low, high float64) {
	most := peak(h, u, &p)
	if u != model.Tokens && u != model.Percent {
		return max(1, math.Floor(most*lowTrigger/2)), math.Floor(most * highTrigger)
	}
	fixed := float64(h.Fixed(&p))
	if p.Window > 0 {
		most = min(most, float64(p.Window))
	}
	low, high = fixed+(most-fixed)*lowTrigger, fixed+(most-fixed)*highTrigger
	if room := float64(p.Window - p.Reserve); p.Window > 0 {
		high = min(high, room)
	}
	if u == model.Percent {
		if p.Window <= 0 {
			return 0, 0
		}
		low, high = 100*low/float64(p.Window), 100*high/float64(p.Window)
	}
	return low, high
}

// longestTail is the longest tail of a first axis, in its unit; 0: not known.
func longestTail(h *compaction.History, u model.Unit, p model.Policy) float64 {
	if u != model.Tokens && u != model.Percent {
		return math.Floor(peak(h, u, &p) * lowTrigger * mostTail)
	}
	low, _ := triggerRange(h, model.Tokens, p)
	most := (low - float64(h.Fixed(&p))) * mostTail
	if u == model.Percent {
		if p.Window <= 0 {
			return 0
		}
		return 100 * most / float64(p.Window)
	}
	return most
}

// around is whole values below and above one.
func around(n float64) []float64 {
	var out []float64
	for _, f := range []float64{.25, .5, .75, 1, 1.5, 2, 3} {
		if v := math.Max(1, math.Round(n*f)); !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}
