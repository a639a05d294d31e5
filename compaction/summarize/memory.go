package summarize

import (
	"strings"
	"sync"

	"palimpsest/model"
)

// Memory keeps what was read of messages, for the next text that is made of some of them:
// a sweep writes many texts of one history. Of a message its entries have the same parts
// each time, and all are measured by the same count of tokens. The zero value is empty;
// several goroutines may use it. A request without one keeps nothing.
type Memory struct {
	mu     sync.Mutex
	lines  map[lineKey]rawLine  // of former summaries
	tokens map[string]int       // of blocks and remarks
	told   map[messageKey]*told // what messages tell a note
}

type lineKey struct {
	text string
	lang Lang
}

// Forget empties it.
func (m *Memory) Forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lines, m.tokens, m.told = nil, nil, nil
}

type messageKey struct {
	msg   *model.Message
	lang  Lang
	guess bool
}

// mostKept is how many messages it keeps, and how many lines; then it begins anew.
const mostKept = 1 << 14

// remember looks up what is known of a key; if nothing is, it keeps what fresh returns.
func remember[K comparable, V any](m *Memory, known *map[K]V, key K, fresh func() (K, V)) V {
	m.mu.Lock()
	v, ok := (*known)[key]
	m.mu.Unlock()
	if ok {
		return v
	}
	key, v = fresh()
	m.mu.Lock()
	defer m.mu.Unlock()
	if *known == nil || len(*known) >= mostKept {
		*known = map[K]V{}
	}
	(*known)[key] = v
	return v
}

// line reads a line of a former summary.
func (m *Memory) line(raw string, w *words) rawLine {
	return remember(m, &m.lines, lineKey{raw, w.lang}, func() (lineKey, rawLine) {
		raw := strings.Clone(raw) // not with the summary that it is of
		return lineKey{raw, w.lang}, readLine(raw, w)
	})
}

// size is that of a block, which other pages have as well.
func (m *Memory) size(block string, by measure) int {
	if by.chars {
		return by.size(block)
	}
	return remember(m, &m.tokens, block, func() (string, int) { return block, by.size(block) })
}
