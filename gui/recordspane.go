package gui

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/store"
)

// recordsPane is the full-window sheet of stored compactions: the list above,
// the one looked at below.
type recordsPane struct {
	d *desk.Desk
	w *window

	filter  *kit.TextField
	outcome *kit.Select
	cause   *kit.Select
	count   *kit.Text
	list    *kit.List
	head    *recordHead
	empty   *kit.Text // says why the list shows nothing
	want    int       // row that was chosen while its record was being read; -1: none
	detail  *recordDetail
	obj     fyne.CanvasObject
}

var (
	outcomes = []model.Outcome{model.Applied, model.Refused, model.Failed, model.Cancelled}
	causes   = []model.Cause{model.CauseManual, model.CauseAutomatic, model.CauseReplay, model.CauseFound, model.CauseRestore}
)

func newRecordsPane(w *window) *recordsPane {
	p := &recordsPane{d: w.d, w: w, want: -1}
	p.filter = kit.NewFilter(words.T("records.filter"), func(string) { p.ask() })
	names := []string{words.T("records.anyOutcome")}
	for _, o := range outcomes {
		names = append(names, words.T("outcome."+string(o)))
	}
	p.outcome = kit.NewSelect(names, 0, func(int) { p.ask() })
	names = []string{words.T("records.anyCause")}
	for _, c := range causes {
		names = append(names, words.T("recordCause."+string(c)))
	}
	p.cause = kit.NewSelect(names, 0, func(int) { p.ask() })
	p.count = kit.NewText("", kit.ColorMuted, 12)
	p.list = kit.NewList(24, p.found, func() kit.ListRow { return newRecordRow(p) })
	p.list.OnSelect = p.choose
	p.list.OnOpen = func(int) { p.openInWorkbench() }
	p.list.OnMenu = func(i int, at fyne.Position) { p.list.Select(i); p.choose(i); p.menu(at) }
	p.empty = kit.NewText("", kit.ColorMuted, 13).Center().Fit()
	p.head = newRecordHead(p.sortBy)
	top := kit.NewPane(words.T("records.title"), kit.Column(0, kit.Sized(0, 24, p.head.obj), kit.NewRule(), kit.Stretch(container.NewStack(p.list, p.empty))), p.count,
		kit.NewButton(words.T("records.back"), kit.Secondary, w.hideSheet).Small())
	top.SetLeft(kit.Sized(230, 0, p.filter), kit.Sized(130, 0, p.outcome), kit.Sized(130, 0, p.cause))
	p.detail = newRecordDetail(p)
	p.obj = w.split("records", true, top, p.detail.Object(), kit.KeepSecond, 430)
	p.d.Listen(desk.TopicRecords, p.update)
	p.d.Listen(desk.TopicSession, p.update)
	p.update()
	return p
}

func (p *recordsPane) found() int { n, _ := p.d.RecordCount(); return n }

// choose looks at the record in a row, as soon as it is there.
func (p *recordsPane) choose(i int) {
	r := p.d.RecordAt(i)
	if r == nil {
		p.want = i
		return
	}
	p.want = -1
	p.d.SelectRecord(r.ID)
}

// ask has the list read that the head describes.
func (p *recordsPane) ask() {
	f := p.d.RecordQuery()
	f.Text, f.Outcomes, f.Causes = strings.TrimSpace(p.filter.Text()), nil, nil
	if o := p.outcome.Selected(); o > 0 {
		f.Outcomes = outcomes[o-1 : o]
	}
	if c := p.cause.Selected(); c > 0 {
		f.Causes = causes[c-1 : c]
	}
	p.want = -1
	p.d.QueryRecords(f)
}

// sortBy orders the list by a column, the largest first; again turns it round.
func (p *recordsPane) sortBy(column store.Sort) {
	f := p.d.RecordQuery()
	f.Ascending = f.Sort == column && !f.Ascending
	f.Sort, p.want = column, -1
	p.head.show(f)
	p.d.QueryRecords(f)
}

// update shows the list.
func (p *recordsPane) update() {
	found, total := p.d.RecordCount()
	p.count.SetText(words.T("records.count", "shown", words.Int(int64(found)), "total", words.Int(int64(total))))
	switch {
	case found > 0:
		p.empty.SetText("")
	case total > 0:
		p.empty.SetText(words.T("records.noMatch", "count", total))
	default:
		p.empty.SetText(words.T("records.none.next"))
	}
	at := -1
	if p.want >= found {
		p.want = -1
	}
	if p.want >= 0 {
		at = p.want
		p.choose(at)
	} else if r := p.d.Record(); r != nil {
		at = p.d.RecordRow(r.ID)
	}
	p.list.Update()
	if p.list.Selected() != at {
		p.list.Select(at)
	}
	p.detail.update()
}

// look shows the newest record when none was looked at.
func (p *recordsPane) look() {
	if p.d.Record() == nil {
		p.choose(0)
	}
}

// askDelete tells what deleting the record looked at frees, and deletes it when
// a person says so.
func (p *recordsPane) askDelete() {
	r := p.d.Record()
	if r == nil {
		return
	}
	p.d.MeasureDelete(r.ID, func(bytes int64, err error) {
		if err != nil {
			p.d.Fail(err)
			return
		}
		kit.Ask(p.w.win.Canvas(), words.T("records.delete", "record", r.ID), words.T("records.delete.means", "size", words.Bytes(bytes)),
			words.T("do.delete"), words.T("do.cancel"), kit.Danger, func() { p.d.DeleteRecord(r.ID) })
	})
}

func (p *recordsPane) menu(at fyne.Position) {
	kit.ShowMenu(p.w.win.Canvas(), []kit.MenuItem{
		{Text: words.T("records.open"), Run: p.openInWorkbench},
		{Text: words.T("why.record"), Disabled: !p.canTellWhy(), Run: p.whyRecord},
		{Text: words.T("do.restore"), Disabled: !p.canRestore(), Run: p.restore},
		{Text: words.T("do.export"), Run: p.w.showExportRecord},
		{Text: words.T("records.do.delete"), Disabled: p.d.Store() == nil, Run: p.askDelete},
	}, at, 0)
}

// canRestore reports whether the record looked at stands on the history that is
// open.
func (p *recordsPane) canRestore() bool {
	r, s := p.d.Record(), p.d.Session()
	return r != nil && s != nil && slices.ContainsFunc(s.Stack(), func(x *model.Record) bool { return x.UID == r.UID })
}

func (p *recordsPane) restore() {
	if r := p.d.Record(); r != nil {
		p.w.showRestore(r)
	}
}

// canTellWhy reports whether the history that the record looked at was made of is
// the one that is open.
func (p *recordsPane) canTellWhy() bool {
	r, s := p.d.Record(), p.d.Session()
	return r != nil && s != nil && s.Made(r)
}

// whyRecord opens the decision log of the record's parameters where it was made.
func (p *recordsPane) whyRecord() {
	if r := p.d.Record(); p.canTellWhy() {
		p.w.leaveSheet()
		p.w.c.why(r.At, r)
	}
}

// openInWorkbench looks at the history the record was made of.
func (p *recordsPane) openInWorkbench() {
	if r := p.d.Record(); r != nil {
		p.w.leaveSheet()
		p.d.OpenRecord(r)
	}
}

// showRecords opens the sheet.
func (w *window) showRecords() {
	if w.records == nil {
		w.records = newRecordsPane(w)
	}
	w.showSheet(w.records.obj, nil)
	w.records.look()
	w.win.Canvas().Focus(w.records.list)
}

func (w *window) inRecords() bool {
	return w.back != nil && w.records != nil && slices.Contains(w.body.Objects, w.records.obj)
}
