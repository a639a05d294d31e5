// Barelist is the least window that shows a history: Fyne's own list with 100,000
// rows. The start of Palimpsest is measured against it.
package main

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/widget"

	"palimpsest/gui/meter"
)

func main() {
	w := app.NewWithID("io.github.palimpsest.barelist").NewWindow("Bare list")
	list := widget.NewList(func() int { return 100_000 },
		func() fyne.CanvasObject { return widget.NewLabel("") },
		func(i widget.ListItemID, o fyne.CanvasObject) {
			o.(*widget.Label).SetText(fmt.Sprintf("Message %d", i+1))
		})
	w.SetContent(meter.New().Over(list))
	w.Resize(fyne.NewSize(1600, 1000))
	w.ShowAndRun()
}
