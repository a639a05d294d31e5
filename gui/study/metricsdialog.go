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
		var body fyne.CanvasObject = kit.Label(words.T("metrics.none"))
		if m.Compactions > 0 {
			body = tallies(m)
		}
		dlg := kit.NewDialog(words.T("metrics.title"), words.T("metrics.sub"), kit.Pad(10, 0, 10, 0, body), 1000,
			float32(150+30*len(m.By)))
		dlg.SetCaption(words.T("metrics.restores", "n", words.Int(int64(m.Restores))))
		dlg.SetButtons(kit.NewButton(words.T("do.close"), kit.Primary, dlg.Hide))
		dlg.ShowOn(w.Win.Canvas())
	})
}

// tally is a row: what one strategy and model come to, or all.
type tally struct {
	name, model string
	of          *model.Tally
}

// tallies is the table of what the records come to.
func tallies(m model.Metrics) fyne.CanvasObject {
	var rows []tally
	for i := range m.By {
		rows = append(rows, tally{words.T("strategy." + string(m.By[i].Strategy)), m.By[i].Model, &m.By[i].Tally})
	}
	rows = append(rows, tally{words.T("metrics.all"), "", &m.Tally})
	figure := func(key string, width float32, text func(t *model.Tally) string) kit.Col[tally] {
		return kit.Col[tally]{Title: words.T("metrics." + key), Width: width, Right: true, Text: func(r tally) string { return text(r.of) }}
	}
	count := func(key string, of func(t *model.Tally) int) kit.Col[tally] {
		return figure(key, 58, func(t *model.Tally) string { return words.Int(int64(of(t))) })
	}
	c := &kit.Columns[tally]{
		List: []kit.Col[tally]{
			{Title: words.T("metrics.strategy"), Text: func(r tally) string { return r.name }},
			{Title: words.T("metrics.model"), Width: 130, Narrow: 70, Hide: 1, Text: func(r tally) string { return r.model }},
			count("tried", func(t *model.Tally) int { return t.Compactions }),
			count("applied", func(t *model.Tally) int { return t.Applied }),
			count("failed", func(t *model.Tally) int { return t.Failed }), count("refused", func(t *model.Tally) int { return t.Refused }),
			count("cancelled", func(t *model.Tally) int { return t.Cancelled }),
			figure("rate", 60, func(t *model.Tally) string { return words.Percent(t.SuccessRate()) }),
			figure("mean", 72, func(t *model.Tally) string { return words.Duration(t.MeanTime()) }),
			figure("longest", 72, func(t *model.Tally) string { return words.Duration(t.Longest) }),
			figure("saved", 130, func(t *model.Tally) string { return words.Int(t.Saved()) + " · " + words.Percent(t.SavedShare()) }),
		},
		At:  func(i int) (tally, bool) { return rows[i], true },
		Gap: 6, Least: 140, Left: 12, End: 12, TextSize: 13,
	}
	list := c.NewList(26, func() int { return len(rows) })
	return kit.Column(0, kit.Sized(0, 24, c.Head()), kit.NewRule(), kit.Stretch(list))
}
