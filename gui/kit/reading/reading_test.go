package reading

import (
	"context"
	"fmt"
	"image/color"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"palimpsest/gui/kit"
	"palimpsest/gui/sched"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/body"
	"palimpsest/model/transcript"
)

// stage is a view in a window. What the scheduler hands over runs on the goroutine
// of the test.
type stage struct {
	*View
	app   fyne.App
	win   fyne.Window
	queue *sched.Queue
}

func newStage(t *testing.T, w, h float32) *stage {
	t.Helper()
	s := &stage{app: test.NewTempApp(t), queue: sched.NewQueue()}
	kit.Use(s.app, kit.Dark, 1)
	words.Set(words.English)
	s.View = New(sched.New(s.queue.Dispatch))
	t.Cleanup(s.sched.Close)
	s.win = test.NewTempWindow(t, kit.NewHost(s.View))
	s.win.SetPadded(false)
	s.win.Resize(fyne.NewSize(w, h))
	s.settle()
	return s
}

func (s *stage) settle() { s.queue.DrainUntilIdle(s.sched) }

func (s *stage) set(d *body.Doc) {
	s.Set(d)
	s.settle()
}

func result(text string) *body.Doc {
	return body.Read([]model.Part{{Kind: model.PartResult, Text: text}}, body.Options{})
}

func (s *stage) press(x, y float32, mod fyne.KeyModifier) {
	e := &desktop.MouseEvent{Button: desktop.MouseButtonPrimary, Modifier: mod}
	e.Position = fyne.NewPos(x, y)
	s.MouseDown(e)
	s.MouseUp(e)
}

// at is where a word is seen.
func (s *stage) at(t *testing.T, word string) fyne.Position {
	t.Helper()
	for i, r := range s.rows {
		for _, o := range r.objs {
			if x, ok := o.(*canvas.Text); ok && strings.Contains(x.Text, word) {
				before := fyne.MeasureText(x.Text[:strings.Index(x.Text, word)], x.TextSize, x.TextStyle).Width
				return fyne.NewPos(x.Position().X+before+3, s.y(i)+s.clip.Position().Y+8)
			}
		}
	}
	t.Fatalf("%q is not seen", word)
	return fyne.Position{}
}

func TestSelectingByCharacterWordAndLine(t *testing.T) {
	s := newStage(t, 700, 300)
	s.set(result("first line with words\n\tsecond line, 会话 here\nthird"))
	p := s.at(t, "words")
	s.press(p.X, p.Y, 0)
	if s.selected() != "" {
		t.Errorf("a press selected %q", s.selected())
	}
	s.press(p.X, p.Y, 0)
	if s.selected() != "words" {
		t.Errorf("a double press selected %q", s.selected())
	}
	s.press(p.X, p.Y, 0)
	if s.selected() != "first line with words" {
		t.Errorf("a triple press selected %q", s.selected())
	}
	q := s.at(t, "会话")
	s.press(q.X+40, q.Y, 0)
	down := &desktop.MouseEvent{Button: desktop.MouseButtonPrimary}
	down.Position = fyne.NewPos(p.X, p.Y)
	s.MouseDown(down)
	drag := &fyne.DragEvent{}
	drag.Position = s.at(t, "third").AddXY(200, 0)
	s.Dragged(drag)
	if got := s.selected(); got != "words\n\tsecond line, 会话 here\nthird" {
		t.Errorf("dragged over %q", got)
	}
	s.TypedShortcut(&fyne.ShortcutCopy{})
	if got := s.app.Clipboard().Content(); got != s.selected() {
		t.Errorf("the clipboard has %q", got)
	}
	s.TypedShortcut(&fyne.ShortcutSelectAll{})
	if got := s.selected(); !strings.HasPrefix(got, "first") || !strings.HasSuffix(got, "third") {
		t.Errorf("all is %q", got)
	}
	s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if s.selected() != "" {
		t.Error("Esc does not end the selection")
	}
	a := s.at(t, "second")
	s.press(a.X-3, a.Y, 0)
	b := s.at(t, "here")
	s.press(b.X-3, b.Y, fyne.KeyModifierShift)
	if got := s.selected(); got != "second line, 会话 " {
		t.Errorf("with Shift %q", got)
	}
}

// Every place of a row is found again where it is drawn.
func TestPlacesAreWhereTheyAreDrawn(t *testing.T) {
	s := newStage(t, 700, 400)
	s.set(prose("Plain **bold** `code` [link](https://a.example) 会话 éà\n\n| a | bb |\n|---|--:|\n| ccc | d |\n"))
	for i, r := range s.rows {
		x := s.lay.Rows[i]
		b := &s.doc.Blocks[x.Block]
		for _, p := range r.pieces {
			for at := range b.Text[p.from:p.to] {
				if got := r.placeAt(r.xIn(b, p, p.from+at) + .5); got != p.from+at {
					t.Errorf("%q: place %d of the text is found as %d", b.Text, p.from+at, got)
				}
			}
		}
	}
}

func TestFindingWithinABody(t *testing.T) {
	s := newStage(t, 600, 300)
	s.set(result(strings.Repeat("nothing here\n", 700) + "the Needle\n" + strings.Repeat("nothing here\n", 700) + "a needle again\n"))
	folded := len(s.lay.Rows)
	s.TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyF, Modifier: fyne.KeyModifierShortcutDefault})
	s.find.field.OnChanged("needle")
	s.settle()
	if len(s.hits) != 2 || s.current != 0 || len(s.lay.Rows) <= folded {
		t.Fatalf("%d hits, the %d., %d rows", len(s.hits), s.current, len(s.lay.Rows))
	}
	row := s.lay.RowOf(s.hits[0].Start())
	if float64(row) < s.top || float64(row) > s.top+s.page() {
		t.Errorf("row %d is not seen from %v on", row, s.top)
	}
	s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyF3})
	if s.current != 1 || s.find.count.Text() != "2 of 2" {
		t.Errorf("the %d., %q", s.current, s.find.count.Text())
	}
	s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if s.find.box.Visible() || s.hits != nil {
		t.Error("the bar is still there")
	}
	s.Find()
	s.find.look("needle")
	s.settle()
	in := fyne.CurrentApp().Driver().CanvasForObject(s.View).Focused() // the field of the bar
	at := s.current
	in.TypedKey(&fyne.KeyEvent{Name: fyne.KeyF3})
	if s.current == at {
		t.Error("F3 in the field does not go on")
	}
	in.(fyne.Shortcutable).TypedShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyF3, Modifier: fyne.KeyModifierShift})
	if s.current != at {
		t.Errorf("Shift+F3 in the field goes to the %d.", s.current)
	}
	if in.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape}); s.find.box.Visible() {
		t.Error("Esc in the field does not close the bar")
	}
	look := func(words string) bool {
		s.Find()
		s.find.field.SetText(words)
		s.find.look(words)
		s.settle()
		return s.find.more.Visible()
	}
	if look("role:tool needle") {
		t.Error("there is nothing else to look in")
	}
	var more string
	s.OnFindMore = func(words string) { more = words }
	if look("needle") || !look("role:tool needle") {
		t.Error("more is offered of what is there, or not of what is not")
	}
	if s.find.more.OnTapped(); more != "role:tool needle" || s.find.box.Visible() {
		t.Errorf("%q was looked for elsewhere", more)
	}
}

// However long a body is, only the rows that are seen are made, and the end can be
// reached.
func TestOnlyWhatIsSeenIsMade(t *testing.T) {
	s := newStage(t, 600, 400)
	s.set(result(strings.Repeat("x\n", 2<<20)))
	s.setOpen(body.Fold{Block: 0, Line: body.Middle}, true)
	s.settle()
	if len(s.lay.Rows) != 2<<20 {
		t.Fatalf("%d rows", len(s.lay.Rows))
	}
	s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	last := s.rows[len(s.lay.Rows)-1]
	if last == nil || last.Position().Y+s.paper.Pitch > s.clip.Size().Height+1 {
		t.Errorf("the last row is not seen: %v", last)
	}
	for range 50 {
		s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyPageUp})
	}
	if n := len(s.rows) + len(s.pool); n > 60 {
		t.Errorf("%d rows were made for a view of twenty", n)
	}
}

// A view that becomes narrower stays at the text that is seen, and a body that is
// being read when its width changes is read.
func TestAnotherWidthKeepsThePlace(t *testing.T) {
	s := newStage(t, 900, 300)
	s.set(result(strings.Repeat("a line of some words that has to be wrapped where it is narrow\n", 300)))
	s.scrollTo(150)
	before, _ := s.topPlace()
	s.win.Resize(fyne.NewSize(300, 300))
	s.settle()
	if after, _ := s.topPlace(); after != before {
		t.Errorf("the view went from %v to %v", before, after)
	}
	s.Set(result("another"))
	s.win.Resize(fyne.NewSize(500, 300))
	s.settle()
	if s.doc.Blocks[0].Text != "another" {
		t.Error("the body was lost")
	}
}

// In every theme, at the least and at the largest text, all text of all kinds of
// content can be read on what is behind it, also where it is found or selected.
func TestEveryInkCanBeRead(t *testing.T) {
	doc, err := transcript.Open(context.Background(), "../../../model/body/testdata/kinds.jsonl", transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := newStage(t, 900, 2400)
	th := doc.Conversations[0].Main()
	seen := 0
	for _, mode := range []kit.Mode{kit.Dark, kit.Light, kit.ContrastDark, kit.ContrastLight} {
		for _, scale := range []float32{kit.MinScale, kit.MaxScale} {
			kit.Use(s.app, mode, scale)
			for i := range th.Messages {
				parts, err := doc.Parts(&th.Messages[i])
				if err != nil {
					t.Fatal(err)
				}
				s.set(body.Read(parts, body.Options{}))
				s.highlight(s.doc.Find("e"), 1)
				s.settle()
				seen += s.checkInks(t, fmt.Sprintf("%s %v message %d", mode, scale, i+1))
				s.Select(s.doc.All())
				s.settle()
				s.checkInks(t, fmt.Sprintf("%s %v message %d, selected", mode, scale, i+1))
			}
		}
	}
	if seen < 5000 {
		t.Errorf("only %d texts were seen", seen)
	}
}

func (s *stage) checkInks(t *testing.T, where string) (seen int) {
	t.Helper()
	for i, r := range s.rows {
		ground := kit.Color(kit.ColorPanel)
		if x := s.lay.Rows[i]; s.doc.Blocks[x.Block].Kind.Framed() {
			ground = kit.Color(kit.ColorBackground)
		}
		for _, o := range r.objs {
			x, ok := o.(*canvas.Text)
			if !ok || strings.TrimSpace(x.Text) == "" {
				continue
			}
			seen++
			behind := color.Color(ground)
			mid := x.Position().X + x.Size().Width/2
			for _, o := range r.objs {
				b, ok := o.(*canvas.Rectangle)
				if ok && b.Size().Height > 8 && b.Position().X <= mid && mid < b.Position().X+b.Size().Width {
					behind = b.FillColor
				}
			}
			if c := kit.Contrast(x.Color, behind); c < leastContrast {
				t.Errorf("%s: %q has a contrast of %.2f: %v on %v", where, x.Text, c, x.Color, behind)
			}
		}
	}
	return seen
}

// A tree and its folds answer to the pointer, and a link asks before it leads
// anywhere.
func TestFoldsAndLinksArePressed(t *testing.T) {
	s := newStage(t, 600, 400)
	s.set(body.Read([]model.Part{{Kind: model.PartCall, Name: "f", Text: `{"list":[1,2,3],"x":1}`}}, body.Options{}))
	rows := len(s.lay.Rows)
	var tap tapped
	for _, r := range s.rows {
		if r.tap.is {
			tap = r.tap
		}
	}
	s.press(tap.from+2, kit.Px(topRoom)+5, 0)
	s.settle()
	if len(s.lay.Rows) != rows-3 {
		t.Errorf("%d rows of %d", len(s.lay.Rows), rows)
	}
	s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	s.settle()
	if len(s.lay.Rows) != rows {
		t.Error("Enter does not open it")
	}
	s.set(prose("see [this](https://a.example/x)"))
	p := s.at(t, "this")
	s.press(p.X, p.Y, 0)
	if s.win.Canvas().Overlays().Top() == nil {
		t.Error("the link offers nothing")
	}
	if s.app.Clipboard().Content() != "" {
		t.Error("something was copied")
	}
}

// The switch in an edit's title shows it side by side and back, and says so.
func TestEditsAreSwitchedSideBySide(t *testing.T) {
	s := newStage(t, 900, 400)
	s.set(body.Read([]model.Part{{Kind: model.PartCall, Name: "Edit",
		Text: `{"file_path":"src/a.go","old_string":"a := 1\nb","new_string":"a := 2\nb"}`}}, body.Options{}))
	var said []Look
	s.view.OnLook = func(l Look) { said = append(said, l) }
	beside := func() (n int) {
		for _, r := range s.view.Layout().Rows {
			if r.Cells > 0 {
				n++
			}
		}
		return n
	}
	for _, want := range []int{2, 0} {
		pressed := false
		for i, r := range s.view.rows {
			if r.tap.sides && !pressed {
				pressed = true
				s.press(r.tap.from+2, s.view.y(i)+4, 0)
			}
		}
		s.settle()
		if !pressed || beside() != want {
			t.Fatalf("pressed %v, %d rows are side by side, want %d", pressed, beside(), want)
		}
	}
	if len(said) != 2 || !said[0].Sides || said[1].Sides {
		t.Errorf("%+v", said)
	}
}

// A text that grows is shown at its end, also where it had lines before it was seen; one
// who scrolled away stays where they read until they are back at the end.
func TestAGrowingTextIsFollowed(t *testing.T) {
	s := newStage(t, 300, 200)
	grow := func(n int) {
		s.Follow(strings.TrimSuffix(strings.Repeat("line\n", n), "\n"))
		s.settle()
	}
	atEnd := func() bool { return s.top+s.page() >= float64(len(s.lay.Rows)) }
	for _, n := range []int{50, 60, 61, 90} {
		if grow(n); !atEnd() {
			t.Errorf("of %d lines those from %g on are shown", n, s.top)
		}
	}
	s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
	if grow(100); s.top != 0 {
		t.Errorf("who went to the first line is taken to %g", s.top)
	}
	s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	if grow(120); !atEnd() {
		t.Errorf("back at the end, lines from %g of 120 on are shown", s.top)
	}
}

// A comparison begins at its first change; the next one, and the one before, go round.
func TestChangesAreWalkedThrough(t *testing.T) {
	s := newStage(t, 500, 200)
	same := strings.Repeat("the same\n", 40)
	s.Compare(func() *body.Doc { return body.Compared(same+"was\n"+same+"gone\n", same+"is\n"+same, "") })
	s.settle()
	for _, x := range []struct {
		by   int
		want string
	}{{0, "-was\n+is"}, {1, "-gone"}, {1, "-was\n+is"}, {-1, "-gone"}, {-1, "-was\n+is"}} {
		if x.by != 0 {
			s.StepChange(x.by)
		}
		from, _ := s.sel.from, s.sel.to
		if row := s.lay.RowOf(from); s.selected() != x.want || float64(row) < s.top || float64(row) > s.top+s.page() {
			t.Errorf("%d goes to %q, row %d from %g on", x.by, s.selected(), row, s.top)
		}
	}
	s.SetLook(Look{Sides: true})
	s.settle()
	if s.StepChange(1); s.selected() != "-gone" {
		t.Errorf("side by side, the next one is %q", s.selected())
	}
}

// prose is a body of one Markdown text.
func prose(text string) *body.Doc { return body.Read([]model.Part{{Text: text}}, body.Options{}) }
