package show

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// contextBars draws two context usages above each other to one scale, with the
// trigger and the context window as strokes across both.
type contextBars struct {
	tokens          func(int64) string
	trigger, window int64 // 0: there is none, or it is not known
}

func NewContextBars(tokens func(int64) string, trigger, window int64) contextBars {
	return contextBars{tokens: tokens, trigger: trigger, window: window}
}

// Compare sets the usage now above that afterwards.
func (c contextBars) Compare(now string, before int64, then string, after int64) fyne.CanvasObject {
	l := &contextBarsLayout{scale: max(before, after, c.window, c.trigger, 1)}
	ink := kit.ColorKept
	if c.window > 0 && after > c.window {
		ink = kit.ColorError
	}
	var objs []fyne.CanvasObject
	for i, b := range []struct {
		name string
		n    int64
		ink  fyne.ThemeColorName
	}{{now, before, kit.ColorFaint}, {then, after, ink}} {
		l.bars[i] = b.n
		objs = append(objs, kit.NewText(b.name, kit.ColorMuted, 12).Fit(), kit.NewBar(float64(b.n)/float64(l.scale), b.ink),
			kit.NewText(c.tokens(b.n), kit.ColorText, 12).Right().Fit())
	}
	for _, m := range []struct {
		at  int64
		key string
		ink fyne.ThemeColorName
	}{{c.trigger, "context.trigger", kit.ColorAccent}, {c.window, "context.window", kit.ColorError}} {
		if m.at > 0 {
			l.marks = append(l.marks, m.at)
			objs = append(objs, kit.NewFill(m.ink, 0), kit.NewText(words.T(m.key, "tokens", words.TokensShort(m.at)), m.ink, 11))
		}
	}
	return container.New(l, objs...)
}

// contextBarsLayout has name, bar and number of both bars first, then stroke and
// words of each mark.
type contextBarsLayout struct {
	scale int64
	bars  [2]int64
	marks []int64
}

// The measures of the bars, in units of the design.
const (
	barName, barNumber = 56, 58
	barLine            = 20
	barWords           = 16
)

// MinSize is Fyne's.
func (l *contextBarsLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	h := float32(2 * barLine)
	if len(l.marks) > 0 {
		h += barWords
	}
	return fyne.NewSize(kit.Px(barName+barNumber+60), kit.Px(h))
}

// Layout is Fyne's.
func (l *contextBarsLayout) Layout(o []fyne.CanvasObject, s fyne.Size) {
	put := func(o fyne.CanvasObject, x, y, w, h float32) {
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(w, h))
	}
	left, width := kit.Px(barName+8), max(0, s.Width-kit.Px(barName+barNumber+16))
	for i := range l.bars {
		y := float32(i) * kit.Px(barLine)
		put(o[3*i], 0, y, kit.Px(barName), kit.Px(barLine))
		put(o[3*i+1], left, y, width, kit.Px(barLine))
		put(o[3*i+2], left+width+kit.Px(8), y, kit.Px(barNumber), kit.Px(barLine))
	}
	end := left + width + kit.Px(barNumber+8) // of the room for the words, from the right
	for i := len(l.marks) - 1; i >= 0; i-- {
		stroke, text := o[6+2*i], o[7+2*i]
		x := left + width*float32(float64(l.marks[i])/float64(l.scale))
		put(stroke, x-1, kit.Px(2), kit.Px(1.5), kit.Px(2*barLine-2))
		w := text.MinSize().Width
		at := max(0, min(x-w/2, end-w))
		put(text, at, kit.Px(2*barLine), w, kit.Px(barWords))
		end = at - kit.Px(8)
	}
}
