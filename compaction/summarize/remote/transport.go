package remote

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// exchange is what the transport saw of one attempt: what the client library
// does not hand on.
type exchange struct {
	status int
	after  time.Duration
	plain  bool  // the answer is one JSON value although a stream was asked for
	read   int64 // bytes of the body
	done   bool  // the stream said that it is complete
}

type exchangeKey struct{}

// transport watches the answers, bounds them, and keeps the key from being
// sent anywhere but to the endpoint: it follows no redirect.
type transport struct {
	client *http.Client
	now    func() time.Time
}

// maxAnswer bounds the body of an answer in bytes: a thousand times what a
// summary needs, streamed as one event a token.
const maxAnswer = 32 << 20

func (t *transport) Do(req *http.Request) (*http.Response, error) {
	res, err := t.client.Do(req)
	if err != nil {
		return nil, err
	}
	seen, _ := req.Context().Value(exchangeKey{}).(*exchange)
	if seen == nil {
		seen = &exchange{}
	}
	seen.status, seen.after = res.StatusCode, retryAfter(res.Header, t.now())
	res.Body = &countedBody{ReadCloser: res.Body, seen: seen}
	if res.StatusCode >= 300 && res.StatusCode < 400 {
		res.Body.Close()
		return nil, &Failure{Kind: NoModel, Status: res.StatusCode, Said: "it sends to another address, which is not followed"}
	}
	if res.StatusCode != http.StatusOK {
		return res, nil
	}
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	switch stream := req.Header.Get("Accept") == "text/event-stream"; {
	case kind == "text/event-stream":
	case holdsJSON(res):
		if stream { // whatever the server calls it
			return asStream(res, seen)
		}
	case kind == "text/html":
		res.Body.Close()
		return nil, &Failure{Kind: Garbled, Status: res.StatusCode, Said: "a web page came; the address may lack /v1"}
	}
	return res, nil
}

// holdsJSON reports whether a body begins as a JSON object does.
func holdsJSON(res *http.Response) bool {
	r := bufio.NewReader(res.Body)
	res.Body = struct {
		io.Reader
		io.Closer
	}{r, res.Body}
	for {
		switch b, err := r.ReadByte(); {
		case err != nil:
			return false
		case b > ' ':
			_ = r.UnreadByte() // the byte was just read
			return b == '{'
		}
	}
}

// asStream hands an answer in one piece, which servers without streaming send,
// to the library as a stream of one event.
func asStream(res *http.Response, seen *exchange) (*http.Response, error) {
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	seen.plain, seen.done = true, true
	var event bytes.Buffer
	event.WriteString("data: ")
	for _, line := range bytes.Split(body, []byte("\n")) { // an event is one line
		event.Write(bytes.TrimRight(line, "\r"))
	}
	event.WriteString("\n\ndata: [DONE]\n\n")
	res.Body = io.NopCloser(&event)
	return res, nil
}

// countedBody ends an answer that does not end itself.
type countedBody struct {
	io.ReadCloser
	seen *exchange
}

func (b *countedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.seen.read += int64(n)
	if bytes.Contains(p[:n], []byte("[DONE]")) {
		b.seen.done = true
	}
	if b.seen.read > maxAnswer {
		return n, &Failure{Kind: TooLong, Status: b.seen.status}
	}
	return n, err
}

// retryAfter reads the header in both of its forms (RFC 9110, 10.2.3).
func retryAfter(h http.Header, now time.Time) time.Duration {
	v := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseInt(v, 10, 32); err == nil {
		return max(0, time.Duration(s)*time.Second)
	}
	if at, err := http.ParseTime(v); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}

func watch(ctx context.Context) (context.Context, *exchange) {
	seen := &exchange{}
	return context.WithValue(ctx, exchangeKey{}, seen), seen
}
