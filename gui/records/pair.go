package records

import (
	"cmp"
	"math"
	"slices"
	"strings"

	staterecords "palimpsest/gui/state/records"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/session/figures"
	"palimpsest/gui/commands"
	"palimpsest/gui/kit"
	"palimpsest/gui/kit/reading"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/body"
	"palimpsest/model/figure"
)

// recordPairSheet sets two records beside each other: what they did, in which
// parameters they differ, what survived each, and their summaries.
type recordPairSheet struct {
	d    *State
	w    *screen.Host
	back func()

	open     bool
	obj      fyne.CanvasObject
	name     *kit.Text
	Effects  *show.FigureTable
	settings *show.FigureTable
	facts    *show.FigureTable
	differs  *kit.Text
	only     *kit.Paragraph
	mode     *kit.Segments
	text     *kit.Pane
	view     *reading.View
	Shown    *staterecords.RecordPair
	of       *staterecords.RecordPair // that Shown is, or is the other way round
}

// pairWidth is that of a column whose values are a share and two counts, or a state.
const pairWidth = 122

// newRecordPairSheet makes the sheet; leaving it calls back.
func newRecordPairSheet(w *screen.Host, d *State, back func()) *recordPairSheet {
	p := &recordPairSheet{d: d, w: w, back: back}
	p.name = kit.NewText("", kit.ColorMuted, 13).Fit()
	swap := kit.NewButton(words.T("command.swap"), kit.Secondary, p.Swap)
	swap.SetTip(words.T("pair.swap.tip"))
	leave := kit.NewButton(words.T("preview.back"), kit.Secondary, p.close).WithTip("preview.back.tip").WithGlyph(kit.GlyphLeft)
	head := kit.NewPane("", kit.Pad(0, 10, 0, 10, kit.Row(10, leave, kit.Label(words.T("pair.title")).Bold(), kit.Stretch(p.name), swap)))
	p.Effects = show.NewFigureTableOf(d, words.T("compare.measure"), pairWidth)
	p.settings = show.NewFigureTable(d, words.T("compare.setting"))
	p.facts = show.NewFigureTableOf(d, words.T("pair.kind"), pairWidth)
	p.differs, p.only = kit.NewText("", kit.ColorMuted, 12).Fit().Right(), kit.NewParagraph("", kit.ColorMuted, 12, 4)
	effects := kit.NewPane(words.T("records.effect"),
		kit.Column(0, kit.Stretch(p.Effects.Obj), kit.NewRule(), kit.Pad(6, 12, 6, 12, p.only)))
	lower := kit.NewSplit(true, kit.NewPane(words.T("compare.settings"), p.settings.Obj, kit.Sized(90, 0, p.differs)),
		kit.NewPane(words.T("result.survives"), p.facts.Obj), kit.KeepShare, .5)
	p.view = reading.New(d.Scheduler())
	p.view.SetLook(reading.Look{Sides: true})
	p.mode = kit.NewSegments([]string{words.T("pair.beside"), words.T("pair.unified")}, 0,
		func(i int) { p.view.SetLook(reading.Look{Sides: i == 0}) })
	p.view.OnLook = func(l reading.Look) { p.mode.Select(map[bool]int{true: 0, false: 1}[l.Sides]) }
	next := kit.NewButton(words.T("command.nextDifference"), kit.Secondary, nil).Does(w.Commands, commands.NextDifference).Small()
	p.text = kit.NewPane(words.T("pair.text"), p.view, next, p.mode)
	side := kit.NewSplit(true, effects, lower, kit.KeepShare, .36)
	p.obj = kit.Panes(kit.Sized(0, 40, head), kit.Stretch(w.Split("recordPair", false, side, p.text, kit.KeepFirst, 500)))
	return p
}

// Show opens the sheet with the two records that are ticked.
func (p *recordPairSheet) Show() {
	p.open, p.of = true, nil
	p.d.RecordView.CompareRecords()
	p.w.ShowSheet(p.obj, p.close) // which leaves the list, and its ticks
}

func (p *recordPairSheet) close() {
	p.open = false
	p.w.HideSheet()
	p.back()
}

// update shows the pair when it is there.
func (p *recordPairSheet) update() {
	c := p.d.RecordView.ComparedRecords()
	if p.open && c != nil && c != p.of {
		p.of = c
		p.show(c)
	}
}

// Swap shows the pair the other way round.
func (p *recordPairSheet) Swap() {
	if p.Shown != nil {
		p.show(p.Shown.Swapped())
	}
}

func (p *recordPairSheet) show(c *staterecords.RecordPair) {
	p.Shown = c
	a, b := c.A, c.B
	p.name.SetText(words.T("pair.of", "a", recordName(a), "b", recordName(b)))
	change := words.T("pair.change")
	p.Effects.Set(a.ID, b.ID, change, effectRows(p.d, a, b, c.Same))
	rows := recordSettingRows(a, b)
	p.settings.Set(a.ID, b.ID, change, show.OrEqual(rows))
	p.differs.SetText(words.T("compare.settings.count", "n", len(rows), "m", len(model.Params())))
	p.facts.Set(a.ID, b.ID, change, factRows(a, b))
	p.only.Set(onlyWords(c), kit.ColorMuted)
	p.view.Compare(func() *body.Doc { return body.Compared(a.Summary, b.Summary, "") })
}

func recordName(r *model.Record) string {
	return r.ID + " (" + words.T("recordCause."+string(r.Cause)) + ", " + show.RecordTime(r.Time) + ")"
}

// onlyWords says what only one of the two covers.
func onlyWords(c *staterecords.RecordPair) string {
	switch {
	case !c.Same:
		return words.T("pair.otherHistory")
	case len(c.A.Runs) == 0 || len(c.B.Runs) == 0:
		return words.T("pair.rangeUnknown")
	case len(c.OnlyA)+len(c.OnlyB) == 0:
		return words.T("pair.sameRange")
	}
	var out []string
	for _, x := range []struct {
		id   string
		list []model.Range
	}{{c.A.ID, c.OnlyA}, {c.B.ID, c.OnlyB}} {
		if len(x.list) > 0 {
			out = append(out, words.T("pair.only", "record", x.id, "range", show.RangeWords(x.list)))
		}
	}
	return strings.Join(out, " ")
}

// effectRows are the figures in which records are compared; same: they are of one history.
func effectRows(d *State, a, b *model.Record, same bool) []show.FigureRow {
	unknown := words.T("records.notRecorded")
	of := func(name string, of func(r *model.Record) string) show.FigureRow {
		return show.FigureRow{Name: words.T(name), A: cmp.Or(of(a), unknown), B: cmp.Or(of(b), unknown)}
	}
	// number is a figure whose difference can be told; 0 is not recorded.
	number := func(name string, count func(r *model.Record) int64, text func(n int64, r *model.Record) string) show.FigureRow {
		row := of(name, func(r *model.Record) string {
			if n := count(r); n > 0 {
				return text(n, r)
			}
			return ""
		})
		if x, y := count(a), count(b); x > 0 && y > 0 && x != y {
			row.Change = signed(y - x)
		}
		return row
	}
	plain := func(n int64, _ *model.Record) string { return words.Int(n) }
	fa, fb := figures.OfRecord(a), figures.OfRecord(b)
	metric := func(name string, a, b figure.Figure, ink func(float64) fyne.ThemeColorName) show.FigureRow {
		return show.Compared(words.T(name), a, b, same, ink)
	}
	neither := func(float64) fyne.ThemeColorName { return kit.ColorText }
	rows := []show.FigureRow{
		of("records.state", func(r *model.Record) string { _, _, text := show.StateLook(d.RecordView, r); return text }),
		number("pair.firstKept", func(r *model.Record) int64 { return int64(firstKept(r)) }, func(n int64, _ *model.Record) string {
			return "#" + words.Int(n)
		}),
		number("pair.covered", func(r *model.Record) int64 { return int64(r.Messages()) }, plain),
		{Name: words.T("pair.formers"), A: words.Int(int64(a.Formers)), B: words.Int(int64(b.Formers)),
			Change: signed(int64(b.Formers - a.Formers))},
		metric("records.before", fa.Before, fb.Before, neither),
		metric("records.after", fa.After, fb.After, neither),
		metric("records.saved", fa.Saved, fb.Saved, better),
		of("records.model", func(r *model.Record) string {
			if r.Cause == model.CauseFound {
				return r.Model
			}
			return cmp.Or(r.Model, words.T("records.noModel"))
		}),
		number("records.took", func(r *model.Record) int64 { return r.Duration.Milliseconds() },
			func(_ int64, r *model.Record) string { return words.Duration(r.Duration) }),
	}
	if rows[8].Change != "" {
		rows[8].Change += " ms"
	}
	if a.Formers+b.Formers == 0 {
		rows = slices.Delete(rows, 3, 4)
	}
	return rows
}

// firstKept is the number of the first message behind what a record took; 0: it is
// not recorded.
func firstKept(r *model.Record) int {
	last := 0
	for _, run := range r.Runs {
		if run.Taken() && run.From < run.To {
			last = max(last, run.First()+run.To-run.From)
		}
	}
	return last
}

// points is how far two shares are apart, in points of a hundred; "": they are not.
func points(by float64) string {
	n := int64(math.Round(by * 100))
	if n == 0 {
		return ""
	}
	return words.T("pair.points", "n", signed(n))
}

func signed(n int64) string {
	if n > 0 {
		return "+" + words.Int(n)
	}
	return words.Int(n)
}

// better is the colour of a change of a share of which more is better.
func better(by float64) fyne.ThemeColorName {
	if by < 0 {
		return kit.ColorWarning
	}
	return kit.ColorKept
}

// recordSettingRows are the parameters in which two records differ; a record
// found in a file shows none.
func recordSettingRows(a, b *model.Record) []show.FigureRow {
	rows := show.SettingRows(a.Policy, b.Policy)
	for i := range rows {
		if a.Cause == model.CauseFound {
			rows[i].A, rows[i].Change = words.T("records.notRecorded"), ""
		}
		if b.Cause == model.CauseFound {
			rows[i].B, rows[i].Change = words.T("records.notRecorded"), ""
		}
	}
	return rows
}

// factRows are the shares of facts that survived each, by kind.
func factRows(a, b *model.Record) []show.FigureRow {
	of := func(r *model.Record) map[string]model.FactTally {
		m := map[string]model.FactTally{}
		for _, t := range r.Facts {
			m[t.Kind] = t
		}
		if len(r.Facts) > 0 {
			m["all"] = allFacts(r.Facts)
		}
		return m
	}
	fa, fb := of(a), of(b)
	text := func(m map[string]model.FactTally, kind string) string {
		t, ok := m[kind]
		switch {
		case len(m) == 0:
			return words.T("records.notRecorded")
		case !ok:
			return "–"
		}
		return words.Percent(show.ShareOf(t.Standing, t.Gone)) + " · " + words.Int(int64(t.Standing)) + "/" + words.Int(int64(t.Gone))
	}
	kinds := []string{"all"}
	for _, k := range show.SurvivalOrder {
		kinds = append(kinds, k.String())
	}
	var rows []show.FigureRow
	for _, k := range kinds {
		_, inA := fa[k]
		_, inB := fb[k]
		if inA || inB || k == "all" {
			row := show.FigureRow{Name: words.T("fact." + k), A: text(fa, k), B: text(fb, k)}
			if inA && inB {
				by := show.ShareOf(fb[k].Standing, fb[k].Gone) - show.ShareOf(fa[k].Standing, fa[k].Gone)
				row.Change, row.Color = points(by), better(by)
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// Visible reports whether the sheet is the one on the screen.
func (p *recordPairSheet) Visible() bool { return p != nil && p.w.Showing(p.obj) }

// Step goes to the next difference of the summaries, or with −1 to the one before,
// and round at the ends.
func (p *recordPairSheet) Step(by int) { p.view.StepChange(by) }
