package cli

import (
	"fmt"
	"io"
	"strings"

	"palimpsest/compaction/session"
)

type historyCmd struct {
	File string `arg:"" help:"A transcript, or conversation:ID."`
	threadFlags
	policyFlags
	At     number `placeholder:"N" help:"The request that message N answers. Default: the one after the last message."`
	Compat bool   `help:"Of step records: as the first authors' program wrote it."`

	Summaries bool   `xor:"view" help:"The summaries alone."`
	Last      number `xor:"view" placeholder:"N" help:"The last N steps or messages; a step that is not kept in full has a line."`
	Within    number `xor:"view" placeholder:"TOKENS" help:"Of step records: as much as goes into so many tokens."`
	MaxSteps  number `placeholder:"N" help:"Of step records: print the report of the run, which was allowed N steps."`
	Completed bool   `help:"With --max-steps: the run's task was completed."`

	Plain bool `help:"The text alone, as the model gets it, without marks."`
	JSON  bool `name:"json" help:"Print JSON (docs/json.md)."`
}

// historyInfo is the JSON of history.
type historyInfo struct {
	File    string        `json:"file"`
	Steps   bool          `json:"steps"`
	At      int           `json:"at"`
	Firings int           `json:"firings"`
	Last    *int          `json:"last"`
	Text    string        `json:"text"`
	Report  string        `json:"report,omitempty"`
	Entries []historyPart `json:"entries"`
}

type historyPart struct {
	Role    string `json:"role"`
	Number  int    `json:"number"`
	To      int    `json:"to,omitempty"`
	Changed bool   `json:"changed"`
	Text    string `json:"text"`
}

func (c *historyCmd) Run(a *app) error {
	p, err := c.policy(a)
	if err != nil {
		return err
	}
	f, err := a.open(c.File, &c.readFlags, nil)
	if err != nil {
		return err
	}
	defer f.Close()
	ref, err := c.one(f)
	if err != nil {
		return err
	}
	pr, err := a.planner(f, ref, c.At, &c.policyFlags, p)
	if err != nil {
		return err
	}
	at := pr.s.At()
	shown, err := pr.s.Insight.Prompt(a.ctx, pr.p, at, c.Compat)
	if err != nil {
		return err
	}
	view := session.PromptView{Summaries: c.Summaries, Last: c.Last.n, Within: c.Within.n}
	text, err := shown.View(view)
	if err != nil {
		return usage("%v", err)
	}
	report := ""
	if c.MaxSteps.set {
		var ok bool
		if report, ok = shown.Report(c.MaxSteps.n, c.Completed); !ok {
			return usage("%s is no step history under this policy: only a run of steps has a report", c.File)
		}
	}
	switch {
	case c.JSON:
		return a.printJSON(c.value(shown, at, text, report))
	case report != "":
		text = report
	case view == (session.PromptView{}) && !c.Plain:
		printPrompt(a, shown)
		return nil
	}
	_, err = io.WriteString(a.out, printable(text)+"\n")
	return err
}

func (c *historyCmd) value(p *session.Prompt, at int, text, report string) *historyInfo {
	v := &historyInfo{File: c.File, Steps: p.Steps, At: at, Firings: p.Firings, Text: text, Report: report,
		Entries: values(p.Entries, func(e *session.PromptEntry) historyPart {
			return historyPart{e.Role, e.Number, e.To, e.Changed, e.Text}
		})}
	if p.Last >= 0 {
		v.Last = &p.Last
	}
	return v
}

// printPrompt prints each entry with what the last compaction changed marked at
// the margin.
func printPrompt(a *app, p *session.Prompt) {
	for i, e := range p.Entries {
		if i > 0 {
			fmt.Fprintln(a.out)
		}
		margin, text := "  ", e.Text
		if e.Changed {
			margin = "+ "
		}
		if !p.Steps {
			text = fmt.Sprintf("[%s]\n%s", e.Role, e.Text)
		}
		for _, line := range strings.Split(printable(text), "\n") {
			fmt.Fprintln(a.out, strings.TrimRight(margin+line, " "))
		}
	}
	if len(p.Entries) == 0 {
		fmt.Fprintln(a.out, printable(p.Text))
	}
	fmt.Fprintf(a.out, "\n%s so far", plural(p.Firings, "compaction"))
	if p.Last >= 0 {
		fmt.Fprintf(a.out, "; + is what the last one, after message %s, changed", thousands(p.Last))
	}
	fmt.Fprintln(a.out)
}
