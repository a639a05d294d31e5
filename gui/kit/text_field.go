package kit

import (
	"image/color"
	"time"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"palimpsest/gui/words"
)

// TextField is one line of text to type, in a frame, with an optional sign at
// its left and a sign to clear it at its right.
type TextField struct {
	field
	OnChanged   func(string)
	OnSubmitted func(string)
	OnTab       func()      // the Tab key, while TakesTab says so
	TakesTab    func() bool // nil: the Tab key leaves the field
	OnEscape    func()      // the key Esc; nil: it clears the field, then goes to the window

	clear *IconButton
	hint  string // of the empty field
	glyph Glyph
	keep  bool // no sign to clear it
}

// NewTextField makes a field; hint is shown in it while it is empty.
func NewTextField(hint string, changed func(string)) *TextField {
	f := &TextField{OnChanged: changed, hint: hint, field: field{entry: newBareEntry()}}
	f.usual = func() string {
		switch {
		case f.glyph == GlyphSearch && !f.keep:
			return words.T("kit.filter.tip")
		case f.hint != "" && (f.entry.Text != "" || f.entry.PlaceHolder != f.hint):
			return f.hint + "\n" + words.T("kit.field.tip")
		}
		return words.T("kit.field.tip")
	}
	f.clear = NewIconButton(GlyphClose, words.T("kit.clear"), func() { f.entry.SetText(""); focus(f.entry) })
	f.entry.Scroll = fyne.ScrollHorizontalOnly // a path can be longer than the field
	f.entry.onFocus = func(on bool) { f.focused = on; f.Refresh() }
	f.entry.onKey = f.key
	f.entry.takesTab = func() bool { return f.OnTab != nil && f.TakesTab != nil && f.TakesTab() }
	f.entry.OnChanged = func(s string) {
		f.Refresh()
		if f.OnChanged != nil {
			f.OnChanged(s)
		}
	}
	f.init(f)
	return f
}

// NewFilter makes a field with a magnifying glass.
func NewFilter(hint string, changed func(string)) *TextField {
	f := NewTextField(hint, changed)
	f.glyph = GlyphSearch
	return f
}

// NewSecret makes a field whose letters are hidden.
func NewSecret(hint string, changed func(string)) *TextField {
	f := NewTextField(hint, changed)
	f.entry.Password = true
	return f
}

// Plain takes the sign to clear the field away and returns the field.
func (f *TextField) Plain() *TextField { f.keep = true; return f }

// SetText changes the text without a callback; the cursor is behind it.
func (f *TextField) SetText(s string) {
	if f.entry.Text == s {
		return
	}
	g := f.OnChanged
	f.OnChanged = nil
	f.Put(s)
	f.OnChanged = g
}

// ShowText is SetText for a text to read: the field shows its beginning, unless a person
// is typing.
func (f *TextField) ShowText(s string) {
	if f.SetText(s); !f.focused {
		f.entry.showStart()
	}
}

// Continue gives the field the keyboard where its cursor is.
func (f *TextField) Continue(c fyne.Canvas) { c.Focus(f.entry) }

// StepBy has F3 and Shift+F3 in the field walk through what it looks for, by 1 and by −1.
func (f *TextField) StepBy(step func(by int)) { f.entry.onStep = step }

// Cursor is the byte of the text behind the cursor.
func (f *TextField) Cursor() int {
	at := 0
	for range f.entry.CursorColumn {
		if at >= len(f.entry.Text) {
			break
		}
		_, n := utf8.DecodeRuneInString(f.entry.Text[at:])
		at += n
	}
	return at
}

// Put changes the text as typing does, with the cursor at its end.
func (f *TextField) Put(s string) {
	f.entry.SetText(s)
	f.entry.CursorColumn = utf8.RuneCountInString(s)
	f.entry.Refresh()
}

// SetBad frames the field in the colour of an error, or no longer.
func (f *TextField) SetBad(bad bool) {
	if f.bad != bad {
		f.bad = bad
		f.Refresh()
	}
}

// Focus gives the field the keyboard and marks its text.
func (f *TextField) Focus() {
	focus(f.entry)
	f.entry.selectAll()
}

// Begin gives the field the keyboard with one character typed in the place of its
// text.
func (f *TextField) Begin(r rune) {
	f.Focus()
	f.entry.TypedRune(r)
}

// FocusOn is Focus for a field that was just put on a canvas and is not drawn
// yet.
func (f *TextField) FocusOn(c fyne.Canvas) {
	c.Focus(f.entry)
	f.entry.selectAll()
}

// FocusAtEnd gives the field the keyboard, behind its last letter: its text is to be
// changed, not replaced.
func (f *TextField) FocusAtEnd(c fyne.Canvas) {
	c.Focus(f.entry)
	f.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
}

func (f *TextField) key(k *fyne.KeyEvent) bool {
	switch k.Name {
	case fyne.KeyEscape:
		if f.OnEscape != nil {
			f.OnEscape()
		} else if f.entry.Text != "" && !f.keep {
			f.entry.SetText("")
		} else {
			PassKey(f, k)
		}
	case fyne.KeyReturn, fyne.KeyEnter:
		if f.OnSubmitted == nil {
			PassKey(f, k)
			return true
		}
		f.OnSubmitted(f.entry.Text)
	case fyne.KeyTab:
		f.OnTab()
	case fyne.KeyUp, fyne.KeyDown, fyne.KeyPageUp, fyne.KeyPageDown, fyne.KeyF3:
		if k.Name == fyne.KeyF3 && f.entry.onStep != nil {
			f.entry.onStep(1)
			return true
		}
		PassKey(f, k) // a list under a filter
	default:
		return false
	}
	return true
}

// CreateRenderer implements fyne.Widget.
func (f *TextField) CreateRenderer() fyne.WidgetRenderer {
	bg := box(4)
	mark := newGlyphPart(func() Glyph { return f.glyph }, func() fyne.ThemeColorName { return ColorFaint })
	look := func() {
		f.paint(bg)
		mark.Hidden = f.glyph == GlyphNone
		f.clear.Hidden = f.keep || f.disabled || f.entry.Text == ""
	}
	place := func(s fyne.Size) {
		put(bg, 0, 0, s.Width, s.Height)
		x, right := Px(6), s.Width-Px(4)
		if f.glyph != GlyphNone {
			g := Px(14)
			put(mark, Px(7), (s.Height-g)/2, g, g)
			x = Px(24)
		}
		if !f.keep {
			m := f.clear.MinSize()
			right -= m.Width
			put(f.clear, right, (s.Height-m.Height)/2, m.Width, m.Height)
		}
		h := fyne.Min(f.entry.MinSize().Height, s.Height)
		put(f.entry, x, (s.Height-h)/2, fyne.Max(0, right-x), h)
		// A hint that is too long would be a text to scroll, with a bar under it.
		room := right - x - 2*theme.Size(theme.SizeNameInnerPadding)
		if hint := Ellipsize(f.hint, room, theme.TextSize(), fyne.TextStyle{}); hint != f.entry.PlaceHolder {
			f.entry.SetPlaceHolder(hint)
		}
	}
	return &renderer{
		of: f, look: look,
		objs:   []fyne.CanvasObject{bg, mark, f.entry, f.clear},
		layout: place,
		min:    func() fyne.Size { return fyne.NewSize(Px(80), Px(24)) },
	}
}

// bareEntry is Fyne's one-line entry without a look of its own: the theme
// gives it no border, and the frame around it draws the rest. It reports to the
// frame what it needs to know and hands it the keys first.
type bareEntry struct {
	widget.Entry
	onFocus func(bool)
	onKey   func(*fyne.KeyEvent) bool
	onStep  func(by int) // F3 and Shift+F3; nil: the window's

	takesTab func() bool // nil: it does not
}

// AcceptsTab implements fyne.Tabbable.
func (e *bareEntry) AcceptsTab() bool { return e.takesTab != nil && e.takesTab() }

// CreateRenderer lays it out: where the entry was hidden for long it has its size already.
func (e *bareEntry) CreateRenderer() fyne.WidgetRenderer {
	r := RestingCaret(e, e.Entry.CreateRenderer()).(*caretRenderer)
	r.bare = true
	if !e.Size().IsZero() {
		r.Layout(e.Size())
	}
	return r
}

// caretBlinks is how long a caret blinks after the last key.
const caretBlinks = 10 * time.Second

// caretRenderer is the toolkit's renderer of an entry, whose caret comes to rest.
type caretRenderer struct {
	fyne.WidgetRenderer
	entry fyne.Widget
	bare  bool // its ground is left out too: the kit paints it
	stop  func()
	ink   color.Color // of the theme that the caret blinks in
}

// RestingCaret makes the caret of one of the toolkit's entries stop blinking when
// nothing was typed for a while: each blink paints the whole window. It also leaves
// out the entry's frame, as wide as a caret, which the kit draws around the field.
func RestingCaret(entry fyne.Widget, r fyne.WidgetRenderer) fyne.WidgetRenderer {
	return &caretRenderer{WidgetRenderer: r, entry: entry, stop: func() {}}
}

// Refresh implements fyne.WidgetRenderer. Every key, and the focus, ends here.
func (r *caretRenderer) Refresh() {
	if ink := Color(theme.ColorNamePrimary); ink != r.ink { // blinking goes on in the colour it began with
		r.ink = ink
		r.rest()
	}
	r.WidgetRenderer.Refresh()
	r.stop()
	if h := hostOf(r.entry); h != nil {
		r.stop = h.After(caretBlinks, r.rest)
	}
}

// Objects implements fyne.WidgetRenderer.
func (r *caretRenderer) Objects() (list []fyne.CanvasObject) {
	for _, o := range r.WidgetRenderer.Objects() {
		if frame, ok := o.(*canvas.Rectangle); !ok || !r.bare && frame.FillColor != color.Transparent {
			list = append(list, o)
		}
	}
	return list
}

// Destroy implements fyne.WidgetRenderer.
func (r *caretRenderer) Destroy() { r.stop(); r.WidgetRenderer.Destroy() }

// rest stops the blinking with the caret lit. What the toolkit calls the content of
// an entry stops it when a renderer of it is destroyed; the next refresh starts it.
func (r *caretRenderer) rest() {
	for _, o := range r.Objects() {
		if s, ok := o.(*container.Scroll); ok {
			o = s.Content
		}
		content, ok := o.(fyne.Widget)
		if !ok || !o.Visible() {
			continue
		}
		once := content.CreateRenderer()
		for _, part := range once.Objects() {
			if caret, ok := part.(*canvas.Rectangle); ok && caret.Visible() {
				once.Destroy()
				caret.FillColor = Color(theme.ColorNamePrimary)
				canvas.Refresh(caret)
			}
		}
	}
}

func newBareEntry() *bareEntry {
	e := &bareEntry{}
	e.Scroll = fyne.ScrollNone
	e.ExtendBaseWidget(e)
	return e
}

// FocusGained implements fyne.Focusable.
func (e *bareEntry) FocusGained() { e.Entry.FocusGained(); e.onFocus(true) }

// FocusLost implements fyne.Focusable.
func (e *bareEntry) FocusLost() { e.Entry.FocusLost(); e.onFocus(false) }

// TypedKey implements fyne.Focusable.
func (e *bareEntry) TypedKey(k *fyne.KeyEvent) {
	if !e.onKey(k) {
		e.Entry.TypedKey(k)
	}
}

// KeyDown implements desktop.Keyable: a key takes away what floats at the pointer.
func (e *bareEntry) KeyDown(k *fyne.KeyEvent) { e.Entry.KeyDown(k); HideTipOf(e) }

// TypedShortcut implements fyne.Shortcutable. What an entry has no use for goes to the window,
// which would not hear of it otherwise.
func (e *bareEntry) TypedShortcut(s fyne.Shortcut) {
	if c, ok := s.(*desktop.CustomShortcut); ok {
		switch c.KeyName {
		case fyne.KeyF3:
			if e.onStep == nil || c.Modifier != fyne.KeyModifierShift {
				passShortcut(e, s)
				return
			}
			e.onStep(-1)
			return
		case fyne.KeyLeft, fyne.KeyRight, fyne.KeyBackspace, fyne.KeyDelete:
		default:
			passShortcut(e, s)
			return
		}
	}
	was := e.Text
	e.Entry.TypedShortcut(s)
	if e.Text != was {
		return
	}
	switch s.(type) {
	case *fyne.ShortcutUndo, *fyne.ShortcutRedo: // nothing was typed here
		passShortcut(e, s)
	}
}

// showStart brings the beginning of the text into view.
func (e *bareEntry) showStart() {
	e.CursorColumn = 0
	e.Refresh()
}

// selectAll marks the whole text, so that typing replaces it. An empty text has
// nothing to mark: the toolkit would mark what is typed next, and replace its
// first letter by the second.
func (e *bareEntry) selectAll() {
	if e.Text == "" {
		e.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome}) // a mark of before goes
		return
	}
	e.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// field is the frame around an entry, which looks as the entry's state is.
type field struct {
	control
	entry *bareEntry
	bad   bool // framed in the colour of an error
}

// Text is what the field holds.
func (f *field) Text() string { return f.entry.Text }

// Tapped takes clicks beside the text.
func (f *field) Tapped(*fyne.PointEvent) {
	if !f.disabled {
		focus(f.entry)
	}
}

// Cursor implements desktop.Cursorable.
func (f *field) Cursor() desktop.Cursor { return desktop.TextCursor }

// Enable makes the field usable.
func (f *field) Enable() { f.entry.Enable(); f.control.Enable() }

// Disable greys the field.
func (f *field) Disable() { f.entry.Disable(); f.control.Disable() }

// SetEnabled enables or disables.
func (f *field) SetEnabled(on bool) {
	if on {
		f.Enable()
	} else {
		f.Disable()
	}
}

// paint paints the ground and the border.
func (f *field) paint(bg *canvas.Rectangle) {
	stroke := f.border(ColorLine)
	switch {
	case f.bad:
		stroke = Color(ColorError)
	case f.hovered && !f.focused && !f.disabled:
		stroke = Color(ColorFaint)
	}
	paint(bg, Color(ColorBackground), stroke)
}
