package preview

import (
	"fyne.io/fyne/v2"

	"palimpsest/compaction"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/gui/workbench"
	"palimpsest/model"
)

// PreviewSheet shows a plan in full before it is applied: both contexts on one
// scale and message by message, and the text of the summary.
type PreviewSheet struct {
	d *desk.Desk
	w fyne.Window
	c *commands.Table

	obj, headRow      *fyne.Container
	Open              bool
	folds             map[int]runFold // by the first entry of a run
	only              previewOnly
	filter            *kit.Segments
	Rows              *PreviewRows
	name              *kit.Text
	preset, state     *kit.Tag
	Before, After     *kit.Ledger
	beforeIn, afterIn *kit.Text
	was, will         *kit.Pane // around the ledgers
	bars              *previewBars
	Draft             *draftPane
	Survive           *workbench.SurvivePane
	apply, discard    *kit.Button
	asPreset          *kit.Button // saves the parameters as a preset
	folding           *kit.Segments
}

func NewPreviewSheet(d *desk.Desk, w fyne.Window, c *commands.Table) *PreviewSheet {
	p := &PreviewSheet{d: d, w: w, c: c, folds: map[int]runFold{}}
	p.bars = newPreviewBars(d)
	p.Draft = NewDraftPane(d, w, func() { c.Run(commands.Ask) })
	p.Draft.onApply = p.ApplyDraft
	p.Before, p.After = kit.NewLedger(show.LedgerCaptions()), kit.NewLedger(show.LedgerCaptions())
	p.Before.Empty = kit.NewText(words.T("preview.noneOfThese"), kit.ColorMuted, 13).Center()
	p.link(p.Before, p.After)
	p.link(p.After, p.Before)
	p.beforeIn, p.afterIn = kit.NewText("", kit.ColorMuted, 12), kit.NewText("", kit.ColorMuted, 12)
	p.was = kit.NewPane(words.T("preview.before"), p.Before, p.beforeIn)
	p.will = kit.NewPane(words.T("preview.after"), p.After, p.afterIn)
	p.filter = kit.NewSegments(previewOnlyNames(), 0, func(i int) { p.ShowOnly(previewOnly(i)) })
	p.was.SetLeft(p.filter)
	lists := kit.NewSplit(false, p.was, p.will, kit.KeepShare, .5)
	p.Survive = workbench.NewSurvivePane(d, w, p.close)
	below := kit.NewSplit(false, p.Survive.Pane, p.Draft.Pane, kit.KeepShare, .48)
	lower := kit.NewSplit(true, lists, below, kit.KeepShare, .6)
	p.obj = kit.Panes(kit.Sized(0, 40, p.header()), p.bars.obj, kit.Stretch(lower), kit.Sized(0, 44, p.foot()))

	d.Listen(desk.TopicPlan, p.update)
	d.Listen(desk.TopicFacts, func() {
		if p.Open {
			p.Survive.Update()
		}
	})
	d.Listen(desk.TopicSession, func() {
		if p.Open {
			p.close()
		}
	})
	d.Listen(desk.TopicJob, p.job)
	c.Bind(commands.Preview, func() bool { return d.Session() != nil && d.Plan() != nil && !p.Open }, p.Show)
	return p
}

func (p *PreviewSheet) header() fyne.CanvasObject {
	p.name = kit.NewText("", kit.ColorMuted, 13)
	p.preset, p.state = kit.NewTag("", kit.ColorMuted), kit.NewTag("", kit.ColorWarning)
	p.folding = kit.NewSegments([]string{words.T("preview.folded"), words.T("preview.unfolded")}, 0, func(i int) { p.FoldEvery(i == 0) })
	back := kit.NewButton(words.T("preview.back"), kit.Secondary, p.close).WithGlyph(kit.GlyphLeft)
	last := kit.NewButton(words.T("command.previousDifference"), kit.Secondary, func() { p.c.Run(commands.PreviousDifference) })
	change := kit.NewButton(words.T("command.nextDifference"), kit.Secondary, func() { p.c.Run(commands.NextDifference) })
	p.headRow = kit.Row(10, back, kit.Label(words.T("preview.title")).Bold(), p.name, p.preset, p.state, kit.Spring(), p.folding, last,
		change)
	return kit.NewPane("", kit.Pad(0, 10, 0, 10, p.headRow))
}

func (p *PreviewSheet) foot() fyne.CanvasObject {
	p.discard = kit.NewButton(words.T("preview.discardEdit"), kit.Secondary, p.d.DiscardEdit)
	p.apply = kit.NewButton(words.T("preview.apply"), kit.Primary, p.ApplyDraft).Large()
	note := kit.NewText(words.T("preview.unchanged"), kit.ColorMuted, 12)
	p.asPreset = kit.NewButton(words.T("do.savePreset"), kit.Secondary, func() { show.SavePreset(p.d, p.w) })
	row := kit.Row(10, p.asPreset, p.discard, kit.Spring(), note, kit.Sized(170, 0, p.apply))
	return kit.NewPane("", kit.Pad(0, 10, 0, 10, row))
}

// link makes two ledgers scroll and select together.
func (p *PreviewSheet) link(a, b *kit.Ledger) {
	a.OnScroll = b.ScrollTo
	a.OnSelect = func(i int) {
		b.Select(i)
		b.ScrollTo(a.Offset())
	}
	a.OnFold = p.Toggle
	a.OnOpen = p.Toggle
	a.Tip = func(i int) string {
		if p.Rows == nil || i >= len(p.Rows.Lines) {
			return ""
		}
		run := p.Rows.Plan.Runs[p.Rows.Lines[i].Run]
		return show.FateBecause(run.Fate, compaction.Reason{Code: run.Why})
	}
}

// Show opens the sheet.
func (p *PreviewSheet) Show() {
	if p.Open {
		return
	}
	p.Open, p.only = true, OnlyAll
	p.filter.Select(int(OnlyAll))
	kit.HideTip(p.w.Canvas())
	p.c.Show(p.obj, p.back)
	p.FoldEvery(true) // now that it is known how many lines there is room for
	p.w.Canvas().Focus(p.Before)
}

// back answers Esc: it ends an edit first. The draft is kept.
func (p *PreviewSheet) back() {
	if p.Draft.editing {
		p.Draft.cancel()
		return
	}
	p.close()
}

func (p *PreviewSheet) close() {
	p.Open = false
	p.Draft.cancel()
	p.c.Hide()
}

func (p *PreviewSheet) ApplyDraft() {
	p.Draft.keep()
	p.c.Run(commands.ApplyDraft)
}

// job closes the sheet when its draft was applied.
func (p *PreviewSheet) job() {
	if !p.Open {
		return
	}
	if j := p.d.Job(); !j.Running() && j.Record != nil && j.Record.Outcome == model.Applied {
		p.close()
		return
	}
	p.buttons()
}

func (p *PreviewSheet) Toggle(i int) {
	if p.Rows == nil || i >= len(p.Rows.Lines) || p.Rows.Lines[i].Fold == kit.FoldNone {
		return
	}
	n := p.Rows.Lines[i]
	from := p.Rows.Plan.Runs[n.Run].From
	if p.folds[from] = foldOpen; n.Fold == kit.FoldOpen {
		p.folds[from] = foldShut
	}
	p.list()
}

// Step selects the next line whose messages the plan does not leave as they were,
// or with −1 the one before, and goes round at the ends.
func (p *PreviewSheet) Step(by int) {
	if p.Rows == nil {
		return
	}
	for i := range show.RoundFrom(p.Before.Selected(), by, len(p.Rows.Lines)) {
		l := p.Rows.Lines[i]
		if f := p.Rows.Plan.Runs[l.Run].Fate; l.inside || !onlyChanges.Shows(f) {
			continue
		}
		p.Before.Select(i)
		p.Before.OnSelect(i)
		return
	}
}

// ShowOnly leaves the lines of the other fates out.
func (p *PreviewSheet) ShowOnly(only previewOnly) {
	p.only = only
	p.filter.Select(int(only))
	p.Before.Select(-1)
	p.After.Select(-1)
	p.update()
}

// FoldEvery folds or unfolds all runs.
func (p *PreviewSheet) FoldEvery(fold bool) {
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

func (p *PreviewSheet) update() {
	if !p.Open || p.d.Session() == nil || p.d.Plan() == nil {
		return
	}
	pl := p.d.Plan()
	if e := p.d.Current(); e != nil {
		p.name.SetText(words.T("preview.of", "session", show.Shortened(show.EntryTitle(e), 36), "n", pl.Line.At()))
	}
	preset := show.PresetName(p.d.Params().Preset)
	if p.d.Modified() {
		preset = words.T("parameters.modified", "preset", preset)
	}
	p.preset.Set(preset, kit.ColorMuted)
	p.state.Set(p.stateWords(pl))
	p.headRow.Refresh()
	p.bars.update(pl)
	p.Draft.Update()
	p.Survive.Update()
	p.buttons()
	p.list()
}

// stateWords says how far the draft is.
func (p *PreviewSheet) stateWords(pl *compaction.Plan) (string, fyne.ThemeColorName) {
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

func (p *PreviewSheet) buttons() {
	dr := p.d.Draft()
	p.apply.SetEnabled(p.c.Enabled(commands.ApplyDraft))
	p.asPreset.SetEnabled(p.d.CanSavePresets())
	show.SetVisible(p.discard, dr != nil && dr.Edited)
}

func (p *PreviewSheet) list() {
	pl := p.d.Plan()
	p.Rows = NewPreviewRows(p.d, pl, p.folds, p.only, p.Before.Page())
	wide := 3
	for _, n := range p.Rows.Lines {
		wide = max(wide, len([]rune(p.Rows.numbers(n.From, n.To))))
		if wide > 9 || len(p.Rows.Lines) > 2000 {
			wide = 9
			break
		}
	}
	if len(p.Rows.Lines) > 0 { // else the columns stay where they were
		p.Before.SetNumberWidth(wide)
		p.After.SetNumberWidth(wide)
	}
	p.Before.SetSource(side{p.Rows, false})
	p.After.SetSource(side{p.Rows, true})
	size := func(n int64, msgs int, after bool) string {
		return words.T("count.messages", "count", msgs) + " · " + show.ContextSize(p.d, pl, n, after)
	}
	p.beforeIn.SetText(size(pl.Before.Tokens, pl.Before.Messages, false))
	p.afterIn.SetText(size(pl.After.Tokens, pl.After.Messages, true))
	p.was.SetRight(p.beforeIn) // as wide as its words are now
	p.will.SetRight(p.afterIn)
}
