package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"palimpsest/gui/words"
)

// Severity is how bad a message is.
type Severity uint8

// The severities.
const (
	Info Severity = iota
	Warning
	Failure
)

func (s Severity) glyph() Glyph { return [...]Glyph{GlyphInfo, GlyphWarning, GlyphError}[s] }

func (s Severity) color() fyne.ThemeColorName {
	return [...]fyne.ThemeColorName{ColorAccent, ColorWarning, ColorError}[s]
}

// Banner is a row that says what happened, why, and what to do, with buttons
// and a sign to close it. It is above the content it is about, so that work
// can go on.
type Banner struct {
	widget.BaseWidget
	OnClose func()

	severity Severity
	head     *Text
	rest     *Paragraph
	sign     *Sign
	row      *fyne.Container
}

// NewBanner makes a banner: head is the fact, in bold, rest what follows from
// it. Buttons should be small ones.
func NewBanner(severity Severity, head, rest string, buttons ...fyne.CanvasObject) *Banner {
	b := &Banner{severity: severity}
	b.head, b.rest = Label(head).Bold().Fit(), NewParagraph(rest, ColorMuted, 13, 2)
	b.sign = NewSign(severity.glyph(), severity.color(), 14)
	closer := NewIconButton(GlyphClose, words.T("kit.close"), func() {
		b.Hide()
		if b.OnClose != nil {
			b.OnClose()
		}
	})
	items := append([]fyne.CanvasObject{b.sign, Stretch(container.New(&bannerWords{b}, b.head, b.rest))}, buttons...)
	b.row = Row(8, append(items, closer)...)
	b.ExtendBaseWidget(b)
	return b
}

// bannerWords gives the head the room it needs, as far as there is any, and the rest what
// is left, in two lines; beside a head of more than half the width it has the line below,
// which is more. A longer sentence is cut and never widens the window.
type bannerWords struct{ b *Banner }

func (l *bannerWords) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(Px(120), l.b.head.MinSize().Max(l.b.rest.MinSize()).Height)
}

func (l *bannerWords) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	w := min(s.Width, width(Clean(l.b.head.Text()), FontPx(13), fyne.TextStyle{Bold: true})+1)
	if w > s.Width/2 && l.b.rest.text != "" {
		l.b.rest.most = 1
		line := l.b.head.MinSize().Height
		put(l.b.head, 0, s.Height/2-line, w, line)
		put(l.b.rest, 0, s.Height/2, s.Width, l.b.rest.MinSize().Height)
		return
	}
	l.b.rest.most = 2
	put(l.b.head, 0, 0, w, s.Height)
	h := min(l.b.rest.MinSize().Height, s.Height)
	put(l.b.rest, w+Px(8), (s.Height-h)/2, max(0, s.Width-w-Px(8)), h)
}

// Set changes the words.
func (b *Banner) Set(head, rest string) {
	b.head.SetText(head)
	b.rest.Set(rest, ColorMuted)
	b.row.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (b *Banner) CreateRenderer() fyne.WidgetRenderer {
	bg, edge, rule := box(0), box(0), box(0)
	look := func() {
		paint(bg, Color(ColorRaised), nil)
		paint(edge, Color(b.severity.color()), nil)
		paint(rule, Color(ColorLine), nil)
	}
	return &renderer{
		of: b, look: look,
		objs: []fyne.CanvasObject{bg, edge, rule, b.row},
		layout: func(s fyne.Size) {
			put(bg, 0, 0, s.Width, s.Height)
			put(edge, 0, 0, 3, s.Height)
			put(rule, 0, s.Height-1, s.Width, 1)
			put(b.row, Px(13), 0, s.Width-Px(21), s.Height-1)
		},
		min: func() fyne.Size {
			return fyne.NewSize(b.row.MinSize().Width+Px(21), fyne.Max(b.row.MinSize().Height, Px(36)))
		},
	}
}

// Notice is a framed block of a fact and a sentence about it, inside a dialog
// or a form.
type Notice struct {
	widget.BaseWidget
	severity   Severity
	head, rest *Paragraph
}

// NewNotice makes a notice.
func NewNotice(severity Severity, head, rest string) *Notice {
	n := &Notice{severity: severity, head: NewParagraph(head, ColorText, 13, 5), rest: NewParagraph(rest, ColorMuted, 13, 5)}
	n.head.pitch, n.rest.pitch = 19, 19
	n.ExtendBaseWidget(n)
	return n
}

// Set changes the words.
func (n *Notice) Set(severity Severity, head, rest string) {
	n.severity = severity
	n.head.Set(head, ColorText)
	n.rest.Set(rest, ColorMuted)
	n.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (n *Notice) CreateRenderer() fyne.WidgetRenderer {
	frame := box(4)
	sign := newGlyphPart(func() Glyph { return n.severity.glyph() }, func() fyne.ThemeColorName { return n.severity.color() })
	return &renderer{
		of:   n,
		look: func() { paint(frame, Color(ColorPanel), Color(n.severity.color())) },
		objs: []fyne.CanvasObject{frame, sign, n.head, n.rest},
		layout: func(s fyne.Size) {
			put(frame, 0, 0, s.Width, s.Height)
			put(sign, Px(11), Px(10), Px(15), Px(15))
			y := Px(8)
			for _, p := range []*Paragraph{n.head, n.rest} {
				p.Resize(fyne.NewSize(s.Width-Px(44), 0)) // its height follows
				h := p.MinSize().Height
				put(p, Px(34), y, s.Width-Px(44), h)
				y += h
			}
		},
		min: func() fyne.Size {
			h := n.head.MinSize().Height
			if n.rest.text != "" {
				h += n.rest.MinSize().Height
			}
			return fyne.NewSize(Px(200), max(h, 2*Px(19))+Px(16))
		},
	}
}
