package workbench

import (
	"fyne.io/fyne/v2"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// earlyRows shows the messages of a history that is still being read, under how
// far that is. They can be looked through; fates and tokens come with the plan.
type earlyRows struct {
	obj   fyne.CanvasObject
	list  *kit.Ledger
	note  *kit.Text
	shown *desk.Early
}

// newEarlyRows puts the list under a strip with the progress and the button that
// stops the reading.
func newEarlyRows(title string, read *kit.Text, bar *kit.Bar, cancel func()) *earlyRows {
	v := &earlyRows{list: kit.NewLedger(show.LedgerCaptions()), note: kit.NewText("", kit.ColorFaint, 12).Fit()}
	head := kit.Row(12, kit.Stretch(kit.Label(title).Bold().Fit()), read, kit.Sized(160, 6, bar),
		kit.NewButton(words.T("do.cancel"), kit.Secondary, cancel).Small())
	v.obj = kit.NewPane("", kit.Column(0, kit.Pad(5, 8, 5, 10, head), kit.NewRule(), kit.Stretch(v.list),
		kit.NewRule(), kit.Pad(4, 10, 5, 10, v.note)))
	return v
}

// show fills the list. Where it was scrolled to stays: what was seen first is
// the beginning of the whole.
func (v *earlyRows) show(y *desk.Early) {
	if y == v.shown {
		return
	}
	v.shown = y
	v.list.SetNumberWidth(max(3, len(words.Int(int64(y.Len())))))
	v.list.SetSource((*earlySource)(y))
	v.note.SetText(words.T("early.first", "count", y.Len()))
}

// place is which message is at the top, and how much of its row is above the
// edge.
func (v *earlyRows) place() (num int, above float32) {
	top := int(v.list.Offset() / v.list.Pitch())
	return top + 1, v.list.Offset() - float32(top)*v.list.Pitch()
}

// earlySource puts messages into words, when they are to be seen.
type earlySource desk.Early

// Len is the number of rows.
func (s *earlySource) Len() int { return (*desk.Early)(s).Len() }

// Row is one row in words.
func (s *earlySource) Row(i int) kit.LedgerRow {
	r := (*desk.Early)(s).Row(i)
	return kit.LedgerRow{Num: words.Int(int64(r.Num)), Who: show.WhoSays(r), First: r.First}
}
