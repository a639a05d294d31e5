package cli

import (
	"fmt"
	"strings"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/model"
)

type previewCmd struct {
	Files []string `arg:"" name:"FILE|DIR" help:"The transcripts; - is the standard input."`
	filesFlags
	overviewFlags
	policyFlags
	modelFlags
	workFlags
	also
	Summary bool `help:"Print the whole summary."`
	Sent    bool `help:"Print the texts that a model would be sent."`
	JSON    bool `name:"json" help:"Print JSON (docs/json.md)."`
}

// preview is the JSON of one preview.
type preview struct {
	File          string            `json:"file"`
	Conversation  int               `json:"conversation"`
	Thread        int               `json:"thread"`
	Agent         string            `json:"agent"`
	At            int               `json:"at"`
	Decision      string            `json:"decision"`
	Reason        string            `json:"reason"`
	Before        model.Size        `json:"before"`
	After         model.Size        `json:"after"`
	Compactable   int64             `json:"compactable"`
	Fixed         int               `json:"fixed"`
	Method        string            `json:"method"`
	Counted       string            `json:"counted"`
	Runs          []model.RecordRun `json:"runs"`
	Warnings      []string          `json:"warnings"`
	Summary       string            `json:"summary"`
	SummaryTokens int               `json:"summary_tokens"`
	Enquiry       *enquiry          `json:"enquiry"`
	Continues     *string           `json:"continues"`
	Policy        model.Policy      `json:"policy"`
	Evidence      evidence          `json:"evidence"`

	plan  *compaction.Plan
	later int // messages behind --at
}

func (c *previewCmd) Run(a *app) error {
	if err := c.workFlags.check(); err != nil {
		return err
	}
	p, err := c.policy(a)
	if err != nil {
		return err
	}
	if err := c.connect(a, &c.policyFlags, &p); err != nil {
		return err
	}
	a.keepSent, a.also = c.Sent, c.kinds()
	a.overview = c.overviewOf(c.JSON, "change", "before", "after", "messages", "warnings")
	return a.each(c.Files, &c.filesFlags, func(a *app, file string) error { return c.file(a, file, p) })
}

// file previews a file.
func (c *previewCmd) file(a *app, file string, p model.Policy) error {
	f, err := a.open(file, &c.readFlags, nil)
	if err != nil {
		return err
	}
	defer f.Close()
	refs, err := c.refs(f)
	if err != nil {
		return err
	}
	list := make([]*preview, len(refs))
	for i, ref := range refs {
		if list[i], err = c.preview(a, f, ref, p); err != nil {
			return err
		}
		list[i].File = file
	}
	return c.print(a, list)
}

func (c *previewCmd) preview(a *app, f *session.File, ref session.Ref, p model.Policy) (*preview, error) {
	pr, err := a.planner(f, ref, c.At, &c.policyFlags, p)
	if err != nil {
		return nil, err
	}
	d, asking, err := pr.draft(a)
	if err != nil {
		return nil, err
	}
	pl := d.Plan
	sizes := compaction.SizesOf(pr.s.Estimated(), &pl.Policy)
	r := &preview{Conversation: ref.Conversation, Thread: ref.Thread, Agent: pr.s.Thread().AgentID,
		At: pr.s.At(), Decision: string(pl.Outcome), Reason: pl.Why.Text(sizes), Before: pl.Before, After: pl.After,
		Compactable: pl.Line.Compactable(), Fixed: int(pl.Line.Fixed()),
		Method: method(pr.s), Counted: pr.s.Counter().Name(), Runs: session.RecordRuns(pl),
		Warnings: sentences(pl.Warnings, sizes),
		Summary:  d.Text.Text, SummaryTokens: d.Text.Tokens, Enquiry: asking, Policy: pl.Policy,
		Continues: parentOf(pr.s), Evidence: evidenceOf(pr.s, pl.Policy), plan: pl, later: len(pr.s.Thread().History) - pr.s.At()}
	if pl.Outcome != compaction.WouldApply {
		r.After, r.Reason = pl.Before, session.Refusal(pl, pr.s.Estimated())
		r.Summary, r.SummaryTokens = "", 0
	}
	return r, nil
}

// draft makes the draft that is shown. A model is not asked for a preview, which
// shows what it would be asked.
func (p *planner) draft(a *app) (*session.Draft, *enquiry, error) {
	if !p.p.Strategy.Asks() {
		d, err := p.s.Draft(a.ctx, p.p, p.o, nil)
		return d, nil, err
	}
	e, err := p.s.Enquire(a.ctx, p.p, p.o, session.Asking{}, nil)
	if err != nil {
		return nil, nil, err
	}
	return &session.Draft{Draft: &compaction.Draft{Plan: e.Plan}}, newEnquiry(e, a.keepSent), nil
}

// print writes the previews; a refusal is printed on the error output as well and
// ends with its exit code.
func (c *previewCmd) print(a *app, list []*preview) error {
	if c.JSON {
		if err := printOneOrAll(a, list, c.Conversation.all); err != nil {
			return err
		}
	}
	code := exitDone
	for _, r := range list {
		switch {
		case a.overview.takes(a.lines):
			r.list(a.overview, c.Conversation.all)
		case !c.JSON:
			c.printOne(a, r)
		}
		if r.Decision != string(compaction.WouldApply) {
			styled(a.errOut, red, "Refused: ")
			fmt.Fprintln(a.errOut, r.Reason+"."+wouldDo(r.plan))
			code = exitFailed
		}
	}
	if code != exitDone {
		return silent(code)
	}
	return nil
}

// list adds the preview to a table; several: its file has several conversations.
func (r *preview) list(o *overview, several bool) {
	name, est := r.File, r.Method == "estimated"
	if several {
		name = fmt.Sprintf("%s, conversation %d", r.File, r.Conversation+1)
	}
	size := func(z model.Size) string { return contextTokens(z.Tokens, est, r.Policy.Fixed) }
	warnings := ""
	if len(r.Warnings) > 0 {
		warnings = thousands(len(r.Warnings))
	}
	if r.Decision != string(compaction.WouldApply) {
		o.add(name, 0, "refused", size(r.Before), "", thousands(r.Before.Messages), warnings)
		return
	}
	o.add(name, 0, change(r.Before.Tokens, r.After.Tokens), size(r.Before), size(r.After),
		thousands(r.Before.Messages)+" → "+thousands(r.After.Messages), warnings)
}

func (c *previewCmd) printOne(a *app, r *preview) {
	est := r.Method == "estimated"
	heading(a.out, titled(r.File)+c.which(r))
	rows := append([]string{"policy\t" + policyText(r.Policy)}, r.Evidence.rows()...)
	if r.later > 0 {
		rows = append(rows, fmt.Sprintf("planned\tbefore message %d; %s stay behind it", r.At+1, plural(r.later, "later message")))
	}
	if r.Continues != nil {
		rows = append(rows, "continues\t"+*r.Continues)
	}
	table(a.out, rows...)
	a.printCheck(&r.Evidence)
	size := func(label string, z model.Size, more string) string {
		return fmt.Sprintf("%s\t%s\t%s\t%s", label, plural(z.Messages, "message"),
			inTokens(contextTokens(z.Tokens, est, r.Policy.Fixed), z.Tokens), more)
	}
	rows = []string{size("before", r.Before, "")}
	if r.Decision == string(compaction.WouldApply) {
		rows = append(rows, size("after", r.After, change(r.Before.Tokens, r.After.Tokens)))
	}
	table(a.out, rows...)
	c.printRuns(a, r, est)
	if r.Enquiry != nil {
		r.Enquiry.print(a)
	}
	a.printSummary("+ summary, "+inTokens(tokens(r.SummaryTokens, est), int64(r.SummaryTokens)), r.Summary, c.Summary)
	a.printList("Warnings", r.Warnings)
}

func (c *previewCmd) which(r *preview) string {
	text := ""
	if c.Conversation.all || c.Conversation.n > 0 {
		text = fmt.Sprintf(", conversation %d", r.Conversation+1)
	}
	if c.Agent != "" {
		text += ", agent " + clean(c.Agent, 60)
	}
	return text
}

const mostRuns = 40

func (c *previewCmd) printRuns(a *app, r *preview, est bool) {
	rows := []string{"messages\tfate\ttokens\twhy"}
	for _, run := range r.Runs {
		where := "summary"
		switch {
		case run.To == run.From+1:
			where = thousands(run.To)
		case run.To > run.From:
			where = thousands(run.From+1) + "–" + thousands(run.To)
		}
		size := tokens(run.Tokens, est)
		if r, _, _ := compaction.ReasonIn(run.Reason); r.Code == "sealed" || strings.HasPrefix(r.Code, "sealed-") {
			size = "?"
		}
		rows = append(rows, fmt.Sprintf("%s\t%s %s\t%s\t%s", where, letter(run.Fate), run.Fate, size, run.Reason))
	}
	table(a.out, cut(rows, 1+mostRuns)...)
}

func letter(fate string) string {
	for _, f := range model.Fates {
		if f.String() == fate {
			return f.Letter()
		}
	}
	return " "
}

const summaryLines = 8

// printSummary prints the first lines of a summary, or all. title is printed above.
func (a *app) printSummary(title, text string, whole bool) {
	if text == "" {
		return
	}
	fmt.Fprintln(a.out, title)
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	width := -1
	if !whole {
		width = 160
	}
	for i, l := range lines {
		if i == summaryLines && !whole {
			fmt.Fprintf(a.out, "  … %s (--summary prints all)\n", plural(len(lines)-i, "more line"))
			break
		}
		indent := strings.Repeat(" ", len(l)-len(strings.TrimLeft(l, " ")))
		fmt.Fprintln(a.out, "  "+indent+clean(l, width))
	}
}
