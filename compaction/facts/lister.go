package facts

import (
	"cmp"
	"encoding/binary"
	"slices"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"palimpsest/model"
)

// Lister makes ledgers of an index, measured by one count. Where one place of a history is
// compacted again and again, as in a sweep, what may be listed there is the same: it
// remembers that. It may be used by several goroutines.
type Lister struct {
	// Chars returns the lister of the same facts that measures code points.
	Chars func() *Lister
	chars atomic.Pointer[Lister] // what Chars returned

	x     *Index
	count func(string) int

	costs [2][]atomic.Int32 // of facts, without leads and with them; 0: not known yet

	mu     sync.Mutex
	offers map[string]*offer
	recent []string // keys of the offers, the oldest first
	held   int      // facts in them
}

// Lister makes ledgers that are measured by count, the tokens of a text.
func (x *Index) Lister(count func(string) int) *Lister {
	l := &Lister{x: x, count: count, offers: map[string]*offer{}}
	for i := range l.costs {
		l.costs[i] = make([]atomic.Int32, len(x.facts))
	}
	l.Chars = sync.OnceValue(func() *Lister {
		l.chars.Store(x.Lister(utf8.RuneCountInString))
		return l.chars.Load()
	})
	return l
}

// Index is what it lists from.
func (l *Lister) Index() *Index { return l.x }

// mostOffered is how many facts the offers of a lister hold, but for the newest.
const mostOffered = 1 << 18

// offer is what may be listed after one change, whatever other texts the context holds.
type offer struct {
	once   sync.Once
	size   int         // for the lister
	all    []candidate // the likeliest first
	wanted []int32     // all, the most wanted first
}

// candidate is a fact that may be listed.
type candidate struct {
	id     ID
	cost   int32
	chance float64 // that the agent needs it
	wanted float64 // chance per token
	kind   Kind
}

// offer returns what may be listed.
func (l *Lister) offer(r *LedgerRequest, leads bool) *offer {
	o, key := &offer{}, offerKey(r, leads)
	l.mu.Lock()
	if known, ok := l.offers[key]; ok {
		o = known
	} else {
		l.offers[key], l.recent = o, append(l.recent, key)
	}
	l.mu.Unlock()
	o.once.Do(func() {
		l.prepare(o, r, leads)
		l.keep(key, o)
	})
	return o
}

// keep notes the size of an offer, and forgets the oldest that are too many.
func (l *Lister) keep(key string, o *offer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.offers[key] != o {
		return
	}
	o.size = 1 + len(o.all)
	for l.held += o.size; l.held > mostOffered && len(l.recent) > 1; l.recent = l.recent[1:] {
		l.held -= l.offers[l.recent[0]].size
		delete(l.offers, l.recent[0])
	}
}

// Forget drops what it remembers of places.
func (l *Lister) Forget() {
	if c := l.chars.Load(); c != nil {
		c.Forget()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.offers, l.recent, l.held = map[string]*offer{}, nil, 0
}

// offerKey is all that an offer depends on.
func offerKey(r *LedgerRequest, leads bool) string {
	var b []byte
	put := func(n int) { b = binary.AppendVarint(b, int64(n)) }
	put(r.At)
	put(index(leads))
	for _, list := range [][]model.Range{r.Removed, r.Kept} {
		put(len(list))
		for _, p := range list {
			put(p.From)
			put(p.To)
		}
	}
	for _, s := range r.Away {
		put(len(s))
		b = append(b, s...)
	}
	return string(b)
}

// prepare fills an offer.
func (l *Lister) prepare(o *offer, r *LedgerRequest, leads bool) {
	x, c, names := l.x, r.change(), l.x.names()
	kept, at := x.clip(c.Kept, c.At), min(max(0, c.At), x.Messages())
	x.gone(&c, x.set(), func(id ID) {
		if !names[id].listable || x.within(id, kept) {
			return
		}
		a := candidate{id: id, chance: x.Evidence(id, at).Chance(), kind: x.facts[id].Kind}
		if a.chance < leastChance || told[a.kind] {
			return
		}
		if a.cost = int32(max(1, l.cost(id, leads))); !a.kind.Atom() {
			a.cost += 2 // a line of its own
		}
		a.wanted = a.chance / float64(a.cost)
		o.all = append(o.all, a)
	})
	slices.SortFunc(o.all, func(a, b candidate) int { return cmp.Or(cmp.Compare(b.chance, a.chance), cmp.Compare(b.id, a.id)) })
	for i := range o.all {
		o.wanted = append(o.wanted, int32(i))
	}
	o.best(o.wanted, func(c *candidate) float64 { return c.wanted })
}

// told are the kinds that are told as sentences, with who said them, and listed nowhere.
var told = [Kinds]bool{Instruction: true, Decision: true, Error: true}

// cost is what a fact takes after a space, with its lead or without.
func (l *Lister) cost(id ID, led bool) int {
	known := &l.costs[index(led)][id]
	n := known.Load()
	if n == 0 {
		n = int32(l.count(" " + literal(l.x, id, led)))
		known.Store(n)
	}
	return int(n)
}

// best sorts candidates by a figure, the highest first.
func (o *offer) best(list []int32, of func(*candidate) float64) {
	slices.SortFunc(list, func(i, j int32) int {
		a, b := &o.all[i], &o.all[j]
		return cmp.Or(cmp.Compare(of(b), of(a)), cmp.Compare(b.id, a.id))
	})
}

// promising reports of each candidate whether it may be taken: the likeliest ones that no
// text holds.
func (o *offer) promising(texts idSet, most int) []bool {
	free := make([]bool, len(o.all))
	for i := 0; i < len(o.all) && most > 0; i++ {
		if free[i] = !texts.has(o.all[i].id); free[i] {
			most--
		}
	}
	return free
}
