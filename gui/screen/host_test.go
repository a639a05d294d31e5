package screen

import (
	"testing"

	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"palimpsest/gui/kit"
	"palimpsest/gui/settings"
)

// A sheet takes the place of the panes until it is left; the one before it is left first, and
// one that has to end an edit first stays until it is asked again.
func TestSheetsTakeTurns(t *testing.T) {
	app := test.NewTempApp(t)
	kit.Use(app, kit.Dark, 1)
	panes, a, b := canvas.NewText("panes", nil), canvas.NewText("a", nil), canvas.NewText("b", nil)
	turned, left := 0, 0
	h := &Host{App: app, Win: test.NewTempWindow(t, container.NewStack()), Settings: settings.New(app.Preferences()), Turned: func() { turned++ }}
	body := h.Hold(panes)
	h.ShowSheet(a, nil)
	if !h.InSheet() || !h.Showing(a) || h.Showing(panes) || body.Objects[0] != a || turned != 1 {
		t.Errorf("of %v it shows %v, turned %d times", h.InSheet(), body.Objects, turned)
	}
	h.Find = func() {}
	editing := true
	h.ShowSheet(b, func() {
		if left++; editing {
			editing = false
			return
		}
		h.HideSheet()
	})
	if h.Showing(a) || !h.Showing(b) || h.Find != nil {
		t.Error("the sheet before is not left")
	}
	h.LeaveSheet()
	if left != 2 || h.InSheet() || h.Showing(b) || body.Objects[0] != panes {
		t.Errorf("asked %d times; shows %v", left, body.Objects)
	}
	was := turned
	if h.HideSheet(); turned != was {
		t.Error("there was no sheet to hide")
	}
}

// A gap between panes is where it was put, also in the next run.
func TestSplitsAreRemembered(t *testing.T) {
	app := test.NewTempApp(t)
	kit.Use(app, kit.Dark, 1)
	h := &Host{Settings: settings.New(app.Preferences())}
	s := h.Split("x", false, canvas.NewText("", nil), canvas.NewText("", nil), 0, .3)
	if s.At() != .3 {
		t.Errorf("the first time it is at %v", s.At())
	}
	s.OnChanged(.6)
	if again := h.Split("x", false, canvas.NewText("", nil), canvas.NewText("", nil), 0, .3); again.At() != .6 {
		t.Errorf("again it is at %v", again.At())
	}
}
