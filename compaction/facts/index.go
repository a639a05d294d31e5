package facts

import (
	"slices"
	"sort"
	"sync"

	"palimpsest/model"
)

// Index says where each fact of a history occurs. It is immutable. Memory grows
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
	ids   map[Fact]ID
	facts []Fact
	leads []string // see lead
	book  *phrasebook

	starts []uint32 // occurrences of fact f are msgs[starts[f]:starts[f+1]]
	msgs   []uint32
	wheres []Where

	from  []uint32 // facts of message m are list[from[m]:from[m+1]]
	list  []ID
	marks []Where

	authors []Author
	blocks  []uint32 // content blocks before message m, len messages+1

	secrets map[ID]bool // facts that no list holds

	names func() []named
}

// index returns the index of what has been added.
func (b *builder) index() *Index {
	n := len(b.facts)
	x := &Index{ids: b.ids, facts: b.facts, leads: b.leads, book: b.book, starts: make([]uint32, n+1),
		msgs: make([]uint32, len(b.log)), wheres: make([]Where, len(b.log)), from: b.from, list: b.log, marks: b.marks,
		authors: b.authors, blocks: b.blocks, secrets: map[ID]bool{}}
	x.names = sync.OnceValue(x.readNames)
	for id, s := range b.kept {
		if s == isSecret {
			x.secrets[ID(id)] = true
		}
	}
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

// FactsIn lists the facts of the history that a text holds, ascending.
func (x *Index) FactsIn(text string) []ID {
	var out []ID
	Lift(textMessage(text), func(f Lifted) {
		if id, ok := x.ids[f.key()]; ok && f.Kind.Atom() {
			out = append(out, id)
		}
	})
	x.book.find(text, func(id ID) { out = append(out, id) })
	slices.Sort(out)
	return slices.Compact(out)
}

// textMessage is a text as a message without an author: atoms are lifted from it
// and nothing is judged.
func textMessage(s string) *Message {
	return &Message{Author: Tool, Parts: []model.Part{{Kind: model.PartText, Text: s}}}
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
