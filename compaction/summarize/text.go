package summarize

import (
	"cmp"
	"fmt"
	"strings"
)

// textLayout writes a summary for reading: strategy extract.
type textLayout struct{ w *words }

func (l textLayout) gap() int { return 3 }

func (l textLayout) least(messages, formers int) string {
	return l.w.heading + "\n" + l.w.count(messages, formers)
}

func (l textLayout) page(p *page) string {
	w := l.w
	var b strings.Builder
	b.WriteString(w.heading)
	sep := "\n"
	put := func(s string) {
		if s != "" {
			b.WriteString(sep + s)
			sep = "\n\n"
		}
	}
	put(w.overview(p.d))
	put(l.section(p.earlier))
	if len(p.views) > 0 || w.overview(p.d) == "" {
		put(l.omitted(&p.gone)) // else the overview has said it
	}
	if p.gone.blocks > 0 && len(p.views) > 0 && p.views[0].brief && p.views[0].facts == nil {
		sep = "\n"
	}
	for i, v := range p.views {
		before := i > 0 && (p.views[i-1].facts != nil) == (v.facts != nil)
		switch {
		case v.facts != nil && !before:
			put(w.stepsTitle(v.step, lastStep(p.views[i:])))
			sep = "\n"
		case v.facts != nil && !v.brief && !p.views[i-1].brief:
			sep = "\n\n\n" // as the first authors have it
		case before && v.brief && p.views[i-1].brief:
			sep = "\n"
		}
		put(strings.TrimSuffix(l.block(v), "\n"))
	}
	if sep == "\n" { // nothing was put
		return l.least(p.d.messages, len(p.d.formers))
	}
	return b.String()
}

// lastStep is the number of the last step of the run of steps at the start.
func lastStep(views []*view) int {
	n := 0
	for _, v := range views {
		if v.facts == nil {
			break
		}
		n = v.step
	}
	return n
}

func (l textLayout) section(e earlier) string {
	if len(e.lines) == 0 && e.left == 0 {
		return ""
	}
	size := len(l.w.earlier) + 80
	for _, f := range e.lines {
		size += len(f.text) + 2*f.depth + 3
	}
	var b strings.Builder
	b.Grow(size)
	b.WriteString(l.w.earlier)
	for _, f := range e.lines {
		b.WriteString("\n")
		for range f.depth {
			b.WriteString("  ")
		}
		b.WriteString("- ")
		b.WriteString(f.text)
	}
	if e.left > 0 {
		b.WriteString("\n" + l.w.leftOut(e.left))
	}
	return b.String()
}

func (l textLayout) block(v *view) string {
	w := l.w
	if v.facts != nil {
		if v.brief {
			return w.pointBrief(v.facts.point(v.step))
		}
		return w.keyInfo(v.step, v.facts)
	}
	head := w.turns(v.turn, v.turn, v.first, v.last)
	if v.brief {
		return l.brief(v, head)
	}
	var b strings.Builder
	b.WriteString(head)
	if v.user != "" {
		b.WriteString("\n" + w.user + v.user)
	}
	for _, c := range v.list {
		b.WriteString("\n- " + c.line(w))
	}
	if len(v.groups) > 0 {
		b.WriteString("\n" + w.tally(v.calls, v.failed) + strings.TrimSpace(w.colon))
		for _, g := range v.groups {
			b.WriteString("\n- " + g)
		}
	}
	if len(v.failures) > 0 {
		b.WriteString("\n" + w.failed)
		for i := range v.failures {
			b.WriteString("\n- " + v.failures[i].line(" → "))
		}
	}
	if len(v.lastCalls) > 0 {
		b.WriteString("\n" + w.last)
		for _, c := range v.lastCalls {
			b.WriteString("\n- " + c.line(w))
		}
	}
	for _, e := range v.errs {
		b.WriteString("\n" + w.errs + e)
	}
	if v.outcome != "" {
		b.WriteString("\n" + w.agent + v.outcome)
	}
	return b.String()
}

// brief is a turn on one line.
func (l textLayout) brief(v *view, head string) string {
	w := l.w
	s := head
	sep := w.colon
	if v.user != "" {
		s += sep + v.user
		sep = " "
	}
	if t := w.tally(v.calls, v.failed); t != "" {
		if v.user != "" {
			s += " (" + t + ")"
		} else {
			s += sep + t
		}
		sep = " "
	}
	if v.outcome != "" {
		s += " → " + v.outcome
	}
	return s
}

// overview says what the summary covers. Step records need none: their title
// says it.
func (w *words) overview(d *digest) string {
	all := d.goneUpTo(len(d.blocks))
	if d.messages == 0 || all.turns == 0 && all.stepCount > 0 {
		return ""
	}
	c := cover{first: d.first, last: d.last, calls: all.calls, failed: all.failed}
	if all.turns > 0 {
		c.turns = [2]int{d.firstTurn, d.lastTurn}
	}
	if all.stepCount > 0 {
		c.steps = [2]int{all.fromStep, all.toStep}
	}
	return w.overviewLine(c)
}

// overviewLine is the first line of a summary; [readCover] reads it.
func (w *words) overviewLine(c cover) string {
	var parts []string
	if c.turns != [2]int{} {
		parts = append(parts, w.counted(c.turns, "turn", "第 %s 轮"))
	}
	if c.steps != [2]int{} {
		parts = append(parts, w.counted(c.steps, "step", "步骤 %s"))
	}
	if t := w.tally(c.calls, c.failed); t != "" {
		parts = append(parts, t)
	}
	if w.lang == Chinese {
		return "消息 " + span(c.first, c.last) + strings.TrimSuffix("："+strings.Join(parts, "，"), "：") + "。"
	}
	m := "Message "
	if c.first != c.last {
		m = "Messages "
	}
	return m + span(c.first, c.last) + strings.TrimSuffix(": "+strings.Join(parts, ", "), ": ") + "."
}

// counted names a range of turns or steps.
func (w *words) counted(r [2]int, one, chinese string) string {
	switch {
	case w.lang == Chinese:
		return fmt.Sprintf(chinese, span(r[0], r[1]))
	case r[0] != r[1]:
		one += "s"
	}
	return one + " " + span(r[0], r[1])
}

// omitted counts what is left out.
func (l textLayout) omitted(g *gone) string {
	w := l.w
	if g.blocks == 0 {
		return ""
	}
	var parts []string
	if g.turns > 0 {
		s := w.turns(g.fromTurn, g.toTurn, g.first, g.last) + w.colon
		parts = append(parts, s+cmp.Or(w.tally(g.calls, g.failed), w.noCalls))
	}
	if g.stepCount > 0 {
		parts = append(parts, w.stepsGone(g.fromStep, g.toStep))
	}
	return strings.Join(parts, "\n")
}
