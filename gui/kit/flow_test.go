package kit

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// What is below a paragraph moves down when the paragraph has to wrap.
func TestFlowMakesRoomForWrappedWords(t *testing.T) {
	test.NewTempApp(t)
	p := NewParagraph(strings.Repeat("several words ", 20), ColorText, 12, 9)
	below := NewRule()
	c := Flow(4, p, below)
	w := test.NewTempWindow(t, c)
	w.SetPadded(false)
	wide := fyne.NewSize(2000, 400)
	c.Resize(wide)
	one := below.Position().Y
	c.Resize(fyne.NewSize(200, 400))
	if y := below.Position().Y; y < 3*one {
		t.Errorf("below it is at %v, in one line at %v", y, one)
	}
	if h := c.MinSize().Height; below.Position().Y+1 > h {
		t.Errorf("the column is %v high, its last object ends at %v", h, below.Position().Y+1)
	}
	c.Resize(wide)
	if y := below.Position().Y; y != one {
		t.Errorf("wide again it is at %v, not %v", y, one)
	}
}

func TestFateChipIsPressedUnlessDisabled(t *testing.T) {
	test.NewTempApp(t)
	n := 0
	chip := NewFateChip("S", "only these", func() { n++ })
	test.Tap(chip)
	chip.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	chip.Disable()
	test.Tap(chip)
	if n != 2 {
		t.Errorf("pressed %d times", n)
	}
}

// A strip of controls that goes on in a second line has room for it at once, when the
// window becomes narrow in one step.
func TestPanesMakeRoomForASecondLine(t *testing.T) {
	test.NewTempApp(t)
	var controls []fyne.CanvasObject
	for range 8 {
		controls = append(controls, Sized(100, 24, NewRule()))
	}
	strip := Lines(10, controls...)
	c := Panes(Sized(0, 40, NewPane("", strip)), Stretch(NewRule()))
	c.Resize(fyne.NewSize(1000, 400))
	c.Resize(fyne.NewSize(500, 400))
	if h := strip.Size().Height; h < strip.MinSize().Height {
		t.Errorf("the strip is %v high, its lines need %v", h, strip.MinSize().Height)
	}
}

// Of two strips that grow at the same time both get their room: Fyne's own walk forgets
// one of them.
func TestPanesGrowWithWords(t *testing.T) {
	test.NewTempApp(t)
	first, second := NewText("a", ColorText, 13), NewText("b", ColorText, 13)
	strip := func(t *Text) *fyne.Container { return Lines(10, Sized(200, 24, NewRule()), t) }
	above, below := strip(first), strip(second)
	c := Panes(Sized(0, 40, NewPane("", above)), Stretch(NewRule()), Sized(0, 40, NewPane("", below)))
	c.Resize(fyne.NewSize(400, 400))
	first.SetText(strings.Repeat("word ", 12))
	second.SetText(strings.Repeat("word ", 12))
	c.MinSize() // the canvas asks before each frame
	for i, s := range []*fyne.Container{above, below} {
		if s.MinSize().Height < 40 || s.Size().Height < s.MinSize().Height {
			t.Errorf("strip %d is %v high and needs %v", i, s.Size().Height, s.MinSize().Height)
		}
	}
}
