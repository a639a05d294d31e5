package agents

import (
	"slices"

	"fyne.io/fyne/v2"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// agentCopy asks which agents take the parameters of one over.
type agentCopy struct {
	w      *screen.Host
	dlg    *kit.Dialog
	from   int
	To     []int // agents that may take them
	ticked map[int]bool
	All    *kit.Check
	list   *kit.List
	Do     *kit.Button
}

// ShowAgentCopy opens the dialog for an agent of the tree; nil when there is none.
func ShowAgentCopy(w *screen.Host, from int) *agentCopy {
	tree := w.Desk.Agents()
	if tree == nil || from < 0 || from >= len(tree.List) {
		return nil
	}
	x := &agentCopy{w: w, from: from, ticked: map[int]bool{}}
	for i := range tree.List {
		if i != from {
			x.To = append(x.To, i)
		}
	}
	x.All = kit.NewCheck(words.T("agents.copy.all"), false, x.TickAll)
	x.list = kit.NewRows(26, func() int { return len(x.To) }, x.row)
	x.list.OnSelect = x.Toggle
	const most = 10 // rows in sight
	height := 26 * float32(min(most, len(x.To)))
	body := kit.Pad(12, 16, 12, 16, kit.Column(8, x.All, kit.NewRule(), kit.Sized(0, height, x.list), kit.NewRule(),
		kit.NewParagraph(words.T("agents.copy.caption"), kit.ColorMuted, 12, 3)))
	x.dlg = kit.NewDialog(words.T("agents.copy.title", "agent", show.Shortened(AgentName(&tree.List[from]), 40)), "", body, 520, 0)
	x.Do = kit.NewButton("", kit.Primary, x.Copy)
	x.dlg.SetButtons(kit.NewButton(words.T("do.cancel"), kit.Secondary, x.dlg.Close), x.Do)
	x.update()
	x.dlg.ShowOn(w.Win.Canvas())
	return x
}

// ready reports whether the tree is still that of the dialog.
func (x *agentCopy) ready() (*desk.Agents, bool) {
	tree := x.w.Desk.Agents()
	return tree, tree != nil && len(tree.List) == len(x.To)+1
}

func (x *agentCopy) Toggle(row int) {
	i := x.To[row]
	x.ticked[i] = !x.ticked[i]
	x.update()
}

func (x *agentCopy) TickAll(on bool) {
	for _, i := range x.To {
		x.ticked[i] = on
	}
	x.update()
}

func (x *agentCopy) Chosen() []int {
	return slices.DeleteFunc(slices.Clone(x.To), func(i int) bool { return !x.ticked[i] })
}

func (x *agentCopy) update() {
	n := len(x.Chosen())
	x.All.SetOn(n == len(x.To))
	x.Do.SetText(words.T("agents.copy.do", "count", n))
	x.Do.SetEnabled(n > 0)
	x.list.Update()
}

func (x *agentCopy) Copy() {
	to := x.Chosen()
	x.dlg.Close()
	if _, ok := x.ready(); ok {
		x.w.Desk.CopyParams(x.from, to)
	}
}

// row is an agent that may take the parameters over.
func (x *agentCopy) row() (fyne.CanvasObject, func(int)) {
	at, label := 0, kit.Label("").Fit()
	state := kit.NewText("", kit.ColorMuted, 12).Right().Fit()
	tick := kit.NewTickBox(func(fyne.KeyModifier) { x.Toggle(at) })
	return kit.Pad(0, 8, 0, 8, kit.Row(8, tick, kit.Stretch(label), kit.Sized(170, 0, state))), func(row int) {
		tree, ok := x.ready()
		if at = row; !ok {
			return
		}
		i := x.To[row]
		a := &tree.List[i]
		name := AgentName(a)
		if a.Depth > 1 {
			name += " · " + words.T("agents.under", "agent", AgentName(&tree.List[a.Parent]))
		}
		tick.Set(x.ticked[i])
		label.SetText(name)
		state.SetText(words.T("agents.copy.same"))
		if n := len(x.w.Desk.CopyDiffers(x.from, i)); n > 0 {
			state.SetText(words.T("agents.copy.differs", "count", n))
		}
	}
}
