package model

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Unit is what a count counts.
type Unit string

const (
	Messages Unit = "msgs"
	Groups   Unit = "groups" // a tool-calling message with all its results
	Steps    Unit = "steps"  // one assistant message with its results; a step record
	Turns    Unit = "turns"  // from one message a person typed to the next
	Tokens   Unit = "tok"
	Chars    Unit = "chars" // Unicode code points
)

// Amount is a number with its unit.
type Amount struct {
	N    int  `json:"n"`
	Unit Unit `json:"unit"`
}

// usualWindow replaces a context window that is not known, so that a share of
// it is an amount all the same.
const usualWindow = 200_000

// of is the amount in a context window: a share of it in tokens, at least floor
// or, of a small window, an eighth. Other
// amounts, and a share of 0, stay as they are.
func (a Amount) of(window, floor int) Amount {
	if a.Unit != Percent {
		return a
	}
	if a.N == 0 {
		return Amount{Unit: Tokens}
	}
	if window <= 0 {
		window = usualWindow
	}
	return Amount{N: max(window/100*a.N+window%100*a.N/100, min(floor, window/8)), Unit: Tokens}
}

// Clause is one condition of a trigger. It fires when the measure reaches At;
// a clause in steps when the measure is more than At.
type Clause struct {
	Share float64 `json:"share,omitempty"` // of the whole context window, 0–1; 0: the clause is At
	At    Amount  `json:"at,omitzero"`
	// Over says that At, in tokens, is what the history may take over the fixed part
	// of its context. A session that uses the policy adds its own fixed part; before
	// that the clause is as far as At says.
	Over bool `json:"overFixed,omitempty"`
}

// unitNames are the words for units that a person may write.
var unitNames = map[string]Unit{
	"msg": Messages, "msgs": Messages, "message": Messages, "messages": Messages,
	"group": Groups, "groups": Groups, "step": Steps, "steps": Steps,
	"turn": Turns, "turns": Turns, "tok": Tokens, "token": Tokens, "tokens": Tokens,
	"char": Chars, "chars": Chars, "%": Percent,
}

// ParseAmount reads "120000", "120k", "1.5m", "10msgs", "20k tok", "10%"; the unit
// is "" when none is given.
func ParseAmount(text string) (Amount, error) {
	text = strings.TrimSpace(text)
	i := strings.IndexFunc(text, func(r rune) bool { return (r < '0' || r > '9') && r != '.' && r != '_' })
	if i < 0 {
		i = len(text)
	}
	digits, rest := strings.ReplaceAll(text[:i], "_", ""), strings.ToLower(strings.TrimSpace(text[i:]))
	if strings.HasPrefix(text, "-") {
		return Amount{}, fmt.Errorf("%q is below 0", text)
	}
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return Amount{}, fmt.Errorf("%q is not a number with a unit, as in 80%%, 20000tok, 10msgs, 5steps or 3turns", text)
	}
	if times := map[string]float64{"k": 1e3, "m": 1e6}[rest[:min(1, len(rest))]]; times > 0 && unitNames[rest] == "" {
		f, rest = f*times, strings.TrimSpace(rest[1:])
	}
	unit, ok := unitNames[rest]
	if !ok && rest != "" {
		return Amount{}, fmt.Errorf("%q is not a unit; there are msgs, groups, steps, turns, tok, chars and %%", rest)
	}
	switch {
	case f > mostNumber, unit == Percent && f > 100:
		return Amount{}, fmt.Errorf("%q is too large", text)
	case f != math.Trunc(f):
		return Amount{}, fmt.Errorf("%q is not a whole number", text)
	}
	return Amount{N: int(f), Unit: unit}, nil
}

// ParseClause reads "80%", "0.8", "120000" (tokens), "40msgs", "5steps".
func ParseClause(text string) (Clause, error) {
	text = strings.TrimSpace(text)
	if share, ok := strings.CutSuffix(text, "%"); ok {
		f, err := strconv.ParseFloat(strings.TrimSpace(share), 64)
		if err != nil || !(f > 0 && f <= 100) {
			return Clause{}, fmt.Errorf("%q is not a share from above 0%% to 100%%", text)
		}
		return Clause{Share: f / 100}, nil
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil && f > 0 && f < 1 {
		return Clause{Share: f}, nil
	}
	number, over := strings.CutPrefix(text, "+")
	a, err := ParseAmount(number)
	switch {
	case err != nil:
		return Clause{}, err
	case over && a.Unit != "" && a.Unit != Tokens:
		return Clause{}, fmt.Errorf("%q: only tokens can be counted over the fixed part", text)
	case a.Unit == Chars:
		return Clause{}, errors.New("a threshold can't be in chars")
	case a.Unit == "":
		a.Unit = Tokens
	}
	return Clause{At: a, Over: over}, nil
}
