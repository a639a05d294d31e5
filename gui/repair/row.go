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

// heads are the heads of the columns of the list, over the cells of row, with a box that ticks
// all mends.
func (p *Screen) heads() fyne.CanvasObject {
	head := func(key string) *kit.Text { return kit.NewText(words.T(key), kit.ColorMuted, 12).Bold().Fit() }
	return kit.Pad(6, 12, 6, 12, kit.Row(10, p.all, kit.Sized(56, 0, head("repair.head.line")),
		kit.Sized(330, 0, head("repair.head.fault")), kit.Stretch(head("repair.head.mend"))))
}

// row makes a row of the list: a box to tick, the line, the fault with what comes of it, and
// its mend.
func (p *Screen) row() (fyne.CanvasObject, func(int)) {
	at := 0
	tick := kit.NewCheck("", false, func(bool) { p.tick(at) })
	line := kit.NewText("", kit.ColorMuted, 13)
	sign := kit.NewSign(kit.GlyphError, kit.ColorError, 13)
	title, does := kit.Label("").Bold().Fit(), kit.NewParagraph("", kit.ColorMuted, 13, 3)
	var rects [mostLines]*canvas.Rectangle
	var numbers, texts [mostLines]*kit.Text
	var lines [mostLines]*fyne.Container
	mends := kit.Column(0)
	for i := range rects {
		rects[i], texts[i] = canvas.NewRectangle(color.Transparent), kit.NewText("", kit.ColorText, 12).Mono().Fit()
		numbers[i] = kit.NewText("", kit.ColorMuted, 12).Mono().Right()
		lines[i] = kit.Sized(0, 18, container.NewStack(rects[i], kit.Pad(0, 6, 0, 6,
			kit.Row(8, kit.Sized(52, 0, numbers[i]), kit.Stretch(texts[i])))))
		mends.Add(lines[i])
	}
	mend := kit.NewParagraph("", kit.ColorMuted, 12, 2)
	mends.Add(kit.Pad(4, 0, 0, 0, mend))
	mends.Add(kit.Spring())
	cell := func(width float32, o ...fyne.CanvasObject) fyne.CanvasObject {
		return kit.Sized(width, 98, kit.Column(4, append(o, kit.Spring())...))
	}
	row := kit.Column(0, kit.Stretch(kit.Pad(10, 12, 6, 12, kit.Row(10, cell(16, tick), cell(56, line),
		cell(330, kit.Row(6, sign, kit.Stretch(title)), does), kit.Stretch(mends)))), kit.NewRule())
	return row, func(i int) {
		at = i
		f := p.found.Faults[i]
		tick.SetOn(f.Mended)
		tick.SetEnabled(f.NoMend == "")
		line.SetText(words.Int(int64(f.Line)))
		sign.Set(look(f.Does.Harm()))
		title.SetText(words.T("repair.rule." + f.Rule))
		does.Set(words.T("repair.does."+string(f.Does)), kit.ColorMuted)
		said := words.T("repair.noMend")
		if f.NoMend == "" {
			said = words.T("repair.mend." + f.Rule)
		}
		mend.Set(said, kit.ColorMuted)
		shown := p.found.Diff(f)
		if len(shown) > mostLines && shown[mostLines-1].Sign == "-" { // not without what comes in its place
			shown = shown[:mostLines-1]
		}
		for k := range rects {
			if k >= len(shown) || k >= mostLines {
				lines[k].Hide()
				continue
			}
			fill := map[string]fyne.ThemeColorName{"-": kit.ColorError, "+": kit.ColorKept}[shown[k].Sign]
			rects[k].FillColor = kit.Color(kit.ColorPanel)
			if fill != "" {
				rects[k].FillColor = kit.Blend(kit.Color(kit.ColorPanel), kit.Color(fill), .2)
			}
			number := ""
			if shown[k].Line > 0 {
				number = words.Int(int64(shown[k].Line))
			}
			numbers[k].SetText(number)
			texts[k].SetText(shown[k].Sign + " " + kit.Clean(shown[k].Text))
			lines[k].Show()
			rects[k].Refresh()
		}
		mends.Refresh()
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

// strip is the file from its first line to its last, with a mark for each fault and the
// numbers of their lines below, as far as there is room.
type strip struct {
	box    *fyne.Container
	at     []float32 // where the marks are, as a share
	marks  []*canvas.Rectangle
	labels []*kit.Text
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
	s.at, s.marks, s.labels = nil, nil, nil
	bar := canvas.NewRectangle(kit.Color(kit.ColorLine))
	s.box.Objects = []fyne.CanvasObject{bar}
	for _, f := range faults[:min(len(faults), mostMarks)] {
		_, ink := look(f.Does.Harm())
		m, label := canvas.NewRectangle(kit.Color(ink)), kit.NewText(words.Int(int64(f.Line)), kit.ColorMuted, 12)
		s.at = append(s.at, float32(f.Line-1)/float32(max(lines-1, 1)))
		s.marks, s.labels = append(s.marks, m), append(s.labels, label)
		s.box.Add(m)
		s.box.Add(label)
	}
	s.box.Refresh()
}

// Layout implements fyne.Layout.
func (s *strip) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	bar := kit.Px(14)
	objects[0].Move(fyne.NewPos(0, kit.Px(2)))
	objects[0].Resize(fyne.NewSize(size.Width, bar-kit.Px(4)))
	end := float32(0) // of the last number that is shown
	for i, m := range s.marks {
		x := s.at[i] * (size.Width - 3)
		m.Move(fyne.NewPos(x, 0))
		m.Resize(fyne.NewSize(3, bar))
		wide := s.labels[i].MinSize()
		from := fyne.Max(0, fyne.Min(x-wide.Width/2, size.Width-wide.Width))
		s.labels[i].Move(fyne.NewPos(from, bar))
		s.labels[i].Resize(wide)
		if i > 0 && from < end {
			s.labels[i].Hide()
			continue
		}
		s.labels[i].Show()
		end = from + wide.Width + kit.Px(8)
	}
}

// MinSize implements fyne.Layout.
func (s *strip) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, kit.Px(32)) }
