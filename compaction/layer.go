package compaction

import (
	"palimpsest/model"
)

// layerShare is the part of the layer that one summary gets when the policy
// gives it no budget of its own.
const layerShare = 3

// separator is the number of code points between two summaries of a layer when
// it is read as one text.
const separator = len("\n\n")

// layer settles what becomes of the former summaries where they stand side by
// side: it gives those that stay beside the new one, and puts the budget of the
// new one into the plan.
//
// While the layer holds, all of them stay. When it would overflow, all are input
// of the new summary, a summary of summaries, which in return may fill the whole
// layer: what there is room for is carried on as it is. Merging the oldest two
// and letting the others stand would take two new messages in one firing, since
// the others lie between those two and the range.
func (b *planner) layer() []int32 {
	l, limit := b.l, b.p.LayerBudget
	movable, used, fixed := b.movable[:0], 0, 0
	for k, i := range l.summaries {
		size := l.layerSize(k, limit.Unit)
		if used += size; b.canMerge(int(i)) {
			movable = append(movable, i)
		} else {
			fixed += size
		}
	}
	b.movable = movable
	if limit.N == 0 || b.p.Strategy == model.Drop { // unlimited, or nothing is added to it
		return movable
	}
	own := inUnit(b.p.Budget, limit.Unit)
	if own == 0 {
		own = max(1, limit.N/layerShare)
	}
	if used+own > limit.N {
		b.plan.Budget = model.Amount{N: max(1, limit.N-fixed), Unit: limit.Unit}
		return nil
	}
	if b.p.Budget.N == 0 || b.p.Budget.Unit != limit.Unit {
		b.plan.Budget = model.Amount{N: own, Unit: limit.Unit}
	}
	return movable
}

// canMerge reports whether a former summary may be taken into a new one.
func (b *planner) canMerge(i int) bool {
	if i < b.low || i >= b.high {
		return false
	}
	for _, p := range b.pins {
		if p == i {
			return false
		}
	}
	return true
}

// layerSize is what the k-th former summary takes of a layer measured in u.
func (l *Line) layerSize(k int, u model.Unit) int {
	if u == model.Chars {
		return l.chars[k] + separator
	}
	return int(l.tokens[l.summaries[k]])
}

// inUnit is a budget in another unit of text.
func inUnit(a model.Amount, u model.Unit) int {
	switch {
	case u == model.Chars && a.Unit != model.Chars:
		return a.N * charsPerToken
	case u == model.Chars:
		return a.N
	}
	return budgetTokens(a)
}
