package facts

import (
	"slices"
	"sort"

	"palimpsest/model"
)

// LedgerRequest says what a ledger is to be made of.
type LedgerRequest struct {
	At        int           // history position it is made at
	Removed   []model.Range // whose facts it may list: everything ever taken away, since originals are kept
	Away      []string      // texts that went and that the history does not hold
	Kept      []model.Range // what stays word for word; its facts need no listing
	Remaining []string      // other texts in the context

	Budget  int              // of the whole text, in what Count counts
	Count   func(string) int // tokens of a text
	Score   Score            // the zero value: Likely
	Chinese bool             // language of the headings
}

// Ledger is a list of literal facts.
type Ledger struct {
	Text  string // "" when nothing fits or nothing is left to list
	Facts []ID   // the listed facts that the text holds, the best first
}

// Ledger lists the facts that score best within a budget, grouped by kind, each
// so that the text holds it by the rule of the package. The same request
// gives the same text.
func (x *Index) Ledger(r LedgerRequest) Ledger {
	if r.Count == nil || r.Budget <= 0 {
		return Ledger{}
	}
	lay := ledgerLayout{x: x, at: r.At, words: &ledgerWords[index(r.Chinese)], leads: r.Budget >= leadBudget,
		roomy: r.Budget >= roomyBudget}
	chosen := choose(x.candidates(&r, &lay), r.Budget-r.Count(lay.words.title), r.Count, lay.words)
	// Tokens of parts do not add up to those of the whole: the last word is the
	// whole text's.
	for len(chosen) > 0 {
		text := lay.text(chosen)
		over := r.Count(text) - r.Budget
		if over <= 0 {
			return Ledger{Text: text, Facts: x.standingOf(chosen, text)}
		}
		chosen = chosen[:len(chosen)-min(len(chosen), 1+over/8)]
	}
	return Ledger{}
}

// candidate is a fact that may be listed.
type candidate struct {
	id     ID
	fact   Fact
	score  float64
	wanted float64 // score per token, if scores are chances
	worth  float64 // of what was said, by which its share of the budget is filled
	order  bool    // it is an instruction that is meant to last
	cost   int
}

// candidates lists what may be listed, the best first. Tokens are counted only
// of as many of the highest scores as the budget could hold.
func (x *Index) candidates(r *LedgerRequest, lay *ledgerLayout) []candidate {
	score := r.Score
	if score.Of == nil {
		score = Likely
	}
	c := Change{At: r.At, Removed: r.Removed, Away: r.Away, Kept: r.Kept, Remaining: r.Remaining}
	of := score.Of(x, c)
	after := x.after(&c)
	var all []candidate
	x.gone(&c, x.set(), func(id ID) {
		if f := x.facts[id]; !after.has(id) && listable(f, x.leads[id]) {
			if s, shared := of(id), slices.Contains(kindsWithShare[:], f.Kind); !score.Chances || s >= leastChance || shared {
				a := candidate{id: id, fact: f, score: s}
				if shared {
					a.worth, a.order = x.worth(id, r.At), x.lasting(id)
				}
				all = append(all, a)
			}
		}
	})
	best(all, func(c *candidate) float64 { return c.score })
	all = promising(all, r.Budget+ledgerSkips)
	for i := range all {
		a := &all[i]
		if a.cost = max(1, r.Count(" "+lay.explained(a.id))); !a.fact.Kind.Atom() {
			a.cost += 2 // a line of its own
		}
		if a.wanted = a.score; score.Chances {
			a.wanted /= float64(a.cost)
		}
	}
	return all
}

// promising keeps the facts of the highest scores, and the worthiest of each kind
// that has a share of its own.
func promising(all []candidate, most int) []candidate {
	out := slices.Clone(all[:min(most, len(all))])
	rest := all[len(out):]
	for _, k := range kindsWithShare {
		var of []candidate
		for _, c := range rest {
			if c.fact.Kind == k {
				of = append(of, c)
			}
		}
		best(of, func(c *candidate) float64 { return c.worth })
		out = append(out, of[:min(ledgerSkips, len(of))]...)
	}
	return out
}

// best sorts by a figure, the highest first.
func best(all []candidate, of func(*candidate) float64) {
	sort.Slice(all, func(i, j int) bool {
		if a, b := of(&all[i]), of(&all[j]); a != b {
			return a > b
		}
		return all[i].id > all[j].id
	})
}

// choose takes the facts that fit: first a little of what was said, by worth,
// then whatever is wanted most.
func choose(all []candidate, left int, count func(string) int, w *ledgerVocabulary) (chosen []ID) {
	headed := [Kinds]bool{}
	taken := map[ID]bool{}
	alike := map[string]bool{} // commands that differ in figures only
	share := left / shareOfKind
	take := func(c *candidate, room *int) (fits bool) {
		cost := c.cost
		if c.fact.Kind == Command {
			if alike[withoutFigures(c.fact.Text)] {
				return true
			}
			defer func() { alike[withoutFigures(c.fact.Text)] = fits || alike[withoutFigures(c.fact.Text)] }()
		}
		if !headed[c.fact.Kind] {
			cost += count(w.heads[c.fact.Kind]) + 1
		}
		if cost > *room || cost > left {
			return false
		}
		*room -= cost
		if room != &left {
			left -= cost
		}
		headed[c.fact.Kind], taken[c.id] = true, true
		chosen = append(chosen, c.id)
		return true
	}
	best(all, func(c *candidate) float64 { return c.worth })
	orders := left / shareOfOrders
	for i := range all {
		if all[i].order {
			take(&all[i], &orders)
		}
	}
	for _, k := range kindsWithShare {
		room := share
		for i := range all {
			if all[i].fact.Kind == k && !taken[all[i].id] {
				take(&all[i], &room)
			}
		}
	}
	best(all, func(c *candidate) float64 { return c.wanted })
	for i, skipped := 0, 0; i < len(all) && skipped < ledgerSkips; i++ {
		if !taken[all[i].id] && !take(&all[i], &left) {
			skipped++
		}
	}
	return chosen
}

// kindsWithShare are the kinds that have a share of their own. An agent follows
// instructions and its own decisions without writing them again, so hindsight
// recall can't measure their value.
var kindsWithShare = [...]Kind{Instruction, Decision, Error}

// leastChance is the chance of being needed below which a fact is not
// listed, however short it is. Such facts cost a person who reads the list
// more than they bring: recall falls by less than 0.01 at 2,000 tokens.
const leastChance = 0.001

// shareOfKind is the part of the budget, one in so many, that each of them has.
const shareOfKind = 20

// shareOfOrders is the part of the budget, one in so many, that instructions have
// which are meant to last, before all else.
const shareOfOrders = 10

// ledgerSkips is how many facts too long for what is left are passed over in
// search of shorter ones.
const ledgerSkips = 32

// standingOf returns those of the facts that a text holds: one may be hidden from the
// rule by its neighbour in the list.
func (x *Index) standingOf(ids []ID, text string) []ID {
	stands := x.set()
	for _, id := range x.FactsIn(text) {
		stands.add(id)
	}
	out := ids[:0:0]
	for _, id := range ids {
		if stands.has(id) {
			out = append(out, id)
		}
	}
	return out
}

func index(second bool) int {
	if second {
		return 1
	}
	return 0
}
