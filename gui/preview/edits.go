package preview

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"palimpsest/compaction"
	"palimpsest/compaction/facts"
	"palimpsest/compaction/summarize/blocks"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk/undo"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// canEdit reports whether there is a text that can be changed.
func (p *Screen) canEdit() bool {
	dr := p.d.Draft()
	return dr != nil && dr.Text.Text != "" && !p.d.Job().Running()
}

// act does one of the actions of a row.
func (p *Screen) act(i, action int) {
	if p.after == nil || i < 0 || i >= len(p.after.Rows) || !p.canEdit() {
		return
	}
	r := p.after.Rows[i]
	if r.Kind != AfterBlock && r.Kind != AfterLine {
		return
	}
	name := show.Shortened(blockTitle(&p.after.reading.Blocks[r.Block]), 30)
	switch action {
	case actUp, actDown:
		p.MoveBlock(r.Block, map[int]int{actUp: -1, actDown: 1}[action])
	case actEdit:
		p.editRow(i)
	case actPin:
		p.d.PinSources(p.after.Sources(i))
	case actRemove:
		if r.Kind == AfterBlock {
			p.d.ChangeDraft(undo.DraftRemove, name, 1, func(o *blocks.Outline) (string, error) { return o.RemoveBlock(r.Block) })
			return
		}
		text := show.Shortened(kit.Clean(p.after.reading.Blocks[r.Block].Lines[r.Line].Text), 30)
		p.d.ChangeDraft(undo.DraftRemove, text, 1, func(o *blocks.Outline) (string, error) { return o.Remove(r.Block, r.Line) })
	}
}

// MoveBlock moves a block one place up (−1) or down (1); the selection goes with it.
func (p *Screen) MoveBlock(block, by int) {
	if p.after == nil || p.after.reading == nil || !p.canEdit() || !p.after.reading.CanMove(block, by) {
		return
	}
	name := show.Shortened(blockTitle(&p.after.reading.Blocks[block]), 30)
	p.d.ChangeDraft(undo.DraftMove, name, 1, func(o *blocks.Outline) (string, error) { return o.Move(block, by) })
	p.light.reset()
	p.light.keptBlock = block + by
}

// MoveSelected moves the block of the selected row.
func (p *Screen) MoveSelected(by int) {
	if i := p.After.Selected(); p.after != nil && i >= 0 && i < len(p.after.Rows) {
		if r := p.after.Rows[i]; r.Kind == AfterBlock || r.Kind == AfterLine {
			p.MoveBlock(r.Block, by)
		}
	}
}

// putBack lists facts in the summary again.
func (p *Screen) putBack(list ...facts.Fact) {
	if !p.canEdit() || len(list) == 0 {
		return
	}
	p.d.ChangeDraft(undo.DraftPutBack, show.Shortened(kit.Clean(list[0].Text), 30), len(list),
		func(o *blocks.Outline) (string, error) { return o.PutBack(list...) })
}

// takeOut takes a fact out that was put back.
func (p *Screen) takeOut(f facts.Fact) {
	if p.canEdit() {
		p.d.ChangeDraft(undo.DraftRemove, show.Shortened(kit.Clean(f.Text), 30), 1,
			func(o *blocks.Outline) (string, error) { return o.TakeOut(f) })
	}
}

// openAfter is Enter or a double click on a row at the right.
func (p *Screen) openAfter(i int) {
	switch p.after.Rows[i].Kind {
	case AfterLine:
		p.editRow(i)
	default:
		p.toggleAfter(i)
	}
}

// toggleAfter folds or unfolds a row at the right.
func (p *Screen) toggleAfter(i int) {
	switch r := p.after.Rows[i]; r.Kind {
	case AfterMore:
		p.folds[r.Block] = foldOpen
	case AfterBlock:
		if r.Fold == kit.FoldClosed {
			delete(p.folds, r.Block)
		} else {
			p.folds[r.Block] = foldShut
		}
	case AfterRun:
		from := p.after.Plan.Runs[r.Run].From
		if r.Fold == kit.FoldClosed {
			p.stays[from] = foldOpen
		} else {
			delete(p.stays, from)
		}
	default:
		return
	}
	p.list()
}

// foldAfter is → and ← on a row at the right.
func (p *Screen) foldAfter(i int, open bool) {
	if f := p.after.Rows[i].Fold; open && (f == kit.FoldClosed || p.after.Rows[i].Kind == AfterMore) || !open && f == kit.FoldOpen {
		p.toggleAfter(i)
	}
}

// editRow puts a field into the place of a line.
func (p *Screen) editRow(i int) {
	r := p.after.Rows[i]
	if r.Kind != AfterLine || !p.canEdit() {
		return
	}
	p.editing, p.editBlock, p.editLine = true, r.Block, r.Line
	p.field.SetText(p.after.reading.Raw(r.Block, r.Line))
	p.After.Select(i)
	p.After.Update()
	p.field.FocusOn(p.w.Canvas())
}

// EditLine writes the line of a row anew.
func (p *Screen) EditLine(i int, text string) {
	p.editRow(i)
	p.lineEdited(text)
}

// lineEdited takes the field's words over.
func (p *Screen) lineEdited(text string) {
	if !p.editing {
		return
	}
	b, l := p.editBlock, p.editLine
	p.endEdit()
	p.d.ChangeDraft(undo.DraftEdit, show.Shortened(kit.Clean(text), 30), 1,
		func(o *blocks.Outline) (string, error) { return o.Replace(b, l, text) })
	p.After.Update()
	p.w.Canvas().Focus(p.After)
}

// endEdit leaves a line or the text as it was.
func (p *Screen) endEdit() {
	p.editing, p.entry = false, nil
	p.After.Update()
}

// wrapEdits is the longest text whose lines are wrapped while it is edited; the
// toolkit is slow with longer ones.
const wrapEdits = 16 << 10

// Edit opens the whole text for editing by hand.
func (p *Screen) Edit() {
	dr := p.d.Draft()
	if dr == nil || dr.Text.Text == "" {
		return
	}
	e := &draftEntry{p: p}
	e.MultiLine = true
	e.ExtendBaseWidget(e)
	if len(dr.Text.Text) <= wrapEdits {
		e.Wrapping = fyne.TextWrapWord
	}
	e.SetText(dr.Text.Text)
	p.entry = e
	keep := kit.NewButton(words.T("preview.keepEdit"), kit.Primary, p.keepText).Small()
	cancel := kit.NewButton(words.T("do.cancel"), kit.Secondary, p.back).Small()
	p.body.Objects = []fyne.CanvasObject{kit.Stretch(kit.Column(0, kit.Sized(0, 32, kit.Pad(0, 10, 0, 10,
		kit.Row(8, kit.Spring(), cancel, keep))), kit.NewRule(), kit.Stretch(e)))}
	p.body.Refresh()
	p.w.Canvas().Focus(e)
	p.connect()
}

// SetText replaces the text that is edited by hand.
func (p *Screen) SetText(s string) {
	if p.entry != nil {
		p.entry.SetText(s)
	}
}

// keepText takes the text over that was edited by hand.
func (p *Screen) keepText() {
	if p.entry == nil {
		return
	}
	text := p.entry.Text
	p.endEdit()
	p.d.EditDraft(text)
	p.showMode()
}

// draftEntry is the editor of a whole text: Esc gives up, Ctrl+Enter applies.
type draftEntry struct {
	widget.Entry
	p *Screen
}

// TypedKey is Fyne's.
func (e *draftEntry) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyEscape {
		e.p.back()
		return
	}
	e.Entry.TypedKey(k)
}

// TypedShortcut is Fyne's.
func (e *draftEntry) TypedShortcut(s fyne.Shortcut) {
	if c, ok := s.(*desktop.CustomShortcut); ok && c.Modifier == fyne.KeyModifierShortcutDefault &&
		(c.KeyName == fyne.KeyReturn || c.KeyName == fyne.KeyEnter) {
		e.p.ApplyDraft()
		return
	}
	e.Entry.TypedShortcut(s)
}

// addMenu offers other drafts of the same plan.
func (p *Screen) addMenu() {
	pl := p.d.Plan()
	if pl == nil {
		return
	}
	var items []kit.MenuItem
	for _, s := range []model.Strategy{model.Extract, model.StructuredJSON, model.StructuredTable, model.Ledger} {
		items = append(items, kit.MenuItem{Text: words.T("strategy." + string(s)), Run: func() { p.d.TryStrategy(s) },
			Disabled: pl.Outcome != compaction.WouldApply || pl.Insert < 0, Why: words.T("preview.noRange")})
	}
	ask := kit.MenuItem{Text: words.T("command.ask"), Run: func() { p.c.Run(commands.Ask) }, Disabled: !p.d.CanAsk(),
		Why: words.T("needs.ask")}
	kit.ShowMenu(p.w.Canvas(), append(items, kit.Rule, ask), menuPlace(p.head.add), 0)
}

// menuPlace is below an object.
func menuPlace(o fyne.CanvasObject) fyne.Position {
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(o)
	return at.AddXY(0, o.Size().Height)
}

// StepDraft shows the next draft, or with −1 the one before.
func (p *Screen) StepDraft(by int) {
	list := p.d.Drafts()
	for i, dr := range list {
		if dr == p.d.Draft() {
			p.d.ChooseDraft((i + by + len(list)) % len(list))
			return
		}
	}
}
