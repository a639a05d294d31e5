package preview

import (
	"maps"
	"slices"
	"time"

	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// lights is what is lit: the rows of one side and what they belong to on the other.
// What the pointer is over is lit before what was chosen.
type lights struct {
	dropping bool // a block is dragged, and would land on the row drop
	drop     int
	p        *Screen

	overLeft, overRight int // rows under the pointer; −1: none
	keptMessages        []int
	keptBlock, keptLine int // −1: none; a line of −1: all of the block
	active              int // the row at the right that shows its actions

	litMessages map[int]bool
	litRows     map[int]bool
}

func (l *lights) reset() {
	*l = lights{p: l.p, overLeft: -1, overRight: -1, keptBlock: -1, keptLine: -1, active: -1}
}

func (l *lights) isLit(i int) bool { return l.litRows[i] || l.dropping && i == l.drop }

// showDrop lights the row on which a dragged block would land; −1: none.
func (l *lights) showDrop(i int) {
	if dropping := i >= 0; dropping != l.dropping || i != l.drop {
		l.dropping, l.drop = dropping, i
		l.p.After.Update()
	}
}

// litBlock is the block that is lit as a whole; −1: none.
func (l *lights) litBlock() int {
	i := l.overRight
	if l.p.after != nil && i >= 0 && i < len(l.p.after.Rows) && l.p.after.Rows[i].Kind == AfterBlock {
		return l.p.after.Rows[i].Block
	}
	if i < 0 && l.keptBlock >= 0 && l.keptLine < 0 {
		return l.keptBlock
	}
	return -1
}

func (l *lights) hoverLeft(i int) {
	l.overLeft = i
	if l.p.originals != nil {
		l.p.originals.marks.hover = i
	}
	l.relight()
}

// leaves is how long a row keeps its actions after the pointer left it: that may be on its
// way to them, and what is hidden can't be pressed.
const leaves = 200 * time.Millisecond

// hoverRight lights a row.
func (l *lights) hoverRight(i int) {
	if l.overRight = i; i >= 0 {
		l.active = i
	} else {
		kit.Later(l.p.After, leaves, func() {
			if l.overRight < 0 && l.active >= 0 {
				l.active = -1
				l.p.After.Update()
			}
		})
	}
	l.relight()
}

// keepLeft keeps what belongs to a row at the left lit.
func (l *lights) keepLeft(i int) {
	l.keptBlock, l.keptLine, l.keptMessages = -1, -1, nil
	if h := l.p.originals.history(i); h >= 0 {
		l.keptMessages = []int{h}
	}
	l.relight()
}

// keepRight keeps what belongs to a row at the right lit.
func (l *lights) keepRight(i int) {
	r := l.p.after.Rows[i]
	l.keptBlock, l.keptLine, l.keptMessages = -1, -1, nil
	switch r.Kind {
	case AfterBlock:
		l.keptBlock = r.Block
	case AfterLine:
		l.keptBlock, l.keptLine = r.Block, r.Line
	}
	l.relight()
}

// relight works out what is lit, and draws it.
func (l *lights) relight() {
	if !l.p.Open || l.p.after == nil || l.p.originals == nil {
		return
	}
	l.litMessages, l.litRows = map[int]bool{}, map[int]bool{}
	switch {
	case l.overRight >= 0 && l.overRight < len(l.p.after.Rows):
		l.lightRow(l.overRight)
	case l.overLeft >= 0 && l.overLeft < len(l.p.originals.Lines) && l.p.originals.history(l.overLeft) >= 0:
		l.lightMessages([]int{l.p.originals.history(l.overLeft)})
	case l.keptBlock >= 0:
		if i := l.p.after.find(l.keptBlock, l.keptLine); i >= 0 {
			l.lightRow(i)
		}
	case len(l.keptMessages) > 0:
		l.lightMessages(l.keptMessages)
	}
	l.p.litWords.SetText(l.litCount())
	l.p.was.SetRight(l.p.litWords)
	l.p.head.updateBudget()
	l.p.Before.Update()
	l.p.After.Update()
}

// lightRow lights a row at the right and its sources.
func (l *lights) lightRow(i int) {
	r := l.p.after.Rows[i]
	src := l.p.after.Sources(i)
	if len(src) == 0 {
		return
	}
	l.litRows[i] = true
	for _, h := range src {
		l.litMessages[h] = true
	}
	if r.Kind == AfterBlock {
		for j, x := range l.p.after.Rows {
			if x.Block == r.Block && (x.Kind == AfterLine || x.Kind == AfterMore) {
				l.litRows[j] = true
			}
		}
	}
}

// lightMessages lights messages and the lines that were made from them.
func (l *lights) lightMessages(list []int) {
	if l.p.after.reading == nil {
		return
	}
	for _, h := range list {
		for _, at := range l.p.after.reading.Used[h] {
			if i := l.p.after.find(at.Block, at.Line); i >= 0 {
				l.litRows[i] = true
				l.litMessages[h] = true
			}
		}
	}
}

// litCount says how many messages are lit, and how many of them are out of sight.
func (l *lights) litCount() string {
	if len(l.litMessages) == 0 {
		if l.p.d.DraftSet.DraftLines() == nil {
			return ""
		}
		return words.T("preview.lightHint")
	}
	past := l.pastWords(slices.Sorted(maps.Keys(l.litMessages)))
	lit := l.p.originals.Holds(slices.Collect(maps.Keys(l.litMessages)))
	if len(lit) == 0 {
		return past
	}
	from, to := l.p.Before.Shown()
	above, below := 0, 0
	for _, h := range lit {
		switch i := l.p.originals.lineOf(h); {
		case i < 0:
		case i < from:
			above++
		case i >= to:
			below++
		}
	}
	text := words.T("preview.lit", "count", len(lit))
	if above > 0 {
		text += " · " + words.T("preview.litAbove", "n", above)
	}
	if below > 0 {
		text += " · " + words.T("preview.litBelow", "n", below)
	}
	if past != "" {
		text += " · " + past
	}
	return text
}

// pastWords name the messages that went before, by whose compaction; "" where none did.
func (l *lights) pastWords(messages []int) string {
	var gone []int
	for _, h := range messages {
		if len(l.p.originals.Holds([]int{h})) == 0 {
			gone = append(gone, h)
		}
	}
	if len(gone) == 0 {
		return ""
	}
	return words.T("preview.past", "messages", sourceWords(model.Range{}, gone), "how", show.PastWords(l.p.d, gone[len(gone)-1]))
}

// level scrolls the other side so that the first partner of what was chosen is as
// high as it.
func (l *lights) level(left bool) {
	if left {
		first := -1
		for i := range l.p.after.Rows {
			if l.litRows[i] && first < 0 {
				first = i
			}
		}
		if first >= 0 {
			at := float32(l.p.Before.Selected())*l.p.Before.Pitch() - l.p.Before.Offset()
			l.p.After.ScrollTo(float32(first)*l.p.After.Pitch() - at)
		}
	} else {
		first := -1
		for h := range l.litMessages {
			if i := l.p.originals.lineOf(h); i >= 0 && (first < 0 || i < first) {
				first = i
			}
		}
		if first >= 0 {
			at := float32(l.p.After.Selected())*l.p.After.Pitch() - l.p.After.Offset()
			l.p.Before.ScrollTo(float32(first)*l.p.Before.Pitch() - at)
		}
	}
}

// anchors pairs rows of both sides that show the same: where one side is scrolled to
// one of them, the other is, too. Between two of them it is in proportion.
func (l *lights) anchors() (left, right []float64) {
	left, right = []float64{0}, []float64{0}
	last := -1
	for i, x := range l.p.originals.Lines {
		if x.Run == last {
			continue
		}
		last = x.Run
		to := -1
		switch {
		case !l.p.originals.gone(x):
			to = l.p.after.runRow(x.Run)
		case l.p.originals.Plan.Insert == l.p.originals.Plan.Runs.At(x.Run).From:
			to = l.p.after.summaryRow()
		}
		if to >= 0 && float64(to) >= right[len(right)-1] {
			left, right = append(left, float64(i)), append(right, float64(to))
		}
	}
	return append(left, float64(len(l.p.originals.Lines))), append(right, float64(len(l.p.after.Rows)))
}

// scrolled moves the other side along.
func (l *lights) scrolled(left bool) {
	if l.p.originals == nil || l.p.after == nil {
		return
	}
	from, to := l.anchors()
	a, b := l.p.Before.Offset()/l.p.Before.Pitch(), l.p.After.Offset()/l.p.After.Pitch()
	pageA, pageB := float32(l.p.Before.Page()), float32(l.p.After.Page())
	if left {
		at := between(from, to, float64(a+pageA/2))
		l.p.After.ScrollTo((float32(at) - pageB/2) * l.p.After.Pitch())
	} else {
		at := between(to, from, float64(b+pageB/2))
		l.p.Before.ScrollTo((float32(at) - pageA/2) * l.p.Before.Pitch())
	}
	l.p.litWords.SetText(l.litCount())
}

// between is the value that belongs to x, in proportion between two pairs.
func between(from, to []float64, x float64) float64 {
	i := 1
	for i < len(from)-1 && from[i] < x {
		i++
	}
	span := from[i] - from[i-1]
	if span <= 0 {
		return to[i]
	}
	share := min(max((x-from[i-1])/span, 0), 1)
	return to[i-1] + share*(to[i]-to[i-1])
}

// showFact shows where a lost fact was held last.
func (l *lights) showFact(f *lostFact) {
	if f == nil || f.at < 0 || l.p.originals == nil {
		return
	}
	if i := l.p.originals.lineOf(f.at); i >= 0 {
		l.p.Before.Select(i)
		l.scrolled(true)
	}
}

// follow goes from a line to the first of its sources that is in the context; where none
// is, it opens the first one.
func (l *lights) follow(i int) {
	src := l.p.after.Sources(i)
	if len(src) == 0 {
		if r := l.p.after.Rows[i]; r.Kind == AfterLine {
			if n := l.p.after.reading.Of[r.Block].Lines[r.Line].Named; n.To > n.From {
				src = []int{n.From}
			}
		}
	}
	if len(src) == 0 {
		return
	}
	l.p.After.Select(i)
	l.keepRight(i)
	slices.Sort(src)
	held := l.p.originals.Holds(src)
	if len(held) == 0 {
		l.p.c.Read(src[0])
		return
	}
	if at := l.p.originals.lineOf(held[0]); at >= 0 {
		l.p.Before.Select(at)
	}
}

// lostAt is the lost fact that a row at the left shows.
func (l *lights) lostAt(i int) *lostFact {
	if h := l.p.originals.history(i); h >= 0 {
		return l.p.Lost.at(h)
	}
	return nil
}
