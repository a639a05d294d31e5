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
	var dlg *kit.Dialog
	to := NewTarget(w, func() string {
		return filepath.Join(ExportFolder(w), strings.Map(fileLetter, name)+".preset.json")
	})
	to.Propose()
	write := func() {
		w.Desk.Planning.ExportPreset(to.Path(), name, func(out *session.Written, err error) {
			if err != nil {
				to.fail(err)
				return
			}
			dlg.Hide()
			offerWritten(w, out, func() { undoExport(w, out) })
		})
	}
	form := kit.Pad(12, 16, 14, 16, kit.NewForm().Row(words.T("export.to"), to.Object()).Rows())
	dlg = kit.NewDialog(words.T("preset.export"), "", form, 680, 0)
	dlg.SetCaption(words.T("preset.savesWhat"))
	dlg.SetButtons(kit.NewButton(words.T("do.cancel"), kit.Secondary, dlg.Close), kit.NewButton(words.T("do.save"), kit.Primary, write))
	to.Field.OnSubmitted = func(string) { write() }
	dlg.ShowOn(w.Win.Canvas())
	to.Field.FocusOn(w.Win.Canvas())
}

// fileLetter is a letter of a name as one of a file's name.
func fileLetter(r rune) rune {
	if strings.ContainsRune("/\\:*?\"<>|", r) || r < ' ' {
		return '-'
	}
	return r
}
