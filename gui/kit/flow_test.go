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

// What is at the end of a row stays within it when its words become longer.
func TestARowMakesRoomForLongerWords(t *testing.T) {
	test.NewTempApp(t)
	end := NewFigure(ColorText, 13)
	row := Row(8, NewText("name", ColorText, 13), Spring(), end)
	c := Column(0, row)
	c.Resize(fyne.NewSize(300, 40))
	end.Set("of ~129.4K that could go", "", ColorText, nil)
	c.MinSize()
	if right := end.Position().X + end.MinSize().Width; right > 300 {
		t.Errorf("it ends at %v of 300", right)
	}
}

// An elastic object has its usual width before a spared one is shown, and grows into what
// is left when that is there.
func TestElasticGrowsIntoWhatIsLeft(t *testing.T) {
	test.NewTempApp(t)
	elastic, note := Elastic(40, 100, 180, 10, NewRule()), Spared(Sized(50, 10, NewRule()))
	row := Row(0, elastic, Spring(), note)
	test.NewTempWindow(t, row)
	for _, x := range []struct {
		room, width float32
		note        bool
	}{{40, 40, false}, {90, 90, false}, {120, 120, false}, {149, 149, false}, {150, 100, true}, {200, 150, true}, {400, 180, true}} {
		row.Resize(fyne.NewSize(Px(x.room), 10))
		if w := elastic.Size().Width; w-Px(x.width) > 2 || Px(x.width)-w > 2 || (note.Size().Width > 0) != x.note {
			t.Errorf("in %v it is %v wide, not %v, the other %v", Px(x.room), w, Px(x.width), note.Size().Width)
		}
	}
}
