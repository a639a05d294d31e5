package facts

import (
	"cmp"
	"slices"

	"palimpsest/model"
)

// LedgerRequest says what a ledger is to be made of.
type LedgerRequest struct {
	At        int           // history position it is made at
	Removed   []model.Range // whose facts it may list: everything ever taken away, since originals are kept
	Away      []string      // texts that went and that the history does not hold
	Kept      []model.Range // what stays word for word; its facts need no listing
	Remaining []string      // other texts in the context

	Budget  int  // of the whole text, in what the lister counts
	Chinese bool // language of the headings
}

// change is what the ledger is for.
func (r *LedgerRequest) change() Change {
	return Change{At: r.At, Removed: r.Removed, Away: r.Away, Kept: r.Kept, Remaining: r.Remaining}
}

// Ledger lists the facts that the agent is likeliest to need within a budget, grouped by
// kind, each so that the text holds it by the rule of the package; "": nothing fits, or
// nothing is left to list. The same request gives the same text.
func (l *Lister) Ledger(r LedgerRequest) string {
	if l.count == nil || r.Budget <= 0 {
		return ""
	}
	lay := ledgerLayout{x: l.x, words: &ledgerWords[index(r.Chinese)], leads: r.Budget >= leadBudget}
	o := l.offer(&r, lay.leads)
	free := o.promising(l.x.heldBy(r.Remaining), r.Budget+ledgerSkips)
	// Tokens of parts do not add up to those of the whole: the last word is the whole text's.
	for chosen := l.choose(o, free, &r, &lay); len(chosen) > 0; {
		text := lay.text(chosen)
		over := l.count(text) - r.Budget
		if over <= 0 {
			return text
		}
		chosen = chosen[:len(chosen)-min(len(chosen), 1+over/5)]
	}
	return ""
}

// choose takes the facts that fit, of those offered that are free, whatever is wanted most
// first. What is taken is free no more.
func (l *Lister) choose(o *offer, free []bool, r *LedgerRequest, lay *ledgerLayout) []ID {
	t := taking{l: l, o: o, words: lay.words, free: free,
		alike: map[string]bool{}, held: map[ID]bool{}, left: r.Budget + r.Budget/overBudget - l.count(lay.words.title)}
	lay.groups = l.groups(o, t.free, t.left)
	t.rest(lay.groups)
	return t.chosen
}

// overBudget is the part of a budget, one in so many, that is chosen beyond it: what a
// text comes to is known when it is written, and then the last ones go.
const overBudget = 25

// taking chooses facts.
type taking struct {
	l      *Lister
	o      *offer
	words  *ledgerVocabulary
	free   []bool
	headed [Kinds]bool
	alike  map[string]bool // commands that differ in figures only
	held   map[ID]bool     // facts that stand where a group is written
	left   int
	chosen []ID
}

// take takes a candidate if it fits the rest of the budget.
func (t *taking) take(i int32, cost int) (fits bool) {
	c := &t.o.all[i]
	if c.kind == Command {
		text := withoutFigures(t.l.x.facts[c.id].Text)
		if t.alike[text] {
			return true
		}
		defer func() { t.alike[text] = fits }()
	}
	if !t.headed[c.kind] {
		cost += t.l.count(t.words.heads[c.kind]) + 1
	}
	if cost > t.left {
		return false
	}
	t.left -= cost
	t.headed[c.kind], t.free[i] = true, false
	t.chosen = append(t.chosen, c.id)
	return true
}

// wish is a candidate with what it costs where it is written.
type wish struct {
	i, cost int32
	wanted  float64
}

// wishes are the free candidates, the most wanted first. Where a path is written in a group,
// it costs its own part, and what is left of it below the folder stands as well.
func (t *taking) wishes(g *groups) (list []wish) {
	chances := map[ID]float64{}
	for _, i := range t.o.wanted {
		if t.free[i] {
			chances[t.o.all[i].id] = t.o.all[i].chance
		}
	}
	for _, i := range t.o.wanted {
		c := &t.o.all[i]
		if !t.free[i] {
			continue
		}
		w := wish{i, c.cost, c.wanted}
		if of := g.of[c.id]; of != nil {
			path := t.l.x.facts[c.id].Text
			w.cost = int32(t.l.count(" "+path[len(of.folder):]) + 1)
			w.wanted = (c.chance + chances[t.l.x.below(of.folder, path)]) / float64(w.cost)
		}
		list = append(list, w)
	}
	slices.SortStableFunc(list, func(a, b wish) int { return cmp.Compare(b.wanted, a.wanted) })
	return list
}

// rest takes what is wanted most. The first path of a group costs the folder as well.
func (t *taking) rest(g *groups) {
	skipped := 0
	for _, w := range t.wishes(g) {
		c, cost := &t.o.all[w.i], int(w.cost)
		if t.held[c.id] {
			continue
		}
		of := g.of[c.id]
		if of != nil && !of.open {
			cost += of.cost
		}
		if !t.take(w.i, cost) {
			if skipped++; skipped == ledgerSkips {
				return
			}
		} else if of != nil {
			t.open(of, c.id)
		}
	}
}

// open notes what stands where a path is written in a group: the folder, and what is left of
// the path below it.
func (t *taking) open(of *folderGroup, path ID) {
	of.open = true
	t.held[t.l.x.below(of.folder, t.l.x.facts[path].Text)] = true
	for _, folder := range []string{of.folder, of.folder[:len(of.folder)-1]} {
		if id, ok := t.l.x.ids[Fact{Path, folder}]; ok {
			t.held[id] = true
		}
	}
}

// leastChance is the chance of being needed below which a fact is not
// listed, however short it is. Such facts cost a person who reads the list
// more than they bring: recall falls by less than 0.01 at 2,000 tokens.
const leastChance = 0.001

// ledgerSkips is how many facts too long for what is left are passed over in
// search of shorter ones.
const ledgerSkips = 32

func index(second bool) int {
	if second {
		return 1
	}
	return 0
}
