package gui

import (
	"fmt"
	"hash/fnv"
	"image"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"palimpsest/gui/commands"
	"palimpsest/gui/dialogs"
	"palimpsest/gui/words"
)

// drawing is what an object draws, as one number: colours, borders, places and
// words of all its parts.
func drawing(o fyne.CanvasObject) uint64 {
	h := fnv.New64a()
	each(o, func(p fyne.CanvasObject) {
		switch x := p.(type) {
		case *canvas.Rectangle:
			fmt.Fprint(h, x.FillColor, x.StrokeColor, x.StrokeWidth, x.Position(), x.Size())
		case *canvas.Text:
			fmt.Fprint(h, x.Text, x.Color, x.Position())
		case *canvas.Line:
			fmt.Fprint(h, x.StrokeColor, x.Position(), x.Size())
		case *canvas.Circle:
			fmt.Fprint(h, x.FillColor, x.StrokeColor, x.Size())
		case *canvas.Raster:
			if im, ok := x.Generator(24, 24).(*image.RGBA); ok {
				h.Write(im.Pix)
			}
		}
	})
	return h.Sum64()
}

// Every stop of the Tab key on every screen is seen: what has the focus is drawn
// otherwise than without it. A control has words that appear when the pointer rests
// on it.
func TestEveryTabStopIsSeen(t *testing.T) {
	x := newTour(t)
	x.Win.Resize(large)
	s := x.studio()
	x.Desk.Planning.Set(at80) // other than a preset: what compares both has rows
	for _, screen := range []struct {
		name string
		open func()
	}{
		{"workbench", func() { x.Desk.SelectMessage(100) }},
		{"preview", func() { x.Commands.Run(commands.Preview) }},
		{"why", func() { x.Commands.Run(commands.Why) }},
		{"records", s.records},
		{"sweep", s.sweep},
		{"compare", x.showCompare},
		{"agents", s.agents},
	} {
		screen.open()
		x.settle()
		x.fit()
		x.tabThrough(screen.name)
		x.LeaveSheet()
		x.settle()
	}
}

// tabThrough goes through the stops of one screen.
func (x *tour) tabThrough(screen string) {
	c := x.Win.Canvas()
	c.Unfocus()
	var first fyne.Focusable
	stops := 0
	for range 200 {
		c.FocusNext()
		f := c.Focused()
		if f == nil || f == first {
			break
		}
		if first == nil {
			first = f
		}
		stops++
		o := f.(fyne.CanvasObject)
		within := parentOf(c.Content(), o)
		with := drawing(within)
		f.FocusLost()
		without := drawing(within)
		f.FocusGained()
		what := fmt.Sprintf("%s: stop %d, %T %q", screen, stops, o, wordsIn(o))
		if with == without {
			x.t.Errorf("%s: its focus is not seen", what)
		}
		if !hasTip(o) && wordsIn(within) == "" {
			x.t.Errorf("%s: no words say what it does", what)
		}
	}
	if stops < 3 {
		x.t.Errorf("%s has %d stops", screen, stops)
	}
}

// parentOf is the widget around a stop that draws its frame: a field is around its
// entry.
func parentOf(root, o fyne.CanvasObject) fyne.CanvasObject {
	found := o
	each(root, func(p fyne.CanvasObject) {
		w, ok := p.(fyne.Widget)
		if !ok || p == o || !strings.HasSuffix(fmt.Sprintf("%T", p), "Field") {
			return
		}
		for _, c := range test.WidgetRenderer(w).Objects() {
			if c == o {
				found = p
			}
		}
	})
	return found
}

// wordsIn is the first words that an object shows.
func wordsIn(o fyne.CanvasObject) (text string) {
	each(o, func(p fyne.CanvasObject) {
		if t, ok := p.(*canvas.Text); ok && text == "" {
			text = strings.TrimSpace(t.Text)
		}
	})
	return text
}

func hasTip(o fyne.CanvasObject) bool {
	h, ok := o.(interface{ Tip() string })
	return ok && h.Tip() != ""
}

// A command that can't be done now says why, in the menu and in the palette.
func TestDisabledCommandsSayWhy(t *testing.T) {
	s := newStage(t)
	defer words.Set(words.English)
	for _, lang := range words.Languages {
		s.setLanguage(lang)
		for _, c := range s.Commands.List {
			if c.Enabled == nil {
				continue
			}
			key := "needs." + c.Needs
			if c.Needs == "" || words.T(key) == key {
				t.Errorf("%s: nothing says when %s can be done", lang, c.ID)
			}
		}
	}
	s.setLanguage(words.English)
	agents := s.Commands.ByID["agents"]
	if agents.Can() {
		t.Fatal("the sample has agents")
	}
	p := &dialogs.Palette{W: s.Host}
	dialogs.ShowPaletteOf(s.Host, p)
	p.Field.SetText(agents.Title())
	p.Search()
	if len(p.Shown) == 0 || p.Shown[0].Text != agents.Title() || !strings.Contains(s.markup(), agents.Reason()) {
		t.Errorf("the palette does not say %q", agents.Reason())
	}
	before := s.Win.Canvas().Overlays().Top()
	s.press("Enter")
	if s.InSheet() || s.Win.Canvas().Overlays().Top() != before {
		t.Error("a disabled command was run")
	}
	s.press("Esc", "Esc")
	if s.press(agents.Keys[0]); !strings.Contains(s.markup(), agents.Reason()) {
		t.Errorf("%s does not say %q", agents.Keys[0], agents.Reason())
	}
	for _, item := range items(s.Commands, "session") {
		if item.Disabled && item.Why == "" {
			t.Errorf("the menu does not say why %q is disabled", item.Text)
		}
	}
}

// A digit shows the messages of its fate, and the ledger says so.
func TestADigitIsACommand(t *testing.T) {
	s := newStage(t)
	s.Win.Resize(large)
	s.settle()
	s.Win.Canvas().Unfocus()
	s.press("5")
	if f := s.Desk.Filter(); f.Fate != 5 || !strings.Contains(s.markup(), words.T("ledger.filtered", "fate", words.T("fate.dropped"))) {
		t.Errorf("fate %d is shown, and not said", f.Fate)
	}
}

// The toolkit destroys the renderers of what was hidden for a minute. What makes new
// ones draws the same as before: the widget keeps its size, so nothing lays them out.
func TestWhatWasHiddenForLongIsDrawnAgain(t *testing.T) {
	s := newStage(t)
	s.Commands.Run(commands.Preview)
	s.settle()
	for _, screen := range []func(){func() {}, s.Commands.Hide, s.showRecords, s.showSessions} {
		screen()
		s.settle()
		var all []fyne.Widget
		walk(s.Win.Content(), nil, func(o fyne.CanvasObject, _ []fyne.CanvasObject) {
			if w, ok := o.(fyne.Widget); ok && o.Visible() && strings.Contains(reflect.TypeOf(o).Elem().PkgPath(), "palimpsest/gui") {
				all = append(all, w)
			}
		})
		if len(all) < 50 {
			t.Fatalf("only %d widgets", len(all))
		}
		for _, w := range all {
			if w.Size().IsZero() {
				continue
			}
			was := places(test.WidgetRenderer(w))
			if now := places(w.CreateRenderer()); !slices.Equal(was, now) {
				t.Errorf("%T of %v: its parts were at %v, and are at %v", w, w.Size(), was, now)
			}
		}
	}
}

// places are where the parts of a widget are drawn.
func places(r fyne.WidgetRenderer) (out []string) {
	for _, o := range r.Objects() {
		if o.Visible() {
			at, size := o.Position(), o.Size()
			out = append(out, fmt.Sprintf("%T %.0f %.0f %.0f %.0f", o, at.X, at.Y, size.Width, size.Height))
		}
	}
	return out
}
