package study

import (
	"path/filepath"

	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/gui/desk"
	"palimpsest/gui/dialogs"
	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/words"
)

// ShowSaveSweep asks where the latest sweep goes, and in which form. A page shows the
// two metrics.
func ShowSaveSweep(w *screen.Host, shown [2]replay.Metric) {
	sw := w.Desk.Sweep()
	if sw == nil || sw.Running() || sw.Grid == nil {
		return
	}
	form, endings := desk.SweepCSV, []string{".csv", ".json", ".html", ".md"}
	to := dialogs.NewTarget(w, func() string {
		name := "sweep"
		for _, a := range sw.Axes {
			name += "." + string(a.Param)
		}
		return filepath.Join(dialogs.ExportFolder(w), name+endings[form])
	})
	radio := kit.NewRadio([]string{words.T("sweep.save.csv"), words.T("sweep.save.json"),
		words.T("sweep.save.html"), words.T("sweep.save.markdown")}, 0, func(i int) {
		form = desk.SweepForm(i)
		to.Propose()
	})
	dlg := kit.NewDialog(words.T("sweep.save.title"), "", kit.Pad(12, 16, 14, 16, kit.NewFormOf(92, 24, 8).
		Row(words.T("export.format"), dialogs.Checks(radio[:2])).
		Row("", dialogs.Checks(radio[2:])).Row(words.T("export.to"), to.Object()).Rows()), 680, 0)
	if !sw.Grid.Complete {
		dlg.SetCaption(words.T("sweep.save.partial"))
	}
	var write func(force bool)
	write = func(force bool) {
		w.Desk.SaveSweep(to.Path(), form, shown, force, func(out *session.Written, err error) {
			dialogs.Wrote(dialogs.Outcome{W: w, Dlg: dlg, To: to, Replaced: force}, out, err, func() { write(true) })
		})
	}
	dlg.SetButtons(kit.NewButton(words.T("do.cancel"), kit.Secondary, dlg.Close),
		kit.NewButton(words.T("do.save"), kit.Primary, func() { write(false) }))
	to.Propose()
	dlg.ShowOn(w.Win.Canvas())
}
