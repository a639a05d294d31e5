package replay

import (
	"cmp"
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
// A leaner one saves at least as large a share of the input as it gives up of what was
// needed later. A need falls into one of two halves by its fact. A setting must hold on each of
// them by itself, so that none is shown that only fits the past by chance. None costs
// more than the present settings do: each firing has what it leaves written anew into
// the prompt cache, so that a setting which fires often sends less and is dearer.

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
	Cost    float64        `json:"cost"`    // of these and the summaries, in tokens of fresh input
	Firings int            `json:"firings"`
	Kept    float64        `json:"kept"`   // share of a person's orders that were live after firings, 0–1
	Judged  int            `json:"judged"` // subjects with enough needs, from which recall and worst are
	// Again is the subjects, of several, where it fires again within [Soon] calls or leaves
	// a call that is too large, and the present settings do so as often.
	Again int `json:"again,omitempty"`
	// Unseen is what the same aim comes to on sessions that it was not chosen by; nil:
	// there are too few sessions.
	Unseen *Unseen `json:"unseen,omitempty"`

	Cell int `json:"-"` // of those tried; of a sweep's, that of the grid
}

// Unseen is a check of a choice: it is made again on each half of the sessions, and
// judged on the other half.
type Unseen struct {
	Sessions int     `json:"sessions"` // judged
	Recall   float64 `json:"recall"`   // their mean
	Now      float64 `json:"now"`      // that of the present settings on the same sessions
	Input    float64 `json:"input"`    // total input over that of the present settings
}

// NoAdvice is the reason why there is no suggestion.
type NoAdvice string

// The reasons.
const (
	Advised    NoAdvice = ""       // there is one
	NeverFires NoAdvice = "never"  // the histories are far from full: nothing need be compacted
	NoWindow   NoAdvice = "window" // no context window is known, so that nobody knows how full the histories are
	FewNeeds   NoAdvice = "needs"  // too little of what went was needed again
	NoBetter   NoAdvice = "better" // no setting is better than the present one
	NoneKeeps  NoAdvice = "orders" // every setting that would be better loses a standing order
	NoneRests  NoAdvice = "soon"   // every setting fires again within [Soon] calls, or leaves calls that are too large
)

// Advice is the result of trying settings on histories.
type Advice struct {
	Now         Suggestion   `json:"now"` // the present settings; without an aim
	Suggestions []Suggestion `json:"suggestions"`
	Tried       int          `json:"tried"` // settings
	Needs       int          `json:"needs"` // the most needs that any setting had
	Why         NoAdvice     `json:"why"`
}

// Best is the first suggestion that keeps as much of what was used again for a tenth less, or
// more beyond chance for at most a tenth more, with a summary of at most twice the size. It
// reports whether it keeps more. nil: there is none.
func (a *Advice) Best() (best *Suggestion, more bool) {
	const tenth = .1
	most := 2 * a.Now.Policy[0].BudgetInForce().N
	for i := range a.Suggestions {
		x := &a.Suggestions[i]
		kept, cost := x.kept(&a.Now), x.Cost/a.Now.Cost-1
		if (most == 0 || x.Policy[0].BudgetInForce().N <= most) && (kept == 0 && cost <= -tenth || kept > 0 && cost <= tenth) {
			return x, kept > 0
		}
	}
	return nil, false
}

// kept compares what is kept of what was used again with the present settings: −1 less, 1
// more, 0 the same or within two standard deviations of a difference of counts. What only one
// of both keeps is among what the other misses.
func (x *Suggestion) kept(now *Suggestion) int {
	a, b := &x.Results[0], &now.Results[0]
	missed, missedNow := a.Needs-a.Met, b.Needs-b.Met
	if more := missedNow - missed; more*more > 4*(missed+missedNow) {
		return cmp.Compare(more, 0)
	}
	return 0
}

// How settings are spread, and by how much they must differ.
const (
	adviceTriggers, adviceTails = 9, 3 // values of an axis
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
// larger than the context window, or loses a standing order of a person; but for the
// first two in those of several histories where the present settings do so as often. The
// judge of the options is required.
func Suggest(ctx context.Context, subjects []Subject, o SweepOptions) (*Advice, error) {
	settings := adviceSettings(ctx, fullest(subjects))
	policy := func(subject, cell int) model.Policy {
		p := subjects[subject].Policy
		if cell == present {
			return p
		}
		return settings[cell](p)
	}
	sw := newSweep(subjects, 1+len(settings), func(subject, k int) model.Policy { return policy(subject, k-1) }, o)
	if err := sw.run(ctx); err != nil {
		return nil, err
	}
	cells := sw.cells()
	return advise(&cells[0], cells[1:], policy), nil
}

// present is the cell of the present settings.
const present = -1

// advise chooses among settings that were tried; policy is that of a cell.
func advise(nowCell *Cell, tried []Cell, policy func(subject, cell int) model.Policy) *Advice {
	var every []int
	for i := range nowCell.Results {
		if !nowCell.Results[i].Aside {
			every = append(every, i)
		}
	}
	now, all := candidates(nowCell, tried, every)
	withPolicies := func(s *Suggestion) {
		for i := range nowCell.Results {
			s.Policy = append(s.Policy, policy(i, s.Cell))
		}
	}
	withPolicies(&now.Suggestion)
	a := &Advice{Now: now.Suggestion, Tried: len(tried), Needs: now.needs}
	for _, c := range all {
		a.Needs = max(a.Needs, c.needs)
	}
	unknown := !slices.ContainsFunc(now.Policy, func(p model.Policy) bool { return p.Window > 0 })
	switch {
	case now.Firings == 0 && unknown:
		a.Why = NoWindow
		return a
	case now.Firings == 0 && !full(&now.Suggestion):
		a.Why = NeverFires
		return a
	case a.Needs < NeedsToCount:
		a.Why = FewNeeds
		return a
	}
	if a.Suggestions = choose(&now, all); len(a.Suggestions) == 0 {
		a.Why = NoBetter
		rests := false
		for i := range all {
			all[i].sound = all[i].sound || all[i].forgets
			rests = rests || all[i].sound && all[i].Firings > 0
		}
		switch {
		case !rests && slices.ContainsFunc(tried, func(c Cell) bool { return !c.Impossible }):
			if a.Why = NoneRests; unknown {
				a.Why = NoWindow // where none is known, nothing fills it
			}
		case len(choose(&now, all)) > 0:
			a.Why = NoneKeeps
		}
	}
	for i := range a.Suggestions {
		withPolicies(&a.Suggestions[i])
	}
	a.check(nowCell, tried, every)
	return a
}

// leastUnseen is how few sessions are worth two halves.
const leastUnseen = 8

// check chooses again on each half of the sessions and judges on the other.
func (a *Advice) check(nowCell *Cell, tried []Cell, every []int) {
	if len(every) < leastUnseen || len(a.Suggestions) == 0 {
		return
	}
	var halves [2][]int
	for _, i := range every {
		halves[i%2] = append(halves[i%2], i)
	}
	for h := range halves {
		now, all := candidates(nowCell, tried, halves[h])
		other, judged := candidates(nowCell, tried, halves[1-h])
		for _, chosen := range choose(&now, all) {
			i := slices.IndexFunc(a.Suggestions, func(s Suggestion) bool { return s.Aim == chosen.Aim })
			c := &judged[chosen.Cell]
			if i < 0 || c.Judged == 0 || other.Input == 0 {
				continue
			}
			s := &a.Suggestions[i]
			if s.Unseen == nil {
				s.Unseen = &Unseen{}
			}
			s.Unseen.add(&Unseen{c.Judged, c.Recall, other.Recall, float64(c.Input) / float64(other.Input)})
		}
	}
}

// add is the mean of two halves.
func (u *Unseen) add(v *Unseen) {
	a, b := float64(u.Sessions), float64(v.Sessions)
	mid := func(x, y float64) float64 { return (a*x + b*y) / (a + b) }
	*u = Unseen{u.Sessions + v.Sessions, mid(u.Recall, v.Recall), mid(u.Now, v.Now), mid(u.Input, v.Input)}
}

// fullest is the subject whose largest call comes nearest to its context window: what
// fits it fires nowhere too early.
func fullest(subjects []Subject) *Subject {
	at, most := &subjects[0], -1.0
	for i := range subjects {
		s := &subjects[i]
		share := peak(s.History, model.Tokens, &s.Policy)
		if s.Policy.Window > 0 {
			share = min(1, share/float64(s.Policy.Window))
		}
		if share > most {
			at, most = s, share
		}
	}
	return at
}

// full reports whether some history comes near its context window.
func full(now *Suggestion) bool {
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
	needs   int  // of all subjects
	sound   bool // it may be shown
	forgets bool // but for the standing orders that it loses
}

// candidates are the settings on some of the subjects.
func candidates(nowCell *Cell, tried []Cell, which []int) (now candidate, all []candidate) {
	all = make([]candidate, len(tried))
	for k := range tried {
		all[k] = candidateOf(&tried[k], nowCell, which)
		all[k].Cell = k
	}
	now = candidateOf(nowCell, nowCell, which)
	now.Cell = present
	return now, all
}

func candidateOf(c, now *Cell, which []int) candidate {
	x := candidate{Suggestion: Suggestion{Results: c.Results, Worst: 1, Kept: 1}, sound: c.Done && !c.Impossible}
	var recall []float64
	var halves [2][]float64
	orders, kept, lost := 0, 0, 0
	for _, i := range which {
		r := &c.Results[i]
		x.Input += r.Input
		x.Cost += r.Cost
		x.Firings += r.Firings
		x.needs += r.Needs
		orders, kept, lost = orders+r.Orders, kept+r.OrdersKept, lost+r.Lasting-r.LastingKept
		was := &now.Results[i]
		switch again, large := r.Thrash, r.Over+r.Truncations; {
		case again+large == 0:
		case len(which) > 1 && again <= was.Thrash && large <= was.Over+was.Truncations:
			x.Again++
		default:
			x.sound = false
		}
		if r.Needs == 0 || len(which) > 1 && r.Needs < NeedsToCount {
			continue
		}
		recall = append(recall, Met{r.Needs, r.Met}.Share())
		for h := range halves {
			halves[h] = append(halves[h], r.Halves[h].Share())
		}
	}
	x.sound, x.forgets, x.Judged = x.sound && lost == 0, x.sound && lost > 0, len(recall)
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
		if n := len(out); n == 0 || apart(&out[n-1], &s) && worth(&out[n-1], &s) {
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
// recall; none sends or costs more than the present settings do.
func onFront(now *candidate, all []candidate) []*candidate {
	var sound []*candidate
	for i := range all {
		if c := &all[i]; c.sound && c.Firings > 0 && (now.Firings == 0 || c.Input <= now.Input && c.Cost <= now.Cost && c.holds(now)) {
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

// worth reports whether a leaner setting saves at least as large a share of the input as it
// gives up of what was needed later.
func worth(s, leaner *Suggestion) bool {
	return float64(s.Input-leaner.Input) >= (s.Recall-leaner.Recall)*float64(s.Input)
}

// adviceSettings are the settings to try: triggers all over the range in which the
// history is compacted, recent tails, the summary budget set and multiples of it, and
// the fact ledger beside the strategy set. Many triggers are tried because whether a
// setting fires again soon is up to the few messages after its firings.
func adviceSettings(ctx context.Context, s *Subject) []func(model.Policy) model.Policy {
	x, y := FirstAxes(ctx, s.History, s.Policy)
	if s.Policy.Sliding() {
		return settingsOf(s.Policy, x, y, 1)
	}
	if low, high := triggerRange(s.History, x.Unit, s.Policy); low < high {
		x.Values = x.between(low, high, adviceTriggers)
	}
	if low, high := slices.Min(y.Values), slices.Max(y.Values); low < high {
		y.Values = y.between(low, high, adviceTails)
	}
	least := min(leastTail, s.Policy.TailInForce().N)
	y.Values = slices.DeleteFunc(y.Values, func(tail float64) bool {
		in := tailOf(y, tail, s.Policy)
		return in.Unit == model.Tokens && in.N < least
	})
	y.Values = slices.CompactFunc(y.Values, func(a, b float64) bool { return tailOf(y, a, s.Policy) == tailOf(y, b, s.Policy) })
	return settingsOf(s.Policy, x, y, 1, 2, 4)
}

// settingsOf are the settings of two axes with so many times the summary budget, and
// with the fact ledger beside the strategy set.
func settingsOf(p model.Policy, x, y Axis, budgets ...float64) (out []func(model.Policy) model.Policy) {
	strategies := []model.Strategy{p.Strategy}
	if better, ok := withLedger[p.Strategy]; ok {
		strategies = append(strategies, better)
	}
	for _, first := range x.Values {
		for _, second := range y.Values {
			for _, times := range budgets {
				for _, strategy := range strategies {
					out = append(out, func(p model.Policy) model.Policy {
						p = y.Set(x.Set(p, first), second)
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

// tailOf is the tail in force with a value of an axis.
func tailOf(y Axis, value float64, p model.Policy) model.Amount {
	p = y.Set(p, value)
	return p.TailInForce()
}

// withLedger is the strategy that keeps literal facts in place of one that does not.
var withLedger = map[model.Strategy]model.Strategy{
	model.Extract: model.NoteText, model.StructuredJSON: model.NoteText, model.StructuredTable: model.NoteText, model.Drop: model.NoteText,
	model.ModelText: model.ModelNote,
}

// scaled is an amount times a factor, at least 1.
func scaled(a model.Amount, by float64) model.Amount {
	if a.N > 0 {
		a.N = max(1, int(math.Round(float64(a.N)*by)))
	}
	return a
}
