package facts

import (
	"math"
	"strings"
	"unicode/utf8"
)

// names is what the facts of an index are by their texts alone. It is worked out once, as
// every change looks at most facts again.
type names struct {
	of        []named // by fact, and one more
	words     []int32 // numbers of the words that they are made of
	kins      int     // how many folders and families there are, of one name too
	different int     // how many words
}

// named is one fact of them.
type named struct {
	runes, joints, figures, capitals int32
	words                            int32 // where its words begin
	kin                              int32 // number of its folder or family; -1: it is of none
	family                           int32 // of an identifier: the number of what is before its first dot
	base                             ID    // the path that its last segment is; -1: none
	sort                             sortOfName
	listable, lasting                bool
}

// sortOfName is how a ledger groups identifiers.
type sortOfName uint8

const (
	plainName sortOfName = iota // in the order of a ledger
	testName
	fixedName
	optionName
	markName
	sortsOfName // how many there are
)

// readNames works out what an index knows of its facts' texts.
func (x *Index) readNames() *names {
	n := &names{of: make([]named, len(x.facts)+1)}
	kins, words := map[string]int32{}, map[string]int32{}
	for id, f := range x.facts {
		a := &n.of[id]
		*a = named{runes: int32(utf8.RuneCountInString(f.Text)), words: int32(len(n.words)), kin: -1, base: -1, sort: sortOf(f.Text),
			listable: listable(f, x.leads[id]), lasting: x.lasting(ID(id))}
		if key := kinOf(f); key != "" {
			a.kin = ordinal(kins, key)
		}
		if f.Kind == Identifier {
			family, _, _ := strings.Cut(f.Text, ".")
			a.family = ordinal(kins, family)
		}
		if base := a.spell(f); base >= 0 && f.Kind.Atom() {
			if id, ok := idOf(x, Fact{Path, f.Text[base+1:]}); ok {
				a.base = id
			}
		}
		if f.Kind.Atom() {
			parts(f.Text, func(p string) { n.words = append(n.words, ordinal(words, p)) })
		}
	}
	n.of[len(x.facts)].words = int32(len(n.words))
	n.kins, n.different = len(kins), len(words)
	return n
}

// spell counts the characters of a fact; base is what its last segment begins behind.
func (a *named) spell(f Fact) (base int) {
	base = -1
	for i := 0; i < len(f.Text); i++ {
		switch c := f.Text[i]; {
		case c == '/' || c == '.' && f.Kind == Identifier:
			a.joints, base = a.joints+1, i
		case c == '_' || c == '.' || c == '-':
			a.joints++
		case isDigit(c):
			a.figures++
		case class[c] == upper:
			a.capitals++
		}
	}
	return base
}

// ordinal numbers strings in the order in which they come.
func ordinal(numbers map[string]int32, s string) int32 {
	n, ok := numbers[s]
	if !ok {
		n = int32(len(numbers))
		numbers[s] = n
	}
	return n
}

// wordsOf are the numbers of the words that a fact is made of.
func (n *names) wordsOf(id ID) []int32 { return n.words[n.of[id].words:n.of[id+1].words] }

// sortOf says which group an identifier goes into.
func sortOf(t string) sortOfName {
	switch {
	case strings.HasPrefix(t, "--"):
		return optionName
	case t != "" && isMark(t):
		return markName
	case isTest(t):
		return testName
	case isConstant(t):
		return fixedName
	}
	return plainName
}

// logs are log(1 + n) of whole numbers: ages and numbers of messages.
var logs = func() (t [oldest + 1]float64) {
	for n := range t {
		t[n] = math.Log1p(float64(n))
	}
	return t
}()

// log1p is log(1 + v).
func log1p(v float64) float64 {
	if n := int(v); n < len(logs) && float64(n) == v {
		return logs[n]
	}
	return math.Log1p(v)
}
