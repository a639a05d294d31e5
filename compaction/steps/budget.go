package steps

import (
	"errors"
	"fmt"
	"sort"

	"palimpsest/compaction/summarize"
)

// ErrBudget says that a budget has no room even for the announcement of what is
// left out.
var ErrBudget = errors.New("step history: no text of the history is that short")

// Within is the history in at most budget tokens, as count counts them: the
// newest steps in full, as many as fit beside a quarter for what is older, and
// the others in a line each. The newest step is shortened if it does not fit;
// old ones for which there is no line are in a range that is announced.
func (h *History) Within(budget int, count func(text string) int) (string, error) {
	if count == nil {
		return "", errors.New("step history: a budget in tokens needs a count")
	}
	v := h.view()
	if text := v.text(v.detail); count(text) <= budget {
		return text, nil
	}
	// The tokens of parts do not add up to those of the whole text, so the whole is
	// counted, and written again with less room if it is too long.
	for room := budget; room > 0; {
		text := v.fit(room, count)
		size := count(text)
		if text != "" && size <= budget {
			return text, nil
		}
		room -= max(1, size-budget, room/8)
	}
	if text := v.lines(v.allPoints(len(v.detail)), budget, count); text != "" {
		return text, nil
	}
	return "", fmt.Errorf("%w: %d tokens", ErrBudget, budget)
}

// fit writes a text whose parts take at most room.
func (v *view) fit(room int, count func(string) int) string {
	older := 0 // what is wanted for the older part
	if len(v.layer) > 0 {
		older = min(room/4, count(v.layerText()))
	}
	kept := len(v.detail)
	used := 0
	for kept > 0 {
		n := count(v.detail[kept-1].Text + "\n")
		if kept > 1 {
			older = max(older, room/4) // for the line of the next one
		}
		if used+n > room-older {
			break
		}
		used += n
		kept--
	}
	detail := v.detail[kept:]
	if len(detail) == 0 && len(v.detail) > 0 {
		if r, ok := v.shortened(v.detail[len(v.detail)-1], room-older, count); ok {
			kept, detail = len(v.detail)-1, []Record{r}
			used = count(r.Text)
		}
	}
	before := v.layerText()
	if kept > 0 || count(before) > room-used {
		before = v.lines(v.allPoints(kept), room-used, count)
	}
	if before == "" && (kept > 0 || len(v.layer) > 0) {
		return "" // what is left out must be announced
	}
	return v.join(before, detail)
}

// allPoints are those of the summaries and of the oldest n steps in full.
func (v *view) allPoints(n int) []summarize.StepPoint {
	if v.points == nil {
		steps := make([]summarize.Step, len(v.detail))
		for i := range v.detail {
			steps[i] = v.detail[i].step()
		}
		v.points = summarize.PointsOfSteps(steps, v.reading)
	}
	var all []summarize.StepPoint
	for i := range v.layer {
		all = append(all, v.layer[i].points()...)
	}
	return append(all, v.points[:n]...)
}

// shortened is a step whose phases are cut to one length so that it takes at
// most room.
func (v *view) shortened(r Record, room int, count func(string) int) (Record, bool) {
	longest := max(textLen(deref(r.Analysis)), textLen(deref(r.Execution)), textLen(deref(r.Supervision)), textLen(r.Error))
	text := func(phase int) string {
		style := v.style
		style.phase = phase
		return r.format(style)
	}
	cut := sort.Search(longest, func(k int) bool { return count(text(longest-k)) <= room })
	if cut == longest {
		return r, false
	}
	r.Text = text(longest - cut)
	return r, count(r.Text) <= room
}
