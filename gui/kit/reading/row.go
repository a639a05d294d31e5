package reading

import (
	"image/color"
	"strconv"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

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
func (r *row) CreateRenderer() fyne.WidgetRenderer {
	return &kit.Parts{List: func() []fyne.CanvasObject { return r.objs }}
}
