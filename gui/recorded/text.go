package recorded

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/session/recorded"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// textPane shows a text whose facts that were needed and are in it are marked.
type textPane struct {
	pane  *kit.Pane
	size  *kit.Text
	count *kit.Text
	list  *kit.List
	title string

	text  string
	held  []facts.Fact
	parts map[string]string // of facts in groups of a ledger: what stands there
	lit   string
	room  float32
	lines []markedLine
}

// markedLine is a line of the text and what is marked in it, in bytes.
type markedLine struct {
	text  string
	marks []mark
}

type mark struct{ from, to int }

func newTextPane(title string) *textPane {
	t := &textPane{title: title, size: kit.NewText("", kit.ColorMuted, 12), count: kit.NewText("", kit.ColorMuted, 12)}
	t.list = kit.NewRows(19, func() int { return len(t.lines) }, t.line)
	t.list.Choosable = func(int) bool { return false }
	t.pane = kit.NewPane(title, container.New(&roomLayout{t}, t.list), t.count)
	t.pane.SetLeft(kit.Means(t.size, "recorded.size.means"))
	return t
}

// set shows a text; note is shown in its place where there is none.
func (t *textPane) set(page *recorded.Page, c recorded.Column, x recorded.Text, note string) {
	t.text, t.held = x.Text, literals(page, c)
	t.size.SetText(words.T("count.tokens", "tokens", words.Int(int64(x.Tokens)), "count", x.Tokens))
	of := page.Tally.Of[c]
	t.count.SetText(words.T("preview.ofAll", "n", of.Held, "all", of.Used))
	if note != "" {
		t.text, t.held = note, nil
		t.size.SetText("")
		t.count.SetText("")
	}
	t.pane.SetRight(kit.Means(t.count, "recorded.share.means"))
	t.wrap()
	t.list.ScrollTo(0)
}

// light marks one fact among the others and brings it into sight.
func (t *textPane) light(text string) {
	text = t.part(text)
	t.lit = text
	for i, l := range t.lines {
		if slices.ContainsFunc(l.marks, func(m mark) bool { return l.text[m.from:m.to] == text }) {
			t.list.Centre(i)
			t.list.Select(-1)
			break
		}
	}
	t.list.Update()
}

// wrap breaks the text into lines of the room.
func (t *textPane) wrap() {
	t.lines = t.lines[:0]
	if t.room <= 0 {
		return
	}
	for _, l := range kit.Wrap(t.text, kit.NewMeasure(13, false), t.room, 0) {
		t.lines = append(t.lines, markedLine{text: l.Text})
	}
	t.mark()
	t.list.Update()
}

// mark finds the facts in the lines. One that is broken over two lines is not marked; of
// one that is written in a group of a ledger its own part is.
func (t *textPane) mark() {
	own := map[string]string{}
	facts.Grouped(t.text, func(fact string, from, to int) { own[fact] = t.text[from:to] })
	t.parts = map[string]string{}
	for _, f := range t.held {
		if part := own[f.Text]; part != "" && !strings.Contains(t.text, f.Text) {
			t.parts[f.Text] = part
		}
	}
	for i := range t.lines {
		l := &t.lines[i]
		l.marks = l.marks[:0]
		for _, f := range t.held {
			text := t.part(f.Text)
			for at := 0; ; {
				k := strings.Index(l.text[at:], text)
				if k < 0 {
					break
				}
				from := at + k
				at = from + len(text)
				if whole(l.text, from, at, f.Kind.Atom()) {
					l.marks = append(l.marks, mark{from, at})
				}
			}
		}
		slices.SortStableFunc(l.marks, func(a, b mark) int { return a.from - b.from })
	}
}

// part is what stands in the text for a fact.
func (t *textPane) part(fact string) string {
	if part, ok := t.parts[fact]; ok {
		return part
	}
	return fact
}

// whole reports whether nothing continues what is found: no letter or digit, and of a
// path or name no part of a longer one.
func whole(s string, from, to int, atom bool) bool {
	word := func(i int) bool {
		if i < 0 || i >= len(s) {
			return false
		}
		c := s[i]
		return c == '_' || c >= '0' && c <= '9' || c|32 >= 'a' && c|32 <= 'z'
	}
	if word(from-1) && word(from) || word(to) && word(to-1) {
		return false
	}
	joint := func(i int) bool { return i >= 0 && i < len(s) && strings.IndexByte("/.-", s[i]) >= 0 }
	return !atom || !(joint(from-1) && word(from)) && !(joint(to) && word(to+1))
}

// line is a row of the list: the words, and the marks behind them.
func (t *textPane) line() (fyne.CanvasObject, func(int)) {
	text, marks := canvas.NewText("", kit.Color(kit.ColorText)), []*canvas.Rectangle(nil)
	line := container.NewWithoutLayout(text)
	return line, func(i int) {
		if i >= len(t.lines) {
			return
		}
		line.Objects = line.Objects[:0]
		l := t.lines[i]
		size := kit.FontPx(13)
		pad := kit.Px(12)
		h := kit.RowPx(19)
		width := func(s string) float32 { return fyne.MeasureText(s, size, fyne.TextStyle{}).Width }
		for n, m := range l.marks {
			if n == len(marks) {
				marks = append(marks, canvas.NewRectangle(kit.Color(kit.ColorKept)))
			}
			x := marks[n]
			ink, lit := kit.ColorHeld, l.text[m.from:m.to] == t.lit
			if lit {
				ink = kit.ColorSelection
			}
			x.FillColor, x.StrokeColor, x.StrokeWidth = kit.Color(ink), kit.Color(kit.ColorAccent), 0
			if lit {
				x.StrokeWidth = 1
			}
			from := width(l.text[:m.from])
			x.Move(fyne.NewPos(pad+from, 1))
			x.Resize(fyne.NewSize(width(l.text[:m.to])-from, h-2))
			line.Objects = append(line.Objects, x)
		}
		text.Text, text.TextSize, text.Color = l.text, size, kit.Color(kit.ColorText)
		min := text.MinSize()
		text.Move(fyne.NewPos(pad, (h-min.Height)/2))
		text.Resize(min)
		line.Objects = append(line.Objects, text)
		line.Refresh()
	}
}

// roomLayout wraps the text anew when its room changes.
type roomLayout struct{ t *textPane }

// MinSize implements fyne.Layout.
func (l *roomLayout) MinSize(objs []fyne.CanvasObject) fyne.Size { return objs[0].MinSize() }

// Layout implements fyne.Layout.
func (l *roomLayout) Layout(objs []fyne.CanvasObject, s fyne.Size) {
	objs[0].Move(fyne.NewPos(0, 0))
	objs[0].Resize(s)
	if room := s.Width - kit.Px(26); room > 0 && room != l.t.room {
		l.t.room = room
		l.t.wrap()
	}
}
