package workbench

import (
	"reflect"
	"slices"

	"fyne.io/fyne/v2"

	"palimpsest/compaction"
	"palimpsest/compaction/facts"
	"palimpsest/compaction/session/figures"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// resultPane is what the parameters would do, in figures, at once: this
// compaction, made at the message looked at, and the whole run.
//
//	This compaction  at message 212        would fire now
//	~47.2K  from ~161.3K                            −71 %
//	▇▇▇▇▇▇▇▇▇▇▇
//	K 25  P 1  C 0  S 186  D 0  + 1               27 left
//	What survives   62 % of 412 facts            157 lost
//	Needed later    87 % of 69                   9 missed
//	Whole run  480 messages, 209 calls
//	Fires …
type resultPane struct {
	d   *desk.Desk
	p   *ParamPane
	obj *fyne.Container

	head          *fyne.Container
	place         *kit.Link // where it is made; a click goes to the end
	State         *kit.Text
	Before        *kit.Figure
	After, Change *kit.Figure
	could, Left   *kit.Figure
	bar           *kit.StackBar
	counts        [len(model.Fates)]*kit.Text
	badges        *fyne.Container
	Why           *kit.Paragraph
	cut           *fyne.Container // the lines of this compaction
	run           *kit.Figure     // what it is of; where there is little room, what it comes to
	runOnly       *fyne.Container // the lines of the whole run
	foot          *fyne.Container // these and the warnings
	folded        bool
	Facts         map[string]*kit.Figure
	Links         map[string]*kit.Link // at the end of a line
	lines         map[string]*fyne.Container
	warnings      *kit.Text
	list          *fyne.Container
	Rows          []*WarningRow
	Warnings      []compaction.Reason
	warned        model.Policy // that the remedies are for, once settled
	settled       bool
}

// The lines of figures, in order.
var (
	compactionFacts = []string{"survives", "needed"}
	runFacts        = []string{"fires", "runNeeded", "input", "cost"}
)

func newResultPane(d *desk.Desk, p *ParamPane) *resultPane {
	r := &resultPane{d: d, p: p, Facts: map[string]*kit.Figure{}, lines: map[string]*fyne.Container{}}
	r.Links = r.newLinks()
	r.place = kit.NewLink("", func() {
		if s := d.Session(); s != nil {
			d.Planning.SetAt(len(s.Thread().History))
		}
	})
	r.place.SetTip(words.T("row.planEnd"))
	r.State = kit.NewText("", kit.ColorMuted, 12).Right().Fit()
	r.After, r.Before = kit.NewFigure(kit.ColorText, 22).Bold(), kit.NewFigure(kit.ColorMuted, 12)
	r.Change, r.Left = kit.NewFigure(kit.ColorKept, 22).Bold(), kit.NewFigure(kit.ColorMuted, 12)
	r.could = kit.NewFigure(kit.ColorMuted, 12)
	r.bar = kit.NewStackBar(15) // high enough for letters: colours alone are not read by all
	r.badges = r.newBadges()
	r.Why = kit.NewParagraph("", kit.ColorWarning, 12, 4)
	r.run = kit.NewFigure(kit.ColorMuted, 12).Fit()
	r.list = kit.Flow(3)
	var first, second []fyne.CanvasObject
	for _, key := range compactionFacts {
		first = append(first, r.line(key, words.T("result."+key)))
	}
	for _, key := range runFacts {
		second = append(second, r.line(key, words.T("result."+key)))
	}
	r.warnings = kit.NewText("", kit.ColorText, 12).Fit()
	second = append(second, named(words.T("result.warnings"), r.warnings))
	r.runOnly = kit.Column(4, second...)
	r.cut = kit.Column(4, first...)
	r.head = kit.Row(6, kit.Label(words.T("result.compaction")).Bold(), r.place,
		kit.Stretch(kit.Hinted(r.State, func() string { return words.T("result.state.tip") })))
	r.foot = kit.Pad(8, 12, 10, 12, kit.Flow(4, r.runOnly, r.list))
	r.obj = kit.Flow(0,
		headed(r.head),
		kit.Pad(8, 12, 9, 12, kit.Flow(7,
			kit.Column(0, kit.Row(8, r.After, kit.Spring(), r.Change), kit.Row(8, r.Before, kit.Spring(), r.could)),
			kit.Hinted(r.bar, func() string { return words.T("result.bar.tip") }), r.badges, r.Why,
			r.cut)),
		headed(kit.Row(6, kit.Label(words.T("result.run")).Bold(), kit.Stretch(r.run))),
		r.foot)
	for _, f := range r.figures() {
		f.Beside = r.obj
	}
	return r
}

// headed is the head of one of the two parts.
func headed(row *fyne.Container) fyne.CanvasObject {
	return kit.Column(0, kit.NewRule(), kit.Sized(0, 28, kit.Pad(0, 10, 0, 12, row)), kit.NewRule())
}

// named is a line with a name.
func named(name string, o fyne.CanvasObject, end ...fyne.CanvasObject) *fyne.Container {
	line := kit.Row(8, kit.Sized(labelWidth-8, 0, kit.NewText(name, kit.ColorMuted, 12).Fit()), kit.Stretch(o))
	line.Objects = append(line.Objects, end...)
	return line
}

// line is a figure with a name, and behind it a way to what it counts.
func (r *resultPane) line(key, name string) fyne.CanvasObject {
	r.Facts[key] = kit.NewFigure(kit.ColorText, 12).Fit()
	r.lines[key] = named(name, r.Facts[key])
	if l := r.Links[key]; l != nil {
		r.lines[key].Add(l)
	}
	return r.lines[key]
}

// figures lists all figures of the pane.
func (r *resultPane) figures() []*kit.Figure {
	list := []*kit.Figure{r.After, r.Before, r.Change, r.could, r.Left, r.run}
	for _, key := range append(slices.Clone(compactionFacts), runFacts...) {
		list = append(list, r.Facts[key])
	}
	return list
}

// newBadges are the fates with their numbers, and how many messages are left.
func (r *resultPane) newBadges() *fyne.Container {
	var badges []fyne.CanvasObject
	for i, f := range model.Fates {
		r.counts[i] = kit.NewText("", kit.ColorText, 12)
		badge := kit.Hinted(kit.Row(5, kit.NewBadge(f.Letter()), r.counts[i]), func() string {
			if r.counts[i].Text() == "" { // before the first plan
				return words.T("fate." + f.String() + ".means")
			}
			return words.T("result.fate.tip", "count", r.counts[i].Text(), "fate", show.FateWord(f),
				"means", words.T("fate."+f.String()+".means"))
		})
		badges = append(badges, badge, kit.Spring())
	}
	return kit.Row(0, append(badges, r.Left)...)
}

func (r *resultPane) update() {
	pl, s := r.d.Planning.Plan(), r.d.Session()
	c, ok := r.d.CompactionFigures()
	if !ok {
		r.blank()
		return
	}
	end := pl.Line.At() == len(s.Thread().History)
	r.place.SetText(words.T("result.at", "n", pl.Line.At()))
	r.place.SetEnabled(!end)
	state, shorter := stateWords(r.d)
	r.State.SetTexts(state, shorter)
	r.head.Refresh() // it had no words while nothing was known
	r.sizes(pl, c)
	for i, n := range pl.Counts() {
		r.counts[i].SetText(words.Int(int64(n)))
		ink := kit.ColorText
		if n == 0 {
			ink = kit.ColorFaint
		}
		r.counts[i].SetColor(ink)
	}
	r.badges.Refresh()
	r.Why.Set("", kit.ColorWarning)
	if pl.Outcome != compaction.WouldApply {
		r.Why.Set(show.RefusedWords(show.Of(r.d), pl), kit.ColorWarning)
	}
	applies := pl.Outcome == compaction.WouldApply
	show.SetVisible(r.Why, !applies)
	show.SetVisible(r.cut, applies) // the reason is in their place: what is below stays where it is
	r.warn(allWarnings(pl, r.d.Timeline()))
	r.insight(c)
}

func (r *resultPane) blank() {
	r.place.SetText("")
	r.State.SetText("")
	for _, t := range r.counts {
		t.SetText("")
	}
	for _, f := range r.figures() {
		f.Clear()
	}
	r.run.Clear()
	r.bar.Set(nil, 1, "")
	for key := range r.Links {
		r.link(key, "")
	}
	r.warn(nil)
	show.SetVisible(r.Why, false)
}

// fold leaves of the whole run one line, where there is little room, or shows all
// again; where there is least, what is seen first is what is left.
func (r *resultPane) fold(low, least bool) {
	show.SetVisible(r.obj.Objects[0], !least)
	if r.folded == low {
		return
	}
	r.folded = low
	show.SetVisible(r.runOnly, !low)
	r.showFoot()
	r.wholeRun()
}

// showFoot leaves out the part below the head of the whole run where nothing is in it.
func (r *resultPane) showFoot() { show.SetVisible(r.foot, !r.folded || len(r.Warnings) > 0) }

// sizes shows what there was and what is left.
func (r *resultPane) sizes(pl *compaction.Plan, c figures.Compaction) {
	show.PutFigure(r.After, r.d, c.After, "", kit.ColorText)
	show.PutFigure(r.Before, r.d, c.Before, words.T("result.from", "tokens", words.Figure(c.Before)), kit.ColorMuted)
	show.PutFigure(r.Left, r.d, c.Left, words.T("result.left", "count", int(c.Left.Value)), kit.ColorMuted)
	r.could.Clear()
	if r.Change.Clear(); c.Change.Known() {
		ink := kit.ColorKept
		if c.Change.Value >= 0 {
			ink = kit.ColorWarning
		}
		show.PutFigure(r.Change, r.d, c.Change, "", ink)
		show.PutFigure(r.could, r.d, c.Could, words.T("result.could", "tokens", words.Figure(c.Could)), kit.ColorMuted)
	}
	r.bar.Set(show.AfterParts(pl), float64(pl.Before.Tokens), "")
}

// stateWords say whether the trigger would fire before the next call: "would
// fire now", "in ~14 messages", "can't fire"; and that shorter. Why it can't is a sentence
// further down.
func stateWords(d *desk.Desk) (state, shorter string) {
	next := d.Planning.Next()
	if len(next) == 0 {
		return "", ""
	}
	state = words.T("result.cantFire")
	switch rule := next[0]; {
	case len(rule.Clauses) == 0:
		state = words.T("result.byHand")
	case rule.Messages() > 0:
		n := show.Roughly(rule)
		return words.T("result.in", "count", rule.Messages(), "n", n), words.T("result.in.short", "n", n)
	case rule.Messages() == 0 && rule.Plan.Outcome == compaction.WouldApply:
		state = words.T("result.now")
	}
	return state, state
}

// warn counts the warnings and lists them.
func (r *resultPane) warn(list []compaction.Reason) {
	text, ink := words.T("result.none"), kit.ColorFaint
	if len(list) > 0 {
		text, ink = words.Int(int64(len(list))), kit.ColorWarning
	}
	r.warnings.SetText(text)
	r.warnings.SetColor(ink)
	settled := r.d.Settled()
	if slices.Equal(list, r.Warnings) && settled == r.settled && reflect.DeepEqual(r.warned, r.d.Planning.Params()) {
		return
	}
	r.Warnings, r.warned, r.settled = list, r.d.Planning.Params(), settled
	r.showFoot()
	for len(r.Rows) < len(list) {
		row := NewWarningRow(r.d)
		r.Rows = append(r.Rows, row)
		r.list.Add(row.Obj)
	}
	offered := map[string]bool{}
	for i, row := range r.Rows {
		if show.SetVisible(row.Obj, i < len(list)); i < len(list) {
			row.Show(list[i], offered)
		}
	}
}

// newLinks are what is at the end of a line: where its number comes from.
func (r *resultPane) newLinks() map[string]*kit.Link {
	link := func(tip string, run func()) *kit.Link {
		l := kit.NewLink("", run).WithTip(tip)
		l.Hide()
		return l
	}
	return map[string]*kit.Link{
		"fires":     link("result.why.tip", func() { r.p.c.Run(commands.Why) }),
		"survives":  link("result.lost.tip", func() { show.ShowLost(r.d, r.p.w, facts.Kinds, func() {}) }),
		"needed":    link("result.missed.tip", r.missedHere),
		"runNeeded": link("result.missed.tip", func() { show.ShowMisses(r.d, r.p.w) }),
	}
}

// missedHere lists what was needed after this compaction and is gone.
func (r *resultPane) missedHere() {
	if v := r.d.Survival(); v != nil && v.Needed != nil {
		show.ShowMissesOf(r.d, r.p.w, v.Needed, words.T("needed.missesOf", "n", v.At), func() {})
	}
}
