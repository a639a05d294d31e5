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

	folders func() *folderTable

	parts func(string) int // see AddsUp; nil: no count that adds up
	scale func(int) int
	sizes [2][]atomic.Int32 // of facts, without leads and with them; 0: not known yet

	tables sync.Pool

	mu     sync.Mutex
	offers map[string]*offer
	recent []string // keys of the offers, the oldest first
	held   int      // facts in them
	listed int      // bytes of their lists
}

// Lister makes ledgers that are measured by count, the tokens of a text.
func (x *Index) Lister(count func(string) int) *Lister {
	l := &Lister{x: x, count: count, offers: map[string]*offer{}}
	l.folders = sync.OnceValue(func() *folderTable { return newFolderTable(l) })
	l.Chars = sync.OnceValue(func() *Lister {
		l.chars.Store(x.Lister(utf8.RuneCountInString).AddsUp(utf8.RuneCountInString, func(n int) int { return n }))
		return l.chars.Load()
	})
	return l
}

// tables are the memory of one ledger after the other: some grow with the index.
type tables struct {
	number []int32 // of a plan
	units  []groupUnit
	slots  []int32 // of what is beside paths
	shown  []shownPaths
	list   []int32
	first  []int32 // of families; zero but while they are counted
	alone  []listedPath
	sorts  [4][]listedPath
}

// table is memory for a ledger.
func (l *Lister) table() *tables {
	if t, ok := l.tables.Get().(*tables); ok {
		return t
	}
	n := len(l.x.facts)
	return &tables{number: make([]int32, n), slots: make([]int32, n), shown: make([]shownPaths, l.x.Messages()),
		first: make([]int32, l.x.names().kins)}
}

// Index is what it lists from.
func (l *Lister) Index() *Index { return l.x }

// mostOffered is how many facts the offers of a lister hold, but for the newest.
const mostOffered = 1 << 18

// offer is what may be listed after one change, whatever other texts the context holds.
type offer struct {
	once   sync.Once
	size   int         // for the lister
	all    []candidate // the highest score first
	said   []int32     // those of kinds with a share of their own, the worthiest first
	wanted []int32     // all, the most wanted first
	paths  int         // how many are paths
	beside func() *namesBeside
	lists  map[string]*madeList // by listKey
}

// madeList is a ledger that was made of an offer; whoever asks for it while it is made waits.
type madeList struct {
	once sync.Once
	List
}

// mostListed is how many bytes of lists are kept of all offers; then they begin anew.
const mostListed = 8 << 20

// listKey is all that a list of an offer depends on: the facts that may be taken, and the rest
// of the request. Texts around a list that hold the same of what is offered leave it the same.
func listKey(r *LedgerRequest, free []bool) string {
	b := make([]byte, 0, len(free)/8+12)
	b = binary.AppendVarint(b, int64(r.Budget))
	b = append(b, byte(index(r.Told)<<1|index(r.Chinese)))
	for i, is := range free {
		if i%8 == 0 {
			b = append(b, 0)
		}
		b[len(b)-1] |= byte(index(is) << (i % 8))
	}
	return string(b)
}

// listOf returns the list of an offer that a key says, and makes it where it is not known.
func (l *Lister) listOf(o *offer, key string, make func() List) List {
	l.mu.Lock()
	list := o.lists[key]
	if list == nil {
		if o.lists == nil {
			o.lists = map[string]*madeList{}
		}
		list = new(madeList)
		o.lists[key] = list
	}
	l.mu.Unlock()
	list.once.Do(func() {
		list.List = make()
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.listed += len(key) + len(list.Text); l.listed > mostListed {
			l.listed = 0
			for _, o := range l.offers {
				o.lists = nil
			}
		}
	})
	return list.List
}

// candidate is a fact that may be listed.
type candidate struct {
	id     ID
	cost   int32
	score  float64
	wanted float64 // score per token, if scores are chances
	worth  float64 // of what was said, by which its share of the budget is filled
	kind   Kind
	order  bool // it is an instruction that is meant to last
}

// offer returns what may be listed.
func (l *Lister) offer(r *LedgerRequest, lay *ledgerLayout) *offer {
	o := &offer{}
	if r.Score.Of != nil {
		l.prepare(o, r, lay)
		return o
	}
	key := l.offerKey(r, lay)
	l.mu.Lock()
	if known, ok := l.offers[key]; ok {
		o = known
	} else {
		l.offers[key], l.recent = o, append(l.recent, key)
	}
	l.mu.Unlock()
	o.once.Do(func() {
		l.prepare(o, r, lay)
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

// Forget drops what it remembers of places and of texts.
func (l *Lister) Forget() {
	l.x.texts.forget()
	if c := l.chars.Load(); c != nil {
		c.Forget()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.offers, l.recent, l.held, l.listed = map[string]*offer{}, nil, 0, 0
}

// offerKey is all that an offer depends on. Texts that remain matter where they say what
// the agent is working on.
func (l *Lister) offerKey(r *LedgerRequest, lay *ledgerLayout) string {
	c := r.change()
	var b []byte
	put := func(n int) { b = binary.AppendVarint(b, int64(n)) }
	text := func(list []string) {
		put(len(list))
		for _, s := range list {
			put(len(s))
			b = append(b, s...)
		}
	}
	put(r.At)
	put(index(lay.leads))
	for _, list := range [][]model.Range{r.Removed, r.Kept} {
		put(len(list))
		for _, p := range list {
			put(p.From)
			put(p.To)
		}
	}
	text(r.Away)
	if _, whole := l.x.focus(&c); !whole {
		text(r.Remaining)
	}
	return string(b)
}

// prepare fills an offer.
func (l *Lister) prepare(o *offer, r *LedgerRequest, lay *ledgerLayout) {
	x, c, names := l.x, r.change(), l.x.names()
	o.beside = sync.OnceValue(func() *namesBeside { return newNamesBeside(x, c.At) })
	score := r.Score
	if score.Of == nil {
		score = Likely
	}
	kept := x.clip(c.Kept, c.At)
	var ids []ID
	x.gone(&c, x.set(), func(id ID) {
		if names.of[id].listable && !x.within(id, kept) {
			ids = append(ids, id)
		}
	})
	for i, s := range score.all(x, &c, ids) {
		id, kind := ids[i], x.facts[ids[i]].Kind
		shared := slices.Contains(kindsWithShare[:], kind)
		if !score.Chances || s >= leastChance || shared {
			a := candidate{id: id, score: s, kind: kind, order: names.of[id].lasting}
			if shared {
				a.worth = l.worth(id, r.At)
			}
			o.all = append(o.all, a)
		}
	}
	slices.SortFunc(o.all, func(a, b candidate) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.id, a.id)) })
	for i := range o.all {
		a := &o.all[i]
		if a.cost = int32(max(1, lay.cost(a.id))); !a.kind.Atom() {
			a.cost += 2 // a line of its own
		}
		if a.wanted = a.score; score.Chances {
			a.wanted /= float64(a.cost)
		}
		if a.kind == Path {
			o.paths++
		}
		if o.wanted = append(o.wanted, int32(i)); slices.Contains(kindsWithShare[:], a.kind) {
			o.said = append(o.said, int32(i))
		}
	}
	o.best(o.said, func(c *candidate) float64 { return c.worth })
	o.best(o.wanted, func(c *candidate) float64 { return c.wanted })
}

// best sorts candidates by a figure, the highest first.
func (o *offer) best(list []int32, of func(*candidate) float64) {
	slices.SortFunc(list, func(i, j int32) int {
		a, b := &o.all[i], &o.all[j]
		return cmp.Or(cmp.Compare(of(b), of(a)), cmp.Compare(b.id, a.id))
	})
}

// promising reports of each candidate whether it may be taken: those of the highest scores
// that no text holds, and the worthiest of each kind that has a share of its own.
func (o *offer) promising(texts idSet, most int) []bool {
	free := make([]bool, len(o.all))
	for i := 0; i < len(o.all) && most > 0; i++ {
		if free[i] = !texts.has(o.all[i].id); free[i] {
			most--
		}
	}
	var more [Kinds]int
	for _, i := range o.said {
		if kind := o.all[i].kind; !free[i] && !texts.has(o.all[i].id) && more[kind] < ledgerSkips {
			more[kind]++
			free[i] = true
		}
	}
	return free
}
