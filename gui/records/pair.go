package records

import (
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// recordPairSheet sets two records beside each other: what they did, in which
// parameters they differ, what survived each, and their summaries.
type recordPairSheet struct {
	d    *desk.Desk
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
	left     *kit.TextView
	right    *kit.TextView
	beside   *kit.Split
	Shown    *desk.RecordPair
}

// newRecordPairSheet makes the sheet; leaving it calls back.
func newRecordPairSheet(w *screen.Host, back func()) *recordPairSheet {
	p := &recordPairSheet{d: w.Desk, w: w, back: back}
	p.name = kit.NewText("", kit.ColorMuted, 13).Fit()
	leave := kit.NewButton(words.T("preview.back"), kit.Secondary, p.close).WithGlyph(kit.GlyphLeft)
	head := kit.NewPane("", kit.Pad(0, 10, 0, 10, kit.Row(10, leave, kit.Label(words.T("pair.title")).Bold(), kit.Stretch(p.name))))
	p.Effects = show.NewFigureTable(w.Desk, words.T("compare.measure"))
	p.settings, p.facts = show.NewFigureTable(w.Desk, words.T("compare.setting")), show.NewFigureTable(w.Desk, words.T("pair.kind"))
	p.differs, p.only = kit.NewText("", kit.ColorMuted, 12).Fit().Right(), kit.NewParagraph("", kit.ColorMuted, 12, 4)
	effects := kit.NewPane(words.T("records.effect"),
		kit.Column(0, kit.Stretch(p.Effects.Obj), kit.NewRule(), kit.Pad(6, 12, 6, 12, p.only)))
	lower := kit.NewSplit(true, kit.NewPane(words.T("compare.settings"), p.settings.Obj, kit.Sized(90, 0, p.differs)),
		kit.NewPane(words.T("result.survives"), p.facts.Obj), kit.KeepShare, .5)
	p.left, p.right = kit.NewTextView(false, false), kit.NewTextView(false, false)
	p.left.OnMetrics, p.right.OnMetrics = p.diff, p.diff
	p.beside = kit.NewSplit(false, p.left, p.right, kit.KeepShare, .5).Within()
	p.mode = kit.NewSegments([]string{words.T("pair.beside"), words.T("pair.unified")}, 0, func(int) { p.diff() })
	p.text = kit.NewPane(words.T("pair.text"), kit.Pad(6, 6, 6, 12, p.beside), p.mode)
	side := kit.NewSplit(true, effects, lower, kit.KeepShare, .36)
	p.obj = kit.Panes(kit.Sized(0, 40, head), kit.Stretch(w.Split("recordPair", false, side, p.text, kit.KeepFirst, 500)))
	return p
}

// Show opens the sheet with the two records that are ticked.
func (p *recordPairSheet) Show() {
	p.w.ShowSheet(p.obj, p.close)
	p.open, p.Shown = true, nil
	p.d.CompareRecords()
}

func (p *recordPairSheet) close() {
	p.open = false
	p.w.HideSheet()
	p.back()
}

// update shows the pair when it is there.
func (p *recordPairSheet) update() {
	c := p.d.ComparedRecords()
	if !p.open || c == nil || c == p.Shown {
		return
	}
	p.Shown = c
	a, b := c.A, c.B
	p.name.SetText(words.T("pair.of", "a", recordName(a), "b", recordName(b)))
	p.Effects.Set(a.ID, b.ID, "", effectRows(a, b))
	rows := recordSettingRows(a, b)
	p.settings.Set(a.ID, b.ID, "", show.OrEqual(rows))
	p.differs.SetText(words.T("compare.settings.count", "n", len(rows), "m", len(model.Params())))
	p.facts.Set(a.ID, b.ID, "", factRows(a, b))
	p.only.Set(onlyWords(c), kit.ColorMuted)
	p.diff()
}

func recordName(r *model.Record) string {
	return r.ID + " (" + words.T("recordCause."+string(r.Cause)) + ", " + show.RecordTime(r.Time) + ")"
}

// onlyWords says what only one of the two covers.
func onlyWords(c *desk.RecordPair) string {
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

// effectRows are the figures in which records are compared.
func effectRows(a, b *model.Record) []show.FigureRow {
	unknown := words.T("records.notRecorded")
	figure := func(name string, of func(r *model.Record) string) show.FigureRow {
		return show.FigureRow{Name: words.T(name), A: show.Or(of(a), unknown), B: show.Or(of(b), unknown)}
	}
	tokens := func(n int64, r *model.Record) string {
		if n <= 0 {
			return ""
		}
		return words.TokensOf(n, true, r.Exact())
	}
	return []show.FigureRow{
		figure("records.outcome", func(r *model.Record) string { _, _, text := outcomeLook(r); return text }),
		figure("pair.firstKept", func(r *model.Record) string {
			if r.Range.To == 0 {
				return ""
			}
			return "#" + words.Int(int64(r.Range.To+1))
		}),
		figure("pair.covered", func(r *model.Record) string {
			if r.Covered == 0 {
				return ""
			}
			return words.Int(int64(r.Covered))
		}),
		figure("records.before", func(r *model.Record) string { return tokens(r.Before.Tokens, r) }),
		figure("records.after", func(r *model.Record) string { return tokens(r.After.Tokens, r) }),
		figure("records.saved", func(r *model.Record) string {
			switch {
			case r.Cause == model.CauseRestore:
				return "–"
			case r.Before.Tokens == 0 || r.After.Tokens == 0:
				return ""
			}
			return words.Percent(1 - float64(r.After.Tokens)/float64(r.Before.Tokens))
		}),
		figure("records.model", func(r *model.Record) string {
			if r.Cause == model.CauseFound {
				return r.Model
			}
			return show.Or(r.Model, words.T("records.noModel"))
		}),
		figure("records.took", func(r *model.Record) string {
			if r.Duration <= 0 {
				return ""
			}
			return words.Duration(r.Duration)
		}),
	}
}

// recordSettingRows are the parameters in which two records differ; a record
// found in a file tells none.
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
			rows = append(rows, show.FigureRow{Name: words.T("fact." + k), A: text(fa, k), B: text(fb, k)})
		}
	}
	return rows
}

// diff lays the summaries beside each other, or over one another.
func (p *recordPairSheet) diff() {
	c := p.Shown
	if c == nil {
		return
	}
	unified := p.mode.Selected() == 1
	p.beside.ShowSecond(!unified)
	if unified {
		p.left.SetLines(show.LinesUnified(p.left, c.Diff), false)
		return
	}
	left, right := show.LinesBeside(p.left, p.right, c.Diff)
	p.left.SetLines(left, false)
	p.right.SetLines(right, false)
}
