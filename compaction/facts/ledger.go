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

// Ledger lists the facts that score best within a budget, grouped by kind, each
// so that the text holds it by the rule of the package; "" when nothing fits or
// nothing is left to list. The same request gives the same text.
func (l *Lister) Ledger(r LedgerRequest) string {
	if l.count == nil || r.Budget <= 0 {
		return ""
	}
	lay := ledgerLayout{x: l.x, at: r.At, words: &ledgerWords[index(r.Chinese)], leads: r.Budget >= leadBudget,
		roomy: r.Budget >= roomyBudget}
	chosen := l.choose(l.offer(&r, &lay), &r, lay.words)
	// Tokens of parts do not add up to those of the whole: the last word is the
	// whole text's.
	for len(chosen) > 0 {
		text := lay.text(chosen)
		over := l.count(text) - r.Budget
		if over <= 0 {
			return text
		}
		chosen = chosen[:len(chosen)-min(len(chosen), 1+over/8)]
	}
	return ""
}

// choose takes the facts that fit, of those offered that no other text holds: first a
// little of what was said, by worth, then whatever is wanted most. Behind a summary
// standing orders have half of their share, and the rest of what was said has none.
func (l *Lister) choose(o *offer, r *LedgerRequest, w *ledgerVocabulary) (chosen []ID) {
	title := l.count(w.title)
	left := r.Budget - title
	free := o.promising(l.x, l.x.heldBy(r.Remaining), r.Budget+ledgerSkips)
	headed := [Kinds]bool{}
	alike := map[string]bool{} // commands that differ in figures only
	share, orders := min(left/shareOfKind, mostOfKind*title), left/shareOfOrders
	if r.Told {
		share, orders = 0, orders/2
	}
	take := func(i int32, room *int) (fits bool) {
		c := &o.all[i]
		cost, kind := int(c.cost), l.x.facts[c.id].Kind
		if kind == Command {
			text := withoutFigures(l.x.facts[c.id].Text)
			if alike[text] {
				return true
			}
			defer func() { alike[text] = fits }()
		}
		if !headed[kind] {
			cost += l.count(w.heads[kind]) + 1
		}
		if cost > *room || cost > left {
			return false
		}
		*room -= cost
		if room != &left {
			left -= cost
		}
		headed[kind], free[i] = true, false
		chosen = append(chosen, c.id)
		return true
	}
	for _, i := range o.said {
		if free[i] && o.all[i].order {
			take(i, &orders)
		}
	}
	for _, k := range kindsWithShare {
		room := share
		for _, i := range o.said {
			if free[i] && l.x.facts[o.all[i].id].Kind == k {
				take(i, &room)
			}
		}
	}
	skipped := 0
	for _, i := range o.wanted {
		if free[i] && !take(i, &left) {
			if skipped++; skipped == ledgerSkips {
				break
			}
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
