// Package sweeps writes a sweep for people: as a report with pictures that can be sent
// to others. The window and the verbs write the same one.
package sweeps

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"palimpsest/compaction/replay"
	"palimpsest/compaction/session/figures"
	"palimpsest/model"
	"palimpsest/model/figure"
	"palimpsest/model/report"
)

// Sweep is a sweep with what its report says of it.
type Sweep struct {
	Grid            *replay.Grid
	Metric, Against replay.Metric
	Texts           figures.Texts
	Base            model.Policy // that the axes move
}

// mostNamed bounds the best trade-offs that stand beside the present settings.
const mostNamed = 6

// Named are the settings that a report sets beside each other: the present ones and the
// best trade-offs. A cell of −1 is the present settings, which need not be in the grid.
func (s *Sweep) Named() (names []string, cells []int) {
	names, cells = []string{"now"}, []int{-1}
	front := s.Grid.Front(s.Metric, s.Against)
	for _, cell := range front[:min(len(front), mostNamed)] {
		names, cells = append(names, strings.Join(s.at(cell, Word), ", ")), append(cells, cell)
	}
	return names, cells
}

// Report is the whole sweep on a page.
func (s *Sweep) Report() *report.Page {
	g := s.Grid
	var moved []string
	for _, a := range g.Axes() {
		moved = append(moved, string(a.Param))
	}
	over := fmt.Sprintf("%d sessions", len(g.Subjects))
	if len(g.Subjects) == 1 {
		over = g.Subjects[0]
	}
	how := "real summaries, made without a model"
	if !s.Texts.Made {
		how = "summaries of their expected size"
	}
	p := &report.Page{Title: "Sweep of " + strings.Join(moved, " × ") + ", " + over, Parts: []report.Part{
		{Text: fmt.Sprintf("%d settings, %s. Each was replayed on the whole history as the agent lived it.", len(g.Cells), how)},
		{Head: title(s.Metric), Text: About(s.Metric, len(g.Subjects)), Picture: s.heat()},
		{Head: title(s.Metric) + " against " + title(s.Against), Text: About(s.Against, len(g.Subjects)), Picture: s.dots(),
			Table: s.Front()},
		{Head: "Present settings and the best trade-offs", Table: s.beside()},
	}}
	if strips, table := s.Sessions(); table != nil {
		p.Parts = append(p.Parts, report.Part{Head: "Session by session", Text: Aside(s.Grid),
			Picture: strips, Table: table})
	}
	all := [][]string{{"figure", "unit", "better", "what it is"}}
	for _, m := range replay.Metrics {
		all = append(all, []string{string(m), m.Unit(), direction(m), About(m, 1)})
	}
	p.Parts = append(p.Parts, report.Part{Head: "All settings", Table: s.cells(),
		Text: "Figures of each setting; of several sessions the mean of recall and of what adds up, else the median."},
		report.Part{Head: "Figures", Table: all})
	if len(g.Subjects) > 1 {
		list := [][]string{{"session", "number"}}
		for i, name := range g.Subjects {
			list = append(list, []string{name, fmt.Sprint(i + 1)})
		}
		p.Parts = append(p.Parts, report.Part{Head: "Sessions", Table: list})
	}
	return p
}

// title is a metric as a heading.
func title(m replay.Metric) string {
	if m == replay.MetricRecall {
		return "Needed later"
	}
	return strings.ToUpper(string(m[:1])) + string(m[1:])
}

func direction(m replay.Metric) string {
	if m.More() {
		return "more"
	}
	return "less"
}

// About says what a metric is, its unit, which way is better, and how several sessions
// make one figure.
func About(m replay.Metric, sessions int) string {
	text := map[replay.Metric]string{
		replay.MetricAfter:    "after: tokens of the request behind the last message",
		replay.MetricSaved:    "saved: share of the uncompacted total input",
		replay.MetricInput:    "input: tokens sent by all calls",
		replay.MetricLargest:  "largest: tokens of the largest call",
		replay.MetricFirings:  "firings: how often it compacts",
		replay.MetricThrash:   fmt.Sprintf("thrash: how often within %d calls of the time before", replay.Soon),
		replay.MetricCost:     "cost: input and summaries in tokens of fresh input, with the prompt cache",
		replay.MetricResent:   "resent: tokens written to the prompt cache again because of a compaction",
		replay.MetricWritten:  "written: tokens of all summaries",
		replay.MetricOver:     "over: calls larger than the context window",
		replay.MetricRecall:   "recall: share of what the agent needed after compactions that was still there",
		replay.MetricMisses:   "misses: what the agent needed after compactions and no longer stood",
		replay.MetricSurvives: "survives: share of the facts taken away that stood right after",
	}[m] + " (" + m.Unit() + ", " + direction(m) + " is better)"
	switch {
	case sessions > 1 && m.Averaged() && m != replay.MetricRecall:
		text += fmt.Sprintf("; mean of %d sessions", sessions)
	case sessions > 1 && m.Averaged():
		text += fmt.Sprintf("; mean of the sessions with %d needs or more, of %d", replay.NeedsToCount, sessions)
	case sessions > 1:
		text += fmt.Sprintf("; median of %d sessions", sessions)
	}
	return text
}

// Value writes a value of a metric.
func (s *Sweep) Value(m replay.Metric, v float64) string {
	return figures.OfMetric(m, v, true, s.Texts).String()
}

// tick writes a place of a scale, which is no measured value: nothing is said of how it
// is known.
func (s *Sweep) tick(m replay.Metric) func(v float64) string {
	return func(v float64) string {
		f := figures.OfMetric(m, v, true, s.Texts)
		f.Kind, f.Bound = figure.Counted, figure.None
		return f.String()
	}
}

// Word is a value of an axis with its unit: "80 %", "20K", "ledger".
func Word(a replay.Axis, at int) string {
	switch v := a.Values[at]; {
	case len(a.Names) > 0:
		return a.Names[at]
	case a.Unit == model.Percent:
		return fmt.Sprintf("%g %%", v)
	case v != math.Trunc(v) && v < 1000:
		return fmt.Sprintf("%g", v)
	default:
		return figure.TokensShort(int64(math.Round(v)), false)
	}
}

// Head is the name of an axis with its unit, as a table has it above its values.
func Head(a replay.Axis) string {
	if a.Unit == "" {
		return string(a.Param)
	}
	return fmt.Sprintf("%s (%s)", a.Param, a.Unit)
}

// Value is a value of an axis below its head, which names the unit.
func Value(a replay.Axis, at int) string { return strings.TrimSuffix(Word(a, at), " %") }

func wordsOf(a replay.Axis) []string {
	out := make([]string, len(a.Values))
	for i := range out {
		out[i] = Word(a, i)
	}
	return out
}

// spread of a cell, −1 the present settings.
func (s *Sweep) spread(cell int, m replay.Metric) (replay.Spread, bool) {
	if cell < 0 {
		return s.Grid.Now.Spread(m)
	}
	return s.Grid.Cells[cell].Spread(m)
}

// mark names a cell that is one of the best trade-offs by its place among them, from 1.
func (s *Sweep) mark(cell int) string {
	_, cells := s.Named()
	if i := slices.Index(cells[1:], cell); i >= 0 {
		return fmt.Sprint(i + 1)
	}
	return ""
}

func (s *Sweep) heat() string {
	g, low, high := s.Grid, math.Inf(1), math.Inf(-1)
	for i := range g.Cells {
		if v, ok := s.spread(i, s.Metric); ok {
			low, high = min(low, v.Value), max(high, v.Value)
		}
	}
	low, high = s.Metric.Scale(low, high)
	h := report.Heat{Title: title(s.Metric), Head: fmt.Sprintf("%s across, %s up", g.X.Param, g.Y.Param),
		Columns: wordsOf(g.X), Rows: wordsOf(g.Y)}
	for i := range g.Cells {
		v, ok := s.spread(i, s.Metric)
		c := report.HeatCell{Text: "–", Shade: -1}
		if ok && !g.Cells[i].Impossible {
			c = report.HeatCell{Text: s.Value(s.Metric, v.Value), Shade: s.shade(v.Value, low, high), Mark: s.mark(i)}
		}
		h.Cells = append(h.Cells, c)
	}
	return h.SVG()
}

// shade is how good a value is among those of the grid, 0–1.
func (s *Sweep) shade(v, low, high float64) float64 {
	switch {
	case high <= low:
		return .5
	case s.Metric.More():
		return (v - low) / (high - low)
	}
	return (high - v) / (high - low)
}

func (s *Sweep) dots() string {
	g := s.Grid
	front := g.Front(s.Metric, s.Against)
	d := report.Dots{Title: "Trade-off", X: title(s.Against), Y: title(s.Metric),
		FormatX: s.tick(s.Against), FormatY: s.tick(s.Metric)}
	for i := -1; i < len(g.Cells); i++ {
		x, okX := s.spread(i, s.Against)
		y, okY := s.spread(i, s.Metric)
		if okX && okY {
			dot := report.Dot{X: x.Value, Y: y.Value, Best: slices.Contains(front, i), Mark: s.mark(i)}
			if i < 0 {
				dot.Mark = "now"
			}
			d.Dots = append(d.Dots, dot)
		}
	}
	if len(d.Dots) == 0 {
		return ""
	}
	return d.SVG()
}

// at is the values of a cell, each spelled by a function.
func (s *Sweep) at(cell int, spell func(replay.Axis, int) string) (out []string) {
	axes := s.Grid.Axes()
	for k, i := range axes.Place(cell) {
		out = append(out, spell(axes[k], i))
	}
	return out
}

func (s *Sweep) heads() (out []string) {
	for _, a := range s.Grid.Axes() {
		out = append(out, Head(a))
	}
	return out
}

// Front is the table of the best trade-offs; nil: there are none.
func (s *Sweep) Front() [][]string {
	rows := [][]string{append(s.heads(), string(s.Metric), string(s.Against))}
	for _, i := range s.Grid.Front(s.Metric, s.Against) {
		m, _ := s.spread(i, s.Metric)
		n, _ := s.spread(i, s.Against)
		rows = append(rows, append(s.at(i, Value), s.Value(s.Metric, m.Value), s.Value(s.Against, n.Value)))
	}
	if len(rows) == 1 {
		return nil
	}
	return rows
}

// beside is the table of the present settings and the best trade-offs.
func (s *Sweep) beside() [][]string {
	names, cells := s.Named()
	rows := [][]string{append([]string{"whole run"}, names...)}
	for k, a := range s.Grid.Axes() {
		row := []string{string(a.Param)}
		for _, c := range cells {
			if c >= 0 {
				row = append(row, Word(a, s.Grid.Axes().Place(c)[k]))
			} else if v, ok := a.At(s.Base); ok {
				if !slices.Contains(a.Values, v) { // it is not in the grid
					a.Values = []float64{v}
				}
				row = append(row, Word(a, slices.Index(a.Values, v)))
			} else {
				row = append(row, "–")
			}
		}
		rows = append(rows, row)
	}
	for _, m := range replay.Metrics {
		row, known := []string{title(m)}, false
		for _, c := range cells {
			v, ok := s.spread(c, m)
			if known = known || ok; ok {
				row = append(row, s.Value(m, v.Value))
			} else {
				row = append(row, "–")
			}
		}
		if known {
			rows = append(rows, row)
		}
	}
	return rows
}

// Why is the sentence that says why there is no advice; "" where there is some.
func Why(a *replay.Advice) string {
	switch a.Why {
	case replay.NeverFires:
		return "These histories are far from full: nothing need be compacted."
	case replay.NoWindow:
		return "Enter the context window: how full these histories are is not known without it."
	case replay.FewNeeds:
		return fmt.Sprintf("Too little of what went was needed again to advise: %d facts; %d are wanted.", a.Needs, replay.NeedsToCount)
	case replay.NoneKeeps:
		return "Every setting that would be better loses a standing order. Pin those orders, or give the summary more room."
	case replay.NoneRests:
		return fmt.Sprintf("Every setting compacts again within %d calls or leaves a call too large: "+
			"single messages fill the context window.", replay.Soon)
	case replay.NoBetter:
		return "No setting that was tried is better than the present one."
	}
	return ""
}

// Aside is a sentence on the sessions that count in no cell; "" where there are none.
func Aside(g *replay.Grid) string {
	aside := g.Aside()
	if len(aside) == 0 {
		return ""
	}
	var list []string
	for _, i := range aside {
		list = append(list, filepath.Base(g.Subjects[i]))
	}
	return "Left out, since some of these triggers are not above their fixed part: " + strings.Join(list, ", ") + "."
}

// Unseen is a sentence on the check of the suggestions by sessions that they were not
// chosen by; "" where there was none.
func Unseen(a *replay.Advice) string {
	var parts []string
	for _, x := range a.Suggestions {
		if u := x.Unseen; u != nil {
			parts = append(parts, fmt.Sprintf("%s %s for %s of the input (the present settings: %s)", string(x.Aim),
				figure.Percent(u.Recall), figure.Percent(u.Input), figure.Percent(u.Now)))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "Chosen on half of the sessions, measured on the other half: " + strings.Join(parts, "; ") + "."
}

// Sessions is how the named settings spread over several sessions; nil: there is one, or none
// counts.
func (s *Sweep) Sessions() (picture string, table [][]string) {
	if len(s.Grid.Subjects) < 2 {
		return "", nil
	}
	names, cells := s.Named()
	var strips []report.Strip
	middle := "median"
	if s.Metric.Averaged() {
		middle = "mean"
	}
	table = [][]string{{"setting", middle, "worst", "worst session", "total input, of the present one", "sessions", "left out"}}
	for i, c := range cells {
		b, ok := s.Grid.Box(c, s.Metric)
		if !ok {
			continue
		}
		strip := report.Strip{Name: names[i], Quarter: b.Quarter, Median: b.Median, Upper: b.Upper}
		for _, v := range b.Of {
			if strip.Values = append(strip.Values, v.Value); v.Session == b.Worst {
				strip.Worst = v.Value
			}
		}
		strips = append(strips, strip)
		table = append(table, []string{names[i], s.Value(s.Metric, b.Middle), s.Value(s.Metric, strip.Worst), s.Grid.Subjects[b.Worst],
			figure.Percent(b.Input), fmt.Sprint(len(b.Of)), fmt.Sprint(b.LeftOut)})
	}
	if len(strips) == 0 {
		return "", nil
	}
	return report.Strips(title(s.Metric)+", one dot a session", s.tick(s.Metric), strips), table
}

// cells is every setting with every metric that is known.
func (s *Sweep) cells() [][]string {
	var known []replay.Metric
	for _, m := range replay.Metrics {
		if s.Grid.Knows(m) {
			known = append(known, m)
		}
	}
	head := s.heads()
	for _, m := range known {
		head = append(head, string(m))
	}
	rows := [][]string{head}
	for i := range s.Grid.Cells {
		row := s.at(i, Value)
		for _, m := range known {
			if v, ok := s.spread(i, m); ok {
				row = append(row, s.Value(m, v.Value))
			} else {
				row = append(row, "–")
			}
		}
		rows = append(rows, row)
	}
	return rows
}
