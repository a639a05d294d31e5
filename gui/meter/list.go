package meter

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/widget"
)

// ShowList shows a window that is nothing but Fyne's own list with 100,000 rows, until it
// is closed.
func ShowList() {
	w := app.NewWithID("io.github.palimpsest.barelist").NewWindow("Bare list")
	list := widget.NewList(func() int { return 100_000 },
		func() fyne.CanvasObject { return widget.NewLabel("") },
		func(i widget.ListItemID, o fyne.CanvasObject) {
			o.(*widget.Label).SetText(fmt.Sprintf("Message %d", i+1))
		})
	w.SetContent(New().Over(list))
	w.Resize(fyne.NewSize(1600, 1000))
	w.ShowAndRun()
}
