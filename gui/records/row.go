package records

import (
	"cmp"
	"path/filepath"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/session/figures"
	"palimpsest/gui/kit"
	"palimpsest/gui/kit/grid"
	"palimpsest/gui/originals"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/figure"
	"palimpsest/model/store"
)

// of makes the words of a cell from a record.
func (p *RecordsPane) of(text func(*model.Record) string) func(int) string {
	return func(i int) string {
		if r := p.d.RecordList.RecordAt(i); r != nil {
			return text(r)
		}
		return ""
	}
}

// sorts are the orders that the heads of columns choose.
var sorts = map[string]store.Sort{
	"record": storedOrder, "state": store.SortOutcome, "session": store.SortSession, "cause": store.SortCause,
	"before": store.SortBefore, "after": store.SortAfter, "saved": store.SortSaved, "preset": store.SortPreset,
	"time": store.SortTime, "took": store.SortDuration, "levels": store.SortLevels, "survives": store.SortSurvives,
}

// columns are those of the list of records.
func (p *RecordsPane) columns() []grid.Column {
	muted := func(int) fyne.ThemeColorName { return kit.ColorMuted }
	session := func(r *model.Record) string { return p.about(r) }
	list := []grid.Column{
		{ID: "record", Title: words.T("records.record"), Width: 62, Keep: true, Text: p.of(func(r *model.Record) string { return r.ID }),
			Cell: p.hits(func(r *model.Record) string { return r.ID }, kit.ColorText)},
		{ID: "state", Title: words.T("records.state"), Width: 178, Text: p.of(p.stateWords), Cell: p.stateCell, Room: 20},
		{ID: "disk", Title: words.T("records.disk"), Width: 168, Hide: 10, Text: p.of(diskWords(p)), Cell: p.diskCell, Room: 20},
		{ID: "session", Title: words.T("records.session"), Width: 190, Min: 90, Grow: true, Text: p.of(session), Keep: true,
			Cell: p.hits(session, kit.ColorText)},
		{ID: "went", Title: words.T("records.went"), Width: 124, Hide: 9, Text: p.of(wentWords)},
		{ID: "covers", Title: words.T("records.covers"), Width: 84, Hide: 4, Right: true, Text: p.of(coversWords), Ink: muted},
		{ID: "cause", Title: words.T("records.cause"), Width: 84, Hide: 6, Text: p.of(causeWords), Ink: muted},
		p.number(grid.Column{ID: "before", Width: 78}, func(f figures.Record) figure.Figure { return f.Before }),
		p.number(grid.Column{ID: "after", Width: 78}, func(f figures.Record) figure.Figure { return f.After }),
		p.number(grid.Column{ID: "saved", Width: 58}, func(f figures.Record) figure.Figure { return f.Saved }),
		{ID: "strategy", Title: words.T("records.strategy"), Width: 136, Hide: 2, Text: p.of(strategyWords), Ink: muted},
		{ID: "preset", Title: words.T("records.preset"), Width: 150, Hide: 7, Text: p.of(presetWords),
			Cell: p.hits(presetWords, kit.ColorMuted)},
		{ID: "time", Title: words.T("records.time"), Width: 112, Text: p.timeWords, Ink: muted},
		{ID: "took", Title: words.T("records.took"), Width: 72, Hide: 3, Right: true, Text: p.of(tookWords), Ink: muted},
		{ID: "levels", Title: words.T("records.levels"), Width: 52, Hide: 5, Right: true, Text: p.of(recordLevels), Ink: muted},
		p.number(grid.Column{ID: "survives", Width: 64, Hide: 8}, func(f figures.Record) figure.Figure { return f.Survives }),
		{ID: "model", Title: words.T("records.model"), Width: 120, Hide: 1, Off: true, Ink: muted,
			Text: p.of(func(r *model.Record) string { return cmp.Or(r.Model, "–") })},
		{ID: "sha", Title: words.T("records.sha"), Width: 76, Hide: 1, Off: true, Style: fyne.TextStyle{Monospace: true}, Ink: muted,
			Text: p.of(func(r *model.Record) string { return shortHash(r.SourceSHA) })},
	}
	for i := range list {
		_, list[i].Sort = sorts[list[i].ID]
		list[i].Means = words.T("records." + list[i].ID + ".means")
	}
	return list
}

// number makes a column of a figure of the records, with its card.
func (p *RecordsPane) number(c grid.Column, of func(figures.Record) figure.Figure) grid.Column {
	c.Title, c.Right = words.T("records."+c.ID), true
	c.Text = p.of(func(r *model.Record) string { return words.Figure(of(figures.OfRecord(r))) })
	c.Card = func(i int) kit.Card {
		if r := p.d.RecordList.RecordAt(i); r != nil {
			return show.CellCard(p.d, of(figures.OfRecord(r)))
		}
		return kit.Card{Name: c.Title}
	}
	return c
}

// about is whose history a record is of; under the head of that history where the filter's
// words are in it, why nothing came of it, or its agent.
func (p *RecordsPane) about(r *model.Record) string {
	if len(p.d.RecordList.RecordGroups()) == 0 {
		return show.RecordSession(r)
	}
	if p.mark != nil {
		return words.T("records.foundIn", "where", p.foundIn(r))
	}
	if r.Outcome != model.Applied && r.Reason != "" {
		return show.RecordReason(r)
	}
	if r.Thread == 0 {
		return ""
	}
	return r.Agent
}

// foundIn names the first part of a record that holds the filter's words.
func (p *RecordsPane) foundIn(r *model.Record) string {
	for _, part := range [][2]string{{"record", r.ID}, {"session", r.Session}, {"file", r.Path}, {"preset", r.Policy.Preset},
		{"model", r.Model}, {"sha", r.SourceSHA}} {
		if p.mark.MatchString(part[1]) {
			return words.T("records." + part[0])
		}
	}
	return strings.ToLower(words.T("records.summary"))
}

// groups are the heads of the list.
func (p *RecordsPane) groups() (list []grid.Group) {
	for _, g := range p.d.RecordList.RecordGroups() {
		note := filepath.Base(g.Path)
		if g.Open {
			note += " · " + words.T("records.open.now")
		}
		var count []string
		if n := g.Count - g.Found; n > 0 {
			count = append(count, words.T("step.records", "count", n))
		}
		if g.Found > 0 {
			count = append(count, words.T("records.found", "count", g.Found))
		}
		list = append(list, grid.Group{Key: g.Path, Title: kit.Clean(show.RecordSession(g.First)), Note: kit.Clean(note), Count: g.Count,
			Cell: func(column string) string {
				if column == "went" || column == "time" {
					return map[string]string{"went": "", "time": strings.Join(count, " · ")}[column]
				}
				return ""
			}})
	}
	return list
}

// hits makes a cell of text in which what the filter looks for is marked.
func (p *RecordsPane) hits(text func(*model.Record) string, ink fyne.ThemeColorName) func() (fyne.CanvasObject, func(int)) {
	return func() (fyne.CanvasObject, func(int)) {
		t := grid.NewHitText(ink)
		return t, func(i int) { t.Set(p.of(text)(i), p.d.RecordList.RecordQuery().Text) }
	}
}

// storedOrder is the order of the numbers of records.
const storedOrder = store.Sort("")

// stateCell is the state of a record: a sign and its words.
func (p *RecordsPane) stateCell() (fyne.CanvasObject, func(int)) {
	sign, text := kit.NewSign(kit.GlyphOK, kit.ColorSuccess, 13), kit.Label("").Fit()
	return kit.Row(6, sign, kit.Stretch(text)), func(i int) {
		glyph, color, state := kit.GlyphNone, kit.ColorFaint, ""
		r := p.d.RecordList.RecordAt(i)
		if r != nil {
			glyph, color, state = show.StateLook(p.d.RecordView, r)
		}
		sign.Set(glyph, color)
		text.SetText(state)
		text.SetColor(kit.ColorText)
		if r != nil && r.Outcome == model.Failed {
			text.SetColor(kit.ColorError)
		}
	}
}

// diskWords is the state of a record's file; "–": it has none.
func diskWords(p *RecordsPane) func(*model.Record) string {
	return func(r *model.Record) string {
		if c := p.d.RecordList.Copies(r); c != nil && c.Disk != originals.NoFile {
			return diskLook(c).text
		}
		return "–"
	}
}

// diskCell is the state of a record's file: a sign and its words.
func (p *RecordsPane) diskCell() (fyne.CanvasObject, func(int)) {
	sign, text := kit.NewSign(kit.GlyphNone, kit.ColorMuted, 13), kit.NewText("", kit.ColorMuted, 13).Fit()
	return kit.Row(6, sign, kit.Stretch(text)), func(i int) {
		l := look{kit.GlyphNone, kit.ColorMuted, ""}
		if r := p.d.RecordList.RecordAt(i); r != nil && p.d.RecordList.Copies(r) != nil {
			l = diskLook(p.d.RecordList.Copies(r))
		}
		sign.Set(l.glyph, l.ink)
		text.SetText(p.of(diskWords(p))(i))
	}
}

func (p *RecordsPane) stateWords(r *model.Record) string {
	_, _, state := show.StateLook(p.d.RecordView, r)
	return state
}

func (p *RecordsPane) timeWords(i int) string {
	if r := p.d.RecordList.RecordAt(i); r != nil {
		return show.RecordTime(r.Time)
	}
	return "…"
}

func causeWords(r *model.Record) string { return words.T("recordCause." + string(r.Cause)) }

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

// recordMoment is when a record was made, to the second.
func recordMoment(t time.Time) string {
	if t.IsZero() {
		return words.T("records.notRecorded")
	}
	return t.Local().Format("2006-01-02 15:04:05")
}
