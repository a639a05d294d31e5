package show

import (
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
	kit.AskLine(w.Canvas(), kit.LineQuestion{
		Title: words.T("preset.save"), Hint: words.T("preset.name"), Text: now, Do: words.T("do.save"),
		Right: presetNameOK,
		Caption: func(name string) string {
			for _, x := range p.Presets() {
				if x.Name == name {
					return words.T("preset.replaces", "name", name)
				}
			}
			return words.T("preset.savesWhat")
		},
		Done: p.SavePreset,
	})
}

// presetNameOK rejects empty names and those of built-in presets.
func presetNameOK(name string) bool {
	_, builtIn := compaction.PresetByID(name)
	return name != "" && len(name) <= 80 && !builtIn
}
