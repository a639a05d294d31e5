package repair

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"palimpsest/gui/kit"
	"palimpsest/model/repair"
)

// The strip has a mark for each fault, at its place in the file and within its width, and no
// more than can be told apart; the numbers of their lines are below, and none covers another.
func TestTheStripMarksFaults(t *testing.T) {
	kit.Use(test.NewTempApp(t), kit.Dark, 1)
	s := newStrip()
	faults := []*repair.Fault{{Line: 1}, {Line: 50}, {Line: 100}}
	s.set(faults, 100)
	s.Layout(s.box.Objects, fyne.NewSize(303, 12))
	for i, want := range []float32{0, 148.48485, 300} {
		if at := s.marks[i].Position().X; at != want {
			t.Errorf("the fault of line %d is at %v, want %v", faults[i].Line, at, want)
		}
	}
	for i, want := range []bool{true, true, true} {
		if s.labels[i].Visible() != want || s.labels[i].Position().X < 0 || s.labels[i].Position().X+s.labels[i].Size().Width > 303 {
			t.Errorf("the number %s is at %v", s.labels[i].Text(), s.labels[i].Position())
		}
	}
	s.set([]*repair.Fault{{Line: 50}, {Line: 51}}, 100)
	if s.Layout(s.box.Objects, fyne.NewSize(303, 12)); s.labels[1].Visible() {
		t.Error("51 is written over 50")
	}
	for range 2000 {
		faults = append(faults, &repair.Fault{Line: 1})
	}
	if s.set(faults, 100); len(s.marks) != mostMarks || len(s.box.Objects) != 2*mostMarks+1 {
		t.Errorf("%d marks", len(s.marks))
	}
	if s.set(nil, 0); len(s.marks) != 0 || len(s.box.Objects) != 1 {
		t.Error("marks of no fault")
	}
}

// A harm has its sign, and what only stands there has none of them.
func TestLook(t *testing.T) {
	for harm, want := range map[repair.Harm]kit.Glyph{repair.Stops: kit.GlyphError, repair.Harmful: kit.GlyphWarning, 0: kit.GlyphInfo} {
		if got, _ := look(harm); got != want {
			t.Errorf("%v: %v, want %v", harm, got, want)
		}
	}
}
