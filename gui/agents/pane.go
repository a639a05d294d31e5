package agents

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction/session"
	"palimpsest/compaction/session/figures"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/figure"
)

// agentPane shows everything about the chosen agent: what fills its context,
// which parameters are its own, what its task was, how it was compacted.
type agentPane struct {
	p    *AgentsSheet
	pane *kit.Pane

	under         *kit.Tag
	messages      *kit.Text
	when, of      *kit.Text
	tokens, share *kit.Figure
	bar           *kit.StackBar
	list          *kit.List
	Lines         []agentLine
	inherit, open *kit.Button
	copyTo        *kit.Button
}

// agentLine is one line of the pane: the heading of a part, or a name with its
// value.
type agentLine struct {
	head              bool
	swatch            fyne.ThemeColorName // "": none
	Name, value, note string
	color             fyne.ThemeColorName
	warn, number      bool           // the note is a number
	figure            *figure.Figure // what the card of the line explains; nil: none
	run               func()
}

func newAgentPane(p *AgentsSheet) *agentPane {
	s := &agentPane{p: p}
	s.under, s.messages = kit.NewTag("", kit.ColorMuted), kit.NewText("", kit.ColorMuted, 12)
	s.when, s.of = kit.NewText("", kit.ColorMuted, 12).Fit(), kit.NewText("", kit.ColorMuted, 12).Right().Fit()
	s.tokens, s.share = kit.NewFigure(kit.ColorText, 22).Bold().Fit(), kit.NewFigure(kit.ColorText, 22).Bold().Right().Fit()
	s.bar = kit.NewStackBar(10)
	s.list = kit.NewList(22, func() int { return len(s.Lines) }, func() kit.ListRow { return newAgentLineRow(s) })
	s.list.SetHeights(func(i int) float32 {
		if s.Lines[i].head {
			return 32
		}
		return 22
	})
	s.list.WithTip("agents.line.means").Card = s.card
	s.list.Choosable = func(i int) bool { return s.Lines[i].run != nil }
	s.list.OnSelect = func(i int) { s.Lines[i].run() }
	s.inherit = kit.NewButton(words.T("agents.inherit"), kit.Secondary, func() { p.d.InheritAll(p.at) }).WithTip("agents.inherit.tip")
	s.copyTo = kit.NewButton(words.T("agents.copy"), kit.Secondary, func() { ShowAgentCopy(p.w, p.at) }).WithTip("agents.copy.tip")
	s.open = kit.NewButton(words.T("agents.open"), kit.Primary, p.OpenAgent).WithTip("agents.open.tip")
	top := kit.Pad(8, 12, 10, 12, kit.Column(4, kit.Row(8,
		kit.Stretch(kit.Means(s.when, "agents.active.means")), kit.Stretch(kit.Means(s.of, "agents.window.means"))),
		kit.Row(8, kit.Stretch(s.tokens), kit.Stretch(s.share)), s.bar))
	foot := kit.Pad(8, 10, 8, 10, kit.Lines(8, s.inherit, s.copyTo, kit.Stretch(s.open)))
	s.pane = kit.NewPane(" ", kit.Column(0, top, kit.NewRule(), kit.Stretch(s.list), kit.NewRule(), foot))
	return s
}

func (s *agentPane) update() {
	tree := s.p.d.Agents()
	at := s.p.at
	s.Lines = nil
	if tree == nil || at < 0 || at >= len(tree.List) {
		s.pane.SetTitle(" ")
		s.pane.SetLeft()
		s.list.Update()
		s.inherit.Disable()
		s.copyTo.Disable()
		s.open.Disable()
		return
	}
	a := &tree.List[at]
	q, own, inherits := s.p.d.AgentParams(at)
	s.pane.SetTitle(AgentName(a))
	s.pane.SetLeft()
	if a.Parent >= 0 {
		s.under.Set(words.T("agents.under", "agent", show.Shortened(AgentName(&tree.List[a.Parent]), 20)), kit.ColorMuted)
		s.pane.SetLeft(s.under)
	}
	s.messages.SetText(words.T("count.messages", "count", a.Messages))
	s.pane.SetRight(kit.Means(s.messages, "agents.messages.means"))
	s.head(a, q)
	s.weighs(a)
	s.speakers(a)
	s.params(tree, a, q, own, inherits)
	s.task(tree, at)
	s.compactions(tree, a)
	s.list.Select(-1)
	s.list.Update()
	s.open.Enable()
	s.copyTo.SetEnabled(len(tree.List) > 1)
	s.inherit.SetEnabled(len(own) > 0)
}

func (s *agentPane) head(a *session.Agent, q model.Policy) {
	last, ok := a.Last()
	s.when.SetText(words.T("agents.noCall"))
	switch {
	case ok && last.Time == 0:
		s.when.SetText(words.T("agents.lastCall.untimed"))
	case ok:
		s.when.SetText(words.T("agents.lastCall", "time", clock(last.Time)))
	}
	size, share := figures.OfAgent(a, q.Window)
	show.PutFigure(s.tokens, s.p.d, size, "", kit.ColorText)
	s.of.SetText(words.T("agents.windowUnknown"))
	s.share.Clear()
	if q.Window > 0 {
		s.of.SetText(words.T("agents.of.window", "window", words.Int(int64(q.Window))))
	}
	if share.Known() {
		show.PutFigure(s.share, s.p.d, share, "", agentColor(a, q))
	}
}

// weighs shows what fills the context, drawn to the context window.
func (s *agentPane) weighs(a *session.Agent) {
	var parts []kit.BarPart
	add := func(name string, tokens int64, color fyne.ThemeColorName, inMessages bool) {
		size, share := figures.OfAgentPart(a, tokens, inMessages)
		parts = append(parts, kit.BarPart{Value: float64(tokens), Color: color})
		s.Lines = append(s.Lines, agentLine{swatch: color, Name: name, value: words.Percent(share.Value),
			note: words.Figure(size), number: true, figure: &share})
	}
	for _, w := range a.KindWeights {
		name, color := show.MessageKind(w.Kind)
		add(name, w.Tokens, color, true)
	}
	if a.System > 0 {
		add(words.T("agents.kind.fixed"), a.System, kit.ColorFaint, false)
	}
	if a.Unseen > 0 {
		add(words.T("agents.kind.unseen"), a.Unseen, kit.ColorMuted, false)
	}
	s.bar.Set(parts, 0, "")
}

// card explains the figures of a line.
func (s *agentPane) card(i int, _ float32) (card func() kit.Card, left, width float32) {
	l := s.Lines[i]
	if l.figure == nil {
		return nil, 0, 0
	}
	return func() kit.Card {
		c := show.FigureCard(s.p.d, *l.figure)
		c.Name, c.Foot = show.UpperFirst(l.Name), ""
		return c
	}, 0, s.list.Size().Width
}

// speakers lists the agents that share the context.
func (s *agentPane) speakers(a *session.Agent) {
	if len(a.Speakers) == 0 {
		return
	}
	s.Lines = append(s.Lines,
		agentLine{head: true, Name: words.T("agents.speakers"), note: words.T("agents.speakers.share", "count", len(a.Speakers))})
	for i, x := range a.Speakers {
		var run func()
		if s.p.Group.of == a {
			run = func() { s.p.Group.Choose(i) }
		}
		s.Lines = append(s.Lines,
			agentLine{Name: show.Shortened(x.Name, 30), run: run, value: words.T("count.messages", "count", x.Messages),
				color: kit.ColorMuted,
				note:  words.TokensOf(x.Tokens, true, !a.Estimated), number: true})
	}
}

// params lists the agent's parameters: those that are looked at often, and what
// it has set for itself.
func (s *agentPane) params(tree *desk.Agents, a *session.Agent, q model.Policy, own session.Overrides, inherits bool) {
	var list []agentLine
	inherited := 0
	caller := ""
	if inherits {
		caller = show.Shortened(AgentName(&tree.List[a.Parent]), 16)
	}
	for _, x := range model.Params() {
		_, set := own[x.JSON]
		if x.Key == "pins" || !set && x.Rank != model.Main { // pins belong to the thread
			continue
		}
		l := agentLine{Name: words.T(x.Word), color: kit.ColorText, value: show.ParamWords(x, &q)}
		switch {
		case x.Key == "window" && (!set || q.Window == 0):
			l.note = words.T("agents.ofModel")
		case !inherits:
		case set:
			l.note = words.T("agents.own")
		default:
			l.note, l.color = words.T("agents.from.agent", "agent", caller), kit.ColorMuted
			inherited++
		}
		if set {
			l.swatch = kit.ColorAccent
		}
		list = append(list, l)
	}
	head := agentLine{head: true, Name: words.T("agents.parameters")}
	if inherits {
		head.note = words.T("agents.parameters.counts", "own", len(own), "inherited", inherited)
	}
	s.Lines = append(append(s.Lines, head), list...)
}

func (s *agentPane) task(tree *desk.Agents, at int) {
	a := &tree.List[at]
	var helpers []agentLine
	for i := range tree.List {
		if tree.List[i].Parent == at {
			h := &tree.List[i]
			state, color := agentState(h)
			helpers = append(helpers,
				agentLine{Name: show.Shortened(AgentName(h), 30), note: state, color: color, run: func() { s.p.Choose(i) }})
		}
	}
	if a.Parent >= 0 {
		t, caller := a.Task, AgentName(&tree.List[a.Parent])
		s.Lines = append(s.Lines, agentLine{head: true, Name: words.T("agents.task.title"), note: span(a)})
		if t.Called > 0 {
			s.Lines = append(s.Lines,
				agentLine{Name: words.T("agents.calledBy"), value: caller + " #" + words.Int(int64(t.Called)), color: kit.ColorAccent,
					run: func() {
						s.p.openMessage(desk.AgentEvent{Caller: a.Parent, Num: t.Called})
					}})
		} else {
			s.Lines = append(s.Lines, agentLine{Name: words.T("agents.calledBy"), value: words.T("agents.notFound"), color: kit.ColorFaint})
		}
		if t.Returned > 0 {
			s.Lines = append(s.Lines,
				agentLine{Name: words.T("agents.resultIn"), value: caller + " #" + words.Int(int64(t.Returned)), color: kit.ColorAccent,
					run: func() {
						s.p.openMessage(desk.AgentEvent{Caller: a.Parent, Num: t.Returned})
					}}, agentLine{Name: words.T("agents.back"), value: words.TokensOf(t.Back, true, !a.Estimated),
					note: words.T("unit.tok")})
		}
		s.Lines = append(s.Lines, agentLine{Name: words.T("agents.usedForIt"), value: words.TokensShort(a.Used), note: words.T("unit.tok")})
	}
	if len(helpers) > 0 {
		s.Lines = append(append(s.Lines, agentLine{head: true, Name: words.T("agents.helpers"), note: words.Int(int64(len(helpers)))}),
			helpers...)
	}
}

func span(a *session.Agent) string {
	return clocks(a.From, a.To)
}

// compactions lists what the file holds and what was stored, oldest first.
func (s *agentPane) compactions(tree *desk.Agents, a *session.Agent) {
	n, _ := agentCompactions(a)
	head := agentLine{head: true, Name: words.T("agents.compactions.title"), note: words.Int(int64(n))}
	if n == 0 {
		head.note = words.T("result.none")
	}
	s.Lines = append(s.Lines, head)
	for _, m := range a.Found {
		s.Lines = append(s.Lines, agentLine{swatch: kit.ColorMuted, Name: words.T("agents.found", "call", m.Call+1),
			note: clock(m.Time)})
		for _, k := range m.Open {
			s.Lines = append(s.Lines,
				agentLine{warn: true, Name: words.T("agents.stillOpen", "agent", show.Shortened(AgentName(&tree.List[k]), 22)),
					color: kit.ColorWarning})
		}
	}
	for _, r := range a.Records {
		s.Lines = append(s.Lines,
			agentLine{swatch: kit.ColorSummarised, Name: r.ID + " · " + words.TokensShort(r.Before.Tokens) + " → " +
				words.TokensShort(r.After.Tokens),
				note: show.RecordTime(r.Time), run: func() {
					s.p.d.RecordView.SelectRecord(r.ID)
					s.p.w.Commands.Run(commands.Records)
				}})
	}
}

// agentLineRow is one line of the pane.
type agentLineRow struct {
	s                 *agentPane
	obj               *fyne.Container
	headBox, lineBox  *fyne.Container
	title, count      *kit.Text
	swatch            *kit.Sign
	name, value, note *kit.Text
	amount            *kit.Text // in the place of a note that is a number
	noteBox           *fyne.Container
}

func newAgentLineRow(s *agentPane) *agentLineRow {
	r := &agentLineRow{s: s, swatch: kit.NewSign(kit.GlyphDot, kit.ColorMuted, 11)}
	r.title, r.count = kit.Label("").Bold(), kit.NewText("", kit.ColorMuted, 12).Right().Fit()
	r.name, r.value, r.note = kit.NewText("", kit.ColorText, 13).Fit(), kit.NewText("", kit.ColorText, 13).Right(), kit.NewText("",
		kit.ColorFaint, 12).Fit()
	r.headBox = kit.Pad(8, 12, 0, 12, kit.Row(8, r.title, kit.Stretch(r.count)))
	r.amount = kit.NewText("", kit.ColorMuted, 12).Right().Fit()
	r.noteBox = kit.Sized(78, 0, container.NewStack(r.note, r.amount))
	r.lineBox = kit.Pad(0, 12, 0, 12, kit.Row(6, r.swatch, kit.Stretch(r.name), r.value, r.noteBox))
	r.obj = container.NewStack(r.headBox, r.lineBox)
	return r
}

// Object is what the list shows.
func (r *agentLineRow) Object() fyne.CanvasObject { return r.obj }

// Fill shows a line.
func (r *agentLineRow) Fill(i int, _ bool) {
	l := &r.s.Lines[i]
	r.headBox.Hidden, r.lineBox.Hidden = !l.head, l.head
	if l.head {
		r.title.SetText(l.Name)
		r.count.SetText(l.note)
		return
	}
	r.swatch.Hidden = l.swatch == "" && !l.warn
	if l.warn {
		r.swatch.Set(kit.GlyphWarning, kit.ColorWarning)
	} else {
		r.swatch.Set(kit.GlyphDot, l.swatch)
	}
	color := l.color
	if color == "" {
		color = kit.ColorText
	}
	r.name.SetText(l.Name)
	r.name.SetColor(kit.ColorText)
	r.value.SetText(l.value)
	r.value.SetColor(color)
	note, amount := l.note, ""
	if l.number {
		note, amount = "", l.note
	}
	r.note.SetText(note)
	r.note.SetColor(kit.ColorFaint)
	r.amount.SetText(amount)
	if l.value == "" {
		r.name.SetColor(color)
	}
	if l.swatch == kit.ColorAccent {
		r.note.SetColor(kit.ColorAccent)
	}
	r.noteBox.Hidden = l.note == "" && (l.value == "" || l.run != nil)
	r.lineBox.Refresh()
}
