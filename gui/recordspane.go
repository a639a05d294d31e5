package gui

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model"
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
	shown   []model.Record
	detail  *recordDetail
	obj     fyne.CanvasObject
}

var (
	outcomes = []model.Outcome{model.Applied, model.Refused, model.Failed, model.Cancelled}
	causes   = []model.Cause{model.CauseManual, model.CauseAutomatic, model.CauseReplay, model.CauseFound, model.CauseRestore}
)

func newRecordsPane(w *window) *recordsPane {
	p := &recordsPane{d: w.d, w: w}
	p.filter = kit.NewFilter(words.T("records.filter"), func(string) { p.update() })
	names := []string{words.T("records.anyOutcome")}
	for _, o := range outcomes {
		names = append(names, words.T("outcome."+string(o)))
	}
	p.outcome = kit.NewSelect(names, 0, func(int) { p.update() })
	names = []string{words.T("records.anyCause")}
	for _, c := range causes {
		names = append(names, words.T("recordCause."+string(c)))
	}
	p.cause = kit.NewSelect(names, 0, func(int) { p.update() })
	p.count = kit.NewText("", kit.ColorMuted, 12)
	p.list = kit.NewList(24, func() int { return len(p.shown) }, func() kit.ListRow { return newRecordRow(p) })
	p.list.OnSelect = func(i int) { p.d.SelectRecord(p.shown[i].ID) }
	p.list.OnOpen = func(int) { p.openInWorkbench() }
	p.list.OnMenu = func(i int, at fyne.Position) { p.list.Select(i); p.d.SelectRecord(p.shown[i].ID); p.menu(at) }
	head := kit.Pad(0, 0, 0, 0, kit.Sized(0, 24, newRecordHead()))
	top := kit.NewPane(words.T("records.title"), kit.Column(0, head, kit.NewRule(), kit.Stretch(p.list)), p.count,
		kit.NewButton(words.T("records.back"), kit.Secondary, w.hideSheet).Small())
	top.SetLeft(kit.Sized(230, 0, p.filter), kit.Sized(130, 0, p.outcome), kit.Sized(130, 0, p.cause))
	p.detail = newRecordDetail(p)
	p.obj = w.split("records", true, top, p.detail.Object(), kit.KeepSecond, 430)
	p.d.Listen(desk.TopicRecords, p.update)
	p.d.Listen(desk.TopicSession, p.update)
	p.update()
	return p
}

// update filters the list and shows it.
func (p *recordsPane) update() {
	text := strings.ToLower(strings.TrimSpace(p.filter.Text()))
	p.shown = p.shown[:0]
	for _, r := range p.d.Records() {
		if o := p.outcome.Selected(); o > 0 && r.Outcome != outcomes[o-1] {
			continue
		}
		if c := p.cause.Selected(); c > 0 && r.Cause != causes[c-1] {
			continue
		}
		if text == "" || strings.Contains(strings.ToLower(r.ID+" "+r.Session+" "+r.Path+" "+r.SourceSHA+" "+r.Reason+" "+r.Policy.Preset), text) {
			p.shown = append(p.shown, r)
		}
	}
	p.count.SetText(words.T("records.count", "shown", len(p.shown), "total", len(p.d.Records())))
	at := -1
	if r := p.d.Record(); r != nil {
		at = slices.IndexFunc(p.shown, func(x model.Record) bool { return x.ID == r.ID })
	}
	p.list.Update()
	if p.list.Selected() != at {
		p.list.Select(at)
	}
	p.detail.update()
}

// look shows the newest record when none was looked at.
func (p *recordsPane) look() {
	if p.d.Record() == nil && len(p.shown) > 0 {
		p.d.SelectRecord(p.shown[0].ID)
	}
}

func (p *recordsPane) menu(at fyne.Position) {
	kit.ShowMenu(p.w.win.Canvas(), []kit.MenuItem{
		{Text: words.T("records.open"), Run: p.openInWorkbench},
		{Text: words.T("do.restore"), Disabled: !p.canRestore(), Run: p.restore},
		{Text: words.T("do.export"), Run: p.w.showExportRecord},
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
