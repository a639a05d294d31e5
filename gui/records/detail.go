package records

import (
	"slices"
	"strings"

	"palimpsest/gui/state"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/gui/dialogs"
	"palimpsest/gui/kit"
	"palimpsest/gui/kit/reading"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/body"
)

// recordDetail shows the record looked at: its summary, what it covered, its
// parameters, all of it as JSON, and where it is from.
type recordDetail struct {
	p      *RecordsPane
	d      *State
	pane   *kit.Pane
	tabs   *kit.Segments
	tabRow *fyne.Container
	how    *kit.Segments // how the summary is read

	body    *fyne.Container
	text    *reading.View
	Covered *recordCovered
	Log     *recordLog
	Facts   *recordFacts
	Params  *show.FigureTable
	origin  *recordOrigin
	open    *kit.Button
	export  *kit.Button
	remove  *kit.Button
	lost    *kit.Button // a search of what it took
	record  *model.Record

	middle *kit.Split      // the body, and where the record is from
	width  *fyne.Container // of the body, its least
	effect sidePart
}

// sidePart is what is beside the body, or a tab of it where there is no room.
type sidePart struct {
	name  string
	place *fyne.Container // beside the body
	obj   fyne.CanvasObject
	inTab bool
}

// move takes the part to its tab, or back to its place.
func (x *sidePart) move(toTab bool) {
	x.inTab = toTab
	x.place.Objects = nil
	if !toTab {
		x.place.Objects = []fyne.CanvasObject{x.obj}
	}
	x.place.Refresh()
}

// The tabs of the detail.
const (
	TabSummary = iota
	TabCovered
	TabParameters
	TabLog
	TabFacts
	TabJSON // after it the effect, where it has no room beside the body
)

// The least widths of the body, in units of the design: of text, which is broken, and
// of tables.
const (
	leastText  = 240
	leastTable = 480
)

func newRecordDetail(p *RecordsPane) *recordDetail {
	r := &recordDetail{p: p, d: p.d}
	r.tabs = kit.NewSegments(tabNames(nil), 0, func(int) { r.fill() }).Folding()
	r.how = kit.NewSegments(show.ReadingNames(), 0, func(int) { r.fill() })
	r.text = reading.New(p.d.Scheduler())
	r.text.OnLink = func(to string) bool {
		at, ok := show.MessageOf(to)
		return ok && r.goTo(p.d.RecordView.Nested(), at)
	}
	r.Covered, r.Log, r.Facts = newRecordCovered(p), newRecordLog(p), newRecordFacts(p.d)
	r.Params = show.NewFigureTableOf(p.d, words.T("compare.setting"), 108)
	r.body = container.NewStack(r.text)
	r.origin = newRecordOrigin(p.d, func() { p.w.Commands.Toast(words.T("shell.copied"), "", nil) })
	r.open = kit.NewButton(words.T("records.open"), kit.Secondary, p.OpenInWorkbench).WithTip("records.open.tip")
	r.export = kit.NewButton(words.T("do.export"), kit.Secondary, func() { dialogs.ShowExportRecord(p.w) }).WithTip("do.export.tip")
	r.remove = kit.NewButton(words.T("records.do.delete"), kit.Danger, p.askDeleteShown).WithTip("records.do.delete.tip")
	r.lost = kit.NewButton(words.T("find.inLost"), kit.Secondary, p.findLost).WithTip("find.inLost.tip")
	foot := kit.Pad(8, 10, 8, 10, kit.Lines(8, r.open, r.lost, r.export, kit.Spring(), r.remove))
	r.effect = sidePart{name: words.T("records.effect"), place: container.NewStack(r.origin.obj), obj: r.origin.obj}
	beside := kit.Sized(256, 0, container.NewBorder(nil, nil, kit.NewRule(), nil, r.effect.place))
	r.width = container.NewStack(kit.Sized(leastText, 0, kit.Pad(6, 6, 6, 12, r.body)))
	r.middle = kit.NewSplit(false, r.width, beside, kit.KeepSecond, 256).Within().
		Spare(beside, func(gone bool) { r.effect.move(gone); r.name() })
	r.tabRow = kit.Row(8, r.tabs, kit.Spring(), r.how)
	r.pane = kit.NewPane(words.T("records.none"),
		kit.Column(0, kit.Pad(5, 10, 5, 10, r.tabRow), kit.NewRule(), kit.Stretch(r.middle), kit.NewRule(), foot))
	r.update()
	return r
}

// Object is what the sheet shows.
func (r *recordDetail) Object() fyne.CanvasObject { return r.pane }

// tabNames are the words of the tabs; that of the covered messages shows their
// number.
func tabNames(rec *model.Record) []string {
	covered, parameters := words.T("records.covered"), words.T("records.parameters")
	if rec != nil && rec.Covered > 0 && rec.Cause != model.CauseRestore {
		covered += " " + words.Int(int64(rec.Messages()))
		if rec.Formers > 0 {
			covered += " + " + words.Int(int64(rec.Formers))
		}
	}
	if rec != nil {
		if list, _ := compaction.Changed(rec.Policy); len(list) > 0 && rec.Cause != model.CauseFound {
			parameters = words.T("records.parameters.changed", "count", len(list))
		}
	}
	return []string{words.T("records.summary"), covered, parameters, words.T("recordLog.title"),
		words.T("result.survives"), words.T("records.json")}
}

// wentInFull is what a record took; "": nothing.
func wentInFull(rec *model.Record) string {
	if rec.Covered == 0 || rec.Cause == model.CauseRestore {
		return ""
	}
	return show.Went(rec.Messages(), rec.Formers)
}

// Show turns to a tab.
func (r *recordDetail) Show(tab int) {
	r.tabs.Select(tab)
	r.fill()
}

// update shows the record looked at.
func (r *recordDetail) update() {
	rec := r.d.RecordView.Record()
	r.open.SetEnabled(rec != nil)
	r.export.SetEnabled(rec != nil)
	r.remove.SetEnabled(rec != nil && r.d.CanStore() && rec.Cause != model.CauseFound)
	r.lost.SetEnabled(r.p.canFindLost())
	if rec == r.record && rec != nil {
		r.head(rec) // its state is another once a history opens or closes
		r.origin.show(rec, r.d.RecordView.Nested())
		if r.tabs.Selected() != TabSummary {
			r.fill()
		}
		return
	}
	r.record = rec
	if rec == nil {
		r.pane.SetTitle(words.T("records.none"))
		r.pane.SetLeft()
		r.pane.SetRight()
		r.name()
		r.origin.show(nil, nil)
		r.body.Objects = []fyne.CanvasObject{kit.NewText(noneWords(r.d), kit.ColorMuted, 13).Center().Fit()}
		r.body.Refresh()
		return
	}
	r.name()
	r.head(rec)
	r.origin.show(rec, r.d.RecordView.Nested())
	r.fill()
}

// head names a record and its state above what it holds.
func (r *recordDetail) head(rec *model.Record) {
	glyph, color, state := show.StateLook(r.d.RecordView, rec)
	r.pane.SetTitle(rec.ID)
	r.pane.SetLeft(kit.NewTag(words.T("recordCause."+string(rec.Cause)), kit.ColorMuted),
		kit.Row(5, kit.NewSign(glyph, color, 12), kit.NewText(state, kit.ColorMuted, 12)),
		kit.Means(kit.NewText(wentInFull(rec), kit.ColorMuted, 12), "records.went.means"),
		kit.NewText(show.Shortened(show.RecordSession(rec), 40), kit.ColorMuted, 12))
	r.pane.SetRight(kit.Means(kit.NewText(recordMoment(rec.Time), kit.ColorMuted, 12), "records.time.means"))
}

// name gives the tabs their names.
func (r *recordDetail) name() {
	names := tabNames(r.record)
	if r.effect.inTab {
		names = append(names, r.effect.name)
	}
	at := r.tabs.Selected()
	if r.tabs.SetNames(names); at >= len(names) {
		r.tabs.Select(TabSummary)
	}
	r.tabRow.Refresh()
	if at > TabJSON {
		r.fill()
	}
}

// fill shows what the chosen tab holds.
func (r *recordDetail) fill() {
	rec := r.record
	if rec == nil {
		return
	}
	tab := r.tabs.Selected()
	show.SetVisible(r.how, tab == TabSummary && rec.Summary != "")
	if tab > TabJSON && r.effect.inTab {
		r.put(r.effect.obj)
		return
	}
	switch tab {
	case TabCovered:
		r.put(r.Covered.obj)
		r.Covered.update(rec)
		return
	case TabParameters:
		if rec.Cause != model.CauseFound {
			r.put(r.Params.Obj)
			r.Params.Set(words.T("records.value"), presetHead(rec), words.T("records.changed"), parameterRows(rec))
			return
		}
	case TabLog:
		r.put(r.Log.list)
		r.Log.update(rec)
		return
	case TabFacts:
		r.put(r.Facts.obj)
		r.Facts.update()
		return
	}
	r.put(r.text)
	r.text.Mark(r.p.mark)
	how := show.Reading(r.how.Selected())
	r.text.Read(false, func() *body.Doc {
		o := body.Options{Bytes: tab == TabJSON}
		if tab == TabSummary && rec.Summary != "" {
			o.Links, o.Plain, o.Bytes = show.SummaryLinks, how == show.ReadText, how == show.ReadRaw
		}
		return body.Read([]model.Part{{Text: TabText(rec, tab)}}, o)
	})
}

// goTo shows a message that the summary names among those that were taken, by this record
// or by one below it.
func (r *recordDetail) goTo(n *session.Nested, message int) bool {
	if n == nil {
		return false
	}
	for _, o := range n.Originals {
		if o.Formers == 0 && message >= o.Numbers.From && message < o.Numbers.To {
			if r.Covered.want = o.From + message - o.Numbers.From; n.ID != r.record.ID {
				r.d.RecordView.SelectRecord(n.ID)
			}
			r.Show(TabCovered)
			return true
		}
	}
	return slices.ContainsFunc(n.Inner, func(in *session.Nested) bool { return r.goTo(in, message) })
}

func (r *recordDetail) put(o fyne.CanvasObject) {
	if len(r.body.Objects) == 1 && r.body.Objects[0] == o {
		return
	}
	r.body.Objects = []fyne.CanvasObject{o}
	r.body.Refresh()
	least := float32(leastTable)
	if o == r.text {
		least = leastText
	}
	r.width.Objects = []fyne.CanvasObject{kit.Sized(least, 0, kit.Pad(6, 6, 6, 12, r.body))}
	r.middle.Refresh()
}

// TabText is the text of a tab.
func TabText(rec *model.Record, tab int) string {
	switch tab {
	case TabParameters:
		return words.T("records.notRecorded")
	case TabJSON:
		var b strings.Builder
		if err := state.WriteJSON(&b, rec); err != nil {
			return err.Error()
		}
		return b.String()
	}
	switch {
	case rec.Summary != "":
		return rec.Summary
	case rec.Cause == model.CauseRestore:
		return words.T("records.noSummary.restore", "records", strings.Join(rec.Parents, ", "))
	case rec.Reason != "":
		return show.RecordReason(rec)
	}
	return words.T("records.noSummary")
}

// presetHead is the head of the values of a record's preset; "": it is not known
// here.
func presetHead(rec *model.Record) string {
	if _, ok := compaction.PresetByID(rec.Policy.Preset); !ok {
		return ""
	}
	return show.PresetName(rec.Policy.Preset)
}

// parameterRows are the parameters of a record beside those of its preset. Those
// that were changed are marked; rare ones are left out unless they were.
func parameterRows(rec *model.Record) (rows []show.FigureRow) {
	preset, known := compaction.PresetByID(rec.Policy.Preset)
	changed, _ := compaction.Changed(rec.Policy)
	for _, x := range model.Params() {
		differs := slices.Contains(changed, x)
		if x.Rank == model.Rare && !differs {
			continue
		}
		row := show.FigureRow{Name: words.T(x.Word), A: show.ParamWords(x, &rec.Policy), Color: kit.ColorAccent}
		if known && !x.Own {
			row.B = show.ParamWords(x, &preset.Policy)
		}
		if differs {
			row.Change = words.T("records.changed.mark")
		}
		rows = append(rows, row)
	}
	return rows
}
