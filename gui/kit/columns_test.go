package kit

import (
	"strconv"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

type stay struct {
	name  string
	miles int
	due   bool
}

func stays() *Columns[stay] {
	list := []stay{{"York", 203, false}, {"Leeds", 190, true}, {"Kyoto", 5900, false}}
	return &Columns[stay]{
		List: []Col[stay]{
			{Title: "name", Text: func(s stay) string { return s.name }},
			{Title: "miles", Width: 60, Right: true, Hide: 2, Narrow: 40, Text: func(s stay) string { return strconv.Itoa(s.miles) },
				Ink: func(s stay) fyne.ThemeColorName {
					if s.due {
						return ColorError
					}
					return ColorText
				}},
			{Title: "due", Width: 30, Hide: 1, Cell: func() (fyne.CanvasObject, func(stay)) {
				sign := NewSign(GlyphNone, ColorError, 12)
				return sign, func(s stay) {
					sign.Set(GlyphNone, ColorError)
					if s.due {
						sign.Set(GlyphWarning, ColorError)
					}
				}
			}},
		},
		At: func(i int) (stay, bool) {
			if i >= len(list) {
				return stay{}, false
			}
			return list[i], true
		},
		Gap: 10, Least: 100, MinWidth: 120, TextSize: 13,
	}
}

// A row shows what its columns make of the value, also when it is filled again.
func TestColumnsFillRows(t *testing.T) {
	Use(test.NewTempApp(t), Dark, 1)
	r := stays().newRow()
	texts := func() (out []string) {
		for _, o := range cellsOf(r.Object()) {
			if x, ok := o.(*Text); ok {
				out = append(out, x.Text())
			}
		}
		return out
	}
	sign := cellsOf(r.Object())[2].(*Sign)
	r.Fill(1, false)
	if got := texts(); got[0] != "Leeds" || got[1] != "190" || sign.glyph != GlyphWarning {
		t.Errorf("the second row shows %q and sign %v", got, sign.glyph)
	}
	if cell := cellsOf(r.Object())[1].(*Text); cell.color != ColorError || cell.align != fyne.TextAlignTrailing {
		t.Errorf("what is due is not marked: %v, %v", cell.color, cell.align)
	}
	r.Fill(0, false)
	if got := texts(); got[0] != "York" || sign.glyph != GlyphNone {
		t.Errorf("the first row shows %q and sign %v", got, sign.glyph)
	}
	r.Fill(99, false) // not there: it shows what it showed
	if got := texts(); got[0] != "York" {
		t.Errorf("a row that is not there changed the words to %q", got)
	}
}

// cellsOf are the cells of a row or a header.
func cellsOf(o fyne.CanvasObject) []fyne.CanvasObject {
	return o.(*fyne.Container).Objects[0].(*fyne.Container).Objects
}

// The columns that matter least go first, in their order, one that can be
// narrower becomes so before it goes, and what stays does not overlap.
func TestColumnsGiveWay(t *testing.T) {
	Use(test.NewTempApp(t), Dark, 1)
	c := stays()
	for _, x := range []struct {
		room float32
		want [3]float32 // −1: gone
	}{
		{400, [3]float32{290, 60, 30}},
		{210, [3]float32{100, 60, 30}},
		{209, [3]float32{139, 60, -1}},
		{169, [3]float32{119, 40, -1}},
		{110, [3]float32{60, 40, -1}},
		{99, [3]float32{99, -1, -1}},
		{0, [3]float32{0, -1, -1}},
	} {
		if got := [3]float32(c.widths(x.room)); got != x.want {
			t.Errorf("%v wide: %v, want %v", x.room, got, x.want)
		}
	}
	r := c.newRow()
	for _, size := range []float32{1, 1.5} {
		Use(fyne.CurrentApp(), Dark, size)
		for room := float32(130); room < 600; room += 7 {
			r.Object().Resize(fyne.NewSize(room, 24))
			var end float32
			for i, o := range cellsOf(r.Object()) {
				if o.Position().X < 0 {
					continue
				}
				if o.Position().X < end {
					t.Fatalf("%v wide at %v: column %d begins at %v, the one before ends at %v", room, size, i, o.Position().X, end)
				}
				end = o.Position().X + o.Size().Width
			}
			if end > room {
				t.Fatalf("%v wide at %v: the columns end at %v", room, size, end)
			}
		}
	}
}

// Header and rows have the same columns.
func TestColumnsHead(t *testing.T) {
	Use(test.NewTempApp(t), Dark, 1)
	c := stays()
	h := c.Head()
	l := c.NewList(24, func() int { return 3 })
	w := test.NewTempWindow(t, Column(0, Sized(0, 24, h), Stretch(l)))
	w.Resize(fyne.NewSize(400, 200))
	if shown := test.RenderToMarkup(w.Canvas()); !strings.Contains(shown, "miles") || !strings.Contains(shown, "Kyoto") {
		t.Errorf("header and rows are not in the window:\n%s", shown)
	}
	row := l.list.shown[0].(*listLine)
	for i, o := range cellsOf(h) {
		if got := cellsOf(row.obj)[i]; got.Position().X != o.Position().X || got.Size().Width != o.Size().Width {
			t.Errorf("column %d: the header is at %v, %v wide, the row at %v, %v wide", i, o.Position().X, o.Size().Width, got.Position().X, got.Size().Width)
		}
	}
}

// What belongs to the names of a form begins at one edge, help under it too.
func TestFormAligns(t *testing.T) {
	Use(test.NewTempApp(t), Dark, 1)
	short, long, help := NewTextField("", nil), NewTextField("", nil), Label("why")
	box := NewButton("Test", Secondary, nil)
	f := NewForm().Row("Model", short).Wide("A longer name", long).Help(help).Row("", Stretch(NewTextField("", nil)), box)
	w := test.NewTempWindow(t, f.Body())
	w.Resize(fyne.NewSize(500, 300))
	at := func(o fyne.CanvasObject) float32 { return fyne.CurrentApp().Driver().AbsolutePositionForObject(o).X }
	if at(short) != at(long) || at(short) != at(help) {
		t.Errorf("fields at %v and %v, help at %v", at(short), at(long), at(help))
	}
	if end := at(long) + long.Size().Width; at(box)+box.Size().Width != end {
		t.Errorf("a wide field ends at %v, the last object of a row at %v", end, at(box)+box.Size().Width)
	}
}
