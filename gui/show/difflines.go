package show

import (
	"palimpsest/gui/kit"
	"palimpsest/model/body"
)

// LinesBeside are two texts beside each other: equal lines are at one height.
func LinesBeside(a, b *kit.TextView, diff []body.DiffLine) (left, right []kit.Line) {
	level := func() {
		for len(left) < len(right) {
			left = append(left, kit.Line{})
		}
		for len(right) < len(left) {
			right = append(right, kit.Line{})
		}
	}
	for _, l := range diff {
		switch {
		case !l.New:
			left = append(left, Marked(a, "−", l.Text, kit.LineRemoved)...)
		case !l.Old:
			right = append(right, Marked(b, "+", l.Text, kit.LineAdded)...)
		default:
			level()
			left = append(left, Marked(a, noMark, l.Text, kit.LinePlain)...)
			right = append(right, Marked(b, noMark, l.Text, kit.LinePlain)...)
		}
	}
	level()
	return left, right
}

// LinesUnified are two texts as one, the lines of only one marked.
func LinesUnified(v *kit.TextView, diff []body.DiffLine) []kit.Line {
	var out []kit.Line
	for _, l := range diff {
		switch {
		case !l.New:
			out = append(out, Marked(v, "−", l.Text, kit.LineRemoved)...)
		case !l.Old:
			out = append(out, Marked(v, "+", l.Text, kit.LineAdded)...)
		default:
			out = append(out, Marked(v, noMark, l.Text, kit.LinePlain)...)
		}
	}
	return out
}

// NextChange is the next stretch of lines that only one of the texts has, behind a line or,
// with by −1, before it, and round at the ends. The texts were made by [LinesBeside], or one by
// [LinesUnified].
func NextChange(at, by int, texts ...[]kit.Line) (from, to int, ok bool) {
	changed := func(i int) bool {
		for _, lines := range texts {
			if i >= 0 && i < len(lines) && lines[i].Kind != kit.LinePlain {
				return true
			}
		}
		return false
	}
	for i := range RoundFrom(at, by, len(texts[0])) {
		if !changed(i) || changed(i-1) {
			continue
		}
		to := i
		for changed(to) {
			to++
		}
		return i, to, true
	}
	return 0, 0, false
}

// Marked is one line with a mark in front, as a view shows it. What is wrapped goes on
// beside the marks, not below them.
func Marked(v *kit.TextView, mark, text string, kind kit.LineKind) []kit.Line {
	m, room := v.Metrics()
	lines := kit.Wrap(text, m, room-m.Rune('−')-m.Rune(' '), 0)
	for i := range lines {
		lines[i].Text, lines[i].Kind = mark+" "+lines[i].Text, kind
		mark = noMark
	}
	return lines
}

// noMark is as wide as the marks of lines that only one text has.
const noMark = "\u2007\u2009"
