package gui

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/sched"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// recordDetail shows the record looked at: its summary, what it covered, its
// parameters, all of it as JSON, and where it is from.
type recordDetail struct {
	p    *recordsPane
	d    *desk.Desk
	pane *kit.Pane
	tabs *kit.Segments

	body    *fyne.Container
	text    *kit.TextView
	runs    *kit.List
	origin  *fyne.Container
	verify  *kit.Link
	proof   *kit.Text
	open    *kit.Button
	restore *kit.Button
	export  *kit.Button
	remove  *kit.Button
	why     *kit.Text
	log     *kit.Button
	record  *model.Record
	facts   []model.FactTally
	checked string // UID of the record whose originals were verified
}

// The tabs of the detail.
const (
	tabSummary = iota
	tabCovered
	tabParameters
	tabJSON
)

func newRecordDetail(p *recordsPane) *recordDetail {
	r := &recordDetail{p: p, d: p.d}
	r.tabs = kit.NewSegments([]string{words.T("records.summary"), words.T("records.covered"), words.T("records.parameters"), words.T("records.json")}, 0, func(int) { r.fill() })
	r.text = kit.NewTextView(false, false)
	r.text.OnMetrics = func() { r.fill() }
	r.runs = kit.NewList(24, r.runCount, func() kit.ListRow { return newRunRow(r) })
	r.body = container.NewStack(r.text)
	r.origin = kit.Column(0)
	r.proof = kit.NewText("", kit.ColorMuted, 12).Fit()
	r.verify = kit.NewLink(words.T("records.verify"), r.check)
	r.open = kit.NewButton(words.T("records.open"), kit.Secondary, p.openInWorkbench)
	r.export = kit.NewButton(words.T("do.export"), kit.Secondary, p.w.showExportRecord)
	r.remove = kit.NewButton(words.T("records.do.delete"), kit.Danger, p.askDelete)
	r.restore = kit.NewButton(words.T("do.restore"), kit.Primary, p.restore)
	r.why = kit.NewText("", kit.ColorFaint, 12).Fit()
	r.log = kit.NewButton(words.T("why.record"), kit.Secondary, p.whyRecord)
	foot := kit.Pad(8, 10, 8, 10, kit.Row(8, r.open, r.log, r.export, r.remove, kit.Stretch(kit.Pad(0, 4, 0, 6, r.why)), r.restore))
	side := container.NewVScroll(kit.Pad(8, 12, 8, 14, r.origin))
	middle := kit.NewSplit(false, kit.Pad(6, 6, 6, 12, r.body), container.NewBorder(nil, nil, kit.NewRule(), nil, side), kit.KeepSecond, 470)
	r.pane = kit.NewPane(words.T("records.none"), kit.Column(0, kit.Stretch(middle), kit.NewRule(), foot), r.tabs)
	r.update()
	return r
}

// Object is what the sheet shows.
func (r *recordDetail) Object() fyne.CanvasObject { return r.pane }

func (r *recordDetail) runCount() int {
	if r.record == nil {
		return 0
	}
	return len(r.record.Runs)
}

// update shows the record looked at.
func (r *recordDetail) update() {
	rec := r.d.Record()
	for _, b := range []*kit.Button{r.open, r.export} {
		b.SetEnabled(rec != nil)
	}
	r.remove.SetEnabled(rec != nil && r.d.Store() != nil)
	r.restore.SetEnabled(r.p.canRestore())
	r.log.SetEnabled(r.p.canTellWhy())
	r.why.SetText(r.whyNot(rec))
	if rec == r.record && rec != nil {
		if list := r.d.RecordFacts(); len(list) != len(r.facts) {
			r.fillOrigin(rec)
		}
		return
	}
	r.record = rec
	if rec == nil {
		r.pane.SetTitle(words.T("records.none"))
		r.pane.SetLeft()
		r.origin.Objects = nil
		r.body.Objects = []fyne.CanvasObject{kit.NewText(words.T("records.none.next"), kit.ColorMuted, 13).Center().Fit()}
		r.body.Refresh()
		r.origin.Refresh()
		return
	}
	glyph, color, outcome := outcomeLook(rec)
	r.pane.SetTitle(rec.ID)
	r.pane.SetLeft(kit.NewTag(words.T("recordCause."+string(rec.Cause)), kit.ColorMuted), kit.Row(5, kit.NewSign(glyph, color, 12), kit.NewText(outcome, kit.ColorMuted, 12)),
		kit.NewText(recordSession(rec)+" · "+rec.Time.Local().Format("2006-01-02 15:04:05"), kit.ColorMuted, 12))
	r.fillOrigin(rec)
	r.fill()
}

// whyNot says why the originals of a record can't be restored here.
func (r *recordDetail) whyNot(rec *model.Record) string {
	switch {
	case rec == nil || r.p.canRestore():
		return ""
	case rec.Off:
		return words.T("records.why.off")
	case rec.Outcome != model.Applied || rec.Cause == model.CauseRestore:
		return words.T("records.why.nothing")
	}
	return words.T("records.why.elsewhere")
}

// fill shows what the chosen tab holds.
func (r *recordDetail) fill() {
	rec := r.record
	if rec == nil {
		return
	}
	tab := r.tabs.Selected()
	if tab == tabCovered {
		r.runs.Update()
		r.put(r.runs)
		return
	}
	r.put(r.text)
	r.text.SetMono(tab == tabJSON)
	m, room := r.text.Metrics()
	sched.Run(r.d.Scheduler(), "record text", func(context.Context, func(sched.Progress)) ([]kit.Line, error) {
		return kit.Wrap(tabText(rec, tab), m, room, 0), nil
	}, func(lines []kit.Line, err error) {
		if err != nil {
			r.d.Fail(err)
			return
		}
		r.text.SetLines(lines, false)
	})
}

func (r *recordDetail) put(o fyne.CanvasObject) {
	if len(r.body.Objects) != 1 || r.body.Objects[0] != o {
		r.body.Objects = []fyne.CanvasObject{o}
		r.body.Refresh()
	}
}

// tabText is the text of a tab.
func tabText(rec *model.Record, tab int) string {
	switch tab {
	case tabParameters:
		return policyText(rec.Policy)
	case tabJSON:
		return desk.RecordText(rec)
	}
	switch {
	case rec.Summary != "":
		return rec.Summary
	case rec.Cause == model.CauseRestore:
		return words.T("records.noSummary.restore", "records", strings.Join(rec.Parents, ", "))
	case rec.Reason != "":
		return rec.Reason
	}
	return words.T("records.noSummary")
}

// fillOrigin lists where the record is from.
func (r *recordDetail) fillOrigin(rec *model.Record) {
	r.origin.Objects = nil
	head := func(key string) {
		r.origin.Add(kit.Pad(4, 0, 4, 0, kit.NewText(upper(words.T(key)), kit.ColorFaint, 11).Bold()))
	}
	add := func(key, value string, mono bool) {
		if value == "" {
			return
		}
		t := kit.NewText(value, kit.ColorText, 12).Fit()
		if mono {
			t.Mono()
		}
		r.origin.Add(kit.Row(8, kit.Sized(112, 21, kit.NewText(words.T(key), kit.ColorMuted, 12)), kit.Stretch(t)))
	}
	exact := exactlyCounted(rec.Counted)
	size := func(z model.Size) string {
		return words.TokensOf(z.Tokens, true, exact) + " · " + words.T("count.messages", "count", z.Messages)
	}
	head("records.effect")
	add("records.before", size(rec.Before), false)
	add("records.after", size(rec.After), false)
	if rec.Covered > 0 {
		add("records.covers", spanWords(rec.Range.From+1, rec.Range.To)+" · "+words.T("count.messages", "count", rec.Covered), false)
	}
	add("records.reason", rec.Reason, false)
	r.facts = r.d.RecordFacts()
	r.addFacts(head, add)
	head("records.provenance")
	add("records.preset", presetName(rec.Policy.Preset), false)
	add("records.strategy", words.T("strategy."+string(rec.Strategy)), false)
	add("records.model", rec.Model, false)
	add("records.counted", rec.Counted, false)
	add("records.at", words.Int(int64(rec.At)), false)
	add("records.edited", map[bool]string{true: words.T("records.yes"), false: words.T("records.no")}[rec.Edited], false)
	if rec.Duration > 0 {
		add("records.took", words.Duration(rec.Duration), false)
	}
	add("records.base", rec.Base, false)
	add("records.parents", strings.Join(rec.Parents, ", "), false)
	add("records.file", rec.Path, false)
	add("records.inputSHA", rec.SourceSHA, true)
	add("records.rangeSHA", rec.RangeSHA, true)
	add("records.output", rec.Output, false)
	add("records.outputSHA", rec.OutputSHA, true)
	if r.d.Store() != nil {
		r.proof.SetText("")
		r.origin.Add(kit.Pad(6, 0, 0, 0, kit.Row(8, r.verify, kit.Stretch(r.proof))))
		if r.checked == rec.UID {
			r.proof.SetText(words.T("records.verified"))
		}
	}
	r.origin.Refresh()
}

// addFacts tells what survived, all together and by kind.
func (r *recordDetail) addFacts(head func(key string), add func(key, value string, mono bool)) {
	if len(r.facts) == 0 {
		return
	}
	head("result.survives")
	line := func(key string, t model.FactTally) {
		if t.Gone > 0 {
			add(key, words.T("records.standing", "share", words.Percent(float64(t.Standing)/float64(t.Gone)), "n", t.Standing, "m", t.Gone), false)
		}
	}
	var all model.FactTally
	for _, t := range r.facts {
		all.Gone, all.Standing = all.Gone+t.Gone, all.Standing+t.Standing
	}
	line("fact.all", all)
	for _, t := range r.facts {
		line("fact."+t.Kind, t)
	}
}

// check reads the originals back and compares their hashes.
func (r *recordDetail) check() {
	rec := r.record
	r.proof.SetColor(kit.ColorMuted)
	r.proof.SetText(words.T("records.verifying"))
	r.d.Verify(func(err error) {
		if r.record != rec {
			return
		}
		if err != nil {
			head, _, _ := errorWords(err)
			r.proof.SetColor(kit.ColorError)
			r.proof.SetText(head)
			return
		}
		r.checked = rec.UID
		r.proof.SetColor(kit.ColorSuccess)
		r.proof.SetText(words.T("records.verified"))
	})
}

// runRow is one run of equal fates of a record.
type runRow struct {
	obj                    *fyne.Container
	r                      *recordDetail
	badge                  *kit.Badge
	span, reason, messages *kit.Text
	tokens                 *kit.Text
}

func newRunRow(r *recordDetail) *runRow {
	row := &runRow{r: r, badge: kit.NewBadge("K")}
	row.span, row.reason = kit.Label("").Fit(), kit.NewText("", kit.ColorMuted, 13).Fit()
	row.messages, row.tokens = kit.NewText("", kit.ColorMuted, 12).Right().Fit(), kit.Label("").Right().Fit()
	row.obj = kit.Pad(0, 12, 0, 8, kit.Row(10, row.badge, kit.Sized(96, 18, row.span), kit.Stretch(row.reason), kit.Sized(110, 16, row.messages), kit.Sized(70, 18, row.tokens)))
	return row
}

// Object is what the list shows.
func (row *runRow) Object() fyne.CanvasObject { return row.obj }

// Fill shows a run.
func (row *runRow) Fill(i int, _ bool) {
	run := row.r.record.Runs[i]
	for _, f := range model.Fates {
		if f.String() == run.Fate {
			row.badge.Set(f.Letter())
		}
	}
	row.span.SetText(words.T("records.formerSummary"))
	row.messages.SetText("")
	if run.To > run.From {
		row.span.SetText(spanWords(run.From+1, run.To))
		row.messages.SetText(words.T("count.messages", "count", run.To-run.From))
	}
	reason := run.Reason
	if t, ok := translated("reason." + run.Reason); ok && !strings.Contains(t, "<no value>") {
		reason = t
	} else if run.Reason != "" {
		reason = compaction.Reason{Code: run.Reason}.String()
	}
	row.reason.SetText(words.T("fate."+run.Fate) + " · " + reason)
	row.tokens.SetText(words.TokensOf(run.Tokens, true, exactlyCounted(row.r.record.Counted)))
}
