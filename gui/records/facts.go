package records

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// recordFacts shows, kind by kind, how much of what a record took still holds
// literally.
type recordFacts struct {
	d    *State
	obj  fyne.CanvasObject
	list *kit.List
	Note *kit.Text
	rows []model.FactTally // all together first
}

func newRecordFacts(d *State) *recordFacts {
	f := &recordFacts{d: d, Note: kit.NewText("", kit.ColorMuted, 13).Center().Fit()}
	f.list = kit.NewRows(24, func() int { return len(f.rows) }, f.row).WithTip("recordFacts.means")
	f.list.Choosable = func(int) bool { return false }
	f.obj = container.NewStack(f.list, f.Note)
	return f
}

// update reports the record looked at.
func (f *recordFacts) update() {
	f.rows = nil
	list := f.d.RecordView.RecordFacts()
	f.Note.SetText("")
	if len(list) == 0 {
		f.Note.SetText(words.T(f.why()))
	} else {
		f.rows = append(f.rows, allFacts(list))
		f.rows = append(f.rows, list...)
	}
	f.list.Update()
}

// why is why there is nothing to show of the record looked at.
func (f *recordFacts) why() string {
	rec := f.d.RecordView.Record()
	switch {
	case rec == nil:
		return "records.none"
	case rec.Cause == model.CauseRestore:
		return "recordFacts.restore"
	case rec.Outcome != model.Applied:
		return "recordFacts.nothing"
	case rec.Cause == model.CauseFound:
		return "recordFacts.found"
	case rec.Covered == 0:
		return "recordFacts.cleared"
	case rec.Facts != nil || f.d.Session() != nil && f.d.Session().Made(rec) && f.d.RecordView.RecordFacts() != nil:
		return "recordFacts.noFacts"
	case f.d.Session() != nil && f.d.Session().Made(rec):
		return "recordFacts.measuring"
	}
	return "recordFacts.none"
}

// allFacts is the sum over the kinds.
func allFacts(list []model.FactTally) model.FactTally {
	all := (&model.Record{Facts: list}).AllFacts()
	all.Kind = "all"
	return all
}

// row is a kind in the list.
func (f *recordFacts) row() (fyne.CanvasObject, func(int)) {
	bar, kind := kit.NewBar(0, kit.ColorKept), kit.Label("").Fit()
	count, standing := kit.NewText("", kit.ColorMuted, 12).Right().Fit(), kit.Label("").Right().Fit()
	cells := kit.Row(10, kit.Sized(140, 18, kind), kit.Stretch(bar), kit.Sized(54, 0, standing), kit.Sized(110, 0, count))
	return kit.Pad(0, 12, 0, 12, cells), func(i int) {
		t := f.rows[i]
		kind.SetText(words.T("fact." + t.Kind))
		share := show.ShareOf(t.Standing, t.Gone)
		least := share
		if i == 0 { // a sum is no better than what it sums up
			for _, x := range f.rows {
				least = min(least, show.ShareOf(x.Standing, x.Gone))
			}
		}
		bar.Set(share, factsColor(least))
		standing.SetText(words.Percent(share))
		count.SetText(words.T("result.of", "n", words.Int(int64(t.Standing)), "m", words.Int(int64(t.Gone))))
	}
}

// factsColor is the colour of a share of surviving facts.
func factsColor(share float64) fyne.ThemeColorName {
	if share < show.LowShare {
		return kit.ColorWarning
	}
	return kit.ColorKept
}
