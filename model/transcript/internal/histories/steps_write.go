package histories

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Place puts the summary record before the record of the first step it
// replaces.
func (Steps) Place(d *model.Document, th *model.Thread, m *model.Message, _ func(model.Piece) bool) (model.Piece, bool) {
	if p := m.Pieces[0]; edit.Editable(d, p) || m.Step == 0 {
		return p, false
	}
	for i := range th.Messages { // a later phase: its record is its step's first piece
		if q := &th.Messages[i]; q.Step == m.Step {
			return q.Pieces[0], false
		}
	}
	return m.Pieces[0], false
}

// Relink notes for each summary which steps it covers, as the source numbers them.
func (Steps) Relink(_ *model.Document, th *model.Thread, c *edit.Change, _ *edit.Edits) ([]edit.Relink, error) {
	for k := range c.Summaries {
		s := &c.Summaries[k]
		end := int32(len(th.Messages))
		for _, o := range c.Summaries {
			if o.Before > s.Before {
				end = min(end, o.Before)
			}
		}
		went := slices.DeleteFunc(slices.Clone(c.Drop), func(i int32) bool { return i < s.Before || i >= end })
		if len(went) > 0 {
			s.Steps[0], _ = stepRange(&th.Messages[slices.Min(went)])
			_, s.Steps[1] = stepRange(&th.Messages[slices.Max(went)])
		}
	}
	return nil, nil
}

// stepRange is the first and last step number that a message covers.
func stepRange(m *model.Message) (first, last string) {
	if m.Kind == model.KindSummary {
		first, last, _ = strings.Cut(m.ID, "-")
		return first, last
	}
	if m.ID == "" {
		n := strconv.Itoa(int(m.Step))
		return n, n
	}
	return m.ID, m.ID
}

// Summary spells a record {summary, startStep, endStep} with names of the kind
// its neighbour has.
func (Steps) Summary(d *model.Document, _ *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	names := [3]string{"summary", "startStep", "endStep"}
	r, _ := asStep(like)
	for _, k := range r.key {
		switch {
		case strings.Contains(k, "_"):
			names = [3]string{"summary", "start_step", "end_step"}
		case k != "" && k[0] >= 0x80:
			names = [3]string{"摘要", "起始步骤", "结束步骤"}
		}
	}
	return edit.SpellLike(d, like).Str(names[0], s.Text).Raw(names[1], spelledNumber(d, s.Steps[0])).
		Raw(names[2], spelledNumber(d, s.Steps[1])).Done(), nil
}

func (Steps) ResultContent(*model.Document, *model.Message) ([]model.Span, error) {
	return nil, fmt.Errorf("step records hold no tool results")
}
