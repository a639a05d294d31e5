package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"palimpsest/compaction"
	"palimpsest/compaction/facts"
	"palimpsest/compaction/replay"
	"palimpsest/model"
)

// What the halves are measured with.
const (
	halfWindow = 40_000 // context window, tokens, as in the measure of the ledger
	leastSize  = 60_000 // tokens of a session from which it takes part
	splits     = 1000   // of the sessions into halves, drawn at random
)

var (
	halfTriggers = []float64{50, 60, 70, 80, 90}
	halfTails    = []float64{4000, 8000, 12000, 16000, 20000}
	halfBudgets  = []int{4000, 1000} // tokens of a summary: the default's, and one that leaves more to lose
)

// outcome is what a setting came to on a session, or on half of one.
type outcome struct {
	facts.Recall
	input int64
}

// setting is a cell of the grid; cell 0 is the program's default.
type setting struct {
	name   string
	policy model.Policy
}

// lives are the replays of every session under every setting: as a whole, and by halves of its
// calls.
type lives struct {
	names    []string
	settings []setting
	whole    [][]outcome // by session, setting
	first    [][]outcome
	second   [][]outcome
}

// halves tests whether settings that a sweep finds on one half are better than
// the default on the other.
func halves(ctx context.Context, root string) (string, error) {
	var b strings.Builder
	b.WriteString("| goal, summary budget | chosen on | judged on | chosen most often | recall over default, where chosen | " +
		"where judged | total input where judged | better where judged |\n|---|---|---|---|---|---|---|---|\n")
	for _, budget := range halfBudgets {
		l, err := live(ctx, root, budget)
		if err != nil {
			return "", err
		}
		if len(l.names) < 4 {
			return "", fmt.Errorf("%d sessions that compact and need something; it takes four to halve them", len(l.names))
		}
		if b.Len() > 0 && budget == halfBudgets[0] {
			head := fmt.Sprintf("%d sessions of %s tokens or more, model limit %s, Balanced with threshold %v %% × window %v tokens.\n\n",
				len(l.names), thousands(leastSize), thousands(halfWindow), list(halfTriggers), list(halfTails))
			table := b.String()
			b.Reset()
			b.WriteString(head + table)
		}
		for _, goal := range goals {
			goal.name += fmt.Sprintf(", %s tokens (default: %.1f %%)", thousands(int64(budget)), 100*l.base())
			b.WriteString(l.sessions(goal))
			b.WriteString(l.withinSessions(goal))
		}
	}
	return b.String(), nil
}

// base is the mean recall of the default.
func (l *lives) base() (mean float64) {
	for i := range l.whole {
		mean += l.whole[i][0].Share() / float64(len(l.whole))
	}
	return mean
}

func list(v []float64) string {
	out := make([]string, len(v))
	for i, x := range v {
		out[i] = fmt.Sprint(x)
	}
	return strings.Join(out, ", ")
}

// live replays every long session under every setting, with real texts.
func live(ctx context.Context, root string, budget int) (*lives, error) {
	all, err := threads(ctx, root, func(t *model.Thread) bool {
		return t.Kind == model.ThreadMain && len(t.History) > 20
	})
	if err != nil {
		return nil, err
	}
	l := &lives{settings: grid(budget)}
	defer func() {
		for _, t := range all {
			t.File().Close()
		}
	}()
	var seen []thread
	for _, t := range all {
		h := t.History()
		if h.Before(h.Len()) < leastSize || slices.ContainsFunc(seen, func(o thread) bool { return sameTalk(t, o) }) {
			continue
		}
		seen = append(seen, t)
		if _, err := t.Insight.Facts(ctx, nil); err != nil {
			return nil, err
		}
		var whole, first, second []outcome
		for _, s := range l.settings {
			p := t.Adapt(s.policy)
			p.Window, p.Fixed, p.Reserve = halfWindow, 0, 0
			tl, err := t.Insight.Replay(ctx, p, true)
			if err != nil {
				return nil, err
			}
			needs := t.Insight.NeededLater(tl)
			a, z := part(tl, needs.Needs, true), part(tl, needs.Needs, false)
			first, second = append(first, a), append(second, z)
			whole = append(whole, outcome{facts.Recall{Needs: a.Needs + z.Needs, Met: a.Met + z.Met}, a.input + z.input})
		}
		t.Insight.ForgetFacts()
		if whole[0].Needs < replay.NeedsToCount {
			continue
		}
		l.names = append(l.names, t.name)
		l.whole, l.first, l.second = append(l.whole, whole), append(l.first, first), append(l.second, second)
	}
	return l, nil
}

// sameTalk reports whether two files hold one session: half of the longer
// beginnings of the messages of one occur in the other.
func sameTalk(a, b thread) bool {
	texts := func(t thread) map[string]bool {
		out := map[string]bool{}
		for _, stored := range t.Thread().History {
			if p := t.Thread().Messages[stored].Preview; len(p) >= 60 {
				out[p] = true
			}
		}
		return out
	}
	x, y := texts(a), texts(b)
	common := 0
	for p := range x {
		if y[p] {
			common++
		}
	}
	return common > 0 && 2*common >= min(len(x), len(y))
}

// part is what the first or the second half of a replay's calls came to. A need
// belongs to the firing that it came after.
func part(tl *replay.Timeline, n facts.Needs, first bool) outcome {
	var o outcome
	half := len(tl.Calls) / 2
	for i := range tl.Calls {
		if i < half == first {
			o.input += tl.Calls[i].Tokens
		}
	}
	for k := range tl.Firings {
		if tl.Firings[k].Call < half == first {
			o.Needs += n.Firings[k].Needs
			o.Met += n.Firings[k].Met
		}
	}
	return o
}

// grid is the default, with its tail in a window of 200,000 tokens, and all pairs of
// trigger and tail.
func grid(budget int) []setting {
	p := compaction.Default()
	p.Tail, p.Budget = model.Amount{N: 20000, Unit: model.Tokens}, model.Amount{N: budget, Unit: model.Tokens}
	out := []setting{{"default", p}}
	for _, t := range halfTriggers {
		for _, k := range halfTails {
			q := p
			q.Triggers = []model.Clause{{Share: t / 100}}
			q.Tail = model.Amount{N: int(k), Unit: model.Tokens}
			out = append(out, setting{fmt.Sprintf("%g %%, %s", t, thousands(int64(k))), q})
		}
	}
	return out
}

// goal is how a setting is chosen.
type goal struct {
	name  string
	fits  func(d advantage) bool    // the condition
	value func(d advantage) float64 // the more the better
}

// advantage is how much better a setting is than the default over sessions.
type advantage struct {
	recall float64 // mean difference
	input  float64 // geometric mean of the ratio
	n      int
}

var goals = []goal{
	{"most recall for no more input", func(d advantage) bool { return d.input <= 1 }, func(d advantage) float64 { return d.recall }},
	{"least input for no less recall", func(d advantage) bool { return d.recall >= 0 }, func(d advantage) float64 { return -d.input }},
}

// beside compares a setting with the default on some sessions. Sessions that
// need too little under one of both say nothing of recall.
func beside(of [][]outcome, which []int, k, least int) advantage {
	var d advantage
	ratio := 0.0
	for _, i := range which {
		a, z := of[i][k], of[i][0]
		if a.Needs < least || z.Needs < least {
			continue
		}
		d.recall += a.Share() - z.Share()
		ratio += math.Log(float64(a.input) / float64(z.input))
		d.n++
	}
	if d.n > 0 {
		d.recall, ratio = d.recall/float64(d.n), ratio/float64(d.n)
	}
	d.input = math.Exp(ratio)
	return d
}

// choose is the best setting on some sessions; the default when none is better.
func (l *lives) choose(g goal, of [][]outcome, which []int, least int) int {
	best, top := 0, g.value(advantage{input: 1})
	for k := 1; k < len(l.settings); k++ {
		d := beside(of, which, k, least)
		if v := g.value(d); g.fits(d) && v > top {
			best, top = k, v
		}
	}
	return best
}

// sessions chooses on half of the sessions, drawn at random many times, and
// judges on the rest.
func (l *lives) sessions(g goal) string {
	rnd := rand.New(rand.NewPCG(6, 2026))
	out := draws{picks: map[int]int{}}
	for range splits {
		order := rnd.Perm(len(l.names))
		a, z := order[:len(order)/2], order[len(order)/2:]
		k := l.choose(g, l.whole, a, replay.NeedsToCount)
		out.picks[k]++
		d := beside(l.whole, z, k, replay.NeedsToCount)
		out.add(beside(l.whole, a, k, replay.NeedsToCount).recall, d.recall, d.input)
	}
	return l.row(g, fmt.Sprintf("half of the sessions, %d draws", splits), "the other half", &out)
}

// withinSessions chooses on the first half of each session for itself and judges
// on its second half. Draws of the sessions with replacement give the spread.
func (l *lives) withinSessions(g goal) string {
	least := replay.NeedsToCount / 2
	one, mean := draws{picks: map[int]int{}}, draws{} // a session each; their means
	for i := range l.names {
		if l.first[i][0].Needs < least || l.second[i][0].Needs < least {
			continue
		}
		k := l.choose(g, l.first, []int{i}, least)
		d := beside(l.second, []int{i}, k, least)
		if d.n == 0 {
			continue
		}
		one.picks[k]++
		one.add(beside(l.first, []int{i}, k, least).recall, d.recall, d.input)
	}
	rnd := rand.New(rand.NewPCG(7, 2026))
	n := len(one.unseen)
	mean.picks = one.picks
	for range splits {
		var a, z, r float64
		for range n {
			i := rnd.IntN(n)
			a, z, r = a+one.seen[i], z+one.unseen[i], r+math.Log(one.input[i])
		}
		mean.add(a/float64(n), z/float64(n), math.Exp(r/float64(n)))
	}
	return l.row(g, fmt.Sprintf("first half of each of %d sessions", n), "its second half", &mean)
}

// draws are what settings came to that were chosen in several draws.
type draws struct {
	picks               map[int]int // how often each setting was chosen
	seen, unseen, input []float64   // recall over the default where chosen and where judged; input there
}

func (d *draws) add(seen, unseen, input float64) {
	d.seen, d.unseen, d.input = append(d.seen, seen), append(d.unseen, unseen), append(d.input, input)
}

// row returns medians and what 5 and 95 of 100 draws stay below.
func (l *lives) row(g goal, on, judged string, d *draws) string {
	better := 0
	for i := range d.unseen {
		if d.unseen[i] >= 0 && d.input[i] <= 1 && (d.unseen[i] > 0 || d.input[i] < 1) {
			better++
		}
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %s | %.0f %% of draws |\n", g.name, on, judged, l.most(d.picks),
		points(d.seen), points(d.unseen), percents(d.input), 100*float64(better)/float64(len(d.unseen)))
}

// most names the settings that were chosen most often.
func (l *lives) most(picks map[int]int) string {
	var ks []int
	all := 0
	for k, n := range picks {
		ks = append(ks, k)
		all += n
	}
	slices.SortFunc(ks, func(a, b int) int { return cmp.Or(picks[b]-picks[a], a-b) })
	var out []string
	for _, k := range ks[:min(2, len(ks))] {
		out = append(out, fmt.Sprintf("%s (%.0f %%)", l.settings[k].name, 100*float64(picks[k])/float64(all)))
	}
	return strings.Join(out, "; ")
}

func quantile(v []float64, q float64) float64 {
	s := slices.Sorted(slices.Values(v))
	return s[min(len(s)-1, int(q*float64(len(s))))]
}

func points(v []float64) string {
	return fmt.Sprintf("%+.1f points (%+.1f … %+.1f)", 100*quantile(v, .5), 100*quantile(v, .05), 100*quantile(v, .95))
}

func percents(v []float64) string {
	return fmt.Sprintf("%+.0f %% (%+.0f … %+.0f)", 100*quantile(v, .5)-100, 100*quantile(v, .05)-100, 100*quantile(v, .95)-100)
}
