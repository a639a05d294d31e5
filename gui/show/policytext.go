package show

import (
	"strconv"
	"strings"

	"palimpsest/gui/words"
	"palimpsest/model"
)

// PolicyText tells parameters in words, one a line.
func PolicyText(q model.Policy) string {
	var b strings.Builder
	line := func(key, value string) {
		if value != "" {
			b.WriteString(words.T(key) + ": " + value + "\n")
		}
	}
	tokens := func(n int) string {
		if n == 0 {
			return ""
		}
		return words.Int(int64(n)) + " " + UnitWord(model.Tokens)
	}
	amount := func(a model.Amount) string {
		if a.N == 0 {
			return ""
		}
		return AmountWords(a)
	}
	line("parameter.preset", PresetName(q.Preset))
	line("parameter.window", Or(tokens(q.Window), words.Unknown))
	line("parameter.reserve", tokens(q.Reserve))
	var clauses []string
	for _, c := range q.Triggers {
		clauses = append(clauses, ClauseWords(c))
	}
	line("parameter.trigger", strings.Join(clauses, " · "))
	line("parameter.tail", amount(q.Tail))
	line("parameter.batch", Or(amount(q.Batch), words.T("parameters.all")))
	line("parameter.target", tokens(q.Target))
	if q.Clear.On {
		line("parameter.clear", words.T("parameters.keepNewest")+" "+strconv.Itoa(q.Clear.Keep))
	}
	line("parameter.strategy", words.T("strategy."+string(q.Strategy)))
	line("parameter.budget", amount(q.Budget))
	line("parameter.former", words.T("former."+string(q.Former)))
	line("parameter.layer", amount(q.LayerBudget))
	line("parameter.pins", RangeWords(q.Pins))
	return b.String()
}

func Or(s, instead string) string {
	if s == "" {
		return instead
	}
	return s
}
