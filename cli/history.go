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
	Plain  bool   `help:"The text alone, as the model gets it, without marks."`
	JSON   bool   `name:"json" help:"Print JSON (docs/json.md)."`
}

// historyInfo is the JSON of history.
type historyInfo struct {
	File    string        `json:"file"`
	Steps   bool          `json:"steps"`
	At      int           `json:"at"`
	Firings int           `json:"firings"`
	Last    *int          `json:"last"`
	Text    string        `json:"text"`
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
	pr, err := a.planner(f, ref, &workFlags{threadFlags: c.threadFlags, At: c.At}, &c.policyFlags, p)
	if err != nil {
		return err
	}
	at := pr.s.At()
	shown, err := pr.s.Insight.Prompt(a.ctx, pr.p, at, c.Compat)
	if err != nil {
		return err
	}
	switch {
	case c.JSON:
		return a.printJSON(c.value(shown, at))
	case c.Plain:
		_, err = io.WriteString(a.out, printable(shown.Text)+"\n")
		return err
	}
	printPrompt(a, shown)
	return nil
}

func (c *historyCmd) value(p *session.Prompt, at int) *historyInfo {
	v := &historyInfo{File: c.File, Steps: p.Steps, At: at, Firings: p.Firings, Text: p.Text, Entries: []historyPart{}}
	if p.Last >= 0 {
		v.Last = &p.Last
	}
	for _, e := range p.Entries {
		v.Entries = append(v.Entries, historyPart{e.Role, e.Number, e.To, e.Changed, e.Text})
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
