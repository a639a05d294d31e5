package show

import (
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/compaction"
	"palimpsest/gui/kit"
	"palimpsest/gui/state/plan"
	"palimpsest/gui/words"
)

// LookAlike finds a look-alike by the name of its preset.
func LookAlike(id string) (compaction.LookAlike, bool) {
	for _, l := range compaction.LookAlikes() {
		if l.ID == id {
			return l, true
		}
	}
	return compaction.LookAlike{}, false
}

// PresetName is a preset's name in the person's language; a saved one has the
// name it was given.
func PresetName(id string) string {
	if l, ok := LookAlike(id); ok {
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

// SavePreset asks for a name and saves the parameters under it.
func SavePreset(p *plan.Plan, w fyne.Window) {
	now := p.Params().Preset
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
		p.SavePreset(name)
	}
	save = kit.NewButton(words.T("do.save"), kit.Primary, submit)
	field.OnSubmitted = func(string) { submit() }
	field.OnChanged = func(s string) {
		name := strings.TrimSpace(s)
		save.SetEnabled(presetNameOK(name))
		caption := words.T("preset.savesWhat")
		for _, x := range p.Presets() {
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
