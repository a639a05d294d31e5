package gui

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"palimpsest/gui/words"
	"palimpsest/gui/workbench"
	"palimpsest/model"
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

// A change of the language or the size of the text leaves the screen open that is looked at,
// as it was.
func TestALookKeepsTheScreen(t *testing.T) {
	t.Cleanup(func() { words.Set("en") })
	s := previewAt(t, model.NoteText)
	s.preview.ShowDiff(false)
	mode := s.preview.Mode()
	s.preview.Edits.Edit()
	s.preview.Edits.SetText("half written")
	s.setLanguage("zh-Hans")
	s.settle()
	if !s.preview.Open || s.preview.Mode() != mode {
		t.Fatal("the preview was left")
	}
	s.preview.ApplyDraft() // with what is being edited
	s.settle()
	if stack := s.Desk.Session().Stack(); len(stack) != 1 || stack[0].Summary != "half written" {
		t.Errorf("the text that was being edited is lost: %d records", len(stack))
	}
	s.Desk.Undo()
	s.settle()
	s.Commands.Run("sweep")
	s.settle()
	s.sweep.OverThese(s.Desk.Sweepable()[:2])
	s.settle()
	over := s.Desk.Sweep().Over
	s.setScale(1.2)
	s.settle()
	if !s.sweep.Visible() || !slices.Equal(s.sweep.Histories(), over) || s.Desk.Sweep().Over[0] != over[0] {
		t.Errorf("the sweep was left, or is over %d", len(s.sweep.Histories()))
	}
	s.press("Esc")
	s.Commands.Run("compare")
	s.settle()
	s.setLanguage("en")
	s.settle()
	if !s.compare.Visible() || s.compare.Shown == nil {
		t.Error("the comparison was left")
	}
}
