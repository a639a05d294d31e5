package gui

import (
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
	w *Host

	filter  *kit.TextField
	outcome *kit.Select
	cause   *kit.Select
	preset  *kit.Select
	session *kit.Select
	facets  store.Facets // that the last two offer
	count   *kit.Text
	compare *kit.Button
	export  *kit.Button
	list    *kit.List
	head    *recordHead
	empty   *kit.Text // says why the list shows nothing
	want    int       // row that was chosen while its record was being read; -1: none
	nested  *recordNested
	detail  *recordDetail
	restore *recordRestore
	pair    *recordPairSheet
	obj     fyne.CanvasObject
}

var (
	outcomes = []model.Outcome{model.Applied, model.Refused, model.Failed, model.Cancelled}
	causes   = []model.Cause{model.CauseManual, model.CauseAutomatic, model.CauseReplay, model.CauseFound, model.CauseRestore}
)

func newRecordsPane(w *Host) *recordsPane {
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
	p.session = kit.NewSelect([]string{words.T("records.anySession")}, 0, func(int) { p.ask() })
	p.preset = kit.NewSelect([]string{words.T("records.anyPreset")}, 0, func(int) { p.ask() })
	p.count = kit.NewText("", kit.ColorMuted, 12)
	p.compare = kit.NewButton(words.T("records.compare"), kit.Secondary, func() { w.c.run("compareRecords") }).Small()
	p.export = kit.NewButton(words.T("do.export"), kit.Secondary, func() { w.c.run("exportRecords") }).Small()
	p.list = kit.NewList(24, p.found, func() kit.ListRow { return newRecordRow(p) })
	p.list.OnSelect = p.choose
	p.list.OnOpen = func(int) { p.openInWorkbench() }
	p.list.OnTick = p.tick
	p.list.OnTickAll = w.d.TickAll
	p.list.OnDelete = func(int) { p.askDelete() }
	p.list.OnMenu = func(i int, at fyne.Position) { p.list.Select(i); p.choose(i); p.menu(at) }
	p.empty = kit.NewText("", kit.ColorMuted, 13).Center().Fit()
	p.head = newRecordHead(p.sortBy)
	rows := kit.Column(0, kit.Sized(0, 24, p.head.obj), kit.NewRule(), kit.Stretch(container.NewStack(p.list, p.empty)))
	top := kit.NewPane(words.T("records.title"), rows, p.count, p.compare, p.export,
		kit.NewButton(words.T("records.import"), kit.Secondary, func() { w.c.run("importRecords") }).Small(),
		kit.NewButton(words.T("records.back"), kit.Secondary, w.hideSheet).Small())
	top.SetLeft(kit.Sized(220, 0, p.filter), kit.Sized(118, 0, p.session), kit.Sized(112, 0, p.outcome), kit.Sized(112, 0, p.cause), kit.Sized(112, 0, p.preset))
	p.nested, p.detail, p.restore, p.pair = newRecordNested(p), newRecordDetail(p), newRecordRestore(p), newRecordPairSheet(w, p.enter)
	right := w.split("recordRestore", false, p.detail.Object(), p.restore.pane, kit.KeepSecond, 372)
	lower := w.split("recordNested", false, p.nested.pane, right, kit.KeepFirst, 350)
	p.obj = w.split("records", true, top, lower, kit.KeepSecond, 430)
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
	f.Text, f.Outcomes, f.Causes, f.Session, f.Preset = strings.TrimSpace(p.filter.Text()), nil, nil, "", ""
	if i := p.session.Selected(); i > 0 {
		f.Session = p.facets.Sessions[i-1]
	}
	if i := p.preset.Selected(); i > 0 {
		f.Preset = p.facets.Presets[i-1]
	}
	if o := p.outcome.Selected(); o > 0 {
		f.Outcomes = outcomes[o-1 : o]
	}
	if c := p.cause.Selected(); c > 0 {
		f.Causes = causes[c-1 : c]
	}
	p.want = -1
	p.d.Untick()
	p.d.QueryRecords(f)
}

// tick chooses a row together with others, and looks at it.
func (p *recordsPane) tick(i int, upTo bool) {
	p.list.Select(i)
	if upTo {
		p.d.TickTo(i)
	} else {
		p.d.Tick(i)
	}
}

// offer lists the sessions and presets that there are records of.
func (p *recordsPane) offer(f store.Facets) {
	p.facets = f
	q := p.d.RecordQuery()
	names, at := []string{words.T("records.anySession")}, 0
	for i, s := range f.Sessions {
		if names = append(names, kit.Clean(shortened(s, 60))); s == q.Session {
			at = i + 1
		}
	}
	p.session.SetNames(names, at)
	names, at = []string{words.T("records.anyPreset")}, 0
	for i, s := range f.Presets {
		if names = append(names, kit.Clean(presetName(s))); s == q.Preset {
			at = i + 1
		}
	}
	p.preset.SetNames(names, at)
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
	key := "records.count"
	if p.d.RecordsUncounted() {
		key = "records.countAtLeast"
	}
	count := words.T(key, "shown", words.Int(int64(found)), "total", words.Int(int64(total)))
	ticked := p.d.TickedCount()
	if ticked > 0 {
		count += " · " + words.T("records.ticked", "count", ticked)
	}
	p.count.SetText(count)
	p.compare.SetEnabled(ticked == 2)
	p.export.SetEnabled(p.d.Store() != nil && total > 0)
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
	p.nested.update()
	p.detail.update()
	p.restore.update()
	p.pair.update()
}

// look shows the newest record when none was looked at.
func (p *recordsPane) look() {
	if p.d.Record() == nil {
		p.choose(p.d.FirstStored())
	}
}

// askDelete tells what deleting the chosen records frees and what stays, and
// deletes them when a person says so.
func (p *recordsPane) askDelete() {
	ids := p.d.Chosen()
	if len(ids) == 0 || p.d.Store() == nil {
		return
	}
	p.d.MeasureDelete(ids, func(e store.DeleteEffect, err error) {
		if err != nil {
			p.d.Fail(err)
			return
		}
		title := words.T("records.delete", "record", ids[0])
		if len(ids) > 1 {
			title = words.T("records.delete.many", "count", len(ids))
		}
		text := []string{words.T("records.delete.frees", "size", words.Bytes(e.Freed))}
		if e.Sharing > 0 {
			text = append(text, words.T("records.delete.sharing", "count", e.Sharing))
		}
		if e.Standing > 0 {
			text = append(text, words.T("records.delete.standing", "count", e.Standing))
		}
		text = append(text, words.T("records.delete.gone"))
		kit.Ask(p.w.win.Canvas(), title, strings.Join(text, " "), words.T("do.delete"), words.T("do.cancel"), kit.Danger, func() { p.d.DeleteRecords(ids) })
	})
}

func (p *recordsPane) menu(at fyne.Position) {
	kit.ShowMenu(p.w.win.Canvas(), []kit.MenuItem{
		{Text: words.T("records.open"), Run: p.openInWorkbench},
		{Text: words.T("why.record"), Disabled: !p.canTellWhy(), Run: p.whyRecord},
		{Text: words.T("do.restore"), Disabled: !p.canRestore(), Run: p.restore.ask},
		{Text: words.T("do.export"), Run: func() { showExportRecord(p.w) }},
		{Text: words.T("records.compare"), Disabled: p.d.TickedCount() != 2, Run: func() { p.w.c.run("compareRecords") }},
		{Text: words.T("records.do.delete"), Disabled: p.d.Store() == nil || len(p.d.Chosen()) == 0, Run: p.askDelete},
	}, at, 0)
}

// canRestore reports whether the record looked at stands on the history that is
// open, so that the pane of its originals offers to bring them back.
func (p *recordsPane) canRestore() bool { return len(p.restore.ladder) > 0 }

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

// enter opens the sheet.
func (p *recordsPane) enter() {
	p.w.showSheet(p.obj, nil)
	p.d.ReadFacets(p.offer)
	p.look()
	p.w.win.Canvas().Focus(p.list)
}

// visible reports whether the sheet is the one on the screen; nil is not.
func (p *recordsPane) visible() bool { return p != nil && p.w.showing(p.obj) }
