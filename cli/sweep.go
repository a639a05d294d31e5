package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/figures"
	"palimpsest/model"
	"palimpsest/model/figure"
)

type sweepCmd struct {
	Files []string `arg:"" name:"FILE" help:"Transcripts; a cell of the table is the median over all of them."`
	policyFlags
	threadFlags
	All      bool          `group:"thread" help:"The main thread of every conversation."`
	X        axisFlag      `name:"x" placeholder:"P=A..B/N" help:"${x}"`
	Y        axisFlag      `name:"y" placeholder:"P=A..B/N" help:"Second parameter, likewise. Default: the other of the two."`
	Metric   replay.Metric `enum:"${metrics}," default:"" placeholder:"NAME" help:"${metric}"`
	Against  replay.Metric `enum:"${metrics}," default:"" placeholder:"NAME" help:"${against}"`
	Texts    bool          `xor:"summaries" help:"${texts}"`
	Expected bool          `xor:"summaries" help:"${expected}"`
	Workers  number        `placeholder:"N" help:"Replays at once. Default: one a core."`
	CSV      bool          `name:"csv" xor:"form" help:"Print a line for each cell with every metric, comma-separated."`
	JSON     bool          `name:"json" xor:"form" help:"Print JSON (docs/json.md)."`

	sessions []*session.Session // by subject
	open     []*session.File    // real summaries read them until the end
	said     []string           // warnings
}

// swept is the JSON of sweep.
type swept struct {
	Files   []string      `json:"files"`
	Texts   bool          `json:"texts"`
	StandIn *string       `json:"stand_in"`
	Metric  replay.Metric `json:"metric"`
	Against replay.Metric `json:"against"`
	Grid    *replay.Grid  `json:"grid"`
	Values  [][]*float64  `json:"values"`
	Front   []frontCell   `json:"front"`
	Never   bool          `json:"never_fires"`
	Matters *replay.Share `json:"matters"`
	Warn    []string      `json:"warnings"`
	Policy  model.Policy  `json:"policy"`
}

// frontCell is one of the best trade-offs.
type frontCell struct {
	X       float64 `json:"x"`
	Y       float64 `json:"y"`
	Metric  float64 `json:"metric_value"`
	Against float64 `json:"against_value"`
}

// sweepMetrics are the metrics a verb can show.
func sweepMetrics() string {
	var names []string
	for _, m := range replay.Metrics {
		names = append(names, string(m))
	}
	return strings.Join(names, ",")
}

// paramNames lists what an axis may move.
func paramNames() string {
	var names []string
	for _, p := range replay.Params() {
		names = append(names, string(p))
	}
	return strings.Join(names, ", ")
}

func (c *sweepCmd) Run(a *app) error {
	switch {
	case c.IfTriggered:
		return usage("--if-triggered says nothing here: a replay always goes by the trigger.")
	case c.All && (c.Conversation != conversation{} || c.Agent != ""):
		return usage("--all means every conversation's main thread; it can't be used with --conversation or --agent.")
	case c.X.Param != "" && c.X.Param == c.Y.Param:
		return usage("Both axes are %s; a sweep has two parameters.", c.X.Param)
	}
	unsaid := c.metrics()
	needed := c.Metric.OfFacts() || c.Against.OfFacts()
	c.Texts = !c.Expected
	p, err := c.policy(a)
	if err != nil {
		return err
	}
	subjects, est, err := c.subjects(a, p)
	defer c.close()
	if err != nil {
		return err
	}
	c.firstAxes(a, &subjects[0])
	o := replay.SweepOptions{Workers: c.Workers.n}
	if needed {
		o.Judge = c.judge
	}
	grid, err := replay.Sweep(a.ctx, subjects, c.X.In(p), c.Y.In(p), o)
	if grid == nil || err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	if unsaid && c.Metric.Kept() && !grid.Knows(c.Metric) { // a table of question marks helps nobody
		c.Metric, c.Against = c.Against, c.Metric
	}
	return errors.Join(c.write(a, grid, p, est), err) // what was done before it was stopped is printed
}

// metrics puts what is not given in its place, and reports whether the metric is.
func (c *sweepCmd) metrics() (unsaid bool) {
	if unsaid = c.Metric == ""; unsaid {
		c.Metric = replay.MetricRecall
		if c.Against.Kept() {
			c.Metric = replay.MetricInput
		}
	}
	if c.Against == "" {
		c.Against = c.Metric.Beside()
	}
	return unsaid
}

// firstAxes puts the axes that a sweep begins with in the place of those that were
// not given, with values that the first history reaches.
func (c *sweepCmd) firstAxes(a *app, first *replay.Subject) {
	if c.X.Param != "" && c.Y.Param != "" {
		return
	}
	x, y := replay.FirstAxes(a.ctx, first.History, first.Policy)
	if c.X.Param == y.Param || c.Y.Param == x.Param {
		x, y = y, x
	}
	if c.X.Param == "" {
		c.X.Axis = x
	}
	if c.Y.Param == "" {
		c.Y.Axis = y
	}
}

func (c *sweepCmd) close() {
	for _, f := range c.open {
		f.Close()
	}
}

// judge returns which facts of a subject survived.
func (c *sweepCmd) judge(ctx context.Context, subject int, firings []replay.Firing) (replay.Judged, error) {
	return c.sessions[subject].Insight.Judge(ctx, firings)
}

// subjects opens every thread that the files and flags name.
func (c *sweepCmd) subjects(a *app, p model.Policy) (out []replay.Subject, estimated bool, err error) {
	w := &workFlags{threadFlags: c.threadFlags, All: c.All}
	if err := w.check(); err != nil {
		return nil, false, err
	}
	for _, path := range c.Files {
		f, err := a.open(path, &c.readFlags, nil)
		if err != nil {
			return nil, false, err
		}
		c.open = append(c.open, f)
		refs, err := w.refs(f)
		if err != nil {
			return nil, false, err
		}
		for _, ref := range refs {
			pr, err := a.planner(f, ref, w, &c.policyFlags, p)
			if err != nil {
				return nil, false, err
			}
			estimated = estimated || pr.s.Estimated()
			if pr.p.Window == 0 && c.X.Param != replay.AxisWindow && c.Y.Param != replay.AxisWindow {
				c.said = append(c.said, path+": the context window is not known; a % trigger cannot fire without it (--context-window N)")
			}
			c.sessions = append(c.sessions, pr.s)
			out = append(out, subject(pr.s, path, pr.p, c.Texts))
		}
	}
	return out, estimated, nil
}

func subject(s *session.Session, path string, p model.Policy, texts bool) replay.Subject {
	sub := s.Insight.Subject(p, texts)
	sub.Name = path
	if n := s.Ref().Conversation; n > 0 {
		sub.Name = fmt.Sprintf("%s, conversation %d", path, n+1)
	}
	return sub
}

func (c *sweepCmd) write(a *app, g *replay.Grid, p model.Policy, est bool) error {
	switch {
	case c.CSV:
		return g.WriteCSV(a.out)
	case c.JSON:
		return a.printJSON(c.value(g, p))
	}
	c.print(a, g, p, est)
	return nil
}

func (c *sweepCmd) value(g *replay.Grid, p model.Policy) *swept {
	r := &swept{Files: c.Files, Texts: c.Texts, StandIn: standIn(p.Strategy, c.Texts), Metric: c.Metric,
		Against: c.Against, Grid: g, Front: []frontCell{}, Warn: append([]string{}, c.said...), Policy: p}
	r.Values = make([][]*float64, len(g.Y.Values))
	for y := range g.Y.Values {
		r.Values[y] = make([]*float64, len(g.X.Values))
		for x := range g.X.Values {
			if s, ok := g.Cell(x, y).Spread(c.Metric); ok {
				r.Values[y][x] = &s.Value
			}
		}
	}
	for _, i := range g.Front(c.Metric, c.Against) {
		cell := &g.Cells[i]
		m, _ := cell.Spread(c.Metric)
		n, _ := cell.Spread(c.Against)
		r.Front = append(r.Front, frontCell{g.X.Values[cell.X], g.Y.Values[cell.Y], m.Value, n.Value})
	}
	if s, ok := g.Matters(c.Metric); ok {
		r.Matters = &s
	}
	_, r.Never = g.NeverFires()
	return r
}

func (c *sweepCmd) print(a *app, g *replay.Grid, p model.Policy, est bool) {
	names := make([]string, len(c.Files))
	for i, f := range c.Files {
		names[i] = filepath.Base(f)
	}
	fmt.Fprintln(a.out, strings.Join(names, ", "))
	summaries := "taken for their expected size"
	switch {
	case c.Texts:
		summaries = madeOffline(p.Strategy)
	case c.Metric.OfFacts() || c.Against.OfFacts():
		summaries += "; what only they would hold counts as gone"
	}
	table(a.out, "policy\t"+policyText(p), "summaries\t"+summaries, "shown\t"+metricText(c.Metric, len(g.Subjects)))
	front := g.Front(c.Metric, c.Against)
	rows := []string{axisText(g.Y) + "\t" + strings.Join(axisHeads(g.X), "\t")}
	for y := len(g.Y.Values) - 1; y >= 0; y-- {
		row := []string{valueText(g.Y, g.Y.Values[y])}
		for x := range g.X.Values {
			row = append(row, c.cellText(g, x, y, front, est))
		}
		rows = append(rows, strings.Join(row, "\t"))
	}
	rows = append(rows, "\t"+axisText(g.X))
	table(a.out, rows...)
	fmt.Fprintln(a.out, "  x: not possible, the trigger is not below context window − output reserve, or not above the fixed part")
	fmt.Fprintf(a.out, "  !: fires again within %d calls\n", replay.Soon)
	if len(front) > 0 {
		fmt.Fprintf(a.out, "  *: one of the best trade-offs of %s against %s\n", c.Metric, c.Against)
	}
	if !g.Complete {
		fmt.Fprintln(a.out, "  ·: not done, it was stopped")
	}
	if s, ok := g.Matters(c.Metric); ok {
		where := "on this session"
		if len(g.Subjects) > 1 {
			where = "on these sessions"
		}
		fmt.Fprintf(a.out, "Which setting matters %s: %s %s, %s %s, both together %s\n",
			where, g.X.Param, figure.Percent(s.X), g.Y.Param, figure.Percent(s.Y), figure.Percent(s.Both))
	}
	c.printFront(a, g, front, est)
	if why := c.unranked(g, front, est); why != "" {
		fmt.Fprintln(a.out, why)
	}
	a.printList("Warnings", c.said)
}

func (c *sweepCmd) cellText(g *replay.Grid, x, y int, front []int, est bool) string {
	cell := g.Cell(x, y)
	s, known := cell.Spread(c.Metric)
	switch {
	case !cell.Done:
		return "·"
	case cell.Impossible:
		return "x"
	case !known:
		return "?"
	}
	text := metricFigure(c.Metric, s.Value, c.texts(est))
	if t, _ := cell.Spread(replay.MetricThrash); t.Value > 0 {
		text += "!"
	}
	if slices.Contains(front, y*len(g.X.Values)+x) {
		text += "*"
	}
	return text
}

// unranked is why no setting is called best, in a sentence; "" where some are.
func (c *sweepCmd) unranked(g *replay.Grid, front []int, est bool) string {
	largest, never := g.NeverFires()
	switch {
	case never:
		return fmt.Sprintf("None of these settings ever compacts: the largest call is %s tokens, and nothing is there to compare.",
			metricFigure(replay.MetricLargest, float64(largest), c.texts(est)))
	case len(front) > 0:
		return ""
	case !c.Metric.Kept() && !c.Against.Kept():
		return fmt.Sprintf("No setting is called best: neither %s nor %s says what is kept. Weigh one against recall.", c.Metric, c.Against)
	case g.Complete:
		return "No setting is called best: too little of what was compacted away was needed again."
	}
	return ""
}

const mostFront = 20

func (c *sweepCmd) printFront(a *app, g *replay.Grid, front []int, est bool) {
	if len(front) == 0 {
		return
	}
	fmt.Fprintf(a.out, "Best trade-offs of %s against %s\n", c.Metric, c.Against)
	rows := []string{axisText(g.X) + "\t" + axisText(g.Y) + "\t" + string(c.Metric) + "\t" + string(c.Against)}
	for k, i := range front {
		if k == mostFront {
			rows = append(rows, fmt.Sprintf("… and %d more (--json lists all)", len(front)-k))
			break
		}
		cell := &g.Cells[i]
		m, _ := cell.Spread(c.Metric)
		n, _ := cell.Spread(c.Against)
		rows = append(rows, strings.Join([]string{valueText(g.X, g.X.Values[cell.X]), valueText(g.Y, g.Y.Values[cell.Y]),
			metricFigure(c.Metric, m.Value, c.texts(est)), metricFigure(c.Against, n.Value, c.texts(est))}, "\t"))
	}
	table(a.out, rows...)
}

// metricText says what a metric is and how several sessions make one figure.
func metricText(m replay.Metric, sessions int) string {
	text := map[replay.Metric]string{
		replay.MetricAfter:    "after: tokens of the request behind the last message",
		replay.MetricSaved:    "saved: share of the uncompacted total input",
		replay.MetricInput:    "input: tokens sent by all calls",
		replay.MetricLargest:  "largest: tokens of the largest call",
		replay.MetricFirings:  "firings: how often it compacts",
		replay.MetricThrash:   fmt.Sprintf("thrash: how often within %d calls of the time before", replay.Soon),
		replay.MetricResent:   "resent: tokens written to the prompt cache again because of a compaction",
		replay.MetricWritten:  "written: tokens of all summaries",
		replay.MetricOver:     "over: calls larger than the context window",
		replay.MetricRecall:   "recall: share of what the agent needed after compactions that was still there",
		replay.MetricMisses:   "misses: what the agent needed after compactions and no longer stood",
		replay.MetricSurvives: "survives: share of the facts taken away that stood right after",
	}[m]
	switch {
	case sessions > 1 && m == replay.MetricRecall:
		text += fmt.Sprintf("; mean of the sessions with %d needs or more, of %d", replay.NeedsToCount, sessions)
	case sessions > 1:
		text += fmt.Sprintf("; median of %d sessions", sessions)
	}
	return text
}

func axisText(x replay.Axis) string {
	if x.Unit == "" {
		return string(x.Param)
	}
	return fmt.Sprintf("%s (%s)", x.Param, x.Unit)
}

func axisHeads(x replay.Axis) []string {
	out := make([]string, len(x.Values))
	for i, v := range x.Values {
		out[i] = valueText(x, v)
	}
	return out
}

func valueText(x replay.Axis, v float64) string {
	if x.Unit == model.Percent {
		return fmt.Sprintf("%g", v)
	}
	return short(v)
}

// metricFigure spells a metric's value; tokens have a tilde when they are estimated.
func metricFigure(m replay.Metric, v float64, t figures.Texts) string {
	return figures.OfMetric(m, v, true, t).String()
}

// texts says how the summaries of the sweep were made.
func (c *sweepCmd) texts(est bool) figures.Texts { return figures.Texts{Made: c.Texts, Estimated: est} }

// short spells a value of an axis: 950, 12.3K, 4.1M.
func short(v float64) string {
	if v != math.Trunc(v) && v < 1000 {
		return fmt.Sprintf("%g", v)
	}
	return figure.TokensShort(int64(math.Round(v)), false)
}

// axisFlag is "trigger=50..95/9", "tail=2k..32k/7", "batch=0,10,20msgs".
type axisFlag struct{ replay.Axis }

// UnmarshalText reads the axis.
func (x *axisFlag) UnmarshalText(b []byte) (err error) {
	name, values, _ := strings.Cut(strings.ReplaceAll(string(b), " ", ""), "=")
	if values == "" {
		return fmt.Errorf("%q is no axis, as in trigger=50..95/9 or tail=2k,8k,20k; there are %v", b, replay.Params())
	}
	x.Axis, err = replay.ReadAxis(replay.Param(strings.ToLower(name)), "", values)
	return err
}
