package records

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"palimpsest/gui/state"
	staterecords "palimpsest/gui/state/records"

	"fyne.io/fyne/v2"

	"palimpsest/gui/commands"
	"palimpsest/gui/dialogs"
	"palimpsest/gui/kit"
	"palimpsest/gui/kit/grid"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/state/undo"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/store"
)

// RecordsPane is the full-window sheet of stored compactions: the list above,
// the one looked at below.
type RecordsPane struct {
	d *State
	w *screen.Host

	filter  *kit.TextField
	state   *kit.Select
	cause   *kit.Select
	count   *kit.Text
	Grid    *grid.Grid
	List    *kit.List // of its rows
	bar     *grid.Bar // for what is done with the ticked records
	compare *kit.Button
	remove  *kit.Button
	damage  *fyne.Container // above the list: what can be read of a damaged database
	rest    *kit.Text
	group   *kit.Select
	choose  *kit.Button // which columns are shown
	empty   *kit.Text   // says why the list shows nothing
	clear   *kit.Button // clears the filter where nothing passes
	none    fyne.CanvasObject
	mark    *regexp.Regexp // what the filter looks for; nil: nothing
	made    string         // record that was made and may be hidden by the filter; "": none
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

var causes = []model.Cause{model.CauseManual, model.CauseAutomatic, model.CauseReplay, model.CauseFound, model.CauseRestore}

func NewRecordsPane(w *screen.Host, d *State) *RecordsPane {
	p := &RecordsPane{d: d, w: w}
	p.filter = kit.NewFilter(words.T("records.filter"), func(string) { p.ask() })
	names := []string{words.T("recordState.any")}
	for _, x := range stateFilters {
		names = append(names, words.T("recordState."+x.word))
	}
	p.state = kit.NewSelect(names, 0, func(int) { p.ask() })
	names = []string{words.T("records.noRestores"), words.T("records.anyCause")}
	for _, c := range causes {
		names = append(names, words.T("recordCause."+string(c)))
	}
	p.cause = kit.NewSelect(names, 0, func(int) { p.ask() })
	p.count = kit.NewText("", kit.ColorMuted, 12)
	p.newGrid()
	p.empty = kit.NewText("", kit.ColorMuted, 13).Center().Fit()
	p.clear = kit.NewButton(words.T("records.clearFilter"), kit.Secondary, p.ClearFilter).WithTip("records.clearFilter.tip").Small()
	p.none = kit.Column(8, kit.Spring(), p.empty, kit.Row(0, kit.Spring(), p.clear, kit.Spring()), kit.Spring())
	p.group = kit.NewSelect([]string{words.T("records.bySession"), words.T("records.flat")}, 0, func(i int) {
		w.Settings.SetFlat("records", i == 1)
		p.d.RecordList.GroupRecords(i == 0)
	})
	if w.Settings.Flat("records") {
		p.group.Select(1)
	}
	p.d.RecordList.GroupRecords(!w.Settings.Flat("records"))
	p.choose = kit.NewButton(words.T("grid.columns"), kit.Secondary, p.chooseColumns).WithTip("grid.columns.tip").OpensMenu().Small()
	small := func(word string, do func()) *kit.Button {
		return kit.NewButton(words.T(word), kit.Secondary, do).WithTip(word + ".tip").Small()
	}
	p.rest = kit.NewText("", kit.ColorText, 13).Fit()
	repair := kit.NewButton(words.T("storage.repair"), kit.Secondary, nil).Does(w.Commands, commands.Storage).Small()
	p.damage = kit.Column(0, kit.Sized(0, 36, kit.Pad(0, 8, 0, 12,
		kit.Row(8, kit.NewSign(kit.GlyphError, kit.ColorError, 14), kit.Stretch(p.rest), repair))), kit.NewRule())
	p.damage.Hide()
	rows := kit.Column(0, p.damage, kit.Stretch(p.Grid.Object(p.none)), p.bar.Object)
	top := kit.NewPane(words.T("records.title"), rows, kit.Means(p.count, "records.count.means"),
		small("records.import", func() { w.Commands.Run(commands.ImportRecords) }),
		small("records.exportAll", func() { w.Commands.Run(commands.ExportRecords) }),
		small("trash.button", func() { dialogs.ShowTrash(w) }),
		p.choose, small("records.back", p.leave))
	top.SetLeft(kit.Sized(332, 0, p.filter), kit.Sized(120, 0, p.state), kit.Sized(108, 0, p.cause), kit.Sized(118, 0, p.group))
	p.Detail, p.Restore, p.Pair = newRecordDetail(p), newRecordRestore(p), newRecordPairSheet(w, d, p.Enter)
	lower := w.Split("recordOriginals", false, kit.Sized(420, 0, p.Detail.Object()), p.Restore.pane, kit.KeepSecond, 620)
	p.obj = w.Split("recordsList", true, top, lower, kit.KeepShare, .44)
	p.d.Listen(state.TopicRecords, p.update)
	p.d.Listen(state.TopicSession, p.update)
	p.d.Listen(state.TopicHistory, p.noteMade)
	p.update()
	return p
}

// newGrid makes the table of the records and the strip at its foot.
func (p *RecordsPane) newGrid() {
	g := grid.New(p.columns(), p.Found)
	p.Grid, p.List = g, g.List()
	g.Groups = p.groups
	g.Ticked = func(i int) bool { r := p.d.RecordList.RecordAt(i); return r != nil && p.d.RecordList.Ticked(r.ID) }
	g.AllTicked = func() (all, some bool) {
		n := p.d.RecordList.TickedCount()
		return n > 0 && n == p.Found(), n > 0
	}
	g.OnSelect, g.OnTick, g.OnTickAll, g.OnTickRows = p.Choose, p.Tick, p.d.RecordList.TickAll, p.d.RecordList.TickRows
	g.OnOpen = func(int) { p.OpenInWorkbench() }
	g.OnDelete = func() { p.AskDelete(p.d.RecordList.Chosen()) }
	g.OnMenu = func(i int, at fyne.Position) { p.Choose(i); p.menu(at) }
	g.OnEscape = p.escape
	g.OnSort = func(column string) { p.sortBy(sorts[column]) }
	g.OnCopy = func(text string) {
		kit.Copy(text)
		p.w.Commands.Toast(words.T("shell.copied"), "", nil)
	}
	var layout grid.Layout
	if json.Unmarshal([]byte(p.w.Settings.Columns("records")), &layout) == nil {
		g.SetLayout(layout)
	}
	g.OnLayout = func(l grid.Layout) {
		if b, err := json.Marshal(l); err == nil {
			p.w.Settings.SetColumns("records", string(b))
		}
		p.nameColumns()
	}
	p.markOrder()
	p.compare = kit.NewButton(words.T("records.compare"), kit.Secondary, nil).Does(p.w.Commands, commands.CompareRecords).Small()
	export := kit.NewButton(words.T("do.export"), kit.Secondary, nil).Does(p.w.Commands, commands.ExportRecords).Small()
	p.remove = kit.NewButton(words.T("do.delete"), kit.Danger, func() { p.AskDelete(p.d.RecordList.Chosen()) })
	p.remove.WithTip("do.delete.tip").Small()
	untick := kit.NewButton(words.T("grid.clear"), kit.Secondary, p.d.RecordList.Untick).WithTip("grid.clear.tip").Small()
	p.bar = grid.NewBar(words.T("grid.nothing"), p.compare, export, p.remove, untick)
}

// markOrder marks the column that the list is ordered by.
func (p *RecordsPane) markOrder() {
	q := p.d.RecordList.RecordQuery()
	for column, by := range sorts {
		if by == q.Sort {
			p.Grid.Sorted(column, q.Ascending)
		}
	}
}

// nameColumns says on the button how many columns have no room.
func (p *RecordsPane) nameColumns() {
	text := words.T("grid.columns")
	if n := len(p.Grid.Missing()); n > 0 {
		text += " · " + words.T("grid.missing", "count", n)
	}
	p.choose.SetText(text)
}

// chooseColumns opens the menu of columns below its button.
func (p *RecordsPane) chooseColumns() {
	at := p.w.App.Driver().AbsolutePositionForObject(p.choose)
	p.Grid.ShowColumns(p.w.Win.Canvas(), at.AddXY(0, p.choose.Size().Height+4))
}

// noteMade notes a record that came into the list.
func (p *RecordsPane) noteMade() {
	s := p.d.LastStep()
	if s == nil || s.Undone || !p.Visible() || s.Kind != undo.Reapply && s.Kind != undo.Import && s.Kind != undo.Undelete {
		return
	}
	p.made = s.Change.Back[len(s.Change.Back)-1]
}

// sayHidden says that a record that was made does not pass the filter.
func (p *RecordsPane) sayHidden() {
	if p.made == "" || p.d.Scheduler().Running("records") {
		return
	}
	id := p.made
	if p.made = ""; p.filtered() && p.d.RecordList.RecordRow(id) < 0 {
		p.w.Commands.Toast(words.T("records.hidden", "record", id), words.T("records.hidden.show"), func() {
			p.ClearFilter()
			p.d.RecordView.SelectRecord(id)
		})
	}
}

// escape is the key Esc in the list: it ends the ticks, then the filter.
func (p *RecordsPane) escape() bool {
	switch {
	case p.d.RecordList.TickedCount() > 0:
		p.d.RecordList.Untick()
	case p.filtered():
		p.ClearFilter()
	default:
		return false
	}
	return true
}

// filtered reports whether the head asks for less than all.
func (p *RecordsPane) filtered() bool {
	return p.filter.Text() != "" || p.state.Selected()+p.cause.Selected() > 0
}

// ClearFilter asks for all records again.
func (p *RecordsPane) ClearFilter() {
	for _, s := range []*kit.Select{p.state, p.cause} {
		s.Select(0)
	}
	p.filter.SetText("")
	p.ask()
}

func (p *RecordsPane) Found() int { n, _ := p.d.RecordList.RecordCount(); return n }

// Choose looks at the record in a row.
func (p *RecordsPane) Choose(i int) {
	if r := p.d.RecordList.RecordAt(i); r != nil {
		p.d.RecordView.SelectRecord(r.ID)
	}
}

// ask has the list read that the head describes.
func (p *RecordsPane) ask() {
	f := staterecords.FirstQuery()
	q := p.d.RecordList.RecordQuery()
	f.Sort, f.Ascending, f.Text = q.Sort, q.Ascending, strings.TrimSpace(p.filter.Text())
	if o := p.state.Selected(); o > 0 {
		stateFilters[o-1].set(&f)
	}
	if c := p.cause.Selected(); c > 0 {
		f.But = nil
		f.Causes = causes[max(c-2, 0) : c-1] // none: any
	}
	if p.mark = nil; f.Text != "" {
		p.mark = regexp.MustCompile("(?i)" + regexp.QuoteMeta(f.Text))
	}
	p.Detail.text.Mark(p.mark)
	p.d.RecordList.Untick()
	p.d.RecordList.QueryRecords(f)
}

// Searching reports whether there is a place to step to.
func (p *RecordsPane) Searching() bool { return p.mark != nil && p.Found() > 0 }

// StepHit goes to the next place in the summary that is read, and from its last one to the
// next record.
func (p *RecordsPane) StepHit(by int) {
	if p.Detail.tabs.Selected() == TabSummary && p.Detail.text.StepMark(by) {
		return
	}
	for i := range show.RoundFrom(p.List.Selected(), by, p.Found()) {
		p.Choose(i)
		p.Detail.Show(TabSummary)
		return
	}
}

// Tick chooses a row together with others, and looks at it.
func (p *RecordsPane) Tick(i int, upTo bool) {
	p.Grid.Select(i)
	if upTo {
		p.d.RecordList.TickTo(i)
	} else {
		p.d.RecordList.Tick(i)
	}
}

// sortBy orders the list by a column, the largest first; again turns it round.
func (p *RecordsPane) sortBy(column store.Sort) {
	f := p.d.RecordList.RecordQuery()
	f.Ascending = f.Sort == column && !f.Ascending
	f.Sort = column
	p.d.RecordList.QueryRecords(f)
	p.markOrder()
}

// update shows the list.
func (p *RecordsPane) update() {
	found, total := p.d.RecordList.RecordCount()
	shown, inFile := p.d.RecordList.FoundCount()
	count := words.T("records.count", "shown", words.Int(int64(found-shown)), "total", words.Int(int64(p.d.RecordList.StoredCount())))
	if inFile > 0 {
		count += " · " + words.T("records.found", "count", shown)
	}
	p.count.SetText(count)
	ticked, names := p.d.RecordList.TickedCount(), ""
	if ticked > 0 {
		names = namesOf(p.d.RecordList.TickedIDs())
		count = words.T("grid.selected", "count", ticked)
	} else {
		count = ""
	}
	p.bar.Set(count, names)
	p.compare.SetEnabled(ticked == 2)
	p.compare.SetText(map[bool]string{true: words.T("records.compare"), false: words.T("records.compareTakes")}[ticked == 2])
	chosen := len(p.d.RecordList.Chosen())
	p.remove.SetText(words.T("records.deleteCount", "count", chosen))
	p.remove.SetEnabled(p.d.CanStore() && chosen > 0)
	p.sayDamage()
	p.clear.Hide()
	if found == 0 && p.filtered() {
		p.clear.Show()
	}
	if found > 0 {
		p.none.Hide()
	} else {
		p.none.Show()
	}
	switch {
	case found > 0:
		p.empty.SetText("")
	case total > 0:
		p.empty.SetText(words.T("records.noMatch", "count", total))
	default:
		p.empty.SetText(noneWords(p.d))
	}
	at := -1
	if r := p.d.RecordView.Record(); r != nil {
		at = p.d.RecordList.RecordRow(r.ID)
	}
	p.sayHidden()
	if p.Visible() {
		p.d.RecordList.ReadCopies(false)
	}
	p.Grid.Update()
	p.Grid.Select(at)
	p.nameColumns()
	p.Detail.update()
	p.Restore.update()
	p.Pair.update()
}

// sayDamage says above the list how much of a damaged database it can show.
func (p *RecordsPane) sayDamage() {
	st := p.d.Store()
	if st == nil {
		return
	}
	r, damaged := st.Rest()
	if damaged {
		p.rest.SetText(show.DamagedWords(r))
	}
	show.SetVisible(p.damage, damaged)
}

// look shows the newest record of the open session, if it has any and the one looked at is of
// another history; the newest of all when none was looked at.
func (p *RecordsPane) look() {
	of := func(r model.Record) bool { return p.d.RecordView.SameHistory(&r) }
	if r := p.d.RecordView.Record(); r == nil || !of(*r) {
		if at := slices.IndexFunc(p.d.RecordList.Records(), of); at >= 0 || r == nil {
			p.Choose(max(0, at))
		}
	}
}

// AskDelete names records and what was made on them, and deletes them when a person
// says so.
func (p *RecordsPane) AskDelete(ids []string) {
	if len(ids) == 0 || !p.d.CanStore() {
		return
	}
	p.d.RecordList.MeasureDelete(ids, func(e store.DeleteEffect, err error) {
		if err != nil {
			p.d.Fail(err)
			return
		}
		title := words.T("records.delete", "record", ids[0])
		if len(ids) > 1 {
			title = words.T("records.delete.many", "count", len(ids))
		}
		var text []string
		if len(ids) > 1 {
			text = append(text, namesOf(ids)+".")
		}
		if n := len(e.Standing); n > 0 {
			text = append(text, words.T("records.delete.standing", "count", n, "records", namesOf(e.Standing)))
		}
		if in := p.inForce(ids); len(in) > 0 {
			text = append(text, words.T("records.delete.inForce", "records", namesOf(in)))
		}
		text = append(text, words.T("records.delete.trash", "count", len(ids)))
		kit.Ask(p.w.Win.Canvas(), title, strings.Join(text, " "), words.T("do.delete"), words.T("do.cancel"), kit.Danger,
			func() { p.d.RecordList.DeleteRecords(ids) })
	})
}

// inForce are those of some records that are in force in the history looked at.
func (p *RecordsPane) inForce(ids []string) (in []string) {
	if s := p.d.Session(); s != nil {
		for _, r := range s.Stack() {
			if slices.Contains(ids, r.ID) {
				in = append(in, r.ID)
			}
		}
	}
	return in
}

// askDeleteShown asks for the record shown alone, whatever is ticked.
func (p *RecordsPane) askDeleteShown() {
	if r := p.d.RecordView.Record(); r != nil && r.Cause != model.CauseFound {
		p.AskDelete([]string{r.ID})
	}
}

// namesOf lists records; from the eighth on they are counted.
func namesOf(ids []string) string {
	const named = 7
	if len(ids) <= named {
		return strings.Join(ids, ", ")
	}
	return words.T("records.names", "names", strings.Join(ids[:named], ", "), "count", len(ids)-named)
}

func (p *RecordsPane) menu(at fyne.Position) {
	kit.ShowMenu(p.w.Win.Canvas(), []kit.MenuItem{
		{Text: words.T("records.open"), Run: p.OpenInWorkbench},
		{Text: words.T("do.restore"), Disabled: !p.CanRestore(), Run: p.Restore.Ask},
		{Text: words.T("find.inLost"), Disabled: !p.canFindLost(), Run: p.findLost},
		{Text: words.T("do.export"), Run: func() { dialogs.ShowExportRecord(p.w) }},
		{Text: words.T("records.compare"), Disabled: p.d.RecordList.TickedCount() != 2,
			Run: func() { p.w.Commands.Run(commands.CompareRecords) }},
		{Text: words.T("records.do.delete"), Disabled: p.d.Store() == nil || len(p.d.RecordList.Chosen()) == 0,
			Run: func() { p.AskDelete(p.d.RecordList.Chosen()) }},
	}, at, 0)
}

// CanRestore reports whether the record looked at is on the history that is
// open, so that the pane of its originals offers to bring them back.
func (p *RecordsPane) CanRestore() bool { return len(p.Restore.Ladder) > 0 }

// canFindLost reports whether the record looked at took messages out of a history.
func (p *RecordsPane) canFindLost() bool {
	r := p.d.RecordView.Record()
	return r != nil && p.d.Store() != nil && r.Outcome == model.Applied && r.Cause != model.CauseRestore && r.Cause != model.CauseFound
}

// findLost searches what the record looked at took.
func (p *RecordsPane) findLost() {
	p.w.Commands.Lost(p.d.RecordView.Record().ID, p.d.RecordList.RecordQuery().Text)
}

// OpenInWorkbench looks at the history the record was made of.
func (p *RecordsPane) OpenInWorkbench() {
	if r := p.d.RecordView.Record(); r != nil {
		p.w.LeaveSheet()
		p.d.RecordView.OpenRecord(r)
	}
}

// noneWords says why no record is listed.
func noneWords(d *State) string {
	if d.StoreUnopened() {
		return words.T("records.unopened")
	}
	return words.T("records.none.next")
}

// Enter opens the sheet.
func (p *RecordsPane) Enter() {
	p.w.ShowSheet(p.obj, p.leave)
	p.w.Find = p.filter.Focus
	p.d.RecordList.ReadCopies(true)
	p.look()
	p.w.Win.Canvas().Focus(p.List)
}

// leave closes the sheet; what is ticked is ticked no more.
func (p *RecordsPane) leave() {
	p.d.RecordList.Untick()
	p.w.HideSheet()
}

// Visible reports whether the sheet is the one on the screen; nil is not.
func (p *RecordsPane) Visible() bool { return p != nil && p.w.Showing(p.obj) }
