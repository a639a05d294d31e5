package cli

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"palimpsest/compaction/probe"
	"palimpsest/compaction/session/online"
	"palimpsest/compaction/session/probing"
	"palimpsest/model/figure"
)

type probeCmd struct {
	Files     []string `arg:"" name:"FILE|DIR" help:"The transcripts; of a folder all in it."`
	Presets   []string `placeholder:"NAME,…" help:"Presets to compare, each with the first. Default: the one of --preset."`
	Recorded  bool     `help:"${probeRecorded}"`
	Questions bool     `help:"Print the questions with their right answers. No model is asked."`
	DryRun    bool     `help:"Print what asking would cost; nothing is sent."`
	PerCall   int      `default:"10" placeholder:"N" help:"Questions a call."`
	PerMinute int      `placeholder:"N" help:"Calls a minute at most. Default: as the endpoint is set up, else 20."`
	HTML      string   `name:"html" placeholder:"PATH" help:"Write the result as a page, too; it loads nothing from anywhere."`
	Quiet     bool     `short:"q" help:"No progress on the standard error."`
	JSON      bool     `name:"json" help:"Print JSON (docs/json.md)."`
	policyFlags
	threadFlags
	modelFlags
}

// probed is the JSON of probe.
type probed struct {
	Model    string           `json:"model"`
	Host     string           `json:"host"`
	Cost     *probing.Cost    `json:"cost"`
	Table    []probing.Row    `json:"table"`
	Sessions []*probing.Probe `json:"sessions"`
	LeftOut  []string         `json:"left_out"`
	Stopped  string           `json:"stopped"`

	first string // the setting that the others are compared with
}

func (c *probeCmd) Run(a *app) error {
	if err := c.threadFlags.check(); err != nil {
		return err
	}
	settings, err := c.settings(a)
	if err != nil {
		return err
	}
	var reader probing.Reader
	if !c.Questions {
		if reader, err = c.reader(a); err != nil {
			return err
		}
	}
	v := &probed{Sessions: []*probing.Probe{}, Table: []probing.Row{}, LeftOut: []string{}, first: settings[0].Name}
	if err := c.prepare(a, v, settings, reader); err != nil {
		return err
	}
	if c.Questions {
		return c.print(a, v)
	}
	c.cost(a, v, reader)
	if c.DryRun {
		return c.print(a, v)
	}
	st, err := a.writable()
	if err != nil {
		return err
	}
	defer st.Close()
	progress := newProgress(a.errOut, 0, c.Quiet)
	for _, p := range v.Sessions {
		if err = p.Run(a.ctx, st, progress.Of("calls of "+filepath.Base(p.File))); err != nil {
			v.Stopped = sentence(err)
			fmt.Fprintf(a.errOut, "Stopped: %s. The answers so far are kept, and the same call goes on from them.\n", v.Stopped)
			err = silent(exitFailed)
			break
		}
	}
	progress.Clear()
	v.Table = probing.Table(v.Sessions, v.first)
	return errors.Join(c.print(a, v), err)
}

// settings are the presets to compare, with the flags put in.
func (c *probeCmd) settings(a *app) (list []probing.Setting, err error) {
	if len(c.Presets) == 0 {
		c.Presets = []string{c.Preset}
	}
	for _, name := range c.Presets {
		flags := c.policyFlags
		flags.Preset = name
		p, err := flags.policy(a)
		if err != nil {
			return nil, err
		}
		list = append(list, probing.Setting{Name: strings.TrimSuffix(filepath.Base(cmp.Or(name, "balanced")), ".json"), Policy: p})
	}
	return list, nil
}

// reader is the model to ask.
func (c *probeCmd) reader(a *app) (r probing.Reader, err error) {
	if r.PerCall = c.PerCall; c.PerCall < 1 || c.PerCall > 60 {
		return r, usage("--per-call needs a number from 1 to 60.")
	}
	provider, err := c.provider(a)
	if err != nil {
		return r, err
	}
	if !provider.Set() {
		return r, usage("Whom to ask? Give --endpoint and --model, or set a model up in the window; --questions asks nobody.")
	}
	if c.PerMinute > 0 {
		provider.Minute = c.PerMinute
	}
	a.asks = &online.Connection{}
	a.asks.Use(provider)
	if r.Model, err = a.asks.Model(); err != nil {
		return r, usage("%s", sentence(err)+".")
	}
	return r, nil
}

// prepare opens the files and makes the questions.
func (c *probeCmd) prepare(a *app, v *probed, settings []probing.Setting, r probing.Reader) error {
	files, err := (&filesFlags{Recursive: true}).sources(a.ctx, c.Files)
	if err != nil {
		return err
	}
	progress := newProgress(a.errOut, len(files), c.Quiet)
	defer progress.Clear()
	for _, path := range files {
		p, err := c.session(a, path, settings, r)
		progress.Done(err != nil)
		switch {
		case err != nil && (len(files) == 1 || a.ctx.Err() != nil):
			return err
		case err != nil:
			v.LeftOut = append(v.LeftOut, path+": "+sentence(err))
		case len(p.Cuts) == 0:
			v.LeftOut = append(v.LeftOut, path+": no cut with enough before and after it")
		default:
			v.Sessions = append(v.Sessions, p)
		}
	}
	return nil
}

func (c *probeCmd) session(a *app, path string, settings []probing.Setting, r probing.Reader) (*probing.Probe, error) {
	f, err := a.open(path, &c.readFlags, nil)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	ref, err := c.one(f)
	if err != nil {
		return nil, err
	}
	s, err := f.Session(a.ctx, ref, nil)
	if err != nil {
		return nil, err
	}
	cuts, err := probing.Prepare(a.ctx, s, settings, c.Recorded)
	if err != nil {
		return nil, err
	}
	return probing.New(a.ctx, s, path, cuts, r)
}

// cost says what is about to be sent.
func (c *probeCmd) cost(a *app, v *probed, r probing.Reader) {
	v.Model, v.Host, v.Cost = r.Model.Name, r.Model.Host, &probing.Cost{}
	withheld := 0
	for _, p := range v.Sessions {
		v.Cost.Add(p)
		withheld += len(p.Withheld)
	}
	text := map[bool]string{true: "Would send to ", false: "Sending to "}[c.DryRun]
	text += fmt.Sprintf("%s at %s: at most %s, ~%s tokens in, %s out", v.Model, v.Host, plural(v.Cost.Calls, "call"),
		thousands(v.Cost.Input), thousands(v.Cost.Output))
	if r.Model.Price.Known() {
		price := r.Model.Price.Of(v.Cost.Input, v.Cost.Output)
		v.Cost.Price = &price
		text += fmt.Sprintf(", %.4f %s", price, r.Model.Price.Currency)
	}
	if n, assumed := r.Model.ContextWindow(); assumed {
		text += fmt.Sprintf(", with a limit of %s tokens, which is assumed: say it with --model-window", thousands(n))
	}
	fmt.Fprintf(a.errOut, "%s. Withheld: %s. What was answered before is not sent again.\n", text, plural(withheld, "finding"))
}

func (c *probeCmd) print(a *app, v *probed) error {
	if c.HTML != "" {
		if err := writePage(c.HTML, v); err != nil {
			return err
		}
	}
	if c.JSON {
		return a.printJSON(v)
	}
	switch {
	case c.Questions:
		printQuestions(a, v)
	case len(v.Table) > 0:
		fmt.Fprintf(a.out, "%s, by %s at %s\n", plural(len(v.Sessions), "session"), v.Model, v.Host)
		table(a.out, values(v.Rows(), func(cells *[]string) string { return row(*cells...) })...)
		fmt.Fprintln(a.out, v.Caption())
	}
	a.printList("Left out", v.LeftOut)
	return nil
}

// printQuestions prints the questions with their right answers.
func printQuestions(a *app, v *probed) {
	all, kept := 0, 0
	for _, s := range v.Sessions {
		for i := range s.Cuts {
			fmt.Fprintf(a.out, "%s, cut before message %s\n", s.File, thousands(s.Cuts[i].At+1))
			rows := values(s.Cuts[i].Questions, func(q *probing.Question) string {
				place := "message " + thousands(q.Message)
				if all++; q.Kept {
					place += " (the kept window says it)"
					kept++
				}
				return row(string(q.Kind), clean(q.Ask, 160), clean(strings.Join(q.Answers, ", "), 100), place)
			})
			table(a.out, rows...)
		}
	}
	fmt.Fprintf(a.out, "%s. The kept window answers %s of them.\n", plural(all, "question"), thousands(kept))
}

// Caption says how the table counts.
func (v *probed) Caption() string {
	return fmt.Sprintf("Answered, points and kinds are shares, each kind counting the same; points: 1 for a right answer, −½ for a wrong "+
		"one. What the kept window answers by itself counts only in its column. A difference is told from %d sessions and %d questions on.",
		probing.LeastSessions, probing.LeastQuestions)
}

// Rows are the cells of the table, the head first.
func (v *probed) Rows() [][]string {
	kinds := values(probe.Kinds, func(k *probe.Kind) string { return string(*k) })
	out := [][]string{slices.Concat([]string{"", "answered", "points", "right, wrong, don't know"}, kinds,
		[]string{"kept window", "tokens", "against " + v.first})}
	for i := range v.Table {
		r := &v.Table[i]
		cells := []string{r.Side, figure.Percent(r.Share), fmt.Sprintf("%.2f", r.Points),
			fmt.Sprintf("%s, %s, %s", thousands(r.Of.Right), thousands(r.Of.Wrong), thousands(r.Of.Unknown))}
		for _, t := range append(values(probe.Kinds, func(k *probe.Kind) probing.Tally { return r.Kinds[*k] }), r.Kept) {
			cell := "–"
			if t.All() > 0 {
				cell = figure.Percent(t.Share())
			}
			cells = append(cells, cell)
		}
		less := "–"
		if r.Less != nil {
			less = fmt.Sprintf("%+.1f (%+.1f to %+.1f)", 100*r.Less.Mean, 100*r.Less.From, 100*r.Less.To)
		}
		out = append(out, append(cells, thousands(r.Tokens), less))
	}
	return out
}

//go:embed probe.html.tmpl
var probePage string

// writePage writes the result for people in one file.
func writePage(path string, v *probed) error {
	page, err := template.New("probe").Parse(probePage)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return errors.Join(page.Execute(f, v), f.Close())
}
