package show

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"palimpsest/gui/kit"
)

// FoldSign is the triangle that opens and closes a row of a tree.
type FoldSign struct {
	widget.BaseWidget
	sign   *kit.Sign
	tapped func()
}

func NewFoldSign(tapped func()) *FoldSign {
	f := &FoldSign{sign: kit.NewSign(kit.GlyphNone, kit.ColorMuted, 12), tapped: tapped}
	f.ExtendBaseWidget(f)
	return f
}

func (f *FoldSign) Set(g kit.Glyph) { f.sign.Set(g, kit.ColorMuted) }

// Tapped is Fyne's.
func (f *FoldSign) Tapped(*fyne.PointEvent) { f.tapped() }

// CreateRenderer is Fyne's.
func (f *FoldSign) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(f.sign) }
