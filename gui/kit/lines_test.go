package kit

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// What has no room beside the others goes on below them, and what follows moves down.
func TestLinesGoOnWhereTheWidthEnds(t *testing.T) {
	Use(test.NewTempApp(t), Dark, 1)
	a, b := NewButton("one button", Secondary, nil), NewButton("another", Secondary, nil)
	below := NewRule()
	c := Flow(4, Lines(8, a, Spring(), b), below)
	c.Resize(fyne.NewSize(600, 400))
	if a.Position().Y != b.Position().Y || b.Position().X+b.Size().Width < 599 {
		t.Errorf("with room they are at %v and %v", a.Position(), b.Position())
	}
	at := below.Position().Y
	c.Resize(fyne.NewSize(a.MinSize().Width+10, 400))
	if b.Position().Y < a.Size().Height || below.Position().Y < at+a.Size().Height {
		t.Errorf("without room they are at %v and %v, below them at %v", a.Position(), b.Position(), below.Position())
	}
}

// A choice that folds shows all names where there is room, and opens a list where there
// is none.
func TestSegmentsFoldWithoutRoom(t *testing.T) {
	Use(test.NewTempApp(t), Dark, 1)
	s := NewSegments([]string{"the first", "the second", "the third"}, 1, nil).Folding()
	w := test.NewTempWindow(t, Row(0, s, Spring()))
	w.SetPadded(false)
	w.Resize(fyne.NewSize(600, 40))
	if s.folded() || s.Size().Width < s.full() {
		t.Errorf("with room it is %v wide of %v", s.Size().Width, s.full())
	}
	w.Resize(fyne.NewSize(s.MinSize().Width+4, 40))
	if !s.folded() {
		t.Fatalf("without room it is %v wide of %v, not folded", s.Size().Width, s.full())
	}
	test.Tap(s)
	if _, ok := w.Canvas().Overlays().Top().(*Menu); !ok {
		t.Error("no list is open")
	}
}

// A dialog that is higher than its canvas scrolls, and keeps its buttons in sight.
func TestHighDialogsScroll(t *testing.T) {
	Use(test.NewTempApp(t), Dark, 1)
	w := test.NewTempWindow(t, Column(0))
	w.SetPadded(false)
	w.Resize(fyne.NewSize(500, 300))
	ok := NewButton("OK", Primary, nil)
	d := NewDialog("High", "", Sized(300, 900, NewRule()), 0, 0)
	d.SetButtons(ok)
	d.ShowOn(w.Canvas())
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(ok)
	if end := at.Y + ok.Size().Height; end > 300 {
		t.Errorf("its button ends at %v of 300", end)
	}
}
