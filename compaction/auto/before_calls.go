package auto

import (
	"cmp"
	"context"
	"slices"

	"golang.org/x/sync/errgroup"
)

// BeforeCalls is [Compactor.BeforeCall] for several agents at once:
// at most workers summaries are made at a time, the fullest contexts
// first. The results are in the order of the agents.
func BeforeCalls(ctx context.Context, workers int, agents []*Compactor) []Result {
	full := make([]float64, len(agents))
	order := make([]int, len(agents))
	for i, a := range agents {
		order[i] = i
		if u := a.Decision().Usage; u.Max > 0 {
			full[i] = float64(u.Used) / float64(u.Max)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(full[j], full[i]) })
	out := make([]Result, len(agents))
	var calls errgroup.Group
	calls.SetLimit(max(1, workers))
	for _, i := range order {
		calls.Go(func() error {
			out[i] = agents[i].BeforeCall(ctx)
			return nil
		})
	}
	_ = calls.Wait() // each result has its own error
	return out
}
