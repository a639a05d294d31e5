package workbench

import (
	"math"
	"slices"
	"sort"
	"strconv"

	"fyne.io/fyne/v2"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/gui/chart"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// chartPane is the context usage of every call over the whole history, with the
// levels that the parameters set.
type chartPane struct {
	d     *desk.Desk
	pane  *kit.Pane
	Plot  *chart.Timeline
	View  *kit.Segments
	hide  *kit.IconButton
	Above *kit.Text // the levels that lie above the axis
	stray *kit.Link // our estimate is far from what was reported

	readout *chartReadout

	dragging          bool            // the trigger, by a hand on the chart
	points            []session.Point // the slice the series were made of
	Recorded, counted []chart.Point
	timeline          *replay.Timeline // the one that lived and fired were made of
	lived             []chart.Point
	fired             []chart.Mark
	peaks             struct{ recorded, counted, lived float64 } // of the curves, which have 100,000 points
}

func NewChartPane(d *desk.Desk, win fyne.Window, c *commands.Table) *chartPane {
	p := &chartPane{d: d, Plot: chart.NewTimeline()}
	p.Plot.FormatX = func(v float64) string {
		if v != math.Trunc(v) {
			return "" // between two messages
		}
		return words.Int(int64(v))
	}
	p.Plot.FormatY = func(v float64) string { return words.TokensShort(int64(v)) }
	p.readout = newChartReadout()
	p.Plot.Hover, p.Plot.Snap = func(float64) []string { return []string{} }, p.nearest // a line; its figures are in the head
	p.Plot.OnHover = p.Read
	p.Plot.OnSelect = func(x float64) { d.SelectNear(max(0, int(x)-1)) }
	p.Plot.OnMenu = func(x float64, at fyne.Position) { kit.ShowMenu(win.Canvas(), p.menu(c, int(x)), at, 0) }
	p.Plot.OnMark = func(m chart.Mark) { c.Why(int(m.X)) }
	p.Plot.OnDragLevel = func(_ string, v float64, done bool) { p.DragTrigger(v, done) }
	p.Plot.OnDragBand = func(_ string, from float64, done bool) { p.DragTail(from, done) }
	p.View = kit.NewSegments([]string{words.T("view.full"), words.T("view.model")}, int(d.Planning.View()),
		func(i int) { d.Planning.SetView(session.View(i)) })
	p.hide = kit.NewIconButton(kit.GlyphUp, words.T("chart.hide"), func() { c.Run(commands.HideChart) })
	p.Above = kit.NewText("", kit.ColorFaint, 12)
	p.stray = kit.NewLink("", p.showStray)
	p.pane = kit.NewPane(words.T("chart.title"), p.Plot, p.View, p.hide)
	for _, t := range []desk.Topic{desk.TopicSession, desk.TopicPlan, desk.TopicParams, desk.TopicReplay} {
		d.Listen(t, p.update)
	}
	d.Listen(desk.TopicSelect, p.cursor)
	p.update()
	return p
}

// Object is what is in the window.
func (p *chartPane) Object() fyne.CanvasObject { return p.pane }

func (p *chartPane) update() {
	p.View.Select(int(p.d.Planning.View()))
	p.series()
	p.Plot.Set(p.data())
	p.sayStray()
	p.cursor()
	p.Read(0, false)
}

// menu is that of a message on the chart, by its number.
func (p *chartPane) menu(c *commands.Table, num int) []kit.MenuItem {
	s := p.d.Session()
	if s == nil || num < 1 {
		return nil
	}
	end := len(s.Thread().History)
	from, to := p.Plot.View()
	all := p.Plot.Data()
	return []kit.MenuItem{
		{Text: words.T("chart.goTo", "n", num), Run: func() { p.d.SelectMessage(num - 1) }},
		{Text: words.T("row.planHere", "n", num), Checked: s.At() == num, Run: func() { p.d.Planning.SetAt(num) }},
		{Text: words.T("row.planEnd"), Disabled: s.At() == end, Run: func() { p.d.Planning.SetAt(end) }},
		{Text: words.T("why.here"), Disabled: p.d.Timeline() == nil, Run: func() { c.Why(num) }},
		kit.Rule,
		{Text: words.T("chart.all"), Disabled: from <= all.XMin && to >= all.XMax, Run: func() { p.Plot.DoubleTapped(nil) }},
		{Text: words.T("chart.hide"), Run: func() { c.Run(commands.HideChart) }},
	}
}

// series makes the curves anew when the points are others. Calls without a
// reported usage are drawn as counted.
func (p *chartPane) series() {
	if tl := p.d.Timeline(); tl != p.timeline {
		p.timeline, p.lived, p.fired = tl, LivedCurve(tl), livedMarks(tl)
		p.peaks.lived = PeakOf(p.lived)
	}
	pts := p.d.Curve()
	if len(pts) == len(p.points) && (len(pts) == 0 || &pts[0] == &p.points[0]) {
		return
	}
	p.points = pts
	p.Recorded = p.curve(func(q session.Point) int64 { return q.Recorded })
	p.counted = nil
	if len(p.Recorded)*2 < len(pts) { // else the reported numbers speak for themselves
		p.counted = p.curve(func(q session.Point) int64 { return q.Counted })
	}
	p.peaks.recorded, p.peaks.counted = PeakOf(p.Recorded), PeakOf(p.counted)
}

// curve is one number of every call that has it. At a found compaction it falls
// at once.
func (p *chartPane) curve(value func(session.Point) int64) (out []chart.Point) {
	var found []model.Found
	if s := p.d.Session(); s != nil {
		found = s.Thread().Found
	}
	for _, q := range p.points {
		y := float64(value(q))
		if y <= 0 {
			continue
		}
		x, fell := float64(q.History+1), -1.0
		for len(found) > 0 && float64(found[0].At) < x {
			fell, found = float64(found[0].At), found[1:]
		}
		if n := len(out); fell >= 0 && n > 0 && y < out[n-1].Y && fell >= out[n-1].X {
			out = append(out, chart.Point{X: fell, Y: out[n-1].Y}, chart.Point{X: fell, Y: y})
		}
		out = append(out, chart.Point{X: x, Y: y})
	}
	return out
}

func (p *chartPane) data() chart.Data {
	s := p.d.Session()
	if s == nil {
		p.Above.SetText("")
		out := chart.Data{XMax: 1, YMax: 1}
		if e := p.d.Current(); e == nil || e.State != desk.Loading {
			out.Unknown = words.T("chart.noHistory")
		}
		return out
	}
	params := p.d.Planning.Params()
	end := len(s.Thread().History)
	out := chart.Data{XMin: 0, XMax: math.Max(1, float64(end)), Base: OutsideBand(s, params.Fixed)}
	for _, n := range p.d.HitMessages() {
		out.Ticks = append(out.Ticks, float64(n))
	}
	for _, c := range []chart.Series{{Points: p.Recorded, Color: kit.ColorText}, {Points: p.counted, Color: kit.ColorMuted}} {
		out.Series = append(out.Series, aside(c, s.Stack(), s.Thread().Found)...)
	}
	out.Series = append(out.Series, p.standing(s.Stack(), s.Thread().Found)...)
	if len(p.lived) > 0 {
		out.Series = append(out.Series, chart.Series{Points: p.lived, Color: kit.ColorSummarised, Dotted: true})
	}
	if len(out.Series) == 0 {
		out.Unknown = words.T("chart.noCalls")
	}
	p.height(&out, p.levels(params))
	p.bands(&out)
	if c := crossCheck(p.d); c != nil && c.Loud() { // where estimate and report differ
		out.Bands = append(out.Bands, chart.Band{ID: "stray", From: float64(c.From),
			To: math.Max(float64(c.At+1), float64(c.From)+1), Color: kit.ColorWarning})
	}
	for i, f := range s.Thread().Found {
		out.Marks = append(out.Marks, chart.Mark{X: float64(f.At), Label: strconv.Itoa(i + 1)})
	}
	for _, r := range s.Stack() {
		out.Marks = append(out.Marks, chart.Mark{X: float64(r.At), Label: r.ID})
	}
	out.Marks = append(out.Marks, p.fired...)
	sort.SliceStable(out.Marks, func(i, j int) bool { return out.Marks[i].X < out.Marks[j].X })
	return out
}

// standing is the context as the records in force leave it, a curve for each record.
func (p *chartPane) standing(stack []*model.Record, found []model.Found) (out []chart.Series) {
	for k, r := range stack {
		x, end := float64(r.At), until(r, found)
		if k+1 < len(stack) {
			end = min(end, stack[k+1].At)
		}
		curve := []chart.Point{{X: x, Y: float64(r.Before.Tokens)}, {X: x, Y: float64(r.After.Tokens)}}
		for _, q := range p.points[p.pointAt(x)+1:] {
			if q.History >= end {
				break
			}
			curve = append(curve, chart.Point{X: float64(q.History + 1), Y: float64(sizeAt(stack, found, q, q.History+1))})
		}
		out = append(out, chart.Series{Points: curve, Color: kit.ColorAdded})
	}
	return out
}

// aside parts a curve: where records in force have other sizes it goes on faint.
func aside(c chart.Series, stack []*model.Record, found []model.Found) (out []chart.Series) {
	for from := 0; from < len(c.Points); {
		other := inForce(stack, found, c.Points[from].X)
		to := from + 1
		for to < len(c.Points) && inForce(stack, found, c.Points[to].X) == other {
			to++
		}
		part := chart.Series{Points: c.Points[from:to], Color: c.Color}
		if other {
			part = chart.Series{Points: c.Points[max(0, from-1):to], Color: kit.ColorFaint}
		}
		out, from = append(out, part), to
	}
	return out
}

// inForce reports whether what a record left is in the context at a place of the chart.
func inForce(stack []*model.Record, found []model.Found, x float64) bool {
	return slices.ContainsFunc(stack, func(r *model.Record) bool { return x > float64(r.At) && x < float64(until(r, found)) })
}

// until is where a compaction of the file takes the place of what a record left.
func until(r *model.Record, found []model.Found) int {
	for _, f := range found {
		if f.At > r.At {
			return f.At
		}
	}
	return math.MaxInt32
}

// sizeAt is how large the context is at a message, given the call before it, with the records
// in force.
func sizeAt(stack []*model.Record, found []model.Found, q session.Point, num int) int64 {
	size := q.Counted
	for _, r := range stack {
		switch {
		case r.At > num || num > until(r, found):
		case r.At > q.History:
			size = r.After.Tokens
		default:
			size -= r.Before.Tokens - r.After.Tokens
		}
	}
	return size
}

// OutsideBand is what the contexts of a session hold that is in no message, as the band
// at the bottom of a chart.
func OutsideBand(s *session.Session, fixed int) (out []chart.Base) {
	for _, u := range s.Calibration().Outside(fixed) {
		key := "chart." + show.OutsideName(u.Tokens, int64(fixed))
		out = append(out, chart.Base{X: float64(u.From), Y: float64(u.Tokens), Tag: words.T(key, "tokens", words.Estimate(u.Tokens))})
	}
	return out
}

// levels are the context window, what the output reserve leaves of it, and the
// trigger.
func (p *chartPane) levels(params model.Policy) (out []chart.Level) {
	if params.Window > 0 {
		out = append(out, chart.Level{ID: "window", Value: float64(params.Window), Color: kit.ColorError,
			Label: words.T("chart.window", "tokens", words.TokensShort(int64(params.Window)))})
	}
	if room := params.Window - params.Reserve; params.Reserve > 0 && room > 0 {
		out = append(out, chart.Level{ID: "reserve", Value: float64(room), Color: kit.ColorWarning, Dashed: true,
			Label: words.T("chart.reserve", "tokens", words.TokensShort(int64(params.Reserve)))})
	}
	if c, ok := show.TokenClause(params); ok {
		label := words.T("chart.trigger", "at", show.ClauseWords(c))
		if at := compaction.GaugeOf(c, params.Window).Tokens(); at > 0 {
			out = append(out, chart.Level{ID: "trigger", Value: float64(at), Color: kit.ColorAccent, Dashed: true, Tag: true, Drag: true,
				Label: label})
		}
	}
	return out
}

// bands shade the recent tail of the plan.
func (p *chartPane) bands(out *chart.Data) {
	pl := p.d.Planning.Plan()
	if pl == nil || pl.TailFrom >= pl.Line.Len() {
		return
	}
	from := pl.Line.At()
	for i := pl.TailFrom; i < pl.Line.Len(); i++ {
		if h := pl.Line.History(i); h >= 0 {
			from = h
			break
		}
	}
	out.Bands = append(out.Bands, chart.Band{ID: "tail", From: float64(from), To: float64(pl.Line.At()), Color: kit.ColorKept, Drag: true})
}

// cursor is at the selected message.
func (p *chartPane) cursor() {
	i := p.d.Selected()
	if i < 0 || i >= p.d.RowCount() {
		p.Plot.ClearCursor()
		return
	}
	switch r := p.d.Row(i); {
	case r.Num > 0:
		p.Plot.SetCursor(float64(r.Num))
	case r.Found != nil:
		p.Plot.SetCursor(float64(r.Found.At))
	}
}

func (p *chartPane) DragTrigger(tokens float64, done bool) {
	if p.dragging = !done; done {
		p.d.Planning.Commit()
		return
	}
	p.d.Planning.Adjust(func(q *model.Policy) {
		k := show.TokenClauseIndex(*q)
		if k < 0 {
			return
		}
		a := model.Amount{N: int(math.Round(tokens/1000) * 1000), Unit: model.Tokens}
		if q.Triggers[k].Share > 0 {
			a = model.Amount{N: int(math.Round(tokens / float64(q.Window) * 100)), Unit: model.Percent}
		}
		show.SetClause(q, k, a)
		if pr := show.CheckParam("trigger", q, k); pr != nil {
			pr.Repair(q)
		}
	})
}

// DragTail moves the beginning of the recent tail to a message.
func (p *chartPane) DragTail(x float64, done bool) {
	pl := p.d.Planning.Plan()
	if done || pl == nil {
		p.d.Planning.Commit()
		return
	}
	from := tailEntry(pl.Line, int(x))
	p.d.Planning.Adjust(func(q *model.Policy) {
		*q = pl.Line.Tiered(*q)
		a := tailFrom(pl, from, q.Tail.Unit)
		if batch, _, _ := model.ParamOf("batch").Number(q); q.Sliding() { // so many steps are left when a batch was taken
			a.N += max(1, int(batch)) - 1
		}
		model.ParamOf("tail").SetNumber(q, float64(a.N), a.Unit)
		if pr := show.CheckParam("tail", q, 0); pr != nil {
			pr.Repair(q)
		}
	})
}

// tailFrom is the recent tail that begins at an entry of a plan's line. A share of
// the context window is rounded to a whole percent; while the window is unknown it
// becomes tokens.
func tailFrom(pl *compaction.Plan, entry int, u model.Unit) model.Amount {
	if u != model.Percent {
		return model.Amount{N: pl.Line.CountFrom(entry, u), Unit: u}
	}
	n, window := pl.Line.CountFrom(entry, model.Tokens), pl.Policy.Window
	if window <= 0 {
		return model.Amount{N: n, Unit: model.Tokens}
	}
	return model.Amount{N: min(max((n*100+window/2)/window, 1), 100), Unit: u}
}

// tailEntry is the entry of a line at which a history position is.
func tailEntry(l *compaction.Line, history int) int {
	for i := l.Len() - 1; i >= 0; i-- {
		if h := l.History(i); h >= 0 && h < history {
			return i + 1
		}
	}
	return 0
}

// sayStray says in the head of the chart how far our estimate of the last call and its reported
// usage are apart, where that is far; a click shows the calls in which they differ.
func (p *chartPane) sayStray() {
	text := ""
	if c := crossCheck(p.d); c != nil && c.Loud() {
		text = checkWords(*c, "check.last.short")
		p.stray.SetTip(checkWords(*c, "check.last") + " " + checkCause(*c) + "\n" + words.T("check.tip"))
	}
	p.stray.SetText(text)
	show.SetVisible(p.stray, text != "")
}

// showStray selects the first call of that stretch and shows it in the chart from
// edge to edge, with as much before it.
func (p *chartPane) showStray() {
	c := crossCheck(p.d)
	if c == nil || !c.Loud() {
		return
	}
	p.d.SelectMessage(c.From)
	width := math.Max(float64(c.At+1-c.From), 8)
	p.Plot.SetView(math.Max(0, float64(c.From)-width), math.Min(float64(c.At)+1+width/4, p.Plot.Data().XMax))
}
