package gui

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"palimpsest/gui/kit"
	"palimpsest/gui/records"
	"palimpsest/gui/study"
)

// The columns of the lists stand beside each other without overlap at any width of
// the window, and the one that stretches keeps room to be read.
func TestColumnsStandApart(t *testing.T) {
	kit.Use(test.NewTempApp(t), kit.Dark, 1)
	for name, x := range map[string]struct {
		layout     fyne.Layout
		n, stretch int
		from       float32 // the width from which on the room is there
		least      float32
	}{
		"records": {records.RecordLayout{}, len(records.RecordColumns), 3, 1240, 190},
		"compare": {study.CompareLayout{}, 9, 2, 740, 140},
	} {
		cells := make([]fyne.CanvasObject, x.n)
		for i := range cells {
			cells[i] = kit.NewFill(kit.ColorText, 0)
		}
		for width := float32(500); width <= 2600; width += 20 {
			x.layout.Layout(cells, fyne.NewSize(width, 24))
			var end float32
			for i, c := range cells {
				if c.Position().X < 0 {
					continue
				}
				if c.Position().X < end {
					t.Fatalf("%s, %v wide: column %d begins at %v, the one before ends at %v", name, width, i, c.Position().X, end)
				}
				end = c.Position().X + c.Size().Width
			}
			if width < x.from {
				continue
			}
			if end > width {
				t.Fatalf("%s, %v wide: the columns end at %v", name, width, end)
			}
			if got := cells[x.stretch].Size().Width; got < x.least {
				t.Errorf("%s, %v wide: %v for what is read", name, width, got)
			}
		}
	}
}
