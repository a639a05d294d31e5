package kit

import (
	"fmt"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
)

// many is a RowSource of any length that counts how often it is asked.
type many struct {
	n     int
	asked int
}

func (m *many) Len() int { return m.n }

func (m *many) Row(i int) LedgerRow {
	m.asked++
	return LedgerRow{Num: fmt.Sprint(i + 1), Who: "user", First: "words", Tokens: "1.0K", Fate: "K", Bar: .5}
}

var captions = [6]string{"total", "fate", "#", "who", "first words", "tokens"}

func mouse(x, y float32) *desktop.MouseEvent {
	return &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, y)}, Button: desktop.MouseButtonPrimary}
}

func ledgerOf(t *testing.T, src RowSource) *Ledger {
	t.Helper()
	l := NewLedger(captions)
	l.SetSource(src)
	show(t, l, 900, 24+10*24)
	return l
}

func TestLedgerCostDoesNotGrowWithItsRows(t *testing.T) {
	src := &many{n: 1000000}
	l := ledgerOf(t, src)
	for _, i := range []int{999999, 0, 500000, 999998, 3} {
		src.asked = 0
		l.Select(i)
		if src.asked > 200 {
			t.Errorf("row %d: asked for %d rows", i, src.asked)
		}
		if from, to := l.Shown(); i < from || i >= to {
			t.Errorf("row %d is not in view: %d–%d", i, from, to)
		}
	}
	if n := len(l.list.shown) + len(l.list.pool); n > 30 {
		t.Errorf("%d row objects", n)
	}
	for i, o := range l.list.shown {
		if want := fmt.Sprint(i + 1); o.(*listLine).row.(*ledgerLine).num.Text != want {
			t.Errorf("row %d shows %s", i, o.(*listLine).row.(*ledgerLine).num.Text)
		}
	}
}

func TestLedgerPitchIs24(t *testing.T) {
	l := ledgerOf(t, &many{n: 50})
	if a, b := l.list.shown[0].Position().Y, l.list.shown[1].Position().Y; b-a != 24 || l.list.shown[0].Size().Height != 24 {
		t.Errorf("rows at %v and %v", a, b)
	}
}

func TestLedgerKeys(t *testing.T) {
	l := ledgerOf(t, &many{n: 100})
	var told []int
	opened := -1
	l.OnSelect = func(i int) { told = append(told, i) }
	l.OnOpen = func(i int) { opened = i }
	at := func(want int) {
		t.Helper()
		if l.Selected() != want {
			t.Errorf("row %d, want %d", l.Selected(), want)
		}
	}
	key(l, fyne.KeyDown)
	at(0)
	key(l, fyne.KeyDown)
	l.TypedRune('j')
	at(2)
	l.TypedRune('k')
	at(1)
	key(l, fyne.KeyPageDown)
	at(11)
	key(l, fyne.KeyEnd)
	at(99)
	key(l, fyne.KeyDown)
	at(99)
	key(l, fyne.KeyPageUp)
	at(89)
	key(l, fyne.KeyReturn)
	if opened != 89 {
		t.Errorf("opened %d", opened)
	}
	key(l, fyne.KeyHome)
	at(0)
	l.KeyDown(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	key(l, fyne.KeyDown, fyne.KeyDown)
	l.KeyUp(&fyne.KeyEvent{Name: desktop.KeyShiftLeft})
	if from, to := l.Selection(); from != 0 || to != 3 {
		t.Errorf("range %d–%d, want 0–3", from, to)
	}
	n := len(told)
	l.Select(50)
	if len(told) != n {
		t.Error("Select told somebody")
	}
}

func TestLedgerMouse(t *testing.T) {
	rows := Rows{{Fate: "K", Who: "user"}, {Fate: "S", Who: "9 messages", Fold: FoldClosed}, {Fate: "+", First: "summary", Link: "View"}}
	l := ledgerOf(t, rows)
	var log []string
	l.OnSelect = func(i int) { log = append(log, fmt.Sprint("select ", i)) }
	l.OnFate = func(i int) { log = append(log, fmt.Sprint("fate ", i)) }
	l.OnFold = func(i int) { log = append(log, fmt.Sprint("fold ", i)) }
	l.OnLink = func(i int) { log = append(log, fmt.Sprint("link ", i)) }
	l.OnMenu = func(i int, _ fyne.Position) { log = append(log, fmt.Sprint("menu ", i)) }
	l.OnOpen = func(i int) { log = append(log, fmt.Sprint("open ", i)) }
	line := func(i int) *listLine { return l.list.shown[i].(*listLine) }
	c := line(0).row.(*ledgerLine).cols
	line(0).MouseDown(mouse(c.fate.x+3, 5))
	line(1).MouseDown(mouse(c.who.x+3, 5))
	line(2).MouseDown(mouse(line(2).row.(*ledgerLine).link.Position().X+2, 5))
	line(0).TappedSecondary(&fyne.PointEvent{})
	line(0).DoubleTapped(nil)
	want := []string{"select 0", "fate 0", "select 1", "fold 1", "select 2", "link 2", "select 0", "menu 0", "open 0"}
	if fmt.Sprint(log) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", log, want)
	}
	if fyne.CurrentApp().Driver().CanvasForObject(l).Focused() != l {
		t.Error("a click did not give the list the keyboard")
	}
}

func TestLedgerSkipsRowsThatDidNotChange(t *testing.T) {
	rows := make(Rows, 10)
	for i := range rows {
		rows[i] = LedgerRow{Num: fmt.Sprint(i), First: "words"}
	}
	l := ledgerOf(t, rows)
	first := l.list.shown[0].(*listLine).row.(*ledgerLine)
	first.first.Text = "touched" // a row that is filled again would undo this
	l.Update()
	if first.first.Text != "touched" {
		t.Error("an unchanged row was filled again")
	}
	rows[0].First = "other"
	l.Update()
	if first.first.Text != "other" {
		t.Error("a changed row was not filled")
	}
	l.SetSource(rows[:3])
	if len(l.list.shown) != 3 {
		t.Errorf("%d rows shown of 3", len(l.list.shown))
	}
}

// A number of tokens is never cut, at any width of the list and size of the text.
func TestTokensAreWhole(t *testing.T) {
	a := test.NewTempApp(t)
	for _, scale := range []float32{1, 1.1, 1.3, 1.5} {
		Use(a, Dark, scale)
		need := width("~151.3K", Px(13), fyne.TextStyle{})
		for w := float32(330); w <= 1400; w += 7 {
			if c := columnsFor(w*scale, 7, true); c.tokens.w < need {
				t.Fatalf("scale %v, width %v: %v for a number of %v", scale, w, c.tokens.w, need)
			}
		}
	}
}

func TestLedgerColumnsDoNotOverlap(t *testing.T) {
	show(t, Label(""), 10, 10)
	for w := float32(330); w <= 1400; w += 7 {
		for _, chars := range []int{1, 7, 11} {
			c := columnsFor(w, chars, true)
			all := []span{c.total, c.fate, c.num, c.who, c.first, c.tokens, c.bar}
			end := float32(0)
			for i, s := range all {
				if s.w == 0 {
					continue
				}
				if s.x < end {
					t.Fatalf("width %v, %d characters: column %d begins at %v, before %v", w, chars, i, s.x, end)
				}
				end = s.x + s.w
			}
			if end > w {
				t.Fatalf("width %v: the columns end at %v", w, end)
			}
		}
	}
	if c := columnsFor(1000, 7, true); c.total.w == 0 || c.first.w < 400 {
		t.Error("a wide list has no room for its words")
	}
	if c := columnsFor(600, 7, true); c.first.w < 150 {
		t.Errorf("%v for the words in 600", columnsFor(600, 7, true).first.w)
	}
}

func TestLinkedScrollingDoesNotEcho(t *testing.T) {
	l := ledgerOf(t, &many{n: 100})
	told := 0
	l.OnScroll = func(float32) { told++ }
	l.ScrollTo(240)
	if told != 0 || l.Offset() != 240 {
		t.Errorf("told %d times, offset %v", told, l.Offset())
	}
	l.ScrollTo(1e6)
	if from, to := l.Shown(); to != 100 || from != 90 {
		t.Errorf("in view %d–%d", from, to)
	}
}

// A list that gets lower shows the selected row still; one that was scrolled away from it
// stays where it is.
func TestTheSelectedRowStaysInView(t *testing.T) {
	l := ledgerOf(t, &many{n: 100})
	size := l.Size()
	l.Select(50)
	l.Resize(fyne.NewSize(size.Width, size.Height-60))
	if from, to := l.Shown(); from > 50 || to < 51 || !l.list.sees(50) {
		t.Errorf("in view %d–%d", from, to)
	}
	l.ScrollTo(0)
	l.Resize(fyne.NewSize(size.Width, size.Height-90))
	if l.Offset() != 0 {
		t.Errorf("scrolled to %v", l.Offset())
	}
}

func BenchmarkLedgerScroll(b *testing.B) {
	Use(test.NewTempApp(b), Dark, 1)
	l := NewLedger(captions)
	l.SetSource(&many{n: 100000})
	w := test.NewTempWindow(b, l)
	w.Resize(fyne.NewSize(900, 600))
	for i := 0; b.Loop(); i++ {
		l.ScrollTo(float32(i % 50000 * 24))
	}
}
