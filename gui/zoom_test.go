package gui

import (
	"testing"

	"fyne.io/fyne/v2"

	"palimpsest/gui/words"
	"palimpsest/gui/workbench"
)

// The wheel with Ctrl sizes the text, as the commands do, within their bounds.
func TestTheWheelSizesText(t *testing.T) {
	s := newStage(t)
	was := s.Settings.Scale()
	s.Overlay.OnZoom(true)
	if now := s.Settings.Scale(); now <= was {
		t.Errorf("%v after %v", now, was)
	}
	for range 40 {
		s.Overlay.OnZoom(false)
	}
	if s.Commands.ByID["textSmaller"].Can() {
		t.Error("the text can still be smaller")
	}
}

// The other button on the chart opens a menu of the message under it, whose entries do
// what they say.
func TestTheMenuOfTheChart(t *testing.T) {
	s := newStage(t)
	plot := workbench.NewChartPane(s.Desk, s.Win, s.Commands).Plot
	open := func() { plot.OnMenu(100, fyne.NewPos(400, 100)) }
	open()
	s.tap(words.T("row.planHere", "n", 100))
	s.settle()
	if at := s.Desk.Session().At(); at != 100 {
		t.Fatalf("the plan is as of %d", at)
	}
	open()
	s.tap(words.T("chart.goTo", "n", 100))
	if at := s.Desk.SelectedMessage(); at != 99 {
		t.Errorf("at message %d", at)
	}
	open()
	s.tap(words.T("row.planEnd"))
	s.settle()
	if at, end := s.Desk.Session().At(), len(s.Desk.Session().Thread().History); at != end {
		t.Errorf("the plan is as of %d of %d", at, end)
	}
}
