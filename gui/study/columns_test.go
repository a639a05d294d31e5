package study

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"palimpsest/gui/kit"
	"palimpsest/model/figure"
)

// The columns of the list stand beside each other without overlap at any width of
// the window, and the first words keep room to be read.
func TestColumnsStandApart(t *testing.T) {
	kit.Use(test.NewTempApp(t), kit.Dark, 1)
	head := (&CompareSheet{}).columns().Head()
	cells := head.Objects[0].(*fyne.Container).Objects
	const first = 2
	for width := float32(600); width <= 2600; width += 20 {
		head.Resize(fyne.NewSize(width, 24))
		var end float32
		for i, c := range cells {
			if c.Position().X < 0 {
				continue
			}
			if c.Position().X < end {
				t.Fatalf("%v wide: column %d begins at %v, the one before ends at %v", width, i, c.Position().X, end)
			}
			end = c.Position().X + c.Size().Width
		}
		if width < 764 {
			continue
		}
		if end > width {
			t.Fatalf("%v wide: the columns end at %v", width, end)
		}
		if got := cells[first].Size().Width; got < 140 {
			t.Errorf("%v wide: %v for the first words", width, got)
		}
	}
}

// More that goes is better: B's change of the context from −60 to −73 % is good, and its sign
// is that of B − A.
func TestTheChangeOfTheContextHasASign(t *testing.T) {
	kit.Use(test.NewTempApp(t), kit.Dark, 1)
	change := func(v float64) figure.Figure {
		return figure.Figure{Name: "change", Value: v, Unit: figure.Share, Kind: figure.Counted}
	}
	more, less := savedRow(change(-.60), change(-.73)), savedRow(change(-.73), change(-.60))
	if more.Change != "−13 pt" || more.Color != kit.ColorKept || less.Change != "+13 pt" || less.Color != kit.ColorWarning {
		t.Errorf("%q in %v, %q in %v", more.Change, more.Color, less.Change, less.Color)
	}
	if row := savedRow(change(-.6), figure.Figure{}); row.Change != "" {
		t.Errorf("of what is unknown: %q", row.Change)
	}
}
