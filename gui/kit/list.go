package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"palimpsest/gui/words"
)

// ListRow is what a row of a [List] consists of: a widget of the screen's own
// that is filled again and again with different rows.
type ListRow interface {
	// Object is what is shown; it stays the same.
	Object() fyne.CanvasObject
	// Fill fills the row; it should skip the work when it shows that already.
	Fill(i int, selected bool)
}

// filled is a row that is an object and a function that fills it.
type filled struct {
	obj  fyne.CanvasObject
	fill func(i int)
}

func (f filled) Object() fyne.CanvasObject { return f.obj }
func (f filled) Fill(i int, _ bool)        { f.fill(i) }

// NewRows is [NewList] for rows whose look does not depend on the selection: create makes
// one, and the function that fills it.
func NewRows(height float32, length func() int, create func() (row fyne.CanvasObject, fill func(i int))) *List {
	return NewList(height, length, func() ListRow {
		row, fill := create()
		return filled{row, fill}
	})
}

// List is a list of rows of one height with a selection of one row and the
// keyboard: arrows, j and k, PgUp, PgDn, Home, End, Enter. It draws the visible
// rows only.
type List struct {
	keyboard
	OnSelect func(i int)                   // a person chose a row
	OnOpen   func(i int)                   // Enter, or a double click
	OnMenu   func(i int, at fyne.Position) // right click; the place is on the canvas
	OnDelete func(i int)                   // the key Delete
	// OnTick chooses rows together: Ctrl and a click or Space take one row, Shift
	// and a click or an arrow key all up to it. nil: only one row can be chosen.
	OnTick func(i int, upTo bool)
	// OnTickAll is Ctrl+A, OnCopy Ctrl+C.
	OnTickAll, OnCopy func()
	// OnEscape is the key Esc; false hands it on to the window.
	OnEscape func() bool
	// OnFold is the keys → and ←, which open and close a row of a tree.
	OnFold func(i int, open bool)
	// OnRune gets what is typed, before j and k move the selection; it reports whether
	// it used it.
	OnRune   func(r rune) bool
	OnHover  func(i int)          // the pointer is over a row; −1: over none
	OnScroll func(offset float32) // scrolled by a person; in units of the canvas
	// Card is the card of the part of a row at x, and the part's left edge and width, all
	// in units of the canvas; nil: there is none there.
	Card func(i int, x float32) (card func() Card, left, width float32)
	// Tip is the words that appear where there is no card; nil or "": none.
	Tip func(i int) string
	// Choosable says which rows can be selected; nil: all of them.
	Choosable func(i int) bool

	selected int
	list     vlist

	// Of a list in which rows can be selected together, by Shift: see [Ledger].
	ranges  bool
	anchor  int
	OnRange func()           // another range is selected, by a person or not
	lit     func(i int) bool // a row looks like a selected one
}

// pressed is a row whose parts can be pressed, at x.
type pressable interface{ press(x float32) }

// NewList makes a list of rows of a height in units of the design.
func NewList(height float32, length func() int, create func() ListRow) *List {
	l := &List{}
	l.make(height, length, create)
	l.init(l)
	return l
}

func (l *List) make(height float32, length func() int, create func() ListRow) {
	l.selected, l.anchor = -1, -1
	l.list.length = length
	l.list.pitch = func() float32 { return RowPx(height) }
	l.list.create = func() fyne.CanvasObject { return newListLine(l, create()) }
	l.list.update = func(i int, o fyne.CanvasObject) { o.(*listLine).show(i) }
	l.list.onScroll = func() {
		if l.OnScroll != nil {
			l.OnScroll(l.Offset())
		}
	}
	l.list.init()
}

// WithTip gives all rows the words of a key, where there is no card, and returns the list.
func (l *List) WithTip(key string) *List {
	l.Tip = func(int) string { return words.T(key) }
	return l
}

// Offset is how far the list is scrolled, in units of the canvas.
func (l *List) Offset() float32 { return l.list.scroll.Offset.Y }

// ScrollTo scrolls to an offset, without calling OnScroll.
func (l *List) ScrollTo(offset float32) { l.list.scrollQuietly(offset) }

// Page is how many whole rows are visible.
func (l *List) Page() int { return l.list.page() }

// Pitch is the height of a row in units of the canvas.
func (l *List) Pitch() float32 { return l.list.pitch() }

// SetHeights gives each row a height of its own, in units of the design.
func (l *List) SetHeights(height func(i int) float32) {
	l.list.height = func(i int) float32 { return RowPx(height(i)) }
	l.Update()
}

// Update shows the rows again after their content or number changed.
func (l *List) Update() {
	n := l.list.length()
	if l.selected >= n {
		l.selected, l.anchor = -1, -1
	}
	l.anchor = min(l.anchor, n-1)
	l.list.refill()
	canvas.Refresh(l.list.body)
}

// Restyle makes the visible rows anew, whose columns changed.
func (l *List) Restyle() { l.list.restyle(); canvas.Refresh(l.list.body) }

// Shown is the range of rows that are seen, half open.
func (l *List) Shown() (from, to int) { return l.list.span() }

// Selected is the selected row, −1 if none.
func (l *List) Selected() int { return l.selected }

// Select selects a row and brings it into view; −1 selects none. OnSelect is
// not called.
func (l *List) Select(i int) { l.show(i, l.list.reveal) }

// Centre selects a row and, unless it is seen already, brings it to the middle,
// with what is before and behind it. OnSelect is not called.
func (l *List) Centre(i int) { l.show(i, l.list.centre) }

func (l *List) show(i int, scroll func(i int)) {
	l.selected = min(i, l.list.length()-1)
	l.anchor = l.selected
	if l.selected >= 0 {
		scroll(l.selected)
	}
	l.redraw()
}

// redraw shows which rows are selected now.
func (l *List) redraw() {
	l.list.redraw()
	if l.OnRange != nil {
		l.OnRange()
	}
}

// Selection is the selected range, half-open; both are equal if there is none.
func (l *List) Selection() (from, to int) {
	if l.selected < 0 {
		return 0, 0
	}
	return min(l.anchor, l.selected), max(l.anchor, l.selected) + 1
}

func (l *List) can(i int) bool {
	return i >= 0 && i < l.list.length() && !l.disabled && (l.Choosable == nil || l.Choosable(i))
}

// choose is a selection by a person; with extend of all rows up to it.
func (l *List) choose(i int, extend bool) {
	if !l.can(i) {
		return
	}
	was, anchor := l.selected, l.anchor
	l.Select(i)
	if extend && l.ranges && anchor >= 0 {
		l.anchor = anchor
		l.redraw()
	}
	if l.OnSelect != nil && (i != was || !l.ranges) {
		l.OnSelect(i)
	}
}

// Step selects the row that is by rows further down, past those that can't be
// selected.
func (l *List) Step(by int) {
	n := l.list.length()
	at, step := max(-1, min(n, l.selected+by)), 1
	if by < 0 {
		step = -1
	}
	at = max(0, min(n-1, at))
	for _, by := range []int{step, -step} {
		for i := at; i >= 0 && i < n; i += by {
			if l.can(i) {
				l.choose(i, l.shift)
				return
			}
		}
	}
}

// TypedShortcut takes Ctrl+A, Ctrl+C, Ctrl+Home and Ctrl+End, and hands the rest to the window.
func (l *List) TypedShortcut(s fyne.Shortcut) {
	_, all := s.(*fyne.ShortcutSelectAll)
	_, text := s.(*fyne.ShortcutCopy)
	end, _ := s.(*desktop.CustomShortcut)
	switch {
	case end != nil && (end.KeyName == fyne.KeyHome || end.KeyName == fyne.KeyEnd):
		l.Key(end.KeyName)
	case all && l.OnTickAll != nil:
		l.OnTickAll()
	case text && l.OnCopy != nil:
		l.OnCopy()
	default:
		passShortcut(l.self, s)
	}
}

// extend moves the selection and takes all rows up to it along.
func (l *List) extend(by int) {
	if l.selected >= 0 {
		l.OnTick(l.selected, true)
	}
	l.Step(by)
	l.OnTick(l.selected, true)
}

// TypedRune takes j and k and hands the rest to the window.
func (l *List) TypedRune(r rune) {
	if l.OnRune != nil && l.OnRune(r) {
		return
	}
	switch r {
	case 'j':
		l.Step(1)
	case 'k':
		l.Step(-1)
	default:
		PassRune(l.self, r)
	}
}

// TypedKey moves the selection.
func (l *List) TypedKey(e *fyne.KeyEvent) {
	if !l.Key(e.Name) {
		PassKey(l.self, e)
	}
}

// Key does what a key does to the list and reports whether it means anything; a
// search field hands its arrow keys here.
func (l *List) Key(k fyne.KeyName) bool {
	if l.shift && l.OnTick != nil && (k == fyne.KeyDown || k == fyne.KeyUp) {
		l.extend(map[fyne.KeyName]int{fyne.KeyDown: 1, fyne.KeyUp: -1}[k])
		return true
	}
	if k == fyne.KeyEscape {
		return l.OnEscape != nil && l.OnEscape()
	}
	page, all := l.list.page(), l.list.length()
	if by, ok := map[fyne.KeyName]int{fyne.KeyDown: 1, fyne.KeyUp: -1, fyne.KeyPageDown: page, fyne.KeyPageUp: -page,
		fyne.KeyHome: -all, fyne.KeyEnd: all}[k]; ok {
		l.Step(by)
		return true
	}
	if l.selected < 0 {
		return false
	}
	switch {
	case k == fyne.KeySpace && l.OnTick != nil:
		l.OnTick(l.selected, false)
	case (k == fyne.KeyLeft || k == fyne.KeyRight) && l.OnFold != nil:
		l.OnFold(l.selected, k == fyne.KeyRight)
	case (k == fyne.KeyReturn || k == fyne.KeyEnter) && l.OnOpen != nil:
		l.OnOpen(l.selected)
	case k == fyne.KeyDelete && l.OnDelete != nil:
		l.OnDelete(l.selected)
	default:
		return false
	}
	return true
}

// CreateRenderer implements fyne.Widget.
func (l *List) CreateRenderer() fyne.WidgetRenderer {
	var frame [4]*canvas.Rectangle // around a list that has the keyboard
	for i := range frame {
		frame[i] = box(0)
	}
	look := func() {
		for _, f := range frame {
			tint(f, Color(ColorAccent))
			f.Hidden = !l.focused
			canvas.Refresh(f)
		}
	}
	look()
	return &renderer{
		of:   l,
		objs: []fyne.CanvasObject{&l.list, frame[0], frame[1], frame[2], frame[3]},
		layout: func(s fyne.Size) {
			put(&l.list, 0, 0, s.Width, s.Height)
			put(frame[0], 0, 0, s.Width, 1)
			put(frame[1], 0, s.Height-1, s.Width, 1)
			put(frame[2], 0, 0, 1, s.Height)
			put(frame[3], s.Width-1, 0, 1, s.Height)
		},
		min: func() fyne.Size { return fyne.NewSize(Px(60), l.list.pitch()) },
		refresh: func() {
			look()
			if l.list.restyled() {
				l.list.restyle()
			}
			l.Update()
		},
	}
}

// listLine is the ground of a row: it shows selection, hover and focus.
type listLine struct {
	widget.BaseWidget
	l       *List
	row     ListRow
	obj     fyne.CanvasObject
	i       int
	hovered bool
	part    float32          // left edge of the part whose card is shown, or partNone, partRow
	held    fyne.KeyModifier // with the mouse button
	bg      *canvas.Rectangle
	edge    *canvas.Rectangle
}

func newListLine(l *List, row ListRow) *listLine {
	n := &listLine{l: l, row: row, obj: row.Object(), i: -1, part: partNone, bg: box(0), edge: box(0)}
	n.ExtendBaseWidget(n)
	return n
}

func (n *listLine) show(i int) {
	if n.i != i {
		n.part = partNone // the card was that of another row
	}
	n.i = i
	n.paint()
	n.row.Fill(i, i == n.l.selected)
}

func (n *listLine) paint() {
	from, to := n.l.Selection()
	sel := n.i == n.l.selected
	switch {
	case n.i >= from && n.i < to, n.l.lit != nil && n.l.lit(n.i):
		tint(n.bg, Color(ColorSelection))
	case n.hovered && n.l.can(n.i):
		tint(n.bg, Color(ColorHover))
	default:
		tint(n.bg, color.Transparent)
	}
	tint(n.edge, Color(ColorAccent))
	n.edge.Hidden = !sel || n.l.ranges && !n.l.focused
	canvas.Refresh(n.edge)
}

// MouseDown notes the keys that are held. Where rows are selected together it selects at
// once: a row answers before the button is up.
func (n *listLine) MouseDown(e *desktop.MouseEvent) {
	HideTipOf(n)
	if n.held = e.Modifier; !n.l.ranges {
		return
	}
	n.focus()
	if e.Button == desktop.MouseButtonPrimary {
		n.l.choose(n.i, e.Modifier&fyne.KeyModifierShift != 0)
		if p, ok := n.row.(pressable); ok {
			p.press(e.Position.X)
		}
	}
}

func (n *listLine) focus() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(n.l.self); c != nil {
		c.Focus(n.l.self.(fyne.Focusable))
	}
}

// MouseUp implements desktop.Mouseable.
func (n *listLine) MouseUp(*desktop.MouseEvent) {}

// Tapped selects the row, or takes it to the others that are chosen.
func (n *listLine) Tapped(*fyne.PointEvent) {
	if n.l.ranges {
		return
	}
	n.focus()
	if both := n.held & (fyne.KeyModifierShift | fyne.KeyModifierShortcutDefault); both != 0 && n.l.OnTick != nil && n.l.can(n.i) {
		n.l.OnTick(n.i, both&fyne.KeyModifierShift != 0)
		return
	}
	n.l.choose(n.i, false)
}

// DoubleTapped opens the row.
func (n *listLine) DoubleTapped(*fyne.PointEvent) {
	n.l.choose(n.i, false)
	if n.l.OnOpen != nil && n.l.can(n.i) {
		n.l.OnOpen(n.i)
	}
}

// TappedSecondary opens the row's menu.
func (n *listLine) TappedSecondary(e *fyne.PointEvent) {
	if from, to := n.l.Selection(); n.l.ranges && (n.i < from || n.i >= to) {
		n.l.choose(n.i, false)
	}
	if n.l.OnMenu != nil && n.l.can(n.i) {
		n.l.OnMenu(n.i, e.AbsolutePosition)
	}
}

// MouseIn implements desktop.Hoverable.
func (n *listLine) MouseIn(e *desktop.MouseEvent) { n.hover(true); n.point(e) }

// MouseMoved implements desktop.Hoverable.
func (n *listLine) MouseMoved(e *desktop.MouseEvent) { n.point(e) }

// MouseOut implements desktop.Hoverable.
func (n *listLine) MouseOut() { n.hover(false); n.unpoint() }

// What of a row is explained, in place of the left edge of a card.
const (
	partNone = -1
	partRow  = -2 // all that has no card
)

// point shows the card of the part of the row under the pointer, or the words about the
// row.
func (n *listLine) point(e *desktop.MouseEvent) {
	var card func() Card
	var width float32
	left, tip := float32(partNone), ""
	if n.l.Card != nil {
		if card, left, width = n.l.Card(n.i, e.Position.X); card == nil {
			left = partNone
		}
	}
	if card == nil && n.l.Tip != nil && n.i < n.l.list.length() {
		if tip = n.l.Tip(n.i); tip != "" {
			left = partRow
		}
	}
	if left == n.part {
		return
	}
	n.unpoint()
	switch n.part = left; {
	case card != nil:
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(n)
		ShowCard(n, at.AddXY(left, 0), fyne.NewSize(width, n.Size().Height), card)
	case tip != "":
		showTip(n, func() string {
			if n.i >= n.l.list.length() {
				return ""
			}
			return n.l.Tip(n.i)
		}, e.AbsolutePosition)
	}
}

func (n *listLine) unpoint() {
	if n.part != partNone {
		n.part = partNone
		HideTipOf(n)
	}
}

func (n *listLine) hover(on bool) {
	n.hovered = on
	n.paint()
	if f := n.l.OnHover; f != nil {
		i := n.i
		if !on {
			i = -1
		}
		f(i)
	}
}

// CreateRenderer implements fyne.Widget.
func (n *listLine) CreateRenderer() fyne.WidgetRenderer {
	return &renderer{
		of:   n,
		objs: []fyne.CanvasObject{n.bg, n.edge, n.obj},
		layout: func(s fyne.Size) {
			put(n.bg, 0, 0, s.Width, s.Height)
			put(n.edge, 0, 0, 3, s.Height)
			put(n.obj, 0, 0, s.Width, s.Height)
		},
		min:     func() fyne.Size { return n.obj.MinSize() },
		refresh: func() { n.paint(); n.obj.Refresh(); canvas.Refresh(n) },
	}
}
