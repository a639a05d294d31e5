package records

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// recordColumn is one column of the list of records.
type recordColumn struct {
	key   string
	width float32 // in units of the design; 0 takes what is left
	right bool
	color fyne.ThemeColorName
}

var RecordColumns = []recordColumn{
	{"tick", 18, false, kit.ColorMuted}, {"time", 88, false, kit.ColorMuted}, {"record", 62, false, kit.ColorText}, {"session", 0, false, kit.ColorText},
	{"cause", 84, false, kit.ColorMuted}, {"before", 70, true, kit.ColorText}, {"after", 74, true, kit.ColorText},
	{"saved", 58, true, kit.ColorText}, {"strategy", 136, false, kit.ColorMuted}, {"preset", 110, false, kit.ColorMuted},
	{"took", 72, true, kit.ColorMuted}, {"outcome", 102, false, kit.ColorText}, {"covers", 84, true, kit.ColorMuted},
	{"levels", 52, true, kit.ColorMuted}, {"survives", 64, true, kit.ColorText},
	{"bar", 48, false, kit.ColorMuted}, // what survives, drawn
	{"sha", 70, false, kit.ColorMuted},
}

// RecordLayout puts the cells of a row into the columns.
type RecordLayout struct{}

// MinSize is Fyne's.
func (RecordLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(kit.Px(600), kit.Px(24))
}

// Layout is Fyne's. Where there is no room the columns from the right that tell
// least go first.
func (RecordLayout) Layout(o []fyne.CanvasObject, s fyne.Size) {
	const gap, margin, least = 14, 12, 190
	hide := map[string]bool{}
	room := func() float32 {
		r := s.Width - 2*kit.Px(margin)
		for _, c := range RecordColumns {
			if !hide[c.key] {
				r -= kit.Px(c.width) + kit.Px(gap)
			}
		}
		return r
	}
	for _, k := range []string{"sha", "preset", "took", "covers", "levels", "cause", "bar", "strategy", "survives"} {
		if room() < kit.Px(least) {
			hide[k] = true
		}
	}
	rest, x := room(), kit.Px(margin)
	for i, c := range RecordColumns {
		w := kit.Px(c.width)
		if c.width == 0 {
			w = max(0, rest)
		}
		if hide[c.key] {
			o[i].Move(fyne.NewPos(-20000, 0))
			continue
		}
		o[i].Move(fyne.NewPos(x, 0))
		o[i].Resize(fyne.NewSize(w, s.Height))
		x += w + kit.Px(gap)
	}
}

// recordRow is one record in the list.
type recordRow struct {
	obj     *fyne.Container
	p       *RecordsPane
	i       int
	cells   []*kit.Text
	tick    *kit.TickBox
	outcome *kit.Sign
	result  *kit.Text
	bar     *kit.Bar
}

func newRecordRow(p *RecordsPane) *recordRow {
	r := &recordRow{p: p}
	var objs []fyne.CanvasObject
	for _, c := range RecordColumns {
		t := kit.NewText("", c.color, 13).Fit()
		if c.right {
			t.Right()
		}
		r.cells = append(r.cells, t)
		if c.key == "tick" {
			r.tick = kit.NewTickBox(func(held fyne.KeyModifier) { p.Tick(r.i, held&fyne.KeyModifierShift != 0) })
			objs = append(objs, r.tick)
			continue
		}
		if c.key == "sha" {
			t.Mono()
		}
		if c.key == "outcome" {
			r.outcome, r.result = kit.NewSign(kit.GlyphOK, kit.ColorSuccess, 13), t
			objs = append(objs, kit.Row(6, r.outcome, kit.Stretch(t)))
			continue
		}
		if c.key == "bar" {
			r.bar = kit.NewBar(0, kit.ColorKept)
			r.bar.Hide()
			objs = append(objs, r.bar)
			continue
		}
		objs = append(objs, t)
	}
	r.obj = container.New(RecordLayout{}, objs...)
	return r
}

// Object is what the list shows.
func (r *recordRow) Object() fyne.CanvasObject { return r.obj }

// Fill shows a record.
func (r *recordRow) Fill(i int, _ bool) {
	rec := r.p.d.RecordAt(i)
	r.i = i
	r.tick.Set(rec != nil && r.p.d.Ticked(rec.ID))
	if rec == nil { // its page is being read
		for _, c := range r.cells {
			c.SetText("")
		}
		r.cells[1].SetText("…")
		r.outcome.Set(kit.GlyphRing, kit.ColorFaint)
		r.bar.Hide()
		return
	}
	exact := rec.Exact()
	covers, saved, after := "–", "–", "–"
	if rec.Outcome == model.Applied {
		after = words.TokensOf(rec.After.Tokens, rec.After.Tokens > 0, exact)
		if rec.Before.Tokens > 0 && rec.After.Tokens > 0 && rec.Cause != model.CauseRestore {
			saved = words.Percent(1 - float64(rec.After.Tokens)/float64(rec.Before.Tokens))
		}
	}
	if rec.Range.To > rec.Range.From {
		covers = show.SpanWords(rec.Range.From+1, rec.Range.To)
	}
	strategy, preset, took := words.T("strategy."+string(rec.Strategy)), show.PresetName(rec.Policy.Preset), "–"
	if rec.Cause == model.CauseFound {
		strategy, preset, took = words.T("records.notRecorded"), words.T("records.notRecorded"), words.Unknown
	}
	if rec.Duration > 0 {
		took = words.Duration(rec.Duration)
	}
	for k, v := range []string{
		"", show.RecordTime(rec.Time), rec.ID, show.RecordSession(rec), words.T("recordCause." + string(rec.Cause)),
		words.TokensOf(rec.Before.Tokens, rec.Before.Tokens > 0, exact), after, saved,
		strategy, preset, took, "", covers, recordLevels(rec), recordSurvives(rec), "", shortHash(rec.SourceSHA),
	} {
		if RecordColumns[k].key != "outcome" {
			r.cells[k].SetText(v)
		}
	}
	share, ink, known := survivesLook(rec)
	if r.bar.Hidden = !known; known {
		r.bar.Set(share, ink)
	}
	glyph, color, text := recordLook(r.p.d, rec)
	r.outcome.Set(glyph, color)
	r.result.SetText(text)
	r.result.SetColor(kit.ColorText)
	if rec.Outcome == model.Failed {
		r.result.SetColor(kit.ColorError)
	}
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
