package workbench

import (
	"palimpsest/compaction"
	"palimpsest/gui/commands"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// PresetTitle is the name of the preset in use, and whether it was changed.
func (p *ParamPane) PresetTitle() string {
	if p.d.Session() == nil {
		return words.T("parameter.preset")
	}
	name := show.PresetName(p.d.Planning.Params().Preset)
	if p.d.Planning.Modified() {
		return words.T("parameters.modified", "preset", name)
	}
	return name
}

// presetMenu offers the presets, built-in ones first.
func (p *ParamPane) presetMenu() {
	d, now := p.d, p.d.Planning.Params().Preset
	when := map[string]string{}
	for _, r := range d.Planning.Next() { // the first is that of the parameters
		when[r.Preset] = show.WhenShort(r)
	}
	var items []kit.MenuItem
	for _, x := range compaction.Presets() {
		q, name := x.Policy, words.T("preset."+x.ID)
		q.Preset = x.ID
		items = append(items, kit.MenuItem{Text: name, Shortcut: presetShort(x.Policy) + " · " + when[x.ID], Checked: x.ID == now,
			Run: func() { p.usePreset(q, name) }})
	}
	_, like := show.LookAlike(now)
	items = append(items, kit.Rule, kit.MenuItem{Text: words.T("lookalike.menu"), Checked: like, Run: p.lookAlikeMenu})
	if own := d.Planning.Presets(); len(own) > 0 {
		items = append(items, kit.Rule)
		for _, x := range own {
			q := x.Policy
			q.Preset = x.Name
			items = append(items, kit.MenuItem{Text: kit.Clean(x.Name), Shortcut: presetShort(x.Policy), Checked: x.Name == now,
				Run: func() { p.usePreset(q, x.Name) }})
		}
	}
	if d.Planning.CanSavePresets() {
		items = append(items, kit.Rule, kit.MenuItem{Text: words.T("do.savePreset"), Run: func() { show.SavePreset(d.Planning, p.w) }})
		if _, builtIn := compaction.PresetByID(now); !builtIn && now != "" {
			items = append(items, kit.MenuItem{Text: words.T("preset.delete", "name", now), Run: func() {
				kit.Ask(p.w.Canvas(), words.T("preset.delete", "name", now), words.T("preset.deleteMeans"),
					words.T("do.delete"), words.T("do.cancel"), kit.Danger, func() { d.Planning.DeletePreset(now) })
			}})
		}
	}
	items = append(items, kit.Rule)
	for _, id := range []string{commands.OpenPreset, commands.ExportPreset} {
		items = append(items, kit.MenuItem{Text: words.T("command." + id), Run: func() { p.c.Run(id) }})
	}
	kit.ShowMenuUnder(p.Preset, items)
}

// lookAlikeMenu offers the presets with the published numbers of known engines.
func (p *ParamPane) lookAlikeMenu() {
	var items []kit.MenuItem
	for _, l := range compaction.LookAlikes() {
		q, name := l.Policy, show.PresetName(l.ID)
		q.Preset = l.ID
		items = append(items, kit.MenuItem{Text: name, Shortcut: presetShort(q), Checked: l.ID == p.d.Planning.Params().Preset,
			Run: func() { p.usePreset(q, name) }})
	}
	kit.ShowMenuUnder(p.Preset, items)
}

// usePreset takes a preset over, and says so beside the way back: all parameters change.
func (p *ParamPane) usePreset(q model.Policy, name string) {
	p.d.Planning.UsePreset(q)
	p.c.Toast(words.T("preset.used", "preset", name), words.T("do.undo"), p.d.Undo)
}

// presetShort is when a preset fires and what it keeps, in few words.
func presetShort(q model.Policy) string {
	if len(q.Triggers) == 0 {
		return ""
	}
	return words.T("preset.short", "trigger", show.ClauseWords(q.Triggers[0]), "tail", show.FieldWords(q.Tail))
}
