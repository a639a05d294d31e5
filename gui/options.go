package gui

import (
	"fyne.io/fyne/v2"

	"palimpsest/gui/words"
	"palimpsest/model/crash"
	"palimpsest/model/store"
)

// Options say with what the window begins.
type Options struct {
	// Files are opened at the start; none opens what was looked at last, or the
	// first sample.
	Files []string
	// Store keeps records, presets, recent files and settings. The window does
	// not close it.
	Store *store.Store
	// StoreErr is why there is no store; it is said in a banner, and records
	// are kept in memory.
	StoreErr error
	// OpenStore opens the store when the first frame is drawn, in the place of
	// Store; the window closes it. It is given what a person chose in the window's
	// settings, "" for nothing, and gives the path or address it went to.
	OpenStore func(chosen string) (st *store.Store, path string, err error)
	// Language is one of words.Languages; "" is the one chosen before, else
	// the system's.
	Language string
	// Version is shown in the window about the program; "" is the build's.
	Version string

	// Crashes writes a report if the program fails; nil: none.
	Crashes *crash.Reporter

	canvas fyne.Canvas // draws the window off the screen, for pictures
}

// window makes the window the program shows itself in.
func (o Options) window(a fyne.App) fyne.Window {
	if o.canvas != nil {
		return &offscreen{canvas: o.canvas}
	}
	return a.NewWindow(words.T("app.name"))
}
