package facts

import (
	"math"
	"slices"
)

var WordsOf, KinOf = parts, kinOf

// Remembered is how many places a lister knows what may be listed at.
func Remembered(l *Lister) int { return len(l.offers) }

// PlainKin is the uses of each folder and family before a position, fresh ones more.
func PlainKin(x *Index, at int) map[string]float64 {
	out := map[string]float64{}
	for m := range at {
		for e := x.from[m]; e < x.from[m+1]; e++ {
			if key := kinOf(x.facts[x.list[e]]); key != "" && x.used(m, x.marks[e]) {
				out[key] += math.Exp((float64(x.blocks[m]) - float64(x.blocks[at])) / freshBlocks)
			}
		}
	}
	return out
}

// Sizes calls yield with lists of a request, each of fewer facts than the one before, and
// what they come to as [Lister.AddsUp] has it.
func Sizes(l *Lister, r LedgerRequest, fewer func(n int) int, yield func(text string, size int, ok bool)) {
	lay := ledgerLayout{l: l, x: l.x, at: r.At, words: &ledgerWords[index(r.Chinese)], leads: r.Budget >= leadBudget, roomy: r.Budget >= roomyBudget,
		tables: l.table()}
	o := l.offer(&r, &lay)
	lay.beside = o.beside
	chosen := l.choose(o, o.promising(l.x.heldBy(r.Remaining), r.Budget+ledgerSkips), &r, &lay)
	for len(chosen) > 0 {
		size, ok := lay.size(chosen)
		yield(lay.text(chosen), size, ok)
		chosen = chosen[:fewer(len(chosen))]
	}
}

// PlainFactsIn is what a text holds by the extractor, without what was seen before.
func PlainFactsIn(x *Index, text string) (out []ID) {
	x.extract.Lift(textMessage(text), func(f Lifted) {
		if id, ok := x.ids[f.key()]; ok && f.Kind.Atom() {
			out = append(out, id)
		}
	})
	x.book.find(text, func(id ID) { out = append(out, id) })
	slices.Sort(out)
	return slices.Compact(out)
}
