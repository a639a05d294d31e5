package remote

import (
	"context"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/sashabaranov/go-openai"
	"github.com/sony/gobreaker/v2"
	"golang.org/x/time/rate"
)

// Client asks one endpoint. It may be used by any number of goroutines; they
// share the limit of calls a minute and the breaker.
type Client struct {
	end     Endpoint
	http    *http.Client
	limit   *rate.Limiter
	mu      sync.Mutex // guards the two below
	breaker *gobreaker.CircuitBreaker[*Answer]
	last    *Failure // of the server, since the breaker was made
	wait    func(ctx context.Context, d time.Duration) error
	now     func() time.Time
}

// The breaker opens after failuresInARow calls that failed, with all attempts, by fault
// of the server; then one call passes every restAfter. One question makes up to three
// calls at a time, too few to open it.
const (
	failuresInARow = 4
	restAfter      = time.Minute
)

// New makes a client. Nothing is sent. It fails on an endpoint that can't be
// asked, never because of a missing key: that is reported when a call is made.
func New(end Endpoint) (*Client, error) {
	if err := end.check(); err != nil {
		return nil, &Failure{Kind: Misconfigured, Said: err.Error(), Err: err}
	}
	end = end.withDefaults()
	c := &Client{end: end, now: time.Now, wait: sleep, http: &http.Client{
		// The timeout is the context's: http.Client's own would also bound the
		// reading of a stream that still flows.
		Transport:     http.DefaultTransport.(*http.Transport).Clone(),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	c.limit = rate.NewLimiter(rate.Every(time.Minute/time.Duration(end.Minute)), end.Minute)
	c.Forgive()
	return c, nil
}

// Forgive forgets former failures, so that the next call is made at once: a person asks
// again.
func (c *Client) Forgive() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = nil
	c.breaker = gobreaker.NewCircuitBreaker[*Answer](gobreaker.Settings{
		Name:        c.end.Host(),
		Timeout:     restAfter,
		ReadyToTrip: func(n gobreaker.Counts) bool { return n.ConsecutiveFailures >= failuresInARow },
		// What the caller did wrong says nothing about the server.
		IsExcluded: func(err error) bool {
			f, failed := err.(*Failure)
			return failed && !f.again()
		},
	})
}

// guarded makes a call unless the breaker is open; then the failure keeps the one that
// opened it.
func (c *Client) guarded(call func() (*Answer, error)) (*Answer, error) {
	c.mu.Lock()
	breaker := c.breaker
	c.mu.Unlock()
	a, err := breaker.Execute(call)
	if err == nil {
		return a, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if f, ok := err.(*Failure); ok {
		if f.again() {
			c.last = f
		}
		return nil, f
	}
	f := &Failure{Kind: Paused, Tries: 1, Err: err}
	if c.last != nil {
		f.Err = c.last
	}
	return nil, f
}

// Endpoint is whom the client asks.
func (c *Client) Endpoint() Endpoint { return c.end }

// Close closes the idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// open makes the library's client with the key of this moment.
func (c *Client) open() (*openai.Client, error) {
	key, err := c.end.Key.lookup()
	if err != nil {
		return nil, &Failure{Kind: Misconfigured, Said: err.Error(), Err: err}
	}
	conf := openai.DefaultConfig(key)
	conf.BaseURL = c.end.BaseURL
	conf.HTTPClient = &transport{client: c.http, now: c.now}
	return openai.NewClientWithConfig(conf), nil
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-awoken(ctx):
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// Waiting between attempts: doubling from firstWait with jitter, so that many
// programs that failed together do not come back together.
const (
	firstWait = time.Second
	maxWait   = 30 * time.Second // a server that asks for more is not waited for
)

// pause is how long to wait before attempt n (2, 3, …), or false if the server
// asks for more than a person would wait.
func pause(n int, asked time.Duration) (time.Duration, bool) {
	if asked > maxWait {
		return 0, false
	}
	d := min(firstWait<<min(n-2, 10), maxWait)
	d = d/2 + rand.N(d/2+1)
	return max(d, asked), true
}
