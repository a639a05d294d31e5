// Command gallery shows every widget of the kit, and the chart, with invented
// content, to judge them by eye and by hand:
//
//	scripts/lab.sh gallery [-theme dark|light|auto]
//	    [-scale 0.9–1.5] [-page workbench|controls|states]
//
// F5 changes the theme, F6 the text size, Esc or the buttons show the dialogs.
package main

import (
	"flag"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"

	"palimpsest/gui/kit"
)

func main() {
	mode := flag.String("theme", "dark", "dark, light or auto")
	scale := flag.Float64("scale", 1, "text scale")
	page := flag.String("page", "workbench", "workbench, controls or states")
	flag.Parse()

	a := app.NewWithID("io.github.palimpsest.gallery")
	kit.Use(a, kit.Mode(*mode), float32(*scale))
	w := a.NewWindow("Palimpsest gallery")
	w.SetPadded(false)
	pages := map[string]func(fyne.Window) fyne.CanvasObject{
		"workbench": workbench, "controls": controls, "states": states,
	}
	build := pages[*page]
	if build == nil {
		build = workbench
	}
	host := kit.NewHost(nil)
	host.SetContent(build(w))
	w.SetContent(host)
	keys(a, w, kit.Mode(*mode), float32(*scale))
	w.Resize(fyne.NewSize(1600, 1000))
	w.ShowAndRun()
}

func keys(a fyne.App, w fyne.Window, mode kit.Mode, scale float32) {
	w.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) {
		if kit.OverlayKey(w.Canvas(), e) {
			return
		}
		switch e.Name {
		case fyne.KeyF5:
			if mode == kit.Dark {
				mode = kit.Light
			} else {
				mode = kit.Dark
			}
		case fyne.KeyF6:
			if scale += .1; scale > kit.MaxScale {
				scale = kit.MinScale
			}
		default:
			return
		}
		kit.Use(a, mode, scale)
	})
}
