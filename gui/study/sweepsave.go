package study

import (
	"palimpsest/compaction/session"
	"palimpsest/gui/desk"
	"palimpsest/gui/dialogs"
	"palimpsest/gui/screen"
	"palimpsest/gui/words"
)

// ShowSaveSweep asks where the latest sweep goes, and in which form.
func ShowSaveSweep(w *screen.Host) {
	sw := w.Desk.Sweep()
	if sw == nil || sw.Running() || sw.Grid == nil {
		return
	}
	saving := &dialogs.Saving{W: w, Title: words.T("sweep.save.title"), Do: words.T("do.save")}
	if !sw.Grid.Complete {
		saving.Caption = words.T("sweep.save.partial")
	}
	name := "sweep"
	for _, a := range sw.Axes {
		name += "." + string(a.Param)
	}
	saving.OneOf("export.format", []string{words.T("sweep.save.csv"), words.T("sweep.save.json")}, 2,
		func(i int) string { return name + []string{".csv", ".json"}[i] },
		func(i int, path string, force bool, done func(*session.Written, error)) {
			w.Desk.SaveSweep(path, desk.SweepForm(i), force, done)
		})
}
