package agents

import (
	"slices"
	"time"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/session"
	"palimpsest/compaction/session/figures"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/figure"
)

// AgentName is what an agent is called: one that was called for a single task by its kind
// and the task, since many are of one kind.
func AgentName(a *session.Agent) string {
	const task = 36
	name := kindName(a)
	if asked := a.Task().Asked; a.Parent >= 0 && len(a.Speakers) == 0 && a.Recorded == nil && asked != "" {
		return name + " · " + show.Shortened(asked, task)
	}
	return name
}

func kindName(a *session.Agent) string {
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

// clock is a time of the day to the second, since agents do much within a minute.
func clock(ms int64) string {
	if ms == 0 {
		return "–"
	}
	return time.UnixMilli(ms).Local().Format(time.TimeOnly)
}

// clocks is from when to when something lasted, without seconds where minutes differ.
func clocks(from, to int64) string {
	if from == 0 {
		return ""
	}
	const minutes = len("15:04")
	a, b := clock(from), clock(max(from, to))
	if a[:minutes] != b[:minutes] {
		a, b = a[:minutes], b[:minutes]
	}
	return a + "–" + b
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

// agentState says what an agent is doing as its program records it, else what became of
// its task.
func agentState(a *session.Agent) (string, fyne.ThemeColorName) {
	switch t := a.Task(); {
	case a.Recorded != nil && a.Recorded.State != "":
		return a.Recorded.State, kit.ColorText
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

// agentNode is a row of the tree: an agent, where it is in the tree, and what it is
// compacted with.
type agentNode struct {
	tree []session.Agent
	at   int
	q    model.Policy
}

func (l agentNode) agent() *session.Agent { return &l.tree[l.at] }

// size and share are the context of the agent's last call.
func (l agentNode) size() figure.Figure  { f, _ := figures.OfAgent(l.agent(), l.q.Window); return f }
func (l agentNode) share() figure.Figure { _, f := figures.OfAgent(l.agent(), l.q.Window); return f }

// The widths of the column of states: of those that programs record, and of the few words
// for others.
const (
	wideState   = 225
	narrowState = 84
)

// widenState makes room in the tree for states that a program records.
func (p *AgentsSheet) widenState(list []session.Agent) {
	width, hide := float32(narrowState), 1
	if slices.ContainsFunc(list, func(a session.Agent) bool { return a.Recorded != nil }) {
		width, hide = wideState, 5 // others go before it
	}
	at := slices.IndexFunc(p.columns.List, func(c kit.Col[agentNode]) bool { return c.Narrow > 0 })
	if state := &p.columns.List[at]; state.Width != width {
		state.Width, state.Hide = width, hide
		p.tree.Restyle()
		p.arrange()
	}
}

// agentColumns are those of the tree of agents.
func (p *AgentsSheet) agentColumns() *kit.Columns[agentNode] {
	return &kit.Columns[agentNode]{
		At: func(i int) (agentNode, bool) {
			tree := p.d.Agents()
			if tree == nil || i >= len(p.Shown) {
				return agentNode{}, false
			}
			q, _, _ := p.d.AgentParams(p.Shown[i])
			return agentNode{tree.List, p.Shown[i], q}, true
		},
		Gap: 12, Least: 170, MinWidth: 420, Left: 12, End: 12, TextSize: 13,
		List: []kit.Col[agentNode]{
			{Title: words.T("agents.agent"), Cell: nameCell},
			{Title: words.T("agents.usage"), Width: 150, Cell: gaugeCell},
			{Title: words.T("agents.share"), Width: 58, Right: true, Ink: shareInk,
				Text: func(l agentNode) string { return words.Figure(l.share()) },
				Card: func(l agentNode) kit.Card { return show.CellCard(p.d, l.share()) }},
			{Title: words.T("agents.tokens"), Width: 74, Right: true,
				Text: func(l agentNode) string { return words.Figure(l.size()) },
				Card: func(l agentNode) kit.Card { return show.CellCard(p.d, l.size()) }},
			{Title: words.T("agents.window"), Width: 98, Hide: 4, Right: true, Text: windowWords, Means: words.T("agents.window.means")},
			{Title: words.T("agents.messages"), Width: 56, Hide: 3, Right: true, Means: words.T("agents.messages.means"),
				Text: func(l agentNode) string { return words.Int(int64(l.agent().Messages)) }},
			{Title: words.T("agents.state"), Width: narrowState, Narrow: narrowState, Hide: 1, Means: words.T("agents.state.means"),
				Text: func(l agentNode) string { text, _ := agentState(l.agent()); return text },
				Ink:  func(l agentNode) fyne.ThemeColorName { _, ink := agentState(l.agent()); return ink }},
			{Title: words.T("agents.active"), Width: 128, Hide: 2, Text: activeWords, Ink: kit.Muted[agentNode],
				Means: words.T("agents.active.means")},
			{Title: words.T("agents.compactions"), Width: 132, Cell: compactionsCell, Means: words.T("agents.compactions.means")},
		},
	}
}

// nameCell is the name of an agent behind the lines of the tree.
func nameCell() (fyne.CanvasObject, func(agentNode)) {
	mark, name := newTreeMark(), kit.Label("").Fit()
	row := kit.Row(0, mark.obj, kit.Stretch(name))
	return row, func(l agentNode) {
		mark.set(l.tree, l.at)
		name.SetText(AgentName(l.agent()))
		row.Refresh() // the mark is as wide as its agent lies deep
	}
}

func gaugeCell() (fyne.CanvasObject, func(agentNode)) {
	g := newGauge()
	return g.obj, func(l agentNode) {
		share := l.share()
		trigger := float64(show.TriggerTokens(l.q)) / float64(max(1, l.q.Window))
		g.set(share.Value, share.Known(), trigger, agentColor(l.agent(), l.q))
	}
}

func shareInk(l agentNode) fyne.ThemeColorName {
	if c := agentColor(l.agent(), l.q); l.share().Known() && c != kit.ColorKept {
		return c
	}
	return kit.ColorText
}

func windowWords(l agentNode) string {
	if l.q.Window <= 0 {
		return words.Unknown
	}
	return words.Int(int64(l.q.Window))
}

func activeWords(l agentNode) string {
	if a := l.agent(); a.From > 0 {
		return clocks(a.From, a.To)
	}
	return clock(l.agent().To)
}

// compactionsCell is how often an agent was compacted, with a warning if that was
// while one it had called was at work.
func compactionsCell() (fyne.CanvasObject, func(agentNode)) {
	sign, text := kit.NewSign(kit.GlyphNone, kit.ColorWarning, 12), kit.Label("").Fit()
	return kit.Row(6, sign, kit.Stretch(text)), func(l agentNode) {
		n, open := agentCompactions(l.agent())
		sign.Hidden = !open
		switch {
		case n == 0:
			text.SetText(words.T("result.none"))
			text.SetColor(kit.ColorFaint)
		case open:
			sign.Set(kit.GlyphWarning, kit.ColorWarning)
			text.SetText(words.T("agents.openTask", "count", n))
			text.SetColor(kit.ColorWarning)
		default:
			text.SetText(words.Int(int64(n)))
			text.SetColor(kit.ColorText)
		}
	}
}

// taskLine is a row of the tasks: one call of an agent, or its result.
type taskLine struct {
	desk.AgentEvent
	tree *desk.Agents
}

// from and to are the names of who passes what to whom.
func (l taskLine) from() string { return nameAt(l.tree, pick(l.Back, l.Agent, l.Caller)) }
func (l taskLine) to() string   { return nameAt(l.tree, pick(l.Back, l.Caller, l.Agent)) }

// message is the message with the agent whose it is.
func (l taskLine) message() string {
	return show.Shortened(nameAt(l.tree, l.Of()), 10) + " #" + words.Int(int64(l.Num))
}

// nameAt is the name of an agent of a tree, or of the person at −1.
func nameAt(tree *desk.Agents, at int) string {
	if at < 0 {
		return words.T("agents.person")
	}
	return AgentName(&tree.List[at])
}

func pick[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}

// taskTip says what the numbers of a row of the tasks are, and how they were counted.
func (p *AgentsSheet) taskTip(i int) string {
	if i >= len(p.events) || p.d.Session() == nil {
		return ""
	}
	e := p.events[i]
	key := "agents.tip.passed"
	if e.Back {
		key = "agents.tip.back"
	}
	return words.T(key, "time", clock(e.Time), "n", e.Num, "tokens", words.Estimate(e.Tokens), "used", words.TokensShort(e.Used),
		"method", show.CounterOf(p.d.Session()))
}

// taskColumns are those of the tasks.
func (p *AgentsSheet) taskColumns() *kit.Columns[taskLine] {
	accent := func(taskLine) fyne.ThemeColorName { return kit.ColorAccent }
	return &kit.Columns[taskLine]{
		At: func(i int) (taskLine, bool) {
			tree := p.d.Agents()
			if tree == nil || i >= len(p.events) {
				return taskLine{}, false
			}
			return taskLine{p.events[i], tree}, true
		},
		Gap: 10, MinWidth: 530, Left: 12, End: 12, TextSize: 13,
		List: []kit.Col[taskLine]{
			{Title: words.T("agents.time"), Width: 62, Ink: kit.Muted[taskLine], Text: func(l taskLine) string { return clock(l.Time) }},
			{Width: 16, Cell: directionCell},
			{Title: words.T("agents.from"), Width: 120, Narrow: 92, Hide: 1, Text: taskLine.from},
			{Width: 16, Cell: func() (fyne.CanvasObject, func(taskLine)) {
				return kit.NewText("→", kit.ColorFaint, 13), func(taskLine) {}
			}},
			{Title: words.T("agents.to"), Width: 120, Narrow: 92, Hide: 1, Text: taskLine.to},
			{Title: words.T("agents.task"), Text: func(l taskLine) string { return l.Text },
				Ink: func(l taskLine) fyne.ThemeColorName { return pick(l.Back, kit.ColorText, kit.ColorMuted) }},
			{Title: words.T("agents.message"), Width: 84, Right: true, Ink: accent,
				Text: func(l taskLine) string { return pick(l.Num == 0, "–", l.message()) }},
			{Title: words.T("agents.passed"), Width: 64, Right: true,
				Text: func(l taskLine) string {
					return pick(l.Num == 0, "–", words.TokensOf(l.Tokens, true, !l.tree.List[l.Of()].Estimated))
				}},
			{Title: words.T("agents.used"), Width: 64, Right: true,
				Text: func(l taskLine) string { return pick(!l.Back || l.Used == 0, "–", words.TokensShort(l.Used)) }},
		},
	}
}

// directionCell shows whether a task goes down or its result comes up.
func directionCell() (fyne.CanvasObject, func(taskLine)) {
	sign := kit.NewSign(kit.GlyphDown, kit.ColorAdded, 11)
	return kit.Row(0, kit.Sized(16, 0, sign)), func(l taskLine) {
		sign.Set(pick(l.Back, kit.GlyphUp, kit.GlyphDown), pick(l.Back, kit.ColorKept, kit.ColorAdded))
	}
}
