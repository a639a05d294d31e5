package gui

import (
	"fyne.io/fyne/v2"

	"palimpsest/compaction/facts"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// survivePane is the table "What survives" of the preview: by kind of fact how
// many are in what goes, how many still stand, and the weightiest of the lost.
type survivePane struct {
	d    *desk.Desk
	win  fyne.Window
	pane *kit.Pane
	note *kit.Text
	list *kit.List
	rows []surviveLine
}

// surviveLine is one kind, or all of them.
type surviveLine struct {
	kind facts.Kind // facts.Kinds: all
	facts.Tally
	lower bool
	lost  string // the weightiest of the lost
}

// lowShare is the share below which what survives of a kind is called low.
const lowShare = .4

func newSurvivePane(d *desk.Desk, win fyne.Window, leave func()) *survivePane {
	p := &survivePane{d: d, win: win}
	p.note = kit.NewText("", kit.ColorFaint, 12)
	p.list = kit.NewList(24, func() int { return len(p.rows) }, func() kit.ListRow { return newSurviveRow(p) })
	p.list.Choosable = func(i int) bool { return p.rows[i].Gone > p.rows[i].Standing }
	p.list.OnSelect = func(i int) { showLost(d, win, p.rows[i].kind, leave) }
	head := kit.Pad(0, 10, 0, 10, surviveRowOf(
		kit.Caption(words.T("survive.kind")).Bold(), kit.Caption(words.T("survive.before")).Bold().Right(), kit.Caption(words.T("survive.after")).Bold().Right(),
		kit.Caption(words.T("survive.lost")).Bold().Right(), kit.Caption(""), kit.Caption(words.T("survive.share")).Bold().Right(), kit.Caption(words.T("survive.examples")).Bold()))
	p.pane = kit.NewPane(words.T("result.survives"), kit.Column(0, kit.Sized(0, 22, head), kit.NewRule(), kit.Stretch(p.list)), p.note)
	return p
}

// update shows the survival of the plan on the screen.
func (p *survivePane) update() {
	v := p.d.Survival()
	p.rows = p.rows[:0]
	note := words.T("facts.exact")
	switch done, total := p.d.Indexing(); {
	case total > 0:
		note = words.T("result.indexing", "done", done, "total", total)
	case v == nil:
		note = words.T("survive.nothing")
	case v.Lower:
		note = words.T("survive.lower")
	}
	if v != nil {
		var lost [facts.Kinds + 1]string
		for _, l := range v.Lost {
			if s := lost[l.Kind]; len(s) < 120 {
				if s != "" {
					s += ", "
				}
				lost[l.Kind] = s + shortened(l.Text, 48)
			}
		}
		for _, k := range survivalOrder {
			if t := v.Kinds[k]; t.Gone > 0 {
				p.rows = append(p.rows, surviveLine{k, t, v.Lower, lost[k]})
			}
		}
		p.rows = append(p.rows, surviveLine{facts.Kinds, v.All(), v.Lower, ""})
	}
	p.note.SetText(note)
	p.pane.SetRight(p.note)
	p.list.Select(-1)
	p.list.Update()
}

// survivalOrder is the order of the kinds in the table.
var survivalOrder = [facts.Kinds]facts.Kind{facts.Path, facts.Number, facts.Command, facts.Error, facts.Identifier, facts.URL, facts.Quoted, facts.Instruction, facts.Decision}

// surviveRowOf puts the cells of a line beside each other.
func surviveRowOf(kind, before, after, lost, bar, share, examples fyne.CanvasObject) fyne.CanvasObject {
	return kit.Row(8, kit.Sized(112, 0, kind), kit.Sized(48, 0, before), kit.Sized(44, 0, after), kit.Sized(40, 0, lost),
		kit.Sized(46, 5, bar), kit.Sized(54, 0, share), kit.Stretch(examples))
}

// surviveRow is a line of the table.
type surviveRow struct {
	p                                          *survivePane
	obj                                        *fyne.Container
	kind, before, after, lost, share, examples *kit.Text
	bar                                        *kit.Bar
}

func newSurviveRow(p *survivePane) *surviveRow {
	r := &surviveRow{p: p, bar: kit.NewBar(0, kit.ColorKept)}
	number := func(c fyne.ThemeColorName) *kit.Text { return kit.NewText("", c, 12).Right().Fit() }
	r.kind, r.examples = kit.NewText("", kit.ColorText, 12).Fit(), kit.NewText("", kit.ColorFaint, 12).Fit()
	r.before, r.after, r.lost, r.share = number(kit.ColorText), number(kit.ColorText), number(kit.ColorMuted), number(kit.ColorText)
	r.obj = kit.Pad(0, 10, 0, 10, surviveRowOf(r.kind, r.before, r.after, r.lost, r.bar, r.share, r.examples))
	return r
}

// Object is what the list shows.
func (r *surviveRow) Object() fyne.CanvasObject { return r.obj }

// Fill shows a line. What is low says so in words, not by its colour alone.
func (r *surviveRow) Fill(i int, _ bool) {
	l := r.p.rows[i]
	name, examples := words.T("fact.all"), l.lost
	if l.kind < facts.Kinds {
		name = kindWords(l.kind)
	}
	share, ink := 1.0, kit.ColorKept
	if l.Gone > 0 {
		share = float64(l.Standing) / float64(l.Gone)
	}
	if share < lowShare && l.kind < facts.Kinds {
		ink = kit.ColorWarning
		examples = words.T("survive.low") + " · " + examples
	}
	text := words.Percent(share)
	if l.lower {
		text = words.T("number.atLeast", "value", text)
	}
	for _, cell := range []*kit.Text{r.kind, r.before, r.after, r.lost, r.share} {
		cell.SetBold(l.kind == facts.Kinds)
	}
	r.kind.SetText(name)
	r.before.SetText(words.Int(int64(l.Gone)))
	r.after.SetText(words.Int(int64(l.Standing)))
	r.lost.SetText(words.Int(int64(l.Gone - l.Standing)))
	r.bar.Set(share, ink)
	r.share.SetText(text)
	r.examples.SetText(kit.Clean(examples))
}
