package study

import (
	"fyne.io/fyne/v2"

	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// ShowMetrics shows what all records come to: the figures of the verb metrics.
func ShowMetrics(w *screen.Host) {
	w.Desk.Metrics(func(m model.Metrics, err error) {
		if err != nil {
			w.Desk.Fail(err)
			return
		}
		rows := []fyne.CanvasObject{metricsRow(true,
			words.T("metrics.strategy"), words.T("metrics.model"), words.T("metrics.tried"), words.T("metrics.applied"),
			words.T("metrics.failed"), words.T("metrics.refused"), words.T("metrics.rate"), words.T("metrics.mean"),
			words.T("metrics.longest"), words.T("metrics.saved")),
			kit.NewRule()}
		for i := range m.By {
			rows = append(rows, tallyRow(false, words.T("strategy."+string(m.By[i].Strategy)), m.By[i].Model, &m.By[i].Tally))
		}
		rows = append(rows, kit.NewRule(), tallyRow(true, words.T("metrics.all"), "", &m.Tally))
		body := kit.Column(4, rows...)
		if m.Compactions == 0 {
			body = kit.Column(4, kit.Label(words.T("metrics.none")))
		}
		dlg := kit.NewDialog(words.T("metrics.title"), words.T("metrics.sub"), kit.Pad(10, 12, 10, 12, body), 1000,
			float32(150+30*len(m.By)))
		dlg.SetCaption(words.T("metrics.restores", "n", words.Int(int64(m.Restores))))
		dlg.SetButtons(kit.NewButton(words.T("do.close"), kit.Primary, dlg.Hide))
		dlg.ShowOn(w.Win.Canvas())
	})
}

func tallyRow(bold bool, strategy, name string, t *model.Tally) fyne.CanvasObject {
	n := func(i int) string { return words.Int(int64(i)) }
	return metricsRow(bold, strategy, name, n(t.Compactions), n(t.Applied), n(t.Failed), n(t.Refused), words.Percent(t.SuccessRate()),
		words.Duration(t.MeanTime()), words.Duration(t.Longest), words.Int(t.Saved())+" · "+words.Percent(t.SavedShare()))
}

// metricsRow lays cells out in columns: two of names, then figures.
func metricsRow(bold bool, cells ...string) fyne.CanvasObject {
	var list []fyne.CanvasObject
	for i, cell := range cells {
		text := kit.Label(cell).Fit()
		if bold {
			text = text.Bold()
		}
		switch {
		case i == 0:
			list = append(list, kit.Sized(150, 22, text))
		case i == 1:
			list = append(list, kit.Sized(150, 22, text))
		case i == len(cells)-1:
			list = append(list, kit.Sized(150, 22, text.Right()))
		default:
			list = append(list, kit.Sized(72, 22, text.Right()))
		}
	}
	return kit.Row(6, list...)
}
