package main

import (
	_ "embed"
	"encoding/json"
	"slices"
)

// goal is one number that is to be reached.
type goal struct {
	ID, Name string
	Limit    float64
	Least    bool // the limit is the least that is asked for; else the most

	// The value is Num over Den, round by round; without Den it is Num itself. Of
	// several pairs the worst counts. Pairs are of one run; times are CPU time
	// where two programs do the same on one thread, else time on the clock.
	Num, Den []string
	Median   bool    // Den is the median of all of them, and not that of the pair
	Scale    float64 // Num is divided by it; 0: 1
	Unit     string  // of the value: "×", "ms", "MB" …

	Missed string // why it is missed, if it is
	Beside bool   // no goal: a figure next to one, for comparison
}

//go:embed goals.json
var goalsFile []byte

// readGoals returns the goals in the order of the table.
func readGoals() (list []goal, err error) { return list, json.Unmarshal(goalsFile, &list) }

// verdict is a goal with what was measured.
type verdict struct {
	goal
	measured bool
	why      string // it was not measured
	value    float64
	low, top float64 // of the rounds
	rounds   int
}

func (v verdict) reached() bool {
	if v.Least {
		return v.value >= v.Limit
	}
	return v.value <= v.Limit
}

// judge compares the measurements with the goals. skipped says by goal why
// something could not be measured.
func judge(list []goal, r *results, skipped map[string]string) []verdict {
	var out []verdict
	for _, g := range list {
		v := verdict{goal: g, why: skipped[g.ID]}
		for i, num := range g.Num {
			values := g.values(r, i, num)
			if len(values) == 0 {
				continue
			}
			m := median(values)
			if !v.measured || g.worse(m, v.value) {
				v.measured, v.value, v.rounds = true, m, len(values)
				v.low, v.top = slices.Min(values), slices.Max(values)
			}
		}
		if !v.measured && v.why == "" {
			v.why = "nothing was measured in this run"
		}
		out = append(out, v)
	}
	return out
}

func (g goal) worse(a, b float64) bool {
	if g.Least {
		return a < b
	}
	return a > b
}

// values is the goal's value in each round, for its i-th num.
func (g goal) values(r *results, i int, num string) []float64 {
	top := r.rounds(num)
	out := make([]float64, len(top))
	for k := range top {
		out[k] = top[k] / max(g.Scale, 1)
	}
	if len(g.Den) == 0 {
		return out
	}
	bottom := g.bottom(r, i)
	out = out[:min(len(out), len(bottom))]
	for k := range out {
		if bottom[k] == 0 {
			return nil
		}
		out[k] /= bottom[k]
	}
	return out
}

// bottom is what the i-th num is compared with in each round.
func (g goal) bottom(r *results, i int) []float64 {
	if !g.Median {
		return r.rounds(g.Den[min(i, len(g.Den)-1)])
	}
	var out []float64
	for round := 0; ; round++ {
		var all []float64
		for _, den := range g.Den {
			if v := r.rounds(den); round < len(v) {
				all = append(all, v[round])
			}
		}
		if len(all) < len(g.Den) {
			return out
		}
		out = append(out, median(all))
	}
}
