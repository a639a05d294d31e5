package preview

import (
	"cmp"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"palimpsest/compaction"
	"palimpsest/compaction/facts"
	"palimpsest/compaction/summarize/blocks"
	"palimpsest/gui/commands"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/state/undo"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// Editor changes the draft: by its rows, or as a whole by hand.
type Editor struct {
	p                   *Screen
	field               *kit.TextField // in the place of a line
	entry               *draftEntry    // the whole text, while it is edited by hand
	editing             bool
	editBlock, editLine int
	edited              int            // the line of the text that the field has
	asks                model.Strategy // by which a model is asked when its plan is there; "": none
}

// canEdit reports whether there is a text that can be changed.
func (e *Editor) canEdit() bool {
	dr := e.p.d.DraftSet.Draft()
	return dr != nil && dr.Text.Text != "" && !e.p.d.Job().Running()
}

// act does one of the actions of a row.
func (e *Editor) act(i, action int) {
	if e.p.after == nil || i < 0 || i >= len(e.p.after.Rows) || !e.canEdit() {
		return
	}
	r := e.p.after.Rows[i]
	if r.Kind != AfterBlock && r.Kind != AfterLine {
		return
	}
	name := show.Shortened(blockTitle(&e.p.after.reading.Blocks[r.Block]), 30)
	switch action {
	case actUp, actDown:
		e.MoveBlock(r.Block, map[int]int{actUp: -1, actDown: 1}[action])
	case actEdit:
		e.editRow(i)
	case actPin:
		e.p.d.Planning.PinPicked(e.p.originals.Pinnable(e.p.after.Sources(i)), true)
	case actRemove:
		if r.Kind == AfterBlock {
			e.p.d.DraftSet.ChangeDraft(undo.DraftRemove, name, 1, func(o *blocks.Outline) (string, error) { return o.RemoveBlock(r.Block) })
			return
		}
		text := show.Shortened(kit.Clean(e.p.after.reading.Blocks[r.Block].Lines[r.Line].Text), 30)
		e.p.d.DraftSet.ChangeDraft(undo.DraftRemove, text, 1, func(o *blocks.Outline) (string, error) { return o.Remove(r.Block, r.Line) })
	}
}

// MoveBlock moves a block so many places down, or up where by is negative, as far as it
// can go; the selection goes with it.
func (e *Editor) MoveBlock(block, by int) {
	if e.p.after == nil || e.p.after.reading == nil || !e.canEdit() {
		return
	}
	step, to := 1, block
	if by < 0 {
		step = -1
	}
	for to != block+by && e.p.after.reading.CanMove(to, step) {
		to += step
	}
	if to == block {
		return
	}
	name := show.Shortened(blockTitle(&e.p.after.reading.Blocks[block]), 30)
	e.p.d.DraftSet.ChangeDraft(undo.DraftMove, name, 1, func(o *blocks.Outline) (text string, err error) {
		for at := block; at != to && err == nil; at += step {
			text, err = o.Move(at, step)
			o = blocks.Parse(text)
		}
		return text, err
	})
	e.p.lights.reset()
	e.p.lights.keptBlock = to
	e.p.lights.relight()
}

// movable reports whether the block of a row at the right has another one beside it with
// which it can change places.
func (e *Editor) movable(i int) bool {
	b := e.blockAt(i)
	return b >= 0 && (e.p.after.reading.CanMove(b, 1) || e.p.after.reading.CanMove(b, -1))
}

// blockAt is the block of a row at the right; −1: it is none of the summary's.
func (e *Editor) blockAt(i int) int {
	if e.p.after == nil || i < 0 || i >= len(e.p.after.Rows) || !e.canEdit() {
		return -1
	}
	switch r := e.p.after.Rows[i]; r.Kind {
	case AfterBlock, AfterLine, AfterMore:
		return r.Block
	}
	return -1
}

// MoveSelected moves the block of the selected row.
func (e *Editor) MoveSelected(by int) {
	if i := e.p.After.Selected(); e.p.after != nil && i >= 0 && i < len(e.p.after.Rows) {
		if r := e.p.after.Rows[i]; r.Kind == AfterBlock || r.Kind == AfterLine {
			e.MoveBlock(r.Block, by)
		}
	}
}

// putBack lists facts in the summary again.
func (e *Editor) putBack(list ...facts.Fact) {
	if !e.canEdit() || len(list) == 0 {
		return
	}
	e.p.d.DraftSet.ChangeDraft(undo.DraftPutBack, show.Shortened(kit.Clean(list[0].Text), 30), len(list),
		func(o *blocks.Outline) (string, error) { return o.PutBack(list...) })
}

// takeOut takes a fact out that was put back.
func (e *Editor) takeOut(f facts.Fact) {
	if e.canEdit() {
		e.p.d.DraftSet.ChangeDraft(undo.DraftRemove, show.Shortened(kit.Clean(f.Text), 30), 1,
			func(o *blocks.Outline) (string, error) { return o.TakeOut(f) })
	}
}

// openAfter is Enter or a double click on a row at the right.
func (e *Editor) openAfter(i int) {
	if e.p.after.Rows[i].Kind == AfterLine {
		e.editRow(i)
		return
	}
	e.toggleAfter(i)
}

// toggleAfter folds or unfolds a row at the right.
func (e *Editor) toggleAfter(i int) {
	switch r := e.p.after.Rows[i]; r.Kind {
	case AfterMore:
		e.p.folds[foldKey{r.Block, wholeBlock}] = foldOpen
	case AfterBlock:
		if r.Fold == kit.FoldClosed {
			delete(e.p.folds, foldKey{r.Block, wholeBlock})
		} else {
			e.p.folds[foldKey{r.Block, wholeBlock}] = foldShut
		}
	case AfterLine:
		switch r.Fold {
		case kit.FoldClosed:
			e.p.folds[foldKey{r.Block, r.Line}] = foldOpen
		case kit.FoldOpen:
			e.p.folds[foldKey{r.Block, r.Line}] = foldShut
		default:
			return
		}
	case AfterRun:
		from := e.p.after.Plan.Runs.At(r.Run).From
		if r.Fold == kit.FoldClosed {
			e.p.stays[from] = foldOpen
		} else {
			delete(e.p.stays, from)
		}
	default:
		return
	}
	e.p.list()
}

// foldAfter is → and ← on a row at the right.
func (e *Editor) foldAfter(i int, open bool) {
	if f := e.p.after.Rows[i].Fold; open && (f == kit.FoldClosed || e.p.after.Rows[i].Kind == AfterMore) || !open && f == kit.FoldOpen {
		e.toggleAfter(i)
	}
}

// editRow puts a field into the place of a line.
func (e *Editor) editRow(i int) {
	r := e.p.after.Rows[i]
	if r.Kind != AfterLine || !e.canEdit() {
		return
	}
	e.editing, e.editBlock, e.editLine, e.edited = true, r.Block, r.Line, r.Line
	read := e.p.after.reading
	if b := &read.Blocks[r.Block]; b.Kind == blocks.Turns && b.Lines[r.Line].Depth == 0 {
		_, e.edited = read.FirstWords(r.Block, r.Line) // what is shown, not the number of the turn
	}
	e.field.SetText(read.Raw(r.Block, e.edited))
	e.p.After.Select(i)
	e.p.After.Update()
	e.field.FocusAtEnd(e.p.w.Canvas())
}

// EditLine writes the line of a row anew.
func (e *Editor) EditLine(i int, text string) {
	e.editRow(i)
	e.lineEdited(text)
}

// lineEdited takes the field's words over.
func (e *Editor) lineEdited(text string) {
	if !e.editing {
		return
	}
	b, l := e.editBlock, e.edited
	e.endEdit()
	e.p.d.DraftSet.ChangeDraft(undo.DraftEdit, show.Shortened(kit.Clean(text), 30), 1,
		func(o *blocks.Outline) (string, error) { return o.Replace(b, l, text) })
	e.p.After.Update()
	e.p.w.Canvas().Focus(e.p.After)
}

// endEdit leaves a line or the text as it was.
func (e *Editor) endEdit() {
	e.editing, e.entry = false, nil
	e.p.After.Update()
}

// wrapEdits is the longest text whose lines are wrapped while it is edited; the
// toolkit is slow with longer ones.
const wrapEdits = 16 << 10

// Edit opens the whole text for editing by hand.
func (e *Editor) Edit() {
	dr := e.p.d.DraftSet.Draft()
	if dr == nil || dr.Text.Text == "" {
		return
	}
	x := &draftEntry{p: e.p}
	x.MultiLine = true
	x.ExtendBaseWidget(x)
	if len(dr.Text.Text) <= wrapEdits {
		x.Wrapping = fyne.TextWrapWord
	}
	x.SetText(dr.Text.Text)
	e.entry = x
	keep := kit.NewButton(words.T("preview.keepEdit"), kit.Primary, e.keepText).WithTip("preview.keepEdit.tip").Small()
	cancel := kit.NewButton(words.T("do.cancel"), kit.Secondary, e.p.back).Small()
	e.p.body.Objects = []fyne.CanvasObject{kit.Stretch(kit.Column(0, kit.Sized(0, 32, kit.Pad(0, 10, 0, 10,
		kit.Row(8, kit.Spring(), cancel, keep))), kit.NewRule(), kit.Stretch(x)))}
	e.p.body.Refresh()
	e.p.w.Canvas().Focus(x)
}

// SetText replaces the text that is edited by hand.
func (e *Editor) SetText(s string) {
	if e.entry != nil {
		e.entry.SetText(s)
	}
}

// keepText takes the text over that was edited by hand.
func (e *Editor) keepText() {
	if e.entry == nil {
		return
	}
	text := e.entry.Text
	e.endEdit()
	e.p.d.DraftSet.EditDraft(text)
	e.p.showMode()
}

// addMenu offers other drafts of the same plan.
func (e *Editor) addMenu() {
	pl := e.p.d.Planning.Plan()
	if pl == nil {
		return
	}
	var items []kit.MenuItem
	for _, s := range []model.Strategy{model.Extract, model.StructuredJSON, model.StructuredTable, model.NoteText} {
		items = append(items, kit.MenuItem{Text: words.T("strategy." + string(s)), Run: func() { e.p.d.DraftSet.TryStrategy(s) },
			Disabled: pl.Outcome != compaction.WouldApply || pl.Insert < 0, Why: words.T("preview.noRange")})
	}
	items = append(items, kit.Rule)
	for _, s := range []model.Strategy{model.ModelText, model.ModelNote} {
		items = append(items, kit.MenuItem{Text: words.T("preview.askBy", "strategy", words.T("strategy."+string(s))),
			Run: func() { e.Ask(s) }, Disabled: pl.Outcome != compaction.WouldApply || pl.Insert < 0 || e.p.d.Later() != nil,
			Why: cmp.Or(show.LaterWords(e.p.d), words.T("preview.noRange"))})
	}
	kit.ShowMenuUnder(e.p.head.add, items)
}

// Ask asks a model for a draft by a strategy, which becomes that of the parameters; the drafts
// that are there stay beside it.
func (e *Editor) Ask(s model.Strategy) {
	if e.p.d.Planning.Params().Strategy != s {
		e.asks = s
		e.p.d.Planning.Set(func(q *model.Policy) { q.Strategy = s })
		return
	}
	e.p.c.Run(commands.Ask)
}

// planned asks what waited for the plan of its strategy.
func (e *Editor) planned(pl *compaction.Plan) {
	if s := e.asks; s != "" && pl.Policy.Strategy == s {
		e.asks = ""
		e.p.c.Run(commands.Ask)
	}
}

// StepDraft shows the next draft, or with −1 the one before.
func (e *Editor) StepDraft(by int) {
	list := e.p.d.DraftSet.Drafts()
	if i := slices.Index(list, e.p.d.DraftSet.Draft()); i >= 0 {
		e.p.d.DraftSet.ChooseDraft((i + by + len(list)) % len(list))
	}
}

// draftEntry is the editor of a whole text: Esc gives up, Ctrl+Enter applies.
type draftEntry struct {
	widget.Entry
	p *Screen
}

// CreateRenderer is Fyne's.
func (e *draftEntry) CreateRenderer() fyne.WidgetRenderer {
	return kit.RestingCaret(e, e.Entry.CreateRenderer())
}

// TypedKey is Fyne's.
func (e *draftEntry) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyEscape {
		e.p.back()
		return
	}
	e.Entry.TypedKey(k)
}

// TypedShortcut applies, and searches the commands.
func (e *draftEntry) TypedShortcut(s fyne.Shortcut) {
	if c, ok := s.(*desktop.CustomShortcut); ok && c.Modifier == fyne.KeyModifierShortcutDefault {
		switch c.KeyName {
		case fyne.KeyReturn, fyne.KeyEnter:
			e.p.ApplyDraft()
			return
		case fyne.KeyK:
			e.p.c.Run(commands.Palette)
			return
		}
	}
	e.Entry.TypedShortcut(s)
}
