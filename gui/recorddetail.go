package gui

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/sched"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// recordDetail shows the record looked at: its summary, what it covered, its
// parameters, all of it as JSON, and where it is from.
type recordDetail struct {
	p      *recordsPane
	d      *desk.Desk
	pane   *kit.Pane
	tabs   *kit.Segments
	tabRow *fyne.Container

	body    *fyne.Container
	text    *kit.TextView
	covered *recordCovered
	log     *recordLog
	facts   *recordFacts
	origin  *fyne.Container
	open    *kit.Button
	export  *kit.Button
	remove  *kit.Button
	told    *kit.Button // the decision log of a replay with its parameters
	record  *model.Record
}

// The tabs of the detail.
const (
	tabSummary = iota
	tabCovered
	tabParameters
	tabLog
	tabFacts
	tabJSON
)

func newRecordDetail(p *recordsPane) *recordDetail {
	r := &recordDetail{p: p, d: p.d}
	r.tabs = kit.NewSegments(tabNames(nil), 0, func(int) { r.fill() })
	r.text = kit.NewTextView(false, false)
	r.text.OnMetrics = func() { r.fill() }
	r.covered, r.log, r.facts = newRecordCovered(p), newRecordLog(p), newRecordFacts(p.d)
	r.body = container.NewStack(r.text)
	r.origin = kit.Column(0)
	r.open = kit.NewButton(words.T("records.open"), kit.Secondary, p.openInWorkbench)
	r.export = kit.NewButton(words.T("do.export"), kit.Secondary, p.w.showExportRecord)
	r.remove = kit.NewButton(words.T("records.do.delete"), kit.Danger, p.askDelete)
	r.told = kit.NewButton(words.T("why.record"), kit.Secondary, p.whyRecord)
	foot := kit.Pad(8, 10, 8, 10, kit.Row(8, r.open, r.told, r.export, kit.Spring(), r.remove))
	side := container.NewVScroll(kit.Pad(8, 12, 8, 14, r.origin))
	middle := kit.NewSplit(false, kit.Pad(6, 6, 6, 12, r.body), container.NewBorder(nil, nil, kit.NewRule(), nil, side), kit.KeepSecond, 250).Within()
	r.tabRow = kit.Row(0, r.tabs, kit.Spring())
	r.pane = kit.NewPane(words.T("records.none"), kit.Column(0, kit.Pad(5, 10, 5, 10, r.tabRow), kit.NewRule(), kit.Stretch(middle), kit.NewRule(), foot))
	r.update()
	return r
}

// Object is what the sheet shows.
func (r *recordDetail) Object() fyne.CanvasObject { return r.pane }

// tabNames are the words of the tabs; that of the covered messages tells their
// number.
func tabNames(rec *model.Record) []string {
	covered := words.T("records.covered")
	if rec != nil && rec.Covered > 0 && rec.Cause != model.CauseRestore {
		covered += " " + words.Int(int64(rec.Covered))
	}
	return []string{words.T("records.summary"), covered, words.T("records.parameters"), words.T("recordLog.title"), words.T("result.survives"), words.T("records.json")}
}

// show turns to a tab.
func (r *recordDetail) show(tab int) {
	r.tabs.Select(tab)
	r.fill()
}

// update shows the record looked at.
func (r *recordDetail) update() {
	rec := r.d.Record()
	r.open.SetEnabled(rec != nil)
	r.export.SetEnabled(rec != nil)
	r.remove.SetEnabled(rec != nil && r.d.Store() != nil && rec.Cause != model.CauseFound)
	r.told.SetEnabled(r.p.canTellWhy())
	if rec == r.record && rec != nil {
		r.fillOrigin(rec)
		if r.tabs.Selected() != tabSummary {
			r.fill()
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
	r.tabs.SetNames(tabNames(rec))
	r.tabRow.Refresh()
	glyph, color, outcome := outcomeLook(rec)
	r.pane.SetTitle(rec.ID)
	r.pane.SetLeft(kit.NewTag(words.T("recordCause."+string(rec.Cause)), kit.ColorMuted), kit.Row(5, kit.NewSign(glyph, color, 12), kit.NewText(outcome, kit.ColorMuted, 12)),
		kit.NewText(shortened(recordSession(rec), 40), kit.ColorMuted, 12))
	r.pane.SetRight(kit.NewText(recordMoment(rec.Time), kit.ColorMuted, 12))
	r.fillOrigin(rec)
	r.fill()
}

// fill shows what the chosen tab holds.
func (r *recordDetail) fill() {
	rec := r.record
	if rec == nil {
		return
	}
	tab := r.tabs.Selected()
	switch tab {
	case tabCovered:
		r.put(r.covered.obj)
		r.covered.update(rec)
		return
	case tabLog:
		r.put(r.log.obj)
		r.log.update(rec)
		return
	case tabFacts:
		r.put(r.facts.obj)
		r.facts.update()
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
		if rec.Cause == model.CauseFound {
			return words.T("records.notRecorded")
		}
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
		r.origin.Add(kit.Row(8, kit.Sized(92, 20, kit.NewText(words.T(key), kit.ColorMuted, 12)), kit.Stretch(t)))
	}
	// known tells a value also when there is none.
	known := func(key, value string, mono bool) { add(key, or(value, words.T("records.notRecorded")), mono) }
	exact := exactlyCounted(rec.Counted)
	size := func(z model.Size) string {
		var parts []string
		if z.Tokens > 0 {
			parts = append(parts, words.TokensOf(z.Tokens, true, exact))
		}
		if z.Messages > 0 {
			parts = append(parts, words.T("count.messages", "count", z.Messages))
		}
		return strings.Join(parts, " · ")
	}
	found := rec.Cause == model.CauseFound
	head("records.effect")
	known("records.before", size(rec.Before), false)
	known("records.after", size(rec.After), false)
	if rec.Covered > 0 {
		add("records.covers", spanWords(rec.Range.From+1, rec.Range.To)+" · "+words.T("count.messages", "count", rec.Covered), false)
	}
	add("records.reason", rec.Reason, false)
	head("records.provenance")
	add("records.origin", words.T(map[bool]string{true: "records.origin.file", false: "records.origin.here"}[found]), false)
	if found {
		known("records.preset", "", false)
		known("records.strategy", "", false)
	} else {
		add("records.preset", presetName(rec.Policy.Preset), false)
		add("records.strategy", words.T("strategy."+string(rec.Strategy)), false)
	}
	if found {
		known("records.model", rec.Model, false)
	} else {
		add("records.model", or(rec.Model, words.T("records.noModel")), false)
	}
	if rec.Asked != nil {
		add("records.call", askedWords(rec.Asked), false)
	}
	known("records.counted", rec.Counted, false)
	add("records.at", words.Int(int64(rec.At)), false)
	if !found {
		add("records.edited", map[bool]string{true: words.T("records.yes"), false: words.T("records.no")}[rec.Edited], false)
	}
	if rec.Duration > 0 {
		add("records.took", words.Duration(rec.Duration), false)
	}
	add("records.base", rec.Base, false)
	add("records.again", rec.Again, false)
	add("records.parents", strings.Join(rec.Parents, ", "), false)
	add("records.file", rec.Path, false)
	add("records.inputSHA", rec.SourceSHA, true)
	known("records.rangeSHA", rec.RangeSHA, true)
	add("records.output", rec.Output, false)
	add("records.outputSHA", rec.OutputSHA, true)
	r.origin.Refresh()
}

// askedWords tells what a model was sent and answered.
func askedWords(a *model.Asked) string {
	return words.T("records.call.tokens", "in", words.TokensOf(int64(a.Input), a.Input > 0, true), "out", words.TokensOf(int64(a.Output), a.Output > 0, true))
}
