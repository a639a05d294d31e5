package cli

import (
	"fmt"
	"strconv"
	"strings"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/figures"
	"palimpsest/model"
	"palimpsest/model/figure"
)

// ruleInfo is when one preset would compact next.
type ruleInfo struct {
	Preset    string       `json:"preset"`
	Title     string       `json:"title"`
	First     bool         `json:"first"`
	InMsgs    *int         `json:"in_messages"`
	Estimated bool         `json:"estimated"`
	Clauses   []clauseInfo `json:"clauses"`
	Decision  string       `json:"decision"`
	Reason    string       `json:"reason"`
	Range     *model.Range `json:"range"`
	Passes    int          `json:"passes"`
}

// clauseInfo is one clause of its trigger, measured.
type clauseInfo struct {
	Unit      model.Unit   `json:"unit"`
	Measure   int64        `json:"measure"`
	Limit     int64        `json:"limit"`
	Share     float64      `json:"share"`
	Fires     bool         `json:"fires"`
	InMsgs    *int         `json:"in_messages"`
	Estimated bool         `json:"estimated"`
	bound     figure.Bound // of Measure
}

// nextRules returns when each preset would fire at the session's position.
func nextRules(s *session.Session) []ruleInfo {
	rules := s.Next(s.Policy())[1:] // the session's own policy is the default preset
	first := compaction.FiresFirst(rules)
	out := make([]ruleInfo, len(rules))
	for i, r := range rules {
		preset, _ := compaction.PresetByID(r.Preset)
		info := ruleInfo{Preset: r.Preset, Title: preset.Title, First: i == first, InMsgs: known(r.Messages()), Estimated: r.Estimated(),
			Clauses: make([]clauseInfo, len(r.Clauses)), Decision: string(r.Plan.Outcome),
			Reason: r.Plan.Why.Text(compaction.SizesOf(s.Estimated(), &r.Plan.Policy))}
		for k, c := range r.Clauses {
			unit := c.Clause.At.Unit
			if c.Clause.Share > 0 {
				unit = model.Tokens
			}
			info.Clauses[k] = clauseInfo{unit, c.Measure, c.Limit, c.Clause.Share, c.Fires, known(c.Messages), c.Estimated,
				figures.AtLeast(figure.Figure{}, r.Plan.Policy.Fixed).Bound}
			if c.Measure == 0 { // at least nothing says nothing
				info.Clauses[k].bound = figure.None
			}
		}
		if r.Plan.Outcome == compaction.WouldApply {
			info.Passes = r.Plan.Passes
			if r.Plan.Removed.Messages > 0 {
				taken := r.Plan.Covered()
				info.Range = &taken
			}
		}
		out[i] = info
	}
	return out
}

// known is a number of messages, nil when it is not known.
func known(n int) *int {
	if n < 0 {
		return nil
	}
	return &n
}

// printNext prints the rules of the only conversation; those of several are in the JSON.
func (a *app) printNext(r *inspection) {
	if r.Conversations != 1 {
		return
	}
	t := r.ThreadList[0]
	rows := make([]string, len(t.Next))
	for i, rule := range t.Next {
		clauses := make([]string, len(rule.Clauses))
		for k, c := range rule.Clauses {
			clauses[k] = c.text(t.Tokens.Method == "estimated")
		}
		first := ""
		if rule.First {
			first = ", first"
		}
		rows[i] = rule.Preset + "\t" + strings.Join(clauses, "; ") + "\t" + rule.when() + first
	}
	fmt.Fprintln(a.out, "Which preset would fire first")
	table(a.out, rows...)
}

// text measures the clause: "38 of 40 messages".
func (c clauseInfo) text(estimated bool) string {
	switch {
	case c.Share > 0 && c.Limit == 0:
		return fmt.Sprintf("%g %% of a model limit that is not known", c.Share*100)
	case c.Unit == model.Tokens:
		s := figure.Bounded(tokens(c.Measure, estimated), c.bound) + " of " + plural(int(c.Limit), "token")
		if share := shareOfWindow(c.Share, c.Measure, c.Limit, c.bound); share != "" {
			s += " (" + share + ")"
		}
		return s
	case c.Unit == model.Steps:
		return fmt.Sprintf("%s, fires above %s", plural(int(c.Measure), "step"), thousands(c.Limit))
	}
	return thousands(c.Measure) + " of " + plural(int(c.Limit), unitNoun(c.Unit))
}

// shareOfWindow is a measure as a share of the context window, beside that of the
// clause: "76 % of 80 %". Rounded down, so that what has not fired does not look as
// if it had; far above the window it is a multiple of that. It is "" where there is no
// share, and where the measure is a bound of less than one percent, which says nothing.
func shareOfWindow(clause float64, measure, limit int64, bound figure.Bound) string {
	share := clause * float64(measure) / float64(max(limit, 1))
	percent := strconv.Itoa(int(100 * share))
	switch {
	case clause <= 0, share < .01 && bound != figure.None:
		return ""
	case share > figure.MuchMore:
		return figure.Bounded(figure.Times(share)+" the model limit", bound)
	case share < .01 && measure > 0:
		percent = "<1"
	}
	return figure.Bounded(fmt.Sprintf("%s %% of %g %%", percent, clause*100), bound)
}

func unitNoun(u model.Unit) string {
	switch u {
	case model.Messages:
		return "message"
	case model.Groups:
		return "group"
	}
	return "turn"
}

// when says how far the rule is, and what it would do if it fires now.
func (r ruleInfo) when() string {
	switch {
	case r.InMsgs == nil:
		return "unknown when"
	case *r.InMsgs > 0:
		about := ""
		if r.Estimated {
			about = "~"
		}
		return "in " + about + plural(*r.InMsgs, "message")
	case r.Range != nil:
		return fmt.Sprintf("now: messages %s–%s, %s", thousands(r.Range.From+1), thousands(r.Range.To), passes(r.Passes))
	case r.Decision == string(compaction.WouldApply):
		return "now: clears old tool results"
	}
	return "now, but " + strings.TrimPrefix(r.Reason, "refused: ")
}

// soon is how far the rule is, in a word or two.
func (r ruleInfo) soon() string {
	switch {
	case r.InMsgs == nil:
		return "?"
	case *r.InMsgs == 0:
		return "now"
	case r.Estimated:
		return "in ~" + thousands(*r.InMsgs)
	}
	return "in " + thousands(*r.InMsgs)
}

func passes(n int) string {
	if n == 1 {
		return "1 pass"
	}
	return thousands(n) + " passes"
}
