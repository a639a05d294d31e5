package show

import (
	"cmp"
	"reflect"
	"strings"

	"palimpsest/compaction"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// ParamWords is a parameter's value in words: "20,000 tok", "80 % · 40 messages".
func ParamWords(x *model.Param, q *model.Policy) string {
	if x.SwitchedOff(q) {
		return words.T(x.Off)
	}
	switch v := x.Value(q).(type) {
	case *bool:
		if *v {
			return words.T("compare.yes")
		}
		return words.T("compare.no")
	case *string:
		return words.T(x.Key + "." + *v)
	case *[]model.Clause:
		clauses := make([]string, len(*v))
		for i, c := range *v {
			clauses[i] = ClauseWords(c)
		}
		return cmp.Or(strings.Join(clauses, " · "), ZeroWords(x))
	case *[]model.Range:
		return cmp.Or(RangeWords(*v), ZeroWords(x))
	}
	n, u, _ := x.Number(q)
	switch {
	case u == model.Results:
		return words.T("parameters.keepNewest") + " " + words.Int(int64(n))
	case n == 0:
		return ZeroWords(x)
	}
	return CountedWords(int64(n), u)
}

// BriefWords is ParamWords for a narrow column.
func BriefWords(x *model.Param, q *model.Policy) string {
	if v, ok := x.Value(q).(*string); ok && !x.SwitchedOff(q) {
		return BriefValue(x.Key, *v)
	}
	return ParamWords(x, q)
}

// BriefValue is one of the values of a parameter that are words, for a narrow column.
func BriefValue(param, value string) string {
	if key := param + ".short." + value; words.T(key) != key {
		return words.T(key)
	}
	return words.T(param + "." + value)
}

// ZeroWords is what 0 means for a parameter.
func ZeroWords(x *model.Param) string {
	switch x.Zero {
	case "":
		return "0"
	case "?":
		return words.Unknown
	}
	return words.T(x.Zero)
}

// SettingRows are the parameters in which two policies differ.
func SettingRows(a, b model.Policy) (rows []FigureRow) {
	for _, x := range model.Params() {
		if reflect.DeepEqual(x.Value(&a), x.Value(&b)) && x.SwitchedOff(&a) == x.SwitchedOff(&b) {
			continue
		}
		r := FigureRow{Name: words.T(x.Word), Color: kit.ColorText, A: BriefWords(x, &a), B: BriefWords(x, &b)}
		na, ua, okA := x.Number(&a)
		nb, ub, okB := x.Number(&b)
		// A step from or to a value that is said in words is none in numbers.
		steps := okA && okB && ua == ub && ua != model.Percent && (x.Zero == "" || na*nb > 0)
		if steps && !x.SwitchedOff(&a) && !x.SwitchedOff(&b) {
			if r.Change = words.Int(int64(nb - na)); nb > na {
				r.Change = "+" + r.Change
			}
		}
		if r.A != r.B {
			rows = append(rows, r)
		}
	}
	return rows
}

// OrEqual is the rows, or one that says that there are none.
func OrEqual(rows []FigureRow) []FigureRow {
	if len(rows) == 0 {
		return []FigureRow{{Name: words.T("compare.settings.none")}}
	}
	return rows
}

// Problem is why a value does not fit, in a sentence, and the nearest one that
// does.
type Problem struct {
	Text  string
	Label string                // the nearest value
	Fix   func(q *model.Policy) // nil: no value fits
}

// Repair sets the nearest value that fits, if there is one.
func (p *Problem) Repair(q *model.Policy) {
	if p.Fix != nil {
		p.Fix(q)
	}
}

// Error implements error.
func (p *Problem) Error() string { return p.Text }

// CheckParam is the problem that the parameter of a key has beside the others;
// of the trigger, that of a clause. nil: there is none.
func CheckParam(key string, q *model.Policy, clause int) *Problem {
	c, conflicts := compaction.ConflictOf(key, q, clause)
	if !conflicts {
		return nil
	}
	p := &Problem{Text: words.T("check."+c.Code, "limit", c.Limit), Label: words.Int(int64(c.Nearest.N))}
	if c.Nearest.Unit == model.Percent {
		p.Label = FieldWords(c.Nearest)
	}
	if c.Code == "fixed" {
		p.Text = words.T("state.triggerTooLow", "fixed", words.Estimate(int64(c.Limit)), "trigger", words.TokensShort(int64(c.Value)))
	}
	switch {
	case !c.Legal: // what would fail the same check is not offered
	case key == "trigger":
		p.Label, p.Fix = FieldWords(c.Nearest), func(q *model.Policy) { SetClause(q, clause, c.Nearest) }
	default:
		p.Fix = func(q *model.Policy) { model.ParamOf(key).SetNumber(q, float64(c.Nearest.N), c.Nearest.Unit) }
	}
	return p
}
