package study

import (
	"math"
	"sort"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/gui/chart"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/gui/workbench"
	"palimpsest/model"
)

// compareChart is the context usage of every call under two policies, on one
// axis: the baseline solid, the candidate dotted.
type compareChart struct {
	d    *desk.Desk
	pane *kit.Pane
	Plot *chart.Timeline
	c    *session.Comparison
}

func newCompareChart(d *desk.Desk) *compareChart {
	p := &compareChart{d: d, Plot: chart.NewTimeline()}
	p.Plot.FormatX = func(v float64) string {
		if v != math.Trunc(v) {
			return ""
		}
		return words.Int(int64(v))
	}
	p.Plot.FormatY = func(v float64) string { return words.TokensShort(int64(v)) }
	p.Plot.Hover, p.Plot.Snap = p.hover, p.nearest
	legend := func(name, text string, ink fyne.ThemeColorName, dotted bool) fyne.CanvasObject {
		return kit.Row(5, kit.NewSwatch(ink, dotted), kit.NewText(name+" "+words.T(text), kit.ColorMuted, 12))
	}
	p.pane = kit.NewPane(words.T("compare.curves"), p.Plot,
		legend("A", "compare.baseline", kit.ColorText, false), legend("B", "compare.candidate", kit.ColorAccent, true))
	return p
}

// set shows a comparison; nil leaves the chart as it is, since another one is
// on its way.
func (p *compareChart) set(c *session.Comparison) {
	s := p.d.Session()
	if c == nil || s == nil || c == p.c {
		return
	}
	p.c = c
	a, b := c.A.Timeline, c.B.Timeline
	data := chart.Data{XMax: math.Max(1, float64(len(s.Thread().History))), Base: workbench.OutsideBand(s, a.Policy.Fixed)}
	if len(a.Calls) == 0 {
		data.Unknown = words.T("chart.noCalls")
	} else {
		data.Series = []chart.Series{{Points: workbench.LivedCurve(a), Color: kit.ColorText},
			{Points: workbench.LivedCurve(b), Color: kit.ColorAccent, Dotted: true}}
	}
	peak := math.Max(chart.MostOf(data.Base), math.Max(float64(a.Totals.Largest), float64(b.Totals.Largest)))
	for _, t := range []*replay.Timeline{a, b} {
		for i := range t.Firings {
			peak = math.Max(peak, float64(t.Firings[i].Before.Tokens))
		}
	}
	data.Levels = compareLevels(a.Policy, b.Policy, peak)
	data.Marks = firingMarks(a, b)
	p.Plot.Set(data)
}

// clear empties the chart.
func (p *compareChart) clear() {
	p.c = nil
	p.Plot.ClearCursor()
	p.Plot.Set(chart.Data{XMax: 1, YMax: 1})
}

// compareLevels are the limits of both, those the curves come near; one that
// both have is drawn once.
func compareLevels(a, b model.Policy, peak float64) []chart.Level {
	var out []chart.Level
	add := func(v float64, name string, c func() chart.Level, side string) {
		if v <= 0 || peak < v*workbench.FarBelow {
			return
		}
		for i := range out {
			if out[i].Value == v && strings.HasPrefix(out[i].Label, name) {
				out[i].Label = name
				return
			}
		}
		l := c()
		l.Value, l.Label = v, name+" "+side
		out = append(out, l)
	}
	for i, q := range []model.Policy{a, b} {
		side := []string{"A", "B"}[i]
		add(float64(q.Window), words.T("chart.window", "tokens", words.TokensShort(int64(q.Window))),
			func() chart.Level { return chart.Level{Color: kit.ColorError} }, side)
		if c, ok := show.TokenClause(q); ok {
			add(float64(compaction.GaugeOf(c, q.Window).Tokens()), words.T("chart.trigger", "at", show.ClauseWords(c)),
				func() chart.Level { // the candidate's has its label at the other end
					if i == 1 {
						return chart.Level{Color: kit.ColorAccent, Dashed: true, Tag: true}
					}
					return chart.Level{Color: kit.ColorMuted, Dashed: true}
				}, side)
		}
	}
	return out
}

// firingMarks name the firings of both: "A1 B1" where they coincide.
func firingMarks(a, b *replay.Timeline) []chart.Mark {
	at := map[int][]string{}
	for i, t := range []*replay.Timeline{a, b} {
		for k := range t.Firings {
			at[t.Firings[k].At] = append(at[t.Firings[k].At], []string{"A", "B"}[i]+strconv.Itoa(k+1))
		}
	}
	out := make([]chart.Mark, 0, len(at))
	for x, names := range at {
		out = append(out, chart.Mark{X: float64(x), Label: strings.Join(names, " ")})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].X < out[j].X })
	return out
}

// nearest is the message of the call that is nearest to an x.
func (p *compareChart) nearest(x float64) float64 {
	if p.c == nil || len(p.c.A.Timeline.Calls) == 0 {
		return math.Round(x)
	}
	calls := p.c.A.Timeline.Calls
	at := func(i int) float64 { return float64(calls[i].At + 1) }
	return at(workbench.NearestCall(len(calls), at, x))
}

// hover shows both values at the pointer.
func (p *compareChart) hover(x float64) []string {
	if p.c == nil || len(p.c.A.Timeline.Calls) == 0 {
		return nil
	}
	calls := p.c.A.Timeline.Calls
	k := max(0, sort.Search(len(calls), func(k int) bool { return float64(calls[k].At+1) > x })-1)
	a, b := calls[k].Tokens, p.c.B.Timeline.Calls[k].Tokens
	size := func(n int64, t *replay.Timeline) string { return show.ContextTokens(p.d, n, t.Policy.Fixed) }
	return []string{words.T("chart.call", "n", int(calls[k].At)+1), "A " + size(a, p.c.A.Timeline), "B " + size(b, p.c.B.Timeline),
		"B − A " + show.ContextsApart(p.d, a, b, p.c.A.Timeline.Policy.Fixed, p.c.B.Timeline.Policy.Fixed)}
}
