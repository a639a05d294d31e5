package reading

import (
	"image/color"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
	"golang.org/x/text/unicode/bidi"

	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model/body"
)

// row draws one row of the layout. It is filled anew only when what it shows
// changed.
type row struct {
	widget.BaseWidget
	v      *View
	i, gen int
	width  float32
	pieces []piece // of the text, from left to right
	objs   []fyne.CanvasObject
	rects  []*canvas.Rectangle
	texts  []*canvas.Text
	nr, nt int         // how many of them are used
	ground color.Color // what the texts are on
	// changed is the colour of what a line of a diff changes; "": nothing.
	changed fyne.ThemeColorName
	sign    *kit.Sign
	tap     tapped
}

// tapped is what a press on a row does beside selecting.
type tapped struct {
	fold body.Fold
	open bool
	is   bool
	// sides: it shows edits side by side, or no longer so.
	sides bool
	from  float32 // the part of the row that answers
	to    float32
}

// piece is a range of the block's text as it is drawn.
type piece struct {
	from, to int
	x, w     float32
	rtl      bool
	face     body.Face
	link     string
}

func newRow(v *View) *row {
	r := &row{v: v, i: -1, sign: kit.NewSign(kit.GlyphDown, kit.ColorFaint, 12)}
	r.ExtendBaseWidget(r)
	return r
}

func (r *row) show(i int) {
	if w := r.BaseWidget.Size().Width; r.i != i || r.gen != r.v.gen || r.width != w {
		r.i, r.gen, r.width = i, r.v.gen, w
		r.fill()
	}
}

func (r *row) rect(x, y, w, h float32, c color.Color) *canvas.Rectangle {
	if r.nr == len(r.rects) {
		r.rects = append(r.rects, canvas.NewRectangle(color.Transparent))
	}
	b := r.rects[r.nr]
	r.nr++
	b.FillColor, b.CornerRadius, b.StrokeWidth = c, 0, 0
	b.Move(fyne.NewPos(x, y))
	b.Resize(fyne.NewSize(w, h))
	return b
}

// text draws a text whose left edge is at x, and returns its width. Spaces before it are left
// out: the toolkit draws a text that begins with one lower than its neighbours.
func (r *row) text(s string, x float32, size float32, style fyne.TextStyle, c color.Color) float32 {
	if r.nt == len(r.texts) {
		r.texts = append(r.texts, canvas.NewText("", color.Transparent))
	}
	t := r.texts[r.nt]
	r.nt++
	t.Text, t.TextSize, t.TextStyle, t.Color = strings.TrimLeft(s, " "), size, style, c
	spaces := fyne.MeasureText(s[:len(s)-len(t.Text)], size, style).Width
	m := t.MinSize()
	t.Move(fyne.NewPos(x+spaces, (r.v.paper.Pitch-m.Height)/2))
	t.Resize(m)
	return spaces + m.Width
}

// fill makes the parts of the row.
func (r *row) fill() {
	r.nr, r.nt, r.pieces, r.tap = 0, 0, r.pieces[:0], tapped{}
	r.sign.Hidden = true
	v := r.v
	x := v.lay.Rows[r.i]
	b := &v.doc.Blocks[x.Block]
	left := kit.Px(leftRoom)
	r.ground = kit.Color(kit.ColorPanel)
	if b.Kind.Framed() {
		r.ground = kit.Color(kit.ColorBackground)
	}
	quotes := b.Quote
	if x.Kind == body.RowGap && x.Block > 0 {
		quotes = min(quotes, v.doc.Blocks[x.Block-1].Quote)
	}
	for q := range quotes {
		at := left + v.em()*(1.6*float32(b.Indent)+1.2*float32(q)) + kit.Px(2)
		r.rect(at, 0, kit.Px(2), v.paper.Pitch, kit.Color(kit.ColorLine))
	}
	switch x.Kind {
	case body.RowGap:
	case body.RowRule:
		r.rect(left+x.X, v.paper.Pitch/2, r.width-left-x.X-kit.Px(rightRoom), 1, kit.Color(kit.ColorLine))
	case body.RowHead:
		r.head(b, left+x.X)
	case body.RowFold:
		r.fold(x, b, left+x.X)
	case body.RowPicture:
	default:
		r.line(x, b, left)
	}
	r.objs = r.objs[:0]
	for _, o := range r.rects[:r.nr] {
		r.objs = append(r.objs, o)
	}
	for _, o := range r.texts[:r.nt] {
		r.objs = append(r.objs, o)
	}
	r.objs = append(r.objs, r.sign)
	canvas.Refresh(r)
	for _, o := range r.objs {
		canvas.Refresh(o)
	}
}

// head is the title of a frame: the file, and how much an edit changes.
func (r *row) head(b *body.Block, x float32) {
	size, bold := kit.FontPx(12), fyne.TextStyle{Bold: true}
	title := kit.Ellipsize(kit.Clean(b.Title), r.width-x-kit.Px(120), size, bold)
	at := x + r.text(title, x, size, bold, kit.Color(kit.ColorText)) + kit.Px(10)
	if b.Kind == body.Diff {
		added, removed := b.Changed()
		at += r.text("+"+strconv.Itoa(added), at, kit.FontPx(12), fyne.TextStyle{}, kit.Color(kit.ColorKept)) + kit.Px(8)
		at += r.text("−"+strconv.Itoa(removed), at, kit.FontPx(12), fyne.TextStyle{}, kit.Color(kit.ColorDropped))
		r.sidesSwitch(at + kit.Px(16))
	}
}

// sidesSwitch offers the other way to show an edit, at the right of its title.
func (r *row) sidesSwitch(least float32) {
	said := words.T("reading.toSides")
	if r.v.paper.Sides {
		said = words.T("reading.toUnified")
	}
	w := fyne.MeasureText(said, kit.FontPx(12), fyne.TextStyle{}).Width
	at := r.width - kit.Px(rightRoom+8) - w
	if at < least {
		return
	}
	r.text(said, at, kit.FontPx(12), fyne.TextStyle{}, kit.Color(kit.ColorAccent))
	r.tap = tapped{is: true, sides: true, from: at, to: at + w}
}

// fold is the row in the place of a folded middle.
func (r *row) fold(x body.Row, b *body.Block, at float32) {
	hidden := b.Text[x.From:x.To]
	said := words.T("reading.moreBytes", "size", words.Bytes(int64(len(hidden))))
	if n := strings.Count(hidden, "\n"); n > 1 {
		said = words.T("reading.moreLines", "count", n)
	}
	inside := 0
	for _, h := range r.v.hits {
		if h.Block == int(x.Block) && h.From >= int(x.From) && h.From < int(x.To) {
			inside++
		}
	}
	if inside > 0 {
		said += " · " + words.T("reading.hitsInside", "count", inside)
	}
	w := r.text("… "+said+" · ", at, kit.FontPx(12), fyne.TextStyle{}, kit.Color(kit.ColorMuted))
	w += r.text(words.T("reading.showAll"), at+w, kit.FontPx(12), fyne.TextStyle{}, kit.Color(kit.ColorAccent))
	r.tap = tapped{fold: body.Fold{Block: int(x.Block), Line: body.Middle}, open: true, is: true, from: at, to: at + w}
}

// line draws text with its colours, and what comes before it.
func (r *row) line(x body.Row, b *body.Block, left float32) {
	mono := r.v.faces[body.FaceMono].Rune('0')
	if x.Cells > 0 && b.Kind == body.Diff {
		r.sides(x, b, left, mono)
		return
	}
	if b.Kind == body.Diff {
		r.diffSigns(x, b, left, mono)
	}
	r.before(x, b, left, mono)
	if x.Cells > 0 {
		r.cells(x, b, left)
		return
	}
	end := r.run(int(x.Block), int(x.From), int(x.To), left+x.X, r.width-left-x.X-kit.Px(rightRoom))
	switch {
	case b.Kind == body.Tree && x.Head && b.Ends[x.Line] > x.Line:
		r.triangle(x, b, left, mono, end)
	case b.Kind == body.Picture:
		r.text("  "+words.Bytes(int64(b.Size)), end, kit.FontPx(12), fyne.TextStyle{}, kit.Color(kit.ColorFaint))
	case b.Kind == body.Code && x.Line == 0 && x.Head && b.Title != "" && r.v.lay.Rows[max(0, r.i-1)].Kind != body.RowHead:
		title := kit.Clean(b.Title)
		w := fyne.MeasureText(title, kit.FontPx(11), fyne.TextStyle{}).Width
		if at := r.width - kit.Px(rightRoom+8) - w; at > end+kit.Px(8) {
			r.text(title, at, kit.FontPx(11), fyne.TextStyle{}, kit.Color(kit.ColorFaint))
		}
	}
	feed := int(x.To) < len(b.Text) && b.Text[x.To] == '\n'
	if feed && r.v.sel.covers(body.Place{Block: int(x.Block), At: int(x.To)}) {
		r.rect(end, 0, kit.Px(5), r.v.paper.Pitch, kit.Color(kit.ColorSelection))
	}
}

// before draws the number of a line and the marker of a list's item.
func (r *row) before(x body.Row, b *body.Block, left, mono float32) {
	if x.No > 0 {
		s, style := strconv.Itoa(int(x.No)), fyne.TextStyle{Monospace: true}
		w := fyne.MeasureText(s, kit.FontPx(11), style).Width
		at := left + x.X - w - mono*1.2 - r.foldRoom(b, mono)
		r.text(s, at, kit.FontPx(11), style, readable(kit.Color(kit.ColorFaint), r.ground))
	}
	if x.Head && x.Line == 0 && b.Marker != "" {
		w := fyne.MeasureText(b.Marker, kit.FontPx(textSize), fyne.TextStyle{}).Width
		r.text(b.Marker, left+x.X-w-kit.Px(6), kit.FontPx(textSize), fyne.TextStyle{}, kit.Color(kit.ColorMuted))
	}
}

func (r *row) foldRoom(b *body.Block, mono float32) float32 {
	switch b.Kind {
	case body.Tree:
		return 2 * mono
	}
	return 0
}

// triangle is the sign that folds a line of a tree, and what a folded one holds.
func (r *row) triangle(x body.Row, b *body.Block, left, mono, end float32) {
	f := body.Fold{Block: int(x.Block), Line: int(x.Line)}
	open := r.v.paper.IsOpen(b, f, int(x.From))
	g := kit.GlyphRight
	if open {
		g = kit.GlyphDown
	}
	indent := float32(len(b.Text[x.From:x.To])-len(strings.TrimLeft(b.Text[x.From:x.To], " "))) * mono
	r.sign.Set(g, kit.ColorFaint)
	at := left + x.X + indent - mono*2
	r.sign.Move(fyne.NewPos(at, (r.v.paper.Pitch-kit.Px(12))/2))
	r.sign.Resize(fyne.NewSize(kit.Px(12), kit.Px(12)))
	r.sign.Hidden = false
	to := end
	if !open {
		said := " … " + words.T("reading.lines", "count", int(b.Ends[x.Line]-x.Line))
		to = end + r.text(said, end, kit.FontPx(12), fyne.TextStyle{}, kit.Color(kit.ColorFaint))
	}
	r.tap = tapped{fold: f, open: !open, is: true, from: at - kit.Px(2), to: at + kit.Px(16)}
	if !open {
		r.tap.to = to
	}
}

// diffSigns draws what a line of a diff is, and what is behind its text.
func (r *row) diffSigns(x body.Row, b *body.Block, left, mono float32) {
	m := b.Marks[x.Line]
	at := left + r.v.doc.Inset(b, r.v.em()) + 1
	ink := r.behindLine(m.Sign, at, r.width-at-kit.Px(rightRoom)-1)
	if !x.Head {
		return
	}
	r.signBefore(m.Sign, left+x.X-mono*2, ink)
	digits := body.DiffDigits(b)
	r.numberBefore(m.Old, left+x.X-mono*3-float32(digits)*mono)
	r.numberBefore(m.New, left+x.X-mono*3)
}

// behindLine draws what is behind a line of a diff, and returns the ink of its sign.
func (r *row) behindLine(sign byte, at, width float32) fyne.ThemeColorName {
	ink := map[byte]fyne.ThemeColorName{'+': kit.ColorKept, '-': kit.ColorDropped}[sign]
	r.changed = ink
	if ink == "" {
		return kit.ColorFaint
	}
	r.ground = mix(r.ground, kit.Color(ink), diffShare)
	r.rect(at, 0, width, r.v.paper.Pitch, r.ground)
	return ink
}

// signBefore draws the sign of a line of a diff.
func (r *row) signBefore(sign byte, x float32, ink fyne.ThemeColorName) {
	if s := map[byte]string{'+': "+", '-': "−"}[sign]; s != "" {
		r.text(s, x, kit.FontPx(monoSize), fyne.TextStyle{Monospace: true}, readable(kit.Color(ink), r.ground))
	}
}

// numberBefore draws the number of a line of a diff; 0: it is unknown.
func (r *row) numberBefore(n int32, right float32) {
	if n == 0 {
		return
	}
	s, style := strconv.Itoa(int(n)), fyne.TextStyle{Monospace: true}
	w := fyne.MeasureText(s, kit.FontPx(11), style).Width
	r.text(s, right-w, kit.FontPx(11), style, readable(kit.Color(kit.ColorFaint), r.ground))
}

// sides draws a row of a diff side by side.
func (r *row) sides(x body.Row, b *body.Block, left, mono float32) {
	ground, gutter := r.ground, body.SideGutter(b, mono)
	cells := r.v.lay.Cells[x.Cells-1]
	for _, c := range cells {
		m := b.Marks[c.Line]
		at := left + c.X - gutter
		r.ground = ground
		if m.Sign == '@' {
			r.run(int(x.Block), int(c.From), int(c.To), left+c.X, c.Width)
			continue
		}
		ink := r.behindLine(m.Sign, at-mono/2, gutter+c.Width+mono/2)
		if x.Head {
			r.signBefore(m.Sign, left+c.X-mono*2, ink)
			n := m.Old
			if c.Right {
				n = m.New
			}
			r.numberBefore(n, left+c.X-mono*2.5)
		}
		r.run(int(x.Block), int(c.From), int(c.To), left+c.X, c.Width)
	}
	r.ground = ground
}

// cells draws one row of a table.
func (r *row) cells(x body.Row, b *body.Block, left float32) {
	cells := r.v.lay.Cells[x.Cells-1]
	for _, c := range cells {
		at := left + c.X
		if c.Align != body.AlignLeft {
			w := r.measure(b, int(c.From), int(c.To))
			free := max(0, c.Width-w)
			if c.Align == body.AlignCenter {
				free /= 2
			}
			at += free
		}
		r.run(int(x.Block), int(c.From), int(c.To), at, c.Width+kit.Px(4))
	}
	last := r.i+1 >= len(r.v.lay.Rows) || r.v.lay.Rows[r.i+1].Block != x.Block
	if next := r.i + 1; !last && r.v.lay.Rows[next].Head {
		frame := left + r.v.doc.Inset(b, r.v.em())
		r.rect(frame, r.v.paper.Pitch-1, r.width-frame-kit.Px(rightRoom), 1, kit.Color(kit.ColorLine))
	}
}

// measure is how wide a range of text is.
func (r *row) measure(b *body.Block, from, to int) (w float32) {
	for _, p := range r.split(b, from, to) {
		size, style := r.letters(b, p.st)
		w += fyne.MeasureText(kit.Clean(b.Text[p.from:p.to]), size, style).Width
	}
	return w
}

// stretch is a range of text of one style.
type stretch struct {
	from, to int
	st       body.Style
	link     string
	hit      int // 1: of a hit, 2: of the current one
	tab      bool
}

// split cuts a range of text where its look changes.
func (r *row) split(b *body.Block, from, to int) (out []stretch) {
	k := sort.Search(len(b.Spans), func(i int) bool { return b.Spans[i].To > from })
	for from < to {
		s := stretch{from: from, to: to}
		if k < len(b.Spans) {
			if sp := b.Spans[k]; sp.From > from {
				s.to = min(to, sp.From)
			} else {
				s.to, s.st, s.link = min(to, sp.To), sp.Style, sp.Link
				if sp.To <= to {
					k++
				}
			}
		}
		if i := strings.IndexByte(b.Text[from:s.to], '\t'); i == 0 {
			s.to, s.tab = from+1, true
		} else if i > 0 {
			s.to = from + i
		}
		if k > 0 && b.Spans[k-1].To > s.to && b.Spans[k-1].From <= s.from {
			k--
		}
		out = append(out, s)
		from = s.to
	}
	return out
}

// lit cuts stretches at the ends of hits.
func (r *row) lit(block int, list []stretch) (out []stretch) {
	hits := r.v.hits
	for _, s := range list {
		k := sort.Search(len(hits), func(i int) bool {
			return hits[i].Block > block || hits[i].Block == block && hits[i].To > s.from
		})
		for s.from < s.to {
			p := s
			if k < len(hits) && hits[k].Block == block && hits[k].From < s.to {
				if h := hits[k]; h.From > s.from {
					p.to = h.From
				} else {
					p.to = min(s.to, h.To)
					p.hit = 1
					if k == r.v.current {
						p.hit = 2
					}
					k++
				}
			}
			out = append(out, p)
			s.from = p.to
		}
	}
	return out
}

// letters are the size and the face of a style.
func (r *row) letters(b *body.Block, st body.Style) (float32, fyne.TextStyle) {
	style := fyne.TextStyle{Bold: st.Bold, Italic: st.Italic}
	switch {
	case b.Kind.Mono() && !b.Prose:
		return kit.FontPx(monoSize), fyne.TextStyle{Monospace: true, Bold: st.Bold}
	case st.Code:
		return kit.FontPx(monoSize), fyne.TextStyle{Monospace: true}
	case b.Kind == body.Heading:
		style.Bold = true
		return kit.FontPx(textSize) * body.HeadingScale(b.Level), style
	case b.Kind == body.Label:
		return kit.FontPx(11), fyne.TextStyle{Bold: true}
	}
	return kit.FontPx(textSize), style
}

// run draws a range of a block's text from x on, and returns where it ends.
func (r *row) run(block, from, to int, x, room float32) float32 {
	b := &r.v.doc.Blocks[block]
	list := r.lit(block, r.split(b, from, to))
	order, right := visual(b.Text, list)
	if right && !b.Kind.Mono() {
		x = max(x, x+room-r.measure(b, from, to))
	}
	start := x
	for _, o := range order {
		x += r.piece(block, o, x, start)
	}
	return x
}

// piece draws one stretch and returns its width.
func (r *row) piece(block int, s visualStretch, x, start float32) float32 {
	b := &r.v.doc.Blocks[block]
	size, style := r.letters(b, s.st)
	p := piece{from: s.from, to: s.to, x: x, link: s.link, rtl: s.rtl, face: faceOf(b, style)}
	said := b.Text[s.from:s.to]
	if s.tab {
		p.w = body.TabStop(x-start, r.v.faces[p.face].Rune(' ')) - (x - start)
	} else {
		said = kit.Clean(strings.TrimSuffix(said, "\r"))
		if b.Kind == body.Label {
			said = strings.ToUpper(said)
		}
		p.w = fyne.MeasureText(said, size, style).Width
	}
	r.pieces = append(r.pieces, p)
	h := r.v.paper.Pitch
	behind := r.ground
	switch {
	case s.hit == 2:
		behind = kit.Color(kit.ColorAccent)
		r.rect(x, 1, p.w, h-2, behind).CornerRadius = 2
	case s.hit == 1:
		behind = mix(r.ground, kit.Color(kit.ColorAccent), hitShare)
		r.rect(x, 1, p.w, h-2, behind).CornerRadius = 2
	case s.st.Changed && r.changed != "":
		behind = mix(r.ground, kit.Color(r.changed), changedShare)
		r.rect(x, 0, p.w, h, behind)
	case s.st.Code && strings.TrimSpace(said) != "":
		behind = kit.Color(kit.ColorRaised)
		r.rect(x-1, 1, p.w+2, h-2, behind).CornerRadius = 3
	case s.st.Invert:
		behind = colorOf(r.inkOf(b, s.st), r.ground)
		r.rect(x, 0, p.w, h, behind)
	case s.st.Back != 0:
		behind = color.NRGBA{uint8(s.st.Back >> 16), uint8(s.st.Back >> 8), uint8(s.st.Back), 255}
		r.rect(x, 0, p.w, h, behind)
	}
	if a, z, ok := r.v.sel.within(block, s.from, s.to); ok {
		behind = kit.Color(kit.ColorSelection)
		from, to := r.xIn(b, p, a), r.xIn(b, p, z)
		r.rect(min(from, to), 0, max(from, to)-min(from, to), h, behind)
	}
	if s.tab || strings.TrimSpace(said) == "" {
		return p.w
	}
	c := colorOf(r.inkOf(b, s.st), behind)
	switch s.hit {
	case 1:
		c = readable(kit.Color(kit.ColorText), behind)
	case 2:
		c = readable(kit.Color(kit.ColorOnAccent), behind)
	}
	r.text(said, x, size, style, c)
	for run, at := range kit.Bolder(said, size, style) {
		r.text(run, x+at, size, style, c)
	}
	if s.link != "" || s.st.Under {
		r.rect(x, h-kit.Px(3), p.w, 1, c)
	}
	if s.st.Strike {
		r.rect(x, h/2, p.w, 1, c)
	}
	return p.w
}

// inkOf is the style of a text, by its block where it has no colour of its own.
func (r *row) inkOf(b *body.Block, st body.Style) body.Style {
	if st.Ink != body.InkText || st.RGB != 0 {
		return st
	}
	switch {
	case b.Warn:
		st.Ink = body.InkWarn
	case b.Kind == body.Label:
		st.Ink = body.InkFaint
	case b.Kind == body.Picture, b.Quote > 0:
		st.Ink = body.InkMuted
	}
	return st
}

func faceOf(b *body.Block, style fyne.TextStyle) body.Face {
	switch {
	case style.Monospace:
		return body.FaceMono
	case style.Bold:
		return body.FaceBold
	}
	return body.FaceText
}

// xIn is where a place of the text is within a piece.
func (r *row) xIn(b *body.Block, p piece, at int) float32 {
	part := r.advance(b, p, p.from, at)
	if all := r.advance(b, p, p.from, p.to); all > 0 {
		part *= p.w / all
	}
	if p.rtl {
		return p.x + p.w - part
	}
	return p.x + part
}

func (r *row) advance(b *body.Block, p piece, from, to int) (sum float32) {
	for _, c := range b.Text[from:min(max(from, to), p.to)] {
		sum += r.v.faces[p.face].Rune(c)
	}
	return sum
}

// placeAt is the place of the text that is nearest to x.
func (r *row) placeAt(x float32) int {
	row := r.v.lay.Rows[r.i]
	b := &r.v.doc.Blocks[row.Block]
	if len(r.pieces) == 0 {
		return int(row.From)
	}
	best := r.pieces[0]
	for _, p := range r.pieces {
		if p.x <= x && (best.x > x || p.x > best.x) {
			best = p
		}
	}
	at := best.from
	for at < best.to {
		_, n := utf8.DecodeRuneInString(b.Text[at:])
		a, z := r.xIn(b, best, at), r.xIn(b, best, at+n)
		if mid := (a + z) / 2; !best.rtl && x < mid || best.rtl && x > mid {
			break
		}
		at += n
	}
	return at
}

// linkAt is where the link at x leads; "": there is none.
func (r *row) linkAt(x float32) string {
	for _, p := range r.pieces {
		if x >= p.x && x < p.x+p.w {
			return p.link
		}
	}
	return ""
}

// CreateRenderer implements fyne.Widget.
func (r *row) CreateRenderer() fyne.WidgetRenderer { return &rowRenderer{r} }

type rowRenderer struct{ r *row }

// Layout implements fyne.WidgetRenderer.
func (x *rowRenderer) Layout(fyne.Size) {}

// MinSize implements fyne.WidgetRenderer.
func (x *rowRenderer) MinSize() fyne.Size { return fyne.NewSize(0, 0) }

// Refresh implements fyne.WidgetRenderer.
func (x *rowRenderer) Refresh() {}

// Objects implements fyne.WidgetRenderer.
func (x *rowRenderer) Objects() []fyne.CanvasObject { return x.r.objs }

// Destroy implements fyne.WidgetRenderer.
func (x *rowRenderer) Destroy() {}

type visualStretch struct {
	stretch
	rtl bool
}

// visual puts stretches in the order in which they are seen, and reports whether the
// line runs from right to left. A line without letters of such scripts stays as it
// is.
func visual(text string, list []stretch) (out []visualStretch, right bool) {
	if len(list) == 0 {
		return nil, false
	}
	from := list[0].from
	line := text[from:list[len(list)-1].to]
	if !strings.ContainsFunc(line, rightToLeft) || !utf8.ValidString(line) {
		for _, s := range list {
			out = append(out, visualStretch{stretch: s})
		}
		return out, false
	}
	var p bidi.Paragraph
	if _, err := p.SetString(line); err != nil {
		return out, false
	}
	order, err := p.Order()
	if err != nil {
		return out, false
	}
	right = !p.IsLeftToRight()
	done := 0
	for i := range order.NumRuns() {
		run := order.Run(i)
		n := len(run.String()) // runs follow each other; their positions count characters
		a, z := done, done+n-1
		done += n
		var part []visualStretch
		for _, s := range list {
			s.from, s.to = max(s.from, from+a), min(s.to, from+z+1)
			if s.from >= s.to {
				continue
			}
			if run.Direction() != bidi.RightToLeft {
				part = append(part, visualStretch{stretch: s})
				continue
			}
			for _, s := range spaced(text, s) { // a space alone keeps its side of the words
				part = append(part, visualStretch{stretch: s, rtl: true})
			}
		}
		if run.Direction() == bidi.RightToLeft {
			reverse(part)
		}
		if right {
			out = append(part, out...)
		} else {
			out = append(out, part...)
		}
	}
	return out, right
}

// spaced parts a stretch from the spaces before and behind it.
func spaced(text string, s stretch) (out []stretch) {
	in := text[s.from:s.to]
	a := s.from + len(in) - len(strings.TrimLeft(in, " "))
	z := max(a, s.from+len(strings.TrimRight(in, " ")))
	for _, r := range [][2]int{{s.from, a}, {a, z}, {z, s.to}} {
		if r[0] < r[1] {
			p := s
			p.from, p.to = r[0], r[1]
			out = append(out, p)
		}
	}
	return out
}

func reverse(list []visualStretch) {
	for i, k := 0, len(list)-1; i < k; i, k = i+1, k-1 {
		list[i], list[k] = list[k], list[i]
	}
}

func rightToLeft(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko)
}
