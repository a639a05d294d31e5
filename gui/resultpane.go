package gui

import (
	"reflect"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/compaction"
	"palimpsest/compaction/facts"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// resultPane is what the parameters would do, in numbers, at once.
type resultPane struct {
	d   *desk.Desk
	p   *paramPane
	obj *fyne.Container

	title, live   *kit.Text
	before        *kit.Text
	after, change *kit.Text
	bar           *kit.StackBar
	counts        [len(model.Fates)]*kit.Text
	badges        *fyne.Container
	why           *kit.Paragraph
	messages      *kit.Text
	facts         map[string]*kit.Text
	links         map[string]*kit.Link // at the end of a line
	lines         map[string]*fyne.Container
	list          *fyne.Container
	rows          []*warningRow
	warnings      []compaction.Reason
	warned        model.Policy // that the remedies are for, once settled
	settled       bool
	toEnd         *kit.Link
}

// The key figures, in order.
var resultFacts = []string{"trigger", "summary", "fires", "survives", "needed", "input", "warnings"}

func newResultPane(d *desk.Desk, p *paramPane) *resultPane {
	r := &resultPane{d: d, p: p, facts: map[string]*kit.Text{}, lines: map[string]*fyne.Container{}}
	r.links = r.newLinks()
	r.title = kit.Label("").Bold().Fit()
	r.live = kit.NewText(words.T("result.live"), kit.ColorFaint, 12)
	r.toEnd = kit.NewLink(words.T("result.toEnd"), func() {
		if s := d.Session(); s != nil {
			d.SetAt(len(s.Thread().History))
		}
	})
	head := kit.Row(8, kit.Stretch(r.title), r.toEnd, r.live)
	r.before = kit.NewText("", kit.ColorMuted, 12)
	r.messages = kit.NewText("", kit.ColorMuted, 12).Right()
	r.after = kit.NewText("", kit.ColorText, 22).Bold()
	r.change = kit.NewText("", kit.ColorKept, 22).Bold()
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
	r.why = kit.NewParagraph("", kit.ColorWarning, 12, 4)
	var lines []fyne.CanvasObject
	for _, key := range resultFacts {
		r.facts[key] = kit.NewText("", kit.ColorText, 12).Fit()
		line := kit.Row(0, kit.Sized(labelWidth+6, 0, kit.NewText(words.T("result."+key), kit.ColorMuted, 12).Fit()), kit.Stretch(r.facts[key]))
		if l := r.links[key]; l != nil {
			line.Add(l)
		}
		r.lines[key] = line
		lines = append(lines, line)
	}
	r.list = kit.Flow(3)
	r.obj = kit.Flow(0, kit.NewRule(), kit.Sized(0, 30, kit.Pad(0, 12, 0, 12, head)), kit.NewRule(),
		kit.Pad(8, 12, 10, 12, kit.Flow(6, kit.Row(0, r.before, kit.Spring(), r.messages), kit.Row(0, r.after, kit.Spring(), r.change), r.bar, r.badges, r.why,
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
	setVisible(r.toEnd, !end)
	setVisible(r.live, end)
	r.sizes(pl)
	r.bar.Set(afterParts(pl), float64(pl.Before.Tokens), "")
	for i, n := range pl.Counts() {
		r.counts[i].SetText(words.Int(int64(n)))
		ink := kit.ColorText
		if n == 0 {
			ink = kit.ColorFaint
		}
		r.counts[i].SetColor(ink)
	}
	r.badges.Refresh()
	r.why.Set("", kit.ColorWarning)
	if pl.Outcome != compaction.WouldApply {
		r.why.Set(refusedWords(pl), kit.ColorWarning)
	}
	setVisible(r.why, pl.Outcome != compaction.WouldApply)
	r.figures(pl)
	r.insight()
}

func (r *resultPane) blank() {
	r.title.SetText(words.T("result.none.title"))
	for _, t := range append(r.counts[:], r.before, r.messages, r.after, r.change) {
		t.SetText("")
	}
	for _, t := range r.facts {
		t.SetText("")
	}
	r.bar.Set(nil, 1, "")
	for key := range r.links {
		r.link(key, false)
	}
	r.warn(nil)
	setVisible(r.why, false)
	setVisible(r.toEnd, false)
}

// sizes shows what there was and what is left.
func (r *resultPane) sizes(pl *compaction.Plan) {
	r.before.SetText(contextSize(r.d, pl, pl.Before.Tokens, false) + " →")
	r.after.SetText(contextSize(r.d, pl, pl.After.Tokens, true))
	change, ink := "", kit.ColorKept
	if pl.Outcome == compaction.WouldApply && pl.Before.Tokens > 0 {
		share := float64(pl.After.Tokens-pl.Before.Tokens) / float64(pl.Before.Tokens)
		if change = words.PercentChange(share); share >= 0 {
			ink = kit.ColorWarning
		}
	}
	r.change.SetText(change)
	r.change.SetColor(ink)
}

// contextSize is a whole context in tokens. What the draft is not made for yet
// is an estimate; what lacks the fixed part is a lower bound.
func contextSize(d *desk.Desk, pl *compaction.Plan, n int64, after bool) string {
	s := tokenCount(d, n)
	if after && d.Draft() == nil && pl.Outcome == compaction.WouldApply && !strings.HasPrefix(s, "~") {
		s = words.Estimate(n)
	}
	if pl.Policy.Fixed == 0 {
		s = words.T("number.atLeast", "value", s)
	}
	return s
}

// afterParts are what a context holds after a plan, by fate.
func afterParts(pl *compaction.Plan) []kit.BarPart {
	var sums [len(model.Fates)]int64
	for _, run := range pl.Runs {
		switch {
		case pl.Outcome == compaction.WouldApply && (run.Fate == model.Summarised || run.Fate == model.Dropped):
		case run.Fate == model.Cleared:
			sums[fateIndex(run.Fate)] += int64(compaction.NoteTokens * (run.To - run.From))
		default:
			sums[fateIndex(run.Fate)] += run.Tokens
		}
	}
	if pl.Outcome == compaction.WouldApply && pl.Insert >= 0 {
		sums[fateIndex(model.Added)] += int64(pl.Summary)
	}
	parts := []kit.BarPart{{Value: float64(pl.Policy.Fixed), Color: kit.ColorFaint}}
	for _, f := range []model.Fate{model.Pinned, model.Added, model.Cleared, model.Kept} {
		parts = append(parts, kit.BarPart{Value: float64(sums[fateIndex(f)]), Color: kit.FateColor(f.Letter())})
	}
	return parts
}

// refusedWords says in one line why a plan does not apply.
func refusedWords(pl *compaction.Plan) string { return upperFirst(reasonWords(pl.Why)) }

// figures are the lines below the bar.
func (r *resultPane) figures(pl *compaction.Plan) {
	r.messages.SetText(words.T("result.messagesNow", "from", pl.Before.Messages, "count", pl.After.Messages))
	r.facts["trigger"].SetText(triggerState(r.d, pl))
	summary := words.T("result.none")
	if pl.Outcome == compaction.WouldApply && pl.Insert >= 0 {
		n := int64(pl.Summary)
		if summary = tokenCount(r.d, n); r.d.Draft() == nil {
			summary = words.Estimate(n)
		}
		if b := pl.Policy.Budget; b.Unit == model.Tokens && b.N > 0 {
			summary = words.T("result.ofBudget", "n", summary, "budget", words.Tokens(int64(b.N)))
		}
	}
	r.facts["summary"].SetText(summary)
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
	state := reasonWords(best.Reason())
	if best.Clause.Share > 0 || best.Clause.At.Unit == model.Tokens {
		state = words.T("result.of", "n", tokenCount(d, best.Measure), "m", words.Tokens(best.Limit))
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
	r.facts["warnings"].SetText(text)
	r.facts["warnings"].SetColor(ink)
	settled := r.d.Settled()
	if slices.Equal(list, r.warnings) && settled == r.settled && reflect.DeepEqual(r.warned, r.d.Params()) {
		return
	}
	r.warnings, r.warned, r.settled = list, r.d.Params(), settled
	for len(r.rows) < len(list) {
		row := newWarningRow(r.d)
		r.rows = append(r.rows, row)
		r.list.Add(row.obj)
	}
	offered := map[string]bool{}
	for i, row := range r.rows {
		if setVisible(row.obj, i < len(list)); i < len(list) {
			row.show(list[i], offered)
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
		"fires":    link("result.why", func() { r.p.c.run("why") }),
		"survives": link("result.list", func() { showLost(r.d, r.p.w, facts.Kinds, func() {}) }),
		"needed":   link("result.list", func() { showMisses(r.d, r.p.w) }),
	}
}
