package records

import (
	"time"

	"fyne.io/fyne/v2"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/store"
)

// recordLine is a row of the list: a record, nil while its page is being read.
type recordLine struct {
	i   int
	rec *model.Record
}

// of makes the words of a cell from a record; there are none while it is read.
func of(text func(*model.Record) string) func(recordLine) string {
	return func(l recordLine) string {
		if l.rec == nil {
			return ""
		}
		return text(l.rec)
	}
}

// columns are those of the list of records.
func (p *RecordsPane) columns() *kit.Columns[recordLine] {
	muted := kit.Muted[recordLine]
	return &kit.Columns[recordLine]{
		At:  func(i int) (recordLine, bool) { return recordLine{i, p.d.RecordAt(i)}, true },
		Gap: 14, Least: 190, MinWidth: 562, Left: 12, End: 26, TextSize: 13,
		List: []kit.Col[recordLine]{
			{Width: 18, Cell: p.tickCell},
			{Title: words.T("records.time"), Width: 88, Sort: store.SortTime, Text: timeWords, Ink: muted},
			{Title: words.T("records.record"), Width: 62, Sort: storedOrder, Text: of(func(r *model.Record) string { return r.ID })},
			{Title: words.T("records.session"), Sort: store.SortSession, Text: of(show.RecordSession)},
			{Title: words.T("records.cause"), Width: 84, Hide: 6, Sort: store.SortCause, Text: of(causeWords), Ink: muted},
			{Title: words.T("records.before"), Width: 70, Right: true, Sort: store.SortBefore, Text: of(beforeWords)},
			{Title: words.T("records.after"), Width: 74, Right: true, Sort: store.SortAfter, Text: of(afterWords)},
			{Title: words.T("records.saved"), Width: 58, Right: true, Sort: store.SortSaved, Text: of(savedWords)},
			{Title: words.T("records.strategy"), Width: 136, Hide: 8, Text: of(strategyWords), Ink: muted},
			{Title: words.T("records.preset"), Width: 110, Hide: 2, Sort: store.SortPreset, Text: of(presetWords), Ink: muted},
			{Title: words.T("records.took"), Width: 72, Hide: 3, Right: true, Sort: store.SortDuration, Text: of(tookWords), Ink: muted},
			{Title: words.T("records.outcome"), Width: 102, Sort: store.SortOutcome, Cell: p.outcomeCell},
			{Title: words.T("records.covers"), Width: 84, Hide: 4, Right: true, Text: of(coversWords), Ink: muted},
			{Title: words.T("records.levels"), Width: 52, Hide: 5, Right: true, Sort: store.SortLevels, Text: of(recordLevels), Ink: muted},
			{Title: words.T("records.survives"), Width: 64, Hide: 9, Right: true, Sort: store.SortSurvives, Text: of(recordSurvives)},
			{Width: 48, Hide: 7, Cell: survivesCell},
			{Title: words.T("records.sha"), Width: 70, Hide: 1, Style: fyne.TextStyle{Monospace: true}, Ink: muted,
				Text: of(func(r *model.Record) string { return shortHash(r.SourceSHA) })},
		},
	}
}

// storedOrder is the order of the numbers of records.
const storedOrder = store.Sort("")

// tickCell takes a record to the others that are chosen.
func (p *RecordsPane) tickCell() (fyne.CanvasObject, func(recordLine)) {
	at := 0
	tick := kit.NewTickBox(func(held fyne.KeyModifier) { p.Tick(at, held&fyne.KeyModifierShift != 0) })
	return tick, func(l recordLine) {
		at = l.i
		tick.Set(l.rec != nil && p.d.Ticked(l.rec.ID))
	}
}

// outcomeCell is how a record ended: a sign and its words.
func (p *RecordsPane) outcomeCell() (fyne.CanvasObject, func(recordLine)) {
	sign, text := kit.NewSign(kit.GlyphOK, kit.ColorSuccess, 13), kit.Label("").Fit()
	return kit.Row(6, sign, kit.Stretch(text)), func(l recordLine) {
		glyph, color, outcome := kit.GlyphRing, kit.ColorFaint, ""
		if l.rec != nil {
			glyph, color, outcome = recordLook(p.d, l.rec)
		}
		sign.Set(glyph, color)
		text.SetText(outcome)
		text.SetColor(kit.ColorText)
		if l.rec != nil && l.rec.Outcome == model.Failed {
			text.SetColor(kit.ColorError)
		}
	}
}

// survivesCell draws what survives.
func survivesCell() (fyne.CanvasObject, func(recordLine)) {
	bar := kit.NewBar(0, kit.ColorKept)
	bar.Hide()
	return bar, func(l recordLine) {
		bar.Hidden = true
		if l.rec == nil {
			return
		}
		if share, ink, known := survivesLook(l.rec); known {
			bar.Hidden = false
			bar.Set(share, ink)
		}
	}
}

func timeWords(l recordLine) string {
	if l.rec == nil {
		return "…"
	}
	return show.RecordTime(l.rec.Time)
}

func causeWords(r *model.Record) string { return words.T("recordCause." + string(r.Cause)) }

func beforeWords(r *model.Record) string {
	return words.TokensOf(r.Before.Tokens, r.Before.Tokens > 0, r.Exact())
}

func afterWords(r *model.Record) string {
	if r.Outcome != model.Applied {
		return "–"
	}
	return words.TokensOf(r.After.Tokens, r.After.Tokens > 0, r.Exact())
}

func savedWords(r *model.Record) string {
	if r.Outcome != model.Applied || r.Before.Tokens <= 0 || r.After.Tokens <= 0 || r.Cause == model.CauseRestore {
		return "–"
	}
	return words.Percent(1 - float64(r.After.Tokens)/float64(r.Before.Tokens))
}

func strategyWords(r *model.Record) string {
	if r.Cause == model.CauseFound {
		return words.T("records.notRecorded")
	}
	return words.T("strategy." + string(r.Strategy))
}

func presetWords(r *model.Record) string {
	if r.Cause == model.CauseFound {
		return words.T("records.notRecorded")
	}
	return show.PresetName(r.Policy.Preset)
}

func tookWords(r *model.Record) string {
	switch {
	case r.Duration > 0:
		return words.Duration(r.Duration)
	case r.Cause == model.CauseFound:
		return words.Unknown
	}
	return "–"
}

func coversWords(r *model.Record) string {
	if r.Range.To <= r.Range.From {
		return "–"
	}
	return show.SpanWords(r.Range.From+1, r.Range.To)
}

// recordLevels is how many levels of records stand above originals alone.
func recordLevels(r *model.Record) string {
	if r.Outcome != model.Applied || r.Levels == 0 {
		return "–"
	}
	return words.Int(int64(r.Levels))
}

// recordSurvives is the share of the facts in what went that stands afterwards.
func recordSurvives(r *model.Record) string {
	if share, _, known := survivesLook(r); known {
		return words.Percent(share)
	}
	return "–"
}

// survivesLook is that share and the colour it is drawn in; false where it is not
// recorded.
func survivesLook(r *model.Record) (float64, fyne.ThemeColorName, bool) {
	all := r.AllFacts()
	if r.Outcome != model.Applied || all.Gone == 0 {
		return 0, kit.ColorKept, false
	}
	share := show.ShareOf(all.Standing, all.Gone)
	return share, factsColor(share), true
}

// recordLook is outcomeLook, but of a record that the open session of its history
// does not stand on it says that.
func recordLook(d *desk.Desk, r *model.Record) (kit.Glyph, fyne.ThemeColorName, string) {
	if d.Aside(r) {
		return kit.GlyphRing, kit.ColorMuted, words.T("records.aside")
	}
	return outcomeLook(r)
}

// outcomeLook is the sign, colour and words of how a record ended.
func outcomeLook(r *model.Record) (kit.Glyph, fyne.ThemeColorName, string) {
	switch {
	case r.Cause == model.CauseFound:
		return kit.GlyphDown, kit.ColorAdded, words.T("outcome.found")
	case r.Off:
		return kit.GlyphRing, kit.ColorMuted, words.T("records.off")
	case r.Outcome == model.Applied:
		return kit.GlyphOK, kit.ColorSuccess, words.T("outcome.applied")
	case r.Outcome == model.Failed:
		return kit.GlyphError, kit.ColorError, words.T("outcome.failed")
	case r.Outcome == model.Refused:
		return kit.GlyphWarning, kit.ColorWarning, words.T("outcome.refused")
	}
	return kit.GlyphRing, kit.ColorMuted, words.T("outcome." + string(r.Outcome))
}

// recordMoment is when a record was made, to the second.
func recordMoment(t time.Time) string {
	if t.IsZero() {
		return words.T("records.notRecorded")
	}
	return t.Local().Format("2006-01-02 15:04:05")
}
