package steps

import (
	"slices"
	"strings"
	"time"

	"palimpsest/compaction/summarize"
)

// Query selects steps. A field that is zero selects all; the others
// must all match.
type Query struct {
	Steps  *summarize.StepRange // number in this range
	Text   string               // this in the text, in any case
	Failed bool                 // ended in an error
	Since  time.Time            // appended at this time or later
	Until  time.Time            // appended before this time
}

// Finding is what a [Query] finds: matching steps that are kept in full, and
// summaries that may cover a matching step.
type Finding struct {
	Steps     []Record
	Summaries []Summary
}

// Find returns copies, oldest first.
func (h *History) Find(q Query) Finding {
	v := h.view()
	var f Finding
	for i := range v.detail {
		if r := &v.detail[i]; q.matches(r) {
			f.Steps = append(f.Steps, *r)
		}
	}
	for i := range v.layer {
		if s := &v.layer[i]; q.matchesSummary(s) {
			f.Summaries = append(f.Summaries, *s)
		}
	}
	return f
}

func (q *Query) matches(r *Record) bool {
	step := r.step()
	return (q.Steps == nil || q.Steps.From <= r.Number && r.Number <= q.Steps.To) &&
		(!q.Failed || step.Failing()) && q.during(r.Timestamp, r.Timestamp) &&
		(q.in(r.Text) || q.in(step.Analysis) || q.in(step.Execution) || q.in(step.Supervision))
}

func (q *Query) matchesSummary(s *Summary) bool {
	return q.overlaps(s) && (!q.Failed || s.failed()) && q.during(s.FirstAt, s.LastAt) && q.in(s.Summary)
}

func (q *Query) overlaps(s *Summary) bool {
	span := s.span()
	return q.Steps == nil || q.Steps.From <= span.To && span.From <= q.Steps.To
}

func (s *Summary) failed() bool {
	return slices.ContainsFunc(s.KeyPoints, func(p summarize.StepPoint) bool { return p.Failed })
}

func (q *Query) during(first, last int64) bool {
	return (q.Since.IsZero() || last >= q.Since.UnixMilli()) && (q.Until.IsZero() || first < q.Until.UnixMilli())
}

func (q *Query) in(text string) bool {
	return q.Text == "" || strings.Contains(strings.ToLower(text), strings.ToLower(q.Text))
}
