package records

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/dialogs"
	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/store"
)

// RecordsPane is the full-window sheet of stored compactions: the list above,
// the one looked at below.
type RecordsPane struct {
	d *desk.Desk
	w *screen.Host

	filter  *kit.TextField
	state   *kit.Select
	cause   *kit.Select
	preset  *kit.Select
	session *kit.Select
	facets  store.Facets // that the last two offer
	count   *kit.Text
	compare *kit.Button
	export  *kit.Button
	List    *kit.List
	head    *kit.ColumnHead
	empty   *kit.Text // says why the list shows nothing
	want    int       // row that was chosen while its record was being read; -1: none
	Nested  *recordNested
	Detail  *recordDetail
	Restore *recordRestore
	Pair    *recordPairSheet
	obj     fyne.CanvasObject
}

// stateFilters are the states that the list can be asked for, behind "any".
var stateFilters = []struct {
	word string
	set  func(*store.Filter)
}{
	{"storedOrInForce", func(f *store.Filter) { f.Outcomes, f.Off = []model.Outcome{model.Applied}, new(false) }},
	{"switchedOff", func(f *store.Filter) { f.Off = new(true) }},
	{"refused", func(f *store.Filter) { f.Outcomes = []model.Outcome{model.Refused} }},
	{"failed", func(f *store.Filter) { f.Outcomes = []model.Outcome{model.Failed} }},
	{"cancelled", func(f *store.Filter) { f.Outcomes = []model.Outcome{model.Cancelled} }},
}

var (
	causes = []model.Cause{model.CauseManual, model.CauseAutomatic, model.CauseReplay, model.CauseFound, model.CauseRestore}
)

func NewRecordsPane(w *screen.Host) *RecordsPane {
	p := &RecordsPane{d: w.Desk, w: w, want: -1}
	p.filter = kit.NewFilter(words.T("records.filter"), func(string) { p.ask() })
	names := []string{words.T("recordState.any")}
	for _, x := range stateFilters {
		names = append(names, words.T("recordState."+x.word))
	}
	p.state = kit.NewSelect(names, 0, func(int) { p.ask() })
	names = []string{words.T("records.anyCause")}
	for _, c := range causes {
		names = append(names, words.T("recordCause."+string(c)))
	}
	p.cause = kit.NewSelect(names, 0, func(int) { p.ask() })
	p.session = kit.NewSelect([]string{words.T("records.anySession")}, 0, func(int) { p.ask() })
	p.preset = kit.NewSelect([]string{words.T("records.anyPreset")}, 0, func(int) { p.ask() })
	p.count = kit.NewText("", kit.ColorMuted, 12)
	p.compare = kit.NewButton(words.T("records.compare"), kit.Secondary, func() { w.Commands.Run(commands.CompareRecords) }).Small()
	p.export = kit.NewButton(words.T("do.export"), kit.Secondary, func() { w.Commands.Run(commands.ExportRecords) }).Small()
	columns := p.columns()
	p.List = columns.NewList(24, p.Found)
	p.List.OnSelect = p.Choose
	p.List.OnOpen = func(int) { p.OpenInWorkbench() }
	p.List.OnTick = p.Tick
	p.List.OnTickAll = w.Desk.TickAll
	p.List.OnDelete = func(int) { p.AskDelete() }
	p.List.OnMenu = func(i int, at fyne.Position) { p.List.Select(i); p.Choose(i); p.menu(at) }
	p.empty = kit.NewText("", kit.ColorMuted, 13).Center().Fit()
	p.head = columns.NewHead(func(by any) { p.sortBy(by.(store.Sort)) })
	p.head.Mark(p.d.RecordQuery().Sort, false)
	rows := kit.Column(0, kit.Sized(0, 24, p.head.Object), kit.NewRule(), kit.Stretch(container.NewStack(p.List, p.empty)))
	top := kit.NewPane(words.T("records.title"), rows, p.count, p.compare, p.export,
		kit.NewButton(words.T("records.import"), kit.Secondary, func() { w.Commands.Run(commands.ImportRecords) }).Small(),
		kit.NewButton(words.T("records.back"), kit.Secondary, w.HideSheet).Small())
	top.SetLeft(kit.Sized(220, 0, p.filter), kit.Sized(118, 0, p.session), kit.Sized(126, 0, p.state), kit.Sized(112, 0, p.cause),
		kit.Sized(112, 0, p.preset))
	p.Nested, p.Detail, p.Restore, p.Pair = newRecordNested(p), newRecordDetail(p), newRecordRestore(p), newRecordPairSheet(w, p.Enter)
	right := w.Split("recordRestore", false, p.Detail.Object(), p.Restore.pane, kit.KeepSecond, 372)
	lower := w.Split("recordNested", false, p.Nested.pane, right, kit.KeepFirst, 350)
	p.obj = w.Split("records", true, top, lower, kit.KeepSecond, 430)
	p.d.Listen(desk.TopicRecords, p.update)
	p.d.Listen(desk.TopicSession, p.update)
	p.update()
	return p
}

func (p *RecordsPane) Found() int { n, _ := p.d.RecordCount(); return n }

// Choose looks at the record in a row, as soon as it is there.
func (p *RecordsPane) Choose(i int) {
	r := p.d.RecordAt(i)
	if r == nil {
		p.want = i
		return
	}
	p.want = -1
	p.d.SelectRecord(r.ID)
}

// ask has the list read that the head describes.
func (p *RecordsPane) ask() {
	f := desk.FirstQuery()
	f.Sort, f.Ascending, f.Text = p.d.RecordQuery().Sort, p.d.RecordQuery().Ascending, strings.TrimSpace(p.filter.Text())
	if i := p.session.Selected(); i > 0 {
		f.Session = p.facets.Sessions[i-1]
	}
	if i := p.preset.Selected(); i > 0 {
		f.Preset = p.facets.Presets[i-1]
	}
	if o := p.state.Selected(); o > 0 {
		stateFilters[o-1].set(&f)
	}
	if c := p.cause.Selected(); c > 0 {
		f.Causes = causes[c-1 : c]
		if causes[c-1] == model.CauseRestore {
			f.But = nil
		}
	}
	p.want = -1
	p.d.Untick()
	p.d.QueryRecords(f)
}

// Tick chooses a row together with others, and looks at it.
func (p *RecordsPane) Tick(i int, upTo bool) {
	p.List.Select(i)
	if upTo {
		p.d.TickTo(i)
	} else {
		p.d.Tick(i)
	}
}

// offer lists the sessions and presets that there are records of.
func (p *RecordsPane) offer(f store.Facets) {
	p.facets = f
	q := p.d.RecordQuery()
	names, at := []string{words.T("records.anySession")}, 0
	for i, s := range f.Sessions {
		if names = append(names, kit.Clean(show.Shortened(s, 60))); s == q.Session {
			at = i + 1
		}
	}
	p.session.SetNames(names, at)
	names, at = []string{words.T("records.anyPreset")}, 0
	for i, s := range f.Presets {
		if names = append(names, kit.Clean(show.PresetName(s))); s == q.Preset {
			at = i + 1
		}
	}
	p.preset.SetNames(names, at)
}

// sortBy orders the list by a column, the largest first; again turns it round.
func (p *RecordsPane) sortBy(column store.Sort) {
	f := p.d.RecordQuery()
	f.Ascending = f.Sort == column && !f.Ascending
	f.Sort, p.want = column, -1
	p.head.Mark(f.Sort, f.Ascending)
	p.d.QueryRecords(f)
}

// update shows the list.
func (p *RecordsPane) update() {
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
		p.Choose(at)
	} else if r := p.d.Record(); r != nil {
		at = p.d.RecordRow(r.ID)
	}
	p.List.Update()
	if p.List.Selected() != at {
		p.List.Select(at)
	}
	p.Nested.update()
	p.Detail.update()
	p.Restore.update()
	p.Pair.update()
}

// look shows the newest record when none was looked at.
func (p *RecordsPane) look() {
	if p.d.Record() == nil {
		p.Choose(0)
	}
}

// AskDelete shows what deleting the chosen records frees and what stays, and
// deletes them when a person says so.
func (p *RecordsPane) AskDelete() {
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
		kit.Ask(p.w.Win.Canvas(), title, strings.Join(text, " "), words.T("do.delete"), words.T("do.cancel"), kit.Danger,
			func() { p.d.DeleteRecords(ids) })
	})
}

func (p *RecordsPane) menu(at fyne.Position) {
	kit.ShowMenu(p.w.Win.Canvas(), []kit.MenuItem{
		{Text: words.T("records.open"), Run: p.OpenInWorkbench},
		{Text: words.T("why.record"), Disabled: !p.canTellWhy(), Run: p.whyRecord},
		{Text: words.T("do.restore"), Disabled: !p.CanRestore(), Run: p.Restore.Ask},
		{Text: words.T("do.export"), Run: func() { dialogs.ShowExportRecord(p.w) }},
		{Text: words.T("records.compare"), Disabled: p.d.TickedCount() != 2, Run: func() { p.w.Commands.Run(commands.CompareRecords) }},
		{Text: words.T("records.do.delete"), Disabled: p.d.Store() == nil || len(p.d.Chosen()) == 0, Run: p.AskDelete},
	}, at, 0)
}

// CanRestore reports whether the record looked at is on the history that is
// open, so that the pane of its originals offers to bring them back.
func (p *RecordsPane) CanRestore() bool { return len(p.Restore.Ladder) > 0 }

// canTellWhy reports whether the history that the record looked at was made of is
// the one that is open.
func (p *RecordsPane) canTellWhy() bool {
	r, s := p.d.Record(), p.d.Session()
	return r != nil && s != nil && s.Made(r)
}

// whyRecord opens the decision log of the record's parameters where it was made.
func (p *RecordsPane) whyRecord() {
	if r := p.d.Record(); p.canTellWhy() {
		p.w.LeaveSheet()
		p.w.Commands.Why(r.At, r)
	}
}

// OpenInWorkbench looks at the history the record was made of.
func (p *RecordsPane) OpenInWorkbench() {
	if r := p.d.Record(); r != nil {
		p.w.LeaveSheet()
		p.d.OpenRecord(r)
	}
}

// Enter opens the sheet.
func (p *RecordsPane) Enter() {
	p.w.ShowSheet(p.obj, nil)
	p.d.ReadFacets(p.offer)
	p.look()
	p.w.Win.Canvas().Focus(p.List)
}

// Visible reports whether the sheet is the one on the screen; nil is not.
func (p *RecordsPane) Visible() bool { return p != nil && p.w.Showing(p.obj) }
