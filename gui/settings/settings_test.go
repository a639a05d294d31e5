package settings

import (
	"fmt"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
)

// What was set is there again; a value that no person can have set is not taken.
func TestSettingsAreRemembered(t *testing.T) {
	app := test.NewTempApp(t)
	s := New(app.Preferences())
	if s.Mode() != kit.Auto || s.Scale() != 1 || s.Density() != kit.Compact || s.Size() != fyne.NewSize(1600, 1000) || !s.Following() ||
		s.Hidden("ledger") || !s.Hidden("history") || s.SplitAt("x", .3) != .3 {
		t.Errorf("the first time: %+v, %v, %v", s.Look(), s.Size(), s.Following())
	}
	s.SetMode(kit.Light)
	s.SetDensity(kit.Comfortable)
	s.SetScale(1.25)
	s.SetSize(fyne.NewSize(1280, 720))
	s.SetSplitAt("x", .7)
	s.SetHidden("ledger", true)
	s.SetHidden("history", false)
	s.SetReading(1, true, true)
	s.SetOrder(desk.Order(1) | desk.Reversed)
	s.SetFollowing(false)
	again := New(app.Preferences())
	how, numbers, sides := again.Reading()
	if again.Look() != (kit.Look{Mode: kit.Light, Scale: 1.25, Density: kit.Comfortable}) || again.Size() != fyne.NewSize(1280, 720) ||
		again.SplitAt("x", .3) != .7 || !again.Hidden("ledger") || again.Hidden("history") || how != 1 || !numbers || !sides ||
		again.Order() != desk.Order(1)|desk.Reversed || again.Following() {
		t.Errorf("again: %+v, %v, reading %d %v %v, order %v", again.Look(), again.Size(), how, numbers, sides, again.Order())
	}
	p := app.Preferences()
	p.SetString("theme", "pink")
	p.SetFloat("textScale", 100)
	p.SetFloat("window.width", 3)
	p.SetInt("reading", 99)
	p.SetInt("sessions.order", 200)
	p.SetInt("sessions.grouping", -4)
	if how, _, _ := again.Reading(); again.Mode() != kit.Auto || again.Scale() != kit.MaxScale || again.Size().Width != 900 || how != 2 ||
		int(again.Order()&^desk.Reversed) >= len(desk.Orders) || again.Grouping() != 0 {
		t.Errorf("broken: %+v, %v, %v, %v", again.Look(), again.Size(), again.Order(), again.Grouping())
	}
}

// Dialogs for files begin where the last one ended, and offer the eight folders before.
func TestFoldersAreRememberedOnce(t *testing.T) {
	s := New(test.NewTempApp(t).Preferences())
	for i := range 10 {
		s.SetFolder(fmt.Sprint("/f", i))
	}
	s.SetFolder("/f7")
	if got := s.Folders(); s.Folder() != "/f7" || !slices.Equal(got, []string{"/f7", "/f9", "/f8", "/f6", "/f5", "/f4", "/f3", "/f2"}) {
		t.Errorf("it begins at %s: %v", s.Folder(), got)
	}
}
