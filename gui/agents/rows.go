package agents

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction/session"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// AgentName is what an agent is called.
func AgentName(a *session.Agent) string {
	switch {
	case len(a.Speakers) > 0: // the history is that of a group
		return words.T("agents.group", "agent", a.Speakers[0].Name, "count", len(a.Speakers)-1)
	case a.Name != "":
		return a.Name
	case a.Parent < 0 && a.Path == "":
		return words.T("thread.main")
	case a.ID != "":
		return a.ID
	}
	return words.T("thread.subagent")
}

// clock is a time of the day, as rows have room for it.
func clock(ms int64) string {
	if ms == 0 {
		return "–"
	}
	return time.UnixMilli(ms).Local().Format("15:04")
}

// agentTokens is the context usage of the last call.
func agentTokens(a *session.Agent) string {
	last, ok := a.Last()
	if !ok {
		return words.Unknown
	}
	return words.TokensOf(last.Tokens, true, last.Reported || !a.Estimated)
}

// agentShare is that usage as a share of the context window; false while either
// is unknown.
func agentShare(a *session.Agent, window int) (float64, bool) {
	last, ok := a.Last()
	if !ok || window <= 0 {
		return 0, false
	}
	return float64(last.Tokens) / float64(window), true
}

// agentColor says how near the context usage is to the trigger.
func agentColor(a *session.Agent, q model.Policy) fyne.ThemeColorName {
	const near = .9 // of the trigger
	last, ok := a.Last()
	at := show.TriggerTokens(q)
	switch {
	case !ok || at == 0:
		return kit.ColorKept
	case last.Tokens >= int64(at):
		return kit.ColorError
	case float64(last.Tokens) >= near*float64(at):
		return kit.ColorWarning
	}
	return kit.ColorKept
}

// agentState says what became of an agent's task.
func agentState(a *session.Agent) (string, fyne.ThemeColorName) {
	switch t := a.Task; {
	case a.Parent < 0:
		return "", kit.ColorMuted
	case t.Returned > 0:
		return words.T("agents.finished"), kit.ColorMuted
	case t.Called > 0:
		return words.T("agents.noResult"), kit.ColorAccent
	}
	return words.T("agents.notFound"), kit.ColorFaint
}

// agentCompactions is how many times an agent was compacted, and whether one it
// had called was at work then.
func agentCompactions(a *session.Agent) (n int, open bool) {
	n = len(a.Found) + len(a.Records)
	for _, m := range a.Found {
		open = open || len(m.Open) > 0
	}
	return n, open
}

// agentWidths are those of the columns of the tree behind the name.
var agentWidths = []float32{150, 58, 74, 76, 56, 84, 96, 132}

// agentsGoFirst are the columns that tell least, which go where there is no room.
var agentsGoFirst = []int{6, 4, 3, 5}

// agentLayout puts the name and the cells behind it into the columns.
type agentLayout struct{}

// MinSize is Fyne's.
func (agentLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(kit.Px(420), kit.Px(23))
}

// Layout is Fyne's.
func (agentLayout) Layout(o []fyne.CanvasObject, s fyne.Size) {
	const gap, leastName = 12, 170
	hide := map[int]bool{}
	room := func() float32 {
		r := s.Width
		for i, w := range agentWidths {
			if !hide[i] {
				r -= kit.Px(w + gap)
			}
		}
		return r
	}
	for _, i := range agentsGoFirst {
		if room() < kit.Px(leastName) {
			hide[i] = true
		}
	}
	x := max(0, room())
	o[0].Move(fyne.NewPos(0, 0))
	o[0].Resize(fyne.NewSize(x, s.Height))
	for i, w := range agentWidths {
		c := o[i+1]
		if hide[i] {
			c.Move(fyne.NewPos(-20000, 0))
			continue
		}
		c.Move(fyne.NewPos(x+kit.Px(gap), 0))
		c.Resize(fyne.NewSize(kit.Px(w), s.Height))
		x += kit.Px(w + gap)
	}
}

func agentCells(name fyne.CanvasObject, cells ...fyne.CanvasObject) fyne.CanvasObject {
	return kit.Pad(0, 12, 0, 12, container.New(agentLayout{}, append([]fyne.CanvasObject{name}, cells...)...))
}

func newAgentHead() fyne.CanvasObject {
	cell := func(key string) *kit.Text { return kit.NewText(words.T(key), kit.ColorFaint, 11).Bold().Fit() }
	return agentCells(cell("agents.agent"), cell("agents.usage"), cell("agents.share").Right(), cell("agents.tokens").Right(),
		cell("agents.window").Right(), cell("agents.messages").Right(), cell("agents.state"), cell("agents.active"), cell("agents.compactions"))
}

// agentRow is one agent in the tree.
type agentRow struct {
	p     *AgentsSheet
	obj   fyne.CanvasObject
	mark  *treeMark
	name  *kit.Text
	first *fyne.Container // mark and name
	gauge *gauge
	cells [7]*kit.Text
	sign  *kit.Sign
}

func newAgentRow(p *AgentsSheet) *agentRow {
	r := &agentRow{p: p, mark: newTreeMark(), name: kit.Label("").Fit(), gauge: newGauge(), sign: kit.NewSign(kit.GlyphNone, kit.ColorWarning, 12)}
	for i := range r.cells {
		r.cells[i] = kit.NewText("", kit.ColorText, 13).Fit()
		if i < 4 {
			r.cells[i].Right()
		}
	}
	r.cells[5].SetColor(kit.ColorMuted)
	r.first = kit.Row(0, r.mark.obj, kit.Stretch(r.name))
	r.obj = agentCells(r.first, r.gauge.obj, r.cells[0], r.cells[1], r.cells[2], r.cells[3], r.cells[4], r.cells[5],
		kit.Row(6, r.sign, kit.Stretch(r.cells[6])))
	return r
}

// Object is what the list shows.
func (r *agentRow) Object() fyne.CanvasObject { return r.obj }

// Fill shows an agent.
func (r *agentRow) Fill(i int, selected bool) {
	tree := r.p.d.Agents()
	if tree == nil || i >= len(r.p.Shown) {
		return
	}
	at := r.p.Shown[i]
	a := &tree.List[at]
	q, _, _ := r.p.d.AgentParams(at)
	r.mark.set(tree.List, at)
	r.name.SetText(AgentName(a))
	r.first.Refresh() // the mark is as wide as its agent lies deep
	share, known := agentShare(a, q.Window)
	r.gauge.set(share, known, shareOfWindow(show.TriggerTokens(q), q.Window), agentColor(a, q))
	r.cells[0].SetText(words.Unknown)
	r.cells[0].SetColor(kit.ColorText)
	if known {
		r.cells[0].SetText(words.Percent(share))
		if c := agentColor(a, q); c != kit.ColorKept {
			r.cells[0].SetColor(c)
		}
	}
	r.cells[1].SetText(agentTokens(a))
	r.cells[2].SetText(words.Unknown)
	if q.Window > 0 {
		r.cells[2].SetText(words.Int(int64(q.Window)))
	}
	r.cells[3].SetText(words.Int(int64(a.Messages)))
	state, color := agentState(a)
	r.cells[4].SetText(state)
	r.cells[4].SetColor(color)
	r.cells[5].SetText("–")
	if a.From > 0 {
		r.cells[5].SetText(clock(a.From) + "–" + clock(a.To))
	}
	n, open := agentCompactions(a)
	r.sign.Hidden = !open
	r.cells[6].SetColor(kit.ColorText)
	switch {
	case n == 0:
		r.cells[6].SetText(words.T("result.none"))
		r.cells[6].SetColor(kit.ColorFaint)
	case open:
		r.sign.Set(kit.GlyphWarning, kit.ColorWarning)
		r.cells[6].SetText(words.T("agents.openTask", "count", n))
		r.cells[6].SetColor(kit.ColorWarning)
	default:
		r.cells[6].SetText(words.Int(int64(n)))
	}
}

func shareOfWindow(tokens, window int) float64 {
	if window <= 0 {
		return 0
	}
	return float64(tokens) / float64(window)
}

// The widths of the columns of the tasks; 0 takes what is left.
var taskWidths = []float32{48, 16, 120, 16, 120, 0, 60, 64, 64}

func taskCells(cells ...fyne.CanvasObject) fyne.CanvasObject {
	var row []fyne.CanvasObject
	for i, c := range cells {
		if taskWidths[i] == 0 {
			row = append(row, kit.Stretch(c))
		} else {
			row = append(row, kit.Sized(taskWidths[i], 0, c))
		}
	}
	return kit.Pad(0, 12, 0, 12, kit.Row(10, row...))
}

func newTaskHead() fyne.CanvasObject {
	cell := func(key string) *kit.Text { return kit.NewText(words.T(key), kit.ColorFaint, 11).Bold().Fit() }
	none := func() *kit.Text { return kit.NewText("", kit.ColorFaint, 11) }
	return taskCells(cell("agents.time"), none(), cell("agents.from"), none(), cell("agents.to"), cell("agents.task"),
		cell("agents.message").Right(), cell("agents.passed").Right(), cell("agents.used").Right())
}

// taskRow is one call of an agent, or its result.
type taskRow struct {
	p                                           *AgentsSheet
	obj                                         fyne.CanvasObject
	sign                                        *kit.Sign
	time, from, to, text, message, passed, used *kit.Text
}

func newTaskRow(p *AgentsSheet) *taskRow {
	r := &taskRow{p: p, sign: kit.NewSign(kit.GlyphDown, kit.ColorAdded, 11)}
	cell := func(c fyne.ThemeColorName) *kit.Text { return kit.NewText("", c, 13).Fit() }
	r.time, r.from, r.to, r.text = cell(kit.ColorMuted), cell(kit.ColorText), cell(kit.ColorText), cell(kit.ColorText)
	r.message, r.passed, r.used = cell(kit.ColorAccent).Right(), cell(kit.ColorText).Right(), cell(kit.ColorText).Right()
	r.obj = taskCells(r.time, r.sign, r.from, kit.NewText("→", kit.ColorFaint, 13), r.to, r.text, r.message, r.passed, r.used)
	return r
}

// Object is what the list shows.
func (r *taskRow) Object() fyne.CanvasObject { return r.obj }

// Fill shows an event.
func (r *taskRow) Fill(i int, _ bool) {
	tree := r.p.d.Agents()
	if tree == nil || i >= len(r.p.events) {
		return
	}
	ev := &r.p.events[i]
	a, caller := AgentName(&tree.List[ev.Agent]), AgentName(&tree.List[ev.Caller])
	exact := !tree.List[ev.Caller].Estimated
	r.time.SetText(clock(ev.Time))
	r.sign.Set(kit.GlyphDown, kit.ColorAdded)
	r.from.SetText(caller)
	r.to.SetText(a)
	r.text.SetColor(kit.ColorMuted)
	r.used.SetText("–")
	if ev.Back {
		r.sign.Set(kit.GlyphUp, kit.ColorKept)
		r.from.SetText(a)
		r.to.SetText(caller)
		r.text.SetColor(kit.ColorText)
		r.used.SetText(words.TokensShort(ev.Used))
	}
	r.text.SetText(ev.Text)
	r.message.SetText("#" + words.Int(int64(ev.Num)))
	r.passed.SetText(words.TokensOf(ev.Tokens, true, exact))
}
