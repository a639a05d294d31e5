package kit

import (
	"image/color"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// ledgerLine is the content of a row of a Ledger. It is filled again and again with
// different rows.
type ledgerLine struct {
	widget.BaseWidget
	l      *Ledger
	i      int // −1: not filled yet
	row    LedgerRow
	cols   ledgerColumns
	filled bool

	rule                                *canvas.Rectangle
	bracket, hook, strike               *canvas.Rectangle
	bar                                 *canvas.Rectangle
	total, num, who, first, link, token *canvas.Text
	badge                               *badgeParts
	sign                                *canvas.Raster
	glyph                               Glyph
	lit                                 [mostLit]*canvas.Rectangle // behind the first words
}

func newLedgerLine(l *Ledger) *ledgerLine {
	n := &ledgerLine{l: l, i: -1, badge: newBadgeParts()}
	n.rule, n.bracket, n.hook, n.strike = box(0), box(0), box(0), box(0)
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

// Object implements ListRow.
func (n *ledgerLine) Object() fyne.CanvasObject { return n }

// Fill implements ListRow.
func (n *ledgerLine) Fill(i int, _ bool) {
	row, cols := n.l.src.Row(i), n.l.columns()
	if n.filled && n.row == row && n.i == i && n.cols == cols {
		return
	}
	badge := n.badge.set(row.Fate, row.Faded)
	glyph := rowGlyph(row)
	sign := glyph != n.glyph
	n.filled, n.i, n.row, n.cols, n.glyph = true, i, row, cols, glyph
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
	c := n.cols
	size, style := FontPx(13), fyne.TextStyle{}
	set := func(t *canvas.Text, words string, at span) {
		t.TextSize = size
		t.Text = ""
		if at.w > 0 {
			t.Text = Ellipsize(Clean(words), at.w, size, style)
		}
		mid(t, at.x, 0, at.w, s.Height)
	}
	put(n.rule, 0, s.Height-1, s.Width, 1)
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
	n.placeStrike(first.x)
	n.placeLit(first)
	set(n.token, r.Tokens, c.tokens)
	n.placeBar(c, s)
	for _, o := range []fyne.CanvasObject{n.total, n.num, n.who, n.first, n.link, n.token, n.badge.text} {
		canvas.Refresh(o)
	}
}

// placeStrike strikes what is lost, where it stands in the first words; its end may be cut off.
func (n *ledgerLine) placeStrike(x float32) {
	text, struck := n.first.Text, Clean(n.row.Struck)
	begin, _, _ := strings.Cut(struck, " ")
	at := strings.LastIndex(text, begin)
	if n.strike.Hidden = at < 0 || struck == ""; !n.strike.Hidden {
		from := width(text[:at], FontPx(13), fyne.TextStyle{})
		to := width(text[:min(len(text), at+len(struck))], FontPx(13), fyne.TextStyle{})
		put(n.strike, x+from, float32(int(n.BaseWidget.Size().Height/2))+1, to-from, 2)
	}
}

// mostLit bounds the places that are marked in one row.
const mostLit = 4

// hit is the first place in the first words that is marked or struck; nil: there is none.
func (n *ledgerLine) hit() []int {
	if at := strings.Index(Clean(n.row.First), Clean(n.row.Struck)); at >= 0 && n.row.Struck != "" {
		return []int{at, at + len(Clean(n.row.Struck))}
	}
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
	tint(n.rule, fade(Color(ColorLine), .55))
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
	var objs []fyne.CanvasObject
	for _, b := range n.lit {
		objs = append(objs, b)
	}
	fill := func() {
		if n.filled {
			n.fill()
		}
	}
	return &renderer{
		of: n,
		objs: append(objs, n.rule, n.bar, n.bracket, n.hook, n.total, n.badge.raster,
			n.badge.text, n.num, n.sign, n.who, n.first, n.strike, n.link, n.token),
		layout:  func(fyne.Size) { fill() },
		min:     func() fyne.Size { return fyne.NewSize(Px(300), Px(24)) },
		refresh: fill,
	}
}

// press does what the part of the row at x is for.
func (n *ledgerLine) press(x float32) {
	switch {
	case n.l.OnFate != nil && n.row.Fate != "" && n.cols.fate.has(x):
		n.l.OnFate(n.i)
	case n.l.OnFold != nil && n.row.Fold != FoldNone && x >= n.cols.who.x && x < n.cols.first.x:
		n.l.OnFold(n.i)
	case n.l.OnLink != nil && n.row.Link != "" && (span{n.link.Position().X, n.link.Size().Width}).has(x):
		n.l.OnLink(n.i)
	}
}
