package facts

import (
	"slices"
	"strings"
)

// named is what a fact is by its text alone. It is worked out once, as every change looks at
// most facts again.
type named struct {
	family            string // of an identifier: what is before its first dot
	sort              sortOfName
	listable, lasting bool
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
func (x *Index) readNames() []named {
	out := make([]named, len(x.facts))
	for id, f := range x.facts {
		family, _, _ := strings.Cut(f.Text, ".")
		out[id] = named{family, sortOf(f.Text), x.mayList(ID(id)), f.Kind == Instruction && Lasting(f.Text)}
	}
	return out
}

// mayList reports whether a fact can be listed. A command has to be one that a person named or an agent
// ran or named: what only a tool's output names may be an attack.
func (x *Index) mayList(id ID) bool {
	f := x.facts[id]
	return !x.secrets[id] && listable(f, x.leads[id]) && (f.Kind != Command ||
		slices.ContainsFunc(x.Occurrences(id), func(o Occurrence) bool { return o.Author != Tool }))
}

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
