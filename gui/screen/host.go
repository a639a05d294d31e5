package screen

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/settings"
	"palimpsest/model/store"
)

// Host is what the window gives its screens and dialogs: the state they show,
// the commands, and the place between menu and status bar, where a screen
// replaces the panes of the workbench.
type Host struct {
	App      fyne.App
	Win      fyne.Window
	Desk     *desk.Desk
	Settings settings.Settings
	Commands *commands.Table
	Overlay  *kit.Host
	Version  string       // of the program
	Opened   *store.Store // opened by the window itself

	FindAll func(desk.Asked) // searches all sessions

	body  *fyne.Container // the panes or a screen
	panes fyne.CanvasObject
	Back  func() // leaves the screen; nil while the panes are shown
	Find  func() // begins a search in the screen; nil: it has none
	// Turned is called when a screen came or went; nil: nobody asks.
	Turned func()
}

// Split makes two panes whose gap is remembered under a name.
//
//revive:disable-next-line:argument-limit the name, and what kit.NewSplit takes
func (h *Host) Split(name string, down bool, a, b fyne.CanvasObject, keeps kit.Keeps, at float32) *kit.Split {
	s := kit.NewSplit(down, a, b, keeps, at)
	s.SetAt(h.Settings.SplitAt(name, at))
	s.OnChanged = func(at float32) { h.Settings.SetSplitAt(name, at) }
	return s
}

// Hold puts the panes into the place that screens share, and forgets what
// stood there.
func (h *Host) Hold(panes fyne.CanvasObject) *fyne.Container {
	h.panes, h.Back = panes, nil
	h.body = container.NewStack(panes)
	return h.body
}

// ShowSheet puts a full-window sheet in the place of the panes.
func (h *Host) ShowSheet(sheet fyne.CanvasObject, back func()) {
	kit.HideTip(h.Win.Canvas())
	h.LeaveSheet()
	h.Back = back
	if back == nil {
		h.Back = h.HideSheet
	}
	h.body.Objects = []fyne.CanvasObject{sheet}
	h.turned()
}

// HideSheet goes back to the panes.
func (h *Host) HideSheet() {
	if h.Back == nil {
		return
	}
	kit.HideTip(h.Win.Canvas())
	h.Back, h.Find = nil, nil
	h.body.Objects = []fyne.CanvasObject{h.panes}
	h.turned()
}

func (h *Host) turned() {
	h.body.Refresh()
	h.Win.Canvas().Unfocus()
	if h.Turned != nil {
		h.Turned()
	}
}

// LeaveSheet closes whatever sheet is open, as Esc would; one that ends an edit
// first is asked again.
func (h *Host) LeaveSheet() {
	for range 2 {
		if h.Back != nil {
			h.Back()
		}
	}
	h.HideSheet()
}

// InSheet reports whether a sheet is in place of the panes.
func (h *Host) InSheet() bool { return h.Back != nil }

// Showing reports whether that sheet is the one that is there.
func (h *Host) Showing(sheet fyne.CanvasObject) bool {
	return h.Back != nil && slices.Contains(h.body.Objects, sheet)
}
