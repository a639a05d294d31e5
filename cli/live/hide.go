package live

import (
	"fmt"
	"sync"

	"palimpsest/compaction/summarize/redact"
)

// Hider hides secrets in what is handed to an agent, which sends it to its model. It
// leaves names and paths, which are what an agent asks for. What one answer shows to be
// a secret is hidden in all later ones. The zero value is ready; it may be used by any
// number of goroutines.
type Hider struct {
	Scan func(ids ...string) (*redact.Redactor, error) // nil: redact.New

	mu    sync.Mutex
	sieve *redact.Sieve
}

// Text is a text without secrets. Where it can't be looked through it is not handed
// out: that is the error.
func (h *Hider) Text(text string) (string, error) {
	if h == nil {
		return text, nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.sieve == nil {
		scan := h.Scan
		if scan == nil {
			scan = redact.New
		}
		r, err := scan()
		if err != nil {
			return "", fmt.Errorf("nothing is handed out, because it can't be looked through for secrets: %w", err)
		}
		h.sieve = redact.NewSieve(r, nil)
		h.sieve.Allow(redact.Personal...)
	}
	h.sieve.Text(text, 0) // what its end shows to be a secret, too
	return h.sieve.Text(text, 0), nil
}
