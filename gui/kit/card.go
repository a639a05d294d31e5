package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// Card explains a figure: what it is, what adds up to it, how that was made.
//
//	name ................ full value
//	what it speaks of, kind, error
//	────────────────────────────────
//	part ..................... value
//	────────────────────────────────
//	what    how it was counted
//	────────────────────────────────
//	foot
type Card struct {
	Name, Value string
	About       string      // scope, kind, error
	Parts       [][2]string // a name and a value each
	Methods     [][2]string // what, and how it was made
	Foot        string
}

// The measures of a card, in units of the design.
const (
	cardWidth   = 318
	cardPad     = 12 // at its sides
	cardMethod  = 66
	cardGap     = 6 // between a figure and its card
	mostInCard  = 12
	linesInCard = 4
)

// cardBox is the card on the screen.
type cardBox struct {
	widget.BaseWidget
	body *fyne.Container
}

func newCardBox() *cardBox {
	b := &cardBox{body: container.NewStack()}
	b.ExtendBaseWidget(b)
	return b
}

// set shows another card.
func (b *cardBox) set(c Card) {
	value := NewText(c.Value, ColorText, 13).Bold()
	name := NewText(c.Name, ColorText, 13).Bold()
	beside := name.MinSize().Width+value.MinSize().Width+Px(8) <= Px(cardWidth-2*cardPad)
	lines := []fyne.CanvasObject{Row(8, Stretch(name.Fit()), value)}
	if !beside {
		lines = []fyne.CanvasObject{name.Fit(), value}
		if value.MinSize().Width > Px(cardWidth-2*cardPad) {
			lines[1] = NewParagraph(c.Value, ColorText, 13, linesInCard)
		}
	}
	lines = append(lines, NewParagraph(c.About, ColorMuted, 11, linesInCard))
	ruled := func() { lines = append(lines, Pad(4, 0, 3, 0, NewRule())) }
	if len(c.Parts) > 0 {
		ruled()
	}
	for i, p := range c.Parts {
		if i == mostInCard {
			lines = append(lines, NewText("…", ColorMuted, 12))
			break
		}
		lines = append(lines, Row(8, Stretch(NewText(p[0], ColorMuted, 12).Fit()), NewText(p[1], ColorText, 12)))
	}
	if len(c.Methods) > 0 {
		ruled()
	}
	for _, m := range c.Methods {
		how := NewParagraph(m[1], ColorMuted, 11, linesInCard)
		how.room = cardWidth - cardMethod - 32
		lines = append(lines, Row(8, Sized(cardMethod, 0, NewText(m[0], ColorFaint, 11).Fit()), Stretch(how)))
	}
	if c.Foot != "" {
		ruled()
		lines = append(lines, NewText(c.Foot, ColorFaint, 11))
	}
	b.body.Objects = []fyne.CanvasObject{Pad(9, cardPad, 9, cardPad, Flow(2, lines...))}
	for range 2 { // the height of a paragraph follows its width
		b.Resize(fyne.NewSize(Px(cardWidth), b.MinSize().Height))
		b.body.Refresh()
	}
}

// CreateRenderer implements fyne.Widget.
func (b *cardBox) CreateRenderer() fyne.WidgetRenderer {
	bg := box(6)
	return &renderer{
		of: b,
		look: func() {
			fill := Color(ColorRaised)
			if isLight() {
				fill = Color(ColorPanel)
			}
			paint(bg, fill, Color(ColorAccent))
		},
		objs: []fyne.CanvasObject{bg, b.body},
		layout: func(s fyne.Size) {
			put(bg, 0, 0, s.Width, s.Height)
			put(b.body, 0, 0, s.Width, s.Height)
		},
		min: b.body.MinSize,
	}
}

// showCard puts a card beside a widget, so that neither that nor what is around
// it in its pane is covered: at the left of what it is to be beside, else below
// the widget or above it.
func (h *Host) showCard(w, beside fyne.CanvasObject, c Card) {
	h.showCardAt(fyne.CurrentApp().Driver().AbsolutePositionForObject(w), w.Size(), beside, c)
	h.watch(w, nil)
}

// ShowCard shows a card below a part of a widget when the pointer has rested there: the
// place is that of the part on the canvas. [HideTipOf] takes it away.
func ShowCard(w fyne.CanvasObject, at fyne.Position, size fyne.Size, card func() Card) {
	h := hostOf(w)
	if h == nil {
		return
	}
	h.hideTip()
	h.tipStop = h.After(cardDelay, func() {
		h.showCardAt(at, size, nil, card())
		h.watch(w, nil)
	})
}

// showCardAt is showCard for a place on the canvas.
func (h *Host) showCardAt(at fyne.Position, size fyne.Size, beside fyne.CanvasObject, c Card) {
	h.hideTip()
	h.card.set(c)
	driver := fyne.CurrentApp().Driver()
	origin := driver.AbsolutePositionForObject(h)
	at = at.Subtract(origin)
	m, s := h.card.Size(), h.BaseWidget.Size()
	x, y := at.X, at.Y+size.Height+Px(cardGap)
	left := at.X
	if beside != nil {
		left = driver.AbsolutePositionForObject(beside).X - origin.X
	}
	switch {
	case beside != nil && left-m.Width-Px(2) >= 0:
		x, y = left-m.Width-Px(2), at.Y-Px(12)
	case y+m.Height > s.Height && at.Y-m.Height-Px(cardGap) >= 0:
		y = at.Y - m.Height - Px(cardGap)
	}
	edge := Px(4)
	x = clamp(x, edge, fyne.Max(edge, s.Width-m.Width-edge))
	h.card.Move(fyne.NewPos(x, clamp(y, edge, fyne.Max(edge, s.Height-m.Height-edge))))
	h.card.Show()
	canvas.Refresh(h)
}
