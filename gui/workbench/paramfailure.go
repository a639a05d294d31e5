package workbench

import (
	"slices"

	"fyne.io/fyne/v2"

	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// ways are what can be done when a summary can't be made.
var ways = []model.OnFailure{model.KeepEverything, model.ExtractInstead, model.TruncateAtHard}

// failureRows are what happens when a summary can't be made, and how long
// automatic compaction waits after that.
func (p *ParamPane) failureRows() []fyne.CanvasObject {
	names := make([]string, len(ways))
	for i, w := range ways {
		names[i] = words.T("failure." + string(w))
	}
	way := kit.NewSelect(names, 0, func(i int) { p.d.Set(func(q *model.Policy) { q.OnFailure = ways[i] }) })
	p.others = append(p.others, func(q *model.Policy) { way.Select(max(0, slices.Index(ways, q.OnFailure))) })
	return []fyne.CanvasObject{
		p.line(words.T("parameter.failure"), kit.Sized(0, 24, way),
			func(q, def *model.Policy) { q.OnFailure = def.OnFailure },
			func(q, def *model.Policy) bool { return q.OnFailure != def.OnFailure }),
		p.row(number{
			Label: words.T("parameter.backoff"), shown: zeroAs("parameters.off", model.Messages),
			get:     func(q *model.Policy) model.Amount { return model.Amount{N: q.BackOff, Unit: model.Messages} },
			set:     func(q *model.Policy, a model.Amount) { q.BackOff = a.N },
			caption: func(*model.Policy) string { return words.T("failure.waits") },
		}),
	}
}
