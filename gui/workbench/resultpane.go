package workbench

import (
	"reflect"
	"slices"

	"fyne.io/fyne/v2"

	"palimpsest/compaction"
	"palimpsest/compaction/facts"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// resultPane is what the parameters would do, in numbers, at once.
type resultPane struct {
	d   *desk.Desk
	p   *ParamPane
	obj *fyne.Container

	title, live   *kit.Text
	Before        *kit.Text
	After, Change *kit.Text
	bar           *kit.StackBar
	counts        [len(model.Fates)]*kit.Text
	badges        *fyne.Container
	Why           *kit.Paragraph
	messages      *kit.Text
	Facts         map[string]*kit.Text
	Links         map[string]*kit.Link // at the end of a line
	lines         map[string]*fyne.Container
	list          *fyne.Container
	Rows          []*WarningRow
	Warnings      []compaction.Reason
	warned        model.Policy // that the remedies are for, once settled
	settled       bool
	toEnd         *kit.Link
}

// The key figures, in order.
var resultFacts = []string{"trigger", "summary", "fires", "survives", "needed", "input", "warnings"}

func newResultPane(d *desk.Desk, p *ParamPane) *resultPane {
	r := &resultPane{d: d, p: p, Facts: map[string]*kit.Text{}, lines: map[string]*fyne.Container{}}
	r.Links = r.newLinks()
	r.title = kit.Label("").Bold().Fit()
	r.live = kit.NewText(words.T("result.live"), kit.ColorFaint, 12)
	r.toEnd = kit.NewLink(words.T("result.toEnd"), func() {
		if s := d.Session(); s != nil {
			d.SetAt(len(s.Thread().History))
		}
	})
	head := kit.Row(8, kit.Stretch(r.title), r.toEnd, r.live)
	r.Before = kit.NewText("", kit.ColorMuted, 12)
	r.messages = kit.NewText("", kit.ColorMuted, 12).Right()
	r.After = kit.NewText("", kit.ColorText, 22).Bold()
	r.Change = kit.NewText("", kit.ColorKept, 22).Bold()
	r.bar = kit.NewStackBar(10)
	var badges []fyne.CanvasObject
	for i, f := range model.Fates {
		r.counts[i] = kit.NewText("", kit.ColorText, 12)
		if i > 0 {
			badges = append(badges, kit.Spring())
		}
		badges = append(badges, kit.Row(6, kit.NewBadge(f.Letter()), r.counts[i]))
	}
	r.badges = kit.Row(0, badges...)
	r.Why = kit.NewParagraph("", kit.ColorWarning, 12, 4)
	var lines []fyne.CanvasObject
	for _, key := range resultFacts {
		r.Facts[key] = kit.NewText("", kit.ColorText, 12).Fit()
		line := kit.Row(0, kit.Sized(labelWidth+6, 0, kit.NewText(words.T("result."+key), kit.ColorMuted, 12).Fit()),
			kit.Stretch(r.Facts[key]))
		if l := r.Links[key]; l != nil {
			line.Add(l)
		}
		r.lines[key] = line
		lines = append(lines, line)
	}
	r.list = kit.Flow(3)
	r.obj = kit.Flow(0, kit.NewRule(), kit.Sized(0, 30, kit.Pad(0, 12, 0, 12, head)), kit.NewRule(),
		kit.Pad(8, 12, 10, 12,
			kit.Flow(6, kit.Row(0, r.Before, kit.Spring(), r.messages), kit.Row(0, r.After, kit.Spring(), r.Change), r.bar, r.badges, r.Why,
				kit.Column(3, lines...), r.list)))
	return r
}

func (r *resultPane) update() {
	pl, s := r.d.Plan(), r.d.Session()
	if pl == nil || s == nil {
		r.blank()
		return
	}
	r.title.SetText(words.T("result.title", "n", pl.Line.At()))
	end := pl.Line.At() == len(s.Thread().History)
	show.SetVisible(r.toEnd, !end)
	show.SetVisible(r.live, end)
	r.sizes(pl)
	r.bar.Set(show.AfterParts(pl), float64(pl.Before.Tokens), "")
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
		r.Why.Set(show.RefusedWords(pl), kit.ColorWarning)
	}
	show.SetVisible(r.Why, pl.Outcome != compaction.WouldApply)
	r.figures(pl)
	r.insight()
}

func (r *resultPane) blank() {
	r.title.SetText(words.T("result.none.title"))
	for _, t := range append(r.counts[:], r.Before, r.messages, r.After, r.Change) {
		t.SetText("")
	}
	for _, t := range r.Facts {
		t.SetText("")
	}
	r.bar.Set(nil, 1, "")
	for key := range r.Links {
		r.link(key, false)
	}
	r.warn(nil)
	show.SetVisible(r.Why, false)
	show.SetVisible(r.toEnd, false)
}

// sizes shows what there was and what is left.
func (r *resultPane) sizes(pl *compaction.Plan) {
	r.Before.SetText(show.ContextSize(r.d, pl, pl.Before.Tokens, false) + " →")
	r.After.SetText(show.ContextSize(r.d, pl, pl.After.Tokens, true))
	change, ink := "", kit.ColorKept
	if pl.Outcome == compaction.WouldApply && pl.Before.Tokens > 0 {
		share := float64(pl.After.Tokens-pl.Before.Tokens) / float64(pl.Before.Tokens)
		if change = words.PercentChange(share); share >= 0 {
			ink = kit.ColorWarning
		}
	}
	r.Change.SetText(change)
	r.Change.SetColor(ink)
}

// figures are the lines below the bar.
func (r *resultPane) figures(pl *compaction.Plan) {
	r.messages.SetText(words.T("result.messagesNow", "from", pl.Before.Messages, "count", pl.After.Messages))
	r.Facts["trigger"].SetText(triggerState(r.d, pl))
	summary := words.T("result.none")
	if pl.Outcome == compaction.WouldApply && pl.Insert >= 0 {
		n := int64(pl.Summary)
		if summary = show.TokenCount(r.d, n); r.d.Draft() == nil {
			summary = words.Estimate(n)
		}
		if b := pl.Policy.BudgetInForce(); b.Unit == model.Tokens && b.N > 0 {
			summary = words.T("result.ofBudget", "n", summary, "budget", words.Tokens(int64(b.N)))
		}
	}
	r.Facts["summary"].SetText(summary)
	r.warn(allWarnings(pl, r.d.Timeline()))
}

// triggerState tells the clause that is nearest to firing: "fires: 158.9K of
// 160.0K".
func triggerState(d *desk.Desk, pl *compaction.Plan) string {
	var best *compaction.ClauseState
	near := func(c *compaction.ClauseState) float64 { return float64(c.Measure) / float64(max(c.Limit, 1)) }
	for i := range pl.Clauses {
		c := &pl.Clauses[i]
		if !c.Unknown && (best == nil || c.Fires && !best.Fires || c.Fires == best.Fires && near(c) > near(best)) {
			best = c
		}
	}
	if best == nil {
		if len(pl.Clauses) > 0 {
			return words.T("chart.windowUnknown")
		}
		return words.T("result.noTrigger")
	}
	state := show.ReasonWords(best.Reason())
	if best.Clause.Share > 0 || best.Clause.At.Unit == model.Tokens {
		state = words.T("result.of", "n", show.TokenCount(d, best.Measure), "m", words.Tokens(best.Limit))
	}
	if best.Fires {
		return words.T("result.firesAt", "state", state)
	}
	return state
}

// warn counts the warnings and lists them.
func (r *resultPane) warn(list []compaction.Reason) {
	text, ink := words.T("result.none"), kit.ColorFaint
	if len(list) > 0 {
		text, ink = words.Int(int64(len(list))), kit.ColorWarning
	}
	r.Facts["warnings"].SetText(text)
	r.Facts["warnings"].SetColor(ink)
	settled := r.d.Settled()
	if slices.Equal(list, r.Warnings) && settled == r.settled && reflect.DeepEqual(r.warned, r.d.Params()) {
		return
	}
	r.Warnings, r.warned, r.settled = list, r.d.Params(), settled
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

// newLinks are what stands at the end of a line: where its number comes from.
func (r *resultPane) newLinks() map[string]*kit.Link {
	link := func(key string, run func()) *kit.Link {
		l := kit.NewLink(words.T(key), run)
		l.Hide()
		return l
	}
	return map[string]*kit.Link{
		"fires":    link("result.why", func() { r.p.c.Run(commands.Why) }),
		"survives": link("result.list", func() { show.ShowLost(r.d, r.p.w, facts.Kinds, func() {}) }),
		"needed":   link("result.list", func() { show.ShowMisses(r.d, r.p.w) }),
	}
}
