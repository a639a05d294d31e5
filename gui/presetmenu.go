package gui

import (
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/compaction"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// presetTitle is the name of the preset in use, and whether it was changed.
func (p *paramPane) presetTitle() string {
	if p.d.Session() == nil {
		return words.T("parameter.preset")
	}
	name := presetName(p.d.Params().Preset)
	if p.d.Modified() {
		return words.T("parameters.modified", "preset", name)
	}
	return name
}

// presetName is a preset's name in the person's language; a saved one has the
// name it was given.
func presetName(id string) string {
	if l, ok := lookAlike(id); ok {
		return words.T("lookalike.name", "engine", l.Engine)
	}
	if _, ok := compaction.PresetByID(id); ok {
		return words.T("preset." + id)
	}
	if id == "" {
		return words.T("preset.own")
	}
	return id
}

// presetMenu offers the presets, built-in ones first.
func (p *paramPane) presetMenu() {
	d, now := p.d, p.d.Params().Preset
	var items []kit.MenuItem
	for _, x := range compaction.Presets() {
		q := x.Policy
		q.Preset = x.ID
		items = append(items, kit.MenuItem{Text: words.T("preset." + x.ID), Checked: x.ID == now, Run: func() { d.UsePreset(q) }})
	}
	items = append(items, kit.Rule, kit.MenuItem{Text: words.T("lookalike.menu"), Checked: isLookAlike(now), Run: func() { showLookAlikes(d, p.w) }})
	if own := d.Presets(); len(own) > 0 {
		items = append(items, kit.Rule)
		for _, x := range own {
			q := x.Policy
			q.Preset = x.Name
			items = append(items, kit.MenuItem{Text: kit.Clean(x.Name), Checked: x.Name == now, Run: func() { d.UsePreset(q) }})
		}
	}
	if d.CanSavePresets() {
		items = append(items, kit.Rule, kit.MenuItem{Text: words.T("do.savePreset"), Run: func() { savePreset(d, p.w) }})
		if _, builtIn := compaction.PresetByID(now); !builtIn && now != "" {
			items = append(items, kit.MenuItem{Text: words.T("preset.delete", "name", now), Run: func() { p.deletePreset(now) }})
		}
	}
	showMenuUnder(p.w, p.preset, items)
}

// savePreset asks for a name and saves the parameters under it.
func savePreset(d *desk.Desk, w fyne.Window) {
	now := d.Params().Preset
	if _, builtIn := compaction.PresetByID(now); builtIn {
		now = ""
	}
	var dialog *kit.Dialog
	var save *kit.Button
	field := kit.NewTextField(words.T("preset.name"), nil)
	submit := func() {
		name := strings.TrimSpace(field.Text())
		if !presetNameOK(name) {
			return
		}
		dialog.Hide()
		d.SavePreset(name)
	}
	save = kit.NewButton(words.T("do.save"), kit.Primary, submit)
	field.OnSubmitted = func(string) { submit() }
	field.OnChanged = func(s string) {
		name := strings.TrimSpace(s)
		save.SetEnabled(presetNameOK(name))
		caption := words.T("preset.savesWhat")
		for _, x := range d.Presets() {
			if x.Name == name {
				caption = words.T("preset.replaces", "name", name)
			}
		}
		dialog.SetCaption(caption)
	}
	field.SetText(now)
	save.SetEnabled(presetNameOK(now))
	dialog = kit.NewDialog(words.T("preset.save"), "", kit.Pad(14, 14, 16, 14, kit.Sized(0, 24, field)), 520, 0)
	dialog.SetCaption(words.T("preset.savesWhat"))
	dialog.SetButtons(kit.NewButton(words.T("do.cancel"), kit.Secondary, dialog.Close), save)
	dialog.ShowOn(w.Canvas())
	field.FocusOn(w.Canvas())
}

// presetNameOK rejects empty names and those of built-in presets.
func presetNameOK(name string) bool {
	_, builtIn := compaction.PresetByID(name)
	return name != "" && len(name) <= 80 && !builtIn
}

func (p *paramPane) deletePreset(name string) {
	kit.Ask(p.w.Canvas(), words.T("preset.delete", "name", name), words.T("preset.deleteMeans"),
		words.T("do.delete"), words.T("do.cancel"), kit.Danger, func() { p.d.DeletePreset(name) })
}
