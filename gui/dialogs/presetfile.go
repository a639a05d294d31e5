package dialogs

import (
	"path/filepath"
	"strings"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// OpenPreset asks for a file that holds a preset, and uses it.
func OpenPreset(w *screen.Host) {
	q := FileQuestion{Title: words.T("preset.open"), Do: words.T("do.open"), Dir: w.Settings.Folder(), All: true}
	shown := map[string]string{}
	for _, p := range compaction.Presets() {
		shown[show.PresetName(p.ID)] = p.ID
	}
	ChooseFile(w, q, func(path string) { w.Desk.Planning.OpenPreset(path, shown) })
}

// ExportPreset asks where a file with the present parameters goes, for others to open or
// for the option --preset of the verbs.
func ExportPreset(w *screen.Host) {
	name := show.PresetName(w.Desk.Planning.Params().Preset)
	to := NewTarget(w, func() string {
		return filepath.Join(ExportFolder(w), strings.Map(fileLetter, name)+".preset.json")
	})
	saving := Saving{W: w, Title: words.T("preset.export"), Caption: words.T("preset.savesWhat"), Do: words.T("do.save"),
		Form: kit.NewForm(), To: to}
	saving.Write = func(path string, _ bool, done func(*session.Written, error)) {
		w.Desk.Planning.ExportPreset(path, name, done)
	}
	saving.Show()
}

// fileLetter is a letter of a name as one of a file's name.
func fileLetter(r rune) rune {
	if strings.ContainsRune("/\\:*?\"<>|", r) || r < ' ' {
		return '-'
	}
	return r
}
