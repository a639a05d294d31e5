package agents

import (
	"math"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/session"
	"palimpsest/gui/chart"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// Speakers is what the sheet shows of a history in which several agents speak and
// none calls another: a lane for each speaker, and below what the chosen one said.
//
//	Orchestrator   │▂  ▁▆   ▂▁    ▃ ▁ │ 72 · ~31K
//	WebSurfer      │ █    ▅    ▇ █    │ 24 · ~40K
//	               1        60     121
//	#5  WebSurfer: I typed 'Clinical trial …'              ~980
type Speakers struct {
	p        *AgentsSheet
	obj      fyne.CanvasObject
	lanes    *kit.List
	axis     *chart.LaneAxis
	axisName *kit.Text
	most     *kit.Text // what the full height of a lane is
	pane     *kit.Pane
	said     *kit.List

	of    *session.Agent // nil: the history is no group's
	At    int            // speaker chosen
	scale chart.LaneScale
	top   int64 // tokens of the largest message
}

func newSpeakers(p *AgentsSheet) *Speakers {
	g := &Speakers{p: p, axis: chart.NewLaneAxis(), axisName: kit.NewText("", kit.ColorFaint, 11).Right().Fit(),
		most: kit.NewText("", kit.ColorMuted, 11)}
	g.lanes = kit.NewRows(laneLeast, func() int { return len(g.list()) }, g.row)
	g.lanes.SetHeights(func(int) float32 { return laneHeight(g.lanes, len(g.list())) })
	g.lanes.OnSelect = g.Choose
	g.lanes.OnOpen = func(int) { p.w.Win.Canvas().Focus(g.said) }
	columns := g.columns()
	g.said = columns.NewList(25, func() int { return len(g.Said()) })
	g.said.OnOpen = g.Open
	lanes := kit.NewPane(words.T("agents.lanes"),
		kit.Column(0, kit.Stretch(g.lanes), laneCells(g.axisName, g.axis, kit.Label(""))), g.most)
	lanes.SetLeft(kit.NewText(words.T("agents.speakers.means"), kit.ColorFaint, 12))
	g.pane = kit.NewPane(" ", kit.Column(0, kit.Sized(0, 23, columns.Head()), kit.NewRule(), kit.Stretch(g.said)))
	g.obj = p.w.Split("agents.speakers", true, lanes, g.pane, kit.KeepShare, .62)
	g.obj.Hide()
	return g
}

// list is the speakers, none where the history is no group's.
func (g *Speakers) list() []session.Speaker {
	if g.of == nil {
		return nil
	}
	return g.of.Speakers
}

// Said is what the chosen speaker said.
func (g *Speakers) Said() []session.Said {
	if g.of == nil {
		return nil
	}
	return g.of.Speakers[g.At].Said
}

// set shows the speakers of a tree that is one history of a group, and reports
// whether it is.
func (g *Speakers) set(tree *desk.Agents) bool {
	g.of = nil
	if tree != nil && len(tree.List) == 1 && len(tree.List[0].Speakers) > 0 {
		g.of = &tree.List[0]
		g.At = min(g.At, len(g.of.Speakers)-1)
		g.measure()
	}
	g.update()
	return g.of != nil
}

// measure finds the scales that all lanes share: times, or numbers of messages
// where one has no time.
func (g *Speakers) measure() {
	g.top = 1
	timed := g.of.To > g.of.From
	for _, s := range g.of.Speakers {
		for _, x := range s.Said {
			g.top, timed = max(g.top, x.Tokens), timed && x.Time > 0
		}
	}
	g.scale = chart.LaneScale{From: 1, To: float64(max(2, g.of.Messages))}
	if timed {
		g.scale = chart.LaneScale{From: float64(g.of.From), To: float64(g.of.To), Timed: true}
	}
}

func (g *Speakers) update() {
	if g.of != nil {
		s := &g.of.Speakers[g.At]
		g.axis.Set(g.scale)
		g.axisName.SetText(words.T(map[bool]string{true: "agents.axis.time", false: "agents.message"}[g.scale.Timed]))
		g.most.SetText(words.T("agents.speakers.most", "tokens", words.TokensOf(g.top, true, !g.of.Estimated)))
		g.pane.SetTitle(words.T("agents.speakers.said", "agent", s.Name))
		g.pane.SetRight(kit.NewText(words.T("count.messages", "count", s.Messages)+" · "+
			words.T("count.tokens", "count", s.Tokens, "tokens", words.TokensOf(s.Tokens, true, !g.of.Estimated)), kit.ColorMuted, 12))
	}
	g.lanes.Update()
	g.said.Update()
	g.lanes.Select(g.At)
}

// Choose lists what one speaker said.
func (g *Speakers) Choose(i int) {
	g.At = i
	g.said.Select(-1)
	g.said.ScrollTo(0)
	g.update()
}

// Open looks at a message of the chosen speaker in the workbench.
func (g *Speakers) Open(i int) {
	g.p.openMessage(desk.AgentEvent{Num: g.Said()[i].History + 1})
}

func (g *Speakers) columns() *kit.Columns[session.Said] {
	return &kit.Columns[session.Said]{
		At: func(i int) (session.Said, bool) {
			if list := g.Said(); i < len(list) {
				return list[i], true
			}
			return session.Said{}, false
		},
		Gap: 10, MinWidth: 420, Left: 12, End: 12, TextSize: 13,
		List: []kit.Col[session.Said]{
			{Title: words.T("agents.message"), Width: 60, Right: true,
				Ink:  func(session.Said) fyne.ThemeColorName { return kit.ColorAccent },
				Text: func(x session.Said) string { return "#" + words.Int(int64(x.History+1)) }},
			{Title: words.T("agents.speakers.words"), Text: func(x session.Said) string { return x.First }},
			{Title: words.T("agents.time"), Width: 62, Hide: 1, Right: true, Ink: kit.Muted[session.Said],
				Text: func(x session.Said) string { return clock(x.Time) }},
			{Title: words.T("agents.tokens"), Width: 74, Right: true,
				Text: func(x session.Said) string { return words.TokensOf(x.Tokens, true, !g.of.Estimated) }},
		},
	}
}

// row is one speaker as a lane. Messages of a hundred tokens are seen beside those of
// ten thousand: the height is the root of the tokens.
func (g *Speakers) row() (fyne.CanvasObject, func(int)) {
	name, under := kit.Label("").Fit(), kit.NewText("", kit.ColorFaint, 11).Fit()
	lane, tokens := chart.NewLane(), kit.NewText("", kit.ColorText, 12).Right().Fit()
	return laneCells(kit.Column(0, name, under), lane, tokens), func(i int) {
		list := g.list()
		if i >= len(list) {
			return
		}
		s := &list[i]
		name.SetText(s.Name)
		under.SetText(words.T("count.messages", "count", s.Messages))
		tokens.SetText(words.TokensOf(s.Tokens, true, !g.of.Estimated))
		d := chart.LaneData{Scale: g.scale, Top: math.Sqrt(float64(g.top)), Color: kit.ColorKept, Chosen: i == g.lanes.Selected()}
		for _, x := range s.Said {
			at := float64(x.History + 1)
			if g.scale.Timed {
				at = float64(x.Time)
			}
			d.Bars = append(d.Bars, chart.Point{X: at, Y: math.Sqrt(float64(x.Tokens))})
		}
		lane.Set(d)
	}
}
