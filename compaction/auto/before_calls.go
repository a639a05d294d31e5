package auto

import (
	"cmp"
	"context"
	"slices"
	"sync"
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
	slots := make(chan struct{}, max(1, workers))
	var wg sync.WaitGroup
	for _, i := range order {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			out[i] = agents[i].BeforeCall(ctx)
		})
	}
	wg.Wait()
	return out
}
