package grid

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/kit"
)

// Bar is the strip at the foot of a grid for what is done with the ticked rows. It
// is always as high, so that no row moves when one is ticked.
type Bar struct {
	Object  fyne.CanvasObject
	ground  *kit.Fill
	head    *kit.Text
	rest    *kit.Text
	empty   string
	buttons []fyne.CanvasObject
	row     *fyne.Container
}

// NewBar makes a strip. empty is what it says while nothing is ticked; the buttons
// are shown while something is.
func NewBar(empty string, buttons ...fyne.CanvasObject) *Bar {
	b := &Bar{empty: empty, ground: kit.NewFill(kit.ColorSelection, 0), buttons: buttons,
		head: kit.NewText("", kit.ColorText, 12).Bold(), rest: kit.NewText(empty, kit.ColorMuted, 12).Fit()}
	b.row = kit.Row(8, append([]fyne.CanvasObject{b.head, kit.Stretch(b.rest)}, buttons...)...)
	b.Object = kit.Column(0, kit.NewRule(), kit.Sized(0, 33, container.NewStack(b.ground, kit.Pad(0, 12, 0, 12, b.row))))
	b.Set("", "")
	return b
}

// Set says how much is ticked and what, as "3 selected" and its names; "" is
// nothing.
func (b *Bar) Set(head, names string) {
	on := head != ""
	if !on {
		names = b.empty
	}
	b.head.SetText(head)
	b.rest.SetText(names)
	show(b.head, on)
	show(b.ground, on)
	for _, x := range b.buttons {
		show(x, on)
	}
	b.row.Refresh()
}
