package gui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// rulesPane tells which rule would fire next: that of the parameters and those
// of the presets, each with its measure and its distance. Its head names the
// first and opens the list as a menu; below stand as many rows as there is room
// for.
type rulesPane struct {
	p   *paramPane
	obj *fyne.Container

	head  *fyne.Container
	first *kit.Link
	list  *fyne.Container
	rows  []*ruleRow
	shown int // rows with something to show
}

// The heights of the pane's head and rows, in units of the design.
const (
	rulesHead = 30
	rulesRow  = 22
	rulesFoot = 8
)

func newRulesPane(p *paramPane) *rulesPane {
	r := &rulesPane{p: p}
	r.first = kit.NewMenuLink("", r.menu)
	r.head = kit.Row(8, kit.Stretch(kit.Label(words.T("rules.title")).Bold().Fit()), r.first)
	r.list = container.NewWithoutLayout()
	head := kit.Column(0, kit.NewRule(), kit.Sized(0, rulesHead, kit.Pad(0, 12, 0, 12, r.head)))
	r.obj = container.New(&rulesLayout{r}, head, r.list)
	return r
}

// rulesLayout shows the rows that fit below the head.
type rulesLayout struct{ r *rulesPane }

// MinSize is Fyne's.
func (l *rulesLayout) MinSize(objs []fyne.CanvasObject) fyne.Size { return objs[0].MinSize() }

// Layout is Fyne's.
func (l *rulesLayout) Layout(objs []fyne.CanvasObject, s fyne.Size) {
	top := objs[0].MinSize().Height
	objs[0].Move(fyne.NewPos(0, 0))
	objs[0].Resize(fyne.NewSize(s.Width, top))
	objs[1].Move(fyne.NewPos(0, top))
	objs[1].Resize(fyne.NewSize(s.Width, max(0, s.Height-top)))
	l.r.place(s.Width, s.Height-top-kit.Px(rulesFoot))
}

// place lays out the rows that fit and hides the others.
func (r *rulesPane) place(width, height float32) {
	pitch := kit.Px(rulesRow)
	for i, row := range r.rows {
		y := float32(i) * pitch
		setVisible(row.obj, i < r.shown && y+pitch <= height)
		row.obj.Move(fyne.NewPos(0, y))
		row.obj.Resize(fyne.NewSize(width, pitch))
	}
}

// order is the rules in the order they are shown, by index: the parameters', the
// four that the first of their kind used, the rest. A preset that the parameters
// are, unchanged, is not told twice.
func (r *rulesPane) order() []int {
	next := r.p.d.Next()
	var systems, others []int
	for i := 1; i < len(next); i++ {
		switch next[i].Preset {
		case "sliding-adaptive", "sliding-fixed", "message-count", "token-share":
			systems = append(systems, i)
		default:
			others = append(others, i)
		}
	}
	var list []int
	if len(next) > 0 {
		list = append(list, 0)
	}
	modified := r.p.d.Modified()
	for _, i := range append(systems, others...) {
		if next[i].Preset != next[0].Preset || modified {
			list = append(list, i)
		}
	}
	return list
}

func (r *rulesPane) update() {
	next, order := r.p.d.Next(), r.order()
	first := compaction.FiresFirst(next)
	title := words.T("result.none")
	if first >= 0 {
		title = words.T("rules.first", "rule", ruleName(first, next[first]), "when", whenShort(next[first]))
	}
	if len(next) == 0 {
		title = ""
	}
	if title != r.first.Text() {
		r.first.SetText(title)
		r.head.Refresh()
	}
	setVisible(r.first, len(next) > 0)
	for len(r.rows) < len(order) {
		row := newRuleRow()
		r.rows = append(r.rows, row)
		r.list.Add(row.obj)
	}
	for k, i := range order {
		r.rows[k].show(r, i, next[i], i == first)
	}
	if r.shown != len(order) {
		r.shown = len(order)
		r.obj.Refresh()
	}
}

// use takes over a preset; undoable like any change of the parameters.
func (r *rulesPane) use(id string) {
	if x, ok := compaction.PresetByID(id); ok {
		r.p.d.UsePreset(x.Policy)
	}
}

// menu lists all rules, for windows without room for the rows.
func (r *rulesPane) menu() {
	next := r.p.d.Next()
	var items []kit.MenuItem
	for _, i := range r.order() {
		rule := next[i]
		items = append(items, kit.MenuItem{
			Text:     ruleName(i, rule) + " · " + clauseShort(r.p.d, rule),
			Shortcut: whenShort(rule), Checked: i == 0, Disabled: i == 0,
			Run: func() { r.use(rule.Preset) },
		})
	}
	showMenuUnder(r.p.w, r.first, items)
}

// ruleRow is one rule: what it is called, what it measures, how far it is.
type ruleRow struct {
	obj                *kit.PressRow
	sign               *kit.Sign
	name, clause, when *kit.Text
}

func newRuleRow() *ruleRow {
	w := &ruleRow{
		sign: kit.NewSign(kit.GlyphDot, kit.ColorAccent, 10), name: kit.NewText("", kit.ColorText, 12).Fit(),
		clause: kit.NewText("", kit.ColorMuted, 12).Fit(), when: kit.NewText("", kit.ColorMuted, 12).Right().Fit(),
	}
	line := kit.Row(0, kit.Sized(10, 0, w.sign), kit.Sized(labelWidth+6, 0, w.name), kit.Stretch(w.clause), kit.Sized(76, 0, w.when))
	w.obj = kit.NewPressRow(rulesRow, kit.Pad(0, 12, 0, 2, line), nil)
	return w
}

// show fills the row with rule i.
func (w *ruleRow) show(r *rulesPane, i int, rule compaction.Rule, first bool) {
	w.name.SetText(ruleName(i, rule))
	w.clause.SetText(clauseShort(r.p.d, rule))
	w.when.SetText(whenShort(rule))
	ink := kit.ColorMuted
	if rule.Messages() == 0 && rule.Plan.Outcome == compaction.WouldApply {
		ink = kit.ColorText
	}
	w.when.SetColor(ink)
	setVisible(w.sign, first)
	w.obj.SetTip(ruleTip(r.p.d, i, rule))
	w.obj.SetEnabled(i > 0)
	w.obj.OnTapped = func() { r.use(rule.Preset) }
}
