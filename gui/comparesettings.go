package gui

import (
	"strings"

	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// setting is one parameter in words, and as a number where its difference means
// something.
type setting struct {
	key  string // of its name
	text func(q model.Policy) string
	n    func(q model.Policy) (int, model.Unit)
}

// policySettings lists what a policy consists of, in the order of the parameter pane.
var policySettings = []setting{
	{key: "parameter.window", n: func(q model.Policy) (int, model.Unit) { return q.Window, model.Tokens }},
	{key: "parameter.reserve", n: func(q model.Policy) (int, model.Unit) { return q.Reserve, model.Tokens }},
	{key: "parameter.trigger", text: func(q model.Policy) string {
		var clauses []string
		for _, c := range q.Triggers {
			clauses = append(clauses, clauseWords(c))
		}
		return or(strings.Join(clauses, " · "), words.T("parameters.off"))
	}},
	{key: "parameter.tail", n: func(q model.Policy) (int, model.Unit) { return q.Tail.N, q.Tail.Unit }},
	{key: "parameter.batch", text: func(q model.Policy) string {
		if q.Batch.N == 0 {
			return words.T("parameters.all")
		}
		return amountWords(q.Batch)
	}},
	{key: "parameter.target", n: func(q model.Policy) (int, model.Unit) { return q.Target, model.Tokens }},
	{key: "compare.gain", n: func(q model.Policy) (int, model.Unit) { return q.MinGain.Messages, model.Messages }},
	{key: "parameter.gain", n: func(q model.Policy) (int, model.Unit) { return q.MinGain.Tokens, model.Tokens }},
	{key: "parameter.tiers", text: func(q model.Policy) string { return yesNo(q.Adaptive) }},
	{key: "parameters.firstUser", text: func(q model.Policy) string { return yesNo(q.KeepFirstUser) }},
	{key: "parameter.clear", text: func(q model.Policy) string {
		if !q.Clear.On {
			return words.T("parameters.off")
		}
		return words.T("parameters.keepNewest") + " " + words.Int(int64(q.Clear.Keep))
	}},
	{key: "parameters.clearAbove", text: func(q model.Policy) string {
		if !q.Clear.On {
			return "–"
		}
		return words.Int(int64(q.Clear.Above)) + " " + unitWord(model.Tokens)
	}},
	{key: "parameter.strategy", text: func(q model.Policy) string { return words.T("strategy." + string(q.Strategy)) }},
	{key: "parameter.budget", n: func(q model.Policy) (int, model.Unit) { return q.Budget.N, q.Budget.Unit }},
	{key: "parameter.former", text: func(q model.Policy) string { return words.T("former." + string(q.Former)) }},
	{key: "parameters.layer", n: func(q model.Policy) (int, model.Unit) { return q.LayerBudget.N, q.LayerBudget.Unit }},
	{key: "compare.backOff", n: func(q model.Policy) (int, model.Unit) { return q.BackOff, model.Messages }},
	{key: "compare.fixed", n: func(q model.Policy) (int, model.Unit) { return q.Fixed, model.Tokens }},
	{key: "parameter.pins", text: func(q model.Policy) string { return or(rangeWords(q.Pins), words.T("result.none")) }},
}

func yesNo(on bool) string {
	if on {
		return words.T("compare.yes")
	}
	return words.T("compare.no")
}

// settingRows are the parameters in which two policies differ.
func settingRows(a, b model.Policy) (rows []figureRow) {
	for _, s := range policySettings {
		r := figureRow{name: words.T(s.key), color: kit.ColorText}
		if s.n == nil {
			r.a, r.b = s.text(a), s.text(b)
		} else {
			na, ua := s.n(a)
			nb, ub := s.n(b)
			r.a, r.b = numberOr(na, ua), numberOr(nb, ub)
			if ua == ub {
				if r.change = words.Int(int64(nb - na)); nb > na {
					r.change = "+" + r.change
				}
			}
		}
		if r.a != r.b {
			rows = append(rows, r)
		}
	}
	return rows
}

func numberOr(n int, u model.Unit) string {
	if n == 0 {
		return "0"
	}
	return amountWords(model.Amount{N: n, Unit: u})
}

// orEqual is the rows, or one that says that there are none.
func orEqual(rows []figureRow) []figureRow {
	if len(rows) == 0 {
		return []figureRow{{name: words.T("compare.settings.none")}}
	}
	return rows
}
