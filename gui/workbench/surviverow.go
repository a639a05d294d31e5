package workbench

import (
	"fyne.io/fyne/v2"

	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model/figure"
)

// surviveColumns puts the cells of a line of the table beside each other. Those of
// what was needed later take no room where that is unknown.
type surviveColumns struct {
	Obj   *fyne.Container
	row   *fyne.Container
	Later []fyne.CanvasObject
}

// surviveCells are the cells of a line, in their order.
type surviveCells struct {
	kind, before, after, lost, bar, share, needed, kept, missed, examples fyne.CanvasObject
}

func newSurviveColumns(c surviveCells) *surviveColumns {
	later := []fyne.CanvasObject{kit.Sized(48, 0, c.needed), kit.Sized(40, 0, c.kept), kit.Sized(46, 0, c.missed)}
	row := kit.Row(8, kit.Sized(106, 0, c.kind), kit.Sized(44, 0, c.before), kit.Sized(40, 0, c.after), kit.Sized(38, 0, c.lost),
		kit.Sized(40, 5, c.bar), kit.Sized(50, 0, c.share), later[0], later[1], later[2], kit.Stretch(kit.Pad(0, 0, 0, 4, c.examples)))
	t := &surviveColumns{Obj: kit.Pad(0, 10, 0, 10, row), row: row, Later: later}
	t.showLater(false)
	return t
}

// showLater shows or hides what was needed later.
func (t *surviveColumns) showLater(on bool) {
	if t.Later[0].Visible() == on {
		return
	}
	for _, o := range t.Later {
		show.SetVisible(o, on)
	}
	t.row.Refresh()
}

// surviveHead is the line of captions; examples is that of the last column.
func surviveHead() (t *surviveColumns, examples *kit.Text) {
	left := func(key string) *kit.Text { return kit.Caption(words.T(key)).Bold() }
	right := func(key string) *kit.Text { return left(key).Right() }
	examples = left("survive.examples")
	return newSurviveColumns(surviveCells{
		left("survive.kind"), right("survive.before"), right("survive.after"), right("survive.lost"), kit.Caption(""),
		right("survive.share"),
		right("needed.needed"), right("needed.kept"), right("needed.missed"), examples,
	}), examples
}

// surviveRow is a line of the table.
type surviveRow struct {
	*surviveColumns
	p                                                                *SurvivePane
	kind, before, After, lost, share, Needed, kept, Missed, Examples *kit.Text
	bar                                                              *kit.Bar
}

func NewSurviveRow(p *SurvivePane) *surviveRow {
	r := &surviveRow{p: p, bar: kit.NewBar(0, kit.ColorKept)}
	number := func() *kit.Text { return kit.NewText("", kit.ColorText, 12).Right().Fit() }
	r.kind, r.Examples = kit.NewText("", kit.ColorText, 12).Fit(), kit.NewText("", kit.ColorFaint, 12).Fit()
	r.before, r.After, r.lost, r.share = number(), number(), number(), number()
	r.Needed, r.kept, r.Missed = number(), number(), number()
	r.lost.SetColor(kit.ColorMuted)
	r.surviveColumns = newSurviveColumns(surviveCells{r.kind, r.before, r.After, r.lost, r.bar, r.share, r.Needed, r.kept, r.Missed,
		r.Examples})
	return r
}

// bold makes the line that of all kinds.
func (r *surviveRow) bold() *surviveRow {
	for _, t := range []*kit.Text{r.kind, r.before, r.After, r.lost, r.share, r.Needed, r.kept, r.Missed, r.Examples} {
		t.Bold()
	}
	r.Examples.SetColor(kit.ColorText)
	return r
}

// Object is what the list shows.
func (r *surviveRow) Object() fyne.CanvasObject { return r.Obj }

// Fill shows a line.
func (r *surviveRow) Fill(i int, _ bool) { r.fill(r.p.Rows[i]) }

func (r *surviveRow) fill(l surviveLine) {
	ink, number := kit.ColorKept, kit.ColorText
	switch {
	case l.low():
		ink, number = kit.ColorWarning, kit.ColorWarning
	case l.mixed:
		ink = kit.ColorFaint // no green over what is amber
	}
	r.kind.SetText(l.Name())
	r.before.SetText(words.Int(int64(l.Gone)))
	r.After.SetText(words.Int(int64(l.Survived)))
	r.lost.SetText(words.Int(int64(l.Gone - l.Survived)))
	r.bar.Set(l.survives(), ink)
	share := l.share()
	r.share.SetText(words.Figure(share))
	r.share.SetColor(number)
	r.Examples.SetText(kit.Clean(l.Examples))
	if r.showLater(l.Needed != nil); l.Needed == nil {
		return
	}
	missed := l.Needed.Needs - l.Needed.Met
	r.Needed.SetText(words.Int(int64(l.Needed.Needs)))
	r.kept.SetText(words.Figure(bound(l.lower, l.Needed.Met, figure.AtLeast)))
	r.Missed.SetText(words.Figure(bound(l.lower && missed > 0, missed, figure.AtMost)))
	if r.Missed.SetColor(kit.ColorFaint); missed > 0 {
		r.Missed.SetColor(kit.ColorDropped)
	}
}
