package body

import (
	"math"
	"sort"
	"strings"
	"unicode/utf8"
)

// Face is a face of letters.
type Face uint8

// The faces that texts are drawn in.
const (
	FaceText Face = iota
	FaceBold
	FaceMono
)

// Paper says how a body is laid out. Lengths are in units of the canvas.
type Paper struct {
	Width float32
	Pitch float32 // height of a row
	// Letter is how wide a character is. It is called by one goroutine at a time.
	Letter func(Face, rune) float32
	// Sides shows what an edit changes side by side, where there is room.
	Sides bool
	// Numbers shows the numbers of lines where a text has none of its own.
	Numbers bool
	// Open are the folds that somebody opened or closed; the others are as they
	// come.
	Open map[Fold]bool
	// Picture is the size of a picture in pixels; 0, 0: it can't be shown.
	Picture func(media int) (w, h int)
}

// Fold is a place that can be folded: an object of a tree by its line, or with
// Middle the middle of a long text.
type Fold struct{ Block, Line int }

// Middle is the line of the fold that is the middle of a long text.
const Middle = -1

// RowKind is what a row is.
type RowKind uint8

// The kinds of rows.
const (
	RowText    RowKind = iota
	RowGap             // nothing, between blocks
	RowHead            // the title of a frame
	RowFold            // the folded middle of a text: From and To are what it hides
	RowPicture         // the height of a picture; the first of its rows has Head
	RowRule
)

// Row is one line on the screen: a range of a block's text.
type Row struct {
	Block    int32
	From, To int32
	Line     int32 // of the block's text, from 0
	No       int32 // the number in front; 0: none
	Cells    int32 // of a table or a diff side by side: 1 + the index into Layout.Cells
	Kind     RowKind
	Head     bool // it begins its line
	X        float32
}

// Cell is a piece of a row of a table, or of a diff side by side.
type Cell struct {
	From, To int32
	X, Width float32
	Align    Align
	Line     int32 // of a diff side by side: the line of the block's text
	Right    bool  // of a diff side by side: it is what came
}

// Layout is a body as rows of one height.
type Layout struct {
	Doc   *Doc
	Rows  []Row
	Cells [][]Cell
}

// When the middle of a text is folded: where it has more lines or bytes than
// these, of which so much is left at both ends.
const (
	foldLines, foldBytes = 400, 128 << 10
	headLines, headBytes = 200, 48 << 10
	tailLines, tailBytes = 100, 24 << 10
)

// The measures of a body, in widths of the letter that is meant by an em: that of
// the wide M.
const (
	indentEms = 1.6
	quoteEms  = 1.2
	frameEms  = .8
)

// rowLimit is the most bytes of a row; no row on a screen is longer.
const rowLimit = 8 << 10

// Lay lays a body out. Its cost grows with what is open, not with what is folded.
func (d *Doc) Lay(p Paper) *Layout {
	l := layer{p: p, out: &Layout{Doc: d}, em: p.Letter(FaceText, 'M')}
	for i := range d.Blocks {
		b := &d.Blocks[i]
		if !b.Tight && len(l.out.Rows) > 0 {
			l.row(Row{Block: int32(i), Kind: RowGap})
		}
		l.block(i, b)
	}
	return l.out
}

// Inset is how far from the left edge a block's text, quotes and frame begin.
func (d *Doc) Inset(b *Block, em float32) float32 {
	return em * (indentEms*float32(b.Indent) + quoteEms*float32(b.Quote))
}

// HeadingScale is how much larger than text a heading is.
func HeadingScale(level int) float32 {
	switch level {
	case 1:
		return 1.32
	case 2:
		return 1.18
	case 3:
		return 1.08
	}
	return 1
}

type layer struct {
	p   Paper
	out *Layout
	em  float32
}

func (l *layer) row(r Row) { l.out.Rows = append(l.out.Rows, r) }

func (l *layer) block(i int, b *Block) {
	x := l.out.Doc.Inset(b, l.em)
	if b.Kind.Framed() {
		x += frameEms * l.em
	}
	if b.Title != "" && (b.Kind == Diff || b.Kind == Code && (b.First > 0 || strings.ContainsAny(b.Title, "./ "))) {
		l.row(Row{Block: int32(i), Kind: RowHead, X: x})
	}
	switch b.Kind {
	case Rule:
		l.row(Row{Block: int32(i), Kind: RowRule, X: x})
	case Picture:
		l.picture(i, x)
	case Table:
		l.table(i, b, x)
	case Tree:
		l.tree(i, b, x)
	default:
		l.text(i, b, x)
	}
}

// The most that a picture takes, in rows; and in ems across.
const (
	pictureRows = 19
	pictureEms  = 54
)

// PictureSize is how large a picture is drawn.
func (p Paper) PictureSize(w, h int, em float32) (float32, float32) {
	if w <= 0 || h <= 0 {
		return 0, 0
	}
	k := min(1, min(p.Width, pictureEms*em)/float32(w), pictureRows*p.Pitch/float32(h))
	return float32(w) * k, float32(h) * k
}

func (l *layer) picture(i int, x float32) {
	b := &l.out.Doc.Blocks[i]
	l.row(Row{Block: int32(i), To: int32(len(b.Text)), Head: true, X: x})
	if l.p.Picture == nil {
		return
	}
	w, h := l.p.Picture(b.Media)
	if _, high := l.p.PictureSize(w, h, l.em); high > 0 {
		for k := range int(math.Ceil(float64(high / l.p.Pitch))) {
			l.row(Row{Block: int32(i), Kind: RowPicture, Head: k == 0, X: x})
		}
	}
}

// text lays out lines, with the middle folded where there are too many.
func (l *layer) text(i int, b *Block, x float32) {
	head, tail := headEnd(b.Text), tailStart(b.Text)
	short := len(b.Text) <= foldBytes && strings.Count(b.Text, "\n") < foldLines
	if short || head >= tail || l.p.Open[Fold{i, Middle}] {
		l.lines(i, x, 0, len(b.Text), 0)
		return
	}
	l.lines(i, x, 0, head, 0)
	l.row(Row{Block: int32(i), From: int32(head), To: int32(tail), Kind: RowFold, X: x})
	l.lines(i, x, tail, len(b.Text), strings.Count(b.Text[:tail], "\n"))
}

// headEnd is where the shown beginning of a long text ends: behind a line feed,
// or within a very long line.
func headEnd(s string) int {
	room := s[:min(len(s), headBytes)]
	end := 0
	for range headLines {
		i := strings.IndexByte(room[end:], '\n')
		if i < 0 {
			if end < headBytes/4 {
				end = len(room)
			}
			break
		}
		end += i + 1
	}
	for end < len(s) && !utf8.RuneStart(s[end]) {
		end--
	}
	return end
}

// tailStart is where the shown end of a long text begins.
func tailStart(s string) int {
	least := max(0, len(s)-tailBytes)
	at := max(least, len(s)-1) // before a line feed at the end
	for range tailLines {
		i := strings.LastIndexByte(s[least:at], '\n')
		if i < 0 {
			if at > len(s)-tailBytes/4 {
				at = least - 1 // a very long line
			}
			break
		}
		at = least + i
	}
	for at++; at < len(s) && !utf8.RuneStart(s[at]); at++ {
	}
	return max(0, at)
}

// numbersOf reports whether the lines of a block have numbers, and how many
// digits they take.
func (l *layer) numbersOf(b *Block) (first, digits int) {
	if b.First == 0 && (!l.p.Numbers || b.Kind == Diff || b.Kind == Paragraph || b.Kind == Heading || b.Kind == Label) {
		return 0, 0
	}
	first = max(1, b.First)
	digits = 2
	for n := first + strings.Count(b.Text, "\n"); n >= 100; n /= 10 {
		digits++
	}
	return first, digits
}

// Gutter is how wide the column of numbers before a block's text is.
func gutter(digits int, mono float32) float32 {
	if digits == 0 {
		return 0
	}
	return float32(digits+2) * mono
}

// lines lays out the lines of a range of a block's text.
func (l *layer) lines(i int, x float32, from, to, line int) {
	if l.sides(i, x, from, to, line) {
		return
	}
	b := &l.out.Doc.Blocks[i]
	first, digits := l.numbersOf(b)
	mono := l.p.Letter(FaceMono, '0')
	x += gutter(digits, mono)
	if b.Kind == Diff {
		x += diffGutter(b, mono)
	}
	w := wrapper{l: l, b: b, mono: b.Kind.Mono() && !b.Prose, room: l.p.Width - x - l.right(b), scale: 1, bold: b.Kind == Label}
	if b.Kind == Heading {
		w.scale, w.bold = HeadingScale(b.Level), true
	}
	for from < to || from == 0 && to == 0 {
		end := to
		if k := strings.IndexByte(b.Text[from:to], '\n'); k >= 0 {
			end = from + k
		}
		r := Row{Block: int32(i), Line: int32(line), X: x, Head: true}
		if first > 0 {
			r.No = int32(first + line)
		}
		w.wrap(r, from, end)
		if end >= to {
			break
		}
		from = end + 1
		line++
	}
}

// right is what stays free at the right of a block.
func (l *layer) right(b *Block) float32 {
	if b.Kind.Framed() {
		return frameEms * l.em
	}
	return 0
}

// diffGutter is the room of the numbers and the signs before the lines of a diff.
func diffGutter(b *Block, mono float32) float32 {
	return mono * float32(2*DiffDigits(b)+3)
}

// DiffDigits is the width, in characters, of a column of line numbers of a diff; 0: it
// has none.
func DiffDigits(b *Block) int {
	n := int32(0)
	for _, m := range b.Marks {
		n = max(n, m.Old, m.New)
	}
	if n == 0 {
		return 0
	}
	digits := 2
	for ; n >= 100; n /= 10 {
		digits++
	}
	return digits + 1
}

// wrapper breaks one line of a block into rows.
type wrapper struct {
	l     *layer
	b     *Block
	mono  bool
	bold  bool
	room  float32
	scale float32
	span  int // the first one that may cover what is looked at
}

// width is how wide a character of the block's text is.
func (w *wrapper) width(at int, r rune) float32 {
	if w.mono {
		return w.l.p.Letter(FaceMono, r)
	}
	face := FaceText
	if w.bold {
		face = FaceBold
	}
	s := w.b.Spans
	for w.span < len(s) && s[w.span].To <= at {
		w.span++
	}
	if w.span < len(s) && s[w.span].From <= at {
		if s[w.span].Code {
			face = FaceMono
		} else if s[w.span].Bold {
			face = FaceBold
		}
	}
	return w.l.p.Letter(face, r) * w.scale
}

// TabStop is where a tab ends that begins at x; space is the width of a space.
func TabStop(x, space float32) float32 {
	stop := 4 * space
	return stop * float32(math.Floor(float64(x/stop+.01))+1)
}

// seek goes back or forth to the first span that may cover a place.
func (w *wrapper) seek(at int) {
	w.span = sort.Search(len(w.b.Spans), func(i int) bool { return w.b.Spans[i].To > at })
}

func (w *wrapper) wrap(r Row, from, to int) {
	w.seek(from)
	hang := float32(0)
	if w.mono {
		for i := from; i < to && w.b.Text[i] == ' '; i++ {
			hang += w.l.p.Letter(FaceMono, ' ')
		}
		if hang > w.room/2 {
			hang = 0
		}
	}
	for {
		end := w.fit(from, to, w.room)
		r.From, r.To = int32(from), int32(end)
		w.l.row(r)
		if end >= to {
			return
		}
		for from = end; from < to && w.b.Text[from] == ' '; from++ {
		}
		if from >= to {
			return
		}
		if r.Head {
			r.Head, r.No = false, 0
			r.X += hang
			w.room -= hang
			defer func() { w.room += hang }()
		}
		w.seek(from)
	}
}

// fit is the end of what fits in one row, at least one character.
func (w *wrapper) fit(from, to int, room float32) int {
	var x float32
	cut, ink := -1, false
	before := rune(0)
	for i := from; i < to; {
		r, n := utf8.DecodeRuneInString(w.b.Text[i:])
		switch r {
		case '\t':
			x = TabStop(x, w.width(i, ' '))
		case '\r':
		default:
			x += w.width(i, r)
		}
		if i > from && (x > room || i-from >= rowLimit) {
			if r == ' ' && ink {
				return i
			}
			if cut > from {
				return cut
			}
			return i
		}
		if ink && mayBreak(before, r) {
			cut = i
		}
		if r != ' ' && r != '\t' {
			ink = true
		}
		before = r
		i += n
	}
	return to
}

// cjkFirst is the first character of the scripts that are written without spaces.
const cjkFirst = 0x2E80

// The signs that no line of Chinese, Japanese or Korean begins or ends with.
const (
	noStart = "。，、！？；：」』）】》〉〕·…ー々’”％℃"
	noEnd   = "「『（【《〈〔‘“"
)

// mayBreak reports whether a line may end between two characters.
func mayBreak(a, b rune) bool {
	if a == ' ' || a == '\t' {
		return b != ' '
	}
	if a < cjkFirst && b < cjkFirst {
		return false
	}
	return !strings.ContainsRune(noStart, b) && !strings.ContainsRune(noEnd, a) && (b >= cjkFirst || b != ' ')
}

// tree lays out JSON, line by line, without what is folded.
func (l *layer) tree(i int, b *Block, x float32) {
	first, digits := l.numbersOf(b)
	mono := l.p.Letter(FaceMono, '0')
	x += gutter(digits, mono) + 2*mono // room for the triangles
	w := wrapper{l: l, b: b, mono: true, room: l.p.Width - x, scale: 1}
	total := len(b.Ends)
	from, skip := 0, -1
	for line := range total {
		end := len(b.Text)
		if k := strings.IndexByte(b.Text[from:], '\n'); k >= 0 {
			end = from + k
		}
		if line > skip {
			r := Row{Block: int32(i), Line: int32(line), X: x, Head: true}
			if first > 0 {
				r.No = int32(first + line)
			}
			w.wrap(r, from, end)
			if b.Ends[line] > int32(line) && !l.p.IsOpen(b, Fold{i, line}, from) {
				skip = int(b.Ends[line])
			}
		}
		from = end + 1
	}
}

// When the parts of a tree are open at first: its members always, what these hold
// and what is deeper only in trees of so few lines.
const (
	treeMiddle = 400
	treeSmall  = 80
)

// IsOpen reports whether a line of a tree that can be folded is open; from is
// where it begins in the block's text.
func (p *Paper) IsOpen(b *Block, f Fold, from int) bool {
	if open, said := p.Open[f]; said {
		return open
	}
	deep := (len(b.Text[from:]) - len(strings.TrimLeft(b.Text[from:], " "))) / len(treeIndent)
	return deep == 0 || len(b.Ends) <= treeSmall || deep == 1 && len(b.Ends) <= treeMiddle
}
