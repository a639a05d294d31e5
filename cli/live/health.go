package live

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"palimpsest/compaction"
)

// Board answers agents at one address. Where it leads to several servers, the first word
// of a path, which is the token of a gateway's guard, says to which.
type Board struct {
	Gateways []*Gateway
	Guard    Guard // of [HealthPath]
	Health   *Health
	Log      *slog.Logger
}

// Health is how a gateway is, as it says at [HealthPath].
type Health struct {
	PID    int                    `json:"pid"`
	Mode   Mode                   `json:"mode"`
	Calls  int                    `json:"calls"` // that were answered since it began
	Last   time.Time              `json:"last_call,omitzero"`
	Fired  time.Time              `json:"last_firing,omitzero"`
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

// called notes a call that was answered.
func (h *Health) called(e *exchange, c *Compactor) {
	h.mu.Lock()
	defer h.mu.Unlock()
	d, name := &e.decision, e.body.model
	m := ModelHealth{d.policy.Window, c.limits.assumes(name), compaction.LowestTrigger(&d.policy), h.Models[name].Factor}
	if d.size.counted > 0 && e.reported > 0 {
		m.Factor = measured{d.size.counted, e.reported}.ratio()
	}
	h.Calls, h.Last = h.Calls+1, c.Now()
	if h.Models == nil {
		h.Models = map[string]ModelHealth{}
	}
	h.Models[name] = m
}

// fired notes a compaction.
func (h *Health) fired(record string, at time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.Fired, h.Record = at, record
}

// ServeHTTP implements [http.Handler].
func (b *Board) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet && b.Guard.withoutToken(r.URL).Path == HealthPath {
		if status, why := b.Guard.refuses(r); status != 0 {
			refuse(w, r, status, "permission_error", why)
			return
		}
		b.Health.mu.Lock()
		defer b.Health.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(b.Health)
		return
	}
	for _, g := range b.Gateways {
		if len(b.Gateways) == 1 || strings.HasPrefix(r.URL.Path, "/"+g.Guard.Token+"/") {
			g.ServeHTTP(w, r)
			return
		}
	}
	http.NotFound(w, r)
}

// Serve answers on a listener until the context ends, and then waits a moment for answers
// that are on their way.
func (b *Board) Serve(ctx context.Context, l net.Listener) error {
	s := &http.Server{Handler: b, ReadHeaderTimeout: time.Minute, ErrorLog: slog.NewLogLogger(b.Log.Handler(), slog.LevelDebug)}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer cancel()
	err := s.Shutdown(end)
	if err != nil {
		err = s.Close()
	}
	for _, g := range b.Gateways {
		g.recorder.Flush()
	}
	return err
}

// ErrNoGateway says that another program answers.
var ErrNoGateway = errors.New("another program answers there")

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
	if err := json.NewDecoder(io.LimitReader(resp.Body, mostRefusal)).Decode(h); err != nil || h.PID == 0 {
		return nil, ErrNoGateway
	}
	return h, nil
}
