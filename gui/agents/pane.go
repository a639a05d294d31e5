package agents

import (
	"cmp"
	"strings"
	"time"

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
}

// agentLine is one line of the pane: the heading of a part, or a name with its
// value.
type agentLine struct {
	head               bool
	swatch             fyne.ThemeColorName // "": none
	Name, value, note  string
	color              fyne.ThemeColorName
	warn, number, wide bool           // the note is a number; the value takes the room of the note
	figure             *figure.Figure // what the card of the line explains; nil: none
	run                func()
	said               string // in the place of all that: a text, wrapped
}

// height is that of the line's row.
func (l *agentLine) height() float32 {
	switch {
	case l.head:
		return 32
	case l.said != "":
		wide := 0
		for _, r := range l.said {
			if wide++; r >= firstWide {
				wide++
			}
		}
		return 6 + 17*float32(min(saidLines, 1+(wide-1)/saidCells))
	}
	return 22
}

// A text has so many lines at most, each about so many columns of a terminal wide.
const (
	saidLines = 4
	saidCells = 46
	firstWide = 0x1100 // from here on characters are two columns wide
)

func newAgentPane(p *AgentsSheet) *agentPane {
	s := &agentPane{p: p}
	s.under, s.messages = kit.NewTag("", kit.ColorMuted), kit.NewText("", kit.ColorMuted, 12)
	s.when, s.of = kit.NewText("", kit.ColorMuted, 12).Fit(), kit.NewText("", kit.ColorMuted, 12).Right().Fit()
	s.tokens, s.share = kit.NewFigure(kit.ColorText, 22).Bold().Fit(), kit.NewFigure(kit.ColorText, 22).Bold().Right().Fit()
	s.bar = kit.NewStackBar(10)
	s.list = kit.NewRows(22, func() int { return len(s.Lines) }, s.newLine)
	s.list.SetHeights(func(i int) float32 { return s.Lines[i].height() })
	s.list.WithTip("agents.line.means").Card = s.card
	s.list.Choosable = func(i int) bool { return s.Lines[i].run != nil }
	s.list.OnSelect = func(i int) { s.Lines[i].run() }
	s.inherit = kit.NewButton(words.T("agents.inherit"), kit.Secondary, func() { p.d.InheritAll(p.at) }).WithTip("agents.inherit.tip")
	s.open = kit.NewButton(words.T("agents.open"), kit.Primary, p.OpenAgent).WithTip("agents.open.tip")
	top := kit.Pad(8, 12, 10, 12, kit.Column(4, kit.Row(8,
		kit.Stretch(kit.Means(s.when, "agents.active.means")), kit.Stretch(kit.Means(s.of, "agents.window.means"))),
		kit.Row(8, kit.Stretch(s.tokens), kit.Stretch(s.share)), s.bar))
	foot := kit.Pad(8, 10, 8, 10, kit.Lines(8, s.inherit, kit.Stretch(s.open)))
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
	s.recorded(tree, a)
	s.speakers(a)
	s.params(tree, a, q, own, inherits)
	s.task(tree, at)
	s.compactions(tree, a)
	s.list.Select(-1)
	s.list.Update()
	s.open.Enable()
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

// recorded shows what the agent's program records of it and of the history that all
// agents share.
func (s *agentPane) recorded(tree *desk.Agents, a *session.Agent) {
	add := func(lines ...agentLine) { s.Lines = append(s.Lines, lines...) }
	last := func(name, kind string, at time.Time) {
		if kind != "" {
			add(agentLine{Name: words.T(name), value: interaction(kind) + " · " + show.RecordTime(at), wide: true})
		}
	}
	if r := a.Recorded; r != nil {
		add(agentLine{head: true, Name: words.T("agents.recorded"), note: words.T("agents.interactions", "count", r.Interactions)})
		for phase := range strings.SplitSeq(r.State, " | ") {
			if phase != "" {
				add(agentLine{said: phase})
			}
		}
		last("agents.lastInteraction", r.LastType, r.LastAt)
	}
	if h := tree.Shared(); h != nil {
		add(agentLine{head: true, Name: words.T("agents.shared"), note: words.T("count.messages", "count", h.Messages)})
		last("agents.lastMessage", h.LastType, h.LastAt)
		if h.LastContent != "" {
			add(agentLine{said: show.Shortened(h.LastContent, 200)})
		}
		add(agentLine{Name: words.T("agents.shared.open"), color: kit.ColorAccent,
			run: func() { s.p.openMessage(desk.AgentEvent{Agent: -1, Caller: -1, Num: 1}) }})
	}
}

// interaction is the name of what happened last; one that is not ours is as the file has it.
func interaction(kind string) string {
	switch kind {
	case "called", "responded", "error", "user", "assistant":
		return words.T("agents.last." + kind)
	}
	return kind
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
	for k, t := range a.Tasks {
		head := agentLine{head: true, Name: words.T("agents.task.title")}
		if len(a.Tasks) > 1 {
			head.Name += " " + words.Int(int64(k+1))
		}
		if t.CalledAt > 0 {
			head.note = clocks(t.CalledAt, t.BackAt)
		}
		caller := show.Shortened(nameAt(tree, t.Caller), 24)
		at := func(num int) agentLine {
			if num == 0 {
				return agentLine{value: caller}
			}
			return agentLine{value: caller + " #" + words.Int(int64(num)), color: kit.ColorAccent,
				run: func() { s.p.openMessage(desk.AgentEvent{Agent: at, Caller: t.Caller, Num: num}) }}
		}
		line := at(t.Called)
		line.Name = words.T("agents.calledBy")
		if s.Lines = append(s.Lines, head, line); t.Returned > 0 {
			line = at(t.Returned)
			line.Name = words.T("agents.resultIn")
			s.Lines = append(s.Lines, line, agentLine{Name: words.T("agents.back"), value: words.TokensOf(t.Back, true, !a.Estimated),
				note: words.T("unit.tok")})
		}
	}
	if len(a.Tasks) == 0 && a.Parent >= 0 {
		s.Lines = append(s.Lines, agentLine{head: true, Name: words.T("agents.task.title"), note: clocks(a.From, a.To)},
			agentLine{Name: words.T("agents.calledBy"), value: nameAt(tree, a.Parent), note: words.T("agents.notFound"),
				color: kit.ColorFaint})
	}
	if len(a.Tasks) > 0 || a.Parent >= 0 {
		s.Lines = append(s.Lines, agentLine{Name: words.T("agents.usedForIt"), value: words.TokensShort(a.Used), note: words.T("unit.tok")})
	}
	if len(helpers) > 0 {
		s.Lines = append(append(s.Lines, agentLine{head: true, Name: words.T("agents.helpers"), note: words.Int(int64(len(helpers)))}),
			helpers...)
	}
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
					s.p.w.Commands.Run(commands.Records)
					s.p.d.RecordView.SelectRecord(r.ID)
				}})
	}
}

// newLine makes a row of the pane, and what fills it.
func (s *agentPane) newLine() (fyne.CanvasObject, func(int)) {
	title, count := kit.Label("").Bold(), kit.NewText("", kit.ColorMuted, 12).Right().Fit()
	head := kit.Pad(8, 12, 0, 12, kit.Row(8, title, kit.Stretch(count)))
	said := kit.NewParagraph("", kit.ColorText, 12, saidLines)
	saidBox := kit.Pad(0, 12, 0, 12, said)
	swatch := kit.NewSign(kit.GlyphDot, kit.ColorMuted, 11)
	name, value := kit.NewText("", kit.ColorText, 13).Fit(), kit.NewText("", kit.ColorText, 13).Right()
	note, amount := kit.NewText("", kit.ColorFaint, 12).Fit(), kit.NewText("", kit.ColorMuted, 12).Right().Fit()
	notes := kit.Sized(78, 0, container.NewStack(note, amount))
	line := kit.Pad(0, 12, 0, 12, kit.Row(6, swatch, kit.Stretch(name), value, notes))
	return container.NewStack(head, saidBox, line), func(i int) {
		l := &s.Lines[i]
		head.Hidden, saidBox.Hidden, line.Hidden = !l.head, l.said == "", l.head || l.said != ""
		switch {
		case l.head:
			title.SetText(l.Name)
			count.SetText(l.note)
			return
		case l.said != "":
			said.SetText(l.said)
			saidBox.Refresh()
			return
		}
		swatch.Hidden = l.swatch == "" && !l.warn
		if l.warn {
			swatch.Set(kit.GlyphWarning, kit.ColorWarning)
		} else {
			swatch.Set(kit.GlyphDot, l.swatch)
		}
		color := cmp.Or(l.color, kit.ColorText)
		name.SetText(l.Name)
		name.SetColor(pick(l.value == "", color, kit.ColorText))
		value.SetText(l.value)
		value.SetColor(color)
		note.SetText(pick(l.number, "", l.note))
		note.SetColor(pick(l.swatch == kit.ColorAccent, kit.ColorAccent, kit.ColorFaint))
		amount.SetText(pick(l.number, l.note, ""))
		notes.Hidden = l.note == "" && (l.value == "" || l.run != nil || l.wide)
		line.Refresh()
	}
}
