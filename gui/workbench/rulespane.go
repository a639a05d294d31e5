package workbench

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// rulesPane reports which rule would fire next: that of the parameters and those
// of the presets, each with its measure and its distance. Its head names the
// first and opens the list as a menu; below are as many rows as there is room
// for.
type rulesPane struct {
	p   *ParamPane
	obj *fyne.Container

	head  *fyne.Container
	First *kit.Link
	list  *fyne.Container
	Rows  []*RuleRow
	Shown int // rows with something to show
}

// The heights of the pane's head and rows, in units of the design.
const (
	rulesHead = 30
	rulesRow  = 22
	rulesFoot = 8
	useWidth  = 26
)

func newRulesPane(p *ParamPane) *rulesPane {
	r := &rulesPane{p: p}
	r.First = kit.NewMenuLink("", r.menu)
	r.head = kit.Row(8, kit.Stretch(kit.Label(words.T("rules.title")).Bold().Fit()), r.First)
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
	for i, row := range r.Rows {
		y := float32(i) * pitch
		show.SetVisible(row.Obj, i < r.Shown && y+pitch <= height)
		row.Obj.Move(fyne.NewPos(0, y))
		row.Obj.Resize(fyne.NewSize(width, pitch))
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
		title = words.T("rules.first", "rule", show.RuleName(first, next[first]), "when", show.WhenShort(next[first]))
	}
	if len(next) == 0 {
		title = ""
	}
	if title != r.First.Text() {
		r.First.SetText(title)
		r.head.Refresh()
	}
	show.SetVisible(r.First, len(next) > 0)
	for len(r.Rows) < len(order) {
		row := newRuleRow()
		r.Rows = append(r.Rows, row)
		r.list.Add(row.Obj)
	}
	for k, i := range order {
		r.Rows[k].show(r, i, next[i], i == first)
	}
	if r.Shown != len(order) {
		r.Shown = len(order)
		r.obj.Refresh()
	}
}

// use takes over a preset, and says so beside the way back: all parameters change.
func (r *rulesPane) use(id, name string) {
	if x, ok := compaction.PresetByID(id); ok {
		r.p.d.UsePreset(x.Policy)
		r.p.c.Toast(words.T("rules.used", "preset", name), words.T("do.undo"), r.p.d.Undo)
	}
}

// menu lists all rules, for windows without room for the rows.
func (r *rulesPane) menu() {
	next := r.p.d.Next()
	var items []kit.MenuItem
	for _, i := range r.order() {
		rule := next[i]
		items = append(items, kit.MenuItem{
			Text:     show.RuleName(i, rule) + " · " + show.ClauseShort(r.p.d, rule),
			Shortcut: show.WhenShort(rule), Checked: i == 0, Disabled: i == 0,
			Run: func() { r.use(rule.Preset, show.RuleName(i, rule)) },
		})
	}
	ShowMenuUnder(r.p.w, r.First, items)
}

// RuleRow is one rule: what it is called, what it measures, how far it is, and a
// link that takes its preset over. A click on the row itself changes nothing.
type RuleRow struct {
	Obj                *kit.PressRow
	line, use          *fyne.Container
	sign               *kit.Sign
	Name, Clause, When *kit.Text
	Use                *kit.Link
}

func newRuleRow() *RuleRow {
	w := &RuleRow{
		sign: kit.NewSign(kit.GlyphDot, kit.ColorAccent, 10), Name: kit.NewText("", kit.ColorText, 12).Fit(),
		Clause: kit.NewText("", kit.ColorMuted, 12).Fit(), When: kit.NewText("", kit.ColorMuted, 12).Right(),
		Use: kit.NewLink(words.T("rules.use"), nil).WithTip("rules.use.tip"),
	}
	w.use = kit.Pad(0, 0, 0, 6, kit.Sized(useWidth, 16, w.Use))
	w.line = kit.Row(0, kit.Sized(10, 0, w.sign), kit.Sized(labelWidth+6, 0, w.Name), kit.Stretch(w.Clause),
		kit.Pad(0, 0, 0, 6, w.When), w.use)
	line := w.line
	w.Obj = kit.NewPressRow(rulesRow, kit.Pad(0, 12, 0, 2, line), nil)
	w.Obj.SetEnabled(false)
	return w
}

// show fills the row with rule i.
func (w *RuleRow) show(r *rulesPane, i int, rule compaction.Rule, first bool) {
	w.Name.SetText(show.RuleName(i, rule))
	w.Clause.SetText(show.ClauseShort(r.p.d, rule))
	w.When.SetText(show.WhenShort(rule))
	ink := kit.ColorMuted
	if rule.Messages() == 0 && rule.Plan.Outcome == compaction.WouldApply {
		ink = kit.ColorText
	}
	w.When.SetColor(ink)
	show.SetVisible(w.sign, first)
	w.Obj.SetTip(show.RuleTip(r.p.d, rule))
	show.SetVisible(w.Use, i > 0) // the parameters as they are set are in use
	show.SetVisible(w.use, i > 0)
	w.line.Refresh() // the last columns are as wide as their words
	w.Use.OnTapped = func() { r.use(rule.Preset, show.RuleName(i, rule)) }
}
