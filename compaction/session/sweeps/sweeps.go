// Package sweeps says a sweep in words and tables.
package sweeps

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"palimpsest/compaction/replay"
	"palimpsest/compaction/session/figures"
	"palimpsest/model"
	"palimpsest/model/figure"
)

// Sweep is a sweep with the two metrics that are shown of it.
type Sweep struct {
	Grid            *replay.Grid
	Metric, Against replay.Metric
	Texts           figures.Texts
}

// mostNamed bounds the best trade-offs that stand beside the present settings.
const mostNamed = 6

// Named are the settings that a report sets beside each other: the present ones and the
// best trade-offs. A cell of −1 is the present settings, which need not be in the grid.
func (s *Sweep) Named() (names []string, cells []int) {
	names, cells = []string{"now"}, []int{-1}
	front := s.Grid.Front(s.Metric, s.Against)
	for _, cell := range front[:min(len(front), mostNamed)] {
		names, cells = append(names, strings.Join(s.at(cell, word), ", ")), append(cells, cell)
	}
	return names, cells
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
		replay.MetricOver:     "over: calls larger than the model limit",
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

// word is a value of an axis with its unit: "80 %", "20K", "ledger".
func word(a replay.Axis, at int) string {
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
		return a.Param.Row().Name()
	}
	return fmt.Sprintf("%s (%s)", a.Param.Row().Name(), a.Unit)
}

// Bare is a value of an axis below its head, which names the unit.
func Bare(a replay.Axis, at int) string { return strings.TrimSuffix(word(a, at), " %") }

// spread of a cell, −1 the present settings.
func (s *Sweep) spread(cell int, m replay.Metric) (replay.Spread, bool) {
	if cell < 0 {
		return s.Grid.Now.Spread(m)
	}
	return s.Grid.Cells[cell].Spread(m)
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
		rows = append(rows, append(s.at(i, Bare), s.Value(s.Metric, m.Value), s.Value(s.Against, n.Value)))
	}
	if len(rows) == 1 {
		return nil
	}
	return rows
}

// Why is the sentence that says why there is no advice; "" where there is some.
func Why(a *replay.Advice) string {
	switch a.Why {
	case replay.NeverFires:
		return "These histories are far from full: nothing need be compacted."
	case replay.NoWindow:
		return "Enter the model limit: how full these histories are is not known without it."
	case replay.FewNeeds:
		return fmt.Sprintf("Too little of what went was needed again to advise: %d facts; %d are wanted.", a.Needs, replay.NeedsToCount)
	case replay.NoneKeeps:
		return "Every setting that would be better loses a standing order. Pin those orders, or give the summary more room."
	case replay.NoneRests:
		return fmt.Sprintf("Every setting compacts again within %d calls or leaves a call too large: "+
			"single messages fill the model limit.", replay.Soon)
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
	return "Left out, since some of these thresholds are not above their fixed part: " + strings.Join(list, ", ") + "."
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
func (s *Sweep) Sessions() [][]string {
	if len(s.Grid.Subjects) < 2 {
		return nil
	}
	names, cells := s.Named()
	middle := "median"
	if s.Metric.Averaged() {
		middle = "mean"
	}
	table := [][]string{{"setting", middle, "worst", "worst session", "total input, of the present one", "sessions", "left out"}}
	for i, c := range cells {
		b, ok := s.Grid.Box(c, s.Metric)
		if !ok {
			continue
		}
		worst := b.Low
		if !s.Metric.More() {
			worst = b.High
		}
		table = append(table, []string{names[i], s.Value(s.Metric, b.Middle), s.Value(s.Metric, worst), s.Grid.Subjects[b.Worst],
			figure.Percent(b.Input), fmt.Sprint(len(b.Of)), fmt.Sprint(b.LeftOut)})
	}
	if len(table) == 1 {
		return nil
	}
	return table
}
