package dialogs

import (
	"path/filepath"

	staterecords "palimpsest/gui/state/records"

	"palimpsest/compaction/session"
	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/words"
)

// ShowExportRecords asks which records go where in which form.
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
	which, as := 0, staterecords.RecordsJSON
	to := NewTarget(w, func() string {
		name := "palimpsest-records"
		if len(sets[which]) == 1 {
			name = sets[which][0]
		}
		return filepath.Join(ExportFolder(w), name+[]string{".json", ".csv", ".md"}[as])
	})
	means := kit.NewText("", kit.ColorFaint, 12).Fit()
	tell := func() {
		means.SetText(words.T([]string{"exchange.json.means", "exchange.csv.means", "exchange.markdown.means"}[as]))
		to.Propose()
	}
	form := kit.NewForm().
		Row(words.T("export.what"), Checks(kit.NewRadio(names, 0, func(i int) { which = i; tell() }))).
		Row(words.T("export.format"),
			Checks(kit.NewRadio([]string{"JSON", "CSV", "Markdown"}, 0, func(i int) { as = staterecords.RecordsForm(i); tell() }))).
		Wide("", means)
	tell()
	saving := Saving{W: w, Title: words.T("exchange.export"), Caption: words.T("export.caption"), Do: words.T("export.do"),
		Form: form, To: to}
	saving.Write = func(path string, force bool, done func(*session.Written, error)) {
		x := staterecords.RecordsExport{Path: path, Form: as, Title: words.T("exchange.report"), IDs: sets[which], Force: force}
		w.Desk.RecordList.ExportRecords(x, done)
	}
	saving.Show()
}
