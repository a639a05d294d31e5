package compaction

import (
	"slices"

	"palimpsest/model"
)

// layerShare is the part of the layer that one summary may take when the policy
// sets no budget for it.
const layerShare = 3

// separator is the number of code points between two summaries of a layer when
// it is read as one text.
const separator = len("\n\n")

// layer decides which former summaries stay beside the new one, and puts the budget
// of the new one into the plan.
//
//	layer budget holds       S1 S2 S3 + new       all stay
//	layer budget overflows   new = S1 S2 S3 + range, up to the whole layer budget
//
// Merging only the oldest two would make two new messages in one firing, since the
// other summaries lie between those two and the range.
func (b *Planner) layer() []int32 {
	l, limit, budget := b.l, b.p.LayerInForce(), b.p.BudgetInForce()
	movable, used, fixed := b.movable[:0], 0, 0
	for k, i := range l.summaries {
		if slices.Contains(b.opened, i) {
			continue
		}
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
	own := inUnit(budget, limit.Unit)
	if own == 0 {
		own = max(1, limit.N/layerShare)
	}
	if used+own > limit.N {
		b.plan.Budget = model.Amount{N: max(1, limit.N-fixed), Unit: limit.Unit}
		return nil
	}
	if budget.N == 0 || budget.Unit != limit.Unit {
		b.plan.Budget = model.Amount{N: own, Unit: limit.Unit}
	}
	return movable
}

// canMerge reports whether a new summary may take in a former one.
func (b *Planner) canMerge(i int) bool {
	if i < b.low || i >= b.high {
		return false
	}
	return !slices.Contains(b.pins, i) && !slices.Contains(b.l.sealed, int32(i))
}

// layerSize is the size of the k-th former summary in a layer measured in u.
func (l *Line) layerSize(k int, u model.Unit) int {
	if u == model.Chars {
		return l.chars[k] + separator
	}
	return int(l.tokens[l.summaries[k]])
}

// inUnit converts a budget to another unit of text.
func inUnit(a model.Amount, u model.Unit) int {
	switch {
	case u == model.Chars && a.Unit != model.Chars:
		return a.N * charsPerToken
	case u == model.Chars:
		return a.N
	}
	return budgetTokens(a)
}
