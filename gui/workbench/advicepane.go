package workbench

import (
	"math"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/gui/chart"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// advicePane shows settings that suit the history better than the present ones,
// each with its run as a small curve. As many rows are shown as there is room for;
// its head lists them all.
type advicePane struct {
	p   *ParamPane
	obj *fyne.Container

	head  *fyne.Container
	aside *kit.Text // what the figures of the rows are, or the note where it has no room
	Link  *kit.Link // what was found, or the way to it
	list  *fyne.Container
	Rows  []*AdviceRow
	note  *kit.Paragraph // in place of rows
	found string         // the link where rows are shown
	short string         // the link where there is no room for them
	open  int            // rows with something to show
}

// The heights of the pane's parts, in units of the design.
const (
	adviceHead = 30
	adviceRow  = 40
	adviceNote = 22
	adviceFoot = 8
)

func newAdvicePane(p *ParamPane) *advicePane {
	a := &advicePane{p: p, note: kit.NewParagraph("", kit.ColorMuted, 12, 3)}
	a.Link, a.aside = kit.NewLink("", a.tapped), kit.NewText("", kit.ColorMuted, 11).Fit()
	a.head = kit.Row(8, kit.Label(words.T("advice.title")).Bold(), kit.Stretch(a.aside), a.Link)
	a.list = container.NewWithoutLayout(kit.Pad(0, 12, 0, 12, a.note))
	for i := range 3 {
		row := newAdviceRow(p, i)
		a.Rows = append(a.Rows, row)
		a.list.Add(row.Obj)
	}
	head := kit.Column(0, kit.NewRule(), kit.Sized(0, adviceHead, kit.Pad(0, 12, 0, 12, a.head)))
	a.obj = container.New(&adviceLayout{a}, head, a.list)
	p.d.Listen(desk.TopicAdvice, a.update)
	return a
}

// adviceLayout shows the rows that fit below the head.
type adviceLayout struct{ a *advicePane }

// MinSize is Fyne's.
func (l *adviceLayout) MinSize(objs []fyne.CanvasObject) fyne.Size { return objs[0].MinSize() }

// Layout is Fyne's.
func (l *adviceLayout) Layout(objs []fyne.CanvasObject, s fyne.Size) {
	top := objs[0].MinSize().Height
	objs[0].Move(fyne.NewPos(0, 0))
	objs[0].Resize(fyne.NewSize(s.Width, top))
	objs[1].Move(fyne.NewPos(0, top))
	objs[1].Resize(fyne.NewSize(s.Width, l.a.place(s.Width, s.Height-top-kit.Px(adviceFoot))))
}

// rowsHeight is what all rows need. It is kept free while there are none, so that
// nothing moves when they come.
func (a *advicePane) rowsHeight() float32 {
	return float32(len(a.Rows))*kit.Px(adviceRow) + kit.Px(adviceFoot)
}

// place lays out the rows that fit and returns their height.
func (a *advicePane) place(width, height float32) float32 {
	note := a.list.Objects[0]
	note.Resize(fyne.NewSize(width, kit.Px(adviceNote))) // its words wrap at that width
	line := max(kit.Px(adviceNote), note.MinSize().Height)
	if show.SetVisible(note, a.open == 0 && line <= height); a.open == 0 {
		aside := ""
		if about := words.T("advice.about"); !note.Visible() && a.note.Text() != about { // the link's tip has that
			aside = a.note.Text()
		}
		a.say(a.found, aside)
		for _, row := range a.Rows {
			row.Obj.Hide()
		}
		note.Move(fyne.NewPos(0, 0))
		note.Resize(fyne.NewSize(width, line))
		return min(line, max(0, height))
	}
	at, pitch := float32(0), kit.Px(adviceRow)
	for i, row := range a.Rows {
		fits := i < a.open && at+pitch <= height
		if show.SetVisible(row.Obj, fits); !fits {
			continue
		}
		row.Obj.Move(fyne.NewPos(0, at))
		row.Obj.Resize(fyne.NewSize(width, pitch))
		at += pitch
	}
	if at > 0 {
		a.say(a.found, words.T("advice.columns"))
	} else {
		a.say(a.short, "")
	}
	return at
}

// say puts words into the head.
func (a *advicePane) say(link, aside string) {
	if link == a.Link.Text() && aside == a.aside.Text() {
		return
	}
	a.Link.SetText(link)
	a.aside.SetText(aside)
	a.head.Refresh()
}

// tapped seeks advice, or lists what was found.
func (a *advicePane) tapped() {
	found := a.p.d.Advice()
	if found == nil || found.Advice == nil || a.p.d.AdviceOutdated() {
		a.p.d.SeekAdvice()
		return
	}
	var items []kit.MenuItem
	for i := range found.Suggestions {
		items = append(items, kit.MenuItem{Text: adviceLine(found, i), Checked: a.p.d.Suggested() == i,
			Run: func() { a.p.useSuggestion(i) }})
	}
	if len(items) > 0 {
		items = append(items, kit.Rule)
		for i, x := range found.Suggestions {
			items = append(items, kit.MenuItem{Text: words.T("advice.tryOne", "name", aimName(x.Aim)),
				Run: func() { a.p.trySuggestion(i) }})
		}
		items = append(items, kit.Rule)
	}
	items = append(items, kit.MenuItem{Text: words.T("advice.again"), Run: a.p.d.SeekAdvice},
		kit.MenuItem{Text: words.T("command.sweepFolder"), Run: func() { a.p.c.Run(commands.SweepFolder) }})
	ShowMenuUnder(a.p.w, a.Link, items)
}

func (a *advicePane) update() {
	d := a.p.d
	found := d.Advice()
	was := a.open
	a.open = 0
	link, note := words.T("advice.seek"), words.T("advice.about")
	switch {
	case d.Session() == nil:
		link, note = "", ""
	case found == nil:
	case found.Advice == nil:
		link, note = "", words.T("advice.trying", "n", found.Done, "m", max(1, found.Total))
	case found.Why != replay.Advised && d.AdviceOutdated(): // the reason was that of other settings
	case found.Why != replay.Advised:
		link, note = words.T("advice.again"), words.T("advice.why."+string(found.Why), "n", found.Needs, "m", replay.NeedsToCount)
	default:
		a.open = len(found.Suggestions)
		link = words.T("advice.tried", "count", found.Tried)
		if d.AdviceOutdated() {
			link = words.T("advice.again")
		}
		for i := range found.Suggestions {
			a.Rows[i].show(found, i, d.Suggested() == i)
		}
	}
	a.note.SetText(note)
	a.found, a.short = link, link
	if a.open > 0 && !d.AdviceOutdated() {
		var list []string
		for i, x := range found.Suggestions {
			list = append(list, aimName(x.Aim)+" "+words.Figure(found.Runs[i].Figures.Recall))
		}
		a.short = strings.Join(list, " · ")
	}
	a.Link.SetTip(words.T("advice.tip"))
	show.SetVisible(a.Link, link != "")
	a.head.Refresh()
	if a.obj.Refresh(); a.open != was && a.p.stack != nil {
		a.p.stack.Refresh() // the rows need another height
	}
}

// useSuggestion takes a suggestion over, and says so beside the way back.
func (p *ParamPane) useSuggestion(i int) {
	if a := p.d.Advice(); a != nil && a.Advice != nil && i < len(a.Suggestions) {
		p.d.UseSuggestion(i)
		p.c.Toast(words.T("advice.used", "name", aimName(a.Suggestions[i].Aim)), words.T("do.undo"), p.d.Undo)
	}
}

// trySuggestion sets a suggestion beside the parameters on the screen.
func (p *ParamPane) trySuggestion(i int) {
	p.d.TrySuggestion(i)
	p.c.Run("compare")
}

// adviceLine is a suggestion in one line: "Safer: 95 %, ~18.9M · 70 %, tail 40K, budget 8K".
func adviceLine(a *desk.Advice, i int) string {
	f := a.Runs[i].Figures
	return words.T("advice.line", "name", aimName(a.Suggestions[i].Aim), "recall", words.Figure(f.Recall), "input", words.Figure(f.Input),
		"setting", settingWords(a.Suggestions[i].Policy[0]))
}

func aimName(aim replay.Aim) string { return words.T("advice." + string(aim)) }

// settingWords is what a suggestion sets: "70 %, tail 40K, budget 8K".
func settingWords(p model.Policy) string {
	return words.T("advice.setting", "trigger", triggersShort(p), "tail", amountShort(p.TailInForce()),
		"budget", amountShort(p.BudgetInForce()))
}

// shortSetting is what it sets first of all.
func shortSetting(p model.Policy) string {
	return words.T("advice.shortSetting", "trigger", triggersShort(p), "tail", amountShort(p.TailInForce()))
}

func triggersShort(p model.Policy) string {
	var at []string
	for _, c := range p.Triggers {
		at = append(at, show.ClauseWords(c))
	}
	return strings.Join(at, " / ")
}

// amountShort is an amount as short as it goes: "40K", "12 messages".
func amountShort(a model.Amount) string {
	if a.Unit == model.Tokens {
		return words.TokensShort(int64(a.N))
	}
	return show.AmountWords(a)
}

// AdviceRow is one suggestion.
type AdviceRow struct {
	Obj                 *kit.PressRow
	p                   *ParamPane
	spark               *chart.Spark
	line                *fyne.Container
	Name                *kit.Text
	Recall, Input, Cost *kit.Figure
	Setting             *kit.Text
	Try, Use            *kit.Link
}

func newAdviceRow(p *ParamPane, i int) *AdviceRow {
	r := &AdviceRow{p: p, spark: chart.NewSpark(), Name: kit.NewText("", kit.ColorText, 12).Bold(),
		Recall: kit.NewFigure(kit.ColorText, 12).Bold(), Input: kit.NewFigure(kit.ColorText, 12), Cost: kit.NewFigure(kit.ColorText, 12),
		Setting: kit.NewText("", kit.ColorMuted, 11).Fit()}
	r.Try = kit.NewLink(words.T("advice.try"), func() { p.trySuggestion(i) }).WithTip("advice.try.tip")
	r.Use = kit.NewLink(words.T("advice.use"), func() { p.useSuggestion(i) }).WithTip("advice.use.tip")
	r.Recall.Beside, r.Input.Beside, r.Cost.Beside = p.Result.obj, p.Result.obj, p.Result.obj
	r.line = kit.Row(7, r.Name, r.Recall, r.Input, r.Cost, kit.Spring())
	text := kit.Column(2, kit.Sized(0, 18, r.line), kit.Sized(0, 16, r.Setting))
	acts := kit.Column(2, kit.Sized(0, 18, r.Try), kit.Sized(0, 16, r.Use))
	r.Obj = kit.NewPressRow(adviceRow, kit.Pad(2, 12, 2, 12, kit.Row(8, kit.Sized(44, 32, r.spark), kit.Stretch(text), acts)), nil)
	r.Obj.SetEnabled(false)
	return r
}

// show fills the row with suggestion i.
func (r *AdviceRow) show(a *desk.Advice, i int, used bool) {
	x, run := &a.Suggestions[i], &a.Runs[i]
	r.Name.SetText(aimName(x.Aim))
	ink := kit.ColorText
	if a.Now.Firings > 0 && x.Recall > a.Now.Recall {
		ink = kit.ColorKept
	}
	show.PutFigure(r.Recall, r.p.d, run.Figures.Recall, "", ink)
	show.PutFigure(r.Input, r.p.d, run.Figures.Input, "", kit.ColorText)
	show.PutFigure(r.Cost, r.p.d, run.Figures.Cost, costWords(r.p.d, run.Figures.Cost, ""), kit.ColorText)
	gives := givesUp(a, x)
	r.Setting.SetTexts(settingWords(x.Policy[0])+" · "+gives, shortSetting(x.Policy[0])+" · "+gives, gives)
	r.Obj.SetTip(adviceTip(a, i))
	r.Use.SetEnabled(!used)
	r.Use.SetText(words.T("advice.use"))
	if used {
		r.Use.SetText(words.T("advice.inUse"))
	}
	at, _ := show.TokenClause(x.Policy[0])
	r.spark.Set(sparkOf(run.Timeline, int64(compaction.GaugeOf(at, x.Policy[0].Window).Tokens())))
	r.line.Refresh()
}

// sparkOf is a run as a small curve below the context window.
func sparkOf(tl *replay.Timeline, trigger int64) chart.SparkData {
	points := LivedCurve(tl)
	s := chart.SparkData{Points: points, Color: kit.ColorSummarised, Line: float64(trigger), Top: float64(tl.Totals.Largest)}
	if n := len(points); n > 0 {
		s.To = points[n-1].X
	}
	s.Top = 1.1 * max(s.Top, s.Line)
	return s
}

// adviceTip says what a suggestion gains and gives up.
func adviceTip(a *desk.Advice, i int) string {
	x := &a.Suggestions[i]
	if a.Now.Firings == 0 {
		return words.T("advice.tip.first", "percent", words.PercentChange(change(x.Input, a.Now.Input)), "firings", x.Firings)
	}
	return words.T("advice.tip.row", "recall", pointsWords(x.Recall-a.Now.Recall),
		"percent", words.PercentChange(change(x.Input, a.Now.Input)), "firings", signed(x.Firings-a.Now.Firings))
}

// givesUp says what a suggestion costs beside the present settings.
func givesUp(a *desk.Advice, x *replay.Suggestion) string {
	var list []string
	if d := a.Now.Recall - x.Recall; d >= .0005 {
		list = append(list, words.T("advice.gives.recall", "points", pointsWords(-d)))
	}
	if x.Input > a.Now.Input {
		list = append(list, words.T("advice.gives.input", "percent", words.PercentChange(change(x.Input, a.Now.Input))))
	}
	if n := x.Firings - a.Now.Firings; n > 0 {
		list = append(list, words.T("advice.gives.firings", "count", n))
	}
	if len(list) == 0 {
		return words.T("advice.gives.nothing")
	}
	return strings.Join(list, ", ")
}

// pointsWords is a difference of shares: "−3 pt", "−0.4 pt".
func pointsWords(d float64) string {
	digits := 0
	if pt := math.Abs(100 * d); pt > 0 && pt < 1 {
		digits = 1
	}
	return words.T("metric.points", "n", show.Signed(100*d, digits))
}

// signed is a difference of counts: "+2", "−1", "±0".
func signed(n int) string {
	switch {
	case n > 0:
		return "+" + words.Int(int64(n))
	case n < 0:
		return words.Minus + words.Int(int64(-n))
	}
	return "±0"
}

func change(now, was int64) float64 {
	if was == 0 {
		return 0
	}
	return float64(now-was) / float64(was)
}
