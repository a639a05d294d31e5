// Package batch does the same for many files, several at a time, and shows how far it is.
//
//	files ─▶ jobs (in parallel) ─▶ results, in the order of the files
//	             └─▶ progress: a bar on a terminal, else a line now and then
package batch

import "sync"

// Run calls do for each number below n, at most workers at a time, and then each with its
// result, in order and one after the other, as soon as those before it are done.
func Run[T any](n, workers int, do func(i int) T, each func(i int, result T)) {
	type done struct {
		i      int
		result T
	}
	next, results := make(chan int), make(chan done)
	var all sync.WaitGroup
	for range max(1, min(workers, n)) {
		all.Go(func() {
			for i := range next {
				results <- done{i, do(i)}
			}
		})
	}
	all.Go(func() {
		for i := range n {
			next <- i
		}
		close(next)
	})
	waiting := map[int]T{}
	for at := 0; at < n; {
		d := <-results
		waiting[d.i] = d.result
		for r, ok := waiting[at]; ok; r, ok = waiting[at] {
			delete(waiting, at)
			each(at, r)
			at++
		}
	}
	all.Wait()
}
