package live

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"palimpsest/compaction/session/doors"
)

// Board answers agents at one address. Where it leads to several servers, the first word
// of a path, which is the token of a gateway's guard, says to which.
type Board struct {
	Gateways []*Gateway
	Guard    Guard // of [doors.HealthPath]
	Health   *doors.Health
	Log      *slog.Logger
}

// ServeHTTP implements [http.Handler].
func (b *Board) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet && b.Guard.withoutToken(r.URL).Path == doors.HealthPath {
		if status, why := b.Guard.refuses(r); status != 0 {
			refuse(w, r, status, "permission_error", why)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = b.Health.Write(w)
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
