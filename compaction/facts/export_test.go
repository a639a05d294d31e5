package facts

import "slices"

// Remembered is how many places a lister knows what may be listed at.
func Remembered(l *Lister) int { return len(l.offers) }

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
