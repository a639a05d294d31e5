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
			{Title: words.T("records.record"), Width: 62, Sort: storedOrder, Text: of(func(r *model.Record) string { return r.ID })},
			{Title: words.T("records.state"), Width: 112, Sort: store.SortOutcome, Cell: p.stateCell},
			{Title: words.T("records.session"), Sort: store.SortSession, Text: of(show.RecordSession)},
			{Title: words.T("records.went"), Width: 104, Text: of(wentWords)},
			{Title: words.T("records.covers"), Width: 84, Hide: 4, Right: true, Text: of(coversWords), Ink: muted},
			{Title: words.T("records.cause"), Width: 84, Hide: 6, Sort: store.SortCause, Text: of(causeWords), Ink: muted},
			{Title: words.T("records.before"), Width: 70, Right: true, Sort: store.SortBefore, Text: of(beforeWords)},
			{Title: words.T("records.after"), Width: 74, Right: true, Sort: store.SortAfter, Text: of(afterWords)},
			{Title: words.T("records.saved"), Width: 58, Right: true, Sort: store.SortSaved, Text: of(savedShareWords)},
			{Title: words.T("records.strategy"), Width: 136, Hide: 2, Text: of(strategyWords), Ink: muted},
			{Title: words.T("records.preset"), Width: 136, Hide: 7, Sort: store.SortPreset, Text: of(presetWords), Ink: muted},
			{Title: words.T("records.time"), Width: 112, Sort: store.SortTime, Text: timeWords, Ink: muted},
			{Title: words.T("records.took"), Width: 72, Hide: 3, Right: true, Sort: store.SortDuration, Text: of(tookWords), Ink: muted},
			{Title: words.T("records.levels"), Width: 52, Hide: 5, Right: true, Sort: store.SortLevels, Text: of(recordLevels), Ink: muted},
			{Title: words.T("records.survives"), Width: 64, Hide: 9, Right: true, Sort: store.SortSurvives, Text: of(recordSurvives)},
			{Width: 48, Hide: 8, Cell: survivesCell},
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

// stateCell is the state of a record: a sign and its words.
func (p *RecordsPane) stateCell() (fyne.CanvasObject, func(recordLine)) {
	sign, text := kit.NewSign(kit.GlyphOK, kit.ColorSuccess, 13), kit.Label("").Fit()
	return kit.Row(6, sign, kit.Stretch(text)), func(l recordLine) {
		glyph, color, state := kit.GlyphNone, kit.ColorFaint, ""
		if l.rec != nil {
			glyph, color, state = stateLook(p.d, l.rec)
		}
		sign.Set(glyph, color)
		text.SetText(state)
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
	return show.RecordPreset(r)
}

func wentWords(r *model.Record) string {
	if r.Covered == 0 {
		return "–"
	}
	return show.WentShort(r.Messages(), r.Formers)
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

// recordLevels is how many levels of records are above originals alone.
func recordLevels(r *model.Record) string {
	if r.Outcome != model.Applied || r.Levels == 0 || r.Cause == model.CauseRestore {
		return "–"
	}
	return words.Int(int64(r.Levels))
}

// recordSurvives is the share of the facts in what went that are held afterwards.
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

// stateSigns are the sign, colour and word of each state.
var stateSigns = map[model.State]struct {
	glyph kit.Glyph
	color fyne.ThemeColorName
	word  string
}{
	model.InForce:        {kit.GlyphOK, kit.ColorSuccess, "inForce"},
	model.Stored:         {kit.GlyphBox, kit.ColorMuted, "stored"},
	model.SwitchedOff:    {kit.GlyphOff, kit.ColorMuted, "switchedOff"},
	model.StateRefused:   {kit.GlyphWarning, kit.ColorWarning, "refused"},
	model.StateFailed:    {kit.GlyphError, kit.ColorError, "failed"},
	model.StateCancelled: {kit.GlyphBar, kit.ColorMuted, "cancelled"},
	model.StateFound:     {kit.GlyphDiamond, kit.ColorAdded, "found"},
	model.StateRestored:  {kit.GlyphReset, kit.ColorMuted, "restored"},
}

// stateLook is the sign, colour and words of the state of a record.
func stateLook(d *desk.Desk, r *model.Record) (kit.Glyph, fyne.ThemeColorName, string) {
	state := d.RecordState(r)
	x := stateSigns[state]
	if under := d.Under(r); state == model.InForce && under != "" {
		return x.glyph, x.color, words.T("recordState.under", "record", under)
	}
	return x.glyph, x.color, words.T("recordState." + x.word)
}

// recordMoment is when a record was made, to the second.
func recordMoment(t time.Time) string {
	if t.IsZero() {
		return words.T("records.notRecorded")
	}
	return t.Local().Format("2006-01-02 15:04:05")
}
