package live

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"palimpsest/compaction/summarize/remote"
	"palimpsest/model/tokens"
)

// limits are the model limits that the table of models lacks, as a server gives them: in
// its list of models, or in what it says when a request is too long.
type limits struct {
	upstream *url.URL
	ask      http.RoundTripper
	log      *slog.Logger

	mu    sync.Mutex
	known map[string]int // by the name of a model; 0: the server was asked and gives none
}

// of is the limit of a model. The server is asked once for each model, where it lists them
// and with the agent's own credentials; that none is known is said once.
func (l *limits) of(ctx context.Context, name string, h http.Header, listed string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n, asked := l.known[name]
	if !asked {
		if n = l.listed(ctx, name, h, listed); n == 0 {
			l.log.Warn("the model limit is not known; it is taken for the number given here until the server says another, and "+
				"--model-limit "+
				"sets it",
				"model", name, "tokens", tokens.AssumedWindow)
		}
		l.learn(name, n)
	}
	if n == 0 {
		return tokens.AssumedWindow
	}
	return n
}

// assumes reports whether nothing says the limit of a model.
func (l *limits) assumes(name string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	n, asked := l.known[name]
	return asked && n == 0
}

// learn takes over a limit. The caller holds the lock.
func (l *limits) learn(name string, n int) {
	if l.known == nil {
		l.known = map[string]int{}
	}
	l.known[name] = n
}

// listed asks a server for its list of models; 0: it gives no limit of this one.
func (l *limits) listed(ctx context.Context, name string, h http.Header, path string) int {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	u := *l.upstream
	u.Path = strings.TrimSuffix(u.Path, "/") + path
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return 0
	}
	for _, k := range []string{"Authorization", "X-Api-Key", "Anthropic-Version", "Api-Key", "X-Goog-Api-Key"} {
		if v := h.Get(k); v != "" {
			req.Header.Set(k, v)
		}
	}
	resp, err := l.ask.RoundTrip(req)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return 0
	}
	list, err := remote.ReadModels(io.LimitReader(resp.Body, mostRefusal))
	if err != nil {
		return 0
	}
	for _, m := range list {
		if m.ID == name && m.Window >= leastLimit && m.Window <= mostLimit {
			return m.Window
		}
	}
	return 0
}

// The numbers that may be a model limit.
const (
	leastLimit = 1000
	mostLimit  = 100_000_000
)

// tooLong finds the limit in a refusal: "211530 tokens > 200000 maximum", "maximum context
// length is 131,072 tokens", "maximum number of tokens allowed (1048576)", "n_ctx":4096.
var tooLong = regexp.MustCompile(`(?i)(?:tokens ?> ?|maximum[^0-9"]{0,50}|"n_ctx": ?)([0-9][0-9,]{2,10})`)

// heard takes over the limit that a refusal gives for the model that was asked for; 0: it gives none.
func (l *limits) heard(resp *http.Response, name string) int {
	said, err := io.ReadAll(io.LimitReader(resp.Body, mostRefusal))
	if err != nil {
		return 0
	}
	resp.Body = readCloser{io.MultiReader(bytes.NewReader(said), resp.Body), resp.Body}
	plain, err := decoded(said, resp.Header.Get("Content-Encoding"))
	m := tooLong.FindSubmatch(plain)
	if err != nil || m == nil {
		return 0
	}
	n, err := strconv.Atoi(strings.ReplaceAll(string(m[1]), ",", ""))
	if err != nil || n < leastLimit || n > mostLimit {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if before, asked := l.known[name]; asked && before != n {
		l.log.Warn("the server says the model limit", "model", name, "tokens", n)
		l.learn(name, n)
	}
	return n
}
