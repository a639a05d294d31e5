package live

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"time"

	"github.com/klauspost/compress/zstd"
)

// Gateway is a reverse proxy between an agent and its model's server. It forwards
// every byte as it is, in both directions, and writes down what it saw:
//
//	agent ──request──▶ Gateway ──the same bytes──▶ upstream
//	agent ◀──the same bytes, as they come────────── upstream
//	                      └─▶ Recorder: one transcript for each conversation
//
// What can't be written down is forwarded all the same. Headers are never written
// down, so that no credential is.
type Gateway struct {
	proxy    *httputil.ReverseProxy
	recorder *Recorder
	log      *slog.Logger
}

// mostBody bounds what is kept of a request or an answer to write it down; a larger
// one is forwarded only.
const mostBody = 64 << 20

// NewGateway returns a gateway to the server at an address. The transport is
// http.DefaultTransport without compression of its own if it is nil.
func NewGateway(upstream *url.URL, r *Recorder, transport http.RoundTripper, log *slog.Logger) *Gateway {
	if transport == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.DisableCompression = true // what the agent accepts is its own affair
		transport = t
	}
	g := &Gateway{recorder: r, log: log}
	g.proxy = &httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.SetURL(upstream)
			p.Out.Host = upstream.Host
		},
		Transport: transport, FlushInterval: -1, // at once: answers are streams
		ModifyResponse: g.watch,
		ErrorHandler:   g.failed,
		ErrorLog:       slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	return g
}

// exchangeKey is where a request's context keeps what was read of it.
type exchangeKey struct{}

// ServeHTTP implements [http.Handler].
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if api := apiOf(r); api != nil && r.Header.Get("Content-Encoding") == "" && r.ContentLength <= mostBody {
		var kept bytes.Buffer
		whole, err := io.ReadAll(io.TeeReader(io.LimitReader(r.Body, mostBody+1), &kept))
		if err != nil {
			return // the agent is gone
		}
		body := r.Body
		r.Body = readCloser{io.MultiReader(bytes.NewReader(whole), body), body}
		if len(whole) <= mostBody {
			r = r.WithContext(context.WithValue(r.Context(), exchangeKey{}, &exchange{api: api, request: whole}))
		}
	}
	g.proxy.ServeHTTP(w, r)
}

type readCloser struct {
	io.Reader
	io.Closer
}

// exchange is a request and its answer.
type exchange struct {
	api     *api
	request []byte
	answer  []byte
	stream  bool
}

// watch reads an answer as it passes.
func (g *Gateway) watch(resp *http.Response) error {
	e, ok := resp.Request.Context().Value(exchangeKey{}).(*exchange)
	if !ok || resp.StatusCode != http.StatusOK {
		return nil
	}
	e.stream = isEventStream(resp.Header.Get("Content-Type"))
	encoding := resp.Header.Get("Content-Encoding")
	resp.Body = &passing{ReadCloser: resp.Body, done: func(b []byte) {
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
	return g.recorder.Record(e)
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
		p.kept.Reset()
	}
	if !p.over {
		p.kept.Write(b[:n])
	}
	if errors.Is(err, io.EOF) && p.done != nil && !p.over {
		p.done(p.kept.Bytes())
		p.done = nil
	}
	return n, err
}

// decoded is an answer without its transfer coding.
func decoded(b []byte, encoding string) ([]byte, error) {
	var r io.Reader
	switch encoding {
	case "", "identity":
		return b, nil
	case "gzip":
		z, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			return nil, err
		}
		r = z
	case "zstd":
		z, err := zstd.NewReader(bytes.NewReader(b), zstd.WithDecoderMaxMemory(mostBody))
		if err != nil {
			return nil, err
		}
		defer z.Close()
		r = z
	default:
		return nil, fmt.Errorf("the answer is coded as %q", encoding)
	}
	out, err := io.ReadAll(io.LimitReader(r, mostBody+1))
	if err == nil && len(out) > mostBody {
		err = errors.New("the answer is too large")
	}
	return out, err
}

// failed answers for an upstream that could not be asked.
func (g *Gateway) failed(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		return // the agent is gone
	}
	g.log.Error("the server could not be asked", "why", err)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadGateway)
	fmt.Fprintf(w, `{"type":"error","error":{"type":"api_error","message":%q}}`, "palimpsest: the server could not be asked: "+err.Error())
}

// ServeGateway answers agents on a listener until the context ends, and then waits
// a moment for answers that are on their way. Transcripts go into a folder.
func ServeGateway(ctx context.Context, l net.Listener, upstream *url.URL, dir string, log *slog.Logger) error {
	s := &http.Server{Handler: NewGateway(upstream, &Recorder{Dir: dir, Now: time.Now}, nil, log),
		ReadHeaderTimeout: time.Minute, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug)}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer cancel()
	if s.Shutdown(end) != nil {
		return s.Close()
	}
	return nil
}
