package kit

import (
	"math"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
)

// TextView shows long text as lines of one height, with line numbers, in
// monospaced or proportional letters. It draws the visible lines only. Lines
// can be selected with the mouse and copied.
//
// Text of up to some ten kilobytes is handed over by SetText, which wraps it
// at once and again when the width changes. Longer text is wrapped elsewhere by
// [Wrap] with [TextView.Metrics] and handed over by SetLines; OnMetrics says
// when that has to be done again.
type TextView struct {
	keyboard
	// OnMore is called when a person asks for the next part of the text.
	OnMore func()
	// OnMetrics is called when width, size or mode changed while lines of
	// SetLines are shown.
	OnMetrics func()
	// OnCopy receives the selected text; nil puts it on the clipboard.
	OnCopy func(string)
	// OnPick is called when a person pressed a line; nil: that only begins a
	// selection.
	OnPick func(line int)

	lines    []Line
	source   string // what SetText was given
	first    int
	owned    bool // lines come from source
	grows    bool // [TextView.Follow] has shown lines of it
	mono     bool
	numbers  bool
	list     vlist
	foot     *Text
	more     *Link
	from, to int // selection, half-open
	anchor   int
	room     float32
}

// NewTextView makes an empty view.
func NewTextView(mono, numbers bool) *TextView {
	v := &TextView{mono: mono, numbers: numbers, anchor: -1}
	v.foot = NewText("", ColorMuted, 12)
	v.more = NewLink("", func() {
		if v.OnMore != nil {
			v.OnMore()
		}
	})
	v.more.Hide()
	v.foot.Hide()
	v.list.length = func() int { return len(v.lines) }
	v.list.pitch = func() float32 { return Px(18) }
	v.list.create = func() fyne.CanvasObject { return newTextLine(v) }
	v.list.update = func(i int, o fyne.CanvasObject) { o.(*textLine).show(i) }
	v.list.init()
	v.init(v)
	return v
}

// SetText shows a text whose first line has the number first.
func (v *TextView) SetText(s string, first int) {
	v.source, v.first, v.owned, v.grows = s, first, true, false
	v.rewrap()
	v.list.scrollTo(0)
}

// Follow shows a text without numbers that grows: its end, or, once a person has
// scrolled away from that, the place that they read.
func (v *TextView) Follow(s string) {
	y := v.list.scroll.Offset.Y
	if !v.grows || v.list.atEnd() {
		y = math.MaxFloat32
	}
	v.source, v.first, v.owned, v.grows = s, 0, true, v.room > 0
	v.rewrap()
	v.list.scrollTo(y)
}

// SetLines shows lines that were wrapped elsewhere. With keep, the view stays
// where it is: the lines continue what was shown.
func (v *TextView) SetLines(lines []Line, keep bool) {
	v.source, v.owned = "", false
	v.lines = lines
	v.from, v.to = 0, 0
	v.list.restyle()
	if !keep {
		v.list.scrollTo(0)
	}
	canvas.Refresh(v.list.body)
}

// SetMono chooses monospaced or proportional letters.
func (v *TextView) SetMono(on bool) {
	if v.mono != on {
		v.mono = on
		v.metricsChanged()
	}
}

// SetFoot shows a line under the text, such as "lines 1–80 of 512", and a link
// after it that calls OnMore. Empty words hide either.
func (v *TextView) SetFoot(text, more string) {
	show := func(o fyne.CanvasObject, s string) {
		if s == "" {
			o.Hide()
		} else {
			o.Show()
		}
	}
	v.foot.SetText(text)
	v.more.SetText(more)
	show(v.foot, text)
	show(v.more, more)
	v.Refresh()
}

// Metrics is what [Wrap] needs: the widths of characters and the room of a
// line.
func (v *TextView) Metrics() (Measure, float32) {
	return NewMeasure(v.fontSize(), v.mono), v.room
}

func (v *TextView) fontSize() float32 {
	if v.mono {
		return 12.5
	}
	return 13
}

func (v *TextView) gutter() float32 {
	if !v.numbers {
		return Px(10)
	}
	digits := len(strconv.Itoa(v.lastNumber()))
	return Px(12) + Px(8)*float32(max(2, digits)) + Px(10)
}

// lastNumber is the highest line number shown.
func (v *TextView) lastNumber() int {
	if v.owned {
		return v.first + strings.Count(v.source, "\n")
	}
	for i := len(v.lines) - 1; i >= 0; i-- {
		if v.lines[i].No > 0 {
			return v.lines[i].No
		}
	}
	return 1
}

func (v *TextView) rewrap() {
	if v.room <= 0 {
		return // wrapped when the view gets its size
	}
	m, room := v.Metrics()
	v.lines = Wrap(v.source, m, room, v.first)
	v.from, v.to = 0, 0
	v.list.restyle()
	canvas.Refresh(v.list.body)
}

func (v *TextView) metricsChanged() {
	v.room = v.BaseWidget.Size().Width - v.gutter() - Px(14)
	switch {
	case v.owned:
		v.rewrap()
	case v.OnMetrics != nil:
		v.list.restyle()
		v.OnMetrics()
	default:
		v.list.restyle()
	}
}

// ScrollToLine brings the line with a number to the top.
func (v *TextView) ScrollToLine(no int) {
	for i, l := range v.lines {
		if l.No == no {
			v.list.scrollTo(float32(i) * v.list.pitch())
			return
		}
	}
}

// SelectLines selects the lines from one to before another, and brings them into
// view. Lines are counted as they were set.
func (v *TextView) SelectLines(from, to int) {
	v.sel(from, to)
	v.list.scrollTo(max(0, float32(from)-3) * v.list.pitch())
}

// Copied is the text of the selected lines, all lines if none is selected.
// Lines that were wrapped are joined again.
func (v *TextView) Copied() string {
	from, to := v.from, v.to
	if from >= to {
		from, to = 0, len(v.lines)
	}
	var b strings.Builder
	for i, l := range v.lines[from:to] {
		if i > 0 && (l.No != 0 || !v.numbered()) {
			b.WriteByte('\n')
		} else if i > 0 {
			b.WriteByte(' ')
		}
		if l.No == 0 && v.numbered() {
			b.WriteString(strings.TrimLeft(l.Text, " "))
		} else {
			b.WriteString(l.Text)
		}
	}
	return b.String()
}

// numbered reports whether line numbers distinguish source lines from wrapped ones.
func (v *TextView) numbered() bool { return len(v.lines) > 0 && v.lines[0].No > 0 }

func (v *TextView) sel(from, to int) {
	if v.from != from || v.to != to {
		v.from, v.to = from, to
		v.list.redraw()
	}
}

func (v *TextView) lineAt(y float32) int {
	i := int((y + v.list.scroll.Offset.Y - Px(6)) / v.list.pitch())
	return max(0, min(len(v.lines)-1, i))
}

// MouseDown begins a selection, or extends it with Shift.
func (v *TextView) MouseDown(e *desktop.MouseEvent) {
	focus(v)
	if len(v.lines) == 0 || e.Button != desktop.MouseButtonPrimary {
		return
	}
	i := v.lineAt(e.Position.Y)
	if e.Modifier&fyne.KeyModifierShift != 0 && v.anchor >= 0 {
		v.sel(min(v.anchor, i), max(v.anchor, i)+1)
		return
	}
	v.anchor = i
	v.sel(0, 0)
}

// MouseUp picks the line that was pressed, unless lines were selected.
func (v *TextView) MouseUp(e *desktop.MouseEvent) {
	if v.OnPick == nil || v.anchor < 0 || v.from != v.to || e.Button != desktop.MouseButtonPrimary || v.anchor >= len(v.lines) {
		return
	}
	v.sel(v.anchor, v.anchor+1)
	v.OnPick(v.anchor)
}

// Dragged selects lines.
func (v *TextView) Dragged(e *fyne.DragEvent) {
	HideTipOf(v)
	if len(v.lines) == 0 || v.anchor < 0 {
		return
	}
	i := v.lineAt(e.Position.Y)
	v.list.reveal(i)
	v.sel(min(v.anchor, i), max(v.anchor, i)+1)
}

// DragEnd implements fyne.Draggable.
func (v *TextView) DragEnd() {}

// Cursor implements desktop.Cursorable.
func (v *TextView) Cursor() desktop.Cursor { return desktop.TextCursor }

// TypedKey scrolls.
func (v *TextView) TypedKey(e *fyne.KeyEvent) {
	y, p := v.list.scroll.Offset.Y, v.list.pitch()
	switch e.Name {
	case fyne.KeyDown:
		y += p
	case fyne.KeyUp:
		y -= p
	case fyne.KeyPageDown, fyne.KeySpace:
		y += p * float32(v.list.page()-1)
	case fyne.KeyPageUp:
		y -= p * float32(v.list.page()-1)
	case fyne.KeyHome:
		y = 0
	case fyne.KeyEnd:
		y = float32(len(v.lines)) * p
	default:
		PassKey(v, e)
		return
	}
	v.list.scrollTo(y)
}

// TypedShortcut copies and selects all.
func (v *TextView) TypedShortcut(s fyne.Shortcut) {
	switch s.(type) {
	case *fyne.ShortcutSelectAll:
		v.sel(0, len(v.lines))
	case *fyne.ShortcutCopy:
		if v.OnCopy != nil {
			v.OnCopy(v.Copied())
		} else {
			Copy(v.Copied())
		}
	default:
		if c := fyne.CurrentApp().Driver().CanvasForObject(v); c != nil {
			if t, ok := c.(fyne.Shortcutable); ok {
				t.TypedShortcut(s)
			}
		}
	}
}

// CreateRenderer implements fyne.Widget.
func (v *TextView) CreateRenderer() fyne.WidgetRenderer {
	foot, edge := Row(14, v.foot, v.more), box(0)
	place := func(s fyne.Size) {
		v.ring(edge, s)
		h := s.Height
		if v.foot.Visible() || v.more.Visible() {
			h -= Px(30)
			put(foot, Px(12), h, s.Width-Px(24), Px(30))
		}
		put(&v.list, 0, Px(6), s.Width, fyne.Max(0, h-Px(6)))
		if room := s.Width - v.gutter() - Px(14); room != v.room {
			v.metricsChanged()
		}
	}
	return &renderer{
		of:     v,
		objs:   []fyne.CanvasObject{&v.list, foot, edge},
		layout: place,
		min:    func() fyne.Size { return fyne.NewSize(Px(120), Px(60)) },
		refresh: func() {
			place(v.BaseWidget.Size())
			if v.list.restyled() {
				v.metricsChanged()
			}
			foot.Refresh()
			canvas.Refresh(v.list.body)
		},
	}
}
