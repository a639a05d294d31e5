package preview

import (
	"fyne.io/fyne/v2"

	"palimpsest/compaction/facts"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// draftFacts is the table of what survives each draft of a range, by kind of
// fact: the drafts beside each other, the one that is shown marked.
type draftFacts struct {
	d    *desk.Desk
	obj  *fyne.Container
	head *fyne.Container
	list *kit.List
	rows []facts.Kind // facts.Kinds: all
	of   []*facts.Survival
	from int // number of the first draft in the table
}

// mostCompared is how many drafts are beside each other: the latest.
const mostCompared = 5

func newDraftFacts(d *desk.Desk) *draftFacts {
	t := &draftFacts{d: d, head: kit.Row(8)}
	t.list = kit.NewList(24, func() int { return len(t.rows) }, func() kit.ListRow { return newDraftFactRow(t) })
	t.list.Choosable = func(int) bool { return false }
	t.obj = kit.Column(0, kit.Sized(0, 22, kit.Pad(0, 10, 0, 10, t.head)), kit.NewRule(), kit.Stretch(t.list))
	return t
}

// update shows the drafts of the moment; false while nothing is known of them.
func (t *draftFacts) update() bool {
	all := t.d.DraftFacts()
	t.from, t.rows = max(0, len(all)-mostCompared), t.rows[:0]
	if t.of = all[t.from:]; len(all) == 0 {
		return false
	}
	for _, k := range show.SurvivalOrder {
		for _, v := range t.of {
			if v.Kinds[k].Gone > 0 {
				t.rows = append(t.rows, k)
				break
			}
		}
	}
	t.rows = append(t.rows, facts.Kinds)
	t.head.Objects = []fyne.CanvasObject{kit.Sized(110, 0, kit.Caption(words.T("survive.kind")).Bold())}
	for i := range t.of {
		name := words.T("draft.number", "n", t.from+i+1)
		if t.d.Drafts()[t.from+i] == t.d.Draft() {
			name = words.T("draft.shown", "n", t.from+i+1)
		}
		t.head.Add(kit.Sized(132, 0, kit.Caption(name).Bold().Right()))
	}
	t.head.Refresh()
	t.list.Update()
	return true
}

// draftFactRow is one kind of fact: how many of how many are still in each
// draft.
type draftFactRow struct {
	t     *draftFacts
	obj   *fyne.Container
	kind  *kit.Text
	cells [mostCompared]*kit.Text
}

func newDraftFactRow(t *draftFacts) *draftFactRow {
	r := &draftFactRow{t: t, kind: kit.NewText("", kit.ColorText, 12).Fit()}
	row := kit.Row(8, kit.Sized(110, 0, r.kind))
	for i := range r.cells {
		r.cells[i] = kit.NewText("", kit.ColorText, 12).Right().Fit()
		row.Add(kit.Sized(132, 0, r.cells[i]))
	}
	r.obj = kit.Pad(0, 10, 0, 10, row)
	return r
}

// Object is what the list shows.
func (r *draftFactRow) Object() fyne.CanvasObject { return r.obj }

// Fill shows a kind. The best draft of a kind carries a mark, not a colour alone.
func (r *draftFactRow) Fill(i int, _ bool) {
	k := r.t.rows[i]
	name := words.T("fact.all")
	if k < facts.Kinds {
		name = show.KindWords(k)
	}
	r.kind.SetText(name)
	tally := func(v *facts.Survival) facts.Tally {
		if k < facts.Kinds {
			return v.Kinds[k]
		}
		return v.All()
	}
	best, worst := 0., 1.
	for _, v := range r.t.of {
		n := tally(v)
		share := show.ShareOf(n.Survived, n.Gone)
		best, worst = max(best, share), min(worst, share)
	}
	for j, cell := range r.cells {
		if j >= len(r.t.of) {
			cell.SetText("")
			continue
		}
		n := tally(r.t.of[j])
		text := words.Int(int64(n.Survived)) + " / " + words.Int(int64(n.Gone)) + " · " + words.Percent(show.ShareOf(n.Survived, n.Gone))
		ink := kit.ColorText
		if show.ShareOf(n.Survived, n.Gone) == best && best > worst {
			text, ink = "★ "+text, kit.ColorKept
		}
		cell.SetText(text)
		cell.SetColor(ink)
	}
}
