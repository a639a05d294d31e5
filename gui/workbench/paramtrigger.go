package workbench

import (
	"slices"

	"palimpsest/compaction"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// clauseSpec describes one clause of the trigger.
func (p *ParamPane) clauseSpec(k int) number {
	x := model.ParamOf("trigger")
	label := words.T(x.Word)
	if k > 0 {
		label = words.T("parameters.orTrigger")
	}
	return number{
		key: x.Key, Label: label, help: paramHelp(x),
		units: unitsOf(x),
		get: func(q *model.Policy) model.Amount {
			if k >= len(q.Triggers) {
				return model.Amount{Unit: model.Percent}
			}
			return show.ClauseAmount(q.Triggers[k])
		},
		set:     func(q *model.Policy, a model.Amount) { show.SetClause(q, k, a) },
		most:    func(q *model.Policy, u model.Unit) int { return scaleOf(x, q, u) },
		check:   func(q *model.Policy) *show.Problem { return show.CheckParam(x.Key, q, k) },
		caption: func(q *model.Policy) string { return p.clauseCaption(q, k) },
		convert: p.convertClause,
		more:    func() []kit.MenuItem { return p.ClauseMenu(k) },
		shown: func(a model.Amount) string {
			if a.N == 0 && a.Unit == model.Percent {
				return show.ZeroWords(x)
			}
			if q := p.d.Planning.Params(); k < len(q.Triggers) && a.Unit == model.Percent && show.ClauseAmount(q.Triggers[k]) == a {
				return show.ShareWords(q.Triggers[k].Share) // the tenths that a preset or a sweep has set
			}
			return show.FieldWords(a)
		},
	}
}

func (p *ParamPane) clauseCaption(q *model.Policy, k int) string {
	if k >= len(q.Triggers) {
		return words.T("parameters.neverFires")
	}
	text := p.clauseAt(q, q.Triggers[k])
	if next := p.d.Planning.Next(); k == 0 && len(next) > 0 { // how far it is: ", in ~13 messages"
		text += ", " + show.WhenShort(next[0])
	}
	return text
}

func (p *ParamPane) clauseAt(q *model.Policy, c model.Clause) string {
	gauge := compaction.GaugeOf(c, q.Window)
	if at := gauge.Tokens(); at > 0 {
		return words.T("parameters.at", "amount", show.TokensInWords(int64(at)))
	}
	switch {
	case c.Share > 0:
		return words.T("parameters.needsWindow")
	case gauge.Above():
		return words.T("parameters.above", "amount", show.AmountWords(c.At))
	}
	return words.T("parameters.at", "amount", show.AmountWords(c.At))
}

func (p *ParamPane) convertClause(q *model.Policy, a model.Amount, to model.Unit) model.Amount {
	switch {
	case to == model.Percent && q.Window > 0 && a.Unit == model.Tokens:
		return model.Amount{N: min(max(a.N*100/q.Window, 1), 100), Unit: to}
	case to == model.Percent:
		return model.Amount{N: 80, Unit: to}
	case to == model.Tokens:
		share := map[bool]float64{true: float64(a.N) / 100, false: .8}[a.Unit == model.Percent]
		return model.Amount{N: shareOr(q.Window, share, 100000), Unit: to}
	case to == model.Messages:
		return model.Amount{N: 40, Unit: to}
	}
	return model.Amount{N: 10, Unit: to}
}

// ClauseMenu adds and removes clauses.
func (p *ParamPane) ClauseMenu(k int) []kit.MenuItem {
	items := []kit.MenuItem{{Text: words.T("parameters.addTrigger"), Run: func() {
		p.d.Planning.Set(func(q *model.Policy) { show.SetClause(q, len(q.Triggers), p.freeClause(q)) })
	}}}
	if q := p.d.Planning.Params(); len(q.Triggers) > 1 {
		items = append(items, kit.MenuItem{Text: words.T("parameters.removeTrigger"), Run: func() {
			p.d.Planning.Set(func(q *model.Policy) { show.RemoveClause(q, k) })
		}})
	}
	return items
}

// freeClause is a clause in a unit that no other one has.
func (p *ParamPane) freeClause(q *model.Policy) model.Amount {
	for _, u := range []model.Unit{model.Percent, model.Messages, model.Steps, model.Turns} {
		if !slices.ContainsFunc(q.Triggers, func(c model.Clause) bool { return show.ClauseAmount(c).Unit == u }) {
			return p.convertClause(q, model.Amount{}, u)
		}
	}
	return p.convertClause(q, model.Amount{}, model.Tokens)
}
