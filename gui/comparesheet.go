package gui

import (
	"math"

	"fyne.io/fyne/v2"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// compareSheet sets two sets of parameters beside each other on one history: A,
// the baseline, always at the left, and B, the candidate.
type compareSheet struct {
	d *desk.Desk
	w *Host

	open     bool
	obj      fyne.CanvasObject
	name     *kit.Text
	headRow  *fyne.Container
	sides    [2]*kit.Link
	chart    *compareChart
	results  *figureTable
	settings *figureTable
	differs  *kit.Text
	bars     *compareBars
	count    *kit.Text
	which    *kit.Segments
	change   *kit.Select
	list     *kit.List
	sum      *kit.Text
	promote  *kit.Button

	rows  *compareRows
	shown *session.Comparison
	of    *session.Session // that shown is of
}

func newCompareSheet(w *Host) *compareSheet {
	p := &compareSheet{d: w.d, w: w, chart: newCompareChart(w.d), bars: newCompareBars()}
	p.results, p.settings = newFigureTable(words.T("compare.measure")), newFigureTable(words.T("compare.setting"))
	p.differs = kit.NewText("", kit.ColorMuted, 12).Fit().Right()
	side := kit.NewSplit(true, kit.NewPane(words.T("compare.results"), p.results.obj, kit.NewText(words.T("compare.live"), kit.ColorFaint, 12)),
		kit.NewSplit(true, kit.NewPane(words.T("compare.settings"), p.settings.obj, kit.Sized(70, 0, p.differs)), p.bars.pane, kit.KeepSecond, 140), kit.KeepShare, .46)
	lower := w.split("compare", false, side, p.messages(), kit.KeepFirst, 480)
	body := w.split("compareChart", true, p.chart.pane, lower, kit.KeepShare, .3)
	p.obj = kit.Panes(kit.Sized(0, 40, p.header()), kit.Stretch(body))
	w.d.Listen(desk.TopicCompare, p.update)
	w.d.Listen(desk.TopicSession, p.session)
	w.d.Listen(desk.TopicParams, func() {
		if c := w.d.Comparing(); p.open && (c.A.From == desk.FromScreen || c.B.From == desk.FromScreen) {
			w.d.BeginCompare()
		}
	})
	return p
}

func (p *compareSheet) header() fyne.CanvasObject {
	p.name = kit.NewText("", kit.ColorMuted, 13).Fit()
	back := kit.NewButton(words.T("preview.back"), kit.Secondary, p.close).WithGlyph(kit.GlyphLeft)
	for i := range p.sides {
		p.sides[i] = kit.NewMenuLink("", func() { p.menu(i) })
	}
	swap := kit.NewButton(words.T("compare.swap"), kit.Secondary, func() { p.w.c.run("swap") })
	p.promote = kit.NewButton(words.T("compare.promote"), kit.Primary, func() { p.w.c.run("promote") })
	load := func(text string, side func() desk.Side) *kit.Button {
		return kit.NewButton(words.T(text), kit.Secondary, func() {
			s := side()
			p.close()
			p.d.Load(s)
			p.w.overlay.Toast(words.T("compare.loaded", "side", sideName(s), "key", p.w.c.key("undo")), "", nil)
		})
	}
	p.headRow = kit.Row(10, back, kit.Label(words.T("compare.title")).Bold(), kit.Stretch(p.name),
		kit.NewTag("A", kit.ColorText), kit.NewText(words.T("compare.baseline"), kit.ColorMuted, 12), p.sides[0], swap,
		kit.NewTag("B", kit.ColorAccent), kit.NewText(words.T("compare.candidate"), kit.ColorMuted, 12), p.sides[1], kit.Spring(),
		load("compare.openA", func() desk.Side { return p.d.Comparing().A }), load("compare.openB", func() desk.Side { return p.d.Comparing().B }), p.promote)
	return kit.NewPane("", kit.Pad(0, 10, 0, 10, p.headRow))
}

func (p *compareSheet) messages() fyne.CanvasObject {
	p.count, p.sum = kit.NewText("", kit.ColorMuted, 12).Fit(), kit.NewText("", kit.ColorText, 12).Fit()
	p.which = kit.NewSegments([]string{words.T("compare.differences"), words.T("compare.all")}, 0, func(int) { p.relist() })
	p.change = kit.NewSelect([]string{""}, 0, func(int) { p.relist() })
	p.list = kit.NewList(24, func() int {
		if p.rows == nil {
			return 0
		}
		return p.rows.len()
	}, func() kit.ListRow { return newCompareLine(p) })
	p.list.OnSelect = p.look
	p.list.OnOpen = p.jump
	body := kit.Column(0, kit.Sized(0, 24, newCompareHead()), kit.NewRule(), kit.Stretch(p.list), kit.NewRule(), kit.Sized(0, 30, kit.Pad(0, 12, 0, 12, p.sum)))
	pane := kit.NewPane(words.T("compare.fateDiffers"), body, p.which, kit.Sized(150, 24, p.change))
	pane.SetLeft(kit.Sized(90, 0, p.count))
	return pane
}

// enter opens the sheet.
func (p *compareSheet) enter() {
	if p.open {
		return
	}
	p.here()
	p.w.showSheet(p.obj, p.close)
	p.open = true
	p.d.BeginCompare()
	p.w.win.Canvas().Focus(p.list)
}

// visible reports whether the sheet is the one on the screen; nil is not.
func (p *compareSheet) visible() bool { return p != nil && p.open && p.w.inSheet() }

func (p *compareSheet) close() {
	p.open = false
	p.d.EndCompare()
	p.w.hideSheet()
}

func (p *compareSheet) session() {
	switch {
	case p.open && p.d.Session() == nil:
		p.close()
	case p.open:
		p.update()
	}
}

// menu offers what a side can be: the parameters on the screen, presets, the
// cell that was chosen in a sweep.
func (p *compareSheet) menu(side int) {
	set := []func(desk.Side){p.d.SetBaseline, p.d.SetCandidate}[side]
	c := p.d.Comparing()
	now := []desk.Side{c.A, c.B}[side]
	items := []kit.MenuItem{{Text: words.T("compare.screen"), Checked: now.From == desk.FromScreen, Run: func() { set(desk.Side{From: desk.FromScreen}) }}}
	if now.From == desk.FromSweep {
		items = append(items, kit.MenuItem{Text: words.T("compare.cell"), Checked: true, Disabled: true})
	}
	items = append(items, kit.Rule)
	add := func(id, name string, s desk.Side) {
		items = append(items, kit.MenuItem{Text: name, Checked: now.From == desk.FromPreset && now.Policy.Preset == id, Run: func() { set(s) }})
	}
	for _, x := range compaction.Presets() {
		add(x.ID, presetName(x.ID), desk.PresetSide(x))
	}
	if own := p.d.Presets(); len(own) > 0 {
		items = append(items, kit.Rule)
		for _, x := range own {
			q := x.Policy
			q.Preset = x.Name
			add(x.Name, kit.Clean(x.Name), desk.Side{From: desk.FromPreset, Policy: q})
		}
	}
	showMenuUnder(p.w.win, p.sides[side], items)
}

// sideName names a set of parameters.
func sideName(s desk.Side) string {
	switch s.From {
	case desk.FromScreen:
		return words.T("compare.screen")
	case desk.FromSweep:
		return words.T("compare.cell")
	}
	return kit.Clean(presetName(s.Policy.Preset))
}

func (p *compareSheet) update() {
	if !p.open || p.d.Session() == nil {
		return
	}
	p.here()
	c := p.d.Comparing()
	p.sides[0].SetText(sideName(c.A))
	p.sides[1].SetText(sideName(c.B))
	if e := p.d.Current(); e != nil {
		p.name.SetText(words.T("compare.of", "session", kit.Clean(shortened(entryTitle(e), 36)), "n", p.d.Session().At()))
	}
	rows := settingRows(c.A.Policy, c.B.Policy)
	p.settings.set("A", "B", "B − A", orEqual(rows))
	p.differs.SetText(words.T("compare.settings.count", "n", len(rows), "m", len(policySettings)))
	p.headRow.Refresh()
	switch {
	case c.Result == nil:
		p.sum.SetText(words.T("compare.working")) // the former comparison stays until the new one is there
	case c.Result != p.shown:
		p.shown = c.Result
		p.show(c.Result)
	}
}

// here takes away what is shown of another history.
func (p *compareSheet) here() {
	if p.of == p.d.Session() {
		return
	}
	p.of, p.shown, p.rows = p.d.Session(), nil, nil
	p.list.Update()
	p.results.set("A", "B", "B − A", nil)
	p.count.SetText("")
	p.chart.clear()
}

// show puts a comparison in.
func (p *compareSheet) show(c *session.Comparison) {
	p.chart.set(c)
	p.results.set("A", "B", "B − A", p.figures(c))
	p.bars.set(p.d, c)
	p.rows = newCompareRows(p.d, c, false, nil)
	names := []string{words.T("compare.any", "n", len(c.Rows))}
	for _, x := range p.rows.pairs {
		names = append(names, x.words()+"  "+words.Int(int64(p.rows.count[x])))
	}
	p.change.SetNames(names, 0)
	p.relist()
}

// figures are the plans of now and the replays over all calls.
func (p *compareSheet) figures(c *session.Comparison) []figureRow {
	var rows []figureRow
	a, b := c.A.Plan, c.B.Plan
	after := figureRow{name: words.T("compare.change.now"), a: sizeWords(p.d, a), b: sizeWords(p.d, b)}
	after.change, after.color = metricChange(replay.MetricAfter, float64(b.After.Tokens-a.After.Tokens))
	saved := func(pl *compaction.Plan) float64 {
		return 1 - float64(pl.After.Tokens)/math.Max(1, float64(pl.Before.Tokens))
	}
	now := figureRow{name: words.T("compare.saved.now"), a: words.Percent(saved(a)), b: words.Percent(saved(b))}
	now.change, now.color = metricChange(replay.MetricSaved, saved(b)-saved(a))
	rows = append(rows, after, now)
	ra, rb := replay.Result{Totals: c.A.Timeline.Totals}, replay.Result{Totals: c.B.Timeline.Totals}
	exact := !p.d.Session().Estimated()
	for _, m := range shownMetrics {
		x, okA := ra.Value(m)
		y, okB := rb.Value(m)
		if !okA || !okB {
			continue
		}
		r := figureRow{name: metricName(m), a: metricWords(m, x, exact), b: metricWords(m, y, exact)}
		r.change, r.color = metricChange(m, y-x)
		rows = append(rows, r)
	}
	return rows
}

// sizeWords is the context after a plan, an estimate where the summary is not
// made.
func sizeWords(d *desk.Desk, pl *compaction.Plan) string {
	if pl.Outcome == compaction.WouldApply {
		return words.Estimate(pl.After.Tokens)
	}
	return tokenCount(d, pl.After.Tokens)
}

// relist lists the messages that are asked for.
func (p *compareSheet) relist() {
	c := p.shown
	if c == nil {
		return
	}
	var only *fatePair
	if i := p.change.Selected(); i > 0 {
		only = &p.rows.pairs[i-1]
	}
	p.rows = newCompareRows(p.d, c, p.which.Selected() == 1, only)
	p.list.Select(-1)
	p.list.Update()
	p.count.SetText(words.T("compare.count", "n", len(c.Rows), "m", c.A.Plan.Line.Len()))
	p.sum.SetText(p.sums(c))
}

// sums says what the differences come to.
func (p *compareSheet) sums(c *session.Comparison) string {
	switch {
	case len(settingRows(c.A.Timeline.Policy, c.B.Timeline.Policy)) == 0:
		return words.T("compare.sameSettings")
	case len(c.Rows) == 0:
		return words.T("compare.same")
	}
	var a, b int64
	for _, x := range c.Rows {
		a, b = a+left(x.A, x.Tokens), b+left(x.B, x.Tokens)
	}
	return words.T("compare.sum", "count", len(c.Rows), "a", tokensOrNone(p.d, a), "b", tokensOrNone(p.d, b)) + " · " +
		words.T("compare.summaries", "a", summaryTokens(c.A.Plan), "b", summaryTokens(c.B.Plan))
}

func summaryTokens(pl *compaction.Plan) string {
	if pl.Outcome != compaction.WouldApply || pl.Insert < 0 {
		return words.Tokens(0)
	}
	return words.Estimate(int64(pl.Summary))
}

// look puts the cursor of the chart on a message.
func (p *compareSheet) look(i int) {
	if x, _ := p.rows.at(i); x.History >= 0 {
		p.chart.plot.SetCursor(float64(x.History + 1))
	}
}

// jump goes to a message in the workbench.
func (p *compareSheet) jump(i int) {
	if x, _ := p.rows.at(i); x.History >= 0 {
		p.close()
		p.d.SelectMessage(x.History)
	}
}

// step selects the next message whose fate differs, or with −1 the one before,
// and goes round at the ends.
func (p *compareSheet) step(by int) {
	if p.rows == nil {
		return
	}
	for i := range roundFrom(p.list.Selected(), by, p.rows.len()) {
		if _, differs := p.rows.at(i); differs {
			p.list.Select(i)
			p.look(i)
			return
		}
	}
}

// compareBars are both contexts after their plans on one scale, and how many
// messages have which fate.
type compareBars struct {
	pane   *kit.Pane
	scale  *kit.Text
	bars   [2]*kit.StackBar
	sizes  [2]*kit.Text
	counts [2][len(model.Fates)]*kit.Text
	rows   [2]*fyne.Container
}

func newCompareBars() *compareBars {
	b := &compareBars{scale: kit.NewText("", kit.ColorMuted, 12).Fit().Right()}
	col := kit.Column(6)
	for i, name := range []string{"A", "B"} {
		b.bars[i], b.sizes[i] = kit.NewStackBar(16), kit.NewText("", kit.ColorText, 12).Right()
		col.Add(kit.Row(10, kit.Sized(22, 0, kit.NewText(name, kit.ColorText, 12).Bold()), kit.Stretch(b.bars[i]), kit.Sized(64, 0, b.sizes[i])))
	}
	for i, name := range []string{"A", "B"} {
		b.rows[i] = kit.Row(10, kit.Sized(22, 0, kit.NewText(name, kit.ColorText, 12).Bold()))
		for k, f := range model.Fates {
			b.counts[i][k] = kit.NewText("", kit.ColorText, 12)
			b.rows[i].Add(kit.Row(5, kit.NewBadge(f.Letter()), b.counts[i][k]))
			b.rows[i].Add(kit.Spring())
		}
		col.Add(b.rows[i])
	}
	b.pane = kit.NewPane(words.T("compare.made"), kit.Pad(8, 12, 6, 12, col), kit.Sized(200, 0, b.scale))
	return b
}

func (b *compareBars) set(d *desk.Desk, c *session.Comparison) {
	scale := float64(max(c.A.Plan.After.Tokens, c.B.Plan.After.Tokens, 1))
	for i, pl := range []*compaction.Plan{c.A.Plan, c.B.Plan} {
		b.bars[i].Set(afterParts(pl), scale, "")
		b.sizes[i].SetText(sizeWords(d, pl))
		for k, n := range pl.Counts() {
			b.counts[i][k].SetText(words.Int(int64(n)))
		}
		b.rows[i].Refresh()
	}
	b.scale.SetText(words.T("compare.scale", "tokens", words.TokensShort(int64(scale))))
}
