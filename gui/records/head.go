package records

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model/store"
)

// recordSorts are the columns that the list of records can be ordered by. The
// numbers of records are the order in which they were stored.
var recordSorts = map[string]store.Sort{
	"time": store.SortTime, "record": "", "session": store.SortSession, "cause": store.SortCause, "before": store.SortBefore,
	"after": store.SortAfter, "saved": store.SortSaved, "preset": store.SortPreset, "took": store.SortDuration, "outcome": store.SortOutcome,
	"levels": store.SortLevels, "survives": store.SortSurvives,
}

// recordHead is the header of the list of records: a click on a column orders
// the list by it.
type recordHead struct {
	obj   fyne.CanvasObject
	links map[string]*kit.Link
	cells []*fyne.Container // that hold them
}

func newRecordHead(sort func(store.Sort)) *recordHead {
	h := &recordHead{links: map[string]*kit.Link{}}
	var cells []fyne.CanvasObject
	for _, c := range RecordColumns {
		if c.key == "tick" || c.key == "bar" {
			cells = append(cells, kit.Label(""))
			continue
		}
		by, ok := recordSorts[c.key]
		if !ok {
			t := kit.NewText(words.T("records."+c.key), kit.ColorFaint, 11).Bold().Fit()
			if c.right {
				t.Right()
			}
			cells = append(cells, t)
			continue
		}
		l := kit.NewHeadLink(words.T("records."+c.key), func() { sort(by) })
		h.links[c.key] = l
		cell := kit.Row(0, l)
		if c.right {
			cell = kit.Row(0, kit.Stretch(kit.Label("")), l)
		}
		h.cells, cells = append(h.cells, cell), append(cells, cell)
	}
	h.obj = container.New(RecordLayout{}, cells...)
	h.show(store.Filter{})
	return h
}

// show marks the column that the list is ordered by, and which way.
func (h *recordHead) show(f store.Filter) {
	for key, l := range h.links {
		text := words.T("records." + key)
		if recordSorts[key] == f.Sort {
			text += map[bool]string{true: " ▴", false: " ▾"}[f.Ascending]
		}
		l.SetText(text)
	}
	for _, c := range h.cells {
		c.Refresh() // the words take another width now
	}
}
