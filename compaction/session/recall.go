package session

import (
	"context"

	"palimpsest/compaction"
	"palimpsest/compaction/facts"
	"palimpsest/compaction/replay"
)

// NeededAfter returns what the agent needed, in the rest of the history, of what a
// plan made at an earlier place takes away: the plan is the one firing, and what
// the file holds behind its place goes on after it. text is that of the summary;
// without one that is still to be made, the result is Lower. It is nil where
// there is nothing to report: the plan does not apply, nothing follows its place,
// or the index has not been built.
func (in *Insight) NeededAfter(pl *compaction.Plan, text string) *Needed {
	x := in.KnownFacts()
	if x == nil || pl.Outcome != compaction.WouldApply || pl.Line.At() >= x.Messages() {
		return nil
	}
	return &Needed{
		Needs: x.NeededLater([]facts.Change{in.factChange(pl, text)}),
		Lower: pl.Insert >= 0 && text == "",
	}
}

// Judge returns which facts survived the firings of a replay, which carry
// their context: what survived each, and what the agent needed later. Firings
// without texts leave nothing in their summaries. It builds the index if need be.
func (in *Insight) Judge(ctx context.Context, firings []replay.Firing) (replay.Judged, error) {
	x, err := in.Facts(ctx, nil)
	if err != nil {
		return replay.Judged{}, err
	}
	changes, _ := changesOf(firings)
	needs := x.NeededLater(changes)
	out := replay.Judged{Needs: needs.Needs, Met: needs.Met}
	for i, h := range needs.Halves {
		out.Halves[i] = replay.Met(h)
	}
	for _, c := range changes {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		left := x.Survive(c)
		all := left.All()
		out.Gone, out.Standing = out.Gone+all.Gone, out.Standing+all.Survived
		orders := left.Kinds[facts.Instruction]
		out.Orders, out.OrdersKept = out.Orders+orders.Gone, out.OrdersKept+orders.Survived
		out.Lasting, out.LastingKept = out.Lasting+left.Standing.Gone, out.LastingKept+left.Standing.Survived
	}
	return out, nil
}
