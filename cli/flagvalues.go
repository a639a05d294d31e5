package cli

import (
	"fmt"
	"strconv"
	"strings"

	"palimpsest/model"
)

// number is an optional whole number: "120000", "120k".
type number struct {
	n   int
	set bool
}

// UnmarshalText reads the number.
func (v *number) UnmarshalText(b []byte) error {
	a, err := model.ParseAmount(string(b))
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
	a, err := model.ParseAmount(string(b))
	v.Amount, v.set = a, err == nil
	return err
}

// clause is one condition of a trigger: "80%", "120000", "40msgs", "5steps".
type clause struct {
	model.Clause
	plain bool // a number without a unit
}

// UnmarshalText reads the clause.
func (c *clause) UnmarshalText(b []byte) (err error) {
	c.Clause, err = model.ParseClause(string(b))
	a, plain := model.ParseAmount(string(b))
	c.plain = plain == nil && a.Unit == ""
	return err
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

// switched is a number that "off" switches off.
type switched struct {
	number
	off bool
}

// UnmarshalText reads it.
func (v *switched) UnmarshalText(b []byte) error {
	if strings.EqualFold(string(b), "off") {
		*v = switched{off: true}
		return nil
	}
	v.off = false
	return v.number.UnmarshalText(b)
}

// conversation is the number of one in a file, or all.
type conversation struct {
	n   int
	all bool
}

// UnmarshalText reads the number or the word.
func (v *conversation) UnmarshalText(b []byte) error {
	if string(b) == "all" {
		v.all = true
		return nil
	}
	n, err := strconv.Atoi(string(b))
	if err != nil {
		return fmt.Errorf("%q is no conversation; say its number, or all", b)
	}
	v.n = n
	return nil
}
