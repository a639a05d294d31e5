package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/figures"
	"palimpsest/compaction/session/sweeps"
	"palimpsest/model"
)

type sweepCmd struct {
	Files []string `arg:"" name:"FILE" help:"Transcripts; a cell of the table is the median over all of them."`
	policyFlags
	threadFlags
	All       bool          `group:"thread" help:"The main thread of every conversation."`
	Recursive bool          `short:"r" help:"Look for transcripts in folders, and in the folders in them."`
	X         axisFlag      `name:"x" placeholder:"P=A..B/N" help:"${x}"`
	Y         axisFlag      `name:"y" placeholder:"P=A..B/N" help:"Second parameter, likewise. Default: the other of the two."`
	Metric    replay.Metric `enum:"${metrics}," default:"" placeholder:"NAME" help:"${metric}"`
	Against   replay.Metric `enum:"${metrics}," default:"" placeholder:"NAME" help:"${against}"`
	Texts     bool          `xor:"summaries" help:"${texts}"`
	Expected  bool          `xor:"summaries" help:"${expected}"`
	Quiet     bool          `short:"q" help:"No progress on the standard error."`
	Workers   number        `placeholder:"N" help:"Replays at once. Default: one a core."`
	CSV       bool          `name:"csv" xor:"form" help:"Print a line for each cell with every metric, comma-separated."`
	JSON      bool          `name:"json" xor:"form" help:"Print JSON (docs/json.md)."`

	sessions []*session.Session // by subject
	open     []*session.File    // real summaries read them until the end
	said     []string           // warnings
}

// swept is the JSON of sweep.
type swept struct {
	Files   []string      `json:"files"`
	Texts   bool          `json:"texts"`
	StandIn *string       `json:"stand_in"`
	Est     bool          `json:"estimated"`
	AtLeast bool          `json:"at_least"`
	Metric  replay.Metric `json:"metric"`
	Against replay.Metric `json:"against"`
	Grid    *replay.Grid  `json:"grid"`
	Values  [][]*float64  `json:"values"`
	Front   []frontCell   `json:"front"`
	Never   bool          `json:"never_fires"`
	Over    []overCell    `json:"over"`
	Warn    []string      `json:"warnings"`
	Policy  model.Policy  `json:"policy"`
}

// overCell is a setting over several sessions: the present one, or one of the best trade-offs.
type overCell struct {
	Setting string     `json:"setting"`
	Cell    int        `json:"cell"` // of the grid; -1: the present settings
	Box     replay.Box `json:"box"`
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
	return strings.Join(values(replay.Metrics, func(m *replay.Metric) string { return string(*m) }), ",")
}

// paramNames lists what an axis may move.
func paramNames() string {
	return strings.Join(values(replay.Params(), func(p *replay.Param) string { return p.Row().Name() }), ", ")
}

func (c *sweepCmd) Run(a *app) error {
	switch {
	case c.IfTriggered:
		return usage("--if-triggered says nothing here: a replay always goes by the threshold.")
	case c.All && (c.Conversation != conversation{} || c.Agent != ""):
		return usage("--all means every conversation's main thread; it can't be used with --conversation or --agent.")
	}
	if c.X.Param != "" && c.X.Param == c.Y.Param {
		return usage("Two axes are %s.", c.X.Param.Row().Name())
	}
	unsaid := c.metrics()
	needed := c.Metric.OfFacts() || c.Against.OfFacts()
	c.Texts = !c.Expected
	p, err := c.policy(a)
	if err != nil {
		return err
	}
	subjects, how, err := c.subjects(a, p)
	defer c.close()
	if err != nil {
		return err
	}
	if len(subjects) == 1 {
		p = subjects[0].Policy // with its context window, which shares are of
	}
	c.firstAxes(a, &subjects[0])
	axes, err := c.axes(a, p)
	if err != nil {
		return err
	}
	o := replay.SweepOptions{Workers: c.Workers.n}
	if needed || c.Texts {
		o.Judge = c.judge
	}
	progress := newProgress(a.errOut, 0, c.Quiet)
	o.Progress = progress.Of("replays")
	grid, err := replay.Sweep(a.ctx, subjects, axes, o)
	progress.Clear()
	if grid == nil || err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	if unsaid && c.Metric.Kept() && !grid.Knows(c.Metric) { // a table of question marks helps nobody
		c.Metric, c.Against = c.Against, c.Metric
	}
	return errors.Join(c.write(a, grid, p, how), err) // what was done before it was stopped is printed
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

// axes are those of the flags as they are on a policy.
func (c *sweepCmd) axes(a *app, p model.Policy) (axes replay.Axes, err error) {
	for k, x := range []axisFlag{c.X, c.Y} {
		if x.name == "window" && x.Unit == model.Tokens { // the name that the model's limit had as an axis
			c.said = append(c.said, "window is how many of the latest tokens stay; the model's limit is model-limit=…")
		}
		if x.Param == replay.AxisPreset {
			policies := make([]model.Policy, len(x.Names))
			for i, name := range x.Names {
				if policies[i], err = a.preset(name); err != nil {
					return axes, err
				}
			}
			x.Axis = replay.PresetAxis(x.Names, policies)
		}
		axes[k] = x.In(p)
	}
	return axes, nil
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

// subjects opens each thread that files and flags name; how says how texts are made and
// counted.
func (c *sweepCmd) subjects(a *app, p model.Policy) (out []replay.Subject, how figures.Texts, err error) {
	how = figures.Texts{Made: c.Texts, StandIn: session.StandIn(p.Strategy) != ""}
	w := &workFlags{threadFlags: c.threadFlags, All: c.All}
	if err := w.check(); err != nil {
		return nil, how, err
	}
	files, err := (&filesFlags{Recursive: c.Recursive}).sources(a.ctx, c.Files)
	if err != nil {
		return nil, how, err
	}
	for _, path := range files {
		f, err := a.open(path, &c.readFlags, nil)
		if err != nil && c.Recursive && a.ctx.Err() == nil { // a folder holds other files too
			c.said = append(c.said, path+" is left out: "+sentence(err))
			continue
		}
		if err != nil {
			return nil, how, err
		}
		c.open = append(c.open, f)
		refs, err := w.refs(f)
		if err != nil {
			return nil, how, err
		}
		for _, ref := range refs {
			pr, err := a.planner(f, ref, number{}, &c.policyFlags, p)
			if err != nil {
				return nil, how, err
			}
			if check := pr.s.CrossCheck(pr.p.Fixed); check.Loud() {
				c.said = append(c.said, path+": "+check.String())
			}
			how.Estimated, how.NoFixed = how.Estimated || pr.s.Estimated(), how.NoFixed || pr.p.Fixed == 0
			if pr.p.Window == 0 && c.X.Param != replay.AxisWindow && c.Y.Param != replay.AxisWindow {
				c.said = append(c.said, path+": the model limit is not known; a threshold in % needs it (--model-limit N)")
			}
			c.sessions = append(c.sessions, pr.s)
			out = append(out, subject(pr.s, path, pr.p, c.Texts))
		}
	}
	return out, how, nil
}

func subject(s *session.Session, path string, p model.Policy, texts bool) replay.Subject {
	sub := s.Insight.Subject(p, texts)
	sub.Name = path
	if n := s.Ref().Conversation; n > 0 {
		sub.Name = fmt.Sprintf("%s, conversation %d", path, n+1)
	}
	return sub
}

func (c *sweepCmd) write(a *app, g *replay.Grid, p model.Policy, how figures.Texts) error {
	switch {
	case c.CSV:
		return g.WriteCSV(a.out)
	case c.JSON:
		return a.printJSON(c.value(g, p, how))
	}
	c.print(a, g, p, how)
	return nil
}

// whole is the sweep with the names of its sessions, without their folders.
func (c *sweepCmd) whole(g *replay.Grid, how figures.Texts) *sweeps.Sweep {
	named := *g
	named.Subjects = make([]string, len(g.Subjects))
	for i, path := range g.Subjects {
		named.Subjects[i] = filepath.Base(path)
	}
	return &sweeps.Sweep{Grid: &named, Metric: c.Metric, Against: c.Against, Texts: how}
}

func (c *sweepCmd) value(g *replay.Grid, p model.Policy, how figures.Texts) *swept {
	r := &swept{Files: c.Files, Texts: c.Texts, StandIn: standIn(p.Strategy, c.Texts), Est: how.Estimated,
		AtLeast: how.NoFixed, Metric: c.Metric,
		Against: c.Against, Grid: g, Front: []frontCell{}, Over: []overCell{}, Warn: listed(c.said), Policy: p}
	for i := range g.Cells { // a row for each value of the second axis
		if i%len(g.X.Values) == 0 {
			r.Values = append(r.Values, make([]*float64, len(g.X.Values)))
		}
		if s, ok := g.Cells[i].Spread(c.Metric); ok {
			r.Values[len(r.Values)-1][g.Cells[i].X] = &s.Value
		}
	}
	for _, i := range g.Front(c.Metric, c.Against) {
		cell := &g.Cells[i]
		m, _ := cell.Spread(c.Metric)
		n, _ := cell.Spread(c.Against)
		r.Front = append(r.Front, frontCell{X: g.X.Values[cell.X], Y: g.Y.Values[cell.Y], Metric: m.Value, Against: n.Value})
	}
	if _, cells := c.whole(g, how).Named(); len(g.Subjects) > 1 {
		for i, cell := range cells {
			if b, ok := g.Box(cell, c.Metric); ok {
				setting := "now"
				if i > 0 {
					setting = "best"
				}
				r.Over = append(r.Over, overCell{setting, cell, b})
			}
		}
	}
	_, r.Never = g.NeverFires()
	return r
}

func (c *sweepCmd) print(a *app, g *replay.Grid, p model.Policy, how figures.Texts) {
	fmt.Fprintln(a.out, namesOf(c.Files))
	summaries := "taken for their expected size"
	switch {
	case c.Texts:
		summaries = madeOffline(p.Strategy)
	case c.Metric.OfFacts() || c.Against.OfFacts():
		summaries += "; what only they would hold counts as gone"
	}
	table(a.out, "policy\t"+policyText(p), "summaries\t"+summaries, "shown\t"+sweeps.About(c.Metric, len(g.Subjects)))
	front := g.Front(c.Metric, c.Against)
	c.printMap(a, g, front, how)
	table(a.out, "x: not possible, the threshold is not below model limit − output reserve, or not above the fixed part")
	fmt.Fprintf(a.out, "  !: fires again within %d calls\n", replay.Soon)
	if len(front) > 0 {
		fmt.Fprintf(a.out, "  *: one of the best trade-offs of %s against %s\n", c.Metric, c.Against)
	}
	if !g.Complete {
		fmt.Fprintln(a.out, "  ·: not done, it was stopped")
	}
	w := c.whole(g, how)
	if rows := w.Front(); rows != nil {
		fmt.Fprintf(a.out, "Best trade-offs of %s against %s\n", c.Metric, c.Against)
		table(a.out, cut(values(rows, cellsOf), 1+mostFront)...)
	}
	if rows := w.Sessions(); rows != nil {
		fmt.Fprintf(a.out, "%s, session by session\n", c.Metric)
		table(a.out, values(rows, cellsOf)...)
	}
	if aside := sweeps.Aside(g); aside != "" {
		fmt.Fprintln(a.out, aside)
	}
	if why := c.unranked(g, front, how); why != "" {
		fmt.Fprintln(a.out, why)
	}
	a.printList("Warnings", c.said)
}

// namesOf are the names of files without their folders.
func namesOf(files []string) string {
	return strings.Join(values(files, func(path *string) string { return titled(filepath.Base(*path)) }), ", ")
}

// printMap prints the cells.
func (c *sweepCmd) printMap(a *app, g *replay.Grid, front []int, how figures.Texts) {
	nx := len(g.X.Values)
	rows := []string{sweeps.Head(g.Y)}
	for x := range nx {
		rows[0] += "\t" + sweeps.Bare(g.X, x)
	}
	for y := len(g.Y.Values) - 1; y >= 0; y-- {
		cells := sweeps.Bare(g.Y, y)
		for x := range nx {
			cells += "\t" + c.cellText(g, y*nx+x, front, how)
		}
		rows = append(rows, cells)
	}
	table(a.out, append(rows, "\t"+sweeps.Head(g.X))...)
}

func (c *sweepCmd) cellText(g *replay.Grid, at int, front []int, how figures.Texts) string {
	cell := &g.Cells[at]
	s, known := cell.Spread(c.Metric)
	switch {
	case !cell.Done:
		return "·"
	case cell.Impossible:
		return "x"
	case !known:
		return "?"
	}
	text := metricFigure(c.Metric, s.Value, how)
	if t, _ := cell.Spread(replay.MetricThrash); t.Value > 0 {
		text += "!"
	}
	if slices.Contains(front, at) {
		text += "*"
	}
	return text
}

// unranked is why no setting is called best, in a sentence; "" where some are.
func (c *sweepCmd) unranked(g *replay.Grid, front []int, how figures.Texts) string {
	largest, never := g.NeverFires()
	switch {
	case never:
		return fmt.Sprintf("None of these settings ever compacts: the largest call is %s tokens, and nothing is there to compare.",
			metricFigure(replay.MetricLargest, float64(largest), how))
	case len(front) > 0:
		return ""
	case !c.Metric.Kept() && !c.Against.Kept():
		return fmt.Sprintf("No setting is called best: neither %s nor %s says what is kept. Weigh one against recall.", c.Metric, c.Against)
	case !g.Complete:
		return ""
	}
	kept := c.Metric
	if !kept.Kept() {
		kept = c.Against
	}
	low, v, same := g.Same(kept)
	if f := figures.OfMetric(kept, v, same, how); low < v && f.Known() {
		return fmt.Sprintf("No setting is called best: %s is %s to %s, the same within its spread, and cost alone decides nothing.",
			kept, metricFigure(kept, low, how), f)
	} else if f.Known() {
		return fmt.Sprintf("No setting is called best: %s is %s with each of them, and cost alone decides nothing.", kept, f)
	}
	return "No setting is called best: too little of what was compacted away was needed again."
}

const mostFront = 20

// metricFigure spells a metric's value; tokens have a tilde when they are estimated.
func metricFigure(m replay.Metric, v float64, t figures.Texts) string {
	return figures.OfMetric(m, v, true, t).String()
}

// axisFlag is "threshold=50..95/9", "window=2k..32ktok/7", "batch=0,10,20msgs".
type axisFlag struct {
	replay.Axis
	name string // as it was typed
}

// UnmarshalText reads the axis.
func (x *axisFlag) UnmarshalText(b []byte) (err error) {
	name, values, _ := strings.Cut(strings.ReplaceAll(string(b), " ", ""), "=")
	if values == "" {
		return fmt.Errorf("%q is no axis, as in threshold=50..95/9, window=2k,8k,20ktok or strategy=ledger,extract; there are %s",
			b, paramNames())
	}
	x.name = strings.ToLower(name)
	p, row := replay.Param(x.name), model.Named(x.name)
	if row != nil {
		p = replay.Param(row.Key)
	}
	if x.Axis, err = replay.ReadAxis(p, "", values); err != nil && row != nil {
		err = fmt.Errorf("%w%s", err, mistaken(row, ""))
	}
	return err
}
