package preview

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction"
	"palimpsest/gui/commands"
	"palimpsest/gui/kit"
	"palimpsest/gui/kit/reading"
	"palimpsest/gui/show"
	"palimpsest/gui/state"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/body"
)

// Screen shows a plan in full before it is applied, as a merge tool does:
//
//	originals │ after: draft by blocks │ what is lost
//
// Pointing at one side lights what belongs to it on the other; what is lost can be
// put back; every change is a step of the one undo.
type Screen struct {
	d *State
	w fyne.Window
	c *commands.Table

	Open  bool
	obj   *fyne.Container
	runs  map[int]runFold     // folds of runs at the left, by their first entry
	stays map[int]runFold     // and at the right
	folds map[foldKey]runFold // of blocks and their lines
	count int                 // of the blocks that folds are of
	only  model.Fate

	headRow       *fyne.Container
	name          *kit.Text
	preset, state *kit.Tag
	chips         []*kit.FateChip
	bars          *contextBars

	Before    *kit.Ledger
	originals *Originals
	was       *kit.Pane
	litWords  *kit.Text
	fold      *kit.Link // all runs and blocks

	head    *draftHead
	After   *kit.List
	after   *After
	body    *fyne.Container
	note    *kit.Paragraph
	streams bool // what a model writes is shown
	text    *reading.View
	diff    *diffView

	columns *columnsView

	Lost   *LostPane
	will   *kit.Pane // around the right side
	draft  *fyne.Container
	narrow bool
	main   *fyne.Container

	foot *foot

	Edits  *Editor
	lights *lights
	stop   int // the last stop of F7
}

// narrowWidth is the width, in units of the design, under which what is lost is a
// mode of the right side.
const narrowWidth = 1400

// New makes the screen and binds its command.
func New(d *State, w fyne.Window, c *commands.Table) *Screen {
	p := &Screen{d: d, w: w, c: c, runs: map[int]runFold{}, stays: map[int]runFold{}, folds: map[foldKey]runFold{}, only: noFate}
	p.Edits, p.lights = &Editor{p: p}, &lights{p: p}
	p.lights.reset()
	p.bars = newContextBars(d)
	p.Lost = newLostPane(d, p)
	p.head = newDraftHead(d, p)
	p.foot = newFoot(d, p)
	p.makeLeft()
	p.makeRight()
	p.draft = kit.Column(0, p.head.obj, kit.Stretch(p.body))
	p.will = kit.NewPane("", p.draft)
	p.main = container.New(&mergeLayout{p: p}, p.was, p.will, p.Lost.pane)
	p.obj = kit.Panes(kit.Sized(0, 40, p.header()), p.bars.obj, kit.Stretch(p.main), kit.Sized(0, 44, p.foot.obj))
	for _, t := range []state.Topic{state.TopicPlan, state.TopicFacts, state.TopicHistory, state.TopicAsking} {
		d.Listen(t, p.update)
	}
	d.Listen(state.TopicSession, func() {
		if p.Open {
			p.Edits.endEdit() // the text is of another history
			p.close()
		}
	})
	d.Listen(state.TopicJob, p.job)
	d.Listen(state.TopicAsking, p.heard)
	c.Bind(commands.Preview, func() bool { return d.Session() != nil && d.Planning.Plan() != nil }, func() {
		if !p.Open {
			p.Show()
		}
	})
	return p
}

func (p *Screen) header() fyne.CanvasObject {
	p.name = kit.NewText("", kit.ColorMuted, 13)
	p.preset, p.state = kit.NewTag("", kit.ColorMuted), kit.NewTag("", kit.ColorWarning)
	back := kit.NewButton(words.T("preview.back"), kit.Secondary, p.close).WithTip("preview.back.tip").WithGlyph(kit.GlyphLeft)
	last := kit.NewButton(words.T("preview.previous"), kit.Secondary, nil).Does(p.c, commands.PreviousDifference)
	next := kit.NewButton(words.T("preview.next"), kit.Secondary, nil).Does(p.c, commands.NextDifference)
	row := []fyne.CanvasObject{back, kit.Label(words.T("preview.title")).Bold(), p.name, p.preset, p.state, kit.Spring(),
		kit.NewText(words.T("preview.onlyChips"), kit.ColorFaint, 12)}
	for i, f := range model.Fates {
		chip := kit.NewFateChip(f.Letter(), words.T("ledger.only", "fate", show.FateWord(f)), func() { p.ToggleFate(i + 1) })
		p.chips = append(p.chips, chip)
		row = append(row, chip)
	}
	p.headRow = kit.Lines(8, append(row, last, next)...)
	return kit.NewPane("", kit.Pad(5, 10, 5, 10, p.headRow))
}

func (p *Screen) makeLeft() {
	p.Before = kit.NewLedger(show.LedgerCaptions())
	p.Before.Empty = kit.NewText(words.T("preview.noneOfThese"), kit.ColorMuted, 13).Center()
	p.Before.OnFold, p.Before.OnOpen = p.Toggle, p.Toggle
	p.Before.OnSelect = func(i int) { p.lights.keepLeft(i); p.lights.level(true) }
	p.Before.OnHover = p.lights.hoverLeft
	p.Before.OnScroll = func(float32) { p.lights.scrolled(true) }
	p.Before.OnLink = func(i int) {
		if f := p.lights.lostAt(i); f != nil {
			p.Edits.putBack(f.Fact)
		}
	}
	p.Before.Tip = func(i int) string {
		if p.originals == nil || i >= len(p.originals.Lines) {
			return ""
		}
		run := p.originals.Plan.Runs.At(p.originals.Lines[i].Run)
		return show.FateBecause(p.d, run.Fate, compaction.Reason{Code: run.Why})
	}
	p.fold = kit.NewLink("", func() { p.FoldEvery(p.unfolded()) }).WithTip("preview.fold.tip")
	p.litWords = kit.NewText("", kit.ColorMuted, 12)
	p.was = kit.NewPane(words.T("preview.originals"), p.Before, p.litWords)
	p.was.SetLeft(p.fold)
}

func (p *Screen) makeRight() {
	p.After = kit.NewList(24, func() int {
		if p.after == nil {
			return 0
		}
		return len(p.after.Rows)
	}, func() kit.ListRow { return newAfterRow(p) })
	p.After.WithTip("preview.after.means").OnSelect = func(i int) { p.lights.keepRight(i); p.lights.level(false) }
	p.After.OnHover = p.lights.hoverRight
	p.After.OnScroll = func(float32) { p.lights.scrolled(false) }
	p.After.OnOpen = p.Edits.openAfter
	p.After.OnDelete = func(i int) { p.Edits.act(i, actRemove) }
	p.After.OnFold = func(i int, open bool) { p.Edits.foldAfter(i, open) }
	p.Edits.field = kit.NewTextField("", nil).Plain()
	p.Edits.field.OnSubmitted = p.Edits.lineEdited
	p.text = reading.New(p.d.Scheduler())
	p.diff = newDiffView(p.d, p)
	p.columns = newColumnsView(p.d, p)
	p.note = kit.NewParagraph("", kit.ColorMuted, 13, 3).Center()
	p.body = kit.Column(0)
}

// Originals are the rows of the left side.
func (p *Screen) Originals() *Originals { return p.originals }

// Mode is how the right side is shown, one of the Mode constants.
func (p *Screen) Mode() int { return p.head.Mode.Selected() }

// IsLit reports whether a row of the right side is lit.
func (p *Screen) IsLit(i int) bool { return p.lights.isLit(i) }

// Result are the rows of the right side.
func (p *Screen) Result() *After { return p.after }

// Show opens the screen.
func (p *Screen) Show() {
	if p.Open {
		return
	}
	p.Open, p.only, p.stop, p.Edits.asks = true, noFate, -1, ""
	clear(p.runs)
	clear(p.stays)
	clear(p.folds)
	p.lights.reset()
	p.Lost.of = nil
	kit.HideTip(p.w.Canvas())
	p.c.Show(p.obj, p.leave)
	p.update()
	p.w.Canvas().Focus(p.Before)
}

// ShowAs opens the screen as the one was whose place it takes: its mode, the fate that alone
// is shown, the facts that are back, and the text that is edited by hand.
func (p *Screen) ShowAs(was *Screen) {
	p.Lost.backs, p.Lost.backsOf = was.Lost.backs, was.Lost.backsOf
	p.Show()
	p.only = was.only
	if mode := was.head.Mode.Selected(); mode < p.head.Mode.Len() {
		p.head.Mode.Select(mode)
	}
	p.update()
	if was.Edits.entry != nil {
		p.Edits.Edit()
		p.Edits.SetText(was.Edits.entry.Text)
	}
}

// back answers Esc: it ends an edit, lifts the light, and then leaves. The drafts
// are kept.
func (p *Screen) back() {
	switch {
	case p.Edits.editing, p.Edits.entry != nil:
		p.Edits.endEdit()
		p.showMode()
	case p.lights.keptBlock >= 0 || len(p.lights.keptMessages) > 0:
		p.lights.reset()
		p.lights.relight()
	default:
		p.close()
	}
}

// leave is back for whoever goes elsewhere: a text that is edited by hand becomes a draft.
func (p *Screen) leave() {
	if p.Edits.entry != nil {
		p.Edits.keepText()
		return
	}
	p.back()
}

func (p *Screen) close() {
	p.Edits.keepText()
	p.Open = false
	p.Edits.endEdit()
	p.c.Hide()
	p.d.DraftSet.ShowOwn()
}

// ApplyDraft applies the draft, with what is being edited.
func (p *Screen) ApplyDraft() {
	p.Edits.keepText()
	p.c.Run(commands.ApplyDraft)
}

// job closes the screen when its draft was applied.
func (p *Screen) job() {
	if !p.Open {
		return
	}
	if j := p.d.Job(); !j.Running() && j.Record != nil && j.Record.Outcome == model.Applied {
		p.Edits.endEdit() // its plan is gone
		p.close()
		return
	}
	p.foot.update()
}

// ToggleFate shows the rows of one fate, counted from 1, or all again.
func (p *Screen) ToggleFate(fate int) {
	f := model.Fates[fate-1]
	if p.only == f {
		f = noFate
	}
	p.only = f
	p.Before.Select(-1)
	p.After.Select(-1)
	p.update()
}

// Toggle folds or unfolds the run of a row at the left.
func (p *Screen) Toggle(i int) {
	if p.originals == nil || i >= len(p.originals.Lines) || p.originals.Lines[i].Fold == kit.FoldNone {
		return
	}
	l := p.originals.Lines[i]
	from := p.originals.Plan.Runs.At(l.Run).From
	switch {
	case l.Rest > 0, l.Fold == kit.FoldClosed:
		p.runs[from] = foldOpen
	default:
		p.runs[from] = foldShut
	}
	p.update()
}

// unfolded reports whether a run of originals is listed whole.
func (p *Screen) unfolded() bool {
	for _, f := range p.runs {
		if f == foldOpen {
			return true
		}
	}
	return false
}

// FoldEvery folds all runs and blocks, or unfolds them.
func (p *Screen) FoldEvery(fold bool) {
	pl := p.d.Planning.Plan()
	if pl == nil {
		return
	}
	how := foldOpen
	if fold {
		how = foldShut
	}
	for _, r := range pl.Runs.All() {
		p.runs[r.From], p.stays[r.From] = how, how
	}
	if r := p.d.DraftSet.DraftLines(); r != nil {
		clear(p.folds)
		for b := range r.Blocks {
			p.folds[foldKey{b, wholeBlock}] = how
		}
	}
	p.update()
}

func (p *Screen) update() {
	if !p.Open || p.d.Session() == nil || p.d.Planning.Plan() == nil {
		return
	}
	pl := p.d.Planning.Plan()
	if e := p.d.Current(); e != nil {
		p.name.SetText(words.T("preview.of", "session", show.Shortened(show.EntryTitle(e), 36), "n", pl.Line.At()))
	}
	preset := show.PresetName(p.d.Planning.Params().Preset)
	if p.d.Planning.Modified() {
		preset = words.T("parameters.modified", "preset", preset)
	}
	p.preset.Set(preset, kit.ColorMuted)
	p.state.Set(p.stateWords(pl))
	counts := pl.Counts()
	for i, chip := range p.chips {
		chip.Set(words.Int(int64(counts[i])), p.only == model.Fates[i])
		chip.SetEnabled(counts[i] > 0 || p.only == model.Fates[i])
	}
	p.headRow.Refresh()
	p.bars.update(pl)
	p.fold.SetText(words.T(map[bool]string{true: "preview.foldAll", false: "preview.unfoldAll"}[p.unfolded()]))
	p.Lost.Update()
	p.list()
	p.head.update()
	p.foot.update()
	p.showMode()
	p.Edits.planned(pl)
}

// stateWords says how far the draft is.
func (p *Screen) stateWords(pl *compaction.Plan) (string, fyne.ThemeColorName) {
	dr := p.d.DraftSet.Draft()
	switch {
	case pl.Outcome != compaction.WouldApply:
		return words.T("preview.refused"), kit.ColorWarning
	case dr == nil && pl.Policy.Strategy.Asks():
		return words.T("draft.none"), kit.ColorMuted
	case dr == nil:
		return words.T("preview.making"), kit.ColorMuted
	case len(dr.Flaws) > 0 && !dr.Accepted:
		return words.T("draft.flawed"), kit.ColorWarning
	case dr.Edited:
		return words.T("preview.edited"), kit.ColorWarning
	}
	return words.T("preview.notApplied"), kit.ColorWarning
}

// list makes the rows of both sides anew.
func (p *Screen) list() {
	pl := p.d.Planning.Plan()
	if r := p.d.DraftSet.DraftLines(); r != nil && len(r.Blocks) != p.count {
		clear(p.folds) // blocks came or went: the folds are of others
		p.count = len(r.Blocks)
	}
	p.after = newAfter(p.d, pl, p.stays, p.folds, p.only)
	used := func(int) bool { return false }
	if r := p.d.DraftSet.DraftLines(); r != nil {
		listed := map[int]bool{}
		for i := range p.after.Rows {
			if p.after.Rows[i].Kind == AfterLine {
				for _, h := range p.after.Sources(i) {
					listed[h] = true
				}
			}
		}
		used = func(h int) bool { return listed[h] }
	}
	p.originals = newOriginals(p.d, pl, p.runs, p.only, marks{used: used, lost: func(h int) string {
		if f := p.Lost.at(h); f != nil {
			return f.Text
		}
		return ""
	}, lit: func(h int) bool { return p.lights.litMessages[h] }, hover: -1})
	p.Before.SetSource(p.originals)
	wide := 3
	for _, n := range p.originals.Lines {
		wide = max(wide, len([]rune(numbersOf(pl, n.From, n.To))))
		if wide > 9 || len(p.originals.Lines) > 2000 {
			wide = 9
			break
		}
	}
	if len(p.originals.Lines) > 0 { // else the columns stay where they were
		p.Before.SetNumberWidth(wide)
	}
	p.After.Update()
	if p.After.Selected() >= 0 && p.lights.keptBlock >= 0 { // it goes with its block
		if i := p.after.find(p.lights.keptBlock, p.lights.keptLine); i >= 0 {
			p.After.Select(i)
		}
	}
	p.lights.relight()
}

// copyText copies a text and says so.
func (p *Screen) copyText(text string) {
	kit.Copy(text)
	p.c.Toast(words.T("shell.copied"), "", nil)
}

// showMode puts what the mode shows into the right side.
func (p *Screen) showMode() {
	if p.Edits.entry != nil {
		return
	}
	var o fyne.CanvasObject = p.After
	dr := p.d.DraftSet.Draft()
	switch p.head.Mode.Selected() {
	case ModeColumns:
		p.columns.update()
		o = p.columns.obj
	case ModeDiff:
		p.diff.update()
		o = p.diff.obj
	case ModeRaw:
		text := ""
		if dr != nil {
			text = dr.Text.Text
		}
		p.text.Set(body.Plain(text))
		edit := kit.NewButton(words.T("do.editDraft"), kit.Secondary, p.Edits.Edit).WithTip("do.editDraft.tip").Small()
		edit.SetEnabled(p.Edits.canEdit())
		copied := kit.NewButton(words.T("do.copy"), kit.Secondary, func() { p.copyText(text) }).
			WithTip("do.copy.tip").Small()
		o = kit.Column(0, kit.Sized(0, 32, kit.Pad(0, 10, 0, 10, kit.Row(8, kit.NewText(words.T("preview.rawHint"), kit.ColorMuted, 12),
			kit.Spring(), copied, edit))), kit.NewRule(), kit.Stretch(p.text))
	case ModeLost:
		o = kit.Spring() // the pane is laid over it
	default:
		if note, ink := p.noteWords(dr != nil && dr.Text.Text != ""); note != "" {
			p.note.Set(note, ink)
			var below fyne.CanvasObject = p.After
			if p.writing() {
				below = p.text
				p.follow()
			}
			o = kit.Flow(0, kit.Sized(0, 30, p.note), kit.NewRule(), kit.Stretch(below))
		}
	}
	p.body.Objects = []fyne.CanvasObject{kit.Stretch(o)}
	p.body.Refresh()
	p.main.Refresh()
}

// writing reports whether a model writes the draft and has begun.
func (p *Screen) writing() bool {
	return p.d.DraftSet.Draft() == nil && p.d.Writing() && p.d.Asking().Text() != ""
}

// follow shows the end of what a model has written.
func (p *Screen) follow() {
	p.text.Follow(p.d.Asking().Text())
}

// heard shows what a model writes as it comes.
func (p *Screen) heard() {
	switch was := p.streams; {
	case !p.Open:
	case p.writing() && was && p.head.Mode.Selected() == ModeRendered:
		p.follow()
	default:
		if p.streams = p.writing(); p.streams != was {
			p.showMode()
		}
		p.foot.update()
	}
}

// noteWords say why there is no text, or what is wrong with it; "" where there is
// nothing to say.
func (p *Screen) noteWords(text bool) (string, fyne.ThemeColorName) {
	pl, dr := p.d.Planning.Plan(), p.d.DraftSet.Draft()
	ink := kit.ColorMuted
	switch {
	case text && len(dr.Flaws) > 0 && !dr.Accepted:
		var names []string
		for _, f := range dr.Flaws {
			names = append(names, words.T("flaw."+string(f.Code)))
		}
		return strings.Join(names, " · "), kit.ColorWarning
	case text && pl.Outcome == compaction.WouldApply:
		return "", ink
	case pl.Outcome != compaction.WouldApply:
		return show.RefusedWords(p.d, pl), kit.ColorWarning
	case pl.Policy.Strategy == model.Drop:
		return words.T("preview.noText.drop"), ink
	case pl.Policy.Strategy == model.ClearOnly:
		return words.T("preview.noText.clear"), ink
	case dr == nil && pl.Policy.Strategy.Asks() && p.d.Writing():
		return words.T("asking.running"), ink
	case dr == nil && pl.Policy.Strategy.Asks():
		return words.T("draft.notAsked"), ink
	case dr == nil:
		return words.T("preview.making"), ink
	}
	return words.T("preview.noText.clear"), ink
}

// resized folds what is lost into a mode of the right side, or takes it out again.
func (p *Screen) resized(s fyne.Size) {
	narrow := s.Width < kit.Px(narrowWidth)
	if narrow != p.narrow {
		p.narrow = narrow
		p.head.setModes(narrow)
		if p.Open {
			p.showMode()
		}
	}
}

// mergeLayout puts both sides and what is lost beside each other. In a narrow window what
// is lost has no column.
type mergeLayout struct{ p *Screen }

// Widths in units of the design.
const lostWidth, paneGap = 310, 6

// MinSize implements fyne.Layout.
func (l *mergeLayout) MinSize(objs []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(2*kit.Px(320)+kit.Px(paneGap), fyne.Max(objs[0].MinSize().Height, kit.Px(200)))
}

// Layout implements fyne.Layout.
func (l *mergeLayout) Layout(objs []fyne.CanvasObject, s fyne.Size) {
	l.p.resized(s)
	was, will, lost := objs[0], objs[1], objs[2]
	gap, column := kit.Px(paneGap), float32(0)
	if !l.p.narrow {
		column = kit.Px(lostWidth + paneGap)
	}
	show.SetVisible(lost, !l.p.narrow || l.p.head.Mode.Selected() == ModeLost)
	alone := l.p.head.Mode.Selected() == ModeColumns
	show.SetVisible(was, !alone)
	half := (s.Width - gap - column) / 2
	left, width := half+gap, half
	if alone {
		left, width = 0, s.Width-column
	}
	place := func(o fyne.CanvasObject, x, y, w, h float32) {
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(w, h))
	}
	place(was, 0, 0, half, s.Height)
	place(will, left, 0, width, s.Height)
	if l.p.narrow { // below the head of the right side
		top := l.p.head.obj.MinSize().Height
		place(lost, s.Width-half, top, half, s.Height-top)
		return
	}
	place(lost, s.Width-column+gap, 0, column-gap, s.Height)
}
