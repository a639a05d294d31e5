// Bareslider is the least window that shows what a dragged slider leads to:
// Fyne's own slider and a label with its number, in a window as large as
// Palimpsest's. What its drag takes is the screen's and the toolkit's.
package main

import (
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"palimpsest/gui/meter"
)

func main() {
	w := app.NewWithID("io.github.palimpsest.bareslider").NewWindow("Bare slider")
	m := meter.New()
	slider, label := widget.NewSlider(0, 1000), widget.NewLabel("0")
	slider.OnChanged = func(v float64) {
		m.Input(v)
		label.SetText(strconv.FormatFloat(v, 'f', -1, 64))
		m.Result(v)
	}
	m.Place("slider", slider)
	w.SetContent(m.Over(container.NewVBox(slider, label)))
	w.Resize(fyne.NewSize(1600, 1000))
	w.ShowAndRun()
}
