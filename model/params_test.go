package model

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// jsonOf is a policy as it is stored, by field.
func jsonOf(t *testing.T, p Policy) map[string]string {
	t.Helper()
	b, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(b, &raw); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for k, v := range raw {
		out[k] = string(v)
	}
	return out
}

// changed sets a parameter to something that no zero policy has.
func changed(x *Param, p *Policy) {
	switch v := x.Value(p).(type) {
	case *int:
		*v = 7
	case *Amount:
		*v = Amount{7, x.Units[0]}
	case *bool:
		*v = true
	case *string:
		*v = x.Choices[len(x.Choices)-1]
	case *[]Clause:
		*v = []Clause{{Share: .07}}
	case *[]Range:
		*v = []Range{{1, 2}}
	}
}

// Each row moves the field of the JSON that it names and no other, and together
// they reach every parameter that a policy has.
func TestTheTableHoldsEveryParameter(t *testing.T) {
	var p Policy
	for _, x := range Params() {
		var one Policy
		changed(x, &one)
		want := jsonOf(t, Policy{})
		got := jsonOf(t, one)
		maps.DeleteFunc(got, func(k, v string) bool { return want[k] == v })
		if keys := slices.Collect(maps.Keys(got)); !slices.Equal(keys, []string{x.JSON}) {
			t.Errorf("%s changes %v", x.Key, keys)
		}
		changed(x, &p)
		if s := x.Switch(&p); s != nil {
			*s = true
		}
		var copied Policy
		if x.Copy(&copied, &one); !reflect.DeepEqual(copied, one) {
			t.Errorf("%s is copied as %+v", x.Key, copied)
		}
	}
	p.Preset = "named" // the one field that is no parameter
	var zeroes func(v reflect.Value, path string)
	zeroes = func(v reflect.Value, path string) {
		for i := range v.NumField() {
			f, name := v.Field(i), path+v.Type().Field(i).Name
			if f.Kind() == reflect.Struct {
				zeroes(f, name+".")
			} else if f.IsZero() {
				t.Errorf("no row of the table reaches %s", name)
			}
		}
	}
	zeroes(reflect.ValueOf(p), "")
}

func TestNumbersAreReadAsTheyAreSet(t *testing.T) {
	for _, x := range Params() {
		for _, u := range x.Units {
			var p Policy
			x.SetNumber(&p, 29, u)
			if n, unit, ok := x.Number(&p); !ok || n != 29 || unit != u {
				t.Errorf("%s: 29 %s is read as %v %s %v", x.Key, u, n, unit, ok)
			}
		}
	}
	x, p := ParamOf("trigger"), Policy{Triggers: []Clause{{Share: .07}, {Share: .8}}}
	if _, _, ok := x.Number(&p); ok {
		t.Error("two clauses are read as one number")
	}
	shared := p.Triggers
	if x.SetNumber(&p, 90, Percent); shared[0].Share != .07 {
		t.Error("the list that policies share was written to")
	}
}

func TestClamp(t *testing.T) {
	p := Policy{Window: 1000, Reserve: 5000, Tail: Amount{N: -1, Unit: Steps}, Target: 1 << 50, BackOff: -3, Budget: Amount{N: 10}}
	var codes []string
	for _, x := range Params() {
		if _, did := x.Clamp(&p); did {
			codes = append(codes, x.Clamped)
		}
	}
	want := Policy{Window: 1000, Reserve: 999, Tail: Amount{Unit: Steps}, Batch: Amount{Unit: Steps}, Target: mostNumber,
		Budget: Amount{10, Tokens}, LayerBudget: Amount{Unit: Tokens}, Strategy: Extract, Former: MergeFormer, OnFailure: KeepEverything, Checkpoints: CheckpointsStay}
	if !reflect.DeepEqual(p, want) || !slices.Equal(codes, []string{"clamped-reserve", "clamped-window", "clamped", "clamped"}) {
		t.Errorf("%+v %v", p, codes)
	}
}

func TestCheck(t *testing.T) {
	good := Policy{Strategy: Drop, Former: LayerFormer, OnFailure: TruncateAtHard, Tail: Amount{Unit: Turns}, Triggers: []Clause{{Share: .5}}}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	for word, set := range map[string]func(*Policy){
		"magic":  func(p *Policy) { p.Strategy = "magic" },
		"never":  func(p *Policy) { p.OnFailure = "never" },
		"apples": func(p *Policy) { p.Tail.Unit = "apples" },
		"chars":  func(p *Policy) { p.Triggers = []Clause{{At: Amount{5, Chars}}} },
		"turns":  func(p *Policy) { p.Budget.Unit = Turns },
	} {
		p := good
		if set(&p); p.Check() == nil || !strings.Contains(p.Check().Error(), word) {
			t.Errorf("%s: %v", word, p.Check())
		}
	}
}

func TestAmountsAreRead(t *testing.T) {
	for text, want := range map[string]Amount{
		"120000": {120000, ""}, "120k": {120000, ""}, "1.5m": {1500000, ""}, "8_000": {8000, ""}, " 10msgs ": {10, Messages},
		"20k tok": {20000, Tokens}, "1 M tokens": {1000000, Tokens}, "3Turns": {3, Turns}, "1 message": {1, Messages},
	} {
		if got, err := ParseAmount(text); err != nil || got != want {
			t.Errorf("%q: %+v %v", text, got, err)
		}
	}
	for _, bad := range []string{"", "k", "-5", "1.5", "5 apples", "5kapples", "9999999999999999", "1..2"} {
		if got, err := ParseAmount(bad); err == nil {
			t.Errorf("%q is read as %+v", bad, got)
		}
	}
	for text, want := range map[string]Clause{"80%": {Share: .8}, "40msgs": {At: Amount{40, Messages}}, "90k": {At: Amount{90000, Tokens}},
		"+32k": {At: Amount{32000, Tokens}, Over: true}} {
		if got, err := ParseClause(text); err != nil || got != want {
			t.Errorf("%q: %+v %v", text, got, err)
		}
	}
	for _, bad := range []string{"0%", "101%", "x%", "5chars", "NaN%", "+5msgs", "++5"} {
		if got, err := ParseClause(bad); err == nil {
			t.Errorf("%q is read as %+v", bad, got)
		}
	}
}

// A share of the context window is counted in tokens, has a floor, and the floor
// is an eighth of a small window at most.
func TestAShareOfTheWindow(t *testing.T) {
	for _, c := range []struct{ percent, window, floor, want int }{
		{10, 200_000, 4000, 20_000}, {10, 1_000_000, 4000, 100_000}, {2, 200_000, 1000, 4000},
		{10, 0, 4000, 20_000}, // not known: as if it were usual
		{10, 32_000, 4000, 4000}, {10, 12_000, 4000, 1500}, {0, 200_000, 4000, 0},
		{7, 199, 0, 13}, {100, 1 << 40, 4000, 1 << 40},
	} {
		if got := (Amount{c.percent, Percent}).of(c.window, c.floor); got != (Amount{c.want, Tokens}) {
			t.Errorf("%d %% of %d: %+v, want %d", c.percent, c.window, got, c.want)
		}
	}
	if a := (Amount{7, Steps}); a.of(200_000, 4000) != a {
		t.Error("steps are no share")
	}
	for text, want := range map[string]Amount{"10%": {10, Percent}, "10 %": {10, Percent}, "0%": {0, Percent}} {
		if got, err := ParseAmount(text); err != nil || got != want {
			t.Errorf("%q: %+v %v", text, got, err)
		}
	}
	for _, text := range []string{"101%", "2.5%", "-1%"} {
		if got, err := ParseAmount(text); err == nil {
			t.Errorf("%q is taken as %+v", text, got)
		}
	}
}
