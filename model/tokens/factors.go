package tokens

import (
	"fmt"
	"maps"
	"strings"
)

// Family is models whose vocabulary is not public: their tokens are estimated
// with that of O200k and a factor.
type Family struct {
	Name   string
	Factor float64 // true tokens per token of o200k_base, see ForModel
}

// Families lists the families that are counted with a factor, and last the
// models that are not known.
func Families() []Family {
	list := []Family{{claude.family, claude.factor}, {newClaude.family, newClaude.factor}}
	seen := map[string]bool{}
	for _, f := range factors {
		if !seen[f.family] {
			seen[f.family] = true
			list = append(list, Family{f.family, f.factor})
		}
	}
	return append(list, Family{unknown.family, unknown.factor})
}

// Why a counter has the factor it has; any other reason is that it was fitted to
// usage the provider reported.
const (
	Usual         = "factor"         // that of Families
	LowConfidence = "low confidence" // that of Families for a model that is not known
	ByHand        = "set by hand"    // by a person
)

// The families whose names are words.
const (
	LaterClaude   = "Claude 4.7 and later"
	UnknownFamily = "unknown model"
)

// The factors that a person may set. No vocabulary is so far from another.
const (
	LeastFactor = 0.2
	MostFactor  = 5.0
)

// Factors are the factors a person set in the place of those of [Families], by
// the family's name. The zero value sets none. It is never changed: With gives a
// new one.
type Factors map[string]float64

// ForModel is [ForModel] with the factor a person set for the model's family.
// Counts with the model's own vocabulary stay exact.
func (f Factors) ForModel(model string) Counter {
	c := ForModel(model)
	if v, ok := f[c.family]; ok && c.why != "" && v >= LeastFactor && v <= MostFactor {
		return c.WithFactor(v, ByHand)
	}
	return c
}

// With sets the factor of a family, in whatever letters its name is given; that
// of [Families] sets none. A family or a factor that can't be is an error.
func (f Factors) With(family string, factor float64) (Factors, error) {
	known, err := familyNamed(family)
	if err != nil {
		return f, err
	}
	if !(factor >= LeastFactor && factor <= MostFactor) {
		return f, fmt.Errorf("a factor is a number from %g to %g", LeastFactor, MostFactor)
	}
	out := maps.Clone(f)
	if out == nil {
		out = Factors{}
	}
	if out[known.Name] = factor; factor == known.Factor {
		delete(out, known.Name)
	}
	return out, nil
}

// Of is the factor of a family: the one that was set, else that of [Families].
func (f Factors) Of(family Family) float64 {
	if v, ok := f[family.Name]; ok {
		return v
	}
	return family.Factor
}

func familyNamed(name string) (Family, error) {
	var names []string
	for _, k := range Families() {
		if strings.EqualFold(k.Name, strings.TrimSpace(name)) {
			return k, nil
		}
		names = append(names, k.Name)
	}
	return Family{}, fmt.Errorf("there is no family %q that is counted with a factor; there are %s", name, strings.Join(names, ", "))
}
