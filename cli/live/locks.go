package live

import "sync"

// locks let one call of a session be compacted at a time.
type locks struct {
	mu   sync.Mutex
	held map[[32]byte]*lock
}

type lock struct {
	sync.Mutex
	waiting int
}

func (l *locks) take(key [32]byte) (release func()) {
	l.mu.Lock()
	if l.held == nil {
		l.held = map[[32]byte]*lock{}
	}
	k := l.held[key]
	if k == nil {
		k = &lock{}
		l.held[key] = k
	}
	k.waiting++
	l.mu.Unlock()
	k.Lock()
	return func() {
		k.Unlock()
		l.mu.Lock()
		defer l.mu.Unlock()
		if k.waiting--; k.waiting == 0 {
			delete(l.held, key)
		}
	}
}
