package kit

import (
	"errors"
	"fmt"
	"image/color"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
)

func TestParseNumber(t *testing.T) {
	for s, want := range map[string]Number{
		"80%": {N: 80, Unit: "%"}, "80 %": {N: 80, Unit: "%"}, "120000": {N: 120000}, "120,000": {N: 120000},
		"120k": {N: 120000}, "1.5M": {N: 1500000}, "-20k": {N: 20000, Below: true}, "−20K": {N: 20000, Below: true},
		"10msgs": {N: 10, Unit: "msgs"}, "10 messages": {N: 10, Unit: "msgs"}, "3 steps": {N: 3, Unit: "steps"},
		"20k tok": {N: 20000, Unit: "tok"}, "~41.3K": {N: 41300}, " 5 turns ": {N: 5, Unit: "turns"}, "2m": {N: 2000000}, "0": {},
	} {
		if got, err := ParseNumber(s); err != nil || got != want {
			t.Errorf("%q: %v, %v, want %v", s, got, err, want)
		}
	}
	for _, s := range []string{"", "abc", "%", "-", "1.2.3", "10 apples", "9e99", "k", "1e400", "NaN", "inf", "99999999999999999999"} {
		if got, err := ParseNumber(s); err == nil {
			t.Errorf("%q gave %v", s, got)
		}
	}
}

func FuzzParseNumber(f *testing.F) {
	for _, s := range []string{"80%", "-20k", "10msgs", "1.5M", "~", "−"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if n, err := ParseNumber(s); err == nil && !(n.N >= 0 && n.N <= 1e15) {
			t.Errorf("%q: %v", s, n.N)
		}
	})
}

func numberField(t *testing.T) (*NumberField, *[]Number, fyne.Canvas) {
	t.Helper()
	var got []Number
	var f *NumberField
	f = NewNumberField("80 %", func(n Number) error {
		got = append(got, n)
		if n.N > 100 {
			return errors.New("a share is at most 100 %")
		}
		f.Set(fmt.Sprintf("%.0f %%", n.N))
		return nil
	})
	w := show(t, f, 100, 24)
	return f, &got, w.Canvas()
}

func TestNumberFieldCommitsOnEnterAndOnLeaving(t *testing.T) {
	f, got, c := numberField(t)
	test.Tap(f) // beside the digits: the field hands it on
	if c.Focused() != f.entry {
		t.Fatal("the entry has no focus")
	}
	test.Type(f.entry, "65%") // replaces what was marked
	key(f.entry, fyne.KeyReturn)
	if len(*got) != 1 || (*got)[0] != (Number{N: 65, Unit: "%"}) || f.Text() != "65 %" {
		t.Errorf("told %v, shows %q", *got, f.Text())
	}
	test.Type(f.entry, "70")
	c.Unfocus()
	if len(*got) != 2 || f.Text() != "70 %" {
		t.Errorf("told %v, shows %q", *got, f.Text())
	}
	test.Tap(f)
	c.Unfocus()
	if len(*got) != 2 {
		t.Error("an unchanged field told somebody")
	}
}

func TestNumberFieldErrors(t *testing.T) {
	f, got, c := numberField(t)
	var told []error
	f.OnError = func(err error) { told = append(told, err) }
	c.Focus(f.entry)
	test.Type(f.entry, "900")
	key(f.entry, fyne.KeyReturn)
	if f.Err() == nil || f.Text() != "900" || len(told) != 1 {
		t.Errorf("error %v, shows %q", f.Err(), f.Text())
	}
	key(f.entry, fyne.KeyEscape)
	if f.Err() != nil || f.Text() != "80 %" || len(told) != 2 || told[1] != nil {
		t.Errorf("after Esc: error %v, shows %q, told %v", f.Err(), f.Text(), told)
	}
	test.Type(f.entry, "what")
	key(f.entry, fyne.KeyReturn)
	if f.Err() == nil || len(*got) != 1 {
		t.Error("nonsense was committed")
	}
	f.Set("81 %") // from outside, while a person types: not taken over
	if f.Text() != "what" {
		t.Errorf("typing was disturbed: %q", f.Text())
	}
	key(f.entry, fyne.KeyEscape)
	if f.Text() != "81 %" {
		t.Errorf("Esc goes back to %q", f.Text())
	}
}

// An undo while a field has the keyboard is not reversed by leaving the field.
func TestAFieldThatIsAimedAtFollowsAnUndo(t *testing.T) {
	f, got, c := numberField(t)
	c.Focus(f.entry)
	test.Type(f.entry, "70")
	key(f.entry, fyne.KeyReturn)
	f.Set("80 %")
	if f.Text() != "80 %" {
		t.Errorf("shows %q after the undo", f.Text())
	}
	c.Unfocus()
	if len(*got) != 1 || f.Text() != "80 %" {
		t.Errorf("leaving the field committed %v, it shows %q", (*got)[1:], f.Text())
	}
}

func TestNumberFieldStepsAndAligns(t *testing.T) {
	f, _, c := numberField(t)
	v := 80
	f.OnStep = func(n int) { v += n; f.Set(fmt.Sprintf("%d %%", v)) }
	c.Focus(f.entry)
	key(f.entry, fyne.KeyUp, fyne.KeyUp, fyne.KeyDown)
	if f.Text() != "81 %" {
		t.Errorf("shows %q", f.Text())
	}
	right := f.entry.Position().X + f.entry.Size().Width
	f.Set("7 %")
	f.entry.SetText("123,456,789")
	if got := f.entry.Position().X + f.entry.Size().Width; got != right {
		t.Errorf("the right edge moved from %v to %v", right, got)
	}
	f.Disable()
	f.step(true)
	if v != 81 {
		t.Error("a disabled field stepped")
	}
}

func TestTextField(t *testing.T) {
	var told []string
	f := NewFilter("Filter", func(s string) { told = append(told, s) })
	w := show(t, f, 200, 24)
	if f.clear.Visible() {
		t.Error("an empty field can be cleared")
	}
	f.Focus()
	test.Type(f.entry, "ab")
	f.SetText("from outside")
	if len(told) != 2 || told[1] != "ab" || !f.clear.Visible() {
		t.Errorf("told %q", told)
	}
	test.Tap(f.clear)
	if f.Text() != "" || len(told) != 3 {
		t.Error("not cleared")
	}
	var up fyne.KeyName
	w.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) { up = e.Name })
	key(f.entry, fyne.KeyDown)
	if up != fyne.KeyDown {
		t.Error("the arrow key did not reach the list under the filter")
	}
}

// The first letter typed into an empty field that was given the keyboard stays, also
// when the field had a text before.
func TestTheFirstLetterStays(t *testing.T) {
	f := NewTextField("", nil)
	w := show(t, f, 200, 24)
	for _, before := range []string{"", "abc"} {
		f.SetText(before)
		f.FocusOn(w.Canvas())
		f.SetText("")
		f.FocusOn(w.Canvas())
		for _, r := range "xyz" {
			w.Canvas().Focused().TypedRune(r)
		}
		if f.Text() != "xyz" {
			t.Errorf("after %q it holds %q", before, f.Text())
		}
		f.SetText("")
	}
}

// A caret that nobody types at comes to rest, lit, and once more after the next key.
// (The toolkit's driver for tests runs no animation: that the blinking ends is seen in
// a real window.)
func TestACaretComesToRest(t *testing.T) {
	f := NewTextField("", nil)
	w := show(t, f, 300, 60)
	due := func() {}
	w.Content().(*Host).After = func(_ time.Duration, f func()) func() { due = f; return func() { due = func() {} } }
	f.FocusOn(w.Canvas())
	caret := func() (c *canvas.Rectangle) {
		drawn(f.entry, func(o fyne.CanvasObject) {
			if r, ok := o.(*canvas.Rectangle); ok && r.Visible() && r.Size().Width > 0 && r.Size().Width < 3 {
				c = r
			}
		})
		return c
	}
	lit := func() bool { return color.NRGBAModel.Convert(caret().FillColor).(color.NRGBA).A == 255 }
	for _, after := range []string{"the focus", "a key"} {
		caret().FillColor = color.Transparent
		due()
		if !lit() {
			t.Errorf("after %s it was left in the dark", after)
		}
		due = func() {}
		test.Type(f.entry, "a")
	}
	w.Canvas().Unfocus()
	due()
	if caret() != nil {
		t.Error("a field without the keyboard has a caret")
	}
}

// drawn calls f for every object that o draws.
func drawn(o fyne.CanvasObject, f func(fyne.CanvasObject)) {
	f(o)
	if w, ok := o.(fyne.Widget); ok {
		for _, part := range test.WidgetRenderer(w).Objects() {
			drawn(part, f)
		}
	}
}

// A text that is shown is read from its beginning, unless a person types in its field.
func TestALongTextIsShownFromItsBeginning(t *testing.T) {
	f := NewTextField("", nil)
	c := show(t, f, 60, 24).Canvas()
	f.ShowText("10,12,14,16,19,21,23,25")
	if f.entry.CursorColumn != 0 {
		t.Errorf("the cursor is at %d", f.entry.CursorColumn)
	}
	f.FocusOn(c)
	f.ShowText("10,12,14,16,19,21")
	if f.entry.CursorColumn == 0 {
		t.Error("the cursor of a person who types is moved")
	}
}

// A button that opens a menu has its sign behind the words, within its size.
func TestAButtonThatOpensAMenuSaysSo(t *testing.T) {
	b := NewButton("Columns", Secondary, nil)
	bare := b.MinSize().Width
	b = NewButton("Columns", Secondary, nil).OpensMenu()
	if got := b.MinSize().Width - bare; got != Px(15) {
		t.Errorf("%v wider", got)
	}
	show(t, b, b.MinSize().Width, 24)
	r := test.WidgetRenderer(b)
	words, sign := r.Objects()[2].(*canvas.Text), r.Objects()[3]
	if left, right := sign.Position().X, sign.Position().X+sign.Size().Width; !sign.Visible() || left < words.Position().X+words.MinSize().Width ||
		right > b.Size().Width-Px(9) {
		t.Errorf("the sign is from %v to %v, the words from %v", left, right, words.Position().X)
	}
}
