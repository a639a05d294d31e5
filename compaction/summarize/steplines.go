package summarize

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// StepLines are steps in a line each: the shortest summary that still says
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
	lines := s.lines()
	write := func(left, width int) string { return s.write(lines, left, width) }
	fits := func(t string) bool { return size(t) <= limit }
	if text = write(0, pointLimit); fits(text) {
		return text, 0
	}
	if fits(write(0, leastLine)) {
		cut := sort.Search(pointLimit-leastLine, func(k int) bool { return fits(write(0, pointLimit-k)) })
		// Tokens are no strict order of lengths, so that what the search found is
		// looked at.
		if text = write(0, pointLimit-cut); !fits(text) {
			text = write(0, leastLine)
		}
		return text, 0
	}
	left = sort.Search(len(s.Points), func(k int) bool { return fits(write(k, leastLine)) })
	for ; left <= len(s.Points); left++ {
		if text = write(left, leastLine); fits(text) {
			return text, left
		}
	}
	return "", len(s.Points)
}

// stepLine is a point at its longest.
type stepLine struct {
	text  string
	label int // code points that are never cut
}

func (s StepLines) lines() []stepLine {
	w := wordsOf(s.Lang)
	out := make([]stepLine, len(s.Points))
	for i, p := range s.Points {
		out[i] = stepLine{w.pointBrief(p), utf8.RuneCountInString(w.pointLabel(p)) + len(" ")}
	}
	return out
}

// Gap is the range of what the summary omits without its oldest left points;
// nil: nothing. A run is left out while its steps are listed.
func (s StepLines) Gap(left int) *StepRange {
	gap := s.Gone
	for i, p := range s.Points[:left] {
		if s.detailed(i) {
			continue
		}
		r := StepRange{p.Number, p.Number}
		if gap != nil {
			r = gap.Include(p.Number)
		}
		if p.To != nil {
			r = r.Include(*p.To)
		}
		gap = &r
	}
	return gap
}

// detailed reports whether point i is for a run whose steps follow it, each
// with a point of its own but for those that were omitted before.
func (s StepLines) detailed(i int) bool {
	run := s.Points[i]
	if run.To == nil || i+1 == len(s.Points) {
		return false
	}
	next := s.Points[i+1]
	return next.To == nil && min(run.Number, *run.To) <= next.Number && next.Number <= max(run.Number, *run.To)
}

// write writes all lines but the oldest left, each in its label and at most width code
// points. A status that would leave hardly a word of the result goes.
func (s StepLines) write(lines []stepLine, left, width int) string {
	out := make([]string, 0, len(lines)-left+1)
	switch gap := s.Gap(left); {
	case gap != nil:
		out = append(out, gap.Omitted(s.Lang))
	case len(lines)-left > 1:
		out = append(out, StepsTitle(s.From, s.To, s.Lang))
	}
	for i, l := range lines[left:] {
		p := s.Points[left+i]
		lead := utf8.RuneCountInString(p.Status + "; ")
		if !p.Failed && p.Result != "" && width < lead+leastLine/2 && l.label+width < utf8.RuneCountInString(l.text) {
			p.Status = ""
			l.text = wordsOf(s.Lang).pointBrief(p)
		}
		out = append(out, shorten(l.text, l.label+width))
	}
	return strings.Join(out, "\n")
}
