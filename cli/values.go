package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"palimpsest/model"
)

var units = map[string]model.Unit{
	"msg": model.Messages, "msgs": model.Messages, "message": model.Messages, "messages": model.Messages,
	"group": model.Groups, "groups": model.Groups, "step": model.Steps, "steps": model.Steps,
	"turn": model.Turns, "turns": model.Turns, "tok": model.Tokens, "token": model.Tokens, "tokens": model.Tokens,
	"char": model.Chars, "chars": model.Chars,
}

// most is the largest number that is taken; more means nothing for any limit.
const most = 1 << 40

// parseAmount reads "120000", "120k", "1.5m", "10msgs", "20k tok"; the unit is
// "" when none is given.
func parseAmount(text string) (model.Amount, error) {
	text = strings.TrimSpace(text)
	i := strings.IndexFunc(text, func(r rune) bool { return (r < '0' || r > '9') && r != '.' && r != '_' })
	if i < 0 {
		i = len(text)
	}
	digits, rest := strings.ReplaceAll(text[:i], "_", ""), strings.ToLower(strings.TrimSpace(text[i:]))
	if strings.HasPrefix(text, "-") {
		return model.Amount{}, fmt.Errorf("%q is below 0", text)
	}
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return model.Amount{}, fmt.Errorf("%q is not a number with a unit, as in 10msgs, 5steps, 3turns or 20k tok", text)
	}
	unit, ok := units[rest]
	if !ok && rest != "" {
		switch rest[0] {
		case 'k':
			f *= 1e3
		case 'm':
			f *= 1e6
		default:
			return model.Amount{}, fmt.Errorf("%q is not a unit; there are msgs, groups, steps, turns, tok and chars", rest)
		}
		if rest = strings.TrimSpace(rest[1:]); rest != "" {
			if unit, ok = units[rest]; !ok {
				return model.Amount{}, fmt.Errorf("%q is not a unit; there are msgs, groups, steps, turns, tok and chars", rest)
			}
		}
	}
	switch {
	case f > most:
		return model.Amount{}, fmt.Errorf("%q is too large", text)
	case f != math.Trunc(f):
		return model.Amount{}, fmt.Errorf("%q is not a whole number", text)
	}
	return model.Amount{N: int(f), Unit: unit}, nil
}

// number is an optional whole number: "120000", "120k".
type number struct {
	n   int
	set bool
}

// UnmarshalText reads the number.
func (v *number) UnmarshalText(b []byte) error {
	a, err := parseAmount(string(b))
	if err == nil && a.Unit != "" {
		err = fmt.Errorf("%q takes no unit", b)
	}
	v.n, v.set = a.N, err == nil
	return err
}

// amount is an optional number with a unit.
type amount struct {
	model.Amount
	set bool
}

// UnmarshalText reads the amount.
func (v *amount) UnmarshalText(b []byte) error {
	a, err := parseAmount(string(b))
	v.Amount, v.set = a, err == nil
	return err
}

// in gives the amount with the unit it has when none is given, if it is one of
// those that mean something here.
func (v amount) in(flag string, plain model.Unit, more ...model.Unit) (model.Amount, error) {
	a := v.Amount
	if a.Unit == "" {
		a.Unit = plain
	}
	names := []string{string(plain)}
	for _, u := range more {
		if a.Unit == u {
			return a, nil
		}
		names = append(names, string(u))
	}
	if a.Unit != plain {
		return a, usage("%s can't be in %s; it takes %s.", flag, a.Unit, strings.Join(names, ", "))
	}
	return a, nil
}

// clause is one condition of a trigger: "80%", "120000", "40msgs", "5steps".
type clause struct{ model.Clause }

// UnmarshalText reads the clause.
func (c *clause) UnmarshalText(b []byte) error {
	text := strings.TrimSpace(string(b))
	if share, ok := strings.CutSuffix(text, "%"); ok {
		f, err := strconv.ParseFloat(strings.TrimSpace(share), 64)
		if err != nil || !(f > 0 && f <= 100) {
			return fmt.Errorf("%q is not a share from above 0%% to 100%%", text)
		}
		c.Share = f / 100
		return nil
	}
	a, err := parseAmount(text)
	if err != nil {
		return err
	}
	if a.Unit == "" {
		a.Unit = model.Tokens
	}
	if a.Unit == model.Chars {
		return fmt.Errorf("a trigger can't be in chars")
	}
	c.At = a
	return nil
}

// pins are message numbers as screens show them: "3", "10-14", comma-separated.
type pins struct{ ranges []model.Range }

// UnmarshalText reads the numbers.
func (p *pins) UnmarshalText(b []byte) error {
	for _, part := range strings.Split(string(b), ",") {
		from, to, isRange := strings.Cut(strings.TrimSpace(part), "-")
		if !isRange {
			to = from
		}
		f, err1 := strconv.Atoi(strings.TrimSpace(from))
		t, err2 := strconv.Atoi(strings.TrimSpace(to))
		if err1 != nil || err2 != nil || f < 1 || t < f {
			return fmt.Errorf("%q is not a message number or a range of them, as in 3 or 10-14", part)
		}
		p.ranges = append(p.ranges, model.Range{From: f - 1, To: t})
	}
	return nil
}

// clearing is "N" (keep the newest n) or "off".
type clearing struct {
	keep    int
	off     bool
	defined bool
}

// UnmarshalText reads it.
func (c *clearing) UnmarshalText(b []byte) error {
	c.defined = true
	if strings.EqualFold(string(b), "off") {
		c.off = true
		return nil
	}
	var n number
	err := n.UnmarshalText(b)
	c.keep = n.n
	return err
}
