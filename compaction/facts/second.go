package facts

import (
	"slices"
	"strings"
)

// Surroundings is what the second measure has to know of a session beside its facts.
type Surroundings struct {
	Dir    string   // the working directory; "": not known
	Tools  []string // the names of the tools
	System int      // leading messages of the history that every request holds
	Tokens []int    // of each message of the history
}

// Second is the second version of the measure: of the needs that [Index.NeededLater]
// counts, those of facts that nobody could have written without having seen them.
type Second struct {
	Recall          // each need counts once
	Tokens   Recall // each counts the tokens of the smallest message that held it: what it costs to have it back
	Needed   []Need // in the order of their uses
	LeftOut  int    // needs of the first measure that are not counted
	LastSaid Recall // of the last errors and decisions before each firing that went, those that stand after it, used later or not
}

// Need is a use of a fact that had gone and that nothing had brought back.
type Need struct {
	ID
	Fact
	Firing, Use int // index of the firing, history position of the use
	Met         bool
}

// lastSaid is how many errors, and how many decisions, before a firing are asked for.
const lastSaid = 3

// NeededSecond measures the needs of a finished history a second time. It leaves out
// what is [Public], the names of tools, the working directory and the folders above
// it, and what the system part of each request holds. A path is also met by the same
// path told from the working directory, or with it.
func (x *Index) NeededSecond(firings []Change, s Surroundings) (out Second) {
	for k := range firings {
		after := x.after(&firings[k])
		for _, u := range x.UsedAfter(firings, k) {
			switch {
			case !u.Strict():
				continue
			case x.known(u.ID, &s):
				out.LeftOut++
				continue
			}
			n := Need{u.ID, u.Fact, k, u.Uses[0], after.has(u.ID) || x.rooted(u.Fact, &after, s.Dir)}
			out.count(n.Met)
			cost := x.cost(u.ID, firings[k].At, s.Tokens)
			out.Tokens.Needs += cost
			if n.Met {
				out.Tokens.Met += cost
			}
			out.Needed = append(out.Needed, n)
		}
		x.countLast(&firings[k], &after, &out.LastSaid)
	}
	return out
}

// known reports whether a fact is no need whoever uses it.
func (x *Index) known(id ID, s *Surroundings) bool {
	f := x.facts[id]
	if Public(f) || slices.Contains(s.Tools, f.Text) {
		return true
	}
	if dir := strings.TrimSuffix(f.Text, "/"); f.Kind == Path && (s.Dir == dir || strings.HasPrefix(s.Dir, dir+"/")) {
		return true
	}
	_, held := x.between(id, 0, s.System)
	return held
}

// rooted reports whether a context holds a path in its other form: with the working
// directory before it, or without.
func (x *Index) rooted(f Fact, after *standing, dir string) bool {
	if f.Kind != Path || dir == "" {
		return false
	}
	other, within := strings.CutPrefix(f.Text, strings.TrimSuffix(dir, "/")+"/")
	if !within {
		other = strings.TrimSuffix(dir, "/") + "/" + strings.TrimPrefix(f.Text, "./")
	}
	id, ok := x.ID(Fact{Path, other})
	return ok && after.has(id)
}

// cost is the size of the smallest message before a position that holds a fact.
func (x *Index) cost(id ID, at int, tokens []int) int {
	least := 0
	for k := x.starts[id]; k < x.starts[id+1] && int(x.msgs[k]) < at; k++ {
		if m := int(x.msgs[k]); m < len(tokens) && (least == 0 || tokens[m] < least) {
			least = tokens[m]
		}
	}
	return max(1, least)
}

// countLast counts, of the last errors and decisions before a change, those that it
// takes away; met are those that the context holds afterwards.
func (x *Index) countLast(c *Change, after *standing, r *Recall) {
	gone := x.set()
	x.gone(c, gone, func(ID) {})
	var left [Kinds]int
	left[Error], left[Decision] = lastSaid, lastSaid
	seen := x.set()
	for m := min(c.At, x.Messages()) - 1; m >= 0 && (left[Error] > 0 || left[Decision] > 0); m-- {
		for _, id := range x.In(m) {
			if kind := x.facts[id].Kind; left[kind] > 0 && !seen.has(id) {
				seen.add(id)
				left[kind]--
				if gone.has(id) {
					r.count(after.has(id))
				}
			}
		}
	}
}
