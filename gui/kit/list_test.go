package kit

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
)

// numberRow is a row that shows its number.
type numberRow struct{ *Text }

func (r numberRow) Object() fyne.CanvasObject { return r.Text }

func (r numberRow) Fill(i int, selected bool) {
	r.SetText(map[bool]string{true: "> ", false: ""}[selected] + fmt.Sprint(i))
}

func numbers(t *testing.T, n int) *List {
	t.Helper()
	l := NewList(20, func() int { return n }, func() ListRow { return numberRow{Label("").Fit()} })
	show(t, l, 200, 100)
	return l
}

// shownIn are the words of the rows in view, from above.
func shownIn(l *List) (out []string) {
	from, to := l.list.span()
	for i := from; i < to; i++ {
		out = append(out, l.list.shown[i].(*listLine).obj.(*Text).Text())
	}
	return out
}

func shiftKeys(w fyne.Focusable, names ...fyne.KeyName) {
	w.(desktop.Keyable).KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	key(w, names...)
	w.(desktop.Keyable).KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
}

func TestListKeys(t *testing.T) {
	l := numbers(t, 40)
	var chosen []int
	l.OnSelect = func(i int) { chosen = append(chosen, i) }
	key(l, fyne.KeyDown, fyne.KeyDown, fyne.KeyPageDown, fyne.KeyUp, fyne.KeyEnd, fyne.KeyDown, fyne.KeyPageUp, fyne.KeyHome)
	if want := []int{0, 1, 6, 5, 39, 39, 34, 0}; !slices.Equal(chosen, want) {
		t.Errorf("keys chose %v, want %v", chosen, want)
	}
	key(l, fyne.KeyEnd)
	if got := shownIn(l); got[len(got)-1] != "> 39" {
		t.Errorf("the last row is not in view: %q", got)
	}
	l.TypedRune('k')
	l.TypedRune('j')
	l.TypedRune('k')
	if l.Selected() != 38 {
		t.Errorf("after k, j, k row %d is selected", l.Selected())
	}
}

// Rows that can't be chosen are passed over, also at the ends.
func TestListPassesOverHeadings(t *testing.T) {
	l := numbers(t, 10)
	l.Choosable = func(i int) bool { return i%3 != 0 }
	key(l, fyne.KeyHome)
	if l.Selected() != 1 {
		t.Errorf("Home chose row %d", l.Selected())
	}
	key(l, fyne.KeyDown, fyne.KeyDown)
	if l.Selected() != 4 {
		t.Errorf("two rows further down: %d", l.Selected())
	}
	key(l, fyne.KeyEnd)
	if l.Selected() != 8 {
		t.Errorf("End chose row %d", l.Selected())
	}
	test.Tap(l.list.shown[6].(*listLine))
	if l.Selected() != 8 {
		t.Errorf("a click on a heading chose %d", l.Selected())
	}
}

// Space takes one row, Shift with an arrow all between, Ctrl+A all of them.
func TestListTicks(t *testing.T) {
	l := numbers(t, 10)
	var got []string
	l.OnTick = func(i int, upTo bool) { got = append(got, fmt.Sprint(i, upTo)) }
	l.OnTickAll = func() { got = append(got, "all") }
	key(l, fyne.KeySpace) // nothing is selected
	l.Select(2)
	key(l, fyne.KeySpace)
	shiftKeys(l, fyne.KeyDown)
	key(l, fyne.KeyDown)
	l.TypedShortcut(&fyne.ShortcutSelectAll{})
	if want := []string{"2 false", "2 true", "3 true", "all"}; !slices.Equal(got, want) {
		t.Errorf("ticked %q, want %q", got, want)
	}
	line := l.list.shown[1].(*listLine)
	line.MouseDown(&desktop.MouseEvent{Modifier: fyne.KeyModifierShift})
	test.Tap(line)
	line.MouseDown(&desktop.MouseEvent{})
	test.Tap(line)
	if last := got[len(got)-1]; last != "1 true" || l.Selected() != 1 {
		t.Errorf("a click with Shift ticked %q, a plain one selected %d", last, l.Selected())
	}
}

func TestListOpensFoldsAndDeletes(t *testing.T) {
	l := numbers(t, 10)
	var got []string
	say := func(what string) func(int) { return func(i int) { got = append(got, fmt.Sprint(what, i)) } }
	var unused []fyne.KeyName
	fyne.CurrentApp().Driver().CanvasForObject(l).SetOnTypedKey(func(e *fyne.KeyEvent) { unused = append(unused, e.Name) })
	key(l, fyne.KeyReturn, fyne.KeyDelete, fyne.KeyLeft)
	l.Select(3)
	key(l, fyne.KeyReturn, fyne.KeyDelete, fyne.KeyLeft)
	if len(unused) != 6 {
		t.Errorf("the window got %q of what the list has no use for", unused)
	}
	l.OnOpen, l.OnDelete = say("open"), say("delete")
	l.OnFold = func(i int, open bool) { got = append(got, fmt.Sprint("fold", i, open)) }
	l.OnMenu = func(i int, _ fyne.Position) { got = append(got, fmt.Sprint("menu", i)) }
	key(l, fyne.KeyReturn, fyne.KeyDelete, fyne.KeyLeft, fyne.KeyRight)
	test.DoubleTap(l.list.shown[4].(*listLine))
	test.TapSecondary(l.list.shown[0].(*listLine))
	if want := []string{"open3", "delete3", "fold3 false", "fold3 true", "open4", "menu0"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Rows of heights of their own follow each other without gaps, and the one that
// is asked for comes to the middle.
func TestListOfUnequalRows(t *testing.T) {
	l := numbers(t, 30)
	l.SetHeights(func(i int) float32 { return float32(10 + i%4*10) })
	l.Centre(15)
	if got := shownIn(l); !slices.Contains(got, "> 15") {
		t.Fatalf("row 15 is not in view: %q", got)
	}
	from, to := l.list.span()
	var end float32
	for i := from; i < to; i++ {
		o := l.list.shown[i]
		if want := float32(10 + i%4*10); o.Size().Height != want || i > from && o.Position().Y != end {
			t.Errorf("row %d is %v high at %v, want %v at %v", i, o.Size().Height, o.Position().Y, want, end)
		}
		end = o.Position().Y + o.Size().Height
	}
	middle := l.list.shown[15].Position().Y + l.list.shown[15].Size().Height/2 - l.list.scroll.Offset.Y
	if middle < 45 || middle > 55 {
		t.Errorf("its middle is at %v of 100", middle)
	}
	l.Centre(16) // in view already
	if at := l.list.shown[15].Position().Y - l.list.scroll.Offset.Y; at < 20 {
		t.Errorf("the list scrolled though the row was in view")
	}
}

// Fewer rows than before: the selection of one that is gone goes with it; another
// text size makes the rows again.
func TestListFollowsItsRowsAndTheTheme(t *testing.T) {
	n := 10
	l := NewList(20, func() int { return n }, func() ListRow { return numberRow{Label("").Fit()} })
	show(t, l, 200, 100)
	l.Select(8)
	n = 5
	l.Update()
	if l.Selected() != -1 || l.list.scroll.Offset.Y != 0 {
		t.Errorf("selected %d, scrolled to %v", l.Selected(), l.list.scroll.Offset.Y)
	}
	Use(fyne.CurrentApp(), Light, 1.5)
	if h := l.list.shown[0].Size().Height; h != 30 {
		t.Errorf("a row is %v high with larger text", h)
	}
}

// A box to tick reports the keys that are held, and leaves the keyboard.
func TestTickBox(t *testing.T) {
	var held []fyne.KeyModifier
	b := NewTickBox(func(m fyne.KeyModifier) { held = append(held, m) })
	show(t, b, 40, 40)
	b.MouseDown(&desktop.MouseEvent{Modifier: fyne.KeyModifierShift})
	test.Tap(b)
	b.MouseDown(&desktop.MouseEvent{})
	test.Tap(b)
	if want := []fyne.KeyModifier{fyne.KeyModifierShift, 0}; !slices.Equal(held, want) {
		t.Errorf("held %v, want %v", held, want)
	}
	if b.Set(true); !b.on {
		t.Error("a box that is set is not on")
	}
	if _, ok := any(b).(fyne.Focusable); ok {
		t.Error("a box in a list takes the keyboard from it")
	}
}

// The tip of a row is that of the row under the pointer, and goes with it; a row without
// one has none.
func TestRowsHaveTips(t *testing.T) {
	l := numbers(t, 10)
	l.Tip = func(i int) string {
		if i == 2 {
			return ""
		}
		return fmt.Sprint("about ", i)
	}
	h := hostOf(l)
	var due func()
	h.After = func(_ time.Duration, f func()) func() { due = f; return func() { due = nil } }
	said := func(row int) string {
		line := l.list.shown[row].(*listLine)
		due = nil
		line.MouseIn(&desktop.MouseEvent{})
		defer line.MouseOut()
		if due == nil {
			return ""
		}
		if due(); !h.tip.Visible() {
			return "nothing is seen"
		}
		return h.tip.words.Text()
	}
	for row, want := range map[int]string{0: "about 0", 1: "about 1", 2: ""} {
		if got := said(row); got != want {
			t.Errorf("row %d: %q instead of %q", row, got, want)
		}
	}
	if h.tip.Visible() {
		t.Error("the tip stayed when the pointer left")
	}
}
