// Command barelist shows a window that is nothing but Fyne's own list with 100,000 rows: the
// window of the program is measured against it.
package main

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/widget"
)

func main() {
	w := app.NewWithID("io.github.palimpsest.barelist").NewWindow("Bare list")
	w.SetContent(widget.NewList(func() int { return 100_000 },
		func() fyne.CanvasObject { return widget.NewLabel("") },
		func(i widget.ListItemID, o fyne.CanvasObject) {
			o.(*widget.Label).SetText(fmt.Sprintf("Message %d", i+1))
		}))
	w.Resize(fyne.NewSize(1600, 1000))
	w.ShowAndRun()
}
