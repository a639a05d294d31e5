package kit

import (
	"math"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
)

// TextView shows long text as lines of one height, in monospaced or proportional letters. It draws the visible lines only. Lines
// can be selected with the mouse and copied.
//
// Text of up to some ten kilobytes is handed over by SetText, which wraps it
// at once and again when the width changes. Longer text is wrapped elsewhere by
// [Wrap] with [TextView.Metrics] and handed over by SetLines; OnMetrics says
// when that has to be done again.
type TextView struct {
	keyboard
	// OnMetrics is called when width, size or mode changed while lines of
	// SetLines are shown.
	OnMetrics func()

	lines    []Line
	source   string // what SetText was given
	first    int
	owned    bool // lines come from source
	grows    bool // [TextView.Follow] has shown lines of it
	mono     bool
	list     vlist
	from, to int // selection, half-open
	anchor   int
	room     float32
}

// NewTextView makes an empty view.
func NewTextView(mono bool) *TextView {
	v := &TextView{mono: mono, anchor: -1}
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

// textLeft is the room before a line.
const textLeft = 10

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
	v.room = v.BaseWidget.Size().Width - Px(textLeft) - Px(14)
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

// MouseUp implements desktop.Mouseable.
func (v *TextView) MouseUp(*desktop.MouseEvent) {}

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
		Copy(v.Copied())
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
	edge := box(0)
	place := func(s fyne.Size) {
		v.ring(edge, s)
		put(&v.list, 0, Px(6), s.Width, fyne.Max(0, s.Height-Px(6)))
		if room := s.Width - Px(textLeft) - Px(14); room != v.room {
			v.metricsChanged()
		}
	}
	return &renderer{
		of:     v,
		objs:   []fyne.CanvasObject{&v.list, edge},
		layout: place,
		min:    func() fyne.Size { return fyne.NewSize(Px(120), Px(60)) },
		refresh: func() {
			place(v.BaseWidget.Size())
			if v.list.restyled() {
				v.metricsChanged()
			}
			canvas.Refresh(v.list.body)
		},
	}
}
