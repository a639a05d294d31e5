package records

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// recordLog describes how a record came about: what its trigger measured, what was
// decided about which messages and why, and how it ended.
type recordLog struct {
	p    *RecordsPane
	list *kit.List
	Rows []logLine
}

// logLine is one decision. A line with a fate is about messages.
type logLine struct {
	Glyph kit.Glyph
	ink   fyne.ThemeColorName
	fate  string
	what  string
	why   string
	size  string
}

func newRecordLog(p *RecordsPane) *recordLog {
	l := &recordLog{p: p}
	l.list = kit.NewRows(24, func() int { return len(l.Rows) }, l.row).WithTip("records.origin.means")
	return l
}

// update reports a record. What its trigger measured is known when its history
// was read.
func (l *recordLog) update(rec *model.Record) {
	l.Rows = l.Rows[:0]
	add := func(g kit.Glyph, ink fyne.ThemeColorName, what, why, size string) {
		l.Rows = append(l.Rows, logLine{Glyph: g, ink: ink, what: what, why: why, size: size})
	}
	exact := rec.Exact()
	add(kit.GlyphDot, kit.ColorAccent, words.T("recordLog.began"),
		words.T("recordLog.cause."+string(rec.Cause))+" · "+recordMoment(rec.Time), "")
	if rec.Cause != model.CauseFound && rec.Cause != model.CauseRestore {
		l.addTrigger(rec, add)
		for _, run := range rec.Runs {
			l.Rows = append(l.Rows, runLine(run, exact))
		}
	}
	if rec.Outcome != model.Applied {
		glyph, ink, text := show.StateLook(l.p.d.RecordView, rec)
		add(glyph, ink, words.T("recordLog.ended"), strings.TrimSuffix(text+": "+show.RecordReason(rec), ": "), "")
	} else if rec.Cause != model.CauseRestore {
		add(kit.GlyphBox, kit.ColorMuted, words.T("recordLog.ended"),
			strings.TrimSuffix(words.T("recordState.stored")+": "+show.RecordReason(rec), ": "), "")
		l.addEvents(rec, add)
	}
	l.list.Select(-1)
	l.list.Update()
}

func (l *recordLog) addTrigger(rec *model.Record, add func(kit.Glyph, fyne.ThemeColorName, string, string, string)) {
	o := l.p.d.RecordView.RecordOrigins()
	switch {
	case o == nil:
		l.p.d.RecordView.ReadOrigins()
		add(kit.GlyphHalf, kit.ColorMuted, words.T("parameter.trigger"), words.T("covered.reading"), "")
		return
	case o.Err != nil || o.Plan == nil:
		add(kit.GlyphRing, kit.ColorMuted, words.T("parameter.trigger"), words.T("records.notRecorded"), "")
		return
	}
	for _, c := range o.Plan.Clauses {
		g, ink, text := kit.GlyphRing, kit.ColorMuted, words.T("recordLog.waits")
		if c.Fires {
			g, ink, text = kit.GlyphOK, kit.ColorSuccess, words.T("recordLog.fires")
		} else if o.Plan.Outcome == compaction.WouldWait { // no clause fires by our count
			text = words.T("recordLog.theirs")
		}
		add(g, ink, words.T("chart.trigger", "at", show.ClauseWords(c.Clause)), text+" · "+show.ReasonWords(l.p.d, c.Reason()), "")
	}
	if rec.Cause == model.CauseManual {
		add(kit.GlyphInfo, kit.ColorMuted, words.T("recordLog.manual"), words.T("recordLog.manual.means"), "")
	}
}

// addEvents lists what happened to a record since, and its state now.
func (l *recordLog) addEvents(rec *model.Record, add func(kit.Glyph, fyne.ThemeColorName, string, string, string)) {
	for _, e := range l.p.d.RecordView.RecordEvents() {
		if e.Cause == model.CauseRestore {
			add(kit.GlyphReset, kit.ColorMuted, words.T("recordLog.restored"), e.ID+" · "+recordMoment(e.Time), "")
			continue
		}
		add(kit.GlyphOK, kit.ColorSuccess, words.T("recordLog.again"), e.ID+" · "+recordMoment(e.Time), "")
	}
	if l.p.d.RecordView.RecordState(rec) != model.Stored {
		glyph, ink, text := show.StateLook(l.p.d.RecordView, rec)
		add(glyph, ink, words.T("recordLog.now"), text, "")
	}
}

// runLine shows what was decided about a run of messages.
func runLine(run model.RecordRun, exact bool) logLine {
	l := logLine{what: words.T("records.formerSummary"), size: words.TokensOf(run.Tokens, true, exact)}
	for _, f := range model.Fates {
		if f.String() == run.Fate {
			l.fate = f.Letter()
		}
	}
	if run.To > run.From {
		l.what = show.SpanWords(run.From+1, run.To) + " · " + words.T("count.messages", "count", run.To-run.From)
	}
	reason := run.Reason
	if t, ok := show.Translated("reason." + run.Reason); ok && !strings.Contains(t, "<no value>") {
		reason = t
	} else if run.Reason != "" {
		reason = compaction.Reason{Code: run.Reason}.String()
	}
	l.why = words.T("fate."+run.Fate) + " · " + reason
	return l
}

// row is a decision in the list.
func (l *recordLog) row() (fyne.CanvasObject, func(int)) {
	sign, badge := kit.NewSign(kit.GlyphDot, kit.ColorMuted, 13), kit.NewBadge("K")
	what, why := kit.Label("").Fit(), kit.NewText("", kit.ColorMuted, 12).Fit()
	size := kit.NewText("", kit.ColorMuted, 12).Right().Fit()
	mark := container.NewStack(container.NewCenter(sign), container.NewCenter(badge))
	cells := kit.Row(10, kit.Sized(20, 20, mark), kit.Sized(170, 18, what), kit.Stretch(why), kit.Sized(66, 0, size))
	return kit.Pad(0, 10, 0, 8, cells), func(i int) {
		line := l.Rows[i]
		mark.Objects[0].(*fyne.Container).Hidden = line.fate != ""
		mark.Objects[1].(*fyne.Container).Hidden = line.fate == ""
		if line.fate != "" {
			badge.Set(line.fate)
		} else {
			sign.Set(line.Glyph, line.ink)
		}
		mark.Refresh()
		what.SetText(line.what)
		why.SetText(line.why)
		size.SetText(line.size)
	}
}
