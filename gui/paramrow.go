package gui

import (
	"errors"

	"fyne.io/fyne/v2"

	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// number describes a parameter that is a number, with or without a choice of
// units.
type number struct {
	label string
	get   func(q *model.Policy) model.Amount
	set   func(q *model.Policy, a model.Amount)
	units []model.Unit // to choose from; none: a plain number
	// most is the right end of the slider; nil: there is no slider.
	most func(q *model.Policy, u model.Unit) int
	// shown is what the field shows; nil: number and unit.
	shown func(a model.Amount) string
	// caption says what the value does here; nil or "": nothing.
	caption func(q *model.Policy) string
	check   func(q *model.Policy) *problem
	enabled func(q *model.Policy) bool
	// convert carries a value over to another unit.
	convert func(q *model.Policy, a model.Amount, to model.Unit) model.Amount
	// left stands in the place of the slider.
	left fyne.CanvasObject
	// more are further lines of the menu of units.
	more func() []kit.MenuItem
}

// The columns of a row, in units of the design.
const (
	labelWidth = 118
	fieldWidth = 86
)

// paramRow is one parameter: its name, a slider and a field that show the same
// number, a sign that sets it back, and below what the number does here.
type paramRow struct {
	p    *paramPane
	spec number
	obj  *fyne.Container

	slider  *kit.Slider
	field   *kit.NumberField
	reset   *kit.IconButton
	unit    *kit.Link
	caption *kit.Text
	under   *fyne.Container
	wrong   *problemBox

	dragging bool
	scale    [2]int
}

func newParamRow(p *paramPane, spec number) *paramRow {
	r := &paramRow{p: p, spec: spec}
	if r.spec.shown == nil {
		r.spec.shown = fieldWords
	}
	r.field = kit.NewNumberField("", r.typed)
	r.field.Parse = parseField
	r.field.OnStep = r.step
	r.field.OnError = func(err error) { r.wrongValue(err) }
	r.reset = kit.NewReset(words.T("do.default"), func() { p.d.Set(func(q *model.Policy) { r.toDefault(q) }) })
	middle := spec.left
	if spec.most != nil {
		r.slider = kit.NewSlider(0, 1, 1, 0)
		r.slider.OnChanged = r.dragged
		r.slider.OnChangeEnded = func(float64) { r.dragging = false; p.d.Commit() }
		middle = r.slider
	}
	if middle == nil {
		middle = kit.Column(0)
	}
	label := fyne.CanvasObject(kit.Label(spec.label).Fit())
	line := kit.Row(6, kit.Sized(labelWidth, 24, label), kit.Stretch(middle), kit.Sized(fieldWidth, 24, r.field), r.reset)
	r.caption = kit.Caption("")
	r.unit = kit.NewMenuLink("", r.unitMenu)
	r.under = kit.Row(6, kit.Sized(labelWidth, 16, kit.Row(0, r.unit, kit.Spring())), kit.Stretch(r.caption))
	r.wrong = newProblemBox(p)
	r.obj = kit.Column(1, line, r.under, r.wrong.obj)
	return r
}

// show takes over the parameters.
func (r *paramRow) show(q *model.Policy) {
	a := r.spec.get(q)
	on := r.spec.enabled == nil || r.spec.enabled(q)
	if r.slider != nil {
		r.setScale(max(r.spec.most(q, a.Unit), 1), a)
		r.slider.SetValue(float64(a.N))
		r.slider.SetEnabled(on)
	}
	r.field.Set(r.spec.shown(a))
	r.field.SetEnabled(on)
	def := r.p.d.Defaults()
	r.reset.SetEnabled(on && r.spec.get(&def) != a)
	caption := ""
	if r.spec.caption != nil {
		caption = r.spec.caption(q)
	}
	r.caption.SetText(caption)
	menu := len(r.spec.units) > 1 || r.spec.more != nil
	if menu {
		r.unit.SetText(unitChoice(a.Unit))
		r.unit.SetEnabled(on)
	}
	setVisible(r.unit, menu)
	setVisible(r.under, menu || caption != "")
	if r.field.Err() == nil {
		r.wrong.set(r.standing(q))
	}
}

// standing is what is wrong with the value as it stands.
func (r *paramRow) standing(q *model.Policy) *problem {
	if r.spec.check == nil {
		return nil
	}
	return r.spec.check(q)
}

// setScale keeps the slider's ends while it is dragged.
func (r *paramRow) setScale(most int, a model.Amount) {
	if r.dragging {
		return
	}
	most = max(most, a.N)
	step := 1
	if a.Unit == model.Tokens || a.Unit == model.Chars {
		step = max(1, most/200/50*50)
	}
	if r.scale != [2]int{most, step} {
		r.scale = [2]int{most, step}
		r.slider.SetRange(0, float64(most), float64(step))
	}
}

// apply sets a value and, where that would break the order of the values, the
// nearest one that does not.
func (r *paramRow) apply(q *model.Policy, a model.Amount) {
	r.spec.set(q, a)
	if pr := r.standing(q); pr != nil {
		pr.fix(q)
	}
}

func (r *paramRow) dragged(v float64) {
	r.dragging = true
	r.p.d.Adjust(func(q *model.Policy) { r.apply(q, model.Amount{N: int(v), Unit: r.spec.get(q).Unit}) })
	q := r.p.d.Params()
	r.show(&q)
}

func (r *paramRow) step(n int) {
	r.p.d.Set(func(q *model.Policy) {
		a := r.spec.get(q)
		by := 1
		if a.Unit == model.Tokens || a.Unit == model.Chars {
			by = 1000
			if a.N < 10000 {
				by = 100
			}
		}
		a.N = max(0, a.N+n*by)
		r.apply(q, a)
	})
}

// typed takes over a typed number, unless it breaks the order of the values.
func (r *paramRow) typed(n kit.Number) error {
	q := r.p.d.Params()
	a, err := amountOf(n, r.spec.get(&q).Unit, r.spec.units, q.Window)
	if err != nil {
		return err
	}
	r.spec.set(&q, a)
	if pr := r.standing(&q); pr != nil {
		return pr
	}
	r.p.d.Set(func(q *model.Policy) { r.spec.set(q, a) })
	r.field.Set(r.spec.shown(a))
	return nil
}

// wrongValue shows why what was typed is not taken.
func (r *paramRow) wrongValue(err error) {
	var pr *problem
	if err != nil && !errors.As(err, &pr) {
		pr = &problem{text: err.Error()}
	}
	if err == nil {
		q := r.p.d.Params()
		pr = r.standing(&q)
	}
	r.wrong.set(pr)
	r.p.relayout()
}

func (r *paramRow) toDefault(q *model.Policy) {
	def := r.p.d.Defaults()
	r.spec.set(q, r.spec.get(&def))
}

// unitMenu offers the units.
func (r *paramRow) unitMenu() {
	q := r.p.d.Params()
	a := r.spec.get(&q)
	var items []kit.MenuItem
	for _, u := range r.spec.units {
		items = append(items, kit.MenuItem{Text: unitChoice(u), Checked: u == a.Unit, Run: func() { r.toUnit(u) }})
	}
	if r.spec.more != nil {
		items = append(append(items, kit.Rule), r.spec.more()...)
	}
	showMenuUnder(r.p.w, r.unit, items)
}

func (r *paramRow) toUnit(u model.Unit) {
	r.p.d.Set(func(q *model.Policy) {
		a := r.spec.get(q)
		if a.Unit == u {
			return
		}
		r.apply(q, r.spec.convert(q, a, u))
	})
}

func setVisible(o fyne.CanvasObject, on bool) {
	switch {
	case on && !o.Visible():
		o.Show()
	case !on && o.Visible():
		o.Hide()
	}
}

// showMenuUnder opens a menu below an object.
func showMenuUnder(w fyne.Window, o fyne.CanvasObject, items []kit.MenuItem) {
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(o)
	kit.ShowMenu(w.Canvas(), items, at.AddXY(0, o.Size().Height+2), o.Size().Width)
}

// problemBox is a sentence about an illegal value, and a link that sets the
// nearest legal one.
type problemBox struct {
	obj  *fyne.Container
	text *kit.Paragraph
	use  *kit.Link
	pr   *problem
}

func newProblemBox(p *paramPane) *problemBox {
	b := &problemBox{text: kit.NewParagraph("", kit.ColorError, 11, 4)}
	b.use = kit.NewLink("", func() {
		if b.pr != nil && b.pr.fix != nil {
			p.d.Set(b.pr.fix)
		}
	})
	b.obj = kit.Flow(0, b.text, kit.Row(0, b.use, kit.Spring()))
	b.obj.Hide()
	return b
}

func (b *problemBox) set(pr *problem) {
	b.pr = pr
	if pr == nil {
		setVisible(b.obj, false)
		return
	}
	b.text.Set(pr.text, kit.ColorError)
	b.use.SetText(words.T("check.use", "value", pr.label))
	setVisible(b.use, pr.fix != nil)
	setVisible(b.obj, true)
}
