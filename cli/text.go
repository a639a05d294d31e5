package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/width"

	"palimpsest/compaction"
	"palimpsest/compaction/session/figures"
	"palimpsest/model"
	"palimpsest/model/figure"
)

// printJSON writes one JSON value.
func (a *app) printJSON(v any) error {
	e := json.NewEncoder(a.out)
	e.SetEscapeHTML(false)
	if !a.lines {
		e.SetIndent("", "  ")
	}
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	return nil
}

// printOneOrAll prints the only value of a list, or the list.
func printOneOrAll[T any](a *app, list []T, all bool) error {
	if all {
		return a.printJSON(list)
	}
	return a.printJSON(list[0])
}

// values makes a value of each entry of a list; of none an empty list, which is not null in
// JSON.
func values[T, V any](list []T, value func(*T) V) []V {
	out := make([]V, len(list))
	for i := range list {
		out[i] = value(&list[i])
	}
	return out
}

// listed is a list that is empty in JSON, not null, where there is none.
func listed[T any](list []T) []T { return append([]T{}, list...) }

// printRows prints a table, or a sentence where it has no rows. The texts of a column are cut
// where a terminal is narrow; of column 0 they are not.
func printRows(out io.Writer, none, head string, column int, rows []string) error {
	switch all := append([]string{head}, rows...); {
	case len(rows) == 0:
		fmt.Fprintln(out, none)
	case column == 0:
		table(out, all...)
	default:
		tableFitting(out, column, all...)
	}
	return nil
}

// integer is what a number is counted in.
type integer interface{ int | int32 | int64 }

// thousands spells a number with commas.
func thousands[N integer](n N) string { return figure.Int(int64(n)) }

// tokens spells a number of tokens; an estimate has a tilde.
func tokens[N integer](n N, estimated bool) string { return tokenFigure(int64(n), estimated).Full() }

// contextTokens spells the tokens of whole contexts: a bound where the fixed part of each
// is not known, which is 0.
func contextTokens(n int64, estimated bool, fixed int) string {
	return figures.AtLeast(tokenFigure(n, estimated), fixed).Full()
}

// inTokens puts the noun behind a size of n tokens: "~1 token".
func inTokens(size string, n int64) string { return size + " " + figure.Noun(n, "token") }

func tokenFigure(n int64, estimated bool) figure.Figure {
	f := figure.Figure{Value: float64(n), Kind: figure.Counted}
	if estimated {
		f.Kind = figure.Estimated
	}
	return f
}

// change spells how much less (or more) the second number is, in percent of the first.
func change(before, after int64) string {
	f := figure.Relative("", before, after, figure.Counted)
	if !f.Known() {
		return ""
	}
	return f.String()
}

// plural spells a count with its noun.
func plural(n int, noun string) string { return figure.Plural(int64(n), noun) }

// amountText spells an amount: "20,000 tok".
func amountText(a model.Amount) string {
	unit := string(a.Unit)
	if a.N == 1 && a.Unit != model.Percent {
		unit = strings.TrimSuffix(unit, "s") // 1 msg
	}
	return thousands(a.N) + " " + unit
}

// shareText spells an amount and what a share comes to: "10 % = 20,000 tok".
func shareText(set, inForce model.Amount) string {
	if set.Unit != model.Percent {
		return amountText(set)
	}
	return amountText(set) + " = " + amountText(inForce)
}

// clauseText spells a condition of a threshold.
func clauseText(c *model.Clause) string {
	if c.Share > 0 {
		return fmt.Sprintf("%g %%", math.Round(c.Share*1e4)/100)
	}
	return amountText(c.At)
}

// policyText is the most important parameters in a line.
func policyText(p model.Policy) string {
	var parts []string
	if p.Sliding() {
		parts = append(parts, "window "+amountText(p.Triggers[0].At))
	} else {
		for _, c := range p.Triggers {
			parts = append(parts, "threshold "+clauseText(&c))
		}
		parts = append(parts, "window "+shareText(p.Tail, p.TailInForce()))
	}
	if p.Batch.N > 0 {
		parts = append(parts, "batch "+amountText(p.Batch))
	}
	if p.Clear.On {
		parts = append(parts, fmt.Sprintf("clears tool results but the newest %d", p.Clear.Keep))
	}
	parts = append(parts, string(p.Strategy))
	switch p.Strategy {
	case model.Drop, model.ClearOnly:
	default:
		parts = append(parts, "budget "+shareText(p.Budget, p.BudgetInForce()))
	}
	if p.Preset != "" {
		return p.Preset + ": " + strings.Join(parts, ", ")
	}
	return strings.Join(parts, ", ")
}

// table writes aligned columns; cells are separated by tabs. On a terminal that is too
// narrow the last column goes on below itself, and those that there is no room for go on
// below the second, or below the begin of a first one that is wide.
func table(w io.Writer, rows ...string) {
	const gap = 2
	cells := make([][]string, len(rows))
	var wide []int // of each column but the last of a row, which nothing follows
	for i, r := range rows {
		cells[i] = strings.Split(r, "\t")
		for j, c := range cells[i][:len(cells[i])-1] {
			if j == len(wide) {
				wide = append(wide, 0)
			}
			wide[j] = max(wide[j], columnsOf(c))
		}
	}
	most := 0
	if t, ok := w.(*terminal); ok {
		most = t.width
	}
	for _, line := range cells {
		text, at := strings.Repeat(" ", gap), gap
		for j, c := range line {
			last := j == len(line)-1
			need := min(columnsOf(c), max(leastColumn, longestWord(c)))
			if !last {
				need = wide[j]
			}
			if need > 0 && j > 1 && most > 0 && most-at < need {
				if at = gap + wide[0] + gap; most <= 2*(at+gap) {
					at = 3 * gap // the first column is wide
				}
				text = strings.TrimRight(text, " ") + "\n" + strings.Repeat(" ", at)
			}
			switch {
			case !last:
				c += strings.Repeat(" ", wide[j]-columnsOf(c)+gap)
				at += wide[j] + gap
			case most > 0:
				c = fitted(c, most-at, at)
			}
			text += c
		}
		fmt.Fprintln(w, text)
	}
}

// tableFitting is [table] with a column whose texts are cut where the rows are too long for the
// terminal.
func tableFitting(w io.Writer, column int, rows ...string) {
	const gap, least, leastPath = 2, 9, 16
	t, ok := w.(*terminal)
	if !ok || t.width == 0 {
		table(w, rows...)
		return
	}
	var wide []int
	for _, r := range rows {
		for j, c := range strings.Split(r, "\t") {
			if j == len(wide) {
				wide = append(wide, 0)
			}
			wide[j] = max(wide[j], columnsOf(c))
		}
	}
	over := -t.width
	for j, n := range wide {
		if j == len(wide)-1 && j != column {
			n = min(n, leastColumn) // the rest is wrapped
		}
		over += n + gap
	}
	room := max(least, wide[column]-over)
	if column == len(wide)-1 && wide[column]-over < leastPath {
		room = t.width - 2*gap - wide[0] - gap // below, as table puts it
	}
	for i, r := range rows {
		cells := strings.Split(r, "\t")
		if over > 0 && column < len(cells) {
			cells[column] = short(cells[column], room)
		}
		rows[i] = row(cells...)
	}
	table(w, rows...)
}

// short cuts a text to that many columns of a terminal; of a path the end stays.
func short(s string, columns int) string {
	if columnsOf(s) <= columns {
		return s
	}
	runes := []rune(s)
	path := !strings.Contains(s, " ") && strings.ContainsAny(s, `/\`)
	if path {
		slices.Reverse(runes)
	}
	n, at := 0, 0
	for ; at < len(runes); at++ {
		if n += columnsOf(string(runes[at])); n >= columns {
			break
		}
	}
	runes = append(runes[:at:at], '…')
	if path {
		slices.Reverse(runes)
	}
	return string(runes)
}

// leastColumn is the narrowest column in which a text is wrapped.
const leastColumn = 24

// fitted breaks a text into lines of that many columns between words, each after the first
// indented; where there is too little room it is left as it is, and the terminal breaks
// it.
func fitted(text string, room, indent int) string {
	if room < leastColumn || columnsOf(text) <= room {
		return text
	}
	var b strings.Builder
	at := 0
	for i, word := range strings.Fields(text) {
		n := columnsOf(word)
		switch {
		case i == 0:
		case at+1+n > room:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			at = 0
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}

// columnsOf is how many columns of a terminal a text takes.
func columnsOf(s string) (n int) {
	for _, r := range s {
		n++
		if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
			n++
		}
	}
	return n
}

// longestWord is how many columns the longest word of a text takes.
func longestWord(s string) (n int) {
	for word := range strings.FieldsSeq(s) {
		n = max(n, columnsOf(word))
	}
	return n
}

// row is the line of a table that has these cells.
func row(cells ...string) string { return strings.Join(cells, "\t") }

// cellsOf is [row] of a list of cells.
func cellsOf(cells *[]string) string { return row(*cells...) }

// cut is the first so many rows, and one that counts the others.
func cut(rows []string, most int) []string { return cutOf(rows, most, len(rows)) }

// cutOf is [cut] of rows that are the first of all.
func cutOf(rows []string, most, all int) []string {
	if all <= most {
		return rows
	}
	return append(rows[:most:most], fmt.Sprintf("… and %d more (--json lists all)", all-most))
}

// sentences is a list in words, never nil.
func sentences(list []compaction.Reason, z compaction.Sizes) []string {
	return values(list, func(r *compaction.Reason) string { return r.Text(z) })
}

// clean makes a text of a transcript safe to print on a terminal: one line,
// no control characters, at most n code points.
func clean(s string, n int) string {
	if runes := []rune(s); n >= 0 && len(runes) > n {
		s = string(runes[:n]) + "…"
	}
	return strings.TrimSpace(oneLine(s))
}

// oneLine is a text without line breaks and what else a terminal would obey.
func oneLine(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(printable(s), "\n", " "), "\t", " ")
}

// printable is a text of several lines without what a terminal would obey.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, s)
}

// when spells a time for a list, in the person's own time zone.
func when(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }
