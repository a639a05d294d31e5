package study

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/figures"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/figure"
)

// CompareSheet sets two sets of parameters beside each other on one history: A,
// the baseline, always at the left, and B, the candidate.
type CompareSheet struct {
	d *desk.Desk
	w *screen.Host

	Open     bool
	obj      fyne.CanvasObject
	name     *kit.Text
	HeadRow  *fyne.Container
	Sides    [2]*kit.Link
	Chart    *compareChart
	results  *show.FigureTable
	settings *show.FigureTable
	differs  *kit.Text
	bars     *compareBars
	count    *kit.Text
	Which    *kit.Segments
	change   *kit.Select
	List     *kit.List
	sum      *kit.Text
	none     *kit.Text // says in the middle of an empty list why nothing is in it
	promote  *kit.Button
	load     [2]*kit.Button

	Rows  *compareRows
	Shown *session.Comparison
	of    *session.Session // that shown is of
}

func NewCompareSheet(w *screen.Host) *CompareSheet {
	p := &CompareSheet{d: w.Desk, w: w, Chart: newCompareChart(w.Desk), bars: newCompareBars()}
	p.results, p.settings = show.NewFigureTable(w.Desk, words.T("compare.measure")), show.NewFigureTable(w.Desk, words.T("compare.setting"))
	p.differs = kit.NewText("", kit.ColorMuted, 12).Fit().Right()
	side := kit.NewSplit(true,
		kit.NewPane(words.T("compare.results"), kit.Sized(430, 0, p.results.Obj), kit.NewText(words.T("compare.live"), kit.ColorFaint, 12)),
		kit.NewSplit(true, kit.NewPane(words.T("compare.settings"), p.settings.Obj,
			kit.Sized(70, 0, kit.Means(p.differs, "compare.differs.means"))), p.bars.pane,
			kit.KeepSecond, 140), kit.KeepShare, .46)
	lower := w.Split("compare", false, side, p.messages(), kit.KeepFirst, 480)
	body := w.Split("compareChart", true, p.Chart.pane, lower, kit.KeepShare, .3)
	p.obj = kit.Panes(kit.Sized(0, 40, p.header()), kit.Stretch(body))
	w.Desk.Listen(desk.TopicCompare, p.update)
	w.Desk.Listen(desk.TopicSession, p.session)
	w.Desk.Listen(desk.TopicParams, func() {
		if c := w.Desk.Comparing(); p.Open && (c.A.From == desk.FromScreen || c.B.From == desk.FromScreen) {
			w.Desk.BeginCompare()
		}
	})
	return p
}

func (p *CompareSheet) header() fyne.CanvasObject {
	p.name = kit.NewText("", kit.ColorMuted, 13).Fit()
	back := kit.NewButton(words.T("preview.back"), kit.Secondary, p.close).WithTip("preview.back.tip").WithGlyph(kit.GlyphLeft)
	for i := range p.Sides {
		p.Sides[i] = kit.NewMenuLink("", func() { p.menu(i) })
	}
	swap := kit.NewButton(words.T("compare.swap"), kit.Secondary, nil).Does(p.w.Commands, commands.Swap)
	p.promote = kit.NewButton(words.T("compare.promote"), kit.Primary, nil).Does(p.w.Commands, commands.Promote)
	for i, text := range []string{"compare.openA", "compare.openB"} {
		p.load[i] = kit.NewButton(words.T(text), kit.Secondary, nil).WithTip(text + ".tip")
		p.load[i].OnTapped = func() {
			s := p.sides()[i]
			p.close()
			p.d.Load(s)
			p.w.Overlay.Toast(words.T("compare.loaded", "side", sideName(s), "key", p.w.Commands.Key(commands.Undo)), "", nil)
		}
	}
	p.HeadRow = kit.Lines(10, back, kit.Label(words.T("compare.title")).Bold(), kit.Stretch(kit.Sized(200, 0, p.name)),
		kit.NewTag("A", kit.ColorText), kit.NewText(words.T("compare.baseline"), kit.ColorMuted, 12), p.Sides[0], swap,
		kit.NewTag("B", kit.ColorAccent), kit.NewText(words.T("compare.candidate"), kit.ColorMuted, 12), p.Sides[1],
		p.load[0], p.load[1], p.promote)
	return kit.NewPane("", kit.Pad(5, 10, 5, 10, p.HeadRow))
}

func (p *CompareSheet) messages() fyne.CanvasObject {
	p.count, p.sum = kit.NewText("", kit.ColorMuted, 12).Fit(), kit.NewText("", kit.ColorText, 12).Fit()
	p.none = kit.NewText("", kit.ColorMuted, 13).Center().Fit()
	p.Which = kit.NewSegments([]string{words.T("compare.differences"), words.T("compare.all")}, 0, func(int) { p.Relist() }).Folding()
	p.change = kit.NewSelect([]string{""}, 0, func(int) { p.Relist() })
	columns := p.columns()
	p.List = columns.NewList(24, func() int {
		if p.Rows == nil {
			return 0
		}
		return p.Rows.Len()
	})
	p.List.OnSelect = p.Look
	p.List.OnOpen = func(i int) {
		if x, _ := p.Rows.At(i); x.History >= 0 {
			p.close()
			p.d.SelectMessage(x.History)
		}
	}
	body := kit.Column(0, kit.Sized(0, 24, columns.Head()), kit.NewRule(),
		kit.Stretch(container.NewStack(p.List, kit.Column(0, kit.Spring(), p.none, kit.Spring()))), kit.NewRule(),
		kit.Sized(0, 30, kit.Pad(0, 12, 0, 12, kit.Means(p.sum, "compare.sum.means"))))
	pane := kit.NewPane(words.T("compare.fateDiffers"), body, p.Which, kit.Sized(150, 24, p.change))
	pane.SetLeft(kit.Sized(90, 0, kit.Means(p.count, "compare.count.means")))
	return pane
}

// Enter opens the sheet.
func (p *CompareSheet) Enter() {
	if p.Open {
		return
	}
	p.here()
	p.w.ShowSheet(p.obj, p.close)
	p.Open = true
	p.d.BeginCompare()
	p.w.Win.Canvas().Focus(p.List)
}

// Visible reports whether the sheet is the one on the screen; nil is not.
func (p *CompareSheet) Visible() bool { return p != nil && p.Open && p.w.InSheet() }

func (p *CompareSheet) close() {
	p.Open = false
	p.d.EndCompare()
	p.w.HideSheet()
}

func (p *CompareSheet) session() {
	switch {
	case p.Open && p.d.Session() == nil:
		p.close()
	case p.Open:
		p.update()
	}
}

// menu offers what a side can be: the parameters on the screen, the cell that was chosen
// in a sweep, presets, what the file holds, drafts, suggestions, what records were made
// with, look-alikes.
func (p *CompareSheet) menu(side int) {
	set := []func(desk.Side){p.d.SetBaseline, p.d.SetCandidate}[side]
	now := p.sides()[side]
	items := []kit.MenuItem{{Text: words.T("compare.screen"), Checked: now.From == desk.FromScreen,
		Run: func() { set(desk.Side{From: desk.FromScreen}) }}}
	if now.From == desk.FromSweep || now.From == desk.FromEarlier {
		items = append(items, kit.MenuItem{Text: sideName(now), Checked: true, Disabled: true})
	}
	items = append(items, kit.Rule)
	add := func(id, name string, s desk.Side) {
		items = append(items,
			kit.MenuItem{Text: name, Checked: now.From == desk.FromPreset && now.Policy.Preset == id, Run: func() { set(s) }})
	}
	for _, x := range compaction.Presets() {
		add(x.ID, show.PresetName(x.ID), desk.PresetSide(x))
	}
	if own := p.d.Planning.Presets(); len(own) > 0 {
		items = append(items, kit.Rule)
		for _, x := range own {
			q := x.Policy
			q.Preset = x.Name
			add(x.Name, kit.Clean(x.Name), desk.Side{From: desk.FromPreset, Policy: q})
		}
	}
	for _, group := range desk.Sides(p.d) {
		if len(group) > 0 {
			items = append(items, kit.Rule)
		}
		for _, s := range group {
			on := now.From == s.From && now.Name == s.Name && (s.From != desk.FromPreset || now.Policy.Preset == s.Policy.Preset)
			items = append(items, kit.MenuItem{Text: sideName(s), Checked: on, Run: func() { set(s) }})
		}
	}
	kit.ShowMenuUnder(p.Sides[side], items)
}

func (p *CompareSheet) sides() [2]desk.Side {
	return [2]desk.Side{p.d.Comparing().A, p.d.Comparing().B}
}

// sideName names a side.
func sideName(s desk.Side) string {
	switch s.From {
	case desk.FromScreen:
		return words.T("compare.screen")
	case desk.FromSweep:
		return words.T("compare.cell")
	case desk.FromEarlier:
		return words.T("compare.promoted")
	case desk.FromAdvice:
		return words.T("compare.suggestion", "name", words.T("advice."+s.Name))
	case desk.FromRecord:
		return words.T("compare.record", "id", s.Name)
	case desk.FromDraft:
		return words.T("compare.draft", "n", s.Name, "strategy", show.DraftWord(s.Draft))
	case desk.FromFile:
		return words.T("compare.file")
	}
	return kit.Clean(show.PresetName(s.Policy.Preset))
}

func (p *CompareSheet) update() {
	if !p.Open || p.d.Session() == nil {
		return
	}
	p.here()
	c := p.d.Comparing()
	for i, s := range p.sides() {
		p.Sides[i].SetText(sideName(s))
		p.load[i].SetEnabled(s.Settings())
	}
	if e := p.d.Current(); e != nil {
		p.name.SetText(words.T("compare.of", "session", kit.Clean(show.Shortened(show.EntryTitle(e), 36)), "n", p.d.Session().At()))
	}
	if c.A.Settings() && c.B.Settings() {
		rows := show.SettingRows(c.A.Policy, c.B.Policy)
		p.settings.Set("A", "B", "B − A", show.OrEqual(rows))
		p.differs.SetText(words.T("compare.settings.count", "n", len(rows), "m", len(model.Params())))
	} else { // a file does not hold the settings of its compactions
		p.settings.Set("A", "B", "B − A", []show.FigureRow{{Name: words.T("compare.settings.unknown")}})
		p.differs.SetText("")
	}
	p.HeadRow.Refresh()
	switch {
	case c.Result == nil:
		p.sum.SetText(words.T("compare.working")) // the former comparison stays until the new one is there
	case c.Result != p.Shown:
		p.Shown = c.Result
		p.show(c.Result)
	}
}

// here takes away what is shown of another history.
func (p *CompareSheet) here() {
	if p.of == p.d.Session() {
		return
	}
	p.of, p.Shown, p.Rows = p.d.Session(), nil, nil
	p.none.SetText("")
	p.List.Update()
	p.results.Set("A", "B", "B − A", nil)
	p.count.SetText("")
	p.Chart.clear()
}

// show puts a comparison in.
func (p *CompareSheet) show(c *session.Comparison) {
	p.Chart.set(c)
	p.results.Set("A", "B", "B − A", p.figures(c))
	p.bars.set(p.d, c)
	p.Rows = newCompareRows(p.d, c, false, nil)
	names := []string{words.T("compare.any", "n", len(c.Rows))}
	for _, x := range p.Rows.pairs {
		names = append(names, x.words()+"  "+words.Int(int64(p.Rows.count[x])))
	}
	p.change.SetNames(names, 0)
	p.Relist()
}

// figures are the plans of now and the replays over all calls.
func (p *CompareSheet) figures(c *session.Comparison) []show.FigureRow {
	s := p.d.Session()
	a, b := p.nowFigures(&c.A), p.nowFigures(&c.B)
	rows := []show.FigureRow{
		show.Metrics(words.T("compare.change.now"), replay.MetricAfter, a.After, b.After),
		savedRow(a.Change, b.Change),
	}
	if a.Survives.Known() || b.Survives.Known() {
		rows = append(rows, show.Metrics(words.T("compare.survives.now"), replay.MetricSurvives, a.Survives, b.Survives),
			show.Metrics(words.T("compare.recall.now"), replay.MetricRecall, a.Recall, b.Recall))
	}
	ra, rb := session.ResultOf(s, c.A.Timeline, c.A.Needed), session.ResultOf(s, c.B.Timeline, c.B.Needed)
	how := func(side *session.Side) figures.Texts { return figures.TextsOf(s, side.Timeline) }
	for _, m := range show.ShownMetrics {
		x, okA := ra.Value(m)
		y, okB := rb.Value(m)
		okA, okB = okA && !(c.A.Recorded && m == replay.MetricResent), okB && !(c.B.Recorded && m == replay.MetricResent)
		if !okA && !okB {
			continue
		}
		fa, fb := figures.OfMetric(m, x, okA, how(&c.A)), figures.OfMetric(m, y, okB, how(&c.B))
		rows = append(rows, show.Metrics(show.MetricName(m), m, fa, fb))
	}
	return rows
}

// nowFigures are the figures of what a side does now.
func (p *CompareSheet) nowFigures(x *session.Side) figures.Compaction {
	return figures.OfCompaction(p.d.Session(), figures.MadeOf(x))
}

// savedRow compares two changes of size; more that goes is better.
func savedRow(a, b figure.Figure) show.FigureRow {
	return show.Compared(words.T("compare.saved.now"), a, b, true, func(by float64) fyne.ThemeColorName {
		return show.MetricInk(replay.MetricSaved, -by)
	})
}

// Relist lists the messages that are asked for.
func (p *CompareSheet) Relist() {
	c := p.Shown
	if c == nil {
		return
	}
	var only *fatePair
	if i := p.change.Selected(); i > 0 {
		only = &p.Rows.pairs[i-1]
	}
	p.Rows = newCompareRows(p.d, c, p.Which.Selected() == 1, only)
	p.List.Select(-1)
	p.List.Update()
	p.count.SetText(words.T("compare.count", "n", len(c.Rows), "m", c.A.Plan.Line.Len()))
	sums := p.sums(c)
	if p.Rows.Len() == 0 {
		p.none.SetText(sums)
		sums = ""
	} else {
		p.none.SetText("")
	}
	p.sum.SetText(sums)
}

// Note is what the middle of an empty list says.
func (p *CompareSheet) Note() string { return p.none.Text() }

// First is the first words of a row.
func (p *CompareSheet) First(i int) string {
	x, differs := p.Rows.At(i)
	return compareLine{x, p.Rows, differs}.first()
}

// sums says what the differences come to.
func (p *CompareSheet) sums(c *session.Comparison) string {
	byText := c.A.Recorded || c.B.Recorded
	for _, x := range p.sides() {
		byText = byText || x.From == desk.FromDraft
	}
	switch {
	case !byText && len(show.SettingRows(c.A.Timeline.Policy, c.B.Timeline.Policy)) == 0:
		return words.T("compare.sameSettings")
	case len(c.Rows) == 0:
		return words.T("compare.same")
	}
	var a, b int64
	for _, x := range c.Rows {
		a, b = a+left(x.A, x.Tokens), b+left(x.B, x.Tokens)
	}
	return words.T("compare.sum", "count", len(c.Rows), "a", show.TokenCount(p.d, a), "b", show.TokenCount(p.d, b)) + " · " +
		words.T("compare.summaries", "a", summaryTokens(c.A.Plan), "b", summaryTokens(c.B.Plan))
}

func summaryTokens(pl *compaction.Plan) string {
	if pl.Outcome != compaction.WouldApply || pl.Insert < 0 {
		return words.Tokens(0)
	}
	return words.Estimate(int64(pl.Summary))
}

// Look puts the cursor of the chart on a message.
func (p *CompareSheet) Look(i int) {
	if x, _ := p.Rows.At(i); x.History >= 0 {
		p.Chart.Plot.SetCursor(float64(x.History + 1))
	}
}

// Step selects the next message whose fate differs, or with −1 the one before,
// and goes round at the ends.
func (p *CompareSheet) Step(by int) {
	if p.Rows == nil {
		return
	}
	for i := range show.RoundFrom(p.List.Selected(), by, p.Rows.Len()) {
		if _, differs := p.Rows.At(i); differs {
			p.List.Select(i)
			p.Look(i)
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
	sizes  [2]*kit.Figure
	counts [2][len(model.Fates)]*kit.Text
	rows   [2]*fyne.Container
}

func newCompareBars() *compareBars {
	b := &compareBars{scale: kit.NewText("", kit.ColorMuted, 12).Fit().Right()}
	col := kit.Column(6)
	for i, name := range []string{"A", "B"} {
		b.bars[i], b.sizes[i] = kit.NewStackBar(16), kit.NewFigure(kit.ColorText, 12).Right()
		col.Add(kit.Row(10, kit.Sized(22, 0, kit.NewText(name, kit.ColorText, 12).Bold()), kit.Stretch(b.bars[i]),
			kit.Sized(64, 0, b.sizes[i])))
	}
	for i, name := range []string{"A", "B"} {
		b.rows[i] = kit.Row(10, kit.Sized(22, 0, kit.NewText(name, kit.ColorText, 12).Bold()))
		for k, f := range model.Fates {
			b.counts[i][k] = kit.NewText("", kit.ColorText, 12)
			b.rows[i].Add(kit.Means(kit.Row(5, kit.NewBadge(f.Letter()), b.counts[i][k]), "compare.fates.means"))
			b.rows[i].Add(kit.Spring())
		}
		col.Add(b.rows[i])
	}
	b.pane = kit.NewPane(words.T("compare.made"), kit.Pad(8, 12, 6, 12, col), kit.Sized(200, 0, kit.Means(b.scale, "preview.bar.means")))
	return b
}

func (b *compareBars) set(d *desk.Desk, c *session.Comparison) {
	scale := float64(max(c.A.Plan.After.Tokens, c.B.Plan.After.Tokens, 1))
	for i, x := range []*session.Side{&c.A, &c.B} {
		pl := x.Plan
		b.bars[i].Set(show.AfterParts(pl), scale, "")
		show.PutFigure(b.sizes[i], d, figures.OfCompaction(d.Session(), figures.MadeOf(x)).After, "", kit.ColorText)
		for k, n := range pl.Counts() {
			b.counts[i][k].SetText(words.Int(int64(n)))
		}
		b.rows[i].Refresh()
	}
	b.scale.SetText(words.T("compare.scale", "tokens", show.ContextTokens(d, int64(scale),
		min(c.A.Plan.Policy.Fixed, c.B.Plan.Policy.Fixed))))
}
