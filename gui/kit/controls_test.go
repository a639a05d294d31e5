package kit

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"palimpsest/gui/words"
)

// texts are the words that a widget draws.
func texts(o fyne.CanvasObject) (out []string) {
	for _, x := range test.WidgetRenderer(o.(fyne.Widget)).Objects() {
		switch x := x.(type) {
		case *canvas.Text:
			if x.Text != "" {
				out = append(out, x.Text)
			}
		case *Text:
			out = append(out, x.Text())
		}
	}
	return out
}

// What can be pressed answers to a click, to Space and Enter, and not when it is
// disabled.
func TestPressing(t *testing.T) {
	n := 0
	do := func() { n++ }
	for name, w := range map[string]interface {
		fyne.Tappable
		fyne.Focusable
		fyne.Disableable
		fyne.CanvasObject
	}{
		"button": NewButton("Do", Primary, do), "sign": NewReset("back", do), "link": NewLink("do", do),
		"heading": NewHeadLink("do", do), "chip": NewFateChip("K", "only kept", do), "row": NewPressRow(24, Label("do"), do),
	} {
		show(t, w, 200, 100)
		n = 0
		test.Tap(w)
		key(w, fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter, fyne.KeyF2)
		if n != 4 {
			t.Errorf("%s: %d of 4", name, n)
		}
		w.Disable()
		test.Tap(w)
		key(w, fyne.KeySpace)
		if n != 4 {
			t.Errorf("%s: disabled it still answers", name)
		}
	}
}

// A disabled button says why it is, and else what it does.
func TestADisabledButtonSaysWhy(t *testing.T) {
	b := NewButton("Use", Secondary, nil).WithTip("storage.use.tip")
	if b.Tip() != words.T("storage.use.tip") || b.Unexplained() {
		t.Errorf("%q", b.Tip())
	}
	b.Disable()
	if b.Tip() != words.T("storage.use.off") || b.Unexplained() {
		t.Errorf("disabled: %q", b.Tip())
	}
	if b.WithTip("preview.back.tip"); !b.Unexplained() || b.Tip() != words.T("preview.back.tip") {
		t.Errorf("without a reason: %q", b.Tip())
	}
}

// In both themes a button under the pointer, with the keyboard and disabled looks
// different from one at rest.
func TestButtonShowsItsState(t *testing.T) {
	b := NewButton("Do", Secondary, nil)
	w := show(t, b, 100, 40)
	look := func() [3]any {
		fill, stroke, ink := b.colors()
		return [3]any{fill, stroke, ink}
	}
	for _, mode := range []Mode{Dark, Light} {
		Use(fyne.CurrentApp(), mode, 1)
		rest := look()
		b.MouseIn(&desktop.MouseEvent{})
		over := look()
		b.MouseOut()
		w.Canvas().Focus(b)
		focused := look()
		w.Canvas().Unfocus()
		b.Disable()
		off := look()
		b.Enable()
		if rest == over || rest == focused || rest == off || look() != rest {
			t.Errorf("%s: at rest %v, hovered %v, focused %v, disabled %v", mode, rest, over, focused, off)
		}
	}
}

func TestTextFieldKeys(t *testing.T) {
	var typed []string
	f := NewTextField("name", func(s string) { typed = append(typed, s) })
	w := show(t, f, 200, 30)
	var unused []fyne.KeyName
	w.Canvas().SetOnTypedKey(func(e *fyne.KeyEvent) { unused = append(unused, e.Name) })
	test.Tap(f)
	if w.Canvas().Focused() != f.entry {
		t.Fatal("a click beside the text does not give the field the keyboard")
	}
	test.Type(f.entry, "ab")
	key(f.entry, fyne.KeyDown, fyne.KeyReturn, fyne.KeyEscape, fyne.KeyEscape)
	if want := []string{"a", "ab", ""}; !slices.Equal(typed, want) {
		t.Errorf("told %q, want %q", typed, want)
	}
	if want := []fyne.KeyName{fyne.KeyDown, fyne.KeyReturn, fyne.KeyEscape}; !slices.Equal(unused, want) {
		t.Errorf("the window got %q, want %q: Esc clears before it leaves", unused, want)
	}
	var sent string
	f.OnSubmitted = func(s string) { sent = s }
	f.SetText("kept")
	key(f.entry, fyne.KeyReturn)
	if sent != "kept" || len(typed) != 3 {
		t.Errorf("sent %q; a text that was set was told as typed: %q", sent, typed)
	}
	f.Plain()
	key(f.entry, fyne.KeyEscape)
	if f.Text() != "kept" {
		t.Error("Esc cleared a field without a sign to clear it")
	}
	f.SetEnabled(false)
	w.Canvas().Unfocus()
	test.Tap(f)
	if w.Canvas().Focused() != nil || !f.entry.Disabled() {
		t.Error("a disabled field takes the keyboard")
	}
}

// The sign at the end of a field clears it and is there only while there is
// something to clear.
func TestTextFieldClears(t *testing.T) {
	f := NewFilter("filter", nil)
	show(t, f, 200, 30)
	if f.clear.Visible() {
		t.Error("an empty field can be cleared")
	}
	f.SetText("x")
	if !f.clear.Visible() {
		t.Fatal("a field with text can't be cleared")
	}
	test.Tap(f.clear)
	if f.Text() != "" || f.clear.Visible() {
		t.Errorf("after clearing: %q", f.Text())
	}
}

func TestNumberFieldShowsErrorsOfOthers(t *testing.T) {
	f := NewNumberField("5", nil)
	show(t, f, 100, 30)
	var told []error
	f.OnError = func(err error) { told = append(told, err) }
	bad := errors.New("more than the window")
	f.SetErr(bad)
	f.SetErr(bad)
	if !f.bad || len(told) != 1 {
		t.Errorf("bad %v, told %v", f.bad, told)
	}
	f.Set("6")
	if f.bad || f.Err() != nil || f.Text() != "6" {
		t.Errorf("a new value leaves bad %v, %v, %q", f.bad, f.Err(), f.Text())
	}
}

// The facts of a status bar that have no room are cut or left out, those at the
// right never; a click on those is reported.
func TestStatusBar(t *testing.T) {
	b := NewStatusBar()
	show(t, b, 500, 26)
	var tapped []int
	b.OnTapped = func(i int) { tapped = append(tapped, i) }
	left := []string{"Offline", strings.Repeat("long words ", 20), "never seen"}
	b.Set(ColorMuted, left, []string{"saved", "? keys"})
	got := texts(b)
	if len(got) != 4 || got[0] != "? keys" || got[1] != "saved" || !strings.HasSuffix(got[3], "…") {
		t.Errorf("shown: %q", got)
	}
	for _, x := range []float32{b.spots[3].x + 2, b.spots[4].x + 2, 20} {
		b.Tapped(&fyne.PointEvent{Position: fyne.NewPos(x, 10)})
	}
	if want := []int{0, 1}; !slices.Equal(tapped, want) {
		t.Errorf("clicks told %v, want %v", tapped, want)
	}
}

// Bars above each other have one scale; words that do not fit into a part are
// left out.
func TestStackBarsShareAScale(t *testing.T) {
	b := NewStackBar(26)
	show(t, b, 200, 26)
	b.Set([]BarPart{{Value: 50, Text: "half", Color: ColorKept}, {Value: 5, Text: "far too long for it", Color: ColorCleared}}, 100, "rest")
	if got := texts(b); !slices.Equal(got, []string{"half", "rest"}) {
		t.Errorf("words %q", got)
	}
	var fills []*canvas.Rectangle
	for _, o := range test.WidgetRenderer(b).Objects()[1:] {
		if r, ok := o.(*canvas.Rectangle); ok {
			fills = append(fills, r)
		}
	}
	if w := fills[0].Size().Width; w < 98 || w > 100 {
		t.Errorf("half of the scale is %v wide of 200", w)
	}
}

// A tag with something to do is a chip; the words are cut to the room.
func TestTag(t *testing.T) {
	tag := NewTag("a label that is rather long", ColorWarning)
	show(t, tag, 80, 19)
	if got := texts(tag); !strings.HasSuffix(got[0], "…") {
		t.Errorf("shown %q", got)
	}
	n := 0
	test.Tap(tag)
	tag.OnTapped = func() { n++ }
	test.Tap(tag)
	tag.Disable()
	test.Tap(tag)
	if n != 1 {
		t.Errorf("pressed %d times, want 1", n)
	}
}

// What follows from a long fact is read whole below it, where little room is left beside it.
func TestABannerWithALongHeadHasTheRestBelow(t *testing.T) {
	b := NewBanner(Failure, "Can't open the database: the database is in use by another program (/home/somebody/records.db).",
		"Close the other program or wait until it has finished, then try again; nothing was changed.",
		NewButton("Details", Secondary, nil).Small())
	show(t, b, 1000, 100)
	b.Resize(fyne.NewSize(1000, b.MinSize().Height))
	lines := b.rest.lines()
	if len(lines) != 1 || strings.HasSuffix(lines[0], "…") {
		t.Errorf("%q", lines)
	}
	if y := b.rest.Position().Y + b.rest.Size().Height; b.rest.Position().Y < b.head.Position().Y+10 || y > b.Size().Height {
		t.Errorf("the rest is at %v of %v, the head at %v", b.rest.Position(), b.Size(), b.head.Position())
	}
}

// A banner gives its fact the room that there is and cuts what follows; closing
// it is reported.
func TestBanner(t *testing.T) {
	closed := false
	b := NewBanner(Failure, "The server did not answer", strings.Repeat("why ", 200), NewButton("Details", Secondary, nil).Small())
	b.OnClose = func() { closed = true }
	show(t, b, 500, 36)
	if m := b.MinSize().Width; m > 320 {
		t.Errorf("a long sentence widens the window to %v", m)
	}
	if b.head.Size().Width < 100 || b.rest.Size().Width <= 0 {
		t.Errorf("fact %v wide, rest %v", b.head.Size().Width, b.rest.Size().Width)
	}
	test.Tap(b.row.Objects[len(b.row.Objects)-1].(*IconButton))
	if !closed || b.Visible() {
		t.Error("the sign does not close it")
	}
}

// A notice is as high as its words need at its width.
func TestNoticeGrowsWithItsWords(t *testing.T) {
	n := NewNotice(Warning, "One line.", "")
	w := show(t, Column(0, n), 400, 300)
	short := n.Size().Height
	n.Set(Failure, strings.Repeat("Many words. ", 20), "And what to do.")
	w.Content().Refresh()
	if n.MinSize().Height < short+3*19 {
		t.Errorf("%v high for one line, %v for many", short, n.MinSize().Height)
	}
	if n.rest.Position().Y < n.head.Position().Y+n.head.Size().Height {
		t.Error("what to do lies on the fact")
	}
}

// Where the head of a pane has no room, the items in the middle go first and the
// last one never.
func TestPaneHeadGivesWay(t *testing.T) {
	a, b := NewButton("first item", Secondary, nil), NewButton("last item", Secondary, nil)
	tag := NewTag("beside the title", ColorMuted)
	p := NewPane("Title of the pane", Label(""), a, b)
	p.SetLeft(tag)
	w := show(t, p, 600, 100)
	in := func() (out []bool) {
		for _, o := range []fyne.CanvasObject{tag, a, b} {
			out = append(out, o.Position().X >= 0)
		}
		return out
	}
	for _, x := range []struct {
		width float32
		want  []bool
	}{{600, []bool{true, true, true}}, {300, []bool{false, true, true}}, {180, []bool{false, false, true}}} {
		w.Resize(fyne.NewSize(x.width, 100))
		if got := in(); !slices.Equal(got, x.want) {
			t.Errorf("%v wide: in view %v, want %v", x.width, got, x.want)
		}
	}
}

// The window under a dialog gets no clicks; help and fields of a form in
// it are where the picture has them.
func TestDialogWithAForm(t *testing.T) {
	w := show(t, Label("below"), 640, 360)
	endpoint := NewTextField("http://localhost:11434/v1", nil)
	form := NewForm().Row("Server", Sized(200, 24, NewSelect([]string{"none", "local"}, 0, nil))).
		Wide("Endpoint", endpoint).Help(NewText("Nothing is sent before you ask for it.", ColorFaint, 12))
	d := NewDialog("Model", "that writes summaries", form.Body(), 480, 0)
	d.SetCaption("Kept for this computer.")
	d.SetButtons(NewButton("Cancel", Secondary, d.Close), NewButton("Use", Primary, d.Hide))
	d.ShowOn(w.Canvas())
	test.AssertRendersToMarkup(t, "dialog.xml", w.Canvas())
	test.TapCanvas(w.Canvas(), fyne.NewPos(5, 5))
	if !d.Shown() {
		t.Error("a click beside the dialog closed it")
	}
}
