package remote

import (
	"context"
	"sync"
)

// Waker ends the waiting of calls for another attempt: a person need not sit it out.
// The zero value is ready.
type Waker struct {
	mu sync.Mutex
	c  chan struct{} // closed at the next Wake
}

// Wake has all calls that wait make their attempt now.
func (w *Waker) Wake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.c != nil {
		close(w.c)
		w.c = nil
	}
}

func (w *Waker) awoken() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.c == nil {
		w.c = make(chan struct{})
	}
	return w.c
}

type wakerKey struct{}

// WithWaker has the calls made under the context wait no longer than w says.
func WithWaker(ctx context.Context, w *Waker) context.Context {
	return context.WithValue(ctx, wakerKey{}, w)
}

// awoken is closed when the waiting under a context ends early; nil: it does not.
func awoken(ctx context.Context) <-chan struct{} {
	if w, ok := ctx.Value(wakerKey{}).(*Waker); ok {
		return w.awoken()
	}
	return nil
}
