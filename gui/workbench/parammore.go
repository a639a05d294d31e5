package workbench

import (
	"fyne.io/fyne/v2"

	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// moreRows are the parameters that are seldom changed.
func (p *ParamPane) moreRows() []fyne.CanvasObject {
	start := kit.NewCheck(words.T("parameters.firstUser"), false, func(on bool) { p.d.Set(func(q *model.Policy) { q.KeepFirstUser = on }) })
	tiers := kit.NewCheck(words.T("parameters.byLength"), false, func(on bool) { p.d.Set(func(q *model.Policy) { q.Adaptive = on }) })
	formers := []model.Former{model.MergeFormer, model.LayerFormer}
	former := kit.NewSegments([]string{words.T("former.merge"), words.T("former.layer")}, 0, func(i int) {
		p.d.Set(func(q *model.Policy) { q.Former = formers[i] })
	})
	p.others = append(p.others, func(q *model.Policy) {
		start.SetOn(q.KeepFirstUser)
		tiers.SetOn(q.Adaptive)
		i := 0
		if q.Former == model.LayerFormer {
			i = 1
		}
		former.Select(i)
	})
	left := func(o fyne.CanvasObject) fyne.CanvasObject { return kit.Row(0, o, kit.Spring()) }
	rows := []fyne.CanvasObject{
		p.line(words.T("parameter.start"), left(start),
			func(q, def *model.Policy) { q.KeepFirstUser = def.KeepFirstUser },
			func(q, def *model.Policy) bool { return q.KeepFirstUser != def.KeepFirstUser }),
		p.row(number{
			Label: words.T("parameter.target"), check: show.CheckTarget, shown: zeroAs("parameters.off", model.Tokens),
			get:     func(q *model.Policy) model.Amount { return model.Amount{N: q.Target, Unit: model.Tokens} },
			set:     func(q *model.Policy, a model.Amount) { q.Target = a.N },
			caption: func(q *model.Policy) string { return words.T("parameters.targetMeans") },
		}),
		p.row(number{
			Label: words.T("parameter.gain"),
			get:   func(q *model.Policy) model.Amount { return model.Amount{N: q.MinGain.Messages, Unit: model.Messages} },
			set:   func(q *model.Policy, a model.Amount) { q.MinGain.Messages = a.N },
		}),
		p.row(number{
			Label: "",
			get:   func(q *model.Policy) model.Amount { return model.Amount{N: q.MinGain.Tokens, Unit: model.Tokens} },
			set:   func(q *model.Policy, a model.Amount) { q.MinGain.Tokens = a.N },
		}),
		p.row(number{
			Label: words.T("parameters.clearAbove"), enabled: clears,
			get: func(q *model.Policy) model.Amount { return model.Amount{N: q.Clear.Above, Unit: model.Tokens} },
			set: func(q *model.Policy, a model.Amount) { q.Clear.Above = a.N },
		}),
		p.line(words.T("parameter.former"), left(former),
			func(q, def *model.Policy) { q.Former = def.Former },
			func(q, def *model.Policy) bool { return q.Former != def.Former }),
		p.row(number{
			Label: words.T("parameters.layer"), units: []model.Unit{model.Tokens, model.Chars},
			enabled: func(q *model.Policy) bool { return q.Former == model.LayerFormer },
			shown:   zeroAs("parameters.noLimit", ""),
			get: func(q *model.Policy) model.Amount {
				a := q.LayerBudget
				if a.Unit == "" {
					a.Unit = q.Budget.Unit
				}
				return a
			},
			set: func(q *model.Policy, a model.Amount) { q.LayerBudget = a },
			convert: func(_ *model.Policy, a model.Amount, to model.Unit) model.Amount {
				return model.Amount{N: a.N, Unit: to}
			},
		}),
		p.line(words.T("parameter.tiers"), left(tiers),
			func(q, def *model.Policy) { q.Adaptive = def.Adaptive },
			func(q, def *model.Policy) bool { return q.Adaptive != def.Adaptive }),
		p.row(number{
			Label: words.T("parameters.fixed"),
			get:   func(q *model.Policy) model.Amount { return model.Amount{N: q.Fixed, Unit: model.Tokens} },
			set:   func(q *model.Policy, a model.Amount) { q.Fixed = a.N },
			shown: func(a model.Amount) string {
				if a.N == 0 {
					return words.Unknown
				}
				return show.FieldWords(a)
			},
			caption: func(*model.Policy) string { return words.T("parameters.fixedMeans") },
		}),
	}
	return append(rows, p.failureRows()...)
}

// zeroAs shows a word in place of 0.
func zeroAs(key string, u model.Unit) func(a model.Amount) string {
	return func(a model.Amount) string {
		if a.N == 0 {
			return words.T(key)
		}
		if u != "" {
			a.Unit = u
		}
		return show.FieldWords(a)
	}
}
