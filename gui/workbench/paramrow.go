package workbench

import (
	"errors"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// number describes a parameter that is a number, with or without a choice of
// units.
type number struct {
	key   string // of the parameter
	Label string
	get   func(q *model.Policy) model.Amount
	set   func(q *model.Policy, a model.Amount)
	units []model.Unit // to choose from; none: a plain number
	// most is the right end of the slider; nil: there is no slider.
	most func(q *model.Policy, u model.Unit) int
	// shown is what the field shows; nil: number and unit.
	shown func(a model.Amount) string
	// caption says what the value does here; nil or "": nothing.
	caption func(q *model.Policy) string
	// offer is a value that evidence speaks for, in words, and what takes it over; nil,
	// or without words: there is none.
	offer   func(q *model.Policy) (text string, use func(q *model.Policy))
	check   func(q *model.Policy) *show.Problem
	enabled func(q *model.Policy) bool
	help    func() string // what the parameter is for
	// convert carries a value over to another unit.
	convert func(q *model.Policy, a model.Amount, to model.Unit) model.Amount
	// left is in place of the slider, above a row over it.
	left, above fyne.CanvasObject
	// more are further lines of the menu of units.
	more func() []kit.MenuItem
}

// The columns of a row, in units of the design.
const (
	labelWidth = 108
	limitWidth = 84 // of the name of the model limit, which has more beside it
	fieldWidth = 86
)

// ParamRow is one parameter: its name, a slider and a field that show the same
// number, a sign that sets it back, and below what the number does here.
type ParamRow struct {
	p    *ParamPane
	Spec number
	obj  *fyne.Container
	line *fyne.Container // name, slider, field

	Slider  *kit.Slider
	Field   *kit.NumberField
	Reset   *kit.IconButton
	unit    *kit.Link
	caption *kit.Text
	Offer   *kit.Link
	under   *fyne.Container
	Wrong   *problemBox

	dragging bool
	scale    [2]int
}

func newParamRow(p *ParamPane, spec number) *ParamRow {
	r := &ParamRow{p: p, Spec: spec}
	if r.Spec.shown == nil {
		r.Spec.shown = show.FieldWords
	}
	r.Field = kit.NewNumberField("", r.Typed)
	r.Field.Parse = show.ParseField
	r.Field.OnStep = r.step
	r.Field.OnError = func(err error) { r.wrongValue(err) }
	r.Reset = kit.NewReset(words.T("do.default"), func() { p.d.Planning.Set(func(q *model.Policy) { r.toDefault(q) }) })
	middle := spec.left
	if spec.most != nil {
		r.Slider = kit.NewSlider(0, 1, 1, 0)
		r.Slider.SetTip(spec.Label)
		r.Slider.OnChanged = func(v float64) {
			r.dragging = true
			r.p.d.Planning.Adjust(func(q *model.Policy) { r.apply(q, model.Amount{N: int(v), Unit: r.Spec.get(q).Unit}) })
			q := r.p.d.Planning.Params()
			r.show(&q)
		}
		r.Slider.OnChangeEnded = func(float64) { r.dragging = false; p.d.Planning.Commit() }
		middle = r.Slider
	}
	if middle == nil {
		middle = kit.Column(0)
	}
	label := kit.Hinted(kit.Label(spec.Label).Fit(), spec.help)
	name := float32(labelWidth)
	if spec.above != nil {
		name = limitWidth
	}
	r.line = kit.Row(6, kit.Sized(name, 24, label), kit.Stretch(middle), kit.Sized(fieldWidth, 24, r.Field), r.Reset)
	r.caption = kit.Caption("")
	r.unit = kit.NewMenuLink("", r.unitMenu)
	r.under = kit.Row(6, kit.Sized(labelWidth, 16, kit.Row(0, r.unit, kit.Spring())), kit.Stretch(kit.Hinted(r.caption, spec.help)))
	if spec.offer != nil {
		r.Offer = kit.NewLink("", func() {
			q := p.d.Planning.Params()
			if _, use := r.Spec.offer(&q); use != nil {
				p.d.Planning.Set(use)
			}
		}).WithTip("param.fix.tip")
		r.under.Add(r.Offer)
	}
	r.Wrong = newProblemBox(p)
	r.obj = kit.Column(1, r.line, r.under)
	if spec.above != nil {
		r.obj = kit.Column(4, spec.above, r.obj)
	}
	return r
}

// show takes over the parameters.
func (r *ParamRow) show(q *model.Policy) {
	a := r.Spec.get(q)
	on := r.Spec.enabled == nil || r.Spec.enabled(q)
	if r.Slider != nil {
		r.setScale(max(r.Spec.most(q, a.Unit), 1), a)
		r.Slider.SetValue(float64(a.N))
		r.Slider.SetEnabled(on)
	}
	r.Field.Set(r.Spec.shown(a))
	r.Field.SetEnabled(on)
	def := r.p.d.Planning.Defaults()
	r.Reset.SetEnabled(on && r.Spec.get(&def) != a)
	caption := ""
	if r.Spec.caption != nil {
		caption = r.Spec.caption(q)
	}
	if r.Offer != nil {
		text, use := r.Spec.offer(q)
		r.Offer.SetText(text)
		if show.SetVisible(r.Offer, use != nil); use != nil {
			caption = ""
		}
	}
	r.caption.SetText(caption)
	sliding := a.Unit == model.Steps && q.Sliding() // in another unit it would be no window over steps any more
	menu := len(r.Spec.units) > 1 && !sliding || r.Spec.more != nil
	if menu {
		r.unit.SetText(show.UnitChoice(a.Unit))
		r.unit.SetEnabled(on)
	}
	menu = menu && r.p.All
	show.SetVisible(r.unit, menu)
	offered := r.Offer != nil && r.Offer.Visible()
	show.SetVisible(r.under, menu || offered || !r.p.least && (r.Spec.caption != nil || r.Offer != nil))
	if r.Field.Err() == nil {
		r.Wrong.set(r.standing(q))
	}
}

// standing is what is wrong with the value as it is.
func (r *ParamRow) standing(q *model.Policy) *show.Problem {
	if r.Spec.check == nil {
		return nil
	}
	return r.Spec.check(q)
}

// setScale keeps the slider's ends while it is dragged.
func (r *ParamRow) setScale(most int, a model.Amount) {
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
		r.Slider.SetRange(0, float64(most), float64(step))
	}
}

// apply sets a value and, where that would break the order of the values, the
// nearest one that does not.
func (r *ParamRow) apply(q *model.Policy, a model.Amount) {
	r.Spec.set(q, a)
	if pr := r.standing(q); pr != nil {
		pr.Repair(q)
	}
}

func (r *ParamRow) step(n int) {
	r.p.d.Planning.Set(func(q *model.Policy) {
		a := r.Spec.get(q)
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

// Typed takes over a typed number, unless it breaks the order of the values.
func (r *ParamRow) Typed(n kit.Number) error {
	q := r.p.d.Planning.Params()
	a, err := show.AmountOf(n, r.Spec.get(&q).Unit, r.Spec.units, q.Window)
	if err != nil {
		return err
	}
	r.Spec.set(&q, a)
	if pr := r.standing(&q); pr != nil {
		return pr
	}
	r.p.d.Planning.Set(func(q *model.Policy) { r.Spec.set(q, a) })
	r.Field.Set(r.Spec.shown(a))
	return nil
}

// wrongValue shows why what was typed is not taken.
func (r *ParamRow) wrongValue(err error) {
	var pr *show.Problem
	if err != nil && !errors.As(err, &pr) {
		pr = &show.Problem{Text: err.Error()}
	}
	if err == nil {
		q := r.p.d.Planning.Params()
		pr = r.standing(&q)
	}
	r.Wrong.set(pr)
	r.p.relayout()
}

func (r *ParamRow) toDefault(q *model.Policy) {
	def := r.p.d.Planning.Defaults()
	r.Spec.set(q, r.Spec.get(&def))
}

// unitMenu offers the units.
func (r *ParamRow) unitMenu() {
	q := r.p.d.Planning.Params()
	a := r.Spec.get(&q)
	var items []kit.MenuItem
	for _, u := range r.Spec.units {
		items = append(items, kit.MenuItem{Text: show.UnitChoice(u), Checked: u == a.Unit, Run: func() { r.ToUnit(u) }})
	}
	if r.Spec.more != nil {
		items = append(append(items, kit.Rule), r.Spec.more()...)
	}
	kit.ShowMenuUnder(r.unit, items)
}

func (r *ParamRow) ToUnit(u model.Unit) {
	r.p.d.Planning.Set(func(q *model.Policy) {
		a := r.Spec.get(q)
		if a.Unit == u {
			return
		}
		r.apply(q, r.Spec.convert(q, a, u))
	})
}

// problemBox is a sentence about an illegal value, and a link that sets the
// nearest legal one.
type problemBox struct {
	Obj  *fyne.Container
	text *kit.Paragraph
	Use  *kit.Link
	pr   *show.Problem
}

func newProblemBox(p *ParamPane) *problemBox {
	b := &problemBox{text: kit.NewParagraph("", kit.ColorError, 11, 4)}
	use := func() {
		if b.pr != nil && b.pr.Fix != nil {
			p.d.Planning.Set(b.pr.Fix)
		}
	}
	b.Use = kit.NewLink("", use).WithTip("param.fix.tip")
	whole := kit.NewLink("", use).WithTip("param.fix.tip") // nothing below the box is pressed
	b.Obj = container.NewStack(kit.NewFrame(kit.ColorRaised, kit.ColorError), whole,
		kit.Pad(5, 8, 6, 8, kit.Flow(0, b.text, kit.Row(0, b.Use, kit.Spring()))))
	b.Obj.Hide()
	return b
}

func (b *problemBox) set(pr *show.Problem) {
	b.pr = pr
	if pr == nil {
		show.SetVisible(b.Obj, false)
		return
	}
	b.text.Set(pr.Text, kit.ColorError)
	b.Use.SetText(words.T("check.use", "value", pr.Label))
	show.SetVisible(b.Use, pr.Fix != nil)
	show.SetVisible(b.Obj, true)
}
