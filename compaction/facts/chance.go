package facts

import (
	"math"
	"unicode/utf8"
)

// How likely an agent is to need a fact that a compaction takes away, a rule of six
// weights says:
//
//	z = Σ weight · evidence        chance = 1 / (1 + e^−z)
//
// Numbers of messages, ages and lengths enter as log(1 + n), for the tenth message says
// less than the second. Ages are in content blocks, the parts of messages.

// Evidence is what the rule knows of a fact: one number for each of [Weights].
type Evidence [6]float64

// Weights are those of the rule. They were fitted to sessions that were over; docs/insight.md
// says how, and what the rule comes to on projects that the fit did not see.
var Weights = [len(Evidence{})]struct {
	Of     string
	Weight float64
}{
	{"messages that hold it", 1.6},
	{"of these, results of tools", -1},
	{"age since it was last seen", -0.35},
	{"age since the agent last used it", -0.35},
	{"length in code points", -0.4},
	{"share of digits in it", -1.9},
}

// oldest bounds the ages: what is older, or was never used, counts as this.
const oldest = 3000

// Evidence gathers what is known of a fact from the messages before a position.
func (x *Index) Evidence(id ID, at int) Evidence {
	messages, byTools, age, ageOfUse := 0.0, 0.0, float64(oldest), float64(oldest)
	for k := x.starts[id]; k < x.starts[id+1] && int(x.msgs[k]) < at; k++ {
		here := x.occurrence(k)
		messages++
		if age = min(oldest, float64(x.blocks[at]-x.blocks[here.Msg])); here.Author == Tool {
			byTools++
		}
		if here.Used() {
			ageOfUse = age
		}
	}
	text := x.facts[id].Text
	figures := 0
	for i := range len(text) {
		if isDigit(text[i]) {
			figures++
		}
	}
	return Evidence{math.Log1p(messages), math.Log1p(byTools), math.Log1p(age), math.Log1p(ageOfUse),
		math.Log1p(float64(utf8.RuneCountInString(text))), float64(figures) / float64(max(1, len(text)))}
}

// Chance is how likely the agent is to need a fact of which so much is known.
func (e Evidence) Chance() float64 {
	z := 0.0
	for i, w := range Weights {
		z += w.Weight * e[i]
	}
	return 1 / (1 + math.Exp(-z))
}
