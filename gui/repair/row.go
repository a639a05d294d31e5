package repair

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model/repair"
)

// mostLines is how many lines of a mend a row shows.
const mostLines = 3

// row makes a row of the list: a box to tick, the line, the fault with what comes of it, and
// its mend.
func (p *Screen) row() (fyne.CanvasObject, func(int)) {
	at := 0
	tick := kit.NewCheck("", false, func(bool) { p.tick(at) })
	line := kit.NewText("", kit.ColorMuted, 13)
	sign := kit.NewSign(kit.GlyphError, kit.ColorError, 13)
	title, does := kit.Label("").Bold().Fit(), kit.NewParagraph("", kit.ColorMuted, 13, 3)
	var rects [mostLines]*canvas.Rectangle
	var texts [mostLines]*kit.Text
	diff := kit.Column(0)
	for i := range rects {
		rects[i], texts[i] = canvas.NewRectangle(color.Transparent), kit.NewText("", kit.ColorText, 12).Mono().Fit()
		diff.Add(kit.Sized(0, 18, container.NewStack(rects[i], kit.Pad(0, 6, 0, 6, texts[i]))))
	}
	mend := kit.NewText("", kit.ColorMuted, 12).Fit()
	row := kit.Pad(10, 12, 6, 12, kit.Row(10, kit.Column(0, tick, kit.Spring()), kit.Sized(64, 0, kit.Column(0, line, kit.Spring())),
		kit.Sized(330, 0, kit.Column(4, kit.Row(6, sign, kit.Stretch(title)), does, kit.Spring())),
		kit.Stretch(kit.Column(4, diff, mend, kit.Spring()))))
	return row, func(i int) {
		at = i
		f := p.found.Faults[i]
		tick.SetOn(f.Mended)
		tick.SetEnabled(f.NoMend == "")
		line.SetText(words.Int(int64(f.Line)))
		sign.Set(look(f.Does.Harm()))
		title.SetText(words.T("repair.rule." + f.Rule))
		does.Set(words.T("repair.does."+string(f.Does)), kit.ColorMuted)
		mend.SetText(words.T("repair.noMend"))
		if f.NoMend == "" {
			mend.SetText(words.T("repair.mend." + f.Rule))
		}
		lines := p.found.Diff(f)
		for k := range rects {
			rects[k].FillColor = color.Transparent
			texts[k].SetText("")
			if k < len(lines) {
				fill := map[string]fyne.ThemeColorName{"-": kit.ColorError, "+": kit.ColorKept}[lines[k].Sign]
				if fill != "" {
					rects[k].FillColor = kit.Blend(kit.Color(kit.ColorPanel), kit.Color(fill), .2)
				}
				texts[k].SetText(lines[k].Sign + " " + kit.Clean(lines[k].Text))
			}
			rects[k].Refresh()
		}
	}
}

// look is the sign of a harm.
func look(h repair.Harm) (kit.Glyph, fyne.ThemeColorName) {
	switch h {
	case repair.Stops:
		return kit.GlyphError, kit.ColorError
	case repair.Harmful:
		return kit.GlyphWarning, kit.ColorWarning
	}
	return kit.GlyphInfo, kit.ColorMuted
}

// strip is the file from its first line to its last, with a mark for each fault.
type strip struct {
	box   *fyne.Container
	at    []float32 // where the marks are, as a share
	marks []*canvas.Rectangle
}

func newStrip() *strip {
	s := &strip{}
	s.box = container.New(s)
	s.set(nil, 1)
	return s
}

// mostMarks is how many marks can be told apart.
const mostMarks = 500

func (s *strip) set(faults []*repair.Fault, lines int) {
	s.at, s.marks = nil, nil
	bar := canvas.NewRectangle(kit.Color(kit.ColorLine))
	s.box.Objects = []fyne.CanvasObject{bar}
	for _, f := range faults[:min(len(faults), mostMarks)] {
		_, ink := look(f.Does.Harm())
		m := canvas.NewRectangle(kit.Color(ink))
		s.at, s.marks = append(s.at, float32(f.Line)/float32(max(lines, 1))), append(s.marks, m)
		s.box.Add(m)
	}
	s.box.Refresh()
}

// Layout implements fyne.Layout.
func (s *strip) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Move(fyne.NewPos(0, size.Height/2-1))
	objects[0].Resize(fyne.NewSize(size.Width, 2))
	for i, m := range s.marks {
		m.Move(fyne.NewPos(s.at[i]*(size.Width-3), 0))
		m.Resize(fyne.NewSize(3, size.Height))
	}
}

// MinSize implements fyne.Layout.
func (s *strip) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, kit.Px(12)) }
