package workbench

import (
	"sort"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/figures"
	"palimpsest/gui/chart"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model/figure"
)

// chartReadout is the figures of one call in the head of the chart: of the call
// under the pointer, else of the one before the moment that is planned at. So
// nothing floats over the curve. Each has the line of its curve before it: it is
// the legend too.
//
//	call 92 · #212   —— recorded 158.2K   - - with these settings ~98K   estimated ~161.3K
type chartReadout struct {
	call                     *kit.Text
	Recorded, Counted, Lived *kit.Figure
	at                       int // message of the call; 0: none
}

func newChartReadout() *chartReadout {
	number := func() *kit.Figure { return kit.NewFigure(kit.ColorText, 12) }
	return &chartReadout{call: kit.NewText("", kit.ColorMuted, 12), Recorded: number(), Counted: number(), Lived: number()}
}

// readings are the contents of the head.
func (p *chartPane) readings() []fyne.CanvasObject {
	r := p.readout
	var out []fyne.CanvasObject
	if !p.narrow() {
		out = append(out, kit.Means(r.call, "chart.readout.means"))
	}
	for _, c := range []struct {
		figure *kit.Figure
		name   string // where this call has no figure
		curve  []chart.Point
		ink    fyne.ThemeColorName
		dotted bool
	}{
		{r.Recorded, "chart.recorded", p.Recorded, kit.ColorText, false},
		{r.Lived, "chart.lived", p.lived, kit.ColorSummarised, true},
		{r.Counted, "chart.counted", p.counted, kit.ColorMuted, false},
	} {
		said := fyne.CanvasObject(c.figure)
		switch known := c.figure.Text() != ""; {
		case !known && len(c.curve) == 0:
			continue
		case !known:
			said = kit.NewText(words.T(c.name), kit.ColorMuted, 12)
		}
		if len(c.curve) > 0 {
			said = kit.Row(5, kit.NewSwatch(c.ink, c.dotted), said)
		}
		out = append(out, said)
	}
	return append(out, p.stray, kit.Means(p.Above, "chart.above.means")) // where there is room
}

// narrow reports whether the head has no room for the number of the call.
func (p *chartPane) narrow() bool {
	w := p.pane.Size().Width
	return w > 0 && w < kit.Px(960)
}

// pointAt is the call at an x of the chart, or the latest before it; −1: none.
func (p *chartPane) pointAt(x float64) int {
	return sort.Search(len(p.points), func(i int) bool { return float64(p.points[i].History+1) > x }) - 1
}

// Read shows the call at the pointer in the head; where there is no pointer, that
// of the moment.
func (p *chartPane) Read(x float64, inside bool) {
	if !inside {
		x = 0
		if pl := p.d.Planning.Plan(); pl != nil {
			x = float64(pl.Line.At())
		}
	}
	i := p.pointAt(x)
	if i < 0 {
		p.readout.at = 0
		p.readout.call.SetText("")
		for _, f := range []*kit.Figure{p.readout.Recorded, p.readout.Counted, p.readout.Lived} {
			f.Clear()
		}
		p.pane.SetLeft(p.readings()...)
		return
	}
	q := p.points[i]
	p.readout.at = q.History + 1
	p.readout.call.SetText(words.T("chart.readout", "call", i+1, "n", q.History+1))
	recorded, counted, lived := p.callFigures(q)
	s := p.d.Session()
	if size := sizeAt(s.Stack(), s.Thread().Found, q, max(int(x), q.History+1)); size != q.Counted {
		counted = figure.Figure{Name: "counted", Value: float64(size), Kind: figure.Estimated, Scope: figure.OfCall, At: q.History + 1}
	}
	put := func(w *kit.Figure, f figure.Figure, key string, ink fyne.ThemeColorName) {
		if w.Clear(); f.Known() {
			show.PutFigure(w, p.d, f, words.T(key, "tokens", words.Figure(f)), ink)
		}
	}
	put(p.readout.Recorded, recorded, "chart.hoverRecorded", kit.ColorText)
	put(p.readout.Counted, counted, "chart.read."+counted.Kind.String(), kit.ColorMuted)
	put(p.readout.Lived, lived, "chart.hoverLived", kit.ColorSummarised)
	p.pane.SetLeft(p.readings()...)
}

// callFigures are what a call sent, as the provider reports it, as it is counted,
// and as it would be with the settings.
func (p *chartPane) callFigures(q session.Point) (recorded, counted, lived figure.Figure) {
	of := func(name string, n int64, k figure.Kind) figure.Figure {
		return figure.Figure{Name: name, Value: float64(n), Kind: k, Scope: figure.OfCall, At: q.History + 1}
	}
	if q.Recorded > 0 {
		recorded = of("recorded", q.Recorded, figure.Reported)
		recorded.Methods = []figure.Method{{Name: "usage", How: "provider"}}
	}
	kind := p.d.MessageTokens("counted", 0).Kind
	fixed := p.d.Planning.Params().Fixed
	counted = of("counted", q.Counted, kind)
	counted.Methods = []figure.Method{{Name: "messages", How: "counter"}}
	counted = figures.AtLeast(counted, fixed)
	outside := p.d.Session().Calibration().Beyond(q.History, fixed)
	if parts := figures.OutsideParts(int64(fixed), outside); len(parts) > 0 {
		counted.Parts = append(parts, figure.Part{Name: "messages", Value: float64(q.Counted - outside)})
	}
	if c := p.livedCall(q.History + 1); c != nil {
		lived = of("lived", c.Tokens, kind)
		lived.Bound, lived.Reason, lived.Methods = counted.Bound, counted.Reason, counted.Methods
	}
	return recorded, counted, lived
}

// livedCall is the call at a message, as it would be with the settings; nil: there
// is none.
func (p *chartPane) livedCall(num int) *replay.Call {
	tl := p.d.Timeline()
	if tl == nil {
		return nil
	}
	i := sort.Search(len(tl.Calls), func(i int) bool { return int(tl.Calls[i].At)+1 > num }) - 1
	if i < 0 {
		return nil
	}
	return &tl.Calls[i]
}

// ReadAt is the message whose call the head shows; 0: none.
func (p *chartPane) ReadAt() int { return p.readout.at }
