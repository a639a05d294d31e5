package session

import (
	"context"

	"palimpsest/compaction/facts"
	"palimpsest/model"
)

// CutBehaviour is what the agent did after a compaction that the file holds,
// adoptFrom what it did in as many messages before: agents read and run things again
// without compactions too.
type CutBehaviour struct {
	Found  int // index into the thread's found compactions
	After  facts.Behaviour
	Before facts.Behaviour // no messages: nothing was said between this and the one before
}

// AfterFound returns what the agent did after the compaction of a record of
// [CountedThread.FoundRecords]; nil if it is none, or a clearing of single
// results. It builds the index if need be.
func (in *Insight) AfterFound(ctx context.Context, r *model.Record) (*CutBehaviour, error) {
	cuts, err := in.AfterCuts(ctx)
	if err != nil {
		return nil, err
	}
	for i := range cuts {
		if foundUID(in.s.CountedThread, cuts[i].Found) == r.UID {
			return &cuts[i], nil
		}
	}
	return nil, nil
}

// AfterCuts returns for each compaction that the file holds which files the agent
// read and which commands it ran again afterwards, up to the next one. Clearings
// of single results are left out. It builds the index if need be.
func (in *Insight) AfterCuts(ctx context.Context) ([]CutBehaviour, error) {
	var found, cuts []int
	for i, f := range in.s.thread.Found {
		if !f.Clearing {
			found, cuts = append(found, i), append(cuts, f.At)
		}
	}
	if len(cuts) == 0 {
		return nil, nil
	}
	x, err := in.Facts(ctx, nil)
	if err != nil {
		return nil, err
	}
	out := make([]CutBehaviour, len(cuts))
	from := 0
	for i, after := range x.AfterCut(cuts) {
		before := max(from, after.At-after.Messages)
		out[i] = CutBehaviour{Found: found[i], After: after, Before: x.AfterCut([]int{before, after.At})[0]}
		from = after.At
	}
	return out, nil
}
