package facts

import (
	"math"
	"strings"
	"unicode"

	"palimpsest/model"
)

// outlook is what all facts that one change takes away are seen against.
type outlook struct {
	index   *Index
	names   *names
	at      int
	now     float64   // content blocks before at
	fresh   []float64 // of each message: e^(−age/480)
	burst   []float64 // e^(−age/60)
	near    []float32 // of each message: what it has in common with what stays
	hot     []float32 // of each message: the share of its facts that the agent used after it
	parts   []bool    // of each word: names of what stays are made of it
	request int       // the last message of a person; -1: none
	plan    int       // the last message with a to-do list; -1: none
	stays   idSet
	used    idSet     // by the agent, before at
	last    []uint32  // 1 + the place in the list by messages of a fact's last occurrence; 0: none
	kin     []float64 // of each folder, each family of names: uses of its facts
	gone    float64   // log(1 + different facts before at)
}

// outlook looks at a history from a change: what the messages that stay are
// about is what the agent is working on.
func (x *Index) outlook(c *Change) *outlook {
	at := min(max(0, c.At), x.Messages())
	names := x.names()
	o := &outlook{index: x, names: names, at: at, now: float64(x.blocks[at]), near: make([]float32, at), hot: make([]float32, at),
		fresh: make([]float64, at), burst: make([]float64, at), parts: make([]bool, names.different), request: -1, plan: -1,
		stays: x.set(), used: x.set(), last: make([]uint32, len(x.facts)), kin: make([]float64, names.kins)}
	for m := range at {
		past := float64(x.blocks[m]) - o.now
		o.fresh[m], o.burst[m] = math.Exp(past/freshBlocks), math.Exp(past/burstBlocks)
	}
	focus, whole := x.focus(c)
	if !whole {
		for _, text := range c.Remaining {
			for _, id := range x.FactsIn(text) {
				o.stay(id)
			}
		}
	}
	for _, r := range focus {
		for _, id := range x.list[x.from[r.From]:x.from[r.To]] {
			o.stay(id)
		}
	}
	o.walk()
	o.heat()
	return o
}

// focus is what says what the agent is working on; not whole, where no recent tail stays:
// what is newest takes its place, and the texts that remain say so too.
func (x *Index) focus(c *Change) (ranges []model.Range, whole bool) {
	at := min(max(0, c.At), x.Messages())
	ranges = x.clip(c.Kept, at)
	if n := len(ranges); n > 0 && ranges[n-1].To == at {
		return ranges, true
	}
	return append(ranges, model.Range{From: max(0, at-focusMessages), To: at}), false
}

// focusMessages are the newest messages that say what the agent is working on where
// none of them stays.
const focusMessages = 16

// stay notes a fact of what stays, and the words of its name.
func (o *outlook) stay(id ID) {
	if o.stays.has(id) {
		return
	}
	o.stays.add(id)
	for _, w := range o.names.wordsOf(id) {
		o.parts[w] = true
	}
}

// walk goes through the messages before the change.
func (o *outlook) walk() {
	x := o.index
	rare := make([]float32, len(x.facts)) // squared; 0: not worked out yet
	different := 0
	for m := range o.at {
		shared, all := float32(0), float32(0)
		for e := x.from[m]; e < x.from[m+1]; e++ {
			id := x.list[e]
			if rare[id] == 0 {
				rare[id] = x.rarity(id, o.at)
			}
			all += rare[id]
			if o.stays.has(id) {
				shared += rare[id]
			}
			if o.last[id] == 0 {
				different++
			}
			o.last[id] = e + 1
			if x.marks[e]&Planned != 0 {
				o.plan = m
			}
			if x.used(m, x.marks[e]) {
				o.used.add(id)
				if k := o.names.of[id].kin; k >= 0 {
					o.kin[k] += o.fresh[m]
				}
			}
		}
		if all > 0 {
			o.near[m] = shared / float32(10*math.Sqrt(float64(all))) // a cosine but for the length of what stays; 10 makes it about 1
		}
		if x.authors[m] == User {
			o.request = m
		}
	}
	o.gone = math.Log1p(float64(different))
}

// heat finds out which messages were drawn upon afterwards.
func (o *outlook) heat() {
	x := o.index
	later := x.set()
	for m := o.at - 1; m >= 0; m-- {
		n := 0
		for _, id := range x.list[x.from[m]:x.from[m+1]] {
			if later.has(id) {
				n++
			}
		}
		if size := x.from[m+1] - x.from[m]; size > 0 {
			o.hot[m] = float32(n) / float32(size)
		}
		for e := x.from[m]; e < x.from[m+1]; e++ {
			if x.used(m, x.marks[e]) {
				later.add(x.list[e])
			}
		}
	}
}

// kinOf is what a name is of: the folder of a path, the first word of a dotted name;
// "" for others.
func kinOf(f Fact) string {
	switch f.Kind {
	case Path:
		if i := strings.LastIndexByte(f.Text, '/'); i > 0 {
			return f.Text[:i]
		}
	case Identifier:
		if i := strings.IndexByte(f.Text, '.'); i > 0 {
			return f.Text[:i]
		}
	}
	return ""
}

// beside are the shares of the facts next to an occurrence that the agent used, and
// that what stays holds.
func (o *outlook) beside(m, e uint32) (used, stays float64) {
	x := o.index
	from, to := max(int(x.from[m]), int(e)-besideFacts), min(int(x.from[m+1]), int(e)+besideFacts+1)
	n := 0
	for k := from; k < to; k++ {
		if k == int(e) {
			continue
		}
		n++
		if o.used.has(x.list[k]) {
			used++
		}
		if o.stays.has(x.list[k]) {
			stays++
		}
	}
	return used / float64(max(1, n)), stays / float64(max(1, n))
}

// besideFacts is how many facts on each side are next to one.
const besideFacts = 6

// rarity is log(1 + messages ÷ messages that hold the fact), squared: what two
// messages have in common says more when it is rare.
func (x *Index) rarity(id ID, at int) float32 {
	end, _ := x.between(id, at, at+1)
	l := math.Log1p(float64(at) / float64(1+end-x.starts[id]))
	return float32(l * l)
}

// known is the share of the words of a name that names of what stays are made
// of as well.
func (o *outlook) known(id ID) float64 {
	words, known := o.names.wordsOf(id), 0
	for _, w := range words {
		if o.parts[w] {
			known++
		}
	}
	return float64(known) / float64(max(1, len(words)))
}

// parts hands the words of three letters or more that a name is made of to
// yield, in small letters: of parseHTMLTree.go they are parse and htmltree.
func parts(name string, yield func(string)) {
	begin, small := -1, false
	word := func(end int) {
		if begin >= 0 && end-begin > 2 {
			yield(strings.ToLower(name[begin:end]))
		}
		begin = -1
	}
	for i, r := range name {
		letter := unicode.IsLetter(r)
		if !letter || small && unicode.IsUpper(r) {
			word(i)
		}
		if letter && begin < 0 {
			begin = i
		}
		small = unicode.IsLower(r)
	}
	word(len(name))
}
