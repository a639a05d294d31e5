package doors

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"
)

// Health is how a gateway is, as it says at [HealthPath].
type Health struct {
	PID    int                    `json:"pid"`
	Mode   string                 `json:"mode"`
	Calls  int                    `json:"calls"` // that were answered since it began
	Last   time.Time              `json:"last_call,omitzero"`
	Firing time.Time              `json:"last_firing,omitzero"`
	Record string                 `json:"record"` // of the last firing
	Models map[string]ModelHealth `json:"models"` // by their names

	mu sync.Mutex
}

// ModelHealth is what a gateway knows of a model that agents ask for.
type ModelHealth struct {
	Limit   int     `json:"limit"`     // tokens; 0: not known
	Assumed bool    `json:"assumed"`   // nothing says the limit
	Trigger int     `json:"threshold"` // tokens; 0: none in tokens
	Factor  float64 `json:"factor"`    // the server's tokens for each of ours at the last call; 0: not known
}

// HealthPath is where a gateway says how it is.
const HealthPath = "/healthz"

// Called notes a call that was answered, and what is known of its model.
func (h *Health) Called(name string, m ModelHealth, at time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.Models == nil {
		h.Models = map[string]ModelHealth{}
	}
	if m.Factor == 0 {
		m.Factor = h.Models[name].Factor
	}
	h.Calls, h.Last, h.Models[name] = h.Calls+1, at, m
}

// Fired notes a compaction.
func (h *Health) Fired(record string, at time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.Firing, h.Record = at, record
}

// Write says how it is, as JSON.
func (h *Health) Write(to io.Writer) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return json.NewEncoder(to).Encode(h)
}

// errNoGateway says that another program answers.
var errNoGateway = errors.New("another program answers there")

// AskHealth asks the gateway at an address how it is. A proxy of the environment is not
// asked.
func AskHealth(ctx context.Context, address string) (*Health, error) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address+HealthPath, nil)
	if err != nil {
		return nil, err
	}
	r.Close = true
	resp, err := new(http.Transport).RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	h := &Health{}
	if err := json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(h); err != nil || h.PID == 0 {
		return nil, errNoGateway
	}
	return h, nil
}
