package cli

import (
	"fmt"
	"math"
	"os"
	"strings"

	"palimpsest/compaction"
	"palimpsest/compaction/facts"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/figure"
)

type replayCmd struct {
	Files []string `arg:"" name:"FILE|DIR" help:"The transcripts; - is the standard input."`
	filesFlags
	overviewFlags
	policyFlags
	threadFlags
	Texts    bool `xor:"summaries" help:"${texts}"`
	Expected bool `xor:"summaries" help:"${expected}"`
	Recall   bool `help:"${recall}"`
	Recorded bool `help:"${recorded}"`
	Why      bool `help:"Print how the check before each call was decided."`
	CSV      bool `name:"csv" xor:"form" help:"Print a line for each call, comma-separated."`
	JSON     bool `name:"json" xor:"form" help:"Print JSON (docs/json.md)."`
}

// replayed is the JSON of replay.
type replayed struct {
	File         string        `json:"file"`
	Conversation int           `json:"conversation"`
	Thread       int           `json:"thread"`
	Agent        string        `json:"agent"`
	Method       string        `json:"method"`
	Counted      string        `json:"counted"`
	Texts        bool          `json:"texts"`
	StandIn      *string       `json:"stand_in"`
	Totals       replay.Totals `json:"totals"`
	Saved        float64       `json:"saved"`
	Cost         float64       `json:"cost"`
	Calls        []callInfo    `json:"calls"`
	Firings      []firingInfo  `json:"firings"`
	Found        []foundInfo   `json:"found"`
	Recall       *recallInfo   `json:"recall"`
	Warnings     []string      `json:"warnings"`
	Policy       model.Policy  `json:"policy"`
	Evidence     evidence      `json:"evidence"`
}

// callInfo is one model call.
type callInfo struct {
	Message  int    `json:"message"`
	Tokens   int64  `json:"tokens"`
	Recorded *int64 `json:"recorded"`
	State    string `json:"state"`
	Reason   string `json:"reason"`
}

// firingInfo is one compaction of the replay.
type firingInfo struct {
	*replay.Firing
	Reason string `json:"reason"`
	Needs  *int   `json:"needs,omitempty"` // with recall: uses of what had gone, up to the next firing
	Met    *int   `json:"met,omitempty"`   // and of them, those of what was still there
}

// foundInfo is a compaction that the file holds, for comparison.
type foundInfo struct {
	Message int    `json:"message"`
	Cause   string `json:"cause"`
	Before  *int   `json:"before_tokens"`
	After   *int   `json:"after_tokens"`
	Counted string `json:"counted,omitempty"` // how, where this program made the compaction

	UsageBefore *int64 `json:"usage_before"` // input reported for the call before, where no other compaction is between
	UsageAfter  *int64 `json:"usage_after"`
	Firing      *int   `json:"firing"` // of this replay, its counterpart; null: none

}

func (c *replayCmd) Run(a *app) error {
	if c.Recorded {
		return c.recorded(a)
	}
	if c.IfTriggered {
		return usage("--if-triggered says nothing here: a replay always goes by the threshold.")
	}
	if err := c.threadFlags.check(); err != nil {
		return err
	}
	policies, err := c.policies(a)
	if err != nil {
		return err
	}
	c.Texts = !c.Expected || c.Recall
	a.overview = c.overviewOf(c.JSON || c.CSV || c.Why, "calls", "fires", "total input", "change", "cost", c.recallHead())
	if len(policies) > 1 && (c.CSV || c.Why || c.Long) {
		return usage("Several presets are compared in a table; leave --csv, --why and --long out.")
	}
	if a.overview != nil {
		a.overview.alone = len(policies) > 1
	}
	return a.each(c.Files, &c.filesFlags, func(a *app, file string) error { return c.file(a, file, policies) })
}

// policies are those of the presets that are named, with commas between them.
func (c *replayCmd) policies(a *app) (list []model.Policy, err error) {
	names := strings.Split(c.Preset, ",")
	if _, err := os.Stat(c.Preset); err == nil { // a file whose name has a comma
		names = []string{c.Preset}
	}
	for _, name := range names {
		flags := c.policyFlags
		flags.Preset = name
		p, err := flags.policy(a)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// recallHead is the head of the column of what was needed later and still there.
func (c *replayCmd) recallHead() string {
	if c.Recall {
		return "needed later"
	}
	return ""
}

// file replays the threads of a file. Of several conversations each is a value.
func (c *replayCmd) file(a *app, file string, policies []model.Policy) error {
	f, err := a.open(file, &c.readFlags, nil)
	if err != nil {
		return err
	}
	defer f.Close()
	refs, err := c.refs(f)
	if err != nil {
		return err
	}
	var list []*replayed
	for _, ref := range refs {
		for _, p := range policies {
			pr, err := a.planner(f, ref, number{}, &c.policyFlags, p)
			if err != nil {
				return err
			}
			r, err := c.thread(a, file, pr)
			if err != nil {
				return err
			}
			list = append(list, r)
		}
	}
	if !c.JSON {
		return nil
	}
	return printOneOrAll(a, list, c.Conversation.all || len(policies) > 1)
}

// thread replays one, and prints it unless JSON is asked for, which is returned.
func (c *replayCmd) thread(a *app, file string, pr *planner) (*replayed, error) {
	tl, err := pr.s.Insight.Replay(a.ctx, pr.p, c.Texts)
	if err != nil {
		return nil, err
	}
	var recall *session.Needed
	if c.Recall {
		if _, err := pr.s.Insight.Facts(a.ctx, nil); err != nil {
			return nil, err
		}
		recall = pr.s.Insight.NeededLater(tl)
	}
	switch {
	case c.CSV:
		return nil, tl.WriteCSV(a.out)
	case c.JSON:
		r := c.value(pr.s, tl, recall)
		r.File = file
		return r, nil
	}
	name := titled(file)
	if c.Conversation.all {
		name = fmt.Sprintf("%s, conversation %d", name, pr.s.Ref().Conversation+1)
	}
	if a.overview.takes(a.lines) {
		if a.overview.alone {
			name += ", " + tl.Policy.Preset
		}
		listReplay(a.overview, name, pr.s, tl, recall)
		return nil, nil
	}
	heading(a.out, name)
	c.print(a, pr.s, tl, recall)
	return nil, nil
}

func (c *replayCmd) value(s *session.Session, tl *replay.Timeline, recall *session.Needed) *replayed {
	sizes := compaction.SizesOf(s.Estimated(), &tl.Policy)
	r := &replayed{Conversation: s.Ref().Conversation, Thread: s.Ref().Thread, Agent: s.Thread().AgentID,
		Method: method(s), Counted: s.Counter().Name(), Texts: c.Texts, Totals: tl.Totals, Saved: tl.Totals.Saved(),
		Cost:  session.ResultOf(s, tl, nil).Cost,
		Calls: make([]callInfo, len(tl.Calls)), Firings: make([]firingInfo, len(tl.Firings)),
		Found: []foundInfo{}, Warnings: sentences(tl.Warnings, sizes), Policy: tl.Policy, Evidence: evidenceOf(s, tl.Policy)}
	r.Recall, r.StandIn = recallValue(recall), standIn(tl.Policy.Strategy, c.Texts)
	for i, call := range tl.Calls {
		r.Calls[i] = callInfo{Message: int(call.At), Tokens: call.Tokens, State: call.State.String(), Reason: tl.Why(i).Reason.Text(sizes)}
		if call.Recorded > 0 {
			r.Calls[i].Recorded = &tl.Calls[i].Recorded
		}
	}
	for i := range tl.Firings {
		f := &tl.Firings[i]
		r.Firings[i] = firingInfo{Firing: f, Reason: tl.Why(f.Call).Reason.Text(sizes)}
		if recall != nil {
			r.Firings[i].Needs, r.Firings[i].Met = &recall.Firings[i].Needs, &recall.Firings[i].Met
		}
	}
	for _, f := range s.PairRecorded(tl) {
		info := foundInfo{Message: f.At, Cause: f.Cause, Before: f.Found.Before, After: f.Found.After, Counted: f.Counted}
		if f.Before.From == session.OfUsage {
			info.UsageBefore = &f.Before.Tokens
		}
		if f.After.From == session.OfUsage {
			info.UsageAfter = &f.After.Tokens
		}
		if f.Firing >= 0 {
			info.Firing = &f.Firing
		}
		r.Found = append(r.Found, info)
	}
	return r
}

// madeOffline says how the summaries of a replay were made: no model is asked
// for them.
func madeOffline(st model.Strategy) string {
	if in := session.StandIn(st); in != "" {
		return fmt.Sprintf("made, offline: no model is asked, the words of %s take the place of its", in)
	}
	return "made, offline"
}

// standIn is the strategy whose words replace a model's; nil: none do.
func standIn(st model.Strategy, texts bool) *string {
	in := string(session.StandIn(st))
	if in == "" || !texts {
		return nil
	}
	return &in
}

func method(s *session.Session) string {
	if s.Estimated() {
		return "estimated"
	}
	return "counted"
}

// costRow is what a run costs at the usual rates of the session's model.
func costRow(s *session.Session, tl *replay.Timeline) string {
	cost := int64(math.Round(session.ResultOf(s, tl, nil).Cost))
	row := fmt.Sprintf("cost\t%s\tat the price of fresh input, with the prompt cache",
		inTokens(contextTokens(cost, true, tl.Policy.Fixed), cost))
	if n := tl.Totals.Expired; n > 0 {
		row += fmt.Sprintf("; %s of it expire in pauses", tokens(n, s.Estimated()))
	}
	return row
}

func (c *replayCmd) print(a *app, s *session.Session, tl *replay.Timeline, recall *session.Needed) {
	est, t := s.Estimated(), tl.Totals
	size := func(n int64) string { return contextTokens(n, est, tl.Policy.Fixed) }
	summaries := "taken for their expected size"
	if c.Texts {
		summaries = madeOffline(tl.Policy.Strategy)
	}
	e := evidenceOf(s, tl.Policy)
	table(a.out, append(append([]string{"policy\t" + policyText(tl.Policy)}, e.rows()...), "summaries\t"+summaries)...)
	a.printCheck(&e)
	rows := []string{
		fmt.Sprintf("calls\t%s\tthe largest sends %s", thousands(t.Calls), inTokens(size(t.Largest), t.Largest)),
		fmt.Sprintf("total input\t%s\t%s against %s without compaction",
			inTokens(size(t.Input), t.Input), change(t.Uncompacted, t.Input), size(t.Uncompacted)),
		fmt.Sprintf("prompt cache\t%s read\t%s written, %s of it sent again because of a compaction",
			tokens(t.CacheRead, est), tokens(t.CacheWrite, est), tokens(t.Resent, est)),
		costRow(s, tl),
		fmt.Sprintf("fires\t%s\t%s within %d calls of the one before", times(t.Firings), thousands(t.Thrash), replay.Soon),
		fmt.Sprintf("summaries\t%s\t%s read, %s written",
			thousands(t.Summaries), inTokens(tokens(t.SummaryInput, est), t.SummaryInput), tokens(t.SummaryOutput, est)),
		fmt.Sprintf("at the end\t%s\t%s", plural(t.After.Messages, "message"), inTokens(size(t.After.Tokens), t.After.Tokens)),
	}
	if t.Truncations > 0 {
		rows = append(rows, fmt.Sprintf("left out	%s	unsummarised, before %s that did not fit the model limit",
			plural(t.LeftOut, "message"), plural(t.Truncations, "call")))
	}
	if recall != nil {
		rows = append(rows, recallText(recall)...)
	}
	table(a.out, rows...)
	printFirings(a, tl, recall, est)
	printMisses(a, recall)
	printFound(a, s.PairRecorded(tl), tl, est)
	if c.Why {
		printWhy(a, tl, est)
	}
	a.printList("Warnings", sentences(tl.Warnings, compaction.SizesOf(est, &tl.Policy)))
}

// listReplay adds a replay to a table; recall is nil where it was not asked for.
func listReplay(o *overview, name string, s *session.Session, tl *replay.Timeline, recall *session.Needed) {
	t, est, kept := tl.Totals, s.Estimated(), ""
	size := func(n int64) string { return contextTokens(n, est, tl.Policy.Fixed) }
	switch {
	case recall != nil && recall.Needs.Needs > 0:
		kept = figure.Percent(recall.Share())
	case recall != nil:
		kept = "nothing was"
	}
	o.add(name, 0, thousands(t.Calls), times(t.Firings), size(t.Input), change(t.Uncompacted, t.Input),
		contextTokens(int64(math.Round(session.ResultOf(s, tl, nil).Cost)), true, tl.Policy.Fixed), kept)
}

func times(n int) string {
	switch n {
	case 0:
		return "never"
	case 1:
		return "once"
	}
	return thousands(n) + " times"
}

const mostFirings = 40

// metText is how much of what was needed after one firing was still there.
func metText(r facts.Recall) string {
	if r.Needs == 0 {
		return "–"
	}
	return fmt.Sprintf("%d of %d", r.Met, r.Needs)
}

func printFirings(a *app, tl *replay.Timeline, recall *session.Needed, est bool) {
	if len(tl.Firings) == 0 {
		return
	}
	head := "call\tbefore message\tcompacts\tbefore → after\tsummary\tsent again\t"
	if recall != nil {
		head += "needed later\t"
	}
	rows := []string{head + "why"}
	size := func(z model.Size) string { return contextTokens(z.Tokens, est, tl.Policy.Fixed) }
	for i, f := range tl.Firings {
		what := fmt.Sprintf("%s–%s", thousands(f.Range.From+1), thousands(f.Range.To))
		if f.LeftOut > 0 {
			what = plural(f.LeftOut, "message") + " left out"
		} else if f.Range.To == 0 {
			what = plural(f.Cleared, "result") + " cleared"
		}
		again := ""
		if f.Again {
			again = ", soon after the one before"
		}
		cells := []string{thousands(f.Call + 1), thousands(f.At + 1), what,
			size(f.Before) + " → " + size(f.After), tokens(f.Summary, est), tokens(f.Resent, est)}
		if recall != nil {
			cells = append(cells, metText(recall.Firings[i]))
		}
		rows = append(rows, row(append(cells, tl.Why(f.Call).Reason.Text(compaction.SizesOf(est, &tl.Policy))+again)...))
	}
	table(a.out, cut(rows, 1+mostFirings)...)
}

// apartText is how many messages after a recorded compaction the replayed one comes.
func apartText(n int) string {
	if n < 0 {
		return "−" + plural(-n, "message")
	}
	return "+" + plural(n, "message")
}

// printFound lists the compactions that the file holds, next to those of the
// replay.
func printFound(a *app, list []session.Recorded, tl *replay.Timeline, est bool) {
	if len(list) == 0 {
		return
	}
	rows := []string{"recorded in the file\tcause\tbefore → after\treplayed\tapart"}
	known := func(f session.Figure, counted string) string {
		switch f.From {
		case session.OfBoundary, session.OfOwn:
			return tokenFigure(f.Tokens, !model.Exact(counted)).Full()
		case session.OfUsage:
			return thousands(f.Tokens) + " (usage)"
		}
		return "not recorded"
	}
	size := func(z model.Size) string { return contextTokens(z.Tokens, est, tl.Policy.Fixed) }
	for _, f := range list {
		cause := clean(f.Cause, 20)
		if cause == "" {
			cause = "not recorded"
		}
		replayed, apart := "–", "–"
		if f.Firing >= 0 {
			firing := &tl.Firings[f.Firing]
			replayed = fmt.Sprintf("before message %s, %s → %s",
				thousands(firing.At+1), size(firing.Before), size(firing.After))
			apart = apartText(firing.At - f.At)
		}
		sizes := known(f.Before, f.Counted) + " → " + known(f.After, f.Counted)
		rows = append(rows, row("before message "+thousands(f.At+1), cause, sizes, replayed, apart))
	}
	table(a.out, cut(rows, 1+mostFirings)...)
}

func printWhy(a *app, tl *replay.Timeline, est bool) {
	rows := []string{"call\tmessage\tsends\trecorded\tdecision"}
	for i, c := range tl.Calls {
		recorded := ""
		if c.Recorded > 0 {
			recorded = thousands(c.Recorded)
		}
		why := tl.Why(i)
		text := why.Text(compaction.SizesOf(est, &tl.Policy))
		if why.Err != nil {
			text += ": " + clean(why.Err.Error(), 200)
		}
		rows = append(rows, row(thousands(i+1), thousands(c.At+1), contextTokens(c.Tokens, est, tl.Policy.Fixed), recorded, text))
	}
	table(a.out, rows...)
}
