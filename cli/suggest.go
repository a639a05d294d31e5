package cli

import (
	"fmt"
	"strings"

	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/figures"
	"palimpsest/compaction/session/sweeps"
	"palimpsest/model"
	"palimpsest/model/figure"
)

type suggestCmd struct {
	Files []string `arg:"" name:"FILE" help:"Transcripts; of several, the suggestions are for all of them together."`
	policyFlags
	threadFlags
	All       bool `group:"thread" help:"The main thread of every conversation."`
	Recursive bool `short:"r" help:"Look for transcripts in folders, and in the folders in them."`
	Quiet     bool `short:"q" help:"No progress on the standard error."`
	JSON      bool `name:"json" help:"Print JSON (docs/json.md)."`
}

func (c *suggestCmd) Run(a *app) error {
	if c.IfTriggered {
		return usage("--if-triggered says nothing here: a replay always goes by the threshold.")
	}
	p, err := c.policy(a)
	if err != nil {
		return err
	}
	on := &sweepCmd{Files: c.Files, Recursive: c.Recursive, policyFlags: c.policyFlags, threadFlags: c.threadFlags, All: c.All, Texts: true}
	defer on.close()
	subjects, how, err := on.subjects(a, p)
	if err != nil {
		return err
	}
	policies := make([]model.Policy, len(subjects))
	for i := range subjects {
		policies[i] = subjects[i].Policy
	}
	progress := newProgress(a.errOut, 0, c.Quiet)
	advice, err := session.Suggest(a.ctx, on.sessions, policies, progress.Of("replays"))
	progress.Clear()
	if err != nil {
		return err
	}
	if c.JSON {
		return a.printJSON(struct {
			Files    []string `json:"files"`
			Warnings []string `json:"warnings"`
			*replay.Advice
		}{c.Files, listed(on.said), advice})
	}
	c.print(a, advice, how)
	for _, s := range on.said {
		fmt.Fprintln(a.out, "Warning: "+s)
	}
	return nil
}

func (c *suggestCmd) print(a *app, advice *replay.Advice, how figures.Texts) {
	fmt.Fprintf(a.out, "%s: %d settings tried, with real summaries and without a model\n", namesOf(c.Files), advice.Tried)
	if advice.Why != replay.Advised {
		fmt.Fprintln(a.out, sweeps.Why(advice))
		return
	}
	several := len(advice.Now.Results) > 1
	head := "\tneeded later\ttotal input\tcost\tfires\tsettings"
	if several {
		head = "\tneeded later\tworst\tsessions\ttotal input\tcost\tfires\tsettings"
	}
	left := false
	rows := []string{head}
	for _, s := range append([]replay.Suggestion{advice.Now}, advice.Suggestions...) {
		name := string(s.Aim)
		if name == "" {
			name = "now"
		}
		row := []string{name, figure.Percent(s.Recall)}
		if several {
			row = append(row, figure.Percent(s.Worst), fmt.Sprintf("%d of %d", s.Judged, len(s.Results)))
			left = left || s.Judged < len(s.Results)
		}
		row = append(row, metricFigure(replay.MetricInput, float64(s.Input), how), metricFigure(replay.MetricCost, s.Cost, how),
			thousands(int64(s.Firings)), policyText(s.Policy[0]))
		rows = append(rows, strings.Join(row, "\t"))
	}
	table(a.out, rows...)
	fmt.Fprintln(a.out, "needed later: share of what the agent needed after compactions that was still there.")
	if left {
		fmt.Fprintf(a.out, "sessions: those that needed later and worst are of; "+
			"the others are far from full, or have fewer than %d needs.\n", replay.NeedsToCount)
	}
	if s := sweeps.Unseen(advice); s != "" {
		fmt.Fprintln(a.out, s)
	}
}
