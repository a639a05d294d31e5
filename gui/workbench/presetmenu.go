package workbench

import (
	"palimpsest/compaction"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// PresetTitle is the name of the preset in use, and whether it was changed.
func (p *ParamPane) PresetTitle() string {
	if p.d.Session() == nil {
		return words.T("parameter.preset")
	}
	name := show.PresetName(p.d.Params().Preset)
	if p.d.Modified() {
		return words.T("parameters.modified", "preset", name)
	}
	return name
}

// presetMenu offers the presets, built-in ones first.
func (p *ParamPane) presetMenu() {
	d, now := p.d, p.d.Params().Preset
	var items []kit.MenuItem
	for _, x := range compaction.Presets() {
		q := x.Policy
		q.Preset = x.ID
		items = append(items, kit.MenuItem{Text: words.T("preset." + x.ID), Checked: x.ID == now, Run: func() { d.UsePreset(q) }})
	}
	items = append(items, kit.Rule,
		kit.MenuItem{Text: words.T("lookalike.menu"), Checked: isLookAlike(now), Run: func() { ShowLookAlikes(d, p.w) }})
	if own := d.Presets(); len(own) > 0 {
		items = append(items, kit.Rule)
		for _, x := range own {
			q := x.Policy
			q.Preset = x.Name
			items = append(items, kit.MenuItem{Text: kit.Clean(x.Name), Checked: x.Name == now, Run: func() { d.UsePreset(q) }})
		}
	}
	if d.CanSavePresets() {
		items = append(items, kit.Rule, kit.MenuItem{Text: words.T("do.savePreset"), Run: func() { show.SavePreset(d, p.w) }})
		if _, builtIn := compaction.PresetByID(now); !builtIn && now != "" {
			items = append(items, kit.MenuItem{Text: words.T("preset.delete", "name", now), Run: func() { p.deletePreset(now) }})
		}
	}
	ShowMenuUnder(p.w, p.Preset, items)
}

func (p *ParamPane) deletePreset(name string) {
	kit.Ask(p.w.Canvas(), words.T("preset.delete", "name", name), words.T("preset.deleteMeans"),
		words.T("do.delete"), words.T("do.cancel"), kit.Danger, func() { p.d.DeletePreset(name) })
}
