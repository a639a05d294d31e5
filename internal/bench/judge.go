package main

import "slices"

// goal is one number that is to be reached.
type goal struct {
	id, name string
	limit    float64
	least    bool // the limit is the least that is asked for; else the most

	// The value is num over den, round by round; without den it is num itself. Of
	// several pairs the worst counts.
	num, den []string
	scale    float64 // num is divided by it; 0: 1
	unit     string  // of the value: "×", "ms", "MB" …

	missed string // why it is missed, if it is
	beside bool   // no goal: what stands beside one so that it can be judged
}

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
	if v.least {
		return v.value >= v.limit
	}
	return v.value <= v.limit
}

// judge holds the goals against the measurements. skipped tells by goal why
// something could not be measured.
func judge(list []goal, r *results, skipped map[string]string) []verdict {
	var out []verdict
	for _, g := range list {
		v := verdict{goal: g, why: skipped[g.id]}
		for i, num := range g.num {
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
	if g.least {
		return a < b
	}
	return a > b
}

// values is the goal's value in each round, for its i-th num.
func (g goal) values(r *results, i int, num string) []float64 {
	top := r.rounds(num)
	out := make([]float64, len(top))
	for k := range top {
		out[k] = top[k] / max(g.scale, 1)
	}
	if len(g.den) == 0 {
		return out
	}
	bottom := r.rounds(g.den[min(i, len(g.den)-1)])
	out = out[:min(len(out), len(bottom))]
	for k := range out {
		if bottom[k] == 0 {
			return nil
		}
		out[k] /= bottom[k]
	}
	return out
}
