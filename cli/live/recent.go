package live

import "sync"

// recent remembers values by their keys: at least the newest mostRecent, at most twice as
// many. The zero value is empty; it may be used by any number of goroutines.
type recent[K comparable, V any] struct {
	mu       sync.Mutex
	now, old map[K]V
}

const mostRecent = 50_000

func (r *recent[K, V]) get(key K) (V, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if v, ok := r.now[key]; ok {
		return v, true
	}
	v, ok := r.old[key]
	return v, ok
}

func (r *recent[K, V]) put(key K, v V) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now == nil || len(r.now) >= mostRecent {
		r.now, r.old = map[K]V{}, r.now
	}
	r.now[key] = v
}
