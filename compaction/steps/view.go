package steps

import (
	"strings"

	"palimpsest/compaction/summarize"
)

// Text is the whole history for a prompt (spec A11, A12): the summaries, oldest
// first, then the steps that stand in full.
func (h *History) Text() string {
	v := h.look()
	return v.text(v.detail)
}

// Summaries is the text of the summary layer alone; "" when there is none.
func (h *History) Summaries() string {
	v := h.look()
	return v.layerText()
}

// Last is the text of the last n steps. Those of them that do not stand in full
// any more are told by their key points.
func (h *History) Last(n int) string {
	v := h.look()
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

// Steps is a copy of the steps that stand in full, oldest first.
func (h *History) Steps() []Record { return h.look().detail }

// Layer is a copy of the summaries, oldest first.
func (h *History) Layer() []Summary { return h.look().layer }

// Stats says how a [History] stands and what it has done.
type Stats struct {
	Window     int // present sizes
	Batch      int
	Detail     int // steps that stand in full
	Summaries  int
	LayerLen   int // code points of the summary layer as it stands in the text
	Summarised int // steps that have left the detail layer
	Omitted    int // of these, how many are told in no line any more
	Asked      int // calls of the model
	Fallbacks  int // summaries that were to be a model's and are extracts
}

// Stats counts. How many steps there were ever is for the caller to know (spec
// A23).
func (h *History) Stats() Stats {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.stats
	s.Window, s.Batch = h.set.Window, h.set.Batch
	s.Detail, s.Summaries, s.LayerLen = len(h.detail), len(h.layer), layerLen(h.layer)
	return s
}

// view is a copy of a history to be read without its lock.
type view struct {
	lang   summarize.Lang
	style  recordStyle
	layer  []Summary
	detail []Record
	gap    *summarize.StepRange // what the summaries omit

	reading summarize.StepCompat
	own     []summarize.StepPoint // key points of the steps in full, once asked for
}

func (h *History) look() *view {
	h.mu.Lock()
	defer h.mu.Unlock()
	v := &view{lang: h.lang, style: h.style(), layer: cloneSummaries(h.layer), detail: cloneRecords(h.detail), reading: h.set.Compat.reading()}
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

// lines tells points in at most limit of the unit that size counts.
func (v *view) lines(points []summarize.StepPoint, limit int, size func(string) int) string {
	l := summarize.StepLines{Points: points, Gone: v.gap, Lang: v.lang}
	if len(points) > 0 {
		l.From, l.To = points[0].Number, points[len(points)-1].Number
	}
	text, _ := l.Fit(limit, size)
	return text
}

// text is the history as it stands, with these steps in full.
func (v *view) text(detail []Record) string { return v.join(v.layerText(), detail) }

// join writes what comes before the steps that stand in full, and those.
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
