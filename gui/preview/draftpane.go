package preview

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"palimpsest/compaction"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// draftPane is the text of the summary as it would be stored, to read and to
// change by hand.
type draftPane struct {
	d       *desk.Desk
	w       fyne.Window
	onApply func()

	Pane  *kit.Pane
	view  *kit.TextView
	Entry *draftEntry
	size  *kit.Text
	kind  *kit.Tag
	edit  *kit.Button
	save  *kit.Button
	undo  *kit.Button
	copy  *kit.Button
	text  string
	shown string // what the view holds, in which mode

	ask     *kit.Button   // asks a model, or asks it again
	former  *kit.Segments // which of the drafts
	formers int           // of how many
	Mode    *kit.Segments // text, unified, side by side, what survives
	facts   *draftFacts
	flaws   *kit.Tag
	other   *kit.TextView // the former draft, beside the one that is shown
	beside  *kit.Split

	editing bool
}

// wrapEdits is the longest text whose lines are wrapped while it is edited; the
// toolkit is slow with longer ones.
const wrapEdits = 16 << 10

func NewDraftPane(d *desk.Desk, w fyne.Window, ask func()) *draftPane {
	p := &draftPane{d: d, w: w}
	p.view = kit.NewTextView(false, false)
	p.size = kit.NewText("", kit.ColorMuted, 12)
	p.kind = kit.NewTag("", kit.ColorText)
	p.edit = kit.NewButton(words.T("do.editDraft"), kit.Secondary, p.Begin).Small()
	p.save = kit.NewButton(words.T("preview.keepEdit"), kit.Secondary, p.keep).Small()
	p.undo = kit.NewButton(words.T("do.cancel"), kit.Secondary, p.cancel).Small()
	p.copy = kit.NewButton(words.T("do.copy"), kit.Secondary, func() {
		if dr := d.Draft(); dr != nil {
			fyne.CurrentApp().Clipboard().SetContent(dr.Text.Text)
		}
	}).Small()
	p.ask = kit.NewButton("", kit.Secondary, ask).Small()
	p.facts = newDraftFacts(d)
	p.Mode = kit.NewSegments([]string{words.T("draft.text"), words.T("draft.unified"), words.T("draft.beside"), words.T("draft.facts")},
		DraftText, func(int) { p.Show() })
	p.flaws = kit.NewTag("", kit.ColorWarning)
	p.other = kit.NewTextView(false, false)
	p.view.OnMetrics, p.other.OnMetrics = p.compare, p.compare
	p.Pane = kit.NewPane(words.T("preview.draft"), p.view)
	p.Pane.SetLeft(p.kind, p.size)
	d.Listen(desk.TopicFacts, func() {
		if p.Mode.Selected() == DraftSurvives {
			p.Show()
		}
	})
	return p
}

func (p *draftPane) Update() {
	pl, dr := p.d.Plan(), p.d.Draft()
	text, size := "", ""
	switch {
	case pl.Outcome != compaction.WouldApply && (dr == nil || dr.Text.Text == "" || len(dr.Flaws) == 0):
		text = show.RefusedWords(pl)
	case pl.Policy.Strategy == model.Drop:
		text = words.T("preview.noText.drop")
	case pl.Policy.Strategy == model.ClearOnly:
		text = words.T("preview.noText.clear")
	case dr == nil && pl.Policy.Strategy.Asks() && p.d.Asking().Running():
		text = words.T("asking.running")
	case dr == nil && pl.Policy.Strategy.Asks():
		text = words.T("draft.notAsked")
	case dr == nil:
		text = words.T("preview.making")
	case dr.Text.Text == "":
		text = words.T("preview.noText.clear")
	default:
		text, size = dr.Text.Text, p.weight(dr.Text)
	}
	p.kind.Set(words.T("strategy."+string(pl.Policy.Strategy)), kit.ColorText)
	p.size.SetText(size)
	p.text = text
	p.Show()
	p.left(dr)
	p.head(dr != nil && size != "")
}

// weight is the size of the text beside its budget.
func (p *draftPane) weight(t compaction.Text) string {
	q := p.d.Params()
	b := q.BudgetInForce()
	n := show.TokenCount(p.d, int64(t.Tokens))
	switch {
	case b.N == 0:
		return words.T("count.tokens", "tokens", n, "count", t.Tokens)
	case b.Unit == model.Chars:
		return words.T("preview.ofChars", "n", len([]rune(t.Text)), "budget", b.N, "tokens", n)
	}
	return words.T("preview.ofBudget", "n", n, "budget", b.N)
}

func (p *draftPane) head(text bool) {
	switch {
	case p.editing:
		p.Pane.SetRight(p.undo, p.save)
	case text && p.asks():
		p.ask.SetText(words.T("draft.again"))
		if len(p.d.Drafts()) > 1 {
			p.Pane.SetRight(p.former, p.Mode, p.edit, p.ask)
		} else {
			p.Pane.SetRight(p.Mode, p.copy, p.edit, p.ask)
		}
	case text:
		p.Pane.SetRight(p.copy, p.edit)
	case p.d.CanAsk():
		p.ask.SetText(words.T("draft.ask"))
		p.Pane.SetRight(p.ask)
	default:
		p.Pane.SetRight()
	}
}

// Begin opens the text for editing.
func (p *draftPane) Begin() {
	dr := p.d.Draft()
	if dr == nil || dr.Text.Text == "" {
		return
	}
	p.Entry = newDraftEntry(p)
	if len(dr.Text.Text) <= wrapEdits {
		p.Entry.Wrapping = fyne.TextWrapWord
	}
	p.Entry.SetText(dr.Text.Text)
	p.editing = true
	p.Pane.SetBody(p.Entry)
	p.head(true)
	p.w.Canvas().Focus(p.Entry)
}

// keep takes the edited text over into the draft.
func (p *draftPane) keep() {
	if !p.editing {
		return
	}
	text := p.Entry.Text
	p.end()
	if dr := p.d.Draft(); dr != nil && dr.Text.Text != text && text != "" {
		p.d.EditDraft(text)
	}
	p.Update()
}

// cancel leaves the draft as it was before the edit.
func (p *draftPane) cancel() {
	if p.editing {
		p.end()
		p.Update()
	}
}

func (p *draftPane) end() {
	p.editing, p.Entry = false, nil
	p.shown = ""
	p.Show()
}

// draftEntry is the editor of a draft: Esc gives up, Ctrl+Enter applies.
type draftEntry struct {
	widget.Entry
	p *draftPane
}

func newDraftEntry(p *draftPane) *draftEntry {
	e := &draftEntry{p: p}
	e.MultiLine = true
	e.ExtendBaseWidget(e)
	return e
}

// TypedKey is Fyne's.
func (e *draftEntry) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyEscape {
		e.p.cancel()
		return
	}
	e.Entry.TypedKey(k)
}

// TypedShortcut is Fyne's.
func (e *draftEntry) TypedShortcut(s fyne.Shortcut) {
	if c, ok := s.(*desktop.CustomShortcut); ok && c.Modifier == fyne.KeyModifierShortcutDefault &&
		(c.KeyName == fyne.KeyReturn || c.KeyName == fyne.KeyEnter) {
		e.p.onApply()
		return
	}
	e.Entry.TypedShortcut(s)
}
