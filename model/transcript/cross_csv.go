package transcript

import (
	"encoding/csv"
	"strconv"
	"unicode/utf8"

	"palimpsest/model"
	"palimpsest/model/visible"
)

// csvColumns are the metrics of a message. Sizes are in Unicode code points, an
// empty cell is not known.
var csvColumns = []string{"n", "role", "kind", "name", "time", "model", "step", "tokens", "total_tokens", "counted_by",
	"characters", "reasoning_characters", "calls", "failed", "cleared", "record",
	"reported_input", "reported_cache_read", "reported_cache_write", "reported_output", "reported_reasoning"}

// csv writes one line a message, as a table for other programs.
func (c *crossWriter) csv() error {
	w := csv.NewWriter(c.Writer)
	if err := w.Write(csvColumns); err != nil {
		return err
	}
	n, total := 0, 0
	err := c.each(func(it model.Item, m *model.Message, parts []model.Part) error {
		n++
		tokens, sum := "", ""
		if c.Tokens != nil {
			k := c.Tokens(it)
			total += k
			tokens, sum = strconv.Itoa(k), strconv.Itoa(total)
		}
		characters, thought := 0, 0
		for _, p := range parts {
			if p.Kind == model.PartReasoning {
				thought += utf8.RuneCountInString(p.Text)
			} else {
				characters += utf8.RuneCountInString(p.Text)
			}
		}
		step := ""
		if m.Step > 0 {
			step = strconv.Itoa(int(m.Step))
		}
		row := []string{strconv.Itoa(n), m.Role.String(), m.Kind.String(), visible.Cell(m.Name), clock(m.Time), visible.Cell(m.Model),
			step, tokens, sum, c.How,
			strconv.Itoa(characters), strconv.Itoa(thought), strconv.Itoa(len(m.Calls)), strconv.FormatBool(m.Error),
			strconv.FormatBool(it.Cleared), it.Record}
		if u := m.Usage; u != nil {
			for _, k := range []int{u.Input, u.CacheRead, u.CacheWrite, u.Output, u.Reasoning} {
				row = append(row, strconv.Itoa(k))
			}
		} else {
			row = append(row, "", "", "", "", "")
		}
		return w.Write(row)
	})
	w.Flush()
	if err != nil {
		return err
	}
	return w.Error()
}
