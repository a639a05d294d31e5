package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
)

// ledgerColumns is where the columns of a ledger begin and how wide they are.
// A width of 0 leaves a column out.
type ledgerColumns struct {
	total, fate, num, who, first, tokens, bar span
}

type span struct{ x, w float32 }

func (s span) has(x float32) bool { return x >= s.x && x < s.x+s.w }

// columnsFor spreads the columns over a width. The first words get what the
// others leave; in a narrow list the bar shrinks, and the running total, where it is
// wanted, goes.
func columnsFor(w float32, numChars int, total bool) ledgerColumns {
	u := w / Scale()
	var c ledgerColumns
	x := Px(10)
	take := func(s *span, width, gap float32) {
		*s = span{x, Px(width)}
		x += Px(width) + Px(gap)
	}
	if total && u >= 620 {
		take(&c.total, 70, 10)
	}
	take(&c.fate, badgeWidth, 13)
	take(&c.num, clamp(float32(numChars)*7.6+2, 24, 84), 10)
	who, bar, tokens := float32(132), float32(80), float32(60)
	switch {
	case u < 420:
		who, bar, tokens = 72, 20, 54
	case u < 560:
		who, bar, tokens = 92, 32, 56
	case u < 760:
		who, bar, tokens = 122, 60, 58
	}
	take(&c.who, who, 10)
	right := w - Px(12)
	c.bar = span{right - Px(bar), Px(bar)}
	c.tokens = span{c.bar.x - Px(10) - Px(tokens), Px(tokens)}
	c.first = span{x, fyne.Max(0, c.tokens.x-Px(14)-x)}
	return c
}

// ledgerHead is the line of captions.
type ledgerHead struct {
	widget.BaseWidget
	l *Ledger
}

func newLedgerHead(l *Ledger) *ledgerHead {
	h := &ledgerHead{l: l}
	h.ExtendBaseWidget(h)
	return h
}

// Tapped says which caption was pressed.
func (h *ledgerHead) Tapped(e *fyne.PointEvent) {
	if h.l.OnHead == nil {
		return
	}
	c := columnsFor(h.Size().Width, h.l.numChars, h.l.more)
	for i, col := range []span{c.total, c.fate, c.num, c.who, c.first, c.tokens} {
		if e.Position.X >= col.x && e.Position.X < col.x+col.w {
			h.l.OnHead(i)
		}
	}
}

// CreateRenderer implements fyne.Widget.
func (h *ledgerHead) CreateRenderer() fyne.WidgetRenderer {
	rule := box(0)
	objs := []fyne.CanvasObject{rule}
	var texts [6]*canvas.Text
	for i := range texts {
		align := fyne.TextAlignLeading
		if i == 0 || i == 5 {
			align = fyne.TextAlignTrailing
		}
		texts[i] = line(11, true, align)
		objs = append(objs, texts[i])
	}
	place := func(s fyne.Size) {
		tint(rule, Color(ColorLine))
		put(rule, 0, s.Height-1, s.Width, 1)
		c := columnsFor(s.Width, h.l.numChars, h.l.more)
		for i, col := range []span{c.total, c.fate, c.num, c.who, c.first, c.tokens} {
			texts[i].TextSize, texts[i].Color = FontPx(11), Color(ColorFaint)
			if i == 1 {
				col.w += Px(12)
			}
			texts[i].Text = Ellipsize(h.l.captions[i], col.w, FontPx(11), texts[i].TextStyle)
			mid(texts[i], col.x, 0, col.w, s.Height)
		}
	}
	return &renderer{
		of:     h,
		objs:   objs,
		layout: place,
		min:    func() fyne.Size { return fyne.NewSize(Px(100), Px(24)) },
	}
}
