package replay

import (
	"context"
	"math"
	"slices"
	"sort"

	"palimpsest/compaction"
	"palimpsest/model"
)

// Suggestions are the settings on the front of needed later against total input
// that are better than the present ones:
//
//	needed later
//	  |            . safer     most kept, for no more input than now
//	  |       . middle         the best of both between the two
//	  |  . leaner     x now    least input, keeping about what is kept now
//	  +-------------------- total input
//
// A need falls into one of two halves by its fact. A setting must hold on each of
// them by itself, so that none is shown that only fits the past by chance.

// Aim says what a suggestion is good for.
type Aim string

// The aims.
const (
	Safer  Aim = "safer"  // keeps the most of what is needed later
	Middle Aim = "middle" // between the two
	Leaner Aim = "leaner" // sends the least
)

// Suggestion is a setting that suits the histories better than the present one.
type Suggestion struct {
	Aim     Aim            `json:"aim"`
	Results []Result       `json:"results"` // by subject
	Policy  []model.Policy `json:"policy"`  // by subject
	Recall  float64        `json:"recall"`  // mean over the subjects with enough needs, 0–1
	Worst   float64        `json:"worst"`   // the least of them
	Halves  [2]float64     `json:"halves"`  // mean recall over each half of the needs
	Input   int64          `json:"input"`   // tokens sent by all calls of all subjects
	Firings int            `json:"firings"`
	Kept    float64        `json:"kept"` // share of a person's orders that were live after firings, 0–1
}

// NoAdvice is the reason why there is no suggestion.
type NoAdvice string

// The reasons.
const (
	Advised    NoAdvice = ""       // there is one
	NeverFires NoAdvice = "never"  // the histories are far from full: nothing need be compacted
	FewNeeds   NoAdvice = "needs"  // too little of what went was needed again
	NoBetter   NoAdvice = "better" // no setting is better than the present one
)

// Advice is the result of trying settings on histories.
type Advice struct {
	Now         Suggestion   `json:"now"` // the present settings; without an aim
	Suggestions []Suggestion `json:"suggestions"`
	Tried       int          `json:"tried"` // settings
	Needs       int          `json:"needs"` // the most needs that any setting had
	Why         NoAdvice     `json:"why"`
}

// How settings are spread, and by how much they must differ.
const (
	adviceTriggers, adviceTails = 6, 5 // values of an axis
	leastApart                  = .01  // of recall, or
	leastSaved                  = .03  // of the input: else two settings are the same to a person
	mostForgotten               = .02  // of recall that Leaner may give up
	mostSlack                   = .05  // of recall on one half, which varies by chance
	mostWaiting                 = .1   // of recall that Leaner may give up where nothing is compacted now
	leastFull                   = .4   // of the context window at the largest call: else nothing need be compacted
	leastTail                   = 4000 // tokens: with less the agent loses what it is doing
)

// Suggest tries settings of trigger, recent tail, summary budget and strategy on
// the histories and returns up to three that are better than the present ones, from
// the safest to the leanest. None fires again within [Soon] calls, leaves calls
// larger than the context window, or loses more of a person's orders than the
// present settings do. The judge of the options is required.
func Suggest(ctx context.Context, subjects []Subject, o SweepOptions) (*Advice, error) {
	settings := adviceSettings(ctx, &subjects[0])
	cells, err := try(ctx, subjects, 1+len(settings), func(p model.Policy, k int) model.Policy {
		if k == 0 {
			return p
		}
		return settings[k-1](p)
	}, o)
	if err != nil {
		return nil, err
	}
	all := make([]candidate, len(cells))
	for k := range cells {
		all[k] = candidateOf(&cells[k])
		for _, s := range subjects {
			p := s.Policy
			if k > 0 {
				p = settings[k-1](p)
			}
			all[k].Policy = append(all[k].Policy, p)
		}
	}
	a := &Advice{Now: all[0].Suggestion, Tried: len(settings)}
	for _, c := range all {
		a.Needs = max(a.Needs, c.needs)
	}
	switch {
	case all[0].Firings == 0 && !full(&all[0]):
		a.Why = NeverFires
		return a, nil
	case a.Needs < NeedsToCount:
		a.Why = FewNeeds
		return a, nil
	}
	if a.Suggestions = choose(&all[0], all[1:]); len(a.Suggestions) == 0 {
		a.Why = NoBetter
	}
	return a, nil
}

// full reports whether some history comes near its context window.
func full(now *candidate) bool {
	for i, r := range now.Results {
		if w := now.Policy[i].Window; w > 0 && float64(r.Largest) >= leastFull*float64(w) {
			return true
		}
	}
	return false
}

// candidate is a setting that was tried.
type candidate struct {
	Suggestion
	needs int  // of all subjects
	sound bool // it may be shown
}

func candidateOf(c *Cell) candidate {
	x := candidate{Suggestion: Suggestion{Results: c.Results, Worst: 1, Kept: 1}, sound: c.Done && !c.Impossible}
	var recall []float64
	var halves [2][]float64
	orders, kept := 0, 0
	for i := range c.Results {
		r := &c.Results[i]
		x.Input += r.Input
		x.Firings += r.Firings
		x.needs += r.Needs
		orders, kept = orders+r.Orders, kept+r.OrdersKept
		x.sound = x.sound && r.Thrash == 0 && r.Over+r.Truncations == 0
		if r.Needs == 0 || len(c.Results) > 1 && r.Needs < NeedsToCount {
			continue
		}
		recall = append(recall, Met{r.Needs, r.Met}.Share())
		for h := range halves {
			halves[h] = append(halves[h], r.Halves[h].Share())
		}
	}
	x.Recall, x.Halves = mean(recall), [2]float64{mean(halves[0]), mean(halves[1])}
	if len(recall) > 0 {
		x.Worst = slices.Min(recall)
	}
	if orders > 0 {
		x.Kept = float64(kept) / float64(orders)
	}
	return x
}

// mean is 1 of nothing: what went was not needed.
func mean(v []float64) float64 {
	if len(v) == 0 {
		return 1
	}
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// choose picks the suggestions among the candidates, given the present settings. If
// those compact nothing, nothing can be kept better: then any saving counts, from the
// one that keeps the most.
func choose(now *candidate, all []candidate) []Suggestion {
	front := onFront(now, all)
	if len(front) == 0 {
		return nil
	}
	last := front[len(front)-1] // the front ascends in recall
	safer, least := -1, now.Recall-mostForgotten
	for i, c := range front {
		if c.Recall >= now.Recall {
			safer = i
		}
	}
	if now.Firings == 0 {
		safer, least = len(front)-1, last.Recall-mostWaiting
	}
	leaner := slices.IndexFunc(front, func(c *candidate) bool { return c.Recall >= least })
	var out []Suggestion
	add := func(i int, aim Aim) {
		if i < 0 || now.Firings > 0 && !better(front[i], now) {
			return
		}
		s := front[i].Suggestion
		s.Aim = aim
		if len(out) == 0 || apart(&out[len(out)-1], &s) {
			out = append(out, s)
		}
	}
	first := Safer
	if now.Firings == 0 {
		first = Middle // nothing keeps more than what compacts nothing
	}
	add(safer, first)
	if now.Firings > 0 && leaner >= 0 && safer > leaner+1 {
		add(between(front, leaner, safer), Middle)
	}
	if leaner != safer {
		add(leaner, Leaner)
	}
	return out
}

// onFront lists the sound candidates that no other beats, ascending in input and
// recall; none sends more than the present settings do.
func onFront(now *candidate, all []candidate) []*candidate {
	var sound []*candidate
	for i := range all {
		if c := &all[i]; c.sound && c.Firings > 0 && (now.Firings == 0 || c.Input <= now.Input && c.Kept >= now.Kept && c.holds(now)) {
			sound = append(sound, c)
		}
	}
	sort.SliceStable(sound, func(i, j int) bool {
		if sound[i].Input != sound[j].Input {
			return sound[i].Input < sound[j].Input
		}
		return sound[i].Recall > sound[j].Recall
	})
	best := math.Inf(-1)
	return slices.DeleteFunc(sound, func(c *candidate) bool {
		beaten := c.Recall <= best
		best = max(best, c.Recall)
		return beaten
	})
}

// between is the place between two of the front that is farthest above the line
// through them: what is gained there costs the least.
func between(front []*candidate, from, to int) int {
	a, b := front[from], front[to]
	at, most := -1, math.Inf(-1)
	for i := from + 1; i < to; i++ {
		c := front[i]
		gain := (c.Recall-a.Recall)/max(1e-9, b.Recall-a.Recall) - float64(c.Input-a.Input)/max(1, float64(b.Input-a.Input))
		if gain > most {
			at, most = i, gain
		}
	}
	return at
}

// holds reports whether a setting keeps on each half of the needs about what the
// present one keeps.
func (c *candidate) holds(now *candidate) bool {
	return c.Halves[0] >= now.Halves[0]-mostSlack && c.Halves[1] >= now.Halves[1]-mostSlack
}

// better reports whether a setting keeps more than another one or sends less, by
// more than chance.
func better(c, now *candidate) bool {
	return c.Recall >= now.Recall+leastApart || float64(c.Input) <= float64(now.Input)*(1-leastSaved)
}

// apart reports whether two settings differ to a person.
func apart(a, b *Suggestion) bool {
	return math.Abs(a.Recall-b.Recall) >= leastApart || math.Abs(float64(a.Input-b.Input)) >= leastSaved*float64(max(a.Input, b.Input))
}

// adviceSettings are the settings to try: values of trigger and recent tail at which
// the history compacts, summary budgets around the one set, and the fact ledger
// beside the strategy set.
func adviceSettings(ctx context.Context, s *Subject) []func(model.Policy) model.Policy {
	x, y := FirstAxes(ctx, s.History, s.Policy)
	budgets := []float64{.5, 1, 2}
	strategies := []model.Strategy{s.Policy.Strategy}
	if better, ok := withLedger[s.Policy.Strategy]; ok {
		strategies = append(strategies, better)
	}
	y.Values = slices.DeleteFunc(y.Values, func(tail float64) bool {
		t := y.Set(s.Policy, tail)
		in := t.TailInForce()
		return in.Unit == model.Tokens && in.N < min(leastTail, s.Policy.TailInForce().N)
	})
	var out []func(model.Policy) model.Policy
	for _, trigger := range spreadOver(x.Values, adviceTriggers) {
		for _, tail := range spreadOver(y.Values, adviceTails) {
			for _, times := range budgets {
				for _, strategy := range strategies {
					out = append(out, func(p model.Policy) model.Policy {
						p = y.Set(x.Set(p, trigger), tail)
						p.Budget = scaled(p.Budget, times)
						p.Strategy = strategy
						p, _ = compaction.Normalise(p)
						return p
					})
				}
			}
		}
	}
	return out
}

// withLedger is the strategy that keeps literal facts in place of one that does not.
var withLedger = map[model.Strategy]model.Strategy{
	model.Extract: model.Ledger, model.StructuredJSON: model.Ledger, model.StructuredTable: model.Ledger, model.Drop: model.Ledger,
	model.ModelText: model.ModelLedger,
}

// scaled is an amount times a factor, at least 1.
func scaled(a model.Amount, by float64) model.Amount {
	if a.N > 0 {
		a.N = max(1, int(math.Round(float64(a.N)*by)))
	}
	return a
}

// spreadOver picks at most n of some values, the ends among them.
func spreadOver(values []float64, n int) []float64 {
	if len(values) <= n {
		return values
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = values[i*(len(values)-1)/(n-1)]
	}
	return out
}
