package grid

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// textSize is that of the cells.
const textSize = 13

// gridLine is one line of the list: the cells of a row, or in their place the head
// of a group.
type gridLine struct {
	g     *Grid
	i     int
	obj   *fyne.Container
	tick  *kit.TickBox
	cells []fyne.CanvasObject
	fills []func(row int)

	ground *kit.Fill
	sign   *kit.Sign
	title  *kit.Text
	note   *kit.Text
	sums   []*kit.Text // one a column
	more   *kit.Link   // shows the rows that the group has besides
}

func newLine(g *Grid) *gridLine {
	l := &gridLine{g: g, ground: kit.NewFill(kit.ColorRaised, 0), sign: kit.NewSign(kit.GlyphDown, kit.ColorMuted, 12),
		title: kit.Label("").Bold().Fit(), note: kit.NewText("", kit.ColorMuted, 12).Fit()}
	l.tick = kit.NewTickBox(func(held fyne.KeyModifier) { g.tick(l.i, held&fyne.KeyModifierShift != 0) })
	l.more = kit.NewLink("", func() { g.showAll(g.at(l.i).group) }).WithTip("grid.more.tip")
	objs := []fyne.CanvasObject{l.ground, l.tick, l.sign, l.title, l.note, l.more}
	for i := range g.columns {
		col := &g.columns[i]
		cell := col.Cell
		if cell == nil {
			cell = col.text
		}
		obj, fill := cell()
		l.cells, l.fills = append(l.cells, obj), append(l.fills, fill)
		sum := kit.NewText("", kit.ColorMuted, 12).Fit()
		if col.Right {
			sum.Right()
		}
		l.sums = append(l.sums, sum)
		objs = append(objs, obj, sum)
	}
	l.obj = container.New(l, objs...)
	return l
}

// text is a cell of one line of text.
func (c *Column) text() (fyne.CanvasObject, func(row int)) {
	t := kit.NewText("", kit.ColorText, textSize).Fit()
	if c.Style.Bold {
		t.Bold()
	}
	if c.Style.Monospace {
		t.Mono()
	}
	if c.Right {
		t.Right()
	}
	return t, func(row int) {
		if c.Ink != nil {
			t.SetColor(c.Ink(row))
		}
		t.SetText(c.Text(row))
	}
}

// Object implements kit.ListRow.
func (l *gridLine) Object() fyne.CanvasObject { return l.obj }

// Fill implements kit.ListRow.
func (l *gridLine) Fill(i int, selected bool) {
	l.i = i
	at := l.g.at(i)
	head, row := at.row == headRow, at.row >= 0
	show(l.ground, head && !selected)
	show(l.sign, head)
	show(l.title, head)
	show(l.note, head)
	show(l.more, at.row == moreRow)
	show(l.tick, l.g.Ticked != nil && at.row != moreRow)
	for k := range l.cells {
		show(l.cells[k], row)
		show(l.sums[k], head)
	}
	if row {
		for _, fill := range l.fills {
			fill(at.row)
		}
		if l.g.Ticked != nil {
			l.tick.Set(l.g.Ticked(at.row))
		}
		return
	}
	if at.group < 0 {
		return // the rows became fewer; the list is shown again
	}
	group := &l.g.groups[at.group]
	if !head {
		l.more.SetText(words.T("grid.more", "count", group.Count-l.g.few(*group)))
		l.Layout(nil, l.obj.Size())
		return
	}
	l.title.SetText(group.Title)
	l.note.SetText(group.Note)
	l.sign.Set(map[bool]kit.Glyph{true: kit.GlyphRight, false: kit.GlyphDown}[l.g.folded[group.Key]], kit.ColorMuted)
	for k := range l.sums {
		text := ""
		if group.Cell != nil {
			text = group.Cell(l.g.columns[k].ID)
		}
		l.sums[k].SetText(text)
	}
	l.tick.SetSome(l.g.state(l.g.first(at.group), group.Count))
	l.Layout(nil, l.obj.Size())
}

func show(o fyne.CanvasObject, on bool) {
	if o.Visible() == on {
		return
	}
	if on {
		o.Show()
	} else {
		o.Hide()
	}
}

// MinSize implements fyne.Layout.
func (l *gridLine) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(kit.Px(200), kit.Px(rowHeight-1))
}

// Layout implements fyne.Layout.
func (l *gridLine) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	put(l.ground, 0, 0, s.Width, s.Height)
	x := kit.Px(leftRoom)
	put(l.tick, x, 0, kit.Px(tickWidth), s.Height)
	if l.g.Ticked != nil {
		x += kit.Px(tickWidth + gap)
	}
	spots := l.g.place(s.Width)
	end := s.Width - kit.Px(rightRoom) // of the words of a head: before the first sum
	for i, spot := range spots {
		put(l.cells[i], spot.x, 0, spot.w, s.Height)
		put(l.sums[i], spot.x, 0, spot.w, s.Height)
		if l.sums[i].Text() != "" && spot != gone {
			end = min(end, spot.x-kit.Px(gap))
		}
	}
	d := kit.Px(12)
	put(l.sign, x, (s.Height-d)/2, d, d)
	x += d + kit.Px(6)
	put(l.more, x, 0, l.more.MinSize().Width, s.Height)
	full := fyne.MeasureText(l.title.Text(), kit.FontPx(textSize), fyne.TextStyle{Bold: true}).Width + 1
	w := max(0, min(full, end-x))
	put(l.title, x, 0, w, s.Height)
	x += w + kit.Px(10)
	put(l.note, x, 0, max(0, end-x), s.Height)
}

func put(o fyne.CanvasObject, x, y, w, h float32) {
	o.Move(fyne.NewPos(x, y))
	o.Resize(fyne.NewSize(w, h))
}
