package facts

import (
	"slices"
	"sort"
	"sync"
)

// Index says where each fact of a history occurs. It is immutable, but for a few
// results that it remembers under a lock. Memory grows
// with the facts and their occurrences, not with the text: a string once per
// fact, with some words before it of a figure, and about ten bytes per occurrence.
//
// It holds every occurrence twice, by fact and by message:
//
//	starts  0     3    5 …            from  0       2   3 …
//	        │     │    │                    │       │   │
//	msgs    3 9 17│ 4 9│ …            list  f0 f3   │f1 │ …
//	wheres  · · · │ · ·│ …            marks ·  ·    │·  │ …
//	        fact 0 fact 1                   message 0  message 1
type Index struct {
	extract Extractor
	ids     map[Fact]ID
	facts   []Fact
	leads   []string // see lead
	book    *phrasebook

	starts []uint32 // occurrences of fact f are msgs[starts[f]:starts[f+1]]
	msgs   []uint32
	wheres []Where

	from  []uint32 // facts of message m are list[from[m]:from[m+1]]
	list  []ID
	marks []Where

	authors []Author
	blocks  []uint32 // content blocks before message m, len messages+1

	texts lifted
	names func() []named
}

// lifted are the facts of the texts that were asked for last: a summary is judged when
// it is written, when it survives, and when it goes.
type lifted struct {
	mu   sync.Mutex
	of   map[string][]ID
	last []string // the oldest first

	lines, words pieces
}

// mostLifted is how many texts are kept, and leastLifted how long they are at least.
const mostLifted, leastLifted = 32, 1 << 10

func (l *lifted) find(text string) ([]ID, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	ids, ok := l.of[text]
	return ids, ok
}

func (l *lifted) keep(text string, ids []ID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of[text] != nil || ids == nil {
		return
	}
	if l.of == nil {
		l.of = map[string][]ID{}
	}
	if len(l.last) == mostLifted {
		delete(l.of, l.last[0])
		l.last = l.last[1:]
	}
	l.of[text], l.last = ids, append(l.last, text)
}

func (l *lifted) forget() {
	l.mu.Lock()
	l.of, l.last = nil, nil
	l.mu.Unlock()
	l.lines.forget()
	l.words.forget()
}

// Index returns the index of what has been added so far. The builder may go on.
func (b *Builder) Index() *Index {
	b.lent = true
	n := len(b.facts)
	x := &Index{extract: b.extract, ids: b.ids, facts: b.facts[:n:n], leads: b.leads[:n:n], book: b.book,
		starts: make([]uint32, n+1), msgs: make([]uint32, len(b.log)), wheres: make([]Where, len(b.log)),
		from: b.from[:len(b.from):len(b.from)], list: b.log[:len(b.log):len(b.log)], marks: b.marks[:len(b.marks):len(b.marks)],
		authors: b.authors[:len(b.authors):len(b.authors)], blocks: b.blocks[:len(b.blocks):len(b.blocks)]}
	x.names = sync.OnceValue(x.readNames)
	for _, id := range b.log {
		x.starts[id+1]++
	}
	for f := range n {
		x.starts[f+1] += x.starts[f]
	}
	next := make([]uint32, n)
	copy(next, x.starts)
	for m := range b.authors {
		for k := b.from[m]; k < b.from[m+1]; k++ {
			id := b.log[k]
			x.msgs[next[id]], x.wheres[next[id]] = uint32(m), b.marks[k]
			next[id]++
		}
	}
	return x
}

// Len is the number of different facts.
func (x *Index) Len() int { return len(x.facts) }

// Messages is the length of the history.
func (x *Index) Messages() int { return len(x.authors) }

// Total is the number of occurrences: a fact counts once a message.
func (x *Index) Total() int { return len(x.list) }

// Fact returns the fact of an ID.
func (x *Index) Fact(id ID) Fact { return x.facts[id] }

// ID finds a fact.
func (x *Index) ID(f Fact) (ID, bool) {
	id, ok := x.ids[f.key()]
	return id, ok
}

// Occurrences lists the messages in which a fact occurs, ascending.
func (x *Index) Occurrences(id ID) []Occurrence {
	out := make([]Occurrence, 0, x.starts[id+1]-x.starts[id])
	for k := x.starts[id]; k < x.starts[id+1]; k++ {
		out = append(out, x.occurrence(k))
	}
	return out
}

// In lists the facts of a message, by its history position, in the order in which
// they were lifted.
func (x *Index) In(msg int) []ID { return x.list[x.from[msg]:x.from[msg+1]] }

// occurrence returns entry k of the lists by fact.
func (x *Index) occurrence(k uint32) Occurrence {
	return Occurrence{Msg: int(x.msgs[k]), Author: x.author(x.msgs[k], x.wheres[k]), Where: x.wheres[k]}
}

// author is who wrote the part of message m that where names: a tool that runs on
// the provider's side writes its result into the agent's message.
func (x *Index) author(m uint32, where Where) Author {
	if where&^Read == InResult {
		return Tool
	}
	return x.authors[m]
}

// FactsIn lists the facts of the history that a text holds, ascending. The list must
// not be changed.
func (x *Index) FactsIn(text string) []ID {
	if len(text) < leastLifted {
		return liftText(x, text)
	}
	ids, ok := x.texts.find(text)
	if !ok {
		ids = liftText(x, text)
		x.texts.keep(text, ids)
	}
	return ids
}

// liftText lists the facts that a text holds, ascending.
func liftText(x *Index, text string) []ID {
	var out []ID
	if x.extract == Standard {
		out = x.texts.inLines(x, text)
	} else {
		x.extract.Lift(textMessage(text), func(f Lifted) {
			if id, ok := idOf(x, f.key()); ok && f.Kind.Atom() {
				out = append(out, id)
			}
		})
		x.book.find(text, func(id ID) { out = append(out, id) })
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// idOf is the fact of a key.
func idOf(x *Index, f Fact) (id ID, ok bool) {
	id, ok = x.ids[f]
	return id, ok && int(id) < len(x.facts)
}

// between returns the first entry of a fact in the messages [from, to), if there is
// one.
func (x *Index) between(id ID, from, to int) (k uint32, ok bool) {
	lo, hi := x.starts[id], x.starts[id+1]
	k = lo + uint32(sort.Search(int(hi-lo), func(i int) bool { return int(x.msgs[lo+uint32(i)]) >= from }))
	return k, k < hi && int(x.msgs[k]) < to
}

// set of facts.
type idSet []uint64

func (x *Index) set() idSet { return make(idSet, (len(x.facts)+63)/64) }

func (s idSet) has(id ID) bool { return s[id>>6]&(1<<(id&63)) != 0 }
func (s idSet) add(id ID)      { s[id>>6] |= 1 << (id & 63) }
