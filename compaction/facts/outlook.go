package facts

import (
	"math"
	"strings"
	"unicode"
)

// outlook is what all facts that one change takes away are seen against.
type outlook struct {
	index   *Index
	at      int
	now     float64         // content blocks before at
	near    []float32       // of each message: what it has in common with what stays
	parts   map[string]bool // the words that the names of what stays are made of
	request int             // the last message of a person; -1: none
}

// outlook looks at a history from a change: what the messages that stay are
// about is what the agent is working on.
func (x *Index) outlook(c *Change) *outlook {
	at := min(max(0, c.At), x.Messages())
	o := &outlook{index: x, at: at, now: float64(x.blocks[at]), near: make([]float32, at), parts: map[string]bool{}, request: -1}
	stays := x.set()
	for _, r := range x.clip(c.Kept, at) {
		for _, id := range x.list[x.from[r.From]:x.from[r.To]] {
			if stays.has(id) {
				continue
			}
			stays.add(id)
			if f := x.facts[id]; f.Kind.Atom() {
				parts(f.Text, func(p string) { o.parts[p] = true })
			}
		}
	}
	rare := make([]float32, len(x.facts)) // squared; 0: not worked out yet
	for m := range at {
		shared, all := float32(0), float32(0)
		for _, id := range x.list[x.from[m]:x.from[m+1]] {
			if rare[id] == 0 {
				rare[id] = x.rarity(id, at)
			}
			all += rare[id]
			if stays.has(id) {
				shared += rare[id]
			}
		}
		if all > 0 {
			o.near[m] = shared / float32(10*math.Sqrt(float64(all))) // a cosine but for the length of what stays; 10 makes it about 1
		}
		if x.authors[m] == User {
			o.request = m
		}
	}
	return o
}

// rarity is log(1 + messages ÷ messages that hold the fact), squared: what two
// messages have in common says more when it is rare.
func (x *Index) rarity(id ID, at int) float32 {
	end, _ := x.between(id, at, at+1)
	l := math.Log1p(float64(at) / float64(1+end-x.starts[id]))
	return float32(l * l)
}

// known is the share of the words of a name that names of what stays are made
// of as well.
func (o *outlook) known(f Fact) float64 {
	if !f.Kind.Atom() {
		return 0
	}
	all, known := 0, 0
	parts(f.Text, func(p string) {
		all++
		if o.parts[p] {
			known++
		}
	})
	return float64(known) / float64(max(1, all))
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
