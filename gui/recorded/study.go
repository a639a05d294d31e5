package recorded

import (
	"palimpsest/compaction/session/recorded"
	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// ShowStudy measures all sessions of a folder and shows the result, the table of the
// verb replay --recorded.
func ShowStudy(w *screen.Host, folder string) {
	state := kit.NewText(words.T("recorded.measuring"), kit.ColorMuted, 13).Fit()
	view := kit.NewTextView(true)
	dlg := kit.NewDialog(words.T("recorded.studyTitle"), kit.Clean(folder), kit.Column(0, kit.Pad(8, 16, 8, 16, state), kit.NewRule(),
		kit.Stretch(view)), 1080, 620)
	dlg.SetCaption(words.T("recorded.caption1"))
	text := ""
	copied := kit.NewButton(words.T("do.copy"), kit.Secondary, func() { kit.Copy(text) }).
		WithTip("do.copy.tip")
	copied.SetEnabled(false)
	dlg.SetButtons(copied, kit.NewButton(words.T("do.close"), kit.Primary, func() {
		w.Desk.StopStudy()
		dlg.Close()
	}))
	dlg.ShowOn(w.Win.Canvas())
	w.Desk.StudyRecorded(folder, func(done, total int) {
		state.SetText(words.T("recorded.files", "n", words.Int(int64(done)), "all", words.Int(int64(total))))
	}, func(r recorded.Result, err error) {
		if err != nil {
			head, rest, _ := show.ErrorWords(err)
			state.SetText(head + " " + rest)
			return
		}
		text = r.Markdown()
		state.SetText(words.T("recorded.studied", "count", r.Compactions, "sessions", words.Int(int64(r.Sessions))))
		view.SetText(text, 0)
		copied.SetEnabled(true)
	})
}
