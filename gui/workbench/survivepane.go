package workbench

import (
	"fyne.io/fyne/v2"

	"palimpsest/compaction/facts"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// SurvivePane is the table "What survives, and what was needed later" of the
// preview. By kind of fact: how many are in what goes and how many still are;
// where messages follow the place of the plan, also what of it the agent needed
// in them, and what of that it would have missed.
type SurvivePane struct {
	d     *desk.Desk
	win   fyne.Window
	leave func() // to the ledger
	Pane  *kit.Pane
	Note  *kit.Text
	body  *fyne.Container

	Head     *surviveColumns
	examples *kit.Text // caption of the last column
	list     *kit.List
	Rows     []surviveLine
	All      *surviveRow
	Foot     *surviveFoot
}

// surviveLine is one kind, or all of them.
type surviveLine struct {
	Kind facts.Kind // facts.Kinds: all
	facts.Tally
	lower    bool
	mixed    bool          // of all kinds: little of some kind survives
	Needed   *facts.Recall // of what was needed later; nil: unknown
	Examples string        // what was missed, or the weightiest of the lost where that is unknown
}

func NewSurvivePane(d *desk.Desk, win fyne.Window, leave func()) *SurvivePane {
	p := &SurvivePane{d: d, win: win, leave: leave}
	p.Note = kit.NewText("", kit.ColorFaint, 12)
	p.list = kit.NewList(24, func() int { return len(p.Rows) }, func() kit.ListRow { return NewSurviveRow(p) })
	p.list.Choosable = func(i int) bool { return p.Rows[i].Gone > p.Rows[i].Survived }
	p.list.OnSelect = func(i int) { show.ShowLost(d, win, p.Rows[i].Kind, leave) }
	p.Head, p.examples = surviveHead()
	p.All = NewSurviveRow(p).bold()
	p.Foot = newSurviveFoot(func() { show.ShowLost(d, win, facts.Kinds, leave) }, p.misses)
	p.body = kit.Column(0, kit.Sized(0, 22, p.Head.Obj), kit.NewRule(), kit.Stretch(p.list), kit.NewRule(),
		kit.Sized(0, 24, p.All.Object()), p.Foot.obj)
	p.Pane = kit.NewPane(words.T("result.survives"), p.body, p.Note)
	return p
}

// misses lists what was needed later and is no longer held.
func (p *SurvivePane) misses() {
	if v := p.d.Survival(); v != nil && v.Needed != nil {
		show.ShowMissesOf(p.d, p.win, v.Needed, words.T("needed.missesOf", "n", v.At), p.leave)
	}
}

// Update shows the survival of the plan on the screen.
func (p *SurvivePane) Update() {
	v := p.d.Survival()
	title, note := p.headWords(v)
	p.Rows = SurviveLines(v)
	later := v != nil && v.Needed != nil
	p.examples.SetText(words.T("survive.examples"))
	if later {
		p.examples.SetText(words.T("needed.missing", "n", v.At))
	}
	p.Head.showLater(later)
	known := len(p.Rows) > 0
	if known { // the last is of all kinds, and always in sight
		p.All.fill(p.Rows[len(p.Rows)-1])
		p.Rows = p.Rows[:len(p.Rows)-1]
	}
	show.SetVisible(p.All.Obj, known)
	show.SetVisible(p.Foot.obj, known)
	p.Foot.update(v)
	p.Note.SetText(note)
	p.Pane.SetTitle(title)
	p.Pane.SetRight(p.Note)
	p.list.Select(-1)
	p.list.Update()
	p.body.Refresh()
}

// headWords are title and note of the pane.
func (p *SurvivePane) headWords(v *desk.Survival) (title, note string) {
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

// boundWords shows what the figures are worth.
func boundWords(v *desk.Survival) string {
	if v.Lower {
		return words.T("survive.lower")
	}
	return words.T("facts.exact")
}

// SurviveLines are the kinds of which something goes, and all of them at the end.
func SurviveLines(v *desk.Survival) []surviveLine {
	if v == nil {
		return nil
	}
	var examples [facts.Kinds]string
	add := func(f facts.Fact) {
		if s := examples[f.Kind]; len(s) < 120 {
			if s != "" {
				s += ", "
			}
			examples[f.Kind] = s + show.Shortened(f.Text, 48)
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
	all := surviveLine{Kind: facts.Kinds, Tally: v.All(), lower: v.Lower}
	var lines []surviveLine
	for _, k := range show.SurvivalOrder {
		if t := v.Kinds[k]; t.Gone > 0 {
			l := surviveLine{Kind: k, Tally: t, lower: v.Lower, Examples: examples[k]}
			if v.Needed != nil {
				l.Needed = &v.Needed.Kinds[k]
			}
			lines = append(lines, l)
			all.mixed = all.mixed || l.low()
		}
	}
	if v.Needed != nil {
		all.Needed, all.Examples = &v.Needed.Recall, keptWords(v)
	}
	return append(lines, all)
}
