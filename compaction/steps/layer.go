package steps

import (
	"context"
	"math"
	"strings"
	"unicode/utf8"

	"palimpsest/compaction/summarize"
)

// summaryGap separates summaries in the text.
const summaryGap = "\n\n"

const unlimited = math.MaxInt

// fitLayer brings the summary layer, as the text has it, below its limit. The
// oldest 2, 4, 8 … summaries are merged until all fit. If even two do not, the
// newest is shortened where it has more than half, then the other one, which
// loses its oldest steps first, with an announcement in the text, a line in the
// log and a count. The newest always stays.
func (h *History) fitLayer(ctx context.Context) {
	if h.set.Compat.Overflow {
		h.dropOldest()
		return
	}
	limit := h.set.Cap
	if limit == 0 || layerLen(h.layer) <= limit {
		return
	}
	for k := 2; len(h.layer) > 1; k *= 2 {
		h.merge(ctx, min(k, len(h.layer)-1))
		if layerLen(h.layer) <= limit {
			return
		}
		if len(h.layer) == 2 {
			break
		}
	}
	newest := &h.layer[len(h.layer)-1]
	if len(h.layer) == 1 {
		h.rewrite(ctx, newest, limit)
		return
	}
	room := limit - len(summaryGap)
	oldest := &h.layer[0]
	if most := max(limit/2, room-textLen(oldest.Summary)); textLen(newest.Summary) > most {
		h.rewrite(ctx, newest, most)
	}
	h.rewrite(ctx, oldest, room-textLen(newest.Summary))
}

// merge makes one summary of the oldest k that has all their key points.
func (h *History) merge(ctx context.Context, k int) {
	first, last := &h.layer[0], &h.layer[k-1]
	s := Summary{StartStep: first.StartStep, EndStep: last.EndStep, FirstAt: first.FirstAt, LastAt: last.LastAt,
		Timestamp: h.env.Clock().UnixMilli()}
	for i := range h.layer[:k] {
		s.KeyPoints = append(s.KeyPoints, h.layer[i].points()...)
		s.Omitted = union(s.Omitted, h.layer[i].Omitted)
	}
	h.rewrite(ctx, &s, unlimited)
	h.layer = append([]Summary{s}, h.layer[k:]...)
}

// rewrite writes a summary from its key points in at most limit code points. The
// oldest are omitted where there is no room for a line each.
func (h *History) rewrite(ctx context.Context, s *Summary, limit int) {
	points := s.points()
	lines := summarize.StepLines{From: s.StartStep, To: s.EndStep, Points: points, Gone: s.Omitted, Lang: h.lang}
	text, left := lines.Fit(limit, textLen)
	s.Summary, s.Strategy, s.KeyPoints, s.Omitted = text, "", points[left:], lines.Gap(left)
	n := 0
	for _, p := range points[:left] {
		if p.To == nil {
			n++
		}
	}
	if n > 0 {
		h.stats.Omitted += n
		h.env.Log.WarnContext(ctx, "steps omitted from the summaries", "count", n, "from", s.Omitted.From, "to", s.Omitted.To)
	}
}

// points are the key points of a summary and, of one that a model wrote, a line
// of its text, so that this is not lost when the summary is written again.
func (s *Summary) points() []summarize.StepPoint {
	if s.Strategy != ModelText {
		return append([]summarize.StepPoint{}, s.KeyPoints...)
	}
	_, text, _ := strings.Cut(s.Summary, "\n") // below the title
	span := s.span()
	return append([]summarize.StepPoint{summarize.PointOf(span.From, span.To, text)}, s.KeyPoints...)
}

// union is the smallest range that contains both; nil is none.
func union(a, b *summarize.StepRange) *summarize.StepRange {
	switch {
	case a == nil:
		return cloned(b)
	case b == nil:
		return a
	}
	return new(a.Include(b.From).Include(b.To))
}

// dropOldest drops the oldest summaries above the limit, as the first authors
// did.
func (h *History) dropOldest() {
	total := 0
	for i := range h.layer {
		total += h.unitLen(h.layer[i].Summary)
	}
	gone := 0
	for total > h.set.Cap && gone < len(h.layer) {
		total -= h.unitLen(h.layer[gone].Summary)
		gone++
	}
	h.layer = append([]Summary{}, h.layer[gone:]...)
}

// unitLen is the length of a text in the unit of the limits.
func (h *History) unitLen(s string) int {
	if h.set.Compat.Unit {
		return summarize.UTF16Len(s)
	}
	return textLen(s)
}

func textLen(s string) int { return utf8.RuneCountInString(s) }

// layerLen is the length of the summaries in the text, in code points.
func layerLen(layer []Summary) int {
	n := max(0, len(layer)-1) * len(summaryGap)
	for i := range layer {
		n += textLen(layer[i].Summary)
	}
	return n
}
