package gui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"palimpsest/gui/kit"
)

// foldSign is the triangle that opens and closes a row of a tree.
type foldSign struct {
	widget.BaseWidget
	sign   *kit.Sign
	tapped func()
}

func newFoldSign(tapped func()) *foldSign {
	f := &foldSign{sign: kit.NewSign(kit.GlyphNone, kit.ColorMuted, 12), tapped: tapped}
	f.ExtendBaseWidget(f)
	return f
}

func (f *foldSign) set(g kit.Glyph) { f.sign.Set(g, kit.ColorMuted) }

// Tapped is Fyne's.
func (f *foldSign) Tapped(*fyne.PointEvent) { f.tapped() }

// CreateRenderer is Fyne's.
func (f *foldSign) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(f.sign) }
