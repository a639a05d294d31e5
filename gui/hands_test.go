package gui

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// top is what a person can reach: the dialog or menu on top, or the window.
func (s *stage) top() fyne.CanvasObject {
	if o := s.Win.Canvas().Overlays().Top(); o != nil {
		return o
	}
	return s.Win.Canvas().Content()
}

// walk visits what is visible in o, each object after those around it.
func walk(o fyne.CanvasObject, around []fyne.CanvasObject, visit func(o fyne.CanvasObject, around []fyne.CanvasObject)) {
	if !o.Visible() {
		return
	}
	visit(o, around)
	around = append(slices.Clip(around), o)
	switch o := o.(type) {
	case *fyne.Container:
		for _, inner := range o.Objects {
			walk(inner, around, visit)
		}
	case fyne.Widget:
		for _, inner := range test.WidgetRenderer(o).Objects() {
			walk(inner, around, visit)
		}
	}
}

// tap taps the words on the screen, as they are written there.
func (s *stage) tap(text string) {
	s.t.Helper()
	s.tapAt(text, 0)
}

// leftOf is where the first text with these words begins.
func (s *stage) leftOf(text string) (x float32) {
	s.t.Helper()
	x = -1
	walk(s.top(), nil, func(o fyne.CanvasObject, _ []fyne.CanvasObject) {
		if t, ok := o.(*kit.Text); ok && x < 0 && t.Text() == text {
			x = s.App.Driver().AbsolutePositionForObject(o).X
		}
	})
	if x < 0 {
		s.t.Fatalf("%q is nowhere", text)
	}
	return x
}

// tapAt taps the words where they are written for the nth time.
func (s *stage) tapAt(text string, nth int) {
	s.t.Helper()
	var on fyne.Tappable
	var at fyne.Position
	var seen []string
	walk(s.top(), nil, func(o fyne.CanvasObject, around []fyne.CanvasObject) {
		t, ok := o.(*canvas.Text)
		if !ok || on != nil {
			return
		}
		if seen = append(seen, t.Text); t.Text != text {
			return
		}
		at = fyne.NewPos(t.Size().Width/2, t.Size().Height/2).Add(t.Position())
		for _, a := range slices.Backward(around) {
			if b, ok := a.(fyne.Tappable); ok {
				// the words of a frame, such as the title of a dialog, are not for tapping
				if nth--; nth < 0 && fmt.Sprintf("%T", a) != "*kit.dialogFrame" {
					on = b
				}
				return
			}
			at = at.Add(a.Position())
		}
	})
	if on == nil {
		s.t.Fatalf("nothing to tap says %q; there are %q", text, seen)
	}
	if d, ok := on.(fyne.Disableable); ok && d.Disabled() {
		s.t.Fatalf("%q cannot be pressed now", text)
	}
	on.Tapped(&fyne.PointEvent{Position: at})
	s.settle()
}

// field is one of the text fields of what is on top.
func (s *stage) field(nth int) *kit.TextField {
	s.t.Helper()
	var fields []*kit.TextField
	walk(s.top(), nil, func(o fyne.CanvasObject, _ []fyne.CanvasObject) {
		if f, ok := o.(*kit.TextField); ok {
			fields = append(fields, f)
		}
	})
	if nth >= len(fields) {
		s.t.Fatalf("there are %d fields", len(fields))
	}
	return fields[nth]
}

// fill replaces the text of the nth field on top by typing.
func (s *stage) fill(nth int, text string) {
	s.t.Helper()
	f := s.field(nth)
	f.SetText("")
	f.FocusOn(s.Win.Canvas())
	s.write(text)
	s.settle()
}

// sees fails the test unless all the words are on the screen.
func (s *stage) sees(texts ...string) {
	s.t.Helper()
	screen := shown(s.top())
	for _, text := range texts {
		if !strings.Contains(screen, text) {
			s.t.Errorf("%s: %q is not shown; there is\n%s", words.Language(), text, screen)
		}
	}
}

// shown is all words that are written in o, each on a line.
func shown(o fyne.CanvasObject) string {
	var b strings.Builder
	walk(o, nil, func(o fyne.CanvasObject, _ []fyne.CanvasObject) {
		if t, ok := o.(*canvas.Text); ok && t.Text != "" {
			b.WriteString(t.Text + "\n")
		}
	})
	return b.String()
}

// closed fails the test while a dialog is open.
func (s *stage) closed() {
	s.t.Helper()
	if s.Win.Canvas().Overlays().Top() != nil {
		s.t.Fatalf("a dialog is still open:\n%s", shown(s.top()))
	}
}

// looks runs a test once for each language, in another theme each.
func looks(s *stage, do func()) {
	s.t.Helper()
	for i, lang := range words.Languages {
		s.setLanguage(lang)
		s.setMode([]kit.Mode{kit.Light, kit.Dark}[i%2])
		s.settle()
		do()
	}
	s.setLanguage(words.English)
	s.settle()
}
