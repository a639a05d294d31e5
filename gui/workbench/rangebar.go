package workbench

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction/session"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// rangeBar is the strip at the foot of the ledger that says what is selected and acts
// on all of it. Its place is kept while one row is selected, so that no row moves.
//
//	24 selected · ~10.1K tokens  141–164, all summarised   [Pin 24] [Copy as ▾] [Export…] Clear
type rangeBar struct {
	p      *LedgerPane
	obj    fyne.CanvasObject
	row    *fyne.Container
	ground *kit.Fill
	head   *kit.Text
	rest   *kit.Text
	pin    *kit.Button
	as     *kit.Button
	acts   []fyne.CanvasObject
	anchor int // message at the other end of the range; 0: one row is selected, or none
}

func newRangeBar(p *LedgerPane) *rangeBar {
	b := &rangeBar{p: p, ground: kit.NewFill(kit.ColorSelection, 0),
		head: kit.NewText("", kit.ColorText, 12).Bold(), rest: kit.NewText("", kit.ColorMuted, 12).Fit()}
	b.pin = kit.NewButton("", kit.Secondary, p.d.TogglePinSelected).Small()
	b.as = kit.NewButton(words.T("range.copyAs"), kit.Secondary, func() { kit.ShowMenuUnder(b.as, b.copyItems()) }).
		WithTip("range.copyAs.tip").OpensMenu().Small()
	export := kit.NewButton(words.T("range.export"), kit.Secondary, nil).Does(p.c, commands.ExportSelection).Small()
	none := kit.NewLink(words.T("range.clear"), b.none).WithTip("range.clear.tip")
	b.acts = []fyne.CanvasObject{b.pin, b.as, export, none}
	tip := func() string { return words.T("range.tokens.tip") }
	b.row = kit.Row(8, append([]fyne.CanvasObject{kit.Hinted(b.head, tip), kit.Stretch(kit.Hinted(b.rest, tip))}, b.acts...)...)
	b.obj = kit.Column(0, kit.NewRule(), container.NewStack(b.ground, kit.Sized(0, 30, kit.Pad(0, 10, 0, 10, b.row))))
	b.update()
	return b
}

// update says what is selected now.
func (b *rangeBar) update() {
	d := b.p.d
	from, to := b.p.List.Selection()
	d.SetRange(from, to)
	picked, many := d.Range()
	b.anchor = 0
	if many {
		other := from
		if b.p.List.Selected() == from {
			other = to - 1
		}
		b.anchor = d.Row(other).Num
	}
	tokens := words.TokensOf(picked.Tokens, true, picked.Exact)
	switch {
	case many:
		b.head.SetText(words.T("range.selected", "count", picked.Rows) + " · " +
			words.T("count.tokens", "count", picked.Tokens, "tokens", tokens))
		b.rest.SetText(b.about(picked))
	case to > from && to <= d.RowCount() && d.Row(from).Kind != session.RowDamaged:
		one := d.Pick(from, to)
		b.head.SetText("")
		b.rest.SetText(words.T("count.tokens", "count", one.Tokens, "tokens", words.TokensOf(one.Tokens, true, one.Exact)))
	default:
		b.head.SetText("")
		b.rest.SetText("")
	}
	b.pin.SetText(b.pinText(picked))
	b.pin.SetEnabled(len(picked.Messages) > 0)
	b.ground.Hidden, b.head.Hidden = !many, !many
	for _, o := range b.acts {
		if many {
			o.Show()
		} else {
			o.Hide()
		}
	}
	b.row.Refresh()
	b.ground.Refresh()
}

// about says which messages they are, and their fate if it is one.
func (b *rangeBar) about(p desk.Picked) string {
	if len(p.Messages) == 0 {
		return ""
	}
	text := words.T("range.numbers", "from", p.Messages[0]+1, "to", p.Messages[len(p.Messages)-1]+1)
	if b.p.d.Filter().Sort != desk.AsSaid {
		text = words.T("count.messages", "count", len(p.Messages))
	}
	for i, f := range model.Fates {
		switch n := p.Fates[i]; {
		case n == 0:
		case n == p.Rows:
			return text + ", " + words.T("range.all", "fate", show.FateWord(f))
		default:
			text += ", " + words.T("range.some", "n", n, "fate", show.FateWord(f))
		}
	}
	return text
}

func (b *rangeBar) pinText(p desk.Picked) string {
	if p.Pinned > 0 && p.Pinned == len(p.Messages) {
		return words.T("range.unpin", "n", len(p.Messages))
	}
	return words.T("range.pin", "n", len(p.Messages))
}

// none leaves the one row that has the focus selected.
func (b *rangeBar) none() { b.p.List.Keep(b.p.List.Selected()) }

// copyForms are the forms that a selection is copied in.
var copyForms = []struct {
	how  desk.Copying
	name string
}{{}, {how: desk.Copying{As: transcript.FormatMarkdown}, name: "Markdown"}, {how: desk.Copying{As: transcript.FormatJSON}, name: "JSON"}}

func (b *rangeBar) copyItems() (items []kit.MenuItem) {
	picked, _ := b.p.d.Range()
	for _, f := range copyForms {
		name := f.name
		if name == "" {
			name = words.T("range.text")
		}
		items = append(items, kit.MenuItem{Text: words.T("range.copyForm", "form", name), Run: func() { b.copy(picked, f.how) }})
	}
	return append(items, kit.MenuItem{Text: words.T("row.copyRedacted"), Run: func() { b.copy(picked, desk.Copying{Hide: true}) }})
}

// items is the menu of the rows that are selected together.
func (b *rangeBar) items() []kit.MenuItem {
	picked, _ := b.p.d.Range()
	items := []kit.MenuItem{{Text: b.pinText(picked), Shortcut: b.p.c.Key(commands.Pin), Run: b.p.d.TogglePinSelected,
		Disabled: len(picked.Messages) == 0}, b.p.noteItem()}
	items = append(items, b.copyItems()...)
	return append(items, kit.MenuItem{Text: words.T("range.export"), Run: func() { b.p.c.Run(commands.ExportSelection) }},
		kit.Rule, kit.MenuItem{Text: words.T("range.clear"), Shortcut: "Esc", Run: b.none})
}

func (b *rangeBar) copy(p desk.Picked, how desk.Copying) {
	b.p.d.CopyPicked(p.Messages, how, func(text string, hidden int, err error) {
		if err != nil {
			b.p.d.Fail(err)
			return
		}
		kit.Copy(text)
		said := words.T("range.copied", "count", len(p.Messages))
		if how.Hide {
			said = words.T("row.copiedRedacted", "count", hidden)
		}
		b.p.c.Toast(said, "", nil)
	})
}
