package live

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"

	"palimpsest/compaction"
	"palimpsest/compaction/session/doors"
	"palimpsest/model"
)

// Gateway is a reverse proxy between an agent and its model's server. It forwards
// every byte as it is, in both directions, unless a policy compacts a request, and
// writes down what it saw:
//
//	agent ──request──▶ Gateway ──what Compactor decides─▶ upstream
//	agent ◀──the same bytes, as they come──────────────── upstream
//	                      └─▶ Recorder: one transcript for each conversation
//
// Without a policy a request passes while it is read, and is looked into while the
// server answers; with one it is sent when it is decided what of it is sent. What can't
// be written down is forwarded all the same. Headers are never written down, so that no
// credential is.
type Gateway struct {
	Guard Guard
	// CallsOnly refuses web sockets at an address of calls, which can't be read: an agent that
	// prefers them asks by calls then.
	CallsOnly bool

	proxy    *httputil.ReverseProxy
	recorder *Recorder
	compact  *Compactor // nil: nothing is measured
	hashes   elementHashes
	unknown  sync.Map // ways of asking that are not known and were said
	log      *slog.Logger
}

// NewGateway returns a gateway to the server at an address. Without a compactor
// nothing is measured. The transport is http.DefaultTransport without compression of
// its own if it is nil.
func NewGateway(upstream *url.URL, r *Recorder, c *Compactor, transport http.RoundTripper, log *slog.Logger) *Gateway {
	if transport == nil {
		transport = newTransport()
	}
	g := &Gateway{recorder: r, compact: c, log: log}
	if c != nil {
		c.limits = &limits{upstream: upstream, ask: transport, log: log}
	}
	g.proxy = &httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.Out.URL.RawQuery = p.In.URL.RawQuery // as it is spelled, also where it is not well spelled
			p.SetURL(upstream)
			p.Out.Host = upstream.Host
		},
		Transport: &secondTry{transport, g}, FlushInterval: -1, // at once: answers are streams
		ModifyResponse: g.watch,
		ErrorHandler:   g.failed,
		ErrorLog:       slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	return g
}

// newTransport is how a server is asked.
func newTransport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DisableCompression = true            // what the agent accepts is its own affair
	t.MaxIdleConnsPerHost = t.MaxIdleConns // all of them are to one server
	return t
}

// exchangeKey is where a request's context keeps what was read of it.
type exchangeKey struct{}

// ServeHTTP implements [http.Handler].
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// A server may answer before the last read of the request's body, which net/http closes
	// before the first byte of an answer otherwise; the proxy would then break the answer off.
	_ = http.NewResponseController(w).EnableFullDuplex() // only HTTP/1 has to be asked for it
	e := &exchange{}
	e.incoming.ReadCloser = r.Body
	e.incoming.ended.Store(r.ContentLength == 0)
	r = r.WithContext(context.WithValue(r.Context(), exchangeKey{}, e)) // net/http looks at its own request's body
	r.Body = &e.incoming
	if status, why := g.Guard.refuses(r); status != 0 {
		g.log.Warn("a request is refused", "why", why)
		e.incoming.answered(w.Header())
		refuse(w, r, status, "permission_error", why)
		return
	}
	r.URL = g.Guard.withoutToken(r.URL)
	switch a, counts := apiOf(r); {
	case g.CallsOnly && strings.HasSuffix(r.URL.Path, responsesAPI.paths[0]) && strings.EqualFold(r.Header.Get("Upgrade"), "websocket"):
		refuse(w, r, http.StatusUpgradeRequired, "invalid_request_error", "calls of a model are not read from a web socket")
		return
	case a == nil:
		g.unwatched(r)
	case r.ContentLength > mostBody, counts && g.watches(): // nothing to be seen
	case g.watches():
		g.pass(r, e, a)
	default:
		whole, over, err := readBody(r)
		if err != nil {
			g.failed(w, r, err)
			return
		}
		if over != nil { // too large to be looked into
			r.Body = over
		} else {
			g.exchange(r, e, a, counts, whole)
		}
	}
	g.proxy.ServeHTTP(w, r)
}

// incoming is the body of an agent's request. It is closed by net/http when all of the
// answer is sent: closing it waits for what the agent has still to send, and the agent
// may wait for the answer's end.
type incoming struct {
	io.ReadCloser
	ended atomic.Bool
}

// errBroken says that a request could not be read.
var errBroken = errors.New("the request broke off")

// Read implements [io.Reader].
func (b *incoming) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	switch {
	case err == nil:
	case errors.Is(err, io.EOF):
		b.ended.Store(true)
	default:
		err = fmt.Errorf("%w: %w", errBroken, err)
	}
	return n, err
}

// answered ends the connection with an answer that comes before the request's end: what
// is still to come may be read by nobody.
func (b *incoming) answered(h http.Header) {
	if !b.ended.Load() {
		h.Set("Connection", "close")
	}
}

// Close implements [io.Closer].
func (b *incoming) Close() error { return nil }

// unknownInterfaces are the ends of addresses at which models are asked in ways that are
// not looked into: Ollama's, those of older completions and of Amazon Bedrock.
var unknownInterfaces = []string{"/api/chat", "/api/generate", "/v1/completions",
	"/converse", "/converse-stream", "/invoke", "/invoke-with-response-stream"}

// unwatched says once that an interface is passed on and not looked into.
func (g *Gateway) unwatched(r *http.Request) {
	for _, end := range unknownInterfaces {
		if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, end) {
			continue
		}
		if _, said := g.unknown.LoadOrStore(end, true); !said {
			g.log.Warn("this way of asking a model is not known: calls are passed on, neither written down nor compacted", "path",
				r.URL.Path)
		}
	}
}

// watches reports whether every request is sent as it comes.
func (g *Gateway) watches() bool { return g.compact == nil || g.compact.onlyWatches() }

// pass lets a request pass while a copy of it is kept, and looks into that when all of
// it has come, beside the server's answer.
func (g *Gateway) pass(r *http.Request, e *exchange, a *api) {
	e.seen = make(chan struct{})
	ctx := context.WithoutCancel(r.Context())
	p := &passing{ReadCloser: r.Body}
	p.kept.Grow(int(max(r.ContentLength, 0)))
	p.done = func(whole []byte) {
		e.came.Store(true)
		go func() {
			defer close(e.seen)
			g.look(r.WithContext(ctx), e, a, false, whole)
		}()
	}
	r.Body = p
}

// readBody reads a body of up to mostBody; over is one that is larger.
func readBody(r *http.Request) (whole []byte, over io.ReadCloser, err error) {
	if n := r.ContentLength; n >= 0 {
		whole = make([]byte, n)
		_, err = io.ReadFull(r.Body, whole)
		return whole, nil, err
	}
	var p bytes.Buffer
	_, err = io.Copy(&p, io.LimitReader(r.Body, mostBody+1))
	if whole = p.Bytes(); err == nil && len(whole) > mostBody {
		over = readCloser{io.MultiReader(bytes.NewReader(whole), r.Body), r.Body}
	}
	return whole, over, err
}

// exchange makes of a request what is sent for it.
func (g *Gateway) exchange(r *http.Request, e *exchange, a *api, counts bool, whole []byte) {
	send := g.look(r, e, a, counts, whole)
	setBody(r, send)
	r.Header.Del("Expect") // the agent was asked for all of it
	if e.decision.by != nil {
		r.ContentLength = int64(len(send))
		r.Header.Del("Content-Encoding")
		r.Header.Del("Content-Length")
	}
}

// setBody has a request hold bytes, which the transport may send once more where the
// server has let go of the connection.
func setBody(r *http.Request, b []byte) {
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }
	r.Body, _ = r.GetBody()
}

// look finds out what a request is, notes it in its exchange and decides what is sent for
// it. Nothing that happens here may reach the agent.
func (g *Gateway) look(r *http.Request, e *exchange, a *api, counts bool, whole []byte) (send []byte) {
	defer func() {
		if p := recover(); p != nil {
			g.log.Error("a request is forwarded as it is", "why", p)
			e.body, e.decision, send = nil, decision{}, whole
		}
	}()
	e.coding = r.Header.Get("Content-Encoding")
	plain, err := decoded(whole, e.coding)
	if err != nil {
		return whole
	}
	b, err := parseBody(a, plain, &g.hashes)
	if err != nil {
		g.log.Info("a request is forwarded and not looked into", "path", r.URL.Path, "why", err)
		return whole
	}
	e.api, e.body, e.counts = a, b, counts
	b.header, b.listPath, b.model = r.Header, a.listPath(r.URL.Path), cmp.Or(b.model, modelIn(r.URL.Path))
	if g.compact == nil {
		return whole
	}
	var of model.LiveSession
	if !g.watches() { // where nothing is done nothing can be wished
		of = g.recorder.Session(r.Context(), b)
	}
	e.decision = g.compact.Decide(r.Context(), b, wishes{of.Paused, of.Wish, g.recorder.Behind()})
	send, e.decision.send = e.decision.send, nil // it is not kept until the answer
	if e.decision.granted != "" && of.ID != "" {
		g.recorder.grant(r.Context(), of, e.decision.granted)
	}
	if e.decision.by == nil {
		return whole
	}
	e.asked = whole
	return send
}

// exchange is a request and its answer.
type exchange struct {
	incoming incoming
	api      *api
	body     *body  // nil: it could not be read, or is of no protocol that is known
	asked    []byte // as it came, coded as it was, where something else is sent
	coding   string
	counts   bool // it asks for a count, not for an answer
	decision decision
	answer   []byte
	reported int // tokens of the request, as the answer says; 0: it does not
	stream   bool

	seen chan struct{} // closed when a request that passes was looked into; nil: before it was sent
	came atomic.Bool   // all of a request that passes has come
}

// secondTry sends what an agent asked when the server refuses what was made of it: the
// agent can't mend what it has not written.
type secondTry struct {
	http.RoundTripper
	g *Gateway
}

// RoundTrip implements [http.RoundTripper].
func (t *secondTry) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := t.RoundTripper.RoundTrip(r)
	e := r.Context().Value(exchangeKey{}).(*exchange)
	if err != nil || e.seen != nil || e.decision.by == nil {
		return resp, err
	}
	switch resp.StatusCode {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
	default:
		return resp, nil
	}
	said, err := io.ReadAll(io.LimitReader(resp.Body, mostRefusal))
	if err != nil {
		return nil, err
	}
	first := resp.Body
	resp.Body = readCloser{io.MultiReader(bytes.NewReader(said), first), first}
	again := r.Clone(r.Context())
	setBody(again, e.asked)
	again.ContentLength = int64(len(e.asked))
	if e.coding != "" {
		again.Header.Set("Content-Encoding", e.coding)
	}
	second, err := t.RoundTripper.RoundTrip(again)
	if err != nil || second.StatusCode >= http.StatusBadRequest {
		if err == nil {
			second.Body.Close()
		}
		return resp, nil // it is not the overlay that it refuses
	}
	first.Close()
	t.g.log.Warn("the server refused a compacted request and was sent the original", "status", resp.StatusCode)
	t.g.compact.Refused(context.WithoutCancel(r.Context()), e.decision.by)
	e.decision.by, e.decision.doubt = nil, "the server refused it: "+resp.Status
	return second, nil
}

// watch reads an answer as it passes.
func (g *Gateway) watch(resp *http.Response) error {
	e := resp.Request.Context().Value(exchangeKey{}).(*exchange)
	if resp.StatusCode != http.StatusSwitchingProtocols {
		e.incoming.answered(resp.Header)
	}
	if resp.StatusCode == http.StatusBadRequest && e.seen == nil && e.body != nil && g.compact != nil {
		if limit := g.compact.limits.heard(resp, e.body.model); limit > 0 {
			g.compact.sizes.answered(e.body.root(), e.decision.size, limit+1) // at least: the next call is compacted before it is sent
		}
	}
	if e.seen == nil && (e.body == nil || e.counts) || resp.StatusCode != http.StatusOK {
		return nil
	}
	e.stream = strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream")
	encoding := resp.Header.Get("Content-Encoding")
	resp.Body = &passing{ReadCloser: resp.Body, done: func(b []byte) {
		if e.seen != nil {
			if !e.came.Load() {
				return // the server answered before it had read all
			}
			<-e.seen
		}
		if e.body == nil {
			return // it could not be read
		}
		if err := g.note(e, b, encoding); err != nil {
			g.log.Warn("a call was forwarded and not written down", "path", resp.Request.URL.Path, "why", err)
		}
	}}
	return nil
}

// note writes a call down. It runs before the agent sees the end of the answer, so
// that its next call finds the conversation; nothing that happens here may reach
// the agent.
func (g *Gateway) note(e *exchange, b []byte, encoding string) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("a fault of the program: %v", p)
		}
	}()
	if e.answer, err = decoded(b, encoding); err != nil {
		return err
	}
	err = g.recorder.Record(e)
	if g.compact == nil {
		return err
	}
	p := &e.decision.policy
	m := doors.ModelHealth{Limit: p.Window, Assumed: g.compact.limits.assumes(e.body.model), Trigger: compaction.LowestTrigger(p)}
	if e.reported > 0 {
		m.Factor = g.compact.sizes.answered(e.body.root(), e.decision.size, e.reported).ratio()
	}
	if h := g.compact.Health; h != nil {
		h.Called(e.body.model, m, g.compact.Now())
	}
	return err
}

// passing keeps a copy of what is read through it.
type passing struct {
	io.ReadCloser
	kept bytes.Buffer
	over bool
	done func([]byte) // called once, when all was read
}

// Read implements [io.Reader].
func (p *passing) Read(b []byte) (int, error) {
	n, err := p.ReadCloser.Read(b)
	if p.kept.Len()+n > mostBody {
		p.over = true
		p.kept = bytes.Buffer{}
	}
	if !p.over {
		_, _ = p.kept.Write(b[:n]) // never fails
	}
	if errors.Is(err, io.EOF) && p.done != nil && !p.over {
		p.done(p.kept.Bytes())
		p.done, p.kept = nil, bytes.Buffer{}
	}
	return n, err
}

// failed answers for an upstream that could not be asked, and for a request that could not
// be read.
func (g *Gateway) failed(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		panic(http.ErrAbortHandler) // the agent is gone, or does as if: an empty answer would be one
	}
	status, kind, why := http.StatusBadGateway, "api_error", "the server could not be asked: "+err.Error()
	if errors.Is(err, errBroken) {
		status, kind, why = http.StatusBadRequest, "invalid_request_error", err.Error()
	} else {
		g.log.Error("the server could not be asked", "why", err)
	}
	r.Context().Value(exchangeKey{}).(*exchange).incoming.answered(w.Header())
	refuse(w, r, status, kind, why)
}

// refuse answers a request that is not passed on.
func refuse(w http.ResponseWriter, r *http.Request, status int, kind, why string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(refusal(r, kind, "palimpsest: "+why))
}

// refusal is an error as the server that was asked spells it.
func refusal(r *http.Request, kind, why string) any {
	said := map[string]any{"type": kind, "message": why}
	if a, _ := apiOf(r); a == anthropicAPI || r.Header.Get("Anthropic-Version") != "" {
		return map[string]any{"type": "error", "error": said}
	}
	if said["param"], said["code"] = nil, nil; kind == "api_error" {
		said["type"] = "server_error"
	}
	return map[string]any{"error": said}
}
