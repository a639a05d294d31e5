package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// NumberField is a number that can be typed: right-aligned in a frame of its
// own. Enter and leaving the field commit, Esc takes the old value back, the
// arrow keys up and down step.
type NumberField struct {
	field
	// Parse reads what was typed; ParseNumber unless set.
	Parse func(string) (Number, error)
	// OnCommit gets a number that was typed. An error it returns is shown
	// as the field's error and the typed text stays.
	OnCommit func(Number) error
	// OnStep is called for the arrow keys: +1 or −1, with Shift +10 or −10.
	OnStep func(int)
	// OnError gets the present error, nil when there is none any more.
	OnError func(error)

	shown string // the committed text
	err   error
}

// NewNumberField makes a field that shows a text such as "200,000" or "80 %".
func NewNumberField(shown string, commit func(Number) error) *NumberField {
	f := &NumberField{shown: shown, OnCommit: commit, Parse: ParseNumber, field: field{entry: newBareEntry()}}
	f.entry.Text = shown
	f.entry.onFocus, f.entry.onKey = f.entryFocus, f.entryKey
	f.entry.OnChanged = func(string) { f.Refresh() }
	f.usual = says("kit.number.tip")
	f.init(f)
	return f
}

// Focus lets a person type into the field.
func (f *NumberField) Focus(c fyne.Canvas) { c.Focus(f.entry) }

// Set shows a value and clears an error. While a person types, it only becomes
// the value that Esc goes back to; a field that is merely aimed at follows, or leaving
// it would commit the former value over an undo.
func (f *NumberField) Set(shown string) {
	if f.shown == shown && f.err == nil && (f.focused || f.entry.Text == shown) {
		return
	}
	typing := f.focused && (f.err != nil || f.entry.Text != f.shown)
	f.shown = shown
	if typing {
		return
	}
	f.entry.SetText(shown)
	f.setErr(nil)
	if f.focused {
		f.entry.selectAll()
	}
}

// Err is why the typed text is not accepted; nil if it is.
func (f *NumberField) Err() error { return f.err }

// SetErr shows or clears an error from outside, for example when two fields
// contradict each other.
func (f *NumberField) SetErr(err error) { f.setErr(err) }

func (f *NumberField) setErr(err error) {
	changed := (err == nil) != (f.err == nil) || err != nil && err.Error() != f.err.Error()
	f.err, f.bad = err, err != nil
	if changed {
		if f.OnError != nil {
			f.OnError(err)
		}
		f.Refresh()
	}
}

func (f *NumberField) entryFocus(on bool) {
	f.focused = on
	if on {
		f.entry.selectAll()
	} else {
		f.commit()
		f.entry.showStart()
	}
	f.Refresh()
}

func (f *NumberField) entryKey(k *fyne.KeyEvent) bool {
	switch k.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		f.commit()
		if f.err == nil {
			f.entry.selectAll()
		}
	case fyne.KeyEscape:
		if f.entry.Text == f.shown && f.err == nil {
			PassKey(f, k)
			return true
		}
		f.entry.SetText(f.shown)
		f.setErr(nil)
		f.entry.selectAll()
	case fyne.KeyUp, fyne.KeyDown:
		f.step(k.Name == fyne.KeyUp)
	default:
		return false
	}
	return true
}

func (f *NumberField) step(up bool) {
	if f.OnStep == nil || f.disabled {
		return
	}
	n := 1
	if m, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok && m.CurrentKeyModifiers()&fyne.KeyModifierShift != 0 {
		n = 10
	}
	if !up {
		n = -n
	}
	was := f.shown
	f.OnStep(n)
	if f.shown != was {
		f.entry.SetText(f.shown)
		f.setErr(nil)
		f.entry.selectAll()
	}
}

// commit reads the text if it was changed.
func (f *NumberField) commit() {
	if f.entry.Text == f.shown {
		f.setErr(nil)
		return
	}
	n, err := f.Parse(f.entry.Text)
	if err == nil && f.OnCommit != nil {
		err = f.OnCommit(n)
	}
	f.setErr(err)
	if err == nil {
		f.entry.SetText(f.shown)
	}
}

// CreateRenderer implements fyne.Widget.
func (f *NumberField) CreateRenderer() fyne.WidgetRenderer {
	bg := box(4)
	look := func() { f.paint(bg) }
	place := func(s fyne.Size) {
		put(bg, 0, 0, s.Width, s.Height)
		text := width(f.entry.Text, FontPx(13), fyne.TextStyle{})
		w := fyne.Min(s.Width-2, text+Px(12))
		h := fyne.Min(f.entry.MinSize().Height, s.Height)
		put(f.entry, s.Width-w-Px(2), (s.Height-h)/2, w, h)
	}
	return &renderer{
		of: f, look: look,
		objs:   []fyne.CanvasObject{bg, f.entry},
		layout: place,
		min:    func() fyne.Size { return fyne.NewSize(Px(48), Px(24)) },
	}
}
