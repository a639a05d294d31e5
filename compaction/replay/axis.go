package replay

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"palimpsest/model"
)

// Param is the key of a parameter that an axis of a sweep may move; see
// [model.Params].
type Param string

// The parameters that are named apart from the others.
const (
	AxisTrigger Param = "trigger" // the trigger, this one clause alone
	AxisTail    Param = "tail"    // recent tail
	AxisWindow  Param = "window"  // context window
	AxisPreset  Param = "preset"  // all parameters at once; see [PresetAxis]
)

// presetRow is shown in the table's place for an axis of presets.
var presetRow = &model.Param{Key: string(AxisPreset), Word: "parameter.preset", Axis: true}

// Params lists the parameters there are, presets the last.
func Params() (out []Param) {
	for _, x := range model.Params() {
		if x.Axis {
			out = append(out, Param(x.Key))
		}
	}
	return append(out, AxisPreset)
}

// Categories reports whether the parameter takes words and not numbers.
func (p Param) Categories() bool {
	x := p.Row()
	return x != nil && len(x.Units) == 0
}

// Row is the parameter's row of the table; nil: it can't be moved.
func (p Param) Row() *model.Param {
	if p == AxisPreset {
		return presetRow
	}
	if x := model.ParamOf(string(p)); x != nil && x.Axis {
		return x
	}
	return nil
}

// Axis is a parameter with the values it takes.
type Axis struct {
	Param  Param      `json:"param"`
	Unit   model.Unit `json:"unit"` // "": that of the policy; "%": of the context window
	Values []float64  `json:"values"`
	Names  []string   `json:"names,omitempty"` // of categories; then the values are indices into it

	presets []model.Policy // by name
	plain   bool           // its numbers came without a unit: see [ReadAxis]
}

// categoryAxis is an axis of words that a parameter may be; of none, all of them
// that are made without a model.
func categoryAxis(p Param, names ...string) (Axis, error) {
	x := p.Row()
	if x == nil || len(x.Choices) == 0 {
		return Axis{Param: p}, fmt.Errorf("%s takes no words", p)
	}
	if len(names) == 0 {
		for _, c := range x.Choices {
			if !model.Strategy(c).Asks() {
				names = append(names, c)
			}
		}
	}
	names = slices.Clone(names)
	for i, n := range names {
		if names[i] = x.Today(n); !slices.Contains(x.Choices, names[i]) {
			return Axis{Param: p}, fmt.Errorf("%s can't be %q; it is one of %s", p, n, strings.Join(x.Choices, ", "))
		}
	}
	return Axis{Param: p}.named(names), nil
}

// PresetAxis is an axis of presets. A history keeps its context window, fixed part
// and pins.
func PresetAxis(names []string, presets []model.Policy) Axis {
	a := Axis{Param: AxisPreset, presets: presets}
	return a.named(names)
}

func (a Axis) named(names []string) Axis {
	a.Names, a.Values = names, make([]float64, len(names))
	for i := range names {
		a.Values[i] = float64(i)
	}
	return a
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
// parameter's usual one or, where each policy has its own, that of the policy.
func AxisOf(p Param, u model.Unit, values []float64) (Axis, error) {
	a, x := Axis{Param: p, Unit: u}, p.Row()
	switch {
	case x == nil:
		return a, fmt.Errorf("%q is no parameter of a sweep; there are %s", p, strings.Trim(fmt.Sprint(Params()), "[]"))
	case p.Categories():
		return a, fmt.Errorf("%s takes words and no numbers", p)
	}
	_, own := x.Value(new(model.Policy)).(*model.Amount)
	if u == "" && !own {
		a.Unit = x.Units[0]
	} else if u != "" && !slices.Contains(x.Units, u) {
		return a, fmt.Errorf("%s can't be in %s", p, u)
	}
	if len(values) < 1 || len(values) > MostValues {
		return a, fmt.Errorf("an axis has 1 to %d values, not %d", MostValues, len(values))
	}
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 || v > 1<<40 {
			return a, fmt.Errorf("%s can't be %g", p, v)
		}
		if a.Unit == model.Percent && !own { // an amount is a whole number of percent
			v = math.Round(v*100) / 100
		} else {
			v = math.Round(v)
		}
		if a.Unit == model.Percent && (v == 0 || v > 100) {
			return a, fmt.Errorf("%s can't be %g %%; a share is above 0 %% and at most 100 %%", p, v)
		}
		if !slices.Contains(a.Values, v) {
			a.Values = append(a.Values, v)
		}
	}
	return a, nil
}

// usualValues is how many values a range has when it does not say.
const usualValues = 7

// ReadAxis reads the values of an axis as a person writes them: a range with the
// number of values ("60..92/9"), or a list ("8ktok,12ktok,20ktok"). Values may carry a
// unit, the same for all; where none does it is u. Plain numbers without any unit mean
// what they do elsewhere ([model.Param.Plainly]), once the policy is known ([Axis.In]);
// of a trigger that is no count they are percent up to 100, and tokens above.
func ReadAxis(p Param, u model.Unit, text string) (Axis, error) {
	n := usualValues
	text = strings.ReplaceAll(text, " ", "")
	if names := strings.FieldsFunc(text, func(r rune) bool { return r == ',' }); p == AxisPreset {
		return Axis{Param: p}.named(names), nil // whoever knows presets puts them in
	} else if p.Categories() {
		return categoryAxis(p, names...)
	}
	if span, count, ok := strings.Cut(text, "/"); ok {
		var err error
		if n, err = strconv.Atoi(count); err != nil {
			return Axis{}, fmt.Errorf("%q is no number of values", count)
		}
		text = span
	}
	from, to, isRange := strings.Cut(text, "..")
	parts := []string{from, to}
	if !isRange {
		parts = strings.Split(text, ",")
	}
	values := make([]float64, len(parts))
	for i, part := range parts {
		v, unit, err := readValue(part)
		switch {
		case err != nil:
			return Axis{}, err
		case unit != "" && u != "" && unit != u:
			return Axis{}, fmt.Errorf("an axis has one unit, not %s and %s", u, unit)
		case unit != "":
			u = unit
		}
		values[i] = v
	}
	plain := u == ""
	switch most, x := slices.Max(values), p.Row(); {
	case !plain || x == nil:
	case p != AxisTrigger:
		var err error
		if u, err = x.Plainly(new(model.Policy), int(most)); err != nil {
			return Axis{}, fmt.Errorf("%s %w", x.Name(), err)
		}
	case most > 100:
		u = model.Tokens
	}
	var a Axis
	var err error
	if isRange {
		a, err = NewAxis(p, u, values[0], values[1], n)
	} else {
		a, err = AxisOf(p, u, values)
	}
	a.plain = plain
	return a, err
}

func readValue(text string) (float64, model.Unit, error) {
	number, share := strings.CutSuffix(text, "%")
	switch v, err := strconv.ParseFloat(number, 64); {
	case err == nil && share:
		return v, model.Percent, nil
	case err == nil:
		return v, "", nil
	case share:
		return 0, "", fmt.Errorf("%q is no share", text)
	}
	a, err := model.ParseAmount(text)
	return float64(a.N), a.Unit, err
}

// In is the axis with the unit that the policy has, where the axis has none, or plain
// numbers and the policy counts along the history. More than a hundred are tokens and no
// percent.
func (a Axis) In(p model.Policy) Axis {
	x := a.Param.Row()
	if x == nil || a.Param.Categories() {
		return a
	}
	_, now, ok := x.Number(&p)
	if a.plain && ok && now != model.Percent && now != model.Tokens && !model.UnclearIn(int(slices.Max(a.Values)), now, x.Units) {
		a.Unit, a.Values = now, slices.Clone(a.Values)
		for i, v := range a.Values { // which may have been percent
			a.Values[i] = math.Round(v)
		}
		a.Values = slices.Compact(a.Values)
	}
	if a.Unit == "" {
		a.Unit = now
		if a.Unit == model.Percent && slices.ContainsFunc(a.Values, func(v float64) bool { return v > 100 }) {
			a.Unit = model.Tokens
		}
	}
	return a
}

// Set is the policy with the parameter at a value.
func (a Axis) Set(p model.Policy, v float64) model.Policy {
	x := a.Param.Row()
	switch {
	case a.Param == AxisPreset:
		q := a.presets[int(v)]
		for _, row := range model.Params() {
			if row.Own {
				row.Copy(&q, &p)
			}
		}
		return q
	case a.Param.Categories():
		*x.Value(&p).(*string) = a.Names[int(v)]
		return p
	}
	x.SetNumber(&p, v, a.Unit)
	if on := x.Switch(&p); on != nil {
		*on = true
	}
	return p
}

// At is the value that a policy has on the axis; false when its parameter is set
// in another unit, or not at all.
func (a Axis) At(p model.Policy) (float64, bool) {
	x := a.Param.Row()
	switch {
	case a.Param == AxisPreset:
		i := slices.Index(a.Names, p.Preset)
		return float64(i), i >= 0
	case a.Param.Categories():
		i := slices.Index(a.Names, *x.Value(&p).(*string))
		return float64(i), i >= 0
	}
	v, u, ok := x.Number(&p)
	return v, ok && !x.SwitchedOff(&p) && (a.Unit == "" || a.Unit == u)
}

// Axes are the two parameters of a sweep. The first changes quickest from cell to cell.
type Axes [2]Axis

// mostCells bounds a grid.
const mostCells = 100_000

// Check says why the axes can't be swept; nil when they can.
func (a Axes) Check() error {
	if a[0].Param == a[1].Param {
		return fmt.Errorf("two axes are %s", a[0].Param)
	}
	for _, x := range a {
		if x.Param == AxisPreset && len(x.presets) != len(x.Names) {
			return fmt.Errorf("the presets of an axis are not known")
		}
	}
	if n := a.Cells(); n < 1 || n > mostCells {
		return fmt.Errorf("a sweep has 1 to %d cells, not %d", mostCells, n)
	}
	return nil
}

// Cells is how many cells there are.
func (a Axes) Cells() int { return len(a[0].Values) * len(a[1].Values) }

// Place is a cell's index into the values of each axis.
func (a Axes) Place(cell int) [2]int {
	n := len(a[0].Values)
	return [2]int{cell % n, cell / n}
}

// Set is the policy of a cell. A preset is set before what the other axes change in it.
func (a Axes) Set(p model.Policy, cell int) model.Policy {
	at := a.Place(cell)
	for _, first := range []bool{true, false} {
		for i, x := range a {
			if first == (x.Param == AxisPreset) {
				p = x.Set(p, x.Values[at[i]])
			}
		}
	}
	return p
}
