package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
)

// The marks in docs/performance.md between which the table is.
const (
	tableBegin = "<!-- bench: begin -->"
	tableEnd   = "<!-- bench: end -->"
)

// printTable prints the verdicts for a terminal.
func printTable(w io.Writer, list []verdict) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "goal\twhat\twanted\tmeasured\trounds\t")
	all, reached, measured := 0, 0, 0
	for _, v := range list {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", v.ID, v.Name, v.wanted(), v.got(), v.spread(), v.mark())
		if v.Beside {
			continue
		}
		all++
		if v.measured {
			measured++
			if v.reached() {
				reached++
			}
		}
	}
	fmt.Fprintf(t, "\n%d of %d measured goals reached; %d not measured\n", reached, measured, all-measured)
	return t.Flush()
}

func (v verdict) wanted() string {
	if v.Beside {
		return ""
	}
	sign := "≤"
	if v.Least {
		sign = "≥"
	}
	return sign + " " + number(v.Limit) + unit(v.Unit)
}

func (v verdict) got() string {
	if !v.measured {
		return "–"
	}
	return number(v.value) + unit(v.Unit)
}

func (v verdict) spread() string {
	if v.rounds < 2 {
		return ""
	}
	return number(v.low) + "–" + number(v.top)
}

func (v verdict) mark() string {
	switch {
	case !v.measured:
		return "not measured: " + v.why
	case v.Beside:
		return "for comparison"
	case v.reached():
		return "reached"
	case v.Missed != "":
		return "missed: " + v.Missed
	}
	return "missed"
}

func unit(u string) string {
	if u == "" {
		return ""
	}
	return " " + u
}

// number has three digits that count.
func number(v float64) string {
	switch {
	case v >= 100 || v == float64(int64(v)):
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case v >= 0.1:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return strconv.FormatFloat(v, 'g', 2, 64)
}

// replaceTable puts the table between the marks of a document. What was not measured
// keeps the figure that the document has.
func replaceTable(path string, list []verdict, about []string) error {
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, ok := bytes.Cut(old, []byte(tableBegin))
	_, after, ok2 := bytes.Cut(rest, []byte(tableEnd))
	if !ok || !ok2 {
		return fmt.Errorf("%s has no marks for the table", path)
	}
	var b bytes.Buffer
	b.Write(before)
	b.WriteString(tableBegin + "\n\n| goal | what | wanted | measured | least–most of the rounds | |\n|---|---|---|---|---|---|\n")
	former := formerRows(rest)
	for _, v := range list {
		spread := v.spread()
		if !v.measured {
			if f, ok := former[v.ID+v.Name]; ok {
				v.measured, v.value, spread = true, f.value, f.spread
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", v.ID, v.Name, v.wanted(), v.got(), spread, v.mark())
	}
	b.WriteString("\n" + strings.Join(about, "; ") + ".\n\n" + tableEnd)
	b.Write(after)
	return os.WriteFile(path, b.Bytes(), 0o644)
}

// formerRow is what a table says of a goal.
type formerRow struct {
	value  float64
	spread string
}

// formerRows reads a table by ID and name.
func formerRows(table []byte) map[string]formerRow {
	rows := map[string]formerRow{}
	for line := range strings.Lines(string(table)) {
		cells := strings.Split(line, " | ")
		if len(cells) < 6 {
			continue
		}
		got, _, _ := strings.Cut(cells[3], " ")
		if v, err := strconv.ParseFloat(got, 64); err == nil {
			rows[strings.TrimPrefix(cells[0], "| ")+cells[1]] = formerRow{v, cells[4]}
		}
	}
	return rows
}
