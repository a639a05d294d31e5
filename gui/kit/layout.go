package kit

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
)

// Row puts objects beside each other, each at its own size and in the middle
// of the height, with a gap in units of the design. [Spring] takes the room
// that is left; so does an object wrapped by [Stretch].
func Row(gap float32, objs ...fyne.CanvasObject) *fyne.Container {
	return container.New(&rowLayout{gap: gap}, objs...)
}

// Lines is a Row that goes on in further lines where its width ends. Its height follows
// the width it had last, like that of a [Paragraph].
func Lines(gap float32, objs ...fyne.CanvasObject) *fyne.Container {
	return container.New(&linesLayout{rowLayout: rowLayout{gap: gap}}, objs...)
}

// Column stacks objects, each as wide as the column and at its own height;
// Spring and Stretch take the height that is left, and give some of theirs where
// there is too little for all, so that what comes after them stays in sight.
func Column(gap float32, objs ...fyne.CanvasObject) *fyne.Container {
	return container.New(&rowLayout{gap: gap, down: true}, objs...)
}

// Spring is empty room that pushes apart what is beside it in a Row or a
// Column.
func Spring() fyne.CanvasObject { return layout.NewSpacer() }

// Stretch makes an object take the room that is left in a Row or a Column.
func Stretch(o fyne.CanvasObject) fyne.CanvasObject {
	return container.New(&stretchLayout{}, o)
}

// Roomy asks for no room of its own: where an object has less than it needs, it is
// scrolled instead of making the window larger than the screen.
func Roomy(o fyne.CanvasObject) *container.Scroll { return container.NewScroll(o) }

// Pad puts empty room around an object: top, right, bottom, left, in units of
// the design.
func Pad(top, right, bottom, left float32, o fyne.CanvasObject) *fyne.Container {
	return container.New(&padLayout{top, right, bottom, left}, o)
}

// Sized gives an object a least size in units of the design; 0 leaves a
// direction as it is.
func Sized(w, h float32, o fyne.CanvasObject) *fyne.Container {
	return container.New(&sizedLayout{w: w, h: h}, o)
}

// Elastic is Sized with a width that an object has where there is room for more than its
// least one, and another that it may have of what all others leave.
func Elastic(least, usual, most, h float32, o fyne.CanvasObject) *fyne.Container {
	return container.New(&sizedLayout{w: least, h: h, usual: usual, most: most}, o)
}

// Spared shows an object in a row only where there is room for all of it.
func Spared(o fyne.CanvasObject) *fyne.Container { return container.New(sparedLayout{}, o) }

type rowLayout struct {
	gap  float32
	down bool

	// The least lengths of its objects now, and those it was laid out with. Fyne lays out
	// again what holds an object that has grown, but forgets some where several grow at
	// the same time: they would stay as they were.
	now, laid []float32
	room      fyne.Size
}

func stretches(o fyne.CanvasObject) bool {
	if s, ok := o.(layout.SpacerObject); ok && s != nil {
		return true
	}
	c, ok := o.(*fyne.Container)
	if !ok {
		return false
	}
	_, ok = c.Layout.(*stretchLayout)
	return ok
}

func (l *rowLayout) axis(s fyne.Size) (along, across float32) {
	if l.down {
		return s.Height, s.Width
	}
	return s.Width, s.Height
}

func (l *rowLayout) size(along, across float32) fyne.Size {
	if l.down {
		return fyne.NewSize(across, along)
	}
	return fyne.NewSize(along, across)
}

// least is the room the objects need, and how many share what is left.
func (l *rowLayout) least(objs []fyne.CanvasObject) (along, across float32, springs int) {
	n := 0
	l.now = l.now[:0]
	for _, o := range objs {
		if !o.Visible() {
			continue
		}
		if n++; n > 1 {
			along += Px(l.gap)
		}
		if stretches(o) {
			springs++
		}
		a, c := l.axis(o.MinSize())
		l.now = append(l.now, a)
		along += a
		across = fyne.Max(across, c)
	}
	return along, across, springs
}

// MinSize implements fyne.Layout.
func (l *rowLayout) MinSize(objs []fyne.CanvasObject) fyne.Size {
	along, across, _ := l.least(objs)
	if l.grown() {
		l.Layout(objs, l.room)
	}
	return l.size(along, across)
}

// grown reports whether objects have other least lengths than those they were laid out
// with.
func (l *rowLayout) grown() bool { return !l.room.IsZero() && !slices.Equal(l.now, l.laid) }

// Layout implements fyne.Layout.
func (l *rowLayout) Layout(objs []fyne.CanvasObject, s fyne.Size) {
	room, across := l.axis(s)
	need, _, springs := l.least(objs)
	l.laid, l.room = append(l.laid[:0], l.now...), s
	spare := room - need
	var unfold map[fyne.CanvasObject]float32
	if !l.down {
		unfold, spare = unfolded(objs, spare)
	}
	if springs > 0 {
		spare /= float32(springs)
	} else {
		spare = 0
	}
	if !l.down {
		spare = fyne.Max(0, spare)
	}
	var at float32
	for _, o := range objs {
		if !o.Visible() {
			continue
		}
		a, c := l.axis(o.MinSize())
		a += unfold[o]
		if stretches(o) {
			a = fyne.Max(0, a+spare)
		}
		if l.down {
			put(o, 0, at, across, a)
		} else {
			if stretches(o) {
				c = across
			}
			put(o, at, (across-c)/2, a, c)
		}
		at += a + Px(l.gap)
	}
}

// unfolded is how much wider than its least one each object of a row gets of what is
// spare, and what is left of that: each its usual width first, in their order, and what
// nobody asked for those that can use more.
func unfolded(objs []fyne.CanvasObject, spare float32) (extra map[fyne.CanvasObject]float32, left float32) {
	give := func(o fyne.CanvasObject, w float32) {
		if w > 0 && w <= spare && !stretches(o) {
			if extra == nil {
				extra = map[fyne.CanvasObject]float32{}
			}
			extra[o] += w
			spare -= w
		}
	}
	for _, o := range objs {
		m := more(o)
		if elastic(o) != nil {
			m = min(m, spare)
		}
		give(o, m)
	}
	for _, o := range objs {
		if l := elastic(o); l != nil && o.Visible() {
			give(o, min(Px(l.most)-Px(l.usual), spare))
		}
	}
	return extra, spare
}

// folds is an object that shows less where it has only its least width.
type folds interface{ more() float32 } // that it wants to show all

// more is how much wider an object, or a row of some, would be with all shown.
func more(o fyne.CanvasObject) (w float32) {
	if !o.Visible() {
		return 0
	}
	switch o := o.(type) {
	case folds:
		return o.more()
	case *fyne.Container:
		switch l := o.Layout.(type) {
		case *rowLayout:
			for _, c := range o.Objects {
				if !l.down {
					w += more(c)
				}
			}
		case *sizedLayout:
			return max(0, Px(l.usual)-Px(l.w))
		case sparedLayout:
			return o.Objects[0].MinSize().Width
		}
	}
	return w
}

// elastic is the layout of an object that takes some of the room that it would like, too;
// nil for all others.
func elastic(o fyne.CanvasObject) *sizedLayout {
	if c, ok := o.(*fyne.Container); ok {
		if l, ok := c.Layout.(*sizedLayout); ok && l.usual > 0 {
			return l
		}
	}
	return nil
}

// SaidFirst gives a text the width it needs, and the one behind it what is left. It asks
// for none: both are cut where there is no room.
func SaidFirst(said, rest *Text) *fyne.Container {
	return container.New(&saidFirst{said}, said, rest)
}

type saidFirst struct{ said *Text }

// MinSize implements fyne.Layout.
func (l *saidFirst) MinSize(objs []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, max(objs[0].MinSize().Height, objs[1].MinSize().Height))
}

// Layout implements fyne.Layout.
func (l *saidFirst) Layout(objs []fyne.CanvasObject, s fyne.Size) {
	first, at := float32(0), float32(0)
	if l.said.text != "" {
		first = min(l.said.wanted(), s.Width)
		at = first + Px(8)
	}
	for i, o := range objs {
		h := o.MinSize().Height
		put(o, float32(i)*at, (s.Height-h)/2, max(0, []float32{first, s.Width - at}[i]), h)
	}
}

// sparedLayout shows its object, or has no room for it.
type sparedLayout struct{}

// MinSize implements fyne.Layout.
func (sparedLayout) MinSize(objs []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, objs[0].MinSize().Height)
}

// Layout implements fyne.Layout.
func (sparedLayout) Layout(objs []fyne.CanvasObject, s fyne.Size) {
	m, x := objs[0].MinSize(), float32(0)
	if m.Width > s.Width+.5 {
		x = away
	}
	put(objs[0], x, 0, m.Width, s.Height)
}

// linesLayout lays out each line as a row.
type linesLayout struct {
	rowLayout
	width float32 // it had last
}

// lines are the objects that fit beside each other.
func (l *linesLayout) lines(objs []fyne.CanvasObject) (lines [][]fyne.CanvasObject) {
	var end float32
	for _, o := range objs {
		if !o.Visible() {
			continue
		}
		w := o.MinSize().Width
		if end += Px(l.gap) + w; len(lines) == 0 || l.width > 0 && end > l.width+.5 {
			lines, end = append(lines, nil), w
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], o)
	}
	return lines
}

// MinSize implements fyne.Layout.
func (l *linesLayout) MinSize(objs []fyne.CanvasObject) (m fyne.Size) {
	for i, line := range l.lines(objs) {
		if i > 0 {
			m.Height += Px(linesGap)
		}
		_, h, _ := l.least(line)
		m.Height += h
		for _, o := range line {
			m.Width = fyne.Max(m.Width, o.MinSize().Width)
		}
	}
	return m
}

// linesGap is the room between two lines.
const linesGap = 6

// Layout implements fyne.Layout.
func (l *linesLayout) Layout(objs []fyne.CanvasObject, s fyne.Size) {
	l.width = s.Width
	at := (s.Height - l.MinSize(objs).Height) / 2
	for _, line := range l.lines(objs) {
		_, h, _ := l.least(line)
		l.rowLayout.Layout(line, fyne.NewSize(s.Width, h))
		for _, o := range line {
			o.Move(o.Position().AddXY(0, fyne.Max(0, at)))
		}
		at += h + Px(linesGap)
	}
}

type yieldLayout struct{}

func (yieldLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return o[0].(*container.Scroll).Content.MinSize()
}

func (yieldLayout) Layout(o []fyne.CanvasObject, s fyne.Size) { put(o[0], 0, 0, s.Width, s.Height) }

type stretchLayout struct{}

func (*stretchLayout) MinSize(o []fyne.CanvasObject) fyne.Size { return o[0].MinSize() }

func (*stretchLayout) Layout(o []fyne.CanvasObject, s fyne.Size) {
	put(o[0], 0, 0, s.Width, s.Height)
}

type padLayout struct{ top, right, bottom, left float32 }

func (p *padLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	m := o[0].MinSize()
	return fyne.NewSize(m.Width+Px(p.left)+Px(p.right), m.Height+Px(p.top)+Px(p.bottom))
}

func (p *padLayout) Layout(o []fyne.CanvasObject, s fyne.Size) {
	put(o[0], Px(p.left), Px(p.top), s.Width-Px(p.left)-Px(p.right), s.Height-Px(p.top)-Px(p.bottom))
}

type sizedLayout struct{ w, h, usual, most float32 }

func (l *sizedLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return o[0].MinSize().Max(fyne.NewSize(Px(l.w), Px(l.h)))
}

func (l *sizedLayout) Layout(o []fyne.CanvasObject, s fyne.Size) {
	put(o[0], 0, 0, s.Width, s.Height)
}
