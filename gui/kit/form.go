package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// Form is the body of a dialog: rows of a name and what belongs to it, which
// begins at one edge in all of them.
//
//	Server    [none        v]
//	Endpoint  [http://localhost:11434/v1            ]
//	          what the address is for
type Form struct {
	name, height float32 // of the column of names, and the least of a row
	rows         *fyne.Container
}

// formGap is between a name and what belongs to it.
const formGap = 10

// NewForm makes an empty form of the usual measures.
func NewForm() *Form { return NewFormOf(92, 24, 6) }

// NewFormOf makes an empty form: how wide the column of names is, how high a row is
// at least, and the gap between rows.
func NewFormOf(name, height, gap float32) *Form {
	return &Form{name: name, height: height, rows: Flow(gap)}
}

// Row adds objects in [Lines] beside a name, "" for none; those that are
// wrapped by [Stretch] take the room that is left. It returns the form.
func (f *Form) Row(name string, objs ...fyne.CanvasObject) *Form {
	row := []fyne.CanvasObject{Sized(f.name, f.height, NewText(name, ColorMuted, 13))}
	if len(objs) == 1 {
		row = append(row, objs[0])
	} else {
		row = append(row, Stretch(Lines(8, objs...)))
	}
	return f.Add(container.New(&formRow{rowLayout{gap: formGap}}, row...))
}

// formRow is a Row whose name is beside the first line of what belongs to it.
type formRow struct{ rowLayout }

// Layout implements fyne.Layout.
func (l *formRow) Layout(objs []fyne.CanvasObject, s fyne.Size) {
	l.rowLayout.Layout(objs, s)
	objs[0].Move(fyne.Position{})
}

// Wide adds an object that takes all the room beside its name.
func (f *Form) Wide(name string, o fyne.CanvasObject) *Form { return f.Row(name, Stretch(o)) }

// Help adds what explains the row above it, or says what is wrong with it.
func (f *Form) Help(o fyne.CanvasObject) *Form {
	return f.Add(Pad(0, 0, 4, f.name+formGap, o))
}

// Add adds an object as wide as the form, such as a rule.
func (f *Form) Add(o fyne.CanvasObject) *Form { f.rows.Add(o); return f }

// Rows is the form without any room around it.
func (f *Form) Rows() *fyne.Container { return f.rows }

// Body is the form with the room that a dialog has around it.
func (f *Form) Body() fyne.CanvasObject { return Pad(12, 16, 12, 16, f.rows) }
