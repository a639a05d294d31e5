package study

import (
	"cmp"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/replay"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// axisPicker chooses a parameter, its unit, and the values it is to take.
type axisPicker struct {
	obj     fyne.CanvasObject
	d       *desk.Desk
	changed func()

	param *kit.Select
	Unit  *kit.Select
	unit  fyne.CanvasObject
	field *fyne.Container // around Field
	Field *kit.TextField
	Count *kit.Text

	params []replay.Param
	Units  []model.Unit
	Axis   replay.Axis
	Err    error
}

func newAxisPicker(d *desk.Desk, name string, changed func()) *axisPicker {
	p := &axisPicker{d: d, changed: changed, params: replay.Params()}
	names := make([]string, len(p.params))
	for i, x := range p.params {
		names[i] = axisName(x)
	}
	p.param = kit.NewSelect(names, 0, func(i int) { p.Choose(p.params[i]) })
	p.Unit = kit.NewSelect([]string{""}, 0, func(i int) {
		p.set(d.AxisAround(p.Axis.Param, p.Units[i]))
		p.changed()
	})
	p.Field = kit.NewTextField(words.T("sweep.values.hint"), func(string) { p.Read() }).Plain()
	p.Field.SetTip(words.T("sweep.values.tip"))
	p.Count = kit.NewText("", kit.ColorMuted, 12).Fit()
	p.unit, p.field = kit.Sized(58, 24, p.Unit), kit.Row(0)
	p.obj = kit.Row(6, kit.NewText(name, kit.ColorMuted, 13), kit.Sized(132, 24, p.param), p.unit, p.field,
		kit.Sized(56, 0, kit.Means(p.Count, "sweep.values.means")))
	p.show()
	return p
}

// axisName is a parameter as an axis names it.
func axisName(p replay.Param) string { x := p.Row(); return words.T(cmp.Or(x.AxisWord, x.Word)) }

// Choose takes another parameter, with values around the present one.
func (p *axisPicker) Choose(x replay.Param) {
	if x.Categories() {
		p.set(p.d.AxisAround(x, ""))
		p.changed()
		return
	}
	a, err := replay.AxisOf(x, "", []float64{1})
	if p.Err = err; err != nil {
		return
	}
	p.set(p.d.AxisAround(x, a.In(p.d.Planning.Params()).Unit))
	p.changed()
}

// list offers the units of the parameter.
func (p *axisPicker) list() {
	if p.Axis.Param == "" || p.Axis.Param.Categories() {
		p.Units = nil
		return
	}
	p.Units = p.Axis.Param.Row().Units
	if !slices.Contains(p.Units, p.Axis.Unit) {
		p.Axis.Unit = p.Units[0]
	}
	names := make([]string, len(p.Units))
	for i, u := range p.Units {
		if names[i] = show.UnitWord(u); u == model.Percent {
			names[i] = "%"
		}
	}
	p.Unit.SetNames(names, slices.Index(p.Units, p.Axis.Unit))
	p.Unit.SetEnabled(len(p.Units) > 1)
}

// set shows an axis.
func (p *axisPicker) set(a replay.Axis) {
	p.Axis, p.Err = a, nil
	p.param.Select(slices.Index(p.params, a.Param))
	p.list()
	p.Field.ShowText(desk.AxisText(a))
	p.show()
}

// Read takes over what is in the field.
func (p *axisPicker) Read() {
	a, err := p.d.ReadAxis(p.Axis.Param, p.Axis.Unit, p.Field.Text())
	if p.Err = err; err == nil {
		p.Axis = a
	}
	p.show()
	p.changed()
}

// How wide the field of values is: words are longer than numbers, and have no unit.
const numbersWidth, namesWidth = 112, 250

func (p *axisPicker) show() {
	wide := float32(numbersWidth)
	if p.Axis.Param.Categories() {
		wide = namesWidth
	}
	p.field.Objects = []fyne.CanvasObject{kit.Sized(wide, 24, p.Field)}
	show.SetVisible(p.unit, len(p.Units) > 0)
	p.obj.Refresh()
	p.Field.SetBad(p.Err != nil)
	text, ink := words.T("sweep.values", "count", len(p.Axis.Values)), kit.ColorMuted
	if p.Err != nil {
		text, ink = words.T("sweep.values.bad"), kit.ColorError
	}
	p.Count.SetText(text)
	p.Count.SetColor(ink)
}

// valueWords is a value of an axis with its unit.
func valueWords(a replay.Axis, at int) string {
	v := a.Values[at]
	switch {
	case a.Param == replay.AxisPreset:
		return show.PresetName(a.Names[at])
	case a.Param.Categories():
		return show.BriefValue(string(a.Param), a.Names[at])
	}
	switch a.Unit {
	case model.Percent:
		digits := 1
		if v == float64(int64(v)) {
			digits = 0
		}
		return words.Percents(words.Decimal(v, digits) + " %")
	case model.Tokens:
		return words.TokensShort(int64(v))
	}
	return show.CountedWords(int64(v), a.Unit)
}

// axisWords names an axis with its unit.
func axisWords(a replay.Axis) string {
	switch a.Unit {
	case model.Percent:
		return words.T("axis.percent", "axis", axisName(a.Param))
	case model.Tokens:
		return words.T("axis.tokens", "axis", axisName(a.Param))
	}
	return axisName(a.Param)
}

// tickWords are the values of an axis as labels.
func tickWords(a replay.Axis) []string {
	out := make([]string, len(a.Values))
	for i, v := range a.Values {
		if out[i] = words.TokensShort(int64(v)); a.Unit == model.Percent || a.Param.Categories() {
			out[i] = strings.ReplaceAll(valueWords(a, i), " %", "%")
		}
	}
	return out
}
