package gui

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/model/store"
)

// Host is what the window gives its screens and dialogs: the state they show,
// the commands, and the place between menu and status bar, where a screen
// stands in for the panes of the workbench.
type Host struct {
	app     fyne.App
	win     fyne.Window
	d       *desk.Desk
	set     settings
	c       *commands
	overlay *kit.Host
	version string       // of the program
	opened  *store.Store // opened by the window itself

	body  *fyne.Container // the panes or a screen
	panes fyne.CanvasObject
	back  func() // leaves the screen; nil while the panes are shown
}

// split makes two panes whose gap is remembered.
func (h *Host) split(name string, down bool, a, b fyne.CanvasObject, keeps kit.Keeps, at float32) *kit.Split {
	s := kit.NewSplit(down, a, b, keeps, at)
	s.SetAt(h.set.splitAt(name, at))
	s.OnChanged = func(at float32) { h.set.setSplitAt(name, at) }
	return s
}

// hold puts the panes into the place that screens share, and forgets what
// stood there.
func (h *Host) hold(panes fyne.CanvasObject) *fyne.Container {
	h.panes, h.back = panes, nil
	h.body = container.NewStack(panes)
	return h.body
}

// showSheet puts a full-window sheet in the place of the panes.
func (h *Host) showSheet(sheet fyne.CanvasObject, back func()) {
	h.leaveSheet()
	h.back = back
	if back == nil {
		h.back = h.hideSheet
	}
	h.body.Objects = []fyne.CanvasObject{sheet}
	h.body.Refresh()
	h.win.Canvas().Unfocus()
}

// hideSheet goes back to the panes.
func (h *Host) hideSheet() {
	if h.back == nil {
		return
	}
	h.back = nil
	h.body.Objects = []fyne.CanvasObject{h.panes}
	h.body.Refresh()
	h.win.Canvas().Unfocus()
}

// leaveSheet closes whatever sheet is open, as Esc would; one that ends an edit
// first is asked again.
func (h *Host) leaveSheet() {
	for range 2 {
		if h.back != nil {
			h.back()
		}
	}
	h.hideSheet()
}

// inSheet reports whether a sheet stands in the place of the panes.
func (h *Host) inSheet() bool { return h.back != nil }

// showing reports whether that sheet is the one that stands there.
func (h *Host) showing(sheet fyne.CanvasObject) bool {
	return h.back != nil && slices.Contains(h.body.Objects, sheet)
}
