package preview

import (
	"slices"

	"fyne.io/fyne/v2"

	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// light is what is lit: the rows of one side and what they belong to on the other.
// What the pointer is over is lit before what was chosen.
type light struct {
	overLeft, overRight int // rows under the pointer; −1: none
	keptMessages        []int
	keptBlock, keptLine int // −1: none; a line of −1: all of the block
	active              int // the row at the right that shows its actions

	litMessages map[int]bool
	litRows     map[int]bool
}

func (l *light) reset() {
	*l = light{overLeft: -1, overRight: -1, keptBlock: -1, keptLine: -1, active: -1}
}

func (l *light) kept() bool { return l.keptBlock >= 0 || len(l.keptMessages) > 0 }

func (p *Screen) isLit(i int) bool { return p.litRows[i] }

// litBlock is the block that is lit as a whole; −1: none.
func (p *Screen) litBlock() int {
	i := p.overRight
	if p.after != nil && i >= 0 && i < len(p.after.Rows) && p.after.Rows[i].Kind == AfterBlock {
		return p.after.Rows[i].Block
	}
	if i < 0 && p.keptBlock >= 0 && p.keptLine < 0 {
		return p.keptBlock
	}
	return -1
}

func (p *Screen) hoverLeft(i int) {
	p.overLeft = i
	if p.originals != nil {
		p.originals.marks.hover = i
	}
	p.relight()
}

func (p *Screen) hoverRight(i int) {
	p.overRight, p.active = i, i
	p.relight()
}

// keepLeft keeps what belongs to a row at the left lit.
func (p *Screen) keepLeft(i int) {
	p.light.keptBlock, p.light.keptLine, p.light.keptMessages = -1, -1, nil
	if h := p.originals.history(i); h >= 0 {
		p.light.keptMessages = []int{h}
	}
	p.relight()
}

// keepRight keeps what belongs to a row at the right lit.
func (p *Screen) keepRight(i int) {
	r := p.after.Rows[i]
	p.light.keptBlock, p.light.keptLine, p.light.keptMessages = -1, -1, nil
	switch r.Kind {
	case AfterBlock:
		p.light.keptBlock = r.Block
	case AfterLine:
		p.light.keptBlock, p.light.keptLine = r.Block, r.Line
	}
	p.relight()
}

// relight works out what is lit, and draws it.
func (p *Screen) relight() {
	if !p.Open || p.after == nil || p.originals == nil {
		return
	}
	p.litMessages, p.litRows = map[int]bool{}, map[int]bool{}
	switch {
	case p.overRight >= 0 && p.overRight < len(p.after.Rows):
		p.lightRow(p.overRight)
	case p.overLeft >= 0 && p.overLeft < len(p.originals.Lines) && p.originals.history(p.overLeft) >= 0:
		p.lightMessages([]int{p.originals.history(p.overLeft)})
	case p.keptBlock >= 0:
		if i := p.after.find(p.keptBlock, p.keptLine); i >= 0 {
			p.lightRow(i)
		}
	case len(p.keptMessages) > 0:
		p.lightMessages(p.keptMessages)
	}
	p.litWords.SetText(p.litCount())
	p.was.SetRight(p.litWords)
	p.Before.Update()
	p.After.Update()
	p.connect()
}

// lightRow lights a row at the right and its sources.
func (p *Screen) lightRow(i int) {
	r := p.after.Rows[i]
	src := p.after.Sources(i)
	if len(src) == 0 {
		return
	}
	p.litRows[i] = true
	for _, h := range src {
		p.litMessages[h] = true
	}
	if r.Kind == AfterBlock {
		for j, x := range p.after.Rows {
			if x.Block == r.Block && (x.Kind == AfterLine || x.Kind == AfterMore) {
				p.litRows[j] = true
			}
		}
	}
}

// lightMessages lights messages and the lines that were made from them.
func (p *Screen) lightMessages(list []int) {
	if p.after.reading == nil {
		return
	}
	for _, h := range list {
		for _, at := range p.after.reading.Used[h] {
			if i := p.after.find(at.Block, at.Line); i >= 0 {
				p.litRows[i] = true
				p.litMessages[h] = true
			}
		}
	}
}

// litCount says how many messages are lit, and how many of them are out of sight.
func (p *Screen) litCount() string {
	if len(p.litMessages) == 0 {
		if p.d.DraftLines() == nil {
			return ""
		}
		return words.T("preview.lightHint")
	}
	from, to := p.Before.InView()
	above, below := 0, 0
	for h := range p.litMessages {
		switch i := p.originals.lineOf(h); {
		case i < 0:
		case i < from:
			above++
		case i >= to:
			below++
		}
	}
	text := words.T("preview.lit", "count", len(p.litMessages))
	if above > 0 {
		text += " · " + words.T("preview.litAbove", "n", above)
	}
	if below > 0 {
		text += " · " + words.T("preview.litBelow", "n", below)
	}
	return text
}

// level scrolls the other side so that the first partner of what was chosen is as
// high as it.
func (p *Screen) level(left bool) {
	if left {
		first := -1
		for i := range p.after.Rows {
			if p.litRows[i] && first < 0 {
				first = i
			}
		}
		if first >= 0 {
			at := float32(p.Before.Selected())*p.Before.Pitch() - p.Before.Offset()
			p.After.ScrollTo(float32(first)*p.After.Pitch() - at)
		}
	} else {
		first := -1
		for h := range p.litMessages {
			if i := p.originals.lineOf(h); i >= 0 && (first < 0 || i < first) {
				first = i
			}
		}
		if first >= 0 {
			at := float32(p.After.Selected())*p.After.Pitch() - p.After.Offset()
			p.Before.ScrollTo(float32(first)*p.Before.Pitch() - at)
		}
	}
	p.connect()
}

// anchors pairs rows of both sides that show the same: where one side is scrolled to
// one of them, the other is, too. Between two of them it is in proportion.
func (p *Screen) anchors() (left, right []float64) {
	left, right = []float64{0}, []float64{0}
	last := -1
	for i, l := range p.originals.Lines {
		if l.Run == last {
			continue
		}
		last = l.Run
		to := -1
		switch {
		case !p.originals.gone(l):
			to = p.after.runRow(l.Run)
		case p.originals.Plan.Insert >= l.From && p.originals.Plan.Insert < l.To || p.originals.Plan.Runs[l.Run].From == p.originals.Plan.Insert:
			to = p.after.summaryRow()
		}
		if to >= 0 && float64(to) >= right[len(right)-1] {
			left, right = append(left, float64(i)), append(right, float64(to))
		}
	}
	return append(left, float64(len(p.originals.Lines))), append(right, float64(len(p.after.Rows)))
}

// scrolled moves the other side along.
func (p *Screen) scrolled(left bool) {
	if p.originals == nil || p.after == nil {
		return
	}
	from, to := p.anchors()
	a, b := p.Before.Offset()/p.Before.Pitch(), p.After.Offset()/p.After.Pitch()
	pageA, pageB := float32(p.Before.Page()), float32(p.After.Page())
	if left {
		at := between(from, to, float64(a+pageA/2))
		p.After.ScrollTo((float32(at) - pageB/2) * p.After.Pitch())
	} else {
		at := between(to, from, float64(b+pageB/2))
		p.Before.ScrollTo((float32(at) - pageA/2) * p.Before.Pitch())
	}
	p.litWords.SetText(p.litCount())
	p.connect()
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

// connect draws the lines between both sides.
func (p *Screen) connect() {
	if !p.Open || p.originals == nil || p.after == nil || p.joints.Size().Height <= 0 {
		return
	}
	driver := fyne.CurrentApp().Driver()
	top := driver.AbsolutePositionForObject(p.joints).Y
	leftTop := driver.AbsolutePositionForObject(p.Before).Y - top + kit.Px(24)
	rightTop := driver.AbsolutePositionForObject(p.After).Y - top
	shown := p.head.Mode.Selected() == ModeRendered && p.entry == nil
	left := func(i int) float32 {
		return leftTop + (float32(i)+.5)*p.Before.Pitch() - p.Before.Offset()
	}
	right := func(i int) float32 { return rightTop + (float32(i)+.5)*p.After.Pitch() - p.After.Offset() }
	var links []link
	height := p.joints.Size().Height
	add := func(i, j int, c fyne.ThemeColorName, lit bool) {
		k := link{left(i), right(j), c, lit}
		if !shown || k.left < leftTop && k.right < rightTop || k.left > height && k.right > height {
			return
		}
		links = append(links, k)
	}
	last := -1
	for i, l := range p.originals.Lines {
		if l.Run == last {
			continue
		}
		last = l.Run
		c := kit.FateColor(p.originals.Plan.Runs[l.Run].Fate.Letter())
		if p.originals.gone(l) {
			if j := p.after.summaryRow(); j >= 0 && p.originals.Plan.Runs[l.Run].Fate == model.Summarised {
				add(i, j, c, false)
			}
		} else if j := p.after.runRow(l.Run); j >= 0 {
			add(i, j, c, false)
		}
	}
	p.litLinks(add)
	n := float64(max(1, len(p.originals.Lines)))
	from, to := p.Before.InView()
	p.joints.set(links, p.fateMap(n), float64(from)/n, float64(to)/n)
}

// litLinks adds a line between every lit message and the lit rows made from it.
func (p *Screen) litLinks(add func(i, j int, c fyne.ThemeColorName, lit bool)) {
	const most = 60
	n := 0
	for j := range p.after.Rows {
		if !p.litRows[j] || p.after.Rows[j].Kind == AfterBlock {
			continue
		}
		for _, h := range p.after.Sources(j) {
			if i := p.originals.lineOf(h); i >= 0 && p.litMessages[h] && n < most {
				add(i, j, kit.ColorAccent, true)
				n++
			}
		}
	}
}

// fateMap is the rows of the left side as stretches of one fate.
func (p *Screen) fateMap(n float64) (parts []mapPart) {
	for i, l := range p.originals.Lines {
		c := kit.FateColor(p.originals.Plan.Runs[l.Run].Fate.Letter())
		if k := len(parts) - 1; k >= 0 && parts[k].color == c {
			parts[k].to = float64(i+1) / n
			continue
		}
		parts = append(parts, mapPart{float64(i) / n, float64(i+1) / n, c})
	}
	return parts
}

// Step goes to the next change, or with −1 to the one before, round at the ends: runs
// that do not stay, blocks of the summary, lost facts.
func (p *Screen) Step(by int) {
	if p.originals == nil || p.after == nil {
		return
	}
	type stop struct{ left, right, lost int }
	var stops []stop
	last := -1
	for i, l := range p.originals.Lines {
		if f := p.originals.Plan.Runs[l.Run].Fate; l.Run != last && f != model.Kept && f != model.Pinned {
			stops = append(stops, stop{i, -1, -1})
		}
		last = l.Run
	}
	for j, r := range p.after.Rows {
		if r.Kind == AfterBlock {
			stops = append(stops, stop{-1, j, -1})
		}
	}
	for i, r := range p.Lost.rows {
		if r.kind == lostItem && !p.narrow {
			stops = append(stops, stop{-1, -1, i})
		}
	}
	if len(stops) == 0 {
		return
	}
	if p.stop < 0 && by < 0 {
		p.stop = 0
	}
	p.stop = ((p.stop+by)%len(stops) + len(stops)) % len(stops)
	switch s := stops[p.stop]; {
	case s.left >= 0:
		p.Before.Select(s.left)
		p.keepLeft(s.left)
		p.level(true)
		p.w.Canvas().Focus(p.Before)
	case s.right >= 0:
		p.After.Select(s.right)
		p.keepRight(s.right)
		p.level(false)
		p.w.Canvas().Focus(p.After)
	default:
		p.Lost.list.Select(s.lost)
		p.showFact(p.Lost.factAt(s.lost))
		p.w.Canvas().Focus(p.Lost.list)
	}
}

// showFact shows where a lost fact was held last.
func (p *Screen) showFact(f *lostFact) {
	if f == nil || f.at < 0 || p.originals == nil {
		return
	}
	if i := p.originals.lineOf(f.at); i >= 0 {
		p.Before.Select(i)
		p.scrolled(true)
	}
}

// follow goes from a line to the first of its sources.
func (p *Screen) follow(i int) {
	src := p.after.Sources(i)
	if len(src) == 0 {
		if r := p.after.Rows[i]; r.Kind == AfterLine {
			if n := p.after.reading.Of[r.Block].Lines[r.Line].Named; n.To > n.From {
				src = []int{n.From}
			}
		}
	}
	if len(src) == 0 {
		return
	}
	p.After.Select(i)
	p.keepRight(i)
	slices.Sort(src)
	if at := p.originals.lineOf(src[0]); at >= 0 {
		p.Before.Select(at)
		p.connect()
	}
}

// lostAt is the lost fact that a row at the left shows.
func (p *Screen) lostAt(i int) *lostFact {
	if h := p.originals.history(i); h >= 0 {
		return p.Lost.at(h)
	}
	return nil
}
