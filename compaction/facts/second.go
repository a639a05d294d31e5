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
	Plans  []Plan   // in the order of the history
}

// Second is the second version of the measure: of the needs that [Index.NeededLater]
// counts, those of facts that nobody could have written without having seen them.
type Second struct {
	Recall          // each need counts once
	Tokens   Recall // each counts the tokens of the smallest message that held it: what it costs to have it back
	Needed   []Need // in the order of their uses
	LeftOut  int    // needs of the first measure that are not counted
	LastSaid Recall // of the last errors and decisions before each firing that went, those that stand after it, used later or not
	Open     Recall // of what the open items of the last to-do list before each firing name, that went, what stands after it
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
// it, and what the system part of each request holds. A path is also met by its other
// form, with or without the working directory.
func (x *Index) NeededSecond(firings []Change, s Surroundings) (out Second) {
	w := secondMeasure{x, &s}
	for k := range firings {
		after := x.after(&firings[k])
		for _, u := range x.UsedAfter(firings, k) {
			switch {
			case !u.Strict():
				continue
			case w.known(u.ID):
				out.LeftOut++
				continue
			}
			n := Need{u.ID, u.Fact, k, u.Uses[0], after.has(u.ID) || w.rooted(u.Fact, &after)}
			out.count(n.Met)
			cost := w.cost(u.ID, firings[k].At)
			out.Tokens.Needs += cost
			if n.Met {
				out.Tokens.Met += cost
			}
			out.Needed = append(out.Needed, n)
		}
		w.countLast(&firings[k], &after, &out.LastSaid)
		w.countOpen(&firings[k], &after, &out.Open)
	}
	return out
}

// secondMeasure is an index with what is around its session.
type secondMeasure struct {
	*Index
	*Surroundings
}

// known reports whether a fact is no need whoever uses it.
func (w *secondMeasure) known(id ID) bool {
	f := w.facts[id]
	if Public(f) || slices.Contains(w.Tools, f.Text) {
		return true
	}
	if dir := strings.TrimSuffix(f.Text, "/"); f.Kind == Path && (w.Dir == dir || strings.HasPrefix(w.Dir, dir+"/")) {
		return true
	}
	_, held := w.between(id, 0, w.System)
	return held
}

// rooted reports whether a context holds a path in its other form: with the working
// directory before it, or without.
func (w *secondMeasure) rooted(f Fact, after *standing) bool {
	dir := strings.TrimSuffix(w.Dir, "/")
	if f.Kind != Path || dir == "" {
		return false
	}
	other, within := strings.CutPrefix(f.Text, dir+"/")
	if !within {
		other = dir + "/" + strings.TrimPrefix(f.Text, "./")
	}
	id, ok := w.ID(Fact{Path, other})
	return ok && after.has(id)
}

// cost is the size of the smallest message before a position that holds a fact.
func (w *secondMeasure) cost(id ID, at int) int {
	least := 0
	for k := w.starts[id]; k < w.starts[id+1] && int(w.msgs[k]) < at; k++ {
		if m := int(w.msgs[k]); m < len(w.Tokens) && (least == 0 || w.Tokens[m] < least) {
			least = w.Tokens[m]
		}
	}
	return max(1, least)
}

// countLast counts, of the last errors and decisions before a change, those that it
// takes away; met are those that the context holds afterwards.
func (w *secondMeasure) countLast(c *Change, after *standing, r *Recall) {
	gone := w.set()
	w.gone(c, gone, func(ID) {})
	var left [Kinds]int
	left[Error], left[Decision] = lastSaid, lastSaid
	seen := w.set()
	for m := min(c.At, w.Messages()) - 1; m >= 0 && (left[Error] > 0 || left[Decision] > 0); m-- {
		for _, id := range w.In(m) {
			if kind := w.facts[id].Kind; left[kind] > 0 && !seen.has(id) {
				seen.add(id)
				left[kind]--
				if gone.has(id) {
					r.count(after.has(id))
				}
			}
		}
	}
}
