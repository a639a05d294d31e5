package gui

import (
	"path/filepath"

	"palimpsest/compaction/session"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// showSaveSweep asks where the latest sweep goes, and in which form.
func showSaveSweep(w *Host) {
	sw := w.d.Sweep()
	if sw == nil || sw.Grid == nil {
		return
	}
	form, endings := desk.SweepCSV, []string{".csv", ".json"}
	to := newTarget(w, func() string {
		name := "sweep." + string(sw.X.Param) + "." + string(sw.Y.Param)
		return filepath.Join(exportFolder(w), name+endings[form])
	})
	radio := kit.NewRadio([]string{words.T("sweep.save.csv"), words.T("sweep.save.json")}, 0, func(i int) {
		form = desk.SweepForm(i)
		to.propose()
	})
	dlg := kit.NewDialog(words.T("sweep.save.title"), "", kit.Pad(12, 16, 14, 16, kit.Column(8,
		formRow(words.T("export.format"), checks(radio)), formRow(words.T("export.to"), to.object()))), 680, 0)
	if !sw.Grid.Complete {
		dlg.SetCaption(words.T("sweep.save.partial"))
	}
	var write func(force bool)
	write = func(force bool) {
		w.d.SaveSweep(to.path(), form, force, func(out *session.Written, err error) {
			wrote(w, dlg, out, err, func() { write(true) })
		})
	}
	dlg.SetButtons(kit.NewButton(words.T("do.cancel"), kit.Secondary, dlg.Close),
		kit.NewButton(words.T("do.save"), kit.Primary, func() { write(false) }))
	to.propose()
	dlg.ShowOn(w.win.Canvas())
}
