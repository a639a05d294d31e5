package sched

import "sync"

// Batch is a dispatcher for a window that draws: functions wait together, and
// all that wait run at once. One handed to post alone would share its turn with the
// frames, of which one could be drawn before each function.
type Batch struct {
	post func(func())
	mu   sync.Mutex
	list []func() // while there is one, post was asked to run them
}

// NewBatch makes an empty batch. post runs a function on the goroutine of the
// window, later.
func NewBatch(post func(func())) *Batch { return &Batch{post: post} }

// Dispatch puts a function after those that wait; hand it to New. It may be
// called from any goroutine.
func (b *Batch) Dispatch(f func()) {
	b.mu.Lock()
	b.list = append(b.list, f)
	first := len(b.list) == 1
	b.mu.Unlock()
	if first {
		b.post(b.run)
	}
}

// run runs what waits, in the order in which it came. What is dispatched
// meanwhile waits for the next time.
func (b *Batch) run() {
	b.mu.Lock()
	list := b.list
	b.list = nil
	b.mu.Unlock()
	for _, f := range list {
		f()
	}
}
