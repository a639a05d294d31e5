package summarize

import (
	"fmt"
	"strings"

	"palimpsest/model"
)

// jsonLayout writes a summary for programs: strategy structured. Below the
// heading line comes one JSON object, a turn or step a line. Keys are English
// in every language.
type jsonLayout struct{ w *words }

// jsonPage is the JSON object of a structured summary.
type jsonPage struct {
	Messages       string     `json:"messages,omitempty"` // numbers covered, "1-214"
	Earlier        []string   `json:"earlier,omitempty"`
	EarlierLeftOut int        `json:"earlierLinesLeftOut,omitempty"`
	Omitted        *jsonGone  `json:"omitted,omitempty"`
	Turns          []jsonTurn `json:"turns,omitempty"`
	Steps          []jsonStep `json:"steps,omitempty"`
}

// jsonGone counts what is left out.
type jsonGone struct {
	Turns    string `json:"turns,omitempty"`
	Steps    string `json:"steps,omitempty"`
	Messages string `json:"messages,omitempty"`
	Calls    int    `json:"calls,omitempty"`
	Failed   int    `json:"failed,omitempty"`
	Count    int    `json:"messageCount,omitempty"`
	Formers  int    `json:"summaries,omitempty"`
}

type jsonTurn struct {
	Turn     int      `json:"turn"`
	Messages string   `json:"messages"`
	User     string   `json:"user,omitempty"`
	Outcome  string   `json:"outcome,omitempty"`
	Count    int      `json:"callCount,omitempty"` // where not every call is listed
	Failed   int      `json:"failed,omitempty"`
	Calls    []string `json:"calls,omitempty"`
	Errors   []string `json:"errors,omitempty"`
}

type jsonStep struct {
	Step     int    `json:"step"`
	Status   string `json:"status,omitempty"`
	Progress string `json:"progress,omitempty"`
	Goal     string `json:"goal,omitempty"`
	Result   string `json:"result,omitempty"`
	Score    string `json:"score,omitempty"`
	Passed   string `json:"passed,omitempty"`
	Error    string `json:"error,omitempty"`
}

// values are the step's fields in the order of the table's columns.
func (s *jsonStep) values() []string {
	return []string{s.Status, s.Progress, s.Goal, s.Result, s.Score, s.Passed, s.Error}
}

func (p *jsonPage) empty() bool {
	return p.Messages == "" && len(p.Earlier) == 0 && p.Omitted == nil && len(p.Turns) == 0 && len(p.Steps) == 0
}

// line is the omission as text, for a summary that carries it on.
func (g *jsonGone) line(w *words) string {
	var parts []string
	if g.Turns != "" {
		parts = append(parts, strings.TrimSpace(w.turnRow(g.Turns, g.Messages)))
	}
	if g.Steps != "" {
		parts = append(parts, fmt.Sprintf(w.either("[steps %s omitted]", "[已省略步骤 %s]"), g.Steps))
	}
	if t := w.tally(g.Calls, g.Failed); t != "" {
		parts = append(parts, t)
	}
	if g.Count > 0 || g.Formers > 0 {
		parts = append(parts, w.count(g.Count, g.Formers))
	}
	return strings.Join(parts, w.colon)
}

func hyphen(a, b int) string {
	if a == b {
		return fmt.Sprint(a)
	}
	return fmt.Sprintf("%d-%d", a, b)
}

// encode writes JSON without escaping what only HTML needs escaped.
func encode(v any) string {
	b, err := model.PlainJSON(v)
	if err != nil {
		return "{}" // strings and numbers always encode
	}
	return string(b)
}

func (l jsonLayout) gap() int { return 2 }

func (l jsonLayout) least(messages, formers int) string {
	return l.w.heading + "\n" + encode(jsonPage{Omitted: &jsonGone{Count: messages, Formers: formers}})
}

// page joins the encoded blocks by hand, so that each has a line.
func (l jsonLayout) page(p *page) string {
	var members []string
	member := func(key, value string) { members = append(members, `"`+key+`":`+value) }
	if p.d.messages > 0 {
		member("messages", encode(hyphen(p.d.first, p.d.last)))
	}
	if s := l.section(p.earlier); s != "" {
		members = append(members, s)
	}
	if s := l.omitted(&p.gone); s != "" {
		members = append(members, s)
	}
	var turns, steps []string
	for _, v := range p.views {
		if v.facts != nil {
			steps = append(steps, l.block(v))
		} else {
			turns = append(turns, l.block(v))
		}
	}
	if len(turns) > 0 {
		member("turns", "[\n"+strings.Join(turns, ",\n")+"\n]")
	}
	if len(steps) > 0 {
		member("steps", "[\n"+strings.Join(steps, ",\n")+"\n]")
	}
	return l.w.heading + "\n{" + strings.Join(members, ",\n") + "}"
}

func (l jsonLayout) omitted(g *gone) string {
	if g.blocks == 0 {
		return ""
	}
	o := &jsonGone{Messages: hyphen(g.first, g.last), Calls: g.calls, Failed: g.failed}
	if g.turns > 0 {
		o.Turns = hyphen(g.fromTurn, g.toTurn)
	}
	if g.stepCount > 0 {
		o.Steps = hyphen(g.fromStep, g.toStep)
	}
	return `"omitted":` + encode(o)
}

func (l jsonLayout) section(e earlier) string {
	var s []string
	if len(e.lines) > 0 {
		all := make([]string, len(e.lines))
		for i, f := range e.lines {
			all[i] = encode(strings.Repeat(" ", f.depth) + f.text)
		}
		s = append(s, "\"earlier\":[\n"+strings.Join(all, ",\n")+"\n]")
	}
	if e.left > 0 {
		s = append(s, fmt.Sprintf(`"earlierLinesLeftOut":%d`, e.left))
	}
	return strings.Join(s, ",\n")
}

func (l jsonLayout) block(v *view) string {
	if v.facts != nil {
		return encode(l.step(v))
	}
	t := jsonTurn{Turn: v.turn, Messages: hyphen(v.first, v.last), User: v.user, Outcome: v.outcome, Failed: v.failed}
	calls, errs := v.columns(l.w)
	t.Calls, t.Errors = calls, errs
	if len(v.list) == 0 {
		t.Count = v.calls
	}
	return encode(t)
}

func (l jsonLayout) step(v *view) jsonStep {
	f := v.facts
	s := jsonStep{Step: v.step, Status: f.field[fieldStatus], Progress: f.field[fieldProgress],
		Goal: f.field[fieldGoal], Result: f.field[fieldResult], Score: f.field[fieldScore], Passed: f.field[fieldPassed]}
	if f.failed {
		s.Error = f.err
		if s.Error == "" {
			s.Error = l.w.absent
		}
		if s.Status == "" {
			s.Status = l.w.errStatus
		}
	} else if s.Result == "" {
		s.Result = f.err
	}
	if v.brief {
		s.Progress, s.Goal, s.Score = "", "", ""
	}
	return s
}

// columns are the calls and the errors of a turn, separately, as JSON and tables
// have them: a failed call is in both, its message in the errors.
func (v *view) columns(w *words) (calls, errs []string) {
	calls = append(calls, v.groups...)
	fails := func(c *call) {
		if c.failed && c.err != "" {
			errs = append(errs, c.text()+w.colon+c.err)
		}
	}
	for i := range v.failures {
		errs = append(errs, v.failures[i].line(w.colon))
	}
	for _, list := range [][]*call{v.list, v.lastCalls} {
		for _, c := range list {
			end := c.end(w)
			if c.failed {
				end = w.fail
			}
			calls = append(calls, c.text()+" → "+end)
			fails(c)
		}
	}
	return calls, append(errs, v.errs...)
}
