package workbench

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/compaction"
	"palimpsest/compaction/facts"
	"palimpsest/compaction/replay"
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

// warnings are those of the settings, each with what does away with it.
type warnings struct {
	list     *fyne.Container
	Rows     []*WarningRow
	Warnings []compaction.Reason
	warned   model.Policy // that the remedies are for, once settled
	settled  bool
}

// resultPane says what the settings would do: how much goes, what is kept, what it costs.
//
//	If you compact now
//	~144.3K → 47.7K                                −67 %
//	▇▇▇▇▇▇▇▇▇▇▇
//	▪ 15.0K not in file  ▪ 3,960 note  ▪ 28.7K window
//	Orders kept                                 16 of 16
//	Strings used again · 110 of 125                 88 %
//	2 compactions, before #221 and #366 · ~$7.10    Why?
type resultPane struct {
	d   *desk.Desk
	p   *ParamPane
	obj *fyne.Container

	now                   *kit.Text
	place                 *kit.Link // where it is made, if that is not the end; a click goes there
	Before, After, Change *kit.Figure
	bar                   *kit.StackBar
	legend                *fyne.Container
	Why                   *kit.Paragraph // it does not compact, or does not fit
	kept                  *fyne.Container
	Orders                *kit.Figure
	lost                  *kit.Link
	Strings, Share        *kit.Figure
	missed                *kit.Link
	cost                  *fyne.Container // of the whole run
	Run, Cost             *kit.Figure
	why                   *kit.Link
	warnings
}

func newResultPane(d *desk.Desk, p *ParamPane) *resultPane {
	r := &resultPane{d: d, p: p, now: kit.NewText("", kit.ColorMuted, 12).Fit(), warnings: warnings{list: kit.Flow(3)}}
	r.place = kit.NewLink("", func() {
		if s := d.Session(); s != nil {
			d.Planning.SetAt(len(s.Thread().History))
		}
	}).WithTip("row.planEnd")
	large := func() *kit.Figure { return kit.NewFigure(kit.ColorText, 22).Bold() }
	small := func() *kit.Figure { return kit.NewFigure(kit.ColorText, 12) }
	r.Before, r.After, r.Change = large(), large(), large()
	r.Orders, r.Strings, r.Share = small().Bold(), small().Fit(), small().Bold()
	r.Run, r.Cost = small().Fit(), kit.NewFigure(kit.ColorMuted, 12).Fit()
	r.bar, r.legend = kit.NewStackBar(8), kit.Lines(10)
	r.Why = kit.NewParagraph("", kit.ColorWarning, 12, 4)
	link := func(tip string, run func()) *kit.Link { return kit.NewLink("", run).WithTip(tip) }
	r.lost = link("result.lost.tip", func() { show.ShowLost(d, p.w, facts.Instruction, func() {}) })
	r.missed = link("result.missed.tip", func() { show.ShowMisses(d, p.w) })
	r.why = link("result.why.tip", func() { p.c.Run(commands.Why) })
	r.kept = kit.Column(4, kit.Row(8, kit.Stretch(kit.NewText(words.T("result.orders"), kit.ColorText, 12).Fit()), r.lost, r.Orders),
		kit.Row(8, kit.Stretch(r.Strings), r.missed, r.Share))
	r.cost = kit.Column(1, r.Run, kit.Row(8, kit.Stretch(r.Cost), r.why))
	r.obj = kit.Pad(10, 12, 10, 12, kit.Flow(7, kit.Row(6, r.place, kit.Stretch(r.now)),
		kit.Row(6, r.Before, kit.Stretch(r.After), r.Change), r.bar, kit.Means(r.legend, "result.legend.means"),
		r.Why, kit.NewRule(), r.kept, kit.NewRule(), r.cost, r.list))
	for _, f := range r.figures() {
		f.Beside = r.obj
	}
	return r
}

func (r *resultPane) figures() []*kit.Figure {
	return []*kit.Figure{r.Before, r.After, r.Change, r.Orders, r.Strings, r.Share, r.Run, r.Cost}
}

func (r *resultPane) update() {
	pl, s := r.d.Planning.Plan(), r.d.Session()
	c, ok := r.d.CompactionFigures()
	show.SetVisible(r.obj, ok)
	if !ok {
		for _, f := range r.figures() {
			f.Clear()
		}
		r.warn(nil)
		return
	}
	end, at := pl.Line.At() == len(s.Thread().History), ""
	key := "result.now"
	if !end {
		key, at = "result.then", words.T("result.at", "n", pl.Line.At())
	}
	r.now.SetText(words.T(key))
	r.place.SetText(at)
	show.SetVisible(r.place, !end)
	r.sizes(pl, c)
	r.insight(c)
	r.warn(allWarnings(pl, r.d.Timeline()))
}

// sizes shows what there was and what is left. Amber says that the result does not fit.
func (r *resultPane) sizes(pl *compaction.Plan, c figures.Compaction) {
	applies := pl.Outcome == compaction.WouldApply
	room := int64(pl.Policy.Window)
	if at := int64(show.TriggerTokens(pl.Policy)); at > 0 && (room == 0 || at < room) {
		room = at
	}
	fits := room == 0 || pl.After.Tokens <= room
	ink, change := kit.ColorText, kit.ColorKept
	why := ""
	switch {
	case !applies:
		why = show.RefusedWords(show.Of(r.d), pl)
	case !fits:
		ink, change = kit.ColorWarning, kit.ColorWarning
		why = words.T("result.tooLarge", "tokens", words.Figure(c.After), "room", words.TokensShort(room))
	case pl.After.Tokens >= pl.Before.Tokens:
		change = kit.ColorText
	}
	r.Why.Set(why, kit.ColorWarning)
	show.SetVisible(r.Why, why != "")
	show.PutFigure(r.Before, r.d, c.Before, "", kit.ColorText)
	r.After.Clear()
	r.Change.Clear()
	if applies {
		after := strings.TrimPrefix(words.Figure(c.After), "~") // said once, before the first of the pair
		show.PutFigure(r.After, r.d, c.After, "→ "+after, ink)
		show.PutFigure(r.Change, r.d, c.Change, "", change)
	}
	parts := show.AfterParts(pl)
	r.bar.Set(parts, float64(pl.Before.Tokens), "")
	r.legend.Objects = r.legend.Objects[:0]
	names := []string{"result.part.outside", "result.part.pinned", "result.part.note", "result.part.cleared", "result.part.window"}
	for i, p := range parts {
		if applies && p.Value > 0 {
			r.legend.Add(kit.Row(4, kit.Sized(8, 8, kit.NewFill(p.Color, 2)),
				kit.NewText(words.T(names[i], "tokens", words.Tokens(int64(p.Value))), kit.ColorMuted, 11)))
		}
	}
	show.SetVisible(r.legend, len(r.legend.Objects) > 0)
	show.SetVisible(r.kept, applies)
}

// insight shows what is kept, in two lines that come from different code, and the whole run.
func (r *resultPane) insight(c figures.Compaction) {
	text := ""
	if c.Orders.Known() {
		text = words.T("result.of", "n", words.Int(c.Orders.N), "m", words.Int(c.Orders.Of))
	}
	show.PutFigure(r.Orders, r.d, c.Orders, cmp.Or(text, show.WhyMissing(c.Orders)), show.ShareInk(c.Orders))
	lost := int(c.Orders.Of - c.Orders.N)
	link(r.lost, words.T("result.lost", "count", lost, "n", words.Int(int64(lost))), c.Orders.Known() && lost > 0)
	tl := r.d.Timeline()
	run, ok := r.d.RunFigures()
	if !ok {
		for _, f := range []*kit.Figure{r.Strings, r.Share, r.Run, r.Cost} {
			f.Clear()
		}
		link(r.missed, "", false)
		link(r.why, "", false)
		return
	}
	name, share := words.T("result.strings"), show.WhyMissing(run.Recall)
	if run.Recall.Known() {
		name += " · " + words.T("result.of", "n", words.Int(run.Recall.N), "m", words.Int(run.Recall.Of))
		share = words.Figure(run.Recall)
	}
	ink := show.ShareInk(run.Recall)
	if run.Recall.Of < session.RecallAsks || run.Recall.Reason == figures.Former { // too few to judge settings by
		ink = kit.ColorFaint
	}
	show.PutFigure(r.Strings, r.d, run.Recall, name, kit.ColorText)
	show.PutFigure(r.Share, r.d, run.Recall, share, ink)
	n, _ := r.d.Needed()
	link(r.missed, words.T("result.missed", "count", int(run.Misses.Value), "n", words.Figure(run.Misses)),
		run.Misses.Known() && n != nil && len(n.Misses) > 0)
	show.PutFigure(r.Run, r.d, run.Firings, compactionsWords(tl, run.Largest), kit.ColorText)
	cost := []string{words.T("result.calls", "count", tl.Totals.Calls)}
	if run.Cost.Known() {
		cost = append(cost, costWords(r.d, run.Cost))
	}
	show.PutFigure(r.Cost, r.d, run.Cost, show.Joined(cost), kit.ColorMuted)
	link(r.why, words.T("result.why"), true)
}

// link shows a link with its words, or hides it.
func link(l *kit.Link, text string, on bool) {
	if on {
		l.SetText(text)
	}
	show.SetVisible(l, on)
}

// compactionsWords say how often and before which messages the settings would compact: "2
// compactions, before #221 and #366".
func compactionsWords(tl *replay.Timeline, largest figure.Figure) string {
	var at []string
	for i := range tl.Firings {
		if f := &tl.Firings[i]; f.Compacts() {
			at = append(at, "#"+words.Int(int64(f.At+1)))
		}
	}
	n := len(at)
	switch {
	case n == 0 && !largest.Known(): // no model was called
		return words.T("result.never")
	case n == 0:
		return words.T("result.firesNever", "tokens", words.Figure(largest))
	case n > 3:
		at = append(at[:2], "…")
	}
	return words.T("result.compactions", "count", n, "at", strings.Join(at, ", "))
}

// costWords are the cost of a run in money where the price of the model is known, else in
// tokens that no cache held.
func costWords(d *desk.Desk, f figure.Figure) string {
	p := d.Provider()
	if price := p.PriceOf(d.Session().Model()); price.Input > 0 {
		return words.T("result.cost.money", "money", words.Decimal(price.Of(int(f.Value), 0), 2), "currency", price.Currency)
	}
	return words.T("result.cost.is", "tokens", words.Figure(f))
}

// warn lists the warnings.
func (r *resultPane) warn(list []compaction.Reason) {
	settled := r.d.Settled()
	if slices.Equal(list, r.Warnings) && settled == r.settled && reflect.DeepEqual(r.warned, r.d.Planning.Params()) {
		return
	}
	r.Warnings, r.warned, r.settled = list, r.d.Planning.Params(), settled
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

// allWarnings are those of the plan and those of the replay, each once. That it
// never compacts is written in its line.
func allWarnings(pl *compaction.Plan, tl *replay.Timeline) []compaction.Reason {
	var out []compaction.Reason
	known := map[string]bool{"never-fires": true}
	add := func(list []compaction.Reason) {
		for _, w := range list {
			if !known[w.Code] {
				known[w.Code] = true
				out = append(out, w)
			}
		}
	}
	if pl != nil {
		add(pl.Warnings)
	}
	if tl != nil {
		add(tl.Warnings)
	}
	return out
}
