package session

import (
	"palimpsest/compaction"
	"palimpsest/compaction/facts"
)

// NeededAfter tells what the agent needed, in the rest of the history, of what a
// plan made at an earlier place takes away: the plan is the one firing, and what
// the file holds behind its place goes on after it. text is that of the summary;
// without one that is still to be made, the result is Lower. It is nil where
// there is nothing to tell: the plan does not apply, nothing follows its place,
// or the index has not been built.
func (s *Session) NeededAfter(pl *compaction.Plan, text string) *Needed {
	x := s.KnownFacts()
	if x == nil || pl.Outcome != compaction.WouldApply || pl.Line.At() >= x.Messages() {
		return nil
	}
	return &Needed{
		Needs: x.NeededLater([]facts.Change{s.factChange(pl, text)}),
		Lower: pl.Insert >= 0 && text == "",
	}
}
