package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// Col is one column of a list: its header, its place and its cells. R is what
// a row of the list shows.
//
//	time   record  session ········  before   after   outcome
//	|88 →  |62 →   |what is left →   |← 70    |← 74   |102 →
//	Hide 0  0       (Width 0)         2        1       0
//
// Where a row is too narrow, the column with the lowest Hide above 0 goes first.
type Col[R any] struct {
	Title string  // the words of the header; "" for none
	Width float32 // in units of the design; 0 takes what the others leave, and one column does
	// Narrow is the width that the column shrinks to before it goes, 0 for none.
	// Such a column goes only when the one without a width has less than half of
	// its least width.
	Narrow float32
	Hide   int  // the order in which columns go where there is no room; 0 stays
	Right  bool // aligned to the right

	// Text says what a cell shows, Ink in which colour; nil for ColorText.
	Text  func(R) string
	Ink   func(R) fyne.ThemeColorName
	Style fyne.TextStyle
	// Cell makes a cell that is more than a line of text, and what fills it. It
	// takes the place of Text.
	Cell func() (fyne.CanvasObject, func(R))
	// Card explains the number in a cell, under the pointer; nil: its words are shown
	// with what the column Means, if that is not "".
	Card  func(R) Card
	Means string
}

// Muted is the Ink of a column that matters less.
func Muted[R any](R) fyne.ThemeColorName { return ColorMuted }

// Columns is a list that is a table: the rows of a [List] and the header above
// them, in the same columns.
type Columns[R any] struct {
	List []Col[R]
	// At is a row of the list; false while there is none to show.
	At func(i int) (R, bool)

	Gap      float32 // between columns
	Least    float32 // width below which the column without a width makes others go
	MinWidth float32 // of a row as a whole
	Left     float32 // empty room at the left end of a row,
	End      float32 // and at its right end
	TextSize float32
}

// NewList makes the list; height is that of a row.
func (c *Columns[R]) NewList(height float32, length func() int) *List {
	l := NewList(height, length, func() ListRow { return c.newRow() })
	l.Card = func(i int, x float32) (card func() Card, left, width float32) {
		row, ok := c.At(i)
		if !ok {
			return nil, 0, 0
		}
		at := Px(c.Left)
		for k, w := range c.widths(l.Size().Width - Px(c.Left+c.End)) {
			if w < 0 {
				continue
			}
			if f := c.List[k].card(); f != nil && x >= at && x < at+w {
				return func() Card { return f(row) }, at, w
			}
			at += w + Px(c.Gap)
		}
		return nil, 0, 0
	}
	return l
}

// card makes the card of a cell; nil: there is none.
func (c *Col[R]) card() func(R) Card {
	if c.Card != nil || c.Means == "" {
		return c.Card
	}
	return func(row R) Card {
		card := Card{Name: c.Title, About: c.Means}
		if c.Text != nil {
			card.Value = c.Text(row)
		}
		return card
	}
}

// columnRow is one row of such a list.
type columnRow[R any] struct {
	c     *Columns[R]
	obj   fyne.CanvasObject
	fills []func(R)
}

func (c *Columns[R]) newRow() *columnRow[R] {
	r := &columnRow[R]{c: c}
	cells := make([]fyne.CanvasObject, len(c.List))
	for i := range c.List {
		col := &c.List[i]
		cell := col.Cell
		if cell == nil {
			cell = func() (fyne.CanvasObject, func(R)) { return col.text(c.TextSize) }
		}
		obj, fill := cell()
		cells[i], r.fills = obj, append(r.fills, fill)
	}
	r.obj = c.place(cells)
	return r
}

// text is a cell of one line of text.
func (c *Col[R]) text(size float32) (fyne.CanvasObject, func(R)) {
	t := NewText("", ColorText, size).Fit()
	t.style = c.Style
	if c.Right {
		t.Right()
	}
	return t, func(row R) {
		if c.Ink != nil {
			t.SetColor(c.Ink(row))
		}
		t.SetText(c.Text(row))
	}
}

func (c *Columns[R]) place(cells []fyne.CanvasObject) *fyne.Container {
	return Pad(0, c.End, 0, c.Left, container.New(&columnLayout[R]{c}, cells...))
}

// Object implements ListRow.
func (r *columnRow[R]) Object() fyne.CanvasObject { return r.obj }

// Fill implements ListRow.
func (r *columnRow[R]) Fill(i int, _ bool) {
	row, ok := r.c.At(i)
	if !ok {
		return
	}
	for _, fill := range r.fills {
		fill(row)
	}
}

// Head makes the header.
func (c *Columns[R]) Head() *fyne.Container {
	var cells []fyne.CanvasObject
	for _, col := range c.List {
		t := NewText(col.Title, ColorFaint, 11).Bold().Fit()
		if col.Right {
			t.Right()
		}
		cells = append(cells, t)
	}
	return c.place(cells)
}

// columnLayout puts the cells of a row into its columns.
type columnLayout[R any] struct{ c *Columns[R] }

// MinSize implements fyne.Layout.
func (l *columnLayout[R]) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(Px(l.c.MinWidth), Px(23))
}

// Layout implements fyne.Layout.
func (l *columnLayout[R]) Layout(cells []fyne.CanvasObject, s fyne.Size) {
	widths, gap, x := l.c.widths(s.Width), Px(l.c.Gap), float32(0)
	for i, w := range widths {
		if w < 0 {
			cells[i].Move(fyne.NewPos(away, 0))
			continue
		}
		put(cells[i], x, 0, w, s.Height)
		x += w + gap
	}
}

// widths is how wide each column is in a row of a width; negative for one that
// has no room.
func (c *Columns[R]) widths(room float32) []float32 {
	const gone = -1
	out := make([]float32, len(c.List))
	gap, least, last := Px(c.Gap), Px(c.Least), 0
	room += gap
	for i, col := range c.List {
		out[i] = Px(col.Width)
		room -= out[i] + gap
		last = max(last, col.Hide)
	}
	for next := 1; next <= last; next++ {
		for i, col := range c.List {
			if col.Hide != next || room >= least {
				continue
			}
			if col.Narrow > 0 {
				room += out[i] - Px(col.Narrow)
				out[i] = Px(col.Narrow)
				if room >= least/2 {
					continue
				}
			}
			room += out[i] + gap
			out[i] = gone
		}
	}
	for i, col := range c.List {
		if col.Width == 0 {
			out[i] = max(0, room)
		}
	}
	return out
}
