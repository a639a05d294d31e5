package gui

import (
	"fyne.io/fyne/v2"

	"palimpsest/compaction"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// previewSheet shows a plan in full before it is applied: both contexts on one
// scale and message by message, and the text of the summary.
type previewSheet struct {
	d *desk.Desk
	w fyne.Window
	c *commands

	obj, headRow      *fyne.Container
	open              bool
	folds             map[int]runFold // by the first entry of a run
	only              previewOnly
	filter            *kit.Segments
	rows              *previewRows
	name              *kit.Text
	preset, state     *kit.Tag
	before, after     *kit.Ledger
	beforeIn, afterIn *kit.Text
	was, will         *kit.Pane // around the ledgers
	bars              *previewBars
	draft             *draftPane
	survive           *survivePane
	apply, discard    *kit.Button
	asPreset          *kit.Button // saves the parameters as a preset
	folding           *kit.Segments
}

func newPreviewSheet(d *desk.Desk, w fyne.Window, c *commands) *previewSheet {
	p := &previewSheet{d: d, w: w, c: c, folds: map[int]runFold{}}
	p.bars = newPreviewBars(d)
	p.draft = newDraftPane(d, w, func() { c.run("ask") })
	p.draft.onApply = p.applyDraft
	p.before, p.after = kit.NewLedger(ledgerCaptions()), kit.NewLedger(ledgerCaptions())
	p.before.Empty = kit.NewText(words.T("preview.noneOfThese"), kit.ColorMuted, 13).Center()
	p.link(p.before, p.after)
	p.link(p.after, p.before)
	p.beforeIn, p.afterIn = kit.NewText("", kit.ColorMuted, 12), kit.NewText("", kit.ColorMuted, 12)
	p.was = kit.NewPane(words.T("preview.before"), p.before, p.beforeIn)
	p.will = kit.NewPane(words.T("preview.after"), p.after, p.afterIn)
	p.filter = kit.NewSegments(previewOnlyNames(), 0, func(i int) { p.showOnly(previewOnly(i)) })
	p.was.SetLeft(p.filter)
	lists := kit.NewSplit(false, p.was, p.will, kit.KeepShare, .5)
	p.survive = newSurvivePane(d, w, p.close)
	below := kit.NewSplit(false, p.survive.pane, p.draft.pane, kit.KeepShare, .48)
	lower := kit.NewSplit(true, lists, below, kit.KeepShare, .6)
	p.obj = kit.Panes(kit.Sized(0, 40, p.header()), p.bars.obj, kit.Stretch(lower), kit.Sized(0, 44, p.foot()))

	d.Listen(desk.TopicPlan, p.update)
	d.Listen(desk.TopicFacts, func() {
		if p.open {
			p.survive.update()
		}
	})
	d.Listen(desk.TopicSession, func() {
		if p.open {
			p.close()
		}
	})
	d.Listen(desk.TopicJob, p.job)
	c.bind("preview", func() bool { return d.Session() != nil && d.Plan() != nil && !p.open }, p.show)
	return p
}

func (p *previewSheet) header() fyne.CanvasObject {
	p.name = kit.NewText("", kit.ColorMuted, 13)
	p.preset, p.state = kit.NewTag("", kit.ColorMuted), kit.NewTag("", kit.ColorWarning)
	p.folding = kit.NewSegments([]string{words.T("preview.folded"), words.T("preview.unfolded")}, 0, func(i int) { p.foldEvery(i == 0) })
	back := kit.NewButton(words.T("preview.back"), kit.Secondary, p.close).WithGlyph(kit.GlyphLeft)
	last := kit.NewButton(words.T("command.previousDifference"), kit.Secondary, func() { p.c.run("previousDifference") })
	change := kit.NewButton(words.T("command.nextDifference"), kit.Secondary, func() { p.c.run("nextDifference") })
	p.headRow = kit.Row(10, back, kit.Label(words.T("preview.title")).Bold(), p.name, p.preset, p.state, kit.Spring(), p.folding, last, change)
	return kit.NewPane("", kit.Pad(0, 10, 0, 10, p.headRow))
}

func (p *previewSheet) foot() fyne.CanvasObject {
	p.discard = kit.NewButton(words.T("preview.discardEdit"), kit.Secondary, p.d.DiscardEdit)
	p.apply = kit.NewButton(words.T("preview.apply"), kit.Primary, p.applyDraft).Large()
	note := kit.NewText(words.T("preview.unchanged"), kit.ColorMuted, 12)
	p.asPreset = kit.NewButton(words.T("do.savePreset"), kit.Secondary, func() { savePreset(p.d, p.w) })
	row := kit.Row(10, p.asPreset, p.discard, kit.Spring(), note, kit.Sized(170, 0, p.apply))
	return kit.NewPane("", kit.Pad(0, 10, 0, 10, row))
}

// link makes two ledgers scroll and select together.
func (p *previewSheet) link(a, b *kit.Ledger) {
	a.OnScroll = b.ScrollTo
	a.OnSelect = func(i int) {
		b.Select(i)
		b.ScrollTo(a.Offset())
	}
	a.OnFold = p.toggle
	a.OnOpen = p.toggle
	a.Tip = func(i int) string {
		if p.rows == nil || i >= len(p.rows.lines) {
			return ""
		}
		run := p.rows.plan.Runs[p.rows.lines[i].run]
		return fateBecause(run.Fate, compaction.Reason{Code: run.Why})
	}
}

// show opens the sheet.
func (p *previewSheet) show() {
	if p.open {
		return
	}
	p.open, p.only = true, onlyAll
	p.filter.Select(int(onlyAll))
	kit.HideTip(p.w.Canvas())
	p.c.show(p.obj, p.back)
	p.foldEvery(true) // now that it is known how many lines there is room for
	p.w.Canvas().Focus(p.before)
}

// back answers Esc: it ends an edit first. The draft is kept.
func (p *previewSheet) back() {
	if p.draft.editing {
		p.draft.cancel()
		return
	}
	p.close()
}

func (p *previewSheet) close() {
	p.open = false
	p.draft.cancel()
	p.c.hide()
}

func (p *previewSheet) applyDraft() {
	p.draft.keep()
	p.c.run("applyDraft")
}

// job closes the sheet when its draft was applied.
func (p *previewSheet) job() {
	if !p.open {
		return
	}
	if j := p.d.Job(); !j.Running() && j.Record != nil && j.Record.Outcome == model.Applied {
		p.close()
		return
	}
	p.buttons()
}

func (p *previewSheet) toggle(i int) {
	if p.rows == nil || i >= len(p.rows.lines) || p.rows.lines[i].fold == kit.FoldNone {
		return
	}
	n := p.rows.lines[i]
	from := p.rows.plan.Runs[n.run].From
	if p.folds[from] = foldOpen; n.fold == kit.FoldOpen {
		p.folds[from] = foldShut
	}
	p.list()
}

// step selects the next line whose messages the plan does not leave as they were,
// or with −1 the one before, and goes round at the ends.
func (p *previewSheet) step(by int) {
	if p.rows == nil {
		return
	}
	for i := range roundFrom(p.before.Selected(), by, len(p.rows.lines)) {
		l := p.rows.lines[i]
		if f := p.rows.plan.Runs[l.run].Fate; l.inside || !onlyChanges.shows(f) {
			continue
		}
		p.before.Select(i)
		p.before.OnSelect(i)
		return
	}
}

// showOnly leaves the lines of the other fates out.
func (p *previewSheet) showOnly(only previewOnly) {
	p.only = only
	p.filter.Select(int(only))
	p.before.Select(-1)
	p.after.Select(-1)
	p.update()
}

// foldEvery folds or unfolds all runs.
func (p *previewSheet) foldEvery(fold bool) {
	clear(p.folds)
	if pl := p.d.Plan(); pl != nil && !fold {
		for _, r := range pl.Runs {
			p.folds[r.From] = foldOpen
		}
	}
	i := 0
	if !fold {
		i = 1
	}
	p.folding.Select(i)
	p.update()
}

func (p *previewSheet) update() {
	if !p.open || p.d.Session() == nil || p.d.Plan() == nil {
		return
	}
	pl := p.d.Plan()
	if e := p.d.Current(); e != nil {
		p.name.SetText(words.T("preview.of", "session", shortened(entryTitle(e), 36), "n", pl.Line.At()))
	}
	preset := presetName(p.d.Params().Preset)
	if p.d.Modified() {
		preset = words.T("parameters.modified", "preset", preset)
	}
	p.preset.Set(preset, kit.ColorMuted)
	p.state.Set(p.stateWords(pl))
	p.headRow.Refresh()
	p.bars.update(pl)
	p.draft.update()
	p.survive.update()
	p.buttons()
	p.list()
}

// stateWords says how far the draft is.
func (p *previewSheet) stateWords(pl *compaction.Plan) (string, fyne.ThemeColorName) {
	dr := p.d.Draft()
	switch {
	case pl.Outcome != compaction.WouldApply:
		return words.T("preview.refused"), kit.ColorWarning
	case dr == nil && pl.Policy.Strategy.Asks():
		return words.T("draft.none"), kit.ColorMuted
	case dr == nil:
		return words.T("preview.making"), kit.ColorMuted
	case len(dr.Flaws) > 0 && !dr.Accepted():
		return words.T("draft.flawed"), kit.ColorWarning
	case dr.Edited:
		return words.T("preview.edited"), kit.ColorWarning
	}
	return words.T("preview.notApplied"), kit.ColorWarning
}

func (p *previewSheet) buttons() {
	dr := p.d.Draft()
	p.apply.SetEnabled(p.c.enabled("applyDraft"))
	p.asPreset.SetEnabled(p.d.CanSavePresets())
	setVisible(p.discard, dr != nil && dr.Edited)
}

func (p *previewSheet) list() {
	pl := p.d.Plan()
	p.rows = newPreviewRows(p.d, pl, p.folds, p.only, p.before.Page())
	wide := 3
	for _, n := range p.rows.lines {
		wide = max(wide, len([]rune(p.rows.numbers(n.from, n.to))))
		if wide > 9 || len(p.rows.lines) > 2000 {
			wide = 9
			break
		}
	}
	if len(p.rows.lines) > 0 { // else the columns stay where they were
		p.before.SetNumberWidth(wide)
		p.after.SetNumberWidth(wide)
	}
	p.before.SetSource(side{p.rows, false})
	p.after.SetSource(side{p.rows, true})
	size := func(n int64, msgs int, after bool) string {
		return words.T("count.messages", "count", msgs) + " · " + contextSize(p.d, pl, n, after)
	}
	p.beforeIn.SetText(size(pl.Before.Tokens, pl.Before.Messages, false))
	p.afterIn.SetText(size(pl.After.Tokens, pl.After.Messages, true))
	p.was.SetRight(p.beforeIn) // as wide as its words are now
	p.will.SetRight(p.afterIn)
}
