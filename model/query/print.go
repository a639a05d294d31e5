package query

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// String is the query as it is stored and shown: parsing it gives the same query.
func (q Query) String() string {
	list := make([]string, len(q.Terms))
	for i, t := range q.Terms {
		list[i] = t.String()
	}
	return strings.Join(list, " ")
}

// String is one term as it is typed.
func (t Term) String() string {
	not := ""
	if t.Not {
		not = "-"
	}
	switch t.Kind {
	case Word:
		return not + t.Text
	case Phrase:
		return not + quote(t.Text)
	case Regexp:
		if t.Fold {
			return not + "/" + t.Text + "/i"
		}
		return not + "/" + t.Text + "/"
	}
	return not + string(t.Key) + t.operands()
}

// operands returns the text after the key of a clause: ":Bash,Read", ">2k".
func (t Term) operands() string {
	if t.Key.Info().Number && len(t.Values) == 1 {
		if op := t.Values[0].compared(); op != "" {
			return op
		}
	}
	list := make([]string, len(t.Values))
	for i, v := range t.Values {
		list[i] = v.print(t.Key)
	}
	return ":" + strings.Join(list, ",")
}

// compared is a range that is open at one end, as a comparison; else "".
func (v Value) compared() string {
	switch {
	case v.Hi == math.MaxInt64 && v.Lo > 0 && v.Lo%100 == 1 && v.Lo > 1:
		return ">" + spell(v.Lo-1)
	case v.Hi == math.MaxInt64:
		return ">=" + spell(v.Lo)
	case v.Lo == 0 && v.Hi > 0 && v.Hi%100 == 99:
		return "<" + spell(v.Hi+1)
	case v.Lo == 0 && v.Hi > 0:
		return "<=" + spell(v.Hi)
	}
	return ""
}

func (v Value) print(k Key) string {
	if !k.Info().Number {
		if strings.ContainsFunc(v.Text, func(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == '，' }) || isQuote(v.Text) > 0 {
			return quote(v.Text)
		}
		return v.Text
	}
	switch {
	case v.Lo == v.Hi:
		return spell(v.Lo)
	case v.Hi == math.MaxInt64:
		return spell(v.Lo) + ".."
	}
	return spell(v.Lo) + ".." + spell(v.Hi)
}

// spell is a number as briefly as it reads back.
func spell(n int64) string {
	switch {
	case n >= 1e6 && n%1e5 == 0:
		return strconv.FormatFloat(float64(n)/1e6, 'f', -1, 64) + "m"
	case n >= 1e3 && n%100 == 0:
		return strconv.FormatFloat(float64(n)/1e3, 'f', -1, 64) + "k"
	}
	return strconv.FormatInt(n, 10)
}

func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// With is a query with a clause for one value, which takes the place of a clause that
// says the opposite; several values of one key are one clause.
func (q Query) With(k Key, value string, not bool) Query {
	out := q.Without(k, value)
	v := Value{Text: value}
	if k.Info().Number {
		v, _ = numbers(":", value)
	}
	for i := range out.Terms {
		if t := &out.Terms[i]; t.Kind == Clause && t.Key == k && t.Not == not && not {
			t.Values = append(append([]Value(nil), t.Values...), v)
			return out
		}
	}
	if !not { // only this one
		kept := out.Terms[:0]
		for _, t := range out.Terms {
			if t.Kind != Clause || t.Key != k || t.Not {
				kept = append(kept, t)
			}
		}
		out.Terms = kept
	}
	out.Terms = append(out.Terms, Term{Kind: Clause, Key: k, Not: not, Values: []Value{v}})
	return out
}

// Toggle is a query with a value of a key that takes several at once, or without it
// where it has it.
func (q Query) Toggle(k Key, value string) Query {
	for i, t := range q.Terms {
		if t.Kind != Clause || t.Key != k || t.Not {
			continue
		}
		if slices.ContainsFunc(t.Values, func(v Value) bool { return v.Text == value }) {
			return q.Without(k, value)
		}
		out := Query{slices.Clone(q.Terms)}
		out.Terms[i].Values = append(slices.Clone(t.Values), Value{Text: value})
		return out
	}
	return Query{append(slices.Clone(q.Terms), Term{Kind: Clause, Key: k, Values: []Value{{Text: value}}})}
}

// Without is a query that does not speak of a value.
func (q Query) Without(k Key, value string) Query {
	var out Query
	for _, t := range q.Terms {
		if t.Kind == Clause && t.Key == k {
			var left []Value
			for _, v := range t.Values {
				if !strings.EqualFold(v.print(k), value) && !strings.EqualFold(v.Text, value) {
					left = append(left, v)
				}
			}
			if len(left) == 0 {
				continue
			}
			t.Values = left
		}
		out.Terms = append(out.Terms, t)
	}
	return out
}

// Drop is a query without its i-th term.
func (q Query) Drop(i int) Query {
	return Query{append(append([]Term(nil), q.Terms[:i]...), q.Terms[i+1:]...)}
}

// Turn is a query whose i-th term is negated, or no longer is.
func (q Query) Turn(i int) Query {
	list := append([]Term(nil), q.Terms...)
	list[i].Not = !list[i].Not
	return Query{list}
}
