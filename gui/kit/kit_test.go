package kit

import (
	"image/color"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
)

// show puts widgets into a window of the dark theme.
func show(t *testing.T, o fyne.CanvasObject, w, h float32) fyne.Window {
	t.Helper()
	a := test.NewTempApp(t)
	Use(a, Dark, 1)
	win := test.NewTempWindow(t, NewHost(o))
	win.SetPadded(false)
	win.Resize(fyne.NewSize(w, h))
	return win
}

func key(w fyne.Focusable, names ...fyne.KeyName) {
	for _, n := range names {
		w.TypedKey(&fyne.KeyEvent{Name: n})
	}
}

func TestThemeHasTheColorsOfTheDesign(t *testing.T) {
	a := test.NewTempApp(t)
	want := map[fyne.ThemeColorName][2]uint32{ // dark, light
		ColorBackground: {0x14171C, 0xEEF0F4}, ColorPanel: {0x1A1E25, 0xFFFFFF}, ColorRaised: {0x222833, 0xF3F5F8},
		ColorLine: {0x2C333F, 0xD6DCE5}, ColorText: {0xE4E8EF, 0x1B2330}, ColorMuted: {0xABB4C1, 0x4B5565},
		ColorFaint: {0x919AA8, 0x5C6677}, ColorAccent: {0x7C94F5, 0x3C5AD6}, ColorOnAccent: {0x0E1220, 0xFFFFFF},
		ColorSelection: {0x26304A, 0xDFE6FB}, ColorHover: {0x20262F, 0xF0F3F9}, ColorError: {0xE67C5D, 0xB43F0F},
		ColorKept: {0x2BB58D, 0x097455}, ColorPinned: {0x5AA9E6, 0x1D69A8}, ColorCleared: {0xE6A23C, 0x8E5A06},
		ColorSummarised: {0xCE82B0, 0x954D7D}, ColorDropped: {0xE37F4F, 0xAB4610}, ColorAdded: {0x6CC3EE, 0x1C6C95},
	}
	for i, mode := range []Mode{Dark, Light} {
		Use(a, mode, 1)
		for n, w := range want {
			if got := color.NRGBAModel.Convert(Color(n)); got != rgb(w[i]) {
				t.Errorf("%s %s: %v, want %06X", mode, n, got, w[i])
			}
		}
	}
	th := NewTheme(Auto, 1)
	if th.Color(ColorPanel, theme.VariantDark) == th.Color(ColorPanel, theme.VariantLight) {
		t.Error("auto does not follow the variant")
	}
}

func TestTextScaleIsHeldInItsBounds(t *testing.T) {
	a := test.NewTempApp(t)
	for give, want := range map[float32]float32{.1: .9, .9: .9, 1: 1, 1.5: 1.5, 9: 1.5} {
		Use(a, Dark, give)
		if got := Scale(); got < want-.001 || got > want+.001 {
			t.Errorf("scale %v: %v, want %v", give, got, want)
		}
	}
}

func TestControlsHaveTheHeightsOfTheDesign(t *testing.T) {
	show(t, Label(""), 100, 100)
	for name, c := range map[string]struct {
		o fyne.CanvasObject
		h float32
	}{
		"button": {NewButton("x", Secondary, nil), 24}, "small": {NewButton("x", Secondary, nil).Small(), 22},
		"large": {NewButton("x", Primary, nil).Large(), 26}, "segments": {NewSegments([]string{"a", "b"}, 0, nil), 24},
		"slider": {NewSlider(0, 1, 0, 0), 24}, "number": {NewNumberField("1", nil), 24}, "select": {NewSelect(nil, -1, nil), 24},
		"text": {NewTextField("", nil), 24}, "check": {NewCheck("x", false, nil), 24},
		"menu": {NewMenuStrip("x", nil, "", ""), 34}, "status": {NewStatusBar(), 26},
	} {
		if got := c.o.MinSize().Height; got != c.h {
			t.Errorf("%s: %v high, want %v", name, got, c.h)
		}
	}
	if h := newBareEntry().MinSize().Height; h > 24 {
		t.Errorf("an entry needs %v, more than its frame has", h)
	}
}

func TestThemeChangeRepaints(t *testing.T) {
	b := NewButton("Go", Secondary, nil)
	show(t, b, 200, 100)
	r := test.WidgetRenderer(b)
	fill := func() color.Color {
		return r.Objects()[0].(*canvas.Rectangle).FillColor
	}
	dark, high := fill(), b.MinSize().Height
	Use(fyne.CurrentApp(), Light, 1.5)
	test.ApplyTheme(t, NewTheme(Light, 1.5))
	b.Refresh()
	if fill() == dark {
		t.Error("the fill stayed as it was")
	}
	if b.MinSize().Height <= high {
		t.Error("the height did not grow with the text")
	}
}

func TestButton(t *testing.T) {
	n := 0
	b := NewButton("Go", Primary, func() { n++ })
	show(t, b, 200, 100)
	test.Tap(b)
	key(b, fyne.KeySpace, fyne.KeyReturn, fyne.KeyA)
	if n != 3 {
		t.Errorf("pressed %d times, want 3", n)
	}
	b.Disable()
	test.Tap(b)
	key(b, fyne.KeySpace)
	if n != 3 || !b.Disabled() {
		t.Error("a disabled button answered")
	}
}

func TestUnusedKeysReachTheWindow(t *testing.T) {
	b := NewButton("Go", Primary, nil)
	w := show(t, b, 200, 100)
	var got []fyne.KeyName
	var runes []rune
	w.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) { got = append(got, e.Name) })
	w.Canvas().SetOnTypedRune(func(r rune) { runes = append(runes, r) })
	w.Canvas().Focus(b)
	key(b, fyne.KeyF7)
	b.TypedRune('p')
	if len(got) != 1 || got[0] != fyne.KeyF7 || string(runes) != "p" {
		t.Errorf("the window got %v and %q", got, string(runes))
	}
}

func TestSegments(t *testing.T) {
	var got []int
	s := NewSegments([]string{"All", "Linked", "Only changes"}, 0, func(i int) { got = append(got, i) })
	w := show(t, Row(0, s), 600, 100)
	w.Resize(fyne.NewSize(600, 100))
	test.TapAt(s, fyne.NewPos(s.segWidth(0)+5, 10))
	key(s, fyne.KeyRight, fyne.KeyRight, fyne.KeyLeft)
	s.Select(0)
	if len(got) != 3 || got[0] != 1 || got[1] != 2 || got[2] != 1 || s.Selected() != 0 {
		t.Errorf("told %v, selected %d", got, s.Selected())
	}
}

func TestSlider(t *testing.T) {
	var moved, ended []float64
	s := NewSlider(0, 100, 5, 50)
	s.OnChanged = func(v float64) { moved = append(moved, v) }
	s.OnChangeEnded = func(v float64) { ended = append(ended, v) }
	show(t, s, 214, 24)
	s.Resize(fyne.NewSize(214, 24))
	s.SetValue(80)
	if len(moved)+len(ended) != 0 || s.Value() != 80 {
		t.Error("SetValue told somebody")
	}
	s.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(7+20, 10)}})
	s.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(7+21, 10)}})
	s.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(-50, 10)}})
	s.DragEnd()
	if len(moved) != 2 || moved[0] != 10 || moved[1] != 0 || len(ended) != 1 || ended[0] != 0 {
		t.Errorf("moved %v, ended %v", moved, ended)
	}
	key(s, fyne.KeyRight)
	s.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	key(s, fyne.KeyRight)
	s.KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	if s.Value() != 55 {
		t.Errorf("value %v, want 55", s.Value())
	}
	key(s, fyne.KeyEnd, fyne.KeyRight)
	if s.Value() != 100 {
		t.Errorf("value %v, want 100", s.Value())
	}
	s.Disable()
	key(s, fyne.KeyHome)
	if s.Value() != 100 {
		t.Error("a disabled slider moved")
	}
}

func TestSelect(t *testing.T) {
	got := -1
	s := NewSelect([]string{"one", "two", "three"}, 0, func(i int) { got = i })
	w := show(t, s, 200, 200)
	test.Tap(s)
	m, ok := w.Canvas().Overlays().Top().(*Menu)
	if !ok {
		t.Fatal("no menu opened")
	}
	key(m, fyne.KeyDown, fyne.KeyDown, fyne.KeyReturn)
	if got != 2 || s.Selected() != 2 || w.Canvas().Overlays().Top() != nil {
		t.Errorf("chose %d", got)
	}
	key(s, fyne.KeyUp)
	if got != 1 {
		t.Errorf("arrow key chose %d", got)
	}
	test.Tap(s)
	key(w.Canvas().Overlays().Top().(*Menu), fyne.KeyEscape)
	if w.Canvas().Overlays().Top() != nil || w.Canvas().Focused() != s {
		t.Error("Esc did not close the list and give the keyboard back")
	}
}

func TestMenuSkipsRulesAndDisabledItems(t *testing.T) {
	w := show(t, Label(""), 300, 300)
	ran := ""
	run := func(s string) func() { return func() { ran += s } }
	items := []MenuItem{{Text: "a", Disabled: true, Run: run("a")}, {Text: "b", Run: run("b")}, Rule, {Text: "c", Run: run("c")}}
	m := ShowMenu(w.Canvas(), items, fyne.NewPos(290, 290), 100)
	key(m, fyne.KeyDown)
	if m.over != 1 {
		t.Errorf("over %d", m.over)
	}
	key(m, fyne.KeyDown, fyne.KeyDown, fyne.KeyUp)
	m.run(0)
	m.run(2)
	key(m, fyne.KeyReturn)
	if ran != "c" {
		t.Errorf("ran %q", ran)
	}
	r := ShowMenu(w.Canvas(), items, fyne.NewPos(290, 290), 100)
	if p := r.frame.Position(); p.X+r.frame.Size().Width > 300 || p.Y+r.frame.Size().Height > 300 {
		t.Errorf("the menu reaches out of the window: %v %v", p, r.frame.Size())
	}
	r.TypedRune('C')
	key(r, fyne.KeySpace)
	if ran != "cc" {
		t.Errorf("ran %q", ran)
	}
}

// A menu says why an item is disabled, of the others nothing; it has no room for a reason
// where none can come.
func TestAMenuSaysWhyOfDisabledItemsAlone(t *testing.T) {
	w := show(t, Label(""), 300, 300)
	items := []MenuItem{{Text: "a", Why: "no a"}, {Text: "b", Why: "no b"}}
	all := ShowMenu(w.Canvas(), items, fyne.NewPos(10, 10), 100)
	items[1].Disabled = true
	some := ShowMenu(w.Canvas(), items, fyne.NewPos(10, 10), 100)
	if all.why != nil || some.why == nil {
		t.Fatalf("room for reasons: %v without one, %v with one", all.why != nil, some.why != nil)
	}
	for i, want := range []string{"", "no b"} {
		if some.setOver(i); some.why.Text() != want {
			t.Errorf("item %d says %q, want %q", i, some.why.Text(), want)
		}
	}
}

func TestMenuStripMovesBetweenMenus(t *testing.T) {
	item := func(s string) func() []MenuItem { return func() []MenuItem { return []MenuItem{{Text: s}} } }
	m := NewMenuStrip("P", []MenuEntry{{"File", item("open")}, {"Edit", item("undo")}}, "Search", "Ctrl K")
	searched := false
	m.OnSearch = func() { searched = true }
	w := show(t, m, 800, 34)
	m.Open(0)
	key(m.open, fyne.KeyRight)
	if m.openAt != 1 || len(w.Canvas().Overlays().List()) != 1 {
		t.Errorf("open %d, %d overlays", m.openAt, len(w.Canvas().Overlays().List()))
	}
	key(m.open, fyne.KeyRight)
	if m.openAt != 0 {
		t.Error("the arrow key does not go round")
	}
	key(m.open, fyne.KeyEscape)
	if m.open != nil {
		t.Error("Esc did not close the menu")
	}
	test.Tap(m.search)
	if !searched {
		t.Error("the search box did nothing")
	}
}

func TestRadio(t *testing.T) {
	var got []int
	r := NewRadio([]string{"a", "b", "c"}, 0, func(i int) { got = append(got, i) })
	show(t, r[0], 100, 100)
	test.Tap(r[2])
	test.Tap(r[2])
	test.Tap(r[1])
	if len(got) != 2 || got[0] != 2 || got[1] != 1 || r[0].On() || !r[1].On() || r[2].On() {
		t.Errorf("told %v", got)
	}
}

func TestDialogKeys(t *testing.T) {
	w := show(t, Label(""), 800, 600)
	done, closed := 0, 0
	field := NewTextField("", nil)
	d := NewDialog("Export", "", field, 400, 0)
	d.OnClose = func() { closed++ }
	d.SetButtons(NewButton("Cancel", Secondary, d.Close), NewButton("Export", Primary, func() { done++ }))
	d.ShowOn(w.Canvas())
	key(d, fyne.KeyReturn)
	field.Focus()
	test.Type(field.entry, "abc")
	key(field.entry, fyne.KeyReturn)
	key(field.entry, fyne.KeyEscape) // clears the field first
	if done != 2 || closed != 0 || field.Text() != "" {
		t.Errorf("done %d, closed %d, text %q", done, closed, field.Text())
	}
	key(field.entry, fyne.KeyEscape)
	if closed != 1 || d.Shown() || w.Canvas().Overlays().Top() != nil {
		t.Error("Esc did not close the dialog")
	}
	if OverlayKey(w.Canvas(), &fyne.KeyEvent{Name: fyne.KeyEscape}) {
		t.Error("there is no dialog to take the key")
	}
}

func TestAsk(t *testing.T) {
	w := show(t, Label(""), 800, 600)
	done := false
	d := Ask(w.Canvas(), "Delete record", "This can't be undone.", "Delete", "Cancel", Primary, func() { done = true })
	key(d, fyne.KeyEnter)
	if !done || d.Shown() {
		t.Error("Enter did not press the primary button")
	}
}

func TestToastAndTipWaitForTheClock(t *testing.T) {
	b := NewButton("Go", Secondary, nil)
	b.SetTip("says what it does")
	w := show(t, Pad(9, 9, 9, 9, b), 400, 300)
	h := w.Content().(*Host)
	var later []func()
	h.After = func(_ time.Duration, f func()) func() {
		later = append(later, f)
		return func() { later = later[:len(later)-1] }
	}
	b.MouseIn(&desktop.MouseEvent{})
	if h.tip.Visible() || len(later) != 1 {
		t.Fatal("the tip came at once, or not at all")
	}
	later[0]()
	if !h.tip.Visible() {
		t.Error("no tip")
	}
	later[1]()
	if !h.tip.Visible() || len(later) != 3 {
		t.Error("the tip of what is there went, or nothing looks after it")
	}
	b.Hide() // as a page does that another one takes the place of
	later[2]()
	if h.tip.Visible() {
		t.Error("the tip of what is gone stayed")
	}
	b.Show()
	b.MouseIn(&desktop.MouseEvent{})
	later[len(later)-1]()
	b.MouseOut()
	if h.tip.Visible() {
		t.Error("the tip stayed")
	}
	later = nil
	b.MouseIn(&desktop.MouseEvent{})
	later[0]()
	b.SetTip("says why it can't") // what it does changed under the pointer
	later[1]()
	if h.tip.Visible() {
		t.Error("the tip stayed that is not true any more")
	}
	b.MouseOut()
	later = nil
	undone := false
	h.Toast("Saved", "Undo", func() { undone = true })
	if !h.toast.Visible() {
		t.Fatal("no toast")
	}
	test.Tap(h.toast.actions.Objects[0].(*Link))
	if !undone || h.toast.Visible() {
		t.Error("the action did not run and close the toast")
	}
	h.Toast("Saved again", "", nil)
	later[len(later)-1]()
	if h.toast.Visible() {
		t.Error("the toast stayed")
	}
}

func TestSplit(t *testing.T) {
	a, b := NewFill(ColorPanel, 0), NewFill(ColorPanel, 0)
	s := NewSplit(false, a, b, KeepFirst, 236)
	var told []float32
	s.OnChanged = func(v float32) { told = append(told, v) }
	show(t, s, 1000, 100)
	s.Resize(fyne.NewSize(1000, 100))
	if a.Size().Width != 236 || b.Size().Width != 1000-236-6 {
		t.Errorf("%v and %v", a.Size(), b.Size())
	}
	s.Resize(fyne.NewSize(1400, 100))
	if a.Size().Width != 236 {
		t.Errorf("the first part did not keep its width: %v", a.Size())
	}
	s.bar.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(67, 5)}})
	s.bar.DragEnd()
	if a.Size().Width != 300 || len(told) != 1 || told[0] != 300 {
		t.Errorf("%v after the drag, told %v", a.Size(), told)
	}
	s.bar.DoubleTapped(nil)
	if s.At() != 236 {
		t.Error("the double click did not go back")
	}
	s.ShowFirst(false)
	if b.Size().Width != 1400 {
		t.Errorf("the second part has %v", b.Size())
	}
}

// However long a value is, its card holds it.
func TestACardHoldsItsValue(t *testing.T) {
	test.NewTempApp(t)
	for _, value := range []string{"2", "a value of half the card’s width", strings.Repeat("a long title ", 12)} {
		b := newCardBox()
		b.set(Card{Name: "title of the session", Value: value, About: "what it is"})
		var all string
		var look func(o fyne.CanvasObject)
		look = func(o fyne.CanvasObject) {
			switch o := o.(type) {
			case *fyne.Container:
				for _, c := range o.Objects {
					look(c)
				}
			case fyne.Widget:
				for _, c := range test.WidgetRenderer(o).Objects() {
					look(c)
				}
			case *canvas.Text:
				all += o.Text + " "
				if w := fyne.MeasureText(o.Text, o.TextSize, o.TextStyle).Width; w > Px(cardWidth-2*cardPad)+1 {
					t.Errorf("%q is %v wide", o.Text, w)
				}
			}
		}
		look(b.body)
		if !strings.Contains(all, strings.TrimSpace(value[:min(len(value), 60)])[:1]) {
			t.Errorf("%q is not in %q", value, all)
		}
	}
}
