package reading

import (
	"strconv"
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model/body"
)

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
	r.ground = kit.Blend(r.ground, kit.Color(ink), diffShare)
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
