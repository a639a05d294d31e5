package sched

import "sync"

// Batch is a dispatcher for a window that draws: functions wait together, and
// all that wait run at once. The window runs them before it draws a frame, with
// [Batch.Run]; one handed to post alone would share its turn with the frames,
// of which one could be drawn before each function.
type Batch struct {
	post   func(func())
	mu     sync.Mutex
	list   []func()
	posted bool // post was asked to run the list and has not done so
}

// NewBatch makes an empty batch. post runs a function on the goroutine of the
// window, later; so what waits runs although no frame is drawn.
func NewBatch(post func(func())) *Batch { return &Batch{post: post} }

// Dispatch puts a function behind those that wait; hand it to New. It may be
// called from any goroutine.
func (b *Batch) Dispatch(f func()) {
	b.mu.Lock()
	b.list = append(b.list, f)
	first := !b.posted
	b.posted = true
	b.mu.Unlock()
	if first {
		b.post(func() {
			b.mu.Lock()
			b.posted = false
			b.mu.Unlock()
			b.Run()
		})
	}
}

// Run runs what waits, in the order in which it came. What is dispatched
// meanwhile waits for the next time. It belongs to the goroutine of the window.
func (b *Batch) Run() {
	b.mu.Lock()
	list := b.list
	b.list = nil
	b.mu.Unlock()
	for _, f := range list {
		f()
	}
}
