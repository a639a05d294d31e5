package gui

import (
	"fyne.io/fyne/v2"

	"palimpsest/compaction/facts"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// survivePane is the table "What survives, and what was needed later" of the
// preview. By kind of fact: how many are in what goes and how many still stand;
// where messages follow the place of the plan, also what of it the agent needed
// in them, and what of that it would have missed.
type survivePane struct {
	d     *desk.Desk
	win   fyne.Window
	leave func() // to the ledger
	pane  *kit.Pane
	note  *kit.Text
	body  *fyne.Container

	head     *surviveColumns
	examples *kit.Text // caption of the last column
	list     *kit.List
	rows     []surviveLine
	all      *surviveRow
	foot     *surviveFoot
}

// surviveLine is one kind, or all of them.
type surviveLine struct {
	kind facts.Kind // facts.Kinds: all
	facts.Tally
	lower    bool
	needed   *facts.Recall // of what was needed later; nil: unknown
	examples string        // what was missed, or the weightiest of the lost where that is unknown
}

func newSurvivePane(d *desk.Desk, win fyne.Window, leave func()) *survivePane {
	p := &survivePane{d: d, win: win, leave: leave}
	p.note = kit.NewText("", kit.ColorFaint, 12)
	p.list = kit.NewList(24, func() int { return len(p.rows) }, func() kit.ListRow { return newSurviveRow(p) })
	p.list.Choosable = func(i int) bool { return p.rows[i].Gone > p.rows[i].Standing }
	p.list.OnSelect = func(i int) { showLost(d, win, p.rows[i].kind, leave) }
	p.head, p.examples = surviveHead()
	p.all = newSurviveRow(p).bold()
	p.foot = newSurviveFoot(func() { showLost(d, win, facts.Kinds, leave) }, p.misses)
	p.body = kit.Column(0, kit.Sized(0, 22, p.head.obj), kit.NewRule(), kit.Stretch(p.list), kit.NewRule(), kit.Sized(0, 24, p.all.Object()), p.foot.obj)
	p.pane = kit.NewPane(words.T("result.survives"), p.body, p.note)
	return p
}

// misses lists what was needed later and no longer stands.
func (p *survivePane) misses() {
	if v := p.d.Survival(); v != nil && v.Needed != nil {
		showMissesOf(p.d, p.win, v.Needed, words.T("needed.missesOf", "n", v.At), p.leave)
	}
}

// update shows the survival of the plan on the screen.
func (p *survivePane) update() {
	v := p.d.Survival()
	title, note := p.headWords(v)
	p.rows = surviveLines(v)
	later := v != nil && v.Needed != nil
	p.examples.SetText(words.T("survive.examples"))
	if later {
		p.examples.SetText(words.T("needed.missing", "n", v.At))
	}
	p.head.showLater(later)
	known := len(p.rows) > 0
	if known { // the last is of all kinds, and always in sight
		p.all.fill(p.rows[len(p.rows)-1])
		p.rows = p.rows[:len(p.rows)-1]
	}
	setVisible(p.all.obj, known)
	setVisible(p.foot.obj, known)
	p.foot.update(v)
	p.note.SetText(note)
	p.pane.SetTitle(title)
	p.pane.SetRight(p.note)
	p.list.Select(-1)
	p.list.Update()
	p.body.Refresh()
}

// headWords are title and note of the pane.
func (p *survivePane) headWords(v *desk.Survival) (title, note string) {
	title = words.T("result.survives")
	done, total := p.d.Indexing()
	switch {
	case total > 0:
		note = words.T("result.indexing", "done", done, "total", total)
	case v == nil:
		note = words.T("survive.nothing")
	case v.Needed == nil:
		note = words.T("needed.unknown", "n", v.At)
	default:
		title, note = words.T("needed.title"), boundWords(v)
	}
	return title, note
}

// boundWords tells what the figures are worth.
func boundWords(v *desk.Survival) string {
	if v.Lower {
		return words.T("survive.lower")
	}
	return words.T("facts.exact")
}

// surviveLines are the kinds of which something goes, and all of them at the end.
func surviveLines(v *desk.Survival) []surviveLine {
	if v == nil {
		return nil
	}
	var examples [facts.Kinds]string
	add := func(f facts.Fact) {
		if s := examples[f.Kind]; len(s) < 120 {
			if s != "" {
				s += ", "
			}
			examples[f.Kind] = s + shortened(f.Text, 48)
		}
	}
	if v.Needed != nil {
		for _, m := range v.Needed.Misses {
			add(m.Fact)
		}
	} else {
		for _, l := range v.Lost {
			add(l.Fact)
		}
	}
	all := surviveLine{kind: facts.Kinds, Tally: v.All(), lower: v.Lower}
	var lines []surviveLine
	for _, k := range survivalOrder {
		if t := v.Kinds[k]; t.Gone > 0 {
			l := surviveLine{kind: k, Tally: t, lower: v.Lower, examples: examples[k]}
			if v.Needed != nil {
				l.needed = &v.Needed.Kinds[k]
			}
			lines = append(lines, l)
		}
	}
	if v.Needed != nil {
		all.needed, all.examples = &v.Needed.Recall, keptWords(v.Needed)
	}
	return append(lines, all)
}

// survivalOrder is the order of the kinds in the table.
var survivalOrder = [facts.Kinds]facts.Kind{facts.Path, facts.Number, facts.Command, facts.Error, facts.Identifier, facts.URL, facts.Quoted, facts.Instruction, facts.Decision}
