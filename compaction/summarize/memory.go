package summarize

import (
	"sync"

	"palimpsest/model"
)

// Memory keeps the remarks of messages for the next text that is made of some of them:
// a sweep writes many texts of one history. Of a message its entries have the same parts
// each time. The zero value is empty; several goroutines may use it. A request without one
// keeps nothing.
type Memory struct {
	mu   sync.Mutex
	told map[messageKey]*told
}

type messageKey struct {
	msg   *model.Message
	lang  Lang
	guess bool
}

// Forget empties it.
func (m *Memory) Forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.told = nil
}

// mostKept is how many messages it keeps; then it begins anew.
const mostKept = 1 << 14

// remember looks up the remarks of a message; if they are not known, it keeps those that fresh returns.
func (m *Memory) remember(key messageKey, fresh func() *told) *told {
	m.mu.Lock()
	t, ok := m.told[key]
	m.mu.Unlock()
	if ok {
		return t
	}
	t = fresh()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.told == nil || len(m.told) >= mostKept {
		m.told = map[messageKey]*told{}
	}
	m.told[key] = t
	return t
}
