package agents

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction/session"
	"palimpsest/gui/kit"
)

// gauge is the context usage of an agent as a share of its context window, with
// the trigger as a stroke. An unknown window is an empty frame.
type gauge struct {
	obj                *fyne.Container
	track, bar, stroke *kit.Fill
	frame              *canvas.Rectangle // in the place of the others, of an unknown window
	share, trigger     float64
}

func newGauge() *gauge {
	g := &gauge{track: kit.NewFill(kit.ColorLine, 2), bar: kit.NewFill(kit.ColorKept, 2), stroke: kit.NewFill(kit.ColorAccent, 0),
		frame: canvas.NewRectangle(color.Transparent)}
	g.frame.StrokeWidth, g.frame.CornerRadius = 1, kit.Px(2)
	g.obj = container.New(g, g.track, g.bar, g.stroke, g.frame)
	return g
}

func (g *gauge) set(share float64, known bool, trigger float64, c fyne.ThemeColorName) {
	g.share, g.trigger = min(1, max(0, share)), min(1, trigger)
	g.track.Hidden, g.bar.Hidden, g.stroke.Hidden = !known, !known, !known || trigger <= 0
	g.frame.Hidden, g.frame.StrokeColor = known, kit.Color(kit.ColorFaint)
	g.bar.SetColor(c)
	g.Layout(nil, g.obj.Size())
	g.obj.Refresh()
}

// MinSize is Fyne's.
func (g *gauge) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(kit.Px(60), kit.Px(14)) }

// Layout is Fyne's.
func (g *gauge) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	h := kit.Px(8)
	y := (s.Height - h) / 2
	put := func(o fyne.CanvasObject, x, y, w, h float32) { o.Move(fyne.NewPos(x, y)); o.Resize(fyne.NewSize(w, h)) }
	put(g.track, 0, y, s.Width, h)
	put(g.frame, 0, y, s.Width, h)
	put(g.bar, 0, y, float32(g.share)*s.Width, h)
	put(g.stroke, float32(g.trigger)*s.Width-1, y-kit.Px(3), kit.Px(2), h+kit.Px(6))
}

// treeDepth is how many levels of callers are drawn; deeper ones are on the
// last.
const treeDepth = 8

// treeMark is the lines of a tree before the name of an agent.
type treeMark struct {
	obj   *fyne.Container
	down  [treeDepth]*kit.Fill // beside the agents between a caller and the last it called
	elbow *kit.Fill
	depth int
	last  bool // of those its caller called
	past  [treeDepth]bool
}

func newTreeMark() *treeMark {
	m := &treeMark{elbow: kit.NewRule()}
	objs := []fyne.CanvasObject{m.elbow}
	for i := range m.down {
		m.down[i] = kit.NewRule()
		objs = append(objs, m.down[i])
	}
	m.obj = container.New(m, objs...)
	return m
}

// set shows the place of an agent in the tree.
func (m *treeMark) set(list []session.Agent, at int) {
	m.depth = min(treeDepth, list[at].Depth)
	m.past = [treeDepth]bool{}
	for x, level := at, list[at].Depth; level > 0; level-- {
		last := true
		for i := x + 1; i < len(list) && list[i].Depth >= level; i++ {
			if list[i].Depth == level {
				last = false
				break
			}
		}
		if level <= treeDepth {
			m.past[level-1] = !last
		}
		if x == at {
			m.last = last
		}
		x = list[x].Parent
	}
	m.obj.Refresh()
}

const treeStep = 16

// MinSize is Fyne's.
func (m *treeMark) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(kit.Px(treeStep*float32(m.depth)), kit.Px(27))
}

// Layout is Fyne's.
func (m *treeMark) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	x := func(level int) float32 { return kit.Px(treeStep*float32(level) + 4) }
	mid := s.Height / 2
	for i, l := range m.down {
		own := i == m.depth-1
		l.Hidden = i >= m.depth || !own && !m.past[i]
		h := s.Height
		if own && m.last {
			h = mid
		}
		l.Move(fyne.NewPos(x(i), 0))
		l.Resize(fyne.NewSize(1, h))
	}
	if m.elbow.Hidden = m.depth == 0; !m.elbow.Hidden {
		m.elbow.Move(fyne.NewPos(x(m.depth-1), mid))
		m.elbow.Resize(fyne.NewSize(kit.Px(8), 1))
	}
}
