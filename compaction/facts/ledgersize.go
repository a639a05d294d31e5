package facts

import (
	"cmp"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"
)

// AddsUp says that the lister's count is scale of another one that adds up: of a text it is
// the sum over what is before and from a space between two words on, and over what is up to
// and behind a line break, but for a slash there. Those of code points and of vocabularies
// are so, since none of their tokens reaches over such a place. Lists that are too long are
// shortened without being written then.
func (l *Lister) AddsUp(count func(string) int, scale func(int) int) *Lister {
	l.parts, l.scale = count, scale
	for i := range l.sizes {
		l.sizes[i] = make([]atomic.Int32, len(l.x.facts))
	}
	return l
}

// sizeOf is what a fact takes in a list behind a space, with its lead or without, and
// whether what is written right behind it may change that; ok is false for what does not
// begin and end in a word.
func (l *Lister) sizeOf(id ID, led bool) (size int, open, ok bool) {
	known := &l.sizes[index(led)][id]
	v := known.Load()
	if v == 0 {
		text := literal(l.x, id, led)
		first, _ := utf8.DecodeRuneInString(text)
		last, _ := utf8.DecodeLastRuneInString(text)
		if v = -1; text != "" && !unicode.IsSpace(first) && !unicode.IsSpace(last) {
			v = int32(l.parts(" "+text))<<1 + 1<<30
			if openEnd(text) {
				v++
			}
		}
		known.Store(v)
	}
	return int(v&(1<<30-1)) >> 1, v&1 != 0, v > 0
}

// cost is what a fact takes behind a space.
func (l *ledgerLayout) cost(id ID) int {
	if l.l.parts != nil {
		if size, _, ok := l.l.sizeOf(id, l.leads); ok {
			return l.l.scale(size)
		}
	}
	return l.l.count(" " + l.explained(id))
}

// openEnd reports whether a text ends in a character that a token may hold together with
// what follows, a mark or a line break.
func openEnd(text string) bool {
	c := text[len(text)-1]
	return c >= utf8.RuneSelf || class[c]&(lower|upper|digit) == 0
}

// sizing adds up the size of a list. It holds back the end of it, which a line break behind
// may change.
type sizing struct {
	*ledgerLayout
	sum    int
	last   int    // of what is held back
	before string // what is held back, where it is open: before and text
	text   string
	open   bool
	unfit  bool // something does not add up
}

// put adds what begins where sizes add up.
func (s *sizing) put(size int, open bool, before, text string) {
	s.sum += s.last
	s.last, s.open, s.before, s.text = size, open, before, text
}

// chunk adds a text that begins so. Of a long one the last word is held back.
func (s *sizing) chunk(text string) {
	if at := max(strings.LastIndexByte(text, ' '), strings.LastIndexByte(text, '\n')+1); len(text) > 80 && at > 0 && at < len(text)-1 {
		s.put(s.long(text[:at]), false, "", "")
		text = text[at:]
	}
	s.put(s.l.parts(text), openEnd(text), "", text)
}

// long is the size of a text that other lists of the layout may have as well.
func (l *ledgerLayout) long(text string) int {
	size, ok := l.sizes[text]
	if !ok {
		if l.sizes == nil {
			l.sizes = map[string]int{}
		}
		size = l.l.parts(text)
		l.sizes[text] = size
	}
	return size
}

// fact adds a fact behind a space, with its lead or without.
func (s *sizing) fact(id ID, led bool) {
	size, open, ok := s.l.sizeOf(id, led)
	s.unfit = s.unfit || !ok
	text := ""
	if open && ok {
		text = literal(s.x, id, led)
	}
	s.put(size, open, " ", text)
}

// sign adds a mark right behind a fact that was just added.
func (s *sizing) sign(mark string) {
	if !s.open {
		s.last += s.l.parts(mark)
		s.before, s.text, s.open = "", mark, true
		return
	}
	s.before, s.text = "", s.before+s.text+mark
	s.last = s.l.parts(s.text)
}

// line begins a line with a text.
func (s *sizing) line(text string) {
	if !s.open {
		s.last++
		s.chunk(text)
		return
	}
	end := s.before + s.text + "\n"
	if text[0] != '/' {
		s.last = s.l.parts(end)
		s.chunk(text)
		return
	}
	head, rest := text, ""
	if k := strings.IndexAny(text, " \n"); k >= 0 && text[k] == ' ' {
		head, rest = text[:k], text[k:]
	}
	s.before, s.text, s.open = "", end+head, openEnd(head)
	if s.last = s.l.parts(s.text); rest != "" {
		s.chunk(rest)
	}
}

// facts adds some, of which last is the last one.
func (s *sizing) facts(ids []ID, last ID, led bool) {
	for _, id := range ids {
		if id != last {
			s.fact(id, led)
		}
	}
	s.fact(last, led)
}

// size is what text comes to, as AddsUp counts; ok is false where that is not known.
func (l *ledgerLayout) size(ids []ID) (size int, ok bool) {
	by := l.byKind(ids)
	s := sizing{ledgerLayout: l}
	s.chunk(l.words.title)
	for _, k := range LedgerOrder {
		if len(by[k]) == 0 {
			continue
		}
		switch {
		case k == Path:
			s.line(l.words.heads[k])
			s.paths(by[k])
		case k == Identifier:
			s.names(by[k])
		case k == Number:
			s.line(l.words.heads[k])
			s.apart(by[k])
		case k.Atom():
			s.line(l.words.heads[k])
			s.facts(by[k], by[k][len(by[k])-1], s.leads)
		default:
			s.line(l.words.heads[k])
			for _, id := range by[k] {
				s.line("-")
				s.fact(id, s.leads)
			}
		}
	}
	return s.sum + s.last, !s.unfit
}

// apart adds facts with commas between.
func (s *sizing) apart(ids []ID) {
	for i, id := range ids {
		if s.fact(id, s.leads); i < len(ids)-1 {
			s.sign(",")
		}
	}
}

// names adds identifiers.
func (s *sizing) names(ids []ID) {
	by := s.sorts(ids)
	for k, list := range by {
		if len(list) == 0 {
			continue
		}
		s.line(s.sortHead(sortOfName(k)))
		switch {
		case sortOfName(k) == plainName:
			s.facts(list, s.lastOfFamilies(list), false)
		case sortOfName(k) == markName && s.spaced(list):
			s.apart(list)
		default:
			s.facts(list, list[len(list)-1], s.leads)
		}
	}
}

// lastOfFamilies is the last of what families returns.
func (l *ledgerLayout) lastOfFamilies(names []ID) (last ID) {
	of := l.x.names().of
	family := int32(-1)
	for _, id := range names {
		if f := of[id].family; l.tables.first[f] == 0 {
			l.tables.first[f], family = 1, f
		}
	}
	for _, id := range names {
		if l.tables.first[of[id].family] = 0; of[id].family == family {
			last = id
		}
	}
	return last
}

// paths adds paths.
func (s *sizing) paths(ids []ID) {
	listed, groups := s.plan.arrange(s.x, ids, s.near, s.tables)
	sorts := &s.tables.sorts
	for k := range sorts {
		sorts[k] = sorts[k][:0]
	}
	named := 0
	for _, p := range listed {
		sort := pathSort(p.text)
		if len(p.names) > 0 {
			sort, named = 0, named+1
		}
		sorts[sort] = append(sorts[sort], p)
	}
	any := false
	for _, list := range sorts[1:] {
		if len(list) == 0 {
			continue
		}
		if any && len(ids) > fewPaths {
			s.line(" ") // its space is before that of the first path
		}
		any = true
		last := latest(list)
		for i, p := range list {
			if i != last {
				s.fact(p.id, false)
			}
		}
		s.fact(list[last].id, false)
	}
	s.pathsWithNames(sorts[0])
	for _, g := range groups {
		var b strings.Builder
		s.group(&b, g)
		s.line(b.String())
	}
}

// latest is the place of the path that is written last.
func latest(list []listedPath) (at int) {
	for i, p := range list {
		if o := list[at]; cmp.Or(cmp.Compare(pathSort(p.text), pathSort(o.text)), cmp.Compare(p.text, o.text)) > 0 {
			at = i
		}
	}
	return at
}

// pathsWithNames adds paths that names follow.
func (s *sizing) pathsWithNames(list []listedPath) {
	if len(list) == 0 {
		return
	}
	add := func(p listedPath) {
		s.line("-")
		s.fact(p.id, false)
		s.sign(":")
		s.facts(p.names, s.lastOfFamilies(p.names), false)
	}
	last := latest(list)
	for i, p := range list {
		if i != last {
			add(p)
		}
	}
	add(list[last])
}
