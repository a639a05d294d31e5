package steps

import (
	"strings"

	"palimpsest/compaction/summarize"
)

// Text is the whole history for a prompt: the summaries, oldest
// first, then the steps kept in full: getHistory of the document.
func (h *History) Text() string {
	v := h.view()
	return v.text(v.detail)
}

// Summaries is the text of the summary layer alone; "" when there is none.
func (h *History) Summaries() string {
	v := h.view()
	return v.layerText()
}

// Last is the text of the last n steps: a line for those that are not kept in
// full any more.
func (h *History) Last(n int) string {
	v := h.view()
	n = max(0, n)
	if n <= len(v.detail) {
		v.layer = nil
		return v.text(v.detail[len(v.detail)-n:])
	}
	var points []summarize.StepPoint
	for i := range v.layer {
		points = append(points, v.layer[i].KeyPoints...)
	}
	if skip := len(points) - (n - len(v.detail)); skip > 0 {
		points, v.gap = points[skip:], nil
	}
	return v.join(v.lines(points, unlimited, textLen), v.detail)
}

// Lang is the language of the history's own words; [summarize.Auto] while no step
// has words to detect it by.
func (h *History) Lang() summarize.Lang {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.lang
}

// Steps is a copy of the steps kept in full, oldest first.
func (h *History) Steps() []Record { return h.view().detail }

// Layer is a copy of the summaries, oldest first.
func (h *History) Layer() []Summary { return h.view().layer }

// Stats counts what a [History] holds and what it has done.
type Stats struct {
	Window     int // present sizes
	Batch      int
	Detail     int // steps kept in full
	Summaries  int
	LayerLen   int // code points of the summary layer in the text
	Summarised int // steps that have left the detail layer
	Omitted    int // of these, how many have no line any more
	Asked      int // calls of the model
	Fallbacks  int // summaries that were to be a model's and are extracts
}

// Stats returns the counts of now. The number of steps ever appended is the
// caller's to count.
func (h *History) Stats() Stats {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.stats
	s.Window, s.Batch = h.set.Window, h.set.Batch
	s.Detail, s.Summaries, s.LayerLen = len(h.detail), len(h.layer), layerLen(h.layer)
	return s
}

// view is a copy of a history that is read without its lock.
type view struct {
	lang   summarize.Lang
	style  recordStyle
	layer  []Summary
	detail []Record
	gap    *summarize.StepRange // what the summaries omit

	reading summarize.StepCompat
	points  []summarize.StepPoint // of detail; nil until needed
}

func (h *History) view() *view {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.held()
}

// held is view while the lock is held.
func (h *History) held() *view {
	v := &view{
		lang: h.lang, style: h.style(), layer: cloneSummaries(h.layer), detail: cloneRecords(h.detail),
		reading: h.set.Compat.reading(),
	}
	for i := range v.layer {
		v.gap = union(v.gap, v.layer[i].Omitted)
	}
	return v
}

func (v *view) layerText() string {
	s := make([]string, len(v.layer))
	for i := range v.layer {
		s[i] = v.layer[i].Summary
	}
	return strings.Join(s, summaryGap)
}

// lines lists points in at most limit of the unit that size counts.
func (v *view) lines(points []summarize.StepPoint, limit int, size func(string) int) string {
	l := summarize.StepLines{Points: points, Gone: v.gap, Lang: v.lang}
	if len(points) > 0 {
		l.From, l.To = points[0].Number, points[len(points)-1].Number
	}
	text, _ := l.Fit(limit, size)
	return text
}

// text is the summaries and these steps in full.
func (v *view) text(detail []Record) string { return v.join(v.layerText(), detail) }

// join writes the text before the steps in full, and those.
func (v *view) join(before string, detail []Record) string {
	if before == "" && len(detail) == 0 && len(v.layer) == 0 && len(v.detail) == 0 {
		return wordsOf(v.lang).none
	}
	var b strings.Builder
	if before != "" {
		b.WriteString(before + summaryGap)
	}
	for i := range detail {
		b.WriteString(detail[i].Text + "\n")
	}
	return summarize.Trim(b.String())
}
