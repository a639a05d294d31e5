package preview

import (
	"cmp"
	"slices"

	"fyne.io/fyne/v2"

	"palimpsest/compaction"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// foot is what can be done with the draft. Each button says what it will do.
type foot struct {
	d   *State
	p   *Screen
	obj fyne.CanvasObject
	row *fyne.Container

	discard, asPreset, apply *kit.Button
	export                   *kit.Button
	size, note               *kit.Text
}

func newFoot(d *State, p *Screen) *foot {
	f := &foot{d: d, p: p}
	f.discard = kit.NewButton(words.T("preview.discard"), kit.Secondary, d.DraftSet.DiscardDrafts).WithTip("preview.discard.tip")
	f.asPreset = kit.NewButton(words.T("do.savePreset"), kit.Secondary, func() { show.SavePreset(d.Planning, p.w) })
	f.asPreset.WithTip("do.savePreset.tip")
	f.export = kit.NewButton(words.T("preview.export"), kit.Secondary, f.exportMenu).WithTip("preview.export.tip").OpensMenu()
	f.apply = kit.NewButton(words.T("preview.apply"), kit.Primary, p.ApplyDraft).WithTip("preview.apply.tip").Large()
	f.size = kit.NewText("", kit.ColorMuted, 12)
	f.note = kit.NewText("", kit.ColorMuted, 12).Right()
	f.row = kit.Lines(10, f.discard, f.asPreset, f.export,
		kit.Stretch(kit.Means(f.size, "preview.counts.means")), kit.Stretch(f.note), kit.Sized(120, 0, f.apply))
	f.obj = kit.NewPane("", kit.Pad(5, 10, 5, 10, f.row))
	return f
}

func (f *foot) update() {
	pl, dr := f.d.Planning.Plan(), f.d.DraftSet.Draft()
	if pl == nil {
		return
	}
	f.doing()
	f.asPreset.SetEnabled(f.d.Planning.CanSavePresets())
	f.discard.SetEnabled(len(f.d.DraftSet.Drafts()) > 1)
	f.size.SetText("")
	switch {
	case pl.Outcome != compaction.WouldApply:
		f.note.SetText("") // the middle says it
		f.apply.SetTip(show.RefusedWords(f.d, pl))
	case dr == nil:
		f.note.SetText("")
	default:
		size := words.T("preview.writes", "count", pl.After.Messages,
			"tokens", show.ContextTokens(f.d, pl.After.Tokens, pl.Policy.Fixed))
		if n := len(f.d.Session().Thread().History) - pl.Line.At(); n > 0 { // an export goes on with them
			size += " · " + words.T("preview.follow", "count", n)
		}
		f.size.SetText(size)
		if later := show.LaterWords(f.d); later != "" {
			f.say(later, kit.ColorWarning)
			break
		}
		if _, others := f.d.DraftSet.Edited(); others && f.d.DraftSet.Unedited() == nil {
			f.say(words.T("preview.editedOthers"), kit.ColorWarning)
			break
		}
		n := 1 + max(0, slices.Index(f.d.DraftSet.Drafts(), dr))
		f.say(words.T("preview.stores", "n", n), kit.ColorMuted)
	}
	f.row.Refresh()
}

// say puts words before the primary button.
func (f *foot) say(text string, ink fyne.ThemeColorName) {
	f.note.SetText(text)
	f.note.SetColor(ink)
}

// doing makes the primary button the next step: applying a draft, or asking for one.
func (f *foot) doing() {
	if ask := f.d.DraftSet.Draft() == nil && f.d.Planning.Params().Strategy.Asks(); ask {
		text := words.T("command.ask")
		if f.d.Asking().Running() {
			text = words.T("preview.asking")
		}
		f.apply.SetText(text)
		f.apply.OnTapped = func() { f.p.c.Run(commands.Ask) }
		f.apply.SetTip(f.p.c.Tip(commands.Ask))
		f.apply.SetEnabled(f.p.c.Enabled(commands.Ask))
		return
	}
	f.apply.SetText(words.T("preview.apply"))
	f.apply.OnTapped = f.p.ApplyDraft
	f.apply.SetTip(words.T("preview.apply.tip"))
	if why := show.LaterWords(f.d); why != "" {
		f.apply.SetTip(why)
	}
	f.apply.SetEnabled(f.p.c.Enabled(commands.ApplyDraft))
}

// exportMenu offers what can be written of the preview.
func (f *foot) exportMenu() {
	dr := f.d.DraftSet.Draft()
	none := dr == nil || dr.Text.Text == ""
	kit.ShowMenuUnder(f.export, []kit.MenuItem{
		{Text: words.T("preview.export.previewed"), Run: func() { f.p.c.Run(commands.Export) },
			Disabled: f.d.CanExport(desk.Previewed) != "", Why: cmp.Or(show.LaterWords(f.d), words.T("preview.noDraft"))},
		{Text: words.T("preview.export.gone"), Run: func() { f.p.c.Run(commands.ExportGone) },
			Disabled: !f.p.c.Enabled(commands.ExportGone), Why: words.T("preview.nothingGoes")},
		kit.Rule,
		{Text: words.T("preview.export.copy"), Run: func() { f.p.copyText(dr.Text.Text) },
			Disabled: none, Why: words.T("preview.noDraft")},
	})
}
