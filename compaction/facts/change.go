package facts

import (
	"iter"
	"sort"

	"palimpsest/model"
)

// Change is a compaction as far as facts are concerned. Runs are half-open
// ranges of history positions, ascending and disjoint; positions
// outside the history before At are ignored.
//
//	0                                         At
//	├────────┬───────────────────┬────────────┤  history
//	│  Kept  │      Removed      │    Kept    │  runs of positions
//	         │ Away: the summary of before     │  texts that go, too
//	         │ Remaining: the new summary      │  texts in the context afterwards
type Change struct {
	At        int           // history position at which it happens: the messages before it have been
	Removed   []model.Range // what goes: summarised, dropped, and results that are cleared
	Away      []string      // texts that go with them: former summaries that are merged
	Kept      []model.Range // what stays word for word, of the whole history before At
	Remaining []string      // other texts that remain: summaries, system text outside the history, what is left of cleared results
}

// standing is the context after a change, by the facts that it holds.
type standing struct {
	x     *Index
	kept  []model.Range
	texts idSet
}

func (x *Index) after(c *Change) standing {
	return standing{x: x, kept: x.clip(c.Kept, c.At), texts: x.heldBy(c.Remaining)}
}

// heldBy are the facts that some texts hold.
func (x *Index) heldBy(texts []string) idSet {
	out := x.set()
	for _, text := range texts {
		for _, id := range x.FactsIn(text) {
			out.add(id)
		}
	}
	return out
}

// has reports whether the context holds a fact.
func (c *standing) has(id ID) bool { return c.texts.has(id) || c.x.within(id, c.kept) }

// within reports whether ranges of messages hold a fact. The last is the recent tail,
// which holds most of them: it is searched first.
func (x *Index) within(id ID, ranges []model.Range) bool {
	for i := len(ranges) - 1; i >= 0; i-- {
		if _, ok := x.between(id, ranges[i].From, ranges[i].To); ok {
			return true
		}
	}
	return false
}

// clip cuts runs to the history before at.
func (x *Index) clip(runs []model.Range, at int) []model.Range {
	n := min(at, x.Messages())
	out := make([]model.Range, 0, len(runs))
	for _, r := range runs {
		if r.From, r.To = max(0, r.From), min(n, r.To); r.From < r.To {
			out = append(out, r)
		}
	}
	return out
}

// gone calls yield with each fact of what a change takes away, once.
func (x *Index) gone(c *Change, seen idSet, yield func(ID)) {
	once := func(id ID) {
		if !seen.has(id) {
			seen.add(id)
			yield(id)
		}
	}
	for _, r := range x.clip(c.Removed, c.At) {
		for _, id := range x.list[x.from[r.From]:x.from[r.To]] {
			once(id)
		}
	}
	for _, text := range c.Away {
		for _, id := range x.FactsIn(text) {
			once(id)
		}
	}
}

// Removed yields the facts that a change takes away and that the context does not hold
// afterwards.
func (x *Index) Removed(c Change) iter.Seq[ID] {
	return func(yield func(ID) bool) {
		after, more := x.after(&c), true
		x.gone(&c, x.set(), func(id ID) { more = more && (after.has(id) || yield(id)) })
	}
}

// Tally counts the facts of one kind.
type Tally struct {
	Gone     int // different facts in what goes
	Survived int // of these, how many the context holds afterwards
}

func (t *Tally) count(kept bool) {
	t.Gone++
	if kept {
		t.Survived++
	}
}

// Survival counts the facts that a change removes and those that survive it.
type Survival struct {
	Kinds    [Kinds]Tally
	Standing Tally // of the instructions, those that are meant to last (see [Lister.Ledger])
	change   Change
	index    *Index
}

// Survive looks up which facts of the removed messages and texts are still in the
// context afterwards. Its cost grows with what is removed and with the texts, not
// with the history.
func (x *Index) Survive(c Change) *Survival {
	s := &Survival{change: c, index: x}
	after, names := x.after(&c), x.names()
	x.gone(&c, x.set(), func(id ID) {
		kept := after.has(id)
		s.Kinds[x.facts[id].Kind].count(kept)
		if n := &names[id]; n.lasting && n.listable {
			s.Standing.count(kept)
		}
	})
	return s
}

// All adds the kinds up.
func (s *Survival) All() Tally {
	var t Tally
	for _, k := range s.Kinds {
		t.Gone, t.Survived = t.Gone+k.Gone, t.Survived+k.Survived
	}
	return t
}

// placesShown bounds the places of a lost fact: a file that was open all day has
// thousands.
const placesShown = 16

// Lost is a fact that the context no longer holds, with the places that held it.
type Lost struct {
	ID
	Fact
	Weight float64
	At     []int // history positions before the change, ascending; the last 16 at most
}

// Lost lists the facts that the context no longer holds, the weightiest first, at most
// limit of them (0: all). It is worked out when it is asked for: a slider that
// shows counts does not pay for it.
func (s *Survival) Lost(limit int) []Lost {
	x, at := s.index, s.change.At
	after := x.after(&s.change)
	var out []Lost
	x.gone(&s.change, x.set(), func(id ID) {
		if !after.has(id) {
			out = append(out, Lost{ID: id, Fact: x.facts[id], Weight: x.Weight(id, at)})
		}
	})
	sort.Slice(out, func(i, j int) bool {
		if out[i].Weight != out[j].Weight {
			return out[i].Weight > out[j].Weight
		}
		return out[i].ID < out[j].ID
	})
	if limit > 0 && len(out) > limit {
		out = out[:limit:limit]
	}
	for i := range out {
		out[i].At = x.places(out[i].ID, at)
	}
	return out
}

// places lists the last messages before at that hold a fact.
func (x *Index) places(id ID, at int) []int {
	end, _ := x.between(id, at, at+1)
	begin := max(int(x.starts[id]), int(end)-placesShown)
	out := make([]int, 0, int(end)-begin)
	for k := begin; k < int(end); k++ {
		out = append(out, int(x.msgs[k]))
	}
	return out
}
