package summarize

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// StepLines are steps told in a line each: the shortest summary that still says
// of every step how it ended, and what summaries become when they are merged.
type StepLines struct {
	From, To int // of the title
	Points   []StepPoint
	Gone     *StepRange // steps that are omitted already
	Lang     Lang
}

// leastLine is the shortest useful line of a step, its label not counted.
const leastLine = 16

// Fit writes the lines so that size(text) is at most limit. Lines are shortened
// alike; where that is not enough, the oldest go. left is how many went; the
// text announces their range, together with what was gone before. Where not
// even the announcement fits, the text is "".
//
// Nothing heads a single line, which names its step itself, or lines below an
// announcement.
func (s StepLines) Fit(limit int, size func(string) int) (text string, left int) {
	fits := func(t string) bool { return size(t) <= limit }
	if text = s.write(0, pointLimit); fits(text) {
		return text, 0
	}
	if fits(s.write(0, leastLine)) {
		cut := sort.Search(pointLimit-leastLine, func(k int) bool { return fits(s.write(0, pointLimit-k)) })
		// Tokens are no strict order of lengths, so that what the search found is
		// looked at.
		if text = s.write(0, pointLimit-cut); !fits(text) {
			text = s.write(0, leastLine)
		}
		return text, 0
	}
	left = sort.Search(len(s.Points), func(k int) bool { return fits(s.write(k, leastLine)) })
	for ; left <= len(s.Points); left++ {
		if text = s.write(left, leastLine); fits(text) {
			return text, left
		}
	}
	return "", len(s.Points)
}

// Gap is the range of what the summary omits without its oldest left points;
// nil: nothing.
func (s StepLines) Gap(left int) *StepRange {
	gap := s.Gone
	for _, p := range s.Points[:left] {
		r := StepRange{p.Number, p.Number}
		if gap != nil {
			r = gap.Include(p.Number)
		}
		if p.To != 0 {
			r = r.Include(p.To)
		}
		gap = &r
	}
	return gap
}

// write tells all points but the oldest left, each in a label and at most size
// code points.
func (s StepLines) write(left, size int) string {
	w := wordsOf(s.Lang)
	lines := make([]string, 0, len(s.Points)-left+1)
	switch gap := s.Gap(left); {
	case gap != nil:
		lines = append(lines, gap.Omitted(s.Lang))
	case len(s.Points) > 1:
		lines = append(lines, StepsTitle(s.From, s.To, s.Lang))
	}
	for _, p := range s.Points[left:] {
		lines = append(lines, shorten(w.pointBrief(p), utf8.RuneCountInString(w.pointLabel(p))+1+size))
	}
	return strings.Join(lines, "\n")
}
