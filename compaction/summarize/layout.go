package summarize

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"palimpsest/model"
)

// layout writes a note in one form: text, JSON or a table.
type layout interface {
	begin(d *digest) string              // the heading, and what is covered
	steps(s []stepTold, most int) string // step records, their fields cut to a length
	line(r *remark) string               // as it stands in its part
	part(p part, lines []string) string  // after what stands before it
	between() (first, rest string)       // what parts it from that
	end() string
}

// stepTold is a step with what is told of it.
type stepTold struct {
	n, from int // from: of a run that is left out, up to n
	facts   stepFacts
}

// fitSteps writes the steps that fit in a limit: whole, or with shorter fields, or the latest
// of them.
func fitSteps(d *digest, lay layout, limit int, size func(string) int) string {
	all := make([]stepTold, len(d.steps))
	for i, s := range d.steps {
		all[i] = stepTold{n: s.Number, facts: s.facts(StepCompat{})}
	}
	for _, most := range []int{errorLimit, 80, 24} {
		if text := lay.steps(all, most); size(text) <= limit {
			return text
		}
	}
	k := sort.Search(len(all), func(k int) bool { return size(lay.steps(gone(all, k), 24)) <= limit })
	return lay.steps(gone(all, k), 24)
}

// gone puts one step without facts in the place of the first k: its number is the last of
// theirs.
func gone(all []stepTold, k int) []stepTold {
	return append([]stepTold{{n: all[max(0, k-1)].n, from: max(1, all[0].n)}}, all[k:]...)
}

// cut is a step with shorter fields.
func (s stepTold) cut(most int) stepTold {
	for i := range s.facts.field {
		s.facts.field[i] = shorten(s.facts.field[i], min(most, fieldLimit+3))
	}
	s.facts.err = shorten(s.facts.err, most)
	return s
}

// textLayout writes parts under headings, a line a remark.
type textLayout struct{ w *words }

func (l textLayout) begin(d *digest) string {
	text := l.w.heading
	for _, c := range d.covers() {
		text += "\n" + l.w.overviewLine(c)
	}
	return text
}

func (l textLayout) line(r *remark) string { return r.line(l.w) }

func (l textLayout) part(p part, lines []string) string {
	head := l.w.parts[p]
	if len(lines) == 1 { // in no order
		head = shortHead(head)
	}
	return head + "\n" + strings.Join(lines, "\n")
}

func (l textLayout) between() (first, rest string) { return "\n\n", "\n\n" }
func (l textLayout) end() string                   { return "" }

// steps writes steps with a label and a value a line, or each on a line.
func (l textLayout) steps(all []stepTold, most int) string {
	var b strings.Builder
	if all[0].from == 0 {
		b.WriteString(l.w.stepsTitle(all[0].n, all[len(all)-1].n) + "\n")
	}
	for _, s := range all {
		switch {
		case s.from > 0:
			b.WriteString(l.w.stepsGone(s.from, s.n) + "\n")
		case most < errorLimit:
			s = s.cut(most)
			b.WriteString(l.w.pointBrief(s.facts.point(s.n)) + "\n")
		default:
			b.WriteString(l.w.keyInfo(s.n, &s.facts) + "\n\n")
		}
	}
	return "\n" + Trim(b.String())
}

// tableLayout writes a Markdown table, a row a remark.
type tableLayout struct{ w *words }

func (l tableLayout) begin(d *digest) string { return textLayout(l).begin(d) }

func (l tableLayout) line(r *remark) string {
	bare, from := *r, ""
	if bare.from = 0; r.from > 0 {
		from = "#" + span(r.from, max(r.from, r.to))
	}
	return cell.Replace(from + "\x00" + strings.TrimPrefix(bare.line(l.w), "- "))
}

func (l tableLayout) part(p part, lines []string) string {
	rows := make([]string, len(lines))
	for i, line := range lines {
		from, text, _ := strings.Cut(line, "\x00")
		rows[i] = "| " + from + " | " + strings.TrimPrefix(shortHead(l.w.parts[p]), "## ") + " | " + text + " |"
	}
	return strings.Join(rows, "\n")
}

func (l tableLayout) between() (first, rest string) {
	return "\n\n" + row(l.w.noteColumns) + "\n|" + strings.Repeat("---|", len(l.w.noteColumns)) + "\n", "\n"
}

func (l tableLayout) end() string { return "" }

func (l tableLayout) steps(all []stepTold, most int) string {
	rows := []string{row(l.w.stepColumns), "|" + strings.Repeat("---|", len(l.w.stepColumns))}
	before := ""
	for _, s := range all {
		if s.from > 0 {
			before = l.w.stepsGone(s.from, s.n) + "\n\n"
			continue
		}
		s = s.cut(most)
		step := l.w.jsonStep(s.n, &s.facts)
		rows = append(rows, row(append([]string{strconv.Itoa(s.n)}, step.values()...)))
	}
	return "\n\n" + before + strings.Join(rows, "\n")
}

var cell = strings.NewReplacer("|", `\|`, "\r", "", "\n", " ")

// row writes a table row; bars in a cell are escaped, line ends are spaces. Backslashes
// stay: only before a bar do they mean anything, and paths must stay literal.
func row(cells []string) string {
	var b strings.Builder
	b.WriteByte('|')
	for _, c := range cells {
		b.WriteString(" " + cell.Replace(c) + " |")
	}
	return b.String()
}

// jsonLayout writes one JSON object, a text a remark, one a line.
type jsonLayout struct{ w *words }

// jsonPage is that object.
type jsonPage struct {
	Messages  string     `json:"messages"`
	Steps     []jsonStep `json:"steps,omitempty"`
	StepsGone string     `json:"stepsGone,omitempty"`
	Asks      []string   `json:"asks,omitempty"`
	Orders    []string   `json:"orders,omitempty"`
	Todos     []string   `json:"todos,omitempty"`
	State     []string   `json:"state,omitempty"`
	Done      []string   `json:"done,omitempty"`
	Findings  []string   `json:"findings,omitempty"`
	Files     []string   `json:"files,omitempty"`
	Commits   []string   `json:"commits,omitempty"`

	// Earlier versions wrote these.
	Earlier []string `json:"earlier,omitempty"`
	Turns   []struct {
		User    string `json:"user"`
		Outcome string `json:"outcome"`
	} `json:"turns,omitempty"`
}

// parts are the page's lists in the order of a note.
func (p *jsonPage) parts() [noteParts][]string {
	return [noteParts][]string{p.Asks, p.Orders, p.Todos, p.State, p.Done, p.Findings, p.Files, p.Commits}
}

var jsonParts = [noteParts]string{"asks", "orders", "todos", "state", "done", "findings", "files", "commits"}

func (l jsonLayout) begin(d *digest) string {
	var ranges []string
	if len(d.covers()) == 0 {
		ranges = append(ranges, strings.ReplaceAll(span(d.first, d.last), "–", "-"))
	}
	for _, c := range d.covers() {
		ranges = append(ranges, strings.ReplaceAll(span(c.first, c.last), "–", "-"))
	}
	return l.w.heading + "\n{" + `"messages":` + encode(strings.Join(ranges, ", "))
}

func (l jsonLayout) line(r *remark) string { return encode(strings.TrimPrefix(r.line(l.w), "- ")) }

func (l jsonLayout) part(p part, lines []string) string {
	return `"` + jsonParts[p] + "\":[\n" + strings.Join(lines, ",\n") + "\n]"
}

func (l jsonLayout) between() (first, rest string) { return ",\n", ",\n" }
func (l jsonLayout) end() string                   { return "}" }

func (l jsonLayout) steps(all []stepTold, most int) string {
	var rows []string
	before := ""
	for _, s := range all {
		if s.from > 0 {
			before = ",\n\"stepsGone\":" + encode(strings.ReplaceAll(span(s.from, s.n), "–", "-"))
			continue
		}
		s = s.cut(most)
		rows = append(rows, encode(l.w.jsonStep(s.n, &s.facts)))
	}
	return before + ",\n\"steps\":[\n" + strings.Join(rows, ",\n") + "\n]"
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

// jsonStep is a step as JSON and tables have it.
func (w *words) jsonStep(n int, f *stepFacts) jsonStep {
	s := jsonStep{Step: n, Status: f.field[fieldStatus], Progress: f.field[fieldProgress],
		Goal: f.field[fieldGoal], Result: f.field[fieldResult], Score: f.field[fieldScore], Passed: f.field[fieldPassed]}
	if f.failed {
		s.Error = f.err
		if s.Error == "" {
			s.Error = w.absent
		}
		if s.Status == "" {
			s.Status = w.errStatus
		}
	} else if s.Result == "" {
		s.Result = f.err
	}
	return s
}

// encode writes JSON without escaping what only HTML needs escaped.
func encode(v any) string {
	b, err := model.PlainJSON(v)
	if err != nil {
		return "{}" // strings and numbers always encode
	}
	return string(b)
}

// least is the shortest honest text.
func least(lay layout, w *words, d *digest) string {
	count := w.count(d.messages, len(d.formers))
	if _, ok := lay.(jsonLayout); ok {
		return w.heading + "\n" + fmt.Sprintf(`{"messages":%s}`, encode(count))
	}
	return w.heading + "\n" + count
}
