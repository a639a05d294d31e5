package dialogs

import (
	"path/filepath"

	"palimpsest/compaction/session"
	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/words"
)

// ShowExportRecords asks which records go where.
func ShowExportRecords(w *screen.Host) {
	chosen := w.Desk.RecordList.Chosen()
	total := w.Desk.RecordList.StoredCount()
	var names []string
	sets := [][]string{chosen, nil}
	switch {
	case len(chosen) > 1:
		names = append(names, words.T("exchange.chosen", "count", len(chosen)))
	case len(chosen) == 1:
		names = append(names, chosen[0])
	default:
		sets = sets[1:]
	}
	names = append(names, words.T("exchange.all", "count", total))
	which := 0
	to := NewTarget(w, func() string {
		name := "palimpsest-records"
		if len(sets[which]) == 1 {
			name = sets[which][0]
		}
		return filepath.Join(ExportFolder(w), name+".json")
	})
	form := kit.NewForm().
		Row(words.T("export.what"), Checks(kit.NewRadio(names, 0, func(i int) { which = i; to.Propose() }))).
		Wide("", kit.NewText(words.T("exchange.json.means"), kit.ColorFaint, 12).Fit())
	saving := Saving{W: w, Title: words.T("exchange.export"), Caption: words.T("export.caption"), Do: words.T("export.do"),
		Form: form, To: to}
	saving.Write = func(path string, force bool, done func(*session.Written, error)) {
		w.Desk.RecordList.ExportRecords(path, sets[which], force, done)
	}
	saving.Show()
}
