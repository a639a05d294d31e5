package summarize

import (
	"strconv"
	"strings"
)

// tableLayout writes a summary as a Markdown table: strategy table. Turns and
// steps have tables of their own.
type tableLayout struct{ w *words }

func (l tableLayout) gap() int { return 1 }

func (l tableLayout) least(messages, formers int) string {
	return textLayout(l).least(messages, formers)
}

func (l tableLayout) section(e earlier) string { return textLayout(l).section(e) }

func (l tableLayout) omitted(g *gone) string { return textLayout(l).omitted(g) }

func (l tableLayout) page(p *page) string {
	w := l.w
	parts := []string{w.heading}
	if s := w.overview(p.d); s != "" {
		parts[0] += "\n" + s
	}
	if s := l.section(p.earlier); s != "" {
		parts = append(parts, s)
	}
	if s := l.omitted(&p.gone); s != "" && (len(p.views) > 0 || w.overview(p.d) == "") {
		parts = append(parts, s)
	}
	for i := 0; i < len(p.views); {
		from, steps := i, p.views[i].facts != nil
		for i < len(p.views) && (p.views[i].facts != nil) == steps {
			i++
		}
		columns := w.turnColumns
		if steps {
			columns = w.stepColumns
		}
		parts = append(parts, l.table(columns, p.views[from:i]))
	}
	if len(parts) == 1 && !strings.Contains(parts[0], "\n") {
		return l.least(p.d.messages, len(p.d.formers))
	}
	return strings.Join(parts, "\n\n")
}

func (l tableLayout) table(columns []string, views []*view) string {
	rows := []string{row(columns), "|" + strings.Repeat("---|", len(columns))}
	for _, v := range views {
		rows = append(rows, l.block(v))
	}
	return strings.Join(rows, "\n")
}

func (l tableLayout) block(v *view) string {
	w := l.w
	if v.facts != nil {
		s := jsonLayout(l).step(v)
		return row(append([]string{strconv.Itoa(v.step)}, s.values()...))
	}
	calls, errs := v.columns(w)
	if len(v.list) == 0 && v.calls > 0 {
		calls = append([]string{w.tally(v.calls, v.failed)}, calls...)
	}
	return row([]string{strconv.Itoa(v.turn), span(v.first, v.last), v.user, v.outcome, strings.Join(calls, "; "),
		strings.Join(errs, "; ")})
}

var cell = strings.NewReplacer("|", `\|`, "\r", "", "\n", "<br>")

// row writes a table row; bars and line ends in a cell are escaped. Backslashes
// stay: only before a bar do they mean anything, and paths must stay literal.
func row(cells []string) string {
	var b strings.Builder
	b.WriteByte('|')
	for _, c := range cells {
		b.WriteString(" " + cell.Replace(c) + " |")
	}
	return b.String()
}
