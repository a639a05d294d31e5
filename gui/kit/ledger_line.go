package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// ledgerLine is one row object of a Ledger. It is filled again and again with
// different rows.
type ledgerLine struct {
	widget.BaseWidget
	l      *Ledger
	i      int
	row    LedgerRow
	state  lineState
	cols   ledgerColumns
	carded span // the tokens or the total, if the pointer is on them

	bg, rule, edge                      *canvas.Rectangle
	bracket, hook, strike               *canvas.Rectangle
	bar                                 *canvas.Rectangle
	total, num, who, first, link, token *canvas.Text
	badge                               *badgeParts
	sign                                *canvas.Raster
	glyph                               Glyph
	lit                                 [mostLit]*canvas.Rectangle // behind the first words
	r                                   *renderer
}

// lineState is what a row looks like beside its content.
type lineState struct {
	filled, selected, ranged, hovered, focused bool
	width                                      float32
}

func newLedgerLine(l *Ledger) *ledgerLine {
	n := &ledgerLine{l: l, i: -1, badge: newBadgeParts()}
	n.bg, n.rule, n.edge, n.bracket, n.hook, n.strike = box(0), box(0), box(0), box(0), box(0), box(0)
	n.bar = box(3)
	for i := range n.lit {
		n.lit[i] = box(2)
	}
	n.total, n.token = line(13, false, fyne.TextAlignTrailing), line(13, false, fyne.TextAlignTrailing)
	n.num, n.who = line(13, false, fyne.TextAlignLeading), line(13, false, fyne.TextAlignLeading)
	n.first, n.link = line(13, false, fyne.TextAlignLeading), line(13, false, fyne.TextAlignLeading)
	n.sign = glyphRaster(func() Glyph { return n.glyph }, n.signColor)
	n.ExtendBaseWidget(n)
	return n
}

func (n *ledgerLine) signColor() color.Color {
	switch n.glyph {
	case GlyphWarning:
		return Color(ColorWarning)
	case GlyphDiamond:
		return Color(ColorAccent)
	}
	return Color(ColorMuted)
}

// show fills the object with a row, if it does not show that already.
func (n *ledgerLine) show(i int) {
	from, to := n.l.Selection()
	st := lineState{
		filled: true, selected: i == n.l.selected, ranged: i >= from && i < to,
		hovered: n.state.hovered && n.i == i, focused: n.l.focused, width: n.BaseWidget.Size().Width,
	}
	row := n.l.src.Row(i)
	if n.state == st && n.row == row && n.i == i {
		return
	}
	badge := n.badge.set(row.Fate, row.Faded)
	glyph := rowGlyph(row)
	sign := glyph != n.glyph
	n.i, n.row, n.state, n.glyph = i, row, st, glyph
	n.fill()
	if badge {
		n.badge.raster.Refresh()
	}
	if sign {
		n.sign.Refresh()
	}
}

func rowGlyph(r LedgerRow) Glyph {
	switch {
	case r.Warn:
		return GlyphWarning
	case r.Mark:
		return GlyphDiamond
	case r.Fold == FoldClosed:
		return GlyphRight
	case r.Fold == FoldOpen:
		return GlyphDown
	}
	return GlyphNone
}

// fill sets words, colours and places.
func (n *ledgerLine) fill() {
	r, s := n.row, n.BaseWidget.Size()
	n.colors()
	c := columnsFor(s.Width, n.l.numChars, n.l.more)
	n.cols = c
	size, style := FontPx(13), fyne.TextStyle{}
	set := func(t *canvas.Text, words string, at span) {
		t.TextSize = size
		t.Text = ""
		if at.w > 0 {
			t.Text = Ellipsize(Clean(words), at.w, size, style)
		}
		mid(t, at.x, 0, at.w, s.Height)
	}
	put(n.bg, 0, 0, s.Width, s.Height)
	put(n.rule, 0, s.Height-1, s.Width, 1)
	put(n.edge, 0, 0, 3, s.Height)
	set(n.total, r.Total, c.total)
	n.badge.place(c.fate.x, float32(int((s.Height-Px(badgeHeight))/2+.5)), Px(badgeWidth), Px(badgeHeight))
	set(n.num, r.Num, c.num)
	who := c.who
	in := Px(12) * float32(r.Indent)
	who.x, who.w = who.x+in, fyne.Max(0, who.w-in)
	if n.glyph != GlyphNone {
		g := Px(14)
		put(n.sign, who.x-Px(1), (s.Height-g)/2, g, g)
		who.x, who.w = who.x+g+Px(3), fyne.Max(0, who.w-g-Px(3))
	}
	n.sign.Hidden = n.glyph == GlyphNone
	set(n.who, r.Who, who)
	first := c.first
	fit := func() {
		set(n.first, r.First, first)
		if at := n.hit(); at != nil && first.w > 0 {
			n.first.Text = EllipsizeAround(Clean(r.First), [2]int(at), first.w, size, style)
		}
	}
	n.link.Text = Clean(r.Link)
	if r.Link != "" {
		lw := width(n.link.Text, size, style)
		first.w = fyne.Max(0, first.w-lw-Px(8))
		fit()
		n.link.TextSize = size
		mid(n.link, first.x+width(n.first.Text, size, style)+Px(8), 0, lw, s.Height)
	} else {
		fit()
	}
	put(n.strike, first.x, float32(int(s.Height/2))+1, width(n.first.Text, size, style), 2)
	n.strike.Hidden = !r.Struck || n.first.Text == ""
	n.placeLit(first)
	set(n.token, r.Tokens, c.tokens)
	n.placeBar(c, s)
	refreshAll(n.total, n.num, n.who, n.first, n.link, n.token, n.badge.text)
}

// mostLit bounds the places that are marked in one row.
const mostLit = 4

// hit is the first place in the first words that is marked; nil: there is none.
func (n *ledgerLine) hit() []int {
	if n.row.Hits == nil {
		return nil
	}
	return n.row.Hits.FindStringIndex(Clean(n.row.First))
}

// placeLit puts the marks behind the places in the first words that are to be seen.
func (n *ledgerLine) placeLit(at span) {
	var places [][]int
	if n.row.Hits != nil {
		places = n.row.Hits.FindAllStringIndex(n.first.Text, mostLit)
	}
	size, style := FontPx(13), fyne.TextStyle{}
	for i, box := range n.lit {
		box.Hidden = i >= len(places) || places[i][0] == places[i][1]
		if !box.Hidden {
			x := width(n.first.Text[:places[i][0]], size, style)
			w := width(n.first.Text[places[i][0]:places[i][1]], size, style)
			put(box, at.x+x-1, Px(3), w+2, n.BaseWidget.Size().Height-2*Px(3))
			paint(box, fade(Color(ColorAccent), .34), nil)
		}
	}
}

func (n *ledgerLine) placeBar(c ledgerColumns, s fyne.Size) {
	h := Px(6)
	w := clamp(n.row.Bar, 0, 1) * c.bar.w
	if w > 0 {
		w = fyne.Max(w, Px(3))
	}
	put(n.bar, c.bar.x, (s.Height-h)/2, w, h)
	n.bar.Hidden = w == 0
	x := c.fate.x + Px(badgeWidth) + Px(5)
	top, bottom := float32(0), s.Height
	switch n.row.Joined {
	case BracketTop:
		top = s.Height / 2
	case BracketBottom:
		bottom = s.Height / 2
	}
	put(n.bracket, x, top, 1, bottom-top)
	put(n.hook, x-Px(3), float32(int(s.Height/2)), Px(3), 1)
	n.bracket.Hidden = n.row.Joined == BracketNone || !n.l.more
	n.hook.Hidden = n.bracket.Hidden
}

func (n *ledgerLine) colors() {
	r := n.row
	fill := color.Color(color.Transparent)
	switch {
	case n.state.ranged || n.state.selected || r.Lit:
		fill = Color(ColorSelection)
	case n.state.hovered:
		fill = Color(ColorHover)
	}
	tint(n.bg, fill)
	tint(n.rule, fade(Color(ColorLine), .55))
	tint(n.edge, Color(ColorAccent))
	n.edge.Hidden = !(n.state.selected && n.state.focused)
	bar := Color(FateColor(r.Fate))
	if r.Faded {
		bar = blend(bar, Color(ColorPanel), .45)
	}
	tint(n.bar, bar)
	tint(n.bracket, Color(ColorFaint))
	tint(n.hook, Color(ColorFaint))
	tint(n.strike, Color(FateColor("D")))
	text := Color(ColorText)
	if r.Dim {
		text = Color(ColorMuted)
	}
	n.total.Color, n.num.Color = Color(ColorFaint), Color(ColorMuted)
	n.who.Color, n.first.Color, n.token.Color = Color(ColorText), text, Color(ColorText)
	if r.Faded {
		n.who.Color, n.token.Color = Color(ColorMuted), Color(ColorMuted)
	}
	if r.Past {
		n.num.Color, n.who.Color, n.first.Color, n.token.Color = Color(ColorFaint), Color(ColorFaint), Color(ColorFaint), Color(ColorFaint)
	}
	if r.Mark {
		n.who.Color = Color(ColorAccent)
	}
	if r.Warn {
		n.who.Color = Color(ColorWarning)
	}
	if r.Tokens == "?" {
		n.token.Color = Color(ColorFaint)
	}
	n.link.Color = Color(ColorAccent)
}

// CreateRenderer implements fyne.Widget.
func (n *ledgerLine) CreateRenderer() fyne.WidgetRenderer {
	objs := []fyne.CanvasObject{n.bg}
	for _, b := range n.lit {
		objs = append(objs, b)
	}
	n.r = &renderer{
		of: n,
		objs: append(objs, n.rule, n.edge, n.bar, n.bracket, n.hook, n.total, n.badge.raster,
			n.badge.text, n.num, n.sign, n.who, n.first, n.strike, n.link, n.token),
		layout: func(s fyne.Size) {
			if n.state.filled && s.Width != n.state.width {
				n.state.width = s.Width
				n.fill()
			}
		},
		min:     func() fyne.Size { return fyne.NewSize(Px(300), Px(24)) },
		refresh: func() { n.fill() },
	}
	return n.r
}

// MouseIn implements desktop.Hoverable.
func (n *ledgerLine) MouseIn(e *desktop.MouseEvent) {
	n.hover(true)
	n.carded = span{}
	n.explain(e)
}

// MouseMoved implements desktop.Hoverable.
func (n *ledgerLine) MouseMoved(e *desktop.MouseEvent) {
	if n.l.Card != nil && n.carded != n.number(e.Position.X) {
		n.explain(e)
	}
}

// number is the column of numbers at x; an empty one: there is none.
func (n *ledgerLine) number(x float32) span {
	for _, s := range []span{n.cols.tokens, n.cols.total} {
		if s.has(x) {
			return s
		}
	}
	return span{}
}

// explain shows the card of the number that the pointer is on, else the tip of the row.
func (n *ledgerLine) explain(e *desktop.MouseEvent) {
	t := n.number(e.Position.X)
	n.carded = t
	if t != (span{}) && n.l.Card != nil {
		if card := n.l.Card(n.i, t == n.cols.total); card != nil {
			row := fyne.CurrentApp().Driver().AbsolutePositionForObject(n)
			ShowCard(n.l, row.AddXY(t.x, 0), fyne.NewSize(t.w, n.BaseWidget.Size().Height), card)
			return
		}
	}
	hideTip(n.l)
	if n.l.Tip != nil {
		if tip := n.l.Tip(n.i); tip != "" {
			ShowTip(n.l, tip, e.AbsolutePosition)
		}
	}
}

// MouseOut implements desktop.Hoverable.
func (n *ledgerLine) MouseOut() {
	n.hover(false)
	hideTip(n.l)
}

func (n *ledgerLine) hover(on bool) {
	n.state.hovered = on
	n.colors()
	if f := n.l.OnHover; f != nil {
		if on {
			f(n.i)
		} else {
			f(-1)
		}
	}
}

// MouseDown selects at once: a row answers before the button is up.
func (n *ledgerLine) MouseDown(e *desktop.MouseEvent) {
	focus(n.l)
	hideTip(n.l)
	if e.Button != desktop.MouseButtonPrimary {
		return
	}
	n.l.choose(n.i, e.Modifier&fyne.KeyModifierShift != 0)
	x := e.Position.X
	switch {
	case n.l.OnFate != nil && n.row.Fate != "" && x >= n.cols.fate.x && x < n.cols.fate.x+n.cols.fate.w:
		n.l.OnFate(n.i)
	case n.l.OnFold != nil && n.row.Fold != FoldNone && x >= n.cols.who.x && x < n.cols.first.x:
		n.l.OnFold(n.i)
	case n.l.OnLink != nil && n.row.Link != "" && x >= n.link.Position().X && x < n.link.Position().X+n.link.Size().Width:
		n.l.OnLink(n.i)
	}
}

// MouseUp implements desktop.Mouseable.
func (n *ledgerLine) MouseUp(*desktop.MouseEvent) {}

// DoubleTapped opens the row.
func (n *ledgerLine) DoubleTapped(*fyne.PointEvent) {
	if n.l.OnOpen != nil {
		n.l.OnOpen(n.i)
	}
}

// TappedSecondary opens the menu of the row.
func (n *ledgerLine) TappedSecondary(e *fyne.PointEvent) {
	if from, to := n.l.Selection(); n.i < from || n.i >= to {
		n.l.choose(n.i, false)
	}
	if n.l.OnMenu != nil {
		n.l.OnMenu(n.i, e.AbsolutePosition)
	}
}
