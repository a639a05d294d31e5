package agents

import (
	"math"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/session/figures"
	"palimpsest/gui/chart"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// laneScale is the axis that all lanes share: time, or calls where the files
// tell no time.
func laneScale(a *desk.Agents) chart.LaneScale {
	from, to, timed := a.Span()
	if timed {
		return chart.LaneScale{From: float64(from), To: float64(to), Timed: true}
	}
	most := 1
	for i := range a.List {
		most = max(most, len(a.List[i].Usage))
	}
	return chart.LaneScale{To: float64(most - 1)}
}

// The heights of a lane, in units of the design.
const (
	laneLeast = 50
	laneMost  = 120
)

// laneHeight lets few lanes share the height of their list.
func laneHeight(l *kit.List, lanes int) float32 {
	each := l.Size().Height / kit.Px(1) / float32(max(1, lanes))
	return min(laneMost, max(laneLeast, float32(math.Floor(float64(each)))))
}

// laneCells puts what belongs to a lane beside it.
func laneCells(name, lane, share fyne.CanvasObject) fyne.CanvasObject {
	return kit.Pad(0, 12, 0, 12, kit.Row(10, kit.Sized(120, 0, name), kit.Stretch(lane), kit.Sized(56, 0, share)))
}

// laneRow is one agent as a lane.
func (p *AgentsSheet) laneRow() (fyne.CanvasObject, func(int)) {
	name, below := kit.Label("").Fit(), kit.NewText("", kit.ColorFaint, 11).Fit()
	lane, used := chart.NewLane(), kit.NewText("", kit.ColorText, 12).Right().Fit()
	return laneCells(kit.Column(0, name, below), lane, used), func(i int) {
		tree := p.d.Agents()
		if tree == nil || i >= len(p.Shown) {
			return
		}
		at := p.Shown[i]
		a := &tree.List[at]
		q, _, _ := p.d.AgentParams(at)
		name.SetText(AgentName(a))
		under := words.T("agents.windowUnknown")
		if q.Window > 0 {
			under = words.TokensShort(int64(q.Window))
		}
		if a.Depth > 1 {
			under += " · " + words.T("agents.under", "agent", AgentName(&tree.List[a.Parent]))
		}
		below.SetText(under)
		size, share := figures.OfAgent(a, q.Window)
		used.SetText(words.Figure(size))
		used.SetColor(kit.ColorText)
		if share.Known() {
			used.SetText(words.Figure(share))
			if c := agentColor(a, q); c != kit.ColorKept {
				used.SetColor(c)
			}
		}
		d := laneData(tree, at, q, p.scale)
		if d.Chosen = i == p.lanes.Selected(); p.scale.Timed { // else calls of different agents are in no common order
			d.Arrows = LaneArrows(tree, p.Shown, p.RowOf, i)
		}
		lane.Set(d)
	}
}

// laneData is the context usage of an agent on the axis of all, to the height of
// its own window; where that is not known, of its largest call.
func laneData(tree *desk.Agents, at int, q model.Policy, scale chart.LaneScale) chart.LaneData {
	a := &tree.List[at]
	d := chart.LaneData{Scale: scale, Top: float64(q.Window), Trigger: float64(show.TriggerTokens(q)), Color: kit.ColorKept}
	if q.Window <= 0 {
		d.Dotted, d.Color = true, kit.ColorMuted
	}
	for i, c := range a.Usage {
		x := float64(i)
		if scale.Timed {
			if x = float64(c.Time); c.Time == 0 {
				continue
			}
		}
		d.Points = append(d.Points, chart.Point{X: x, Y: float64(c.Tokens)})
		if q.Window <= 0 {
			d.Top = max(d.Top, float64(c.Tokens))
		}
	}
	for i, m := range a.Found {
		mark := chart.LaneMark{X: float64(m.Call), Label: words.Int(int64(i + 1)), Color: kit.ColorMuted}
		if scale.Timed {
			if mark.X = float64(m.Time); m.Time == 0 {
				continue
			}
		}
		if len(m.Open) > 0 {
			mark.Label += " · " + words.T("agents.stillOpen", "agent", AgentName(&tree.List[m.Open[0]]))
			mark.Color = kit.ColorWarning
		}
		d.Marks = append(d.Marks, mark)
	}
	return d
}

// LaneArrows are the parts of calls and results that the lane of a row shows;
// rowOf shows the row of each agent. Only arrows between a caller and a row further
// down are drawn; the list of tasks has the others.
func LaneArrows(tree *desk.Agents, shown, rowOf []int, row int) []chart.LaneArrow {
	var out []chart.LaneArrow
	for called := row; called < len(shown); called++ {
		for _, t := range tree.List[shown[called]].Tasks {
			if t.Caller < 0 || rowOf[t.Caller] > row || rowOf[t.Caller] >= called {
				continue
			}
			part := chart.ArrowThrough
			switch row {
			case called:
				part = chart.ArrowCalled
			case rowOf[t.Caller]:
				part = chart.ArrowCaller
			}
			if t.CalledAt > 0 {
				out = append(out, chart.LaneArrow{X: float64(t.CalledAt), Part: part, Label: t.Asked})
			}
			if t.Returned > 0 && t.BackAt > 0 {
				out = append(out, chart.LaneArrow{X: float64(t.BackAt), Part: part, Back: true,
					Label: "→ " + show.Shortened(AgentName(&tree.List[t.Caller]), 18) + " #" + words.Int(int64(t.Returned))})
			}
		}
	}
	return out
}
