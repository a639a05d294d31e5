package show

import (
	"errors"
	"math"
	"slices"
	"strings"

	"palimpsest/compaction"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// ClauseAmount is what a clause of the trigger fires at, as it is in a
// field.
func ClauseAmount(c model.Clause) model.Amount {
	if c.Share > 0 {
		return model.Amount{N: int(math.Round(c.Share * 100)), Unit: model.Percent}
	}
	if c.At.Unit == "" {
		c.At.Unit = model.Tokens
	}
	return c.At
}

// SetClause changes one clause of the trigger; one past the last adds it.
// Policies share their slices, so the list is a fresh one.
func SetClause(q *model.Policy, k int, a model.Amount) {
	c := model.Clause{At: a}
	if a.Unit == model.Percent {
		c = model.Clause{Share: float64(min(max(a.N, 1), 100)) / 100}
	}
	list := slices.Clone(q.Triggers)
	if k >= len(list) {
		list = append(list, c)
	} else {
		list[k] = c
	}
	q.SetTriggers(list)
}

func RemoveClause(q *model.Policy, k int) {
	if k < len(q.Triggers) {
		q.Triggers = slices.Delete(slices.Clone(q.Triggers), k, k+1)
	}
}

// TokenClauseIndex is the first clause that counts tokens; −1: none.
func TokenClauseIndex(q model.Policy) int {
	return slices.IndexFunc(q.Triggers, func(c model.Clause) bool {
		return c.Share > 0 || c.At.Unit == model.Tokens || c.At.Unit == ""
	})
}

func TokenClause(q model.Policy) (model.Clause, bool) {
	if k := TokenClauseIndex(q); k >= 0 {
		return q.Triggers[k], true
	}
	return model.Clause{}, false
}

// ClauseWords is what a clause fires at: "80 %", "120K", "40 messages".
func ClauseWords(c model.Clause) string {
	a := ClauseAmount(c)
	switch a.Unit {
	case model.Percent:
		return ShareWords(c.Share)
	case model.Tokens:
		return words.TokensShort(int64(a.N))
	}
	return AmountWords(a)
}

// ShareWords is a share of the context window with as much of it as was set:
// "80 %", "83.5 %".
func ShareWords(share float64) string {
	tenths := math.Round(share * 1000)
	if math.Mod(tenths, 10) == 0 || share < .001 {
		return words.Percent(share)
	}
	return words.PercentTenths(share)
}

// FieldWords is an amount as a number field shows it.
func FieldWords(a model.Amount) string {
	switch a.Unit {
	case model.Percent:
		return words.Percent(float64(a.N) / 100)
	case "":
		return words.Int(int64(a.N))
	case model.Groups, model.Steps, model.Turns:
		if a.N == 1 {
			return AmountWords(a)
		}
	}
	return words.Int(int64(a.N)) + " " + unitShort(a.Unit)
}

// unitShort is a unit as it is in a number field.
func unitShort(u model.Unit) string { return words.T("unitShort." + string(u)) }

// ParseField reads what a person typed, in the language of the screen.
func ParseField(s string) (kit.Number, error) {
	t := strings.ToLower(strings.TrimSpace(s))
	for _, word := range []string{"all", "off", "none", words.T("parameters.all"), words.T("parameters.off"), words.T("result.none")} {
		if t == strings.ToLower(word) {
			return kit.Number{}, nil
		}
	}
	for _, u := range []model.Unit{model.Tokens, model.Messages, model.Groups, model.Steps, model.Turns, model.Chars} {
		rest, ok := strings.CutSuffix(t, strings.ToLower(unitShort(u)))
		if !ok {
			rest, ok = strings.CutSuffix(t, strings.ToLower(UnitWord(u)))
		}
		if ok {
			t = rest + string(u)
			break
		}
	}
	n, err := kit.ParseNumber(t)
	if err != nil {
		return n, errors.New(words.T("parameters.notNumber", "text", "“"+s+"”"))
	}
	return n, nil
}

// AmountOf turns a typed number into an amount in one of units. No unit means now, or
// tokens if too large for %; a percentage, if units has none, is one of the window.
func AmountOf(n kit.Number, now model.Unit, units []model.Unit, window int) (model.Amount, error) {
	u := model.Unit(n.Unit)
	if u == "" {
		if model.UnclearIn(int(n.N), now, units) {
			return model.Amount{}, errors.New(words.T("check.whichUnit", "n", int64(n.N), "unit", UnitWord(now)))
		}
		u, n.N = impliedUnit(n.N, now, units)
	}
	if n.Below || u == model.Percent && !slices.Contains(units, model.Percent) {
		if window <= 0 {
			return model.Amount{}, errors.New(words.T("check.noWindow"))
		}
		if model.Unit(n.Unit) == model.Percent {
			n.N *= float64(window) / 100
		}
		if n.Below {
			n.N = float64(window) - n.N
		}
		u = model.Tokens
	}
	if len(units) == 0 {
		u = now
	} else if !slices.Contains(units, u) {
		names := make([]string, len(units))
		for i, x := range units {
			names[i] = UnitWord(x)
		}
		return model.Amount{}, errors.New(words.T("check.unit", "units", strings.Join(names, ", ")))
	}
	if n.N < 0 || n.N > math.MaxInt32 {
		return model.Amount{}, errors.New(words.T("check.range"))
	}
	if u == model.Percent && (n.N < 1 || n.N > 100) {
		return model.Amount{}, errors.New(words.T("check.percent"))
	}
	return model.Amount{N: int(math.Round(n.N)), Unit: u}, nil
}

// impliedUnit returns the unit of a number that was typed without one, and the
// number in it: 0.8 is a share, and a large number is meant in tokens.
func impliedUnit(n float64, now model.Unit, units []model.Unit) (model.Unit, float64) {
	if now != model.Percent {
		return now, n
	}
	if n > 0 && n < 1 {
		n *= 100
	}
	if n > 1000 && slices.Contains(units, model.Tokens) {
		return model.Tokens, n
	}
	return now, n
}

// UnitChoice is a unit as it is in a menu.
func UnitChoice(u model.Unit) string { return words.T("unitChoice." + string(u)) }

// TriggerTokens is the least of the clauses that count tokens; 0: there is none.
func TriggerTokens(q model.Policy) int {
	least := 0
	for _, c := range q.Triggers {
		if at := compaction.GaugeOf(c, q.Window).Tokens(); at > 0 && (least == 0 || at < least) {
			least = at
		}
	}
	return least
}
