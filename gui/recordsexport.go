package gui

import (
	"path/filepath"

	"palimpsest/compaction/session"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model/store"
)

// showExportRecords asks which records go where in which form.
func showExportRecords(w *Host) {
	chosen := w.d.Chosen()
	total := w.d.StoredCount()
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
	which, form := 0, desk.RecordsJSON
	to := newTarget(w, func() string {
		name := "palimpsest-records"
		if len(sets[which]) == 1 {
			name = sets[which][0]
		}
		return filepath.Join(exportFolder(w), name+[]string{".json", ".csv", ".md"}[form])
	})
	means := kit.NewText("", kit.ColorFaint, 12).Fit()
	tell := func() {
		means.SetText(words.T([]string{"exchange.json.means", "exchange.csv.means", "exchange.markdown.means"}[form]))
		to.propose()
	}
	dlg := kit.NewDialog(words.T("exchange.export"), "", kit.Pad(12, 16, 14, 16, kit.Column(6,
		formRow(words.T("export.what"), checks(kit.NewRadio(names, 0, func(i int) { which = i; tell() }))),
		formRow(words.T("export.format"), checks(kit.NewRadio([]string{"JSON", "CSV", "Markdown"}, 0, func(i int) { form = desk.RecordsForm(i); tell() }))),
		formRow("", kit.Stretch(means)),
		formRow(words.T("export.to"), to.object()))), 680, 0)
	var write func(force bool)
	write = func(force bool) {
		w.d.ExportRecords(to.path(), form, words.T("exchange.report"), sets[which], force, func(out *session.Written, err error) {
			wrote(w, dlg, out, err, func() { write(true) })
		})
	}
	dlg.SetCaption(words.T("export.caption"))
	dlg.SetButtons(kit.NewButton(words.T("do.cancel"), kit.Secondary, dlg.Close),
		kit.NewButton(words.T("export.do"), kit.Primary, func() { write(false) }))
	tell()
	dlg.ShowOn(w.win.Canvas())
}

// importRecords asks for an export of records, tells what it would add, and adds
// it when a person says so.
func importRecords(w *Host) {
	chooseFile(w, words.T("exchange.import"), words.T("do.open"), w.set.folder(), false, func(path string) {
		w.set.setFolder(filepath.Dir(path))
		w.d.LookThroughImport(path, func(got store.Imported, err error) {
			if err != nil {
				w.d.Fail(err)
				return
			}
			title, text := words.T("exchange.adds", "count", got.Records), words.T("exchange.known", "count", got.Known)
			if got.Records == 0 {
				w.overlay.Toast(words.T("exchange.nothing")+" "+text, "", nil)
				return
			}
			kit.Ask(w.win.Canvas(), title, text+" "+words.T("exchange.means"), words.T("exchange.do"), words.T("do.cancel"), kit.Primary, func() { w.d.ImportRecords(path) })
		})
	})
}
