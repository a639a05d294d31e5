package blocks

import (
	"regexp"
	"slices"
	"strconv"

	"palimpsest/compaction/facts"
	"palimpsest/model"
)

// mostSources bounds the messages that one line is traced to.
const mostSources = 4

var numbersExpr = regexp.MustCompile(`(?:\bmessages? |消息 |#|"messages":")(\d{1,8})(?:[–-](\d{1,8}))?`)

// madeFrom is how a line of a note ends: with the messages that it was made from.
var madeFrom = regexp.MustCompile(` \(#(\d{1,8})(?:–(\d{1,8}))?\)$`)

// Named returns the messages that a line names itself, as history positions from 0.
func Named(line string) (r model.Range, ok bool) {
	m := madeFrom.FindStringSubmatch(line)
	if m == nil {
		m = numbersExpr.FindStringSubmatch(line)
	}
	if m == nil {
		return r, false
	}
	from, _ := strconv.Atoi(m[1])
	to := from
	if m[2] != "" {
		to, _ = strconv.Atoi(m[2])
	}
	return model.Range{From: from - 1, To: to}, from > 0 && to >= from
}

// Sources returns the messages that a line was made from, as history positions in
// their order: those that hold its facts, the fewest that hold all of them and at
// most four. Where several hold the same, it is the first one: who said it. Words
// without a fact have no source. may reports whether a message can be one.
func Sources(x *facts.Index, line string, may func(msg int) bool) []int {
	held := map[int]int{} // message → how many of the facts that have no source yet
	open := map[facts.ID]bool{}
	holders := func(id facts.ID, yield func(msg int)) {
		for _, o := range x.Occurrences(id) {
			if may(o.Msg) {
				yield(o.Msg)
			}
		}
	}
	for _, id := range x.FactsIn(line) {
		open[id] = true
	}
	var out []int
	for len(open) > 0 && len(out) < mostSources {
		clear(held)
		for id := range open {
			holders(id, func(m int) { held[m]++ })
		}
		best := -1
		for m, n := range held {
			if best < 0 || n > held[best] || n == held[best] && m < best {
				best = m
			}
		}
		if best < 0 {
			break
		}
		out = append(out, best)
		for id := range open {
			holders(id, func(m int) {
				if m == best {
					delete(open, id)
				}
			})
		}
	}
	slices.Sort(out)
	return out
}
