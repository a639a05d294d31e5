package show

import (
	"strings"

	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model"
)

func NumberOr(n int, u model.Unit) string {
	if n == 0 {
		return "0"
	}
	return AmountWords(model.Amount{N: n, Unit: u})
}

// OrEqual is the rows, or one that says that there are none.
func OrEqual(rows []FigureRow) []FigureRow {
	if len(rows) == 0 {
		return []FigureRow{{Name: words.T("compare.settings.none")}}
	}
	return rows
}

// PolicySettings lists what a policy consists of, in the order of the parameter pane.
var PolicySettings = []setting{
	{Key: "parameter.window", N: func(q model.Policy) (int, model.Unit) { return q.Window, model.Tokens }},
	{Key: "parameter.reserve", N: func(q model.Policy) (int, model.Unit) { return q.Reserve, model.Tokens }},
	{Key: "parameter.trigger", Text: func(q model.Policy) string {
		var clauses []string
		for _, c := range q.Triggers {
			clauses = append(clauses, ClauseWords(c))
		}
		return Or(strings.Join(clauses, " · "), words.T("parameters.off"))
	}},
	{Key: "parameter.tail", N: func(q model.Policy) (int, model.Unit) { return q.Tail.N, q.Tail.Unit }},
	{Key: "parameter.batch", Text: func(q model.Policy) string {
		if q.Batch.N == 0 {
			return words.T("parameters.all")
		}
		return AmountWords(q.Batch)
	}},
	{Key: "parameter.target", N: func(q model.Policy) (int, model.Unit) { return q.Target, model.Tokens }},
	{Key: "compare.gain", N: func(q model.Policy) (int, model.Unit) { return q.MinGain.Messages, model.Messages }},
	{Key: "parameter.gain", N: func(q model.Policy) (int, model.Unit) { return q.MinGain.Tokens, model.Tokens }},
	{Key: "parameter.tiers", Text: func(q model.Policy) string { return yesNo(q.Adaptive) }},
	{Key: "parameters.firstUser", Text: func(q model.Policy) string { return yesNo(q.KeepFirstUser) }},
	{Key: "parameter.clear", Text: func(q model.Policy) string {
		if !q.Clear.On {
			return words.T("parameters.off")
		}
		return words.T("parameters.keepNewest") + " " + words.Int(int64(q.Clear.Keep))
	}},
	{Key: "parameters.clearAbove", Text: func(q model.Policy) string {
		if !q.Clear.On {
			return "–"
		}
		return words.Int(int64(q.Clear.Above)) + " " + UnitWord(model.Tokens)
	}},
	{Key: "parameter.strategy", Text: func(q model.Policy) string { return words.T("strategy." + string(q.Strategy)) }},
	{Key: "parameter.budget", N: func(q model.Policy) (int, model.Unit) { return q.Budget.N, q.Budget.Unit }},
	{Key: "parameter.former", Text: func(q model.Policy) string { return words.T("former." + string(q.Former)) }},
	{Key: "parameters.layer", N: func(q model.Policy) (int, model.Unit) { return q.LayerBudget.N, q.LayerBudget.Unit }},
	{Key: "compare.backOff", N: func(q model.Policy) (int, model.Unit) { return q.BackOff, model.Messages }},
	{Key: "compare.fixed", N: func(q model.Policy) (int, model.Unit) { return q.Fixed, model.Tokens }},
	{Key: "parameter.pins", Text: func(q model.Policy) string { return Or(RangeWords(q.Pins), words.T("result.none")) }},
}

// SettingRows are the parameters in which two policies differ.
func SettingRows(a, b model.Policy) (rows []FigureRow) {
	for _, s := range PolicySettings {
		r := FigureRow{Name: words.T(s.Key), Color: kit.ColorText}
		if s.N == nil {
			r.A, r.B = s.Text(a), s.Text(b)
		} else {
			na, ua := s.N(a)
			nb, ub := s.N(b)
			r.A, r.B = NumberOr(na, ua), NumberOr(nb, ub)
			if ua == ub {
				if r.Change = words.Int(int64(nb - na)); nb > na {
					r.Change = "+" + r.Change
				}
			}
		}
		if r.A != r.B {
			rows = append(rows, r)
		}
	}
	return rows
}

// setting is one parameter in words, and as a number where its difference means
// something.
type setting struct {
	Key  string // of its name
	Text func(q model.Policy) string
	N    func(q model.Policy) (int, model.Unit)
}

func yesNo(on bool) string {
	if on {
		return words.T("compare.yes")
	}
	return words.T("compare.no")
}
