package study

import (
	"path/filepath"

	"palimpsest/compaction/session"
	"palimpsest/gui/desk"
	"palimpsest/gui/dialogs"
	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/words"
)

// ShowSaveSweep asks where the latest sweep goes, and in which form.
func ShowSaveSweep(w *screen.Host) {
	sw := w.Desk.Sweep()
	if sw == nil || sw.Running() || sw.Grid == nil {
		return
	}
	form, endings := desk.SweepCSV, []string{".csv", ".json"}
	to := dialogs.NewTarget(w, func() string {
		name := "sweep"
		for _, a := range sw.Axes {
			name += "." + string(a.Param)
		}
		return filepath.Join(dialogs.ExportFolder(w), name+endings[form])
	})
	radio := kit.NewRadio([]string{words.T("sweep.save.csv"), words.T("sweep.save.json")}, 0, func(i int) {
		form = desk.SweepForm(i)
		to.Propose()
	})
	caption := ""
	if !sw.Grid.Complete {
		caption = words.T("sweep.save.partial")
	}
	saving := dialogs.Saving{W: w, Title: words.T("sweep.save.title"), Caption: caption, Do: words.T("do.save"), To: to,
		Form: kit.NewFormOf(92, 24, 8).Row(words.T("export.format"), dialogs.Checks(radio))}
	saving.Write = func(path string, force bool, done func(*session.Written, error)) {
		w.Desk.SaveSweep(path, form, force, done)
	}
	saving.Show()
}
