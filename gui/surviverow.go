package gui

import (
	"fyne.io/fyne/v2"

	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// surviveColumns puts the cells of a line of the table beside each other. Those of
// what was needed later take no room where that is unknown.
type surviveColumns struct {
	obj   *fyne.Container
	row   *fyne.Container
	later []fyne.CanvasObject
}

// surviveCells are the cells of a line, in their order.
type surviveCells struct {
	kind, before, after, lost, bar, share, needed, kept, missed, examples fyne.CanvasObject
}

func newSurviveColumns(c surviveCells) *surviveColumns {
	later := []fyne.CanvasObject{kit.Sized(48, 0, c.needed), kit.Sized(40, 0, c.kept), kit.Sized(46, 0, c.missed)}
	row := kit.Row(8, kit.Sized(106, 0, c.kind), kit.Sized(44, 0, c.before), kit.Sized(40, 0, c.after), kit.Sized(38, 0, c.lost),
		kit.Sized(40, 5, c.bar), kit.Sized(50, 0, c.share), later[0], later[1], later[2], kit.Stretch(kit.Pad(0, 0, 0, 4, c.examples)))
	t := &surviveColumns{obj: kit.Pad(0, 10, 0, 10, row), row: row, later: later}
	t.showLater(false)
	return t
}

// showLater shows or hides what was needed later.
func (t *surviveColumns) showLater(on bool) {
	if t.later[0].Visible() == on {
		return
	}
	for _, o := range t.later {
		setVisible(o, on)
	}
	t.row.Refresh()
}

// surviveHead is the line of captions; examples is that of the last column.
func surviveHead() (t *surviveColumns, examples *kit.Text) {
	left := func(key string) *kit.Text { return kit.Caption(words.T(key)).Bold() }
	right := func(key string) *kit.Text { return left(key).Right() }
	examples = left("survive.examples")
	return newSurviveColumns(surviveCells{
		left("survive.kind"), right("survive.before"), right("survive.after"), right("survive.lost"), kit.Caption(""), right("survive.share"),
		right("needed.needed"), right("needed.kept"), right("needed.missed"), examples,
	}), examples
}

// surviveRow is a line of the table.
type surviveRow struct {
	*surviveColumns
	p                                                                *survivePane
	kind, before, after, lost, share, needed, kept, missed, examples *kit.Text
	bar                                                              *kit.Bar
}

func newSurviveRow(p *survivePane) *surviveRow {
	r := &surviveRow{p: p, bar: kit.NewBar(0, kit.ColorKept)}
	number := func() *kit.Text { return kit.NewText("", kit.ColorText, 12).Right().Fit() }
	r.kind, r.examples = kit.NewText("", kit.ColorText, 12).Fit(), kit.NewText("", kit.ColorFaint, 12).Fit()
	r.before, r.after, r.lost, r.share = number(), number(), number(), number()
	r.needed, r.kept, r.missed = number(), number(), number()
	r.lost.SetColor(kit.ColorMuted)
	r.surviveColumns = newSurviveColumns(surviveCells{r.kind, r.before, r.after, r.lost, r.bar, r.share, r.needed, r.kept, r.missed, r.examples})
	return r
}

// bold makes the line that of all kinds.
func (r *surviveRow) bold() *surviveRow {
	for _, t := range []*kit.Text{r.kind, r.before, r.after, r.lost, r.share, r.needed, r.kept, r.missed, r.examples} {
		t.Bold()
	}
	r.examples.SetColor(kit.ColorText)
	return r
}

// Object is what the list shows.
func (r *surviveRow) Object() fyne.CanvasObject { return r.obj }

// Fill shows a line.
func (r *surviveRow) Fill(i int, _ bool) { r.fill(r.p.rows[i]) }

func (r *surviveRow) fill(l surviveLine) {
	ink, number := kit.ColorKept, kit.ColorText
	if l.low() {
		ink, number = kit.ColorWarning, kit.ColorWarning
	}
	r.kind.SetText(l.name())
	r.before.SetText(words.Int(int64(l.Gone)))
	r.after.SetText(words.Int(int64(l.Standing)))
	r.lost.SetText(words.Int(int64(l.Gone - l.Standing)))
	r.bar.Set(l.survives(), ink)
	r.share.SetText(atLeast(l.lower, words.Percent(l.survives())))
	r.share.SetColor(number)
	r.examples.SetText(kit.Clean(l.examples))
	if r.showLater(l.needed != nil); l.needed == nil {
		return
	}
	missed := l.needed.Needs - l.needed.Met
	r.needed.SetText(words.Int(int64(l.needed.Needs)))
	r.kept.SetText(atLeast(l.lower, words.Int(int64(l.needed.Met))))
	r.missed.SetText(atMost(l.lower && missed > 0, words.Int(int64(missed))))
	if r.missed.SetColor(kit.ColorFaint); missed > 0 {
		r.missed.SetColor(kit.ColorDropped)
	}
}
