package agents

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/chart"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// What the sheet of agents shows beside the tasks.
const (
	agentsTree = iota
	agentsLanes
	agentsBoth
)

// AgentsSheet shows the agents of the conversation looked at: who called whom,
// how full the context window of each is, what became of its task.
type AgentsSheet struct {
	d *desk.Desk
	w *screen.Host

	open     bool
	obj      fyne.CanvasObject
	title    *kit.Text
	count    *kit.Text
	idle     *kit.Check
	view     *kit.Segments
	head     *fyne.Container         // above all
	middle   *fyne.Container         // tree, lanes or both
	columns  *kit.Columns[agentNode] // of the tree
	tree     *kit.List
	lanes    *kit.List
	axis     *chart.LaneAxis
	axisName *kit.Text
	tasks    *kit.List
	taskPane *kit.Pane
	note     *kit.Text // while there is nothing to list
	NoTasks  *kit.Text
	split    [2]*kit.Split
	Side     *agentPane
	Group    *Speakers // in the place of tree, lanes and tasks, where all speak in one history

	Shown  []int // agents listed
	RowOf  []int // of each agent; only those that are listed count
	events []desk.AgentEvent
	at     int // agent chosen, −1: none
	scale  chart.LaneScale
}

func NewAgentsSheet(w *screen.Host) *AgentsSheet {
	p := &AgentsSheet{d: w.Desk, w: w, at: -1}
	p.title, p.count = kit.NewText("", kit.ColorMuted, 13).Fit(), kit.NewText("", kit.ColorMuted, 12)
	p.idle = kit.NewCheck(words.T("agents.idle"), true, func(bool) { p.update() })
	p.idle.SetTip(words.T("agents.idle.tip"))
	p.view = kit.NewSegments([]string{words.T("agents.tree"), words.T("agents.lanes"), words.T("agents.both")}, agentsBoth,
		func(int) { p.arrange() })
	back := kit.NewButton(words.T("preview.back"), kit.Secondary, p.close).WithTip("preview.back.tip").WithGlyph(kit.GlyphLeft)
	p.head = kit.Lines(10, back, kit.Label(words.T("agents.title")).Bold(), kit.Stretch(p.title),
		kit.Means(p.count, "agents.count.means"), p.idle, p.view)

	list := func(l *kit.List) *kit.List {
		l.OnSelect = func(i int) { p.Choose(p.Shown[i]) }
		l.OnOpen = func(i int) { p.Choose(p.Shown[i]); p.OpenAgent() }
		return l
	}
	tasks := p.taskColumns()
	p.columns = p.agentColumns()
	p.tree = list(p.columns.NewList(27, func() int { return len(p.Shown) }))
	p.lanes = list(kit.NewRows(laneLeast, func() int { return len(p.Shown) }, p.laneRow))
	p.lanes.WithTip("agents.lanes.tip")
	p.lanes.SetHeights(func(int) float32 { return laneHeight(p.lanes, len(p.Shown)) })
	p.axis, p.axisName = chart.NewLaneAxis(), kit.NewText("", kit.ColorFaint, 11).Right().Fit()
	p.tasks = tasks.NewList(25, func() int { return len(p.events) })
	p.tasks.OnSelect = func(i int) { p.Choose(p.events[i].Agent) }
	p.tasks.OnOpen = func(i int) { p.openMessage(p.events[i]) }
	p.tasks.Tip = p.taskTip
	p.note = kit.NewText("", kit.ColorMuted, 13).Center().Fit()

	p.NoTasks = kit.NewText("", kit.ColorMuted, 13).Center().Fit()
	p.middle = container.NewStack()
	p.taskPane = kit.NewPane(words.T("agents.tasks"),
		kit.Column(0, kit.Sized(0, 23, tasks.Head()), kit.NewRule(),
			kit.Stretch(container.NewStack(p.tasks, p.NoTasks))))
	p.split[0] = w.Split("agents.tasks", true, p.middle, p.taskPane, kit.KeepShare, .7)
	p.Side = newAgentPane(p)
	p.Group = newSpeakers(p)
	p.split[1] = w.Split("agents.side", false, container.NewStack(p.split[0], p.Group.obj), p.Side.pane, kit.KeepSecond, 336)
	p.obj = kit.Panes(kit.Sized(0, 40, kit.NewPane("", kit.Pad(5, 10, 5, 10, p.head))), kit.Stretch(p.split[1]))
	w.Desk.Listen(desk.TopicAgents, p.update)
	w.Desk.Listen(desk.TopicParams, p.update)
	w.Desk.Listen(desk.TopicFiles, func() {
		if p.open && p.d.Agents() != nil {
			p.d.LoadAgents() // files of agents that were found, messages that were added
		}
	})
	p.arrange()
	return p
}

// arrange puts the chosen views into the middle.
func (p *AgentsSheet) arrange() {
	tree := kit.NewPane("", kit.Column(0, kit.Sized(0, 23, p.columns.Head()), kit.NewRule(), kit.Stretch(container.NewStack(p.tree,
		p.note))))
	legend := kit.Row(14, laneSign(kit.GlyphDown, kit.ColorAdded, "agents.called"), laneSign(kit.GlyphUp, kit.ColorKept, "agents.returned"),
		laneSign(kit.GlyphDiamond, kit.ColorMuted, "agents.compaction"),
		kit.Row(6, kit.NewSwatch(kit.ColorAccent, true), kit.NewText(words.T("agents.trigger"), kit.ColorMuted, 11)))
	lanes := kit.NewPane(words.T("agents.lanes"), kit.Column(0, kit.Stretch(p.lanes), laneCells(p.axisName, p.axis, kit.Label(""))), legend)
	lanes.SetLeft(kit.Means(kit.NewText(words.T("agents.lanes.means"), kit.ColorFaint, 12), "agents.lanes.tip"))
	switch p.view.Selected() {
	case agentsTree:
		p.middle.Objects = []fyne.CanvasObject{tree}
	case agentsLanes:
		p.middle.Objects = []fyne.CanvasObject{lanes}
	default:
		p.middle.Objects = []fyne.CanvasObject{p.w.Split("agents.lanes", true, tree, lanes, kit.KeepShare, .36)}
	}
	p.middle.Refresh()
}

func laneSign(g kit.Glyph, c fyne.ThemeColorName, key string) fyne.CanvasObject {
	return kit.Row(5, kit.NewSign(g, c, 11), kit.NewText(words.T(key), kit.ColorMuted, 11))
}

func (p *AgentsSheet) close() {
	p.open = false
	p.w.HideSheet()
}

// update shows the agents as they are known.
func (p *AgentsSheet) update() {
	if !p.open {
		return
	}
	a := p.d.Agents()
	p.Shown, p.events = nil, nil
	p.note.SetText("")
	if a == nil || len(a.List) == 0 {
		p.at = -1
		if a != nil && a.Running {
			p.note.SetText(words.T("agents.reading", "done", a.Done, "total", a.Total))
		}
	} else {
		p.Shown, p.events = a.Shown(p.idle.On()), a.Events()
		p.RowOf = make([]int, len(a.List))
		for row, at := range p.Shown {
			p.RowOf[at] = row
		}
		p.scale = laneScale(a)
		p.axis.Set(p.scale)
		p.axisName.SetText(words.T(map[bool]string{true: "agents.axis.time", false: "agents.axis.calls"}[p.scale.Timed]))
		if p.at < 0 || p.at >= len(a.List) {
			p.at = max(0, a.Current())
		}
		p.widenState(a.List)
		p.tell(a)
	}
	p.showGroup(p.Group.set(a))
	p.tree.Update()
	p.lanes.Update()
	p.tasks.Update()
	p.Choose(p.at)
}

// focus gives the keyboard to the list of the lanes or of the tree.
func (p *AgentsSheet) focus() {
	list := p.tree
	if p.Group.of != nil {
		list = p.Group.lanes
	}
	p.w.Win.Canvas().Focus(list)
}

// showGroup puts the lanes of speakers in the place of what shows calls, or back.
func (p *AgentsSheet) showGroup(on bool) {
	if p.idle.Hidden == on {
		return
	}
	p.idle.Hidden, p.view.Hidden = on, on
	shown, hidden := fyne.CanvasObject(p.split[0]), p.Group.obj
	if on {
		shown, hidden = hidden, shown
	}
	hidden.Hide()
	shown.Show()
	p.obj.Refresh()
	p.focus()
}

// tell puts the numbers of the whole into words.
func (p *AgentsSheet) tell(a *desk.Agents) {
	nested := 0
	for i := range a.List {
		if a.List[i].Depth > 1 {
			nested++
		}
	}
	if e := p.d.Current(); e != nil {
		p.title.SetText(words.T("agents.of", "session", show.Shortened(show.EntryTitle(e), 48)))
	}
	text := words.T("count.agents", "count", len(a.List))
	if n := len(a.List[0].Speakers); n > 0 && len(a.List) == 1 {
		text = words.T("agents.speakers.count", "count", n)
	}
	if nested > 0 {
		text += " · " + words.T("agents.nested", "count", nested)
	}
	if a.Skipped > 0 {
		text += " · " + words.T("agents.skipped", "count", a.Skipped)
	}
	if a.Running {
		text = words.T("agents.reading", "done", a.Done, "total", a.Total)
	}
	p.count.SetText(text)
	p.head.Refresh() // the count has another width
	p.NoTasks.SetText("")
	if len(p.events) == 0 && !a.Running {
		p.NoTasks.SetText(words.T("agents.tasks.none"))
	}
	tasks, back, used := a.Totals()
	sums := ""
	if tasks > 0 {
		sums = words.T("agents.sums", "count", tasks, "back", words.Estimate(back), "used", words.TokensShort(used))
	}
	p.taskPane.SetRight(kit.Means(kit.NewText(sums, kit.ColorMuted, 12), "agents.sums.means"))
}

// Choose looks at one agent in the side pane.
func (p *AgentsSheet) Choose(i int) {
	p.at = i
	row := slices.Index(p.Shown, i)
	p.tree.Select(row)
	p.lanes.Select(row)
	p.selectTask()
	p.Side.update()
}

// selectTask marks a task of the chosen agent, unless one is.
func (p *AgentsSheet) selectTask() {
	if s := p.tasks.Selected(); s >= 0 && s < len(p.events) && p.events[s].Agent == p.at {
		return
	}
	p.tasks.Select(slices.IndexFunc(p.events, func(ev desk.AgentEvent) bool { return ev.Agent == p.at }))
}

// OpenAgent looks at the history of the chosen agent in the workbench.
func (p *AgentsSheet) OpenAgent() {
	if p.at >= 0 {
		p.close()
		p.d.OpenAgent(p.at)
	}
}

// openMessage looks at the message of the caller that an event is about.
func (p *AgentsSheet) openMessage(ev desk.AgentEvent) {
	p.close()
	p.d.OpenAgentMessage(ev)
}

// Enter opens the sheet.
func (p *AgentsSheet) Enter() {
	p.w.ShowSheet(p.obj, p.close)
	p.open, p.at = true, -1
	p.d.LoadAgents()
	p.update()
	p.focus()
}

// Visible reports whether the sheet is the one on the screen; nil is not.
func (p *AgentsSheet) Visible() bool { return p != nil && p.open && p.w.InSheet() }
