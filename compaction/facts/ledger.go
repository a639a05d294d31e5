package facts

import "palimpsest/model"

// LedgerRequest says what a ledger is to be made of.
type LedgerRequest struct {
	At        int           // history position it is made at
	Removed   []model.Range // whose facts it may list: everything ever taken away, since originals are kept
	Away      []string      // texts that went and that the history does not hold
	Kept      []model.Range // what stays word for word; its facts need no listing
	Remaining []string      // other texts in the context
	Told      bool          // one of them is a summary that was written to say what was asked and decided

	Budget  int   // of the whole text, in what the lister counts
	Score   Score // the zero value: Likely
	Chinese bool  // language of the headings
}

// change is what the ledger is for.
func (r *LedgerRequest) change() Change {
	return Change{At: r.At, Removed: r.Removed, Away: r.Away, Kept: r.Kept, Remaining: r.Remaining}
}

// List is a ledger, and what it comes to.
type List struct {
	Text string // "": nothing fits, or nothing is left to list

	l     *Lister
	parts int // see AddsUp; -1: not known
}

// Behind is what a text comes to that a ledger follows. The text ends in a line break.
func (s List) Behind(text string) int {
	if s.parts < 0 {
		return s.l.count(text + s.Text)
	}
	return s.l.scale(s.l.parts(text) + s.parts)
}

// Ledger lists the facts that score best within a budget, grouped by kind, each
// so that the text holds it by the rule of the package. The same request gives the
// same text.
func (l *Lister) Ledger(r LedgerRequest) List {
	if l.count == nil || r.Budget <= 0 {
		return List{l: l, parts: -1}
	}
	lay := ledgerLayout{l: l, x: l.x, at: r.At, words: &ledgerWords[index(r.Chinese)], leads: r.Budget >= leadBudget,
		roomy: r.Budget >= roomyBudget, tables: l.table()}
	defer func() {
		if lay.near != nil {
			lay.tables.list = lay.near.list
		}
		l.tables.Put(lay.tables)
	}()
	o := l.offer(&r, &lay)
	free := o.promising(l.x.heldBy(r.Remaining), r.Budget+ledgerSkips)
	return l.listOf(o, listKey(&r, free), func() List { return l.list(o, free, &r, &lay) })
}

// list is the ledger of what is free of an offer.
func (l *Lister) list(o *offer, free []bool, r *LedgerRequest, lay *ledgerLayout) List {
	lay.beside = o.beside
	chosen := l.choose(o, free, r, lay)
	if l.parts != nil {
		if list, ok := l.shorten(chosen, r.Budget, lay); ok {
			return list
		}
		lay.near = nil
	}
	// Tokens of parts do not add up to those of the whole: the last word is the
	// whole text's.
	for len(chosen) > 0 {
		text := lay.text(chosen)
		over := l.count(text) - r.Budget
		if over <= 0 {
			return List{text, l, -1}
		}
		chosen = chosen[:fewer(len(chosen), over)]
	}
	return List{l: l, parts: -1}
}

// fewer is how many of some facts are tried next where they are over a budget.
func fewer(n, over int) int { return n - min(n, 1+over/5) }

// shorten writes the first of some facts that fit a budget, once their sizes have said how
// many those are; ok is false where they do not add up.
func (l *Lister) shorten(chosen []ID, budget int, lay *ledgerLayout) (list List, ok bool) {
	for len(chosen) > 0 {
		size, ok := lay.size(chosen)
		if !ok {
			return list, false
		}
		over := l.scale(size) - budget
		if over <= 0 {
			list = List{lay.text(chosen), l, size}
			return list, l.parts(list.Text) == size
		}
		chosen = chosen[:fewer(len(chosen), over)]
	}
	return List{l: l, parts: -1}, true
}

// choose takes the facts that fit, of those offered that are free: first a little of
// what was said, by worth, then whatever is wanted most. Behind a summary standing
// orders have half of their share, and the rest of what was said has none. What is
// taken is free no more.
func (l *Lister) choose(o *offer, free []bool, r *LedgerRequest, lay *ledgerLayout) []ID {
	title := l.count(lay.words.title)
	t := taking{l: l, o: o, words: lay.words, free: free,
		alike: map[string]bool{}, left: r.Budget + r.Budget/overBudget - title}
	share, orders := min(t.left/shareOfKind, mostOfKind*title), t.left/shareOfOrders
	if r.Told {
		share, orders = 0, orders/2
	}
	for _, i := range o.said {
		if t.free[i] && o.all[i].order {
			t.take(i, &orders)
		}
	}
	for _, k := range kindsWithShare {
		room := share
		for _, i := range o.said {
			if t.free[i] && o.all[i].kind == k {
				t.take(i, &room)
			}
		}
	}
	if r.Score.Chances || r.Score.Of == nil {
		lay.plan = l.plan(o, t.free, t.left, lay.tables)
	}
	t.rest(lay.plan)
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
	left   int
	chosen []ID
}

// take takes a candidate if it fits the rest of the budget and a room in it.
func (t *taking) take(i int32, room *int) (fits bool) {
	c := &t.o.all[i]
	if c.kind == Command {
		text := withoutFigures(t.l.x.facts[c.id].Text)
		if t.alike[text] {
			return true
		}
		defer func() { t.alike[text] = fits }()
	}
	if fits = t.pay(c.kind, int(c.cost), room); fits {
		t.note(i)
	}
	return fits
}

// pay takes what a fact of a kind costs from the budget, and from a room in it.
func (t *taking) pay(kind Kind, cost int, room *int) bool {
	if !t.headed[kind] {
		cost += t.l.count(t.words.heads[kind]) + 1
	}
	if cost > *room || cost > t.left {
		return false
	}
	*room -= cost
	if room != &t.left {
		t.left -= cost
	}
	t.headed[kind] = true
	return true
}

func (t *taking) note(i int32) {
	t.free[i] = false
	t.chosen = append(t.chosen, t.o.all[i].id)
}

// rest takes what is wanted most, paths with what their groups cost.
func (t *taking) rest(p *groupPlan) {
	skipped := 0
	passed := func(fits bool) bool {
		if !fits {
			skipped++
		}
		return skipped < ledgerSkips
	}
	next := 0
	for _, i := range t.o.wanted {
		for p != nil && next < len(p.items) && p.units[p.items[next]].wanted >= t.o.all[i].wanted {
			i := p.items[next]
			next++
			if t.free[p.units[i].cand] && !passed(t.unit(p, i)) {
				return
			}
		}
		if t.free[i] && !p.grouped(t.o.all[i].id) && !passed(t.take(i, &t.left)) {
			return
		}
	}
}

// unit takes a path of a group with those that stand with it.
func (t *taking) unit(p *groupPlan, i int32) bool {
	u := &p.units[i]
	if !t.pay(Path, u.cost+p.opening(u.group), &t.left) {
		return false
	}
	note := func(cand int32) {
		if t.free[cand] {
			t.note(cand)
		}
	}
	p.whole(i, note)
	p.opened(p.units[i].group, note)
	return true
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

// mostOfKind bounds that part, in lengths of a ledger's title: about fifty tokens.
const mostOfKind = 4

// shareOfOrders is the part of the budget, one in so many, that instructions have
// which are meant to last, before all else.
const shareOfOrders = 5

// ledgerSkips is how many facts too long for what is left are passed over in
// search of shorter ones.
const ledgerSkips = 32

func index(second bool) int {
	if second {
		return 1
	}
	return 0
}
