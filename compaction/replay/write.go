package replay

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
)

// WriteCSV writes a row for each cell: its values, whether it is done and
// possible, and every metric, the cells of a metric that is not known empty. Of
// several subjects each metric has its median (of recall the mean), least and
// most.
func (g *Grid) WriteCSV(w io.Writer) error {
	several := len(g.Subjects) > 1
	var head []string
	for _, a := range g.Axes() {
		head = append(head, heading(a))
	}
	head = append(head, "done", "impossible")
	for _, m := range Metrics {
		head = append(head, string(m))
		if several {
			head = append(head, string(m)+"Low", string(m)+"High")
		}
	}
	out := csv.NewWriter(w)
	_ = out.Write(head) // Flush keeps the first error
	for i := range g.Cells {
		c := &g.Cells[i]
		var row []string
		for k, at := range g.Axes().Place(i) {
			row = append(row, g.Axes()[k].word(at))
		}
		row = append(row, strconv.FormatBool(c.Done), strconv.FormatBool(c.Impossible))
		for _, m := range Metrics {
			s, known := c.Spread(m)
			values := []float64{s.Value}
			if several {
				values = append(values, s.Low, s.High)
			}
			for _, v := range values {
				text := ""
				if known {
					text = number(v)
				}
				row = append(row, text)
			}
		}
		_ = out.Write(row)
	}
	return finish(out)
}

// WriteCSV writes a row for each call. A number that is not known is empty.
func (t *Timeline) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"call", "message", "tokens", "recorded", "state", "reason"}) // Flush keeps the first error
	for i, c := range t.Calls {
		recorded := ""
		if c.Recorded > 0 {
			recorded = strconv.FormatInt(c.Recorded, 10)
		}
		_ = out.Write([]string{strconv.Itoa(i), strconv.Itoa(int(c.At)), strconv.FormatInt(c.Tokens, 10), recorded,
			c.State.String(), t.Why(i).Reason.String()})
	}
	return finish(out)
}

func finish(out *csv.Writer) error {
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("write the table: %w", err)
	}
	return nil
}

// word is a value of the axis in figures, or a category.
func (a Axis) word(at int) string {
	if len(a.Names) > 0 {
		return a.Names[at]
	}
	return number(a.Values[at])
}

func heading(a Axis) string {
	if a.Unit == "" {
		return string(a.Param)
	}
	return fmt.Sprintf("%s (%s)", a.Param, a.Unit)
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
