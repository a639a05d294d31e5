package live

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/textproto"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"palimpsest/internal/until"
	"palimpsest/model/store"
)

// The gateway is a proxy like any other: what clients and servers do to each other reaches
// the other side. Each test runs without a policy and with one.

// eachDoor runs a test with a gateway of both kinds before a server; h2: it speaks HTTP/2.
func eachDoor(t *testing.T, h2 bool, upstream http.HandlerFunc, test func(t *testing.T, address string, mode Mode)) {
	t.Helper()
	for _, mode := range []Mode{Watch, LedgerMode} {
		t.Run(string(mode), func(t *testing.T) {
			up := httptest.NewUnstartedServer(upstream)
			up.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
			transport := newTransport()
			if h2 {
				up.EnableHTTP2 = true
				up.StartTLS()
				pool := x509.NewCertPool()
				pool.AddCert(up.Certificate())
				transport.TLSClientConfig = &tls.Config{RootCAs: pool}
			} else {
				up.Start()
			}
			defer up.Close()
			defer transport.CloseIdleConnections()
			u, err := url.Parse(up.URL)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			st, err := store.Open(filepath.Join(dir, "live.db"))
			if err != nil {
				t.Fatal(err)
			}
			defer st.Close()
			log := slog.New(slog.DiscardHandler)
			c := &Compactor{Mode: mode, Policy: mode.Policy(smallPolicy()), Store: st, Open: openSource, Dir: dir, Now: time.Now, Log: log}
			g := httptest.NewUnstartedServer(NewGateway(u, &Recorder{Dir: dir, Now: time.Now, Store: st, Patience: time.Minute}, c, transport, log))
			g.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
			g.Start()
			defer g.Close()
			test(t, g.URL, mode)
		})
	}
}

// rawly writes a request's head to a gateway by hand.
func rawly(t *testing.T, address, head string) (net.Conn, *bufio.Reader) {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	if _, err := io.WriteString(c, strings.ReplaceAll(head, "\n", "\r\n")); err != nil {
		t.Fatal(err)
	}
	return c, bufio.NewReader(c)
}

const littleBody = `{"model":"m","tools":[{"name":"x"}],"messages":[{"role":"user","content":"x"}],"input":"x"}`

// A server that refuses while the agent still sends is heard, however much is still to
// come, and the agent's next call is answered.
func TestProxyRefusalDuringUpload(t *testing.T) {
	for _, h2 := range []bool{false, true} {
		t.Run(fmt.Sprint("h2 ", h2), func(t *testing.T) {
			eachDoor(t, h2, func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Small") == "" {
					w.Header().Set("Connection", "close")
					w.WriteHeader(http.StatusRequestEntityTooLarge)
					_, _ = io.WriteString(w, `{"error":"too large"}`)
					return
				}
				_, _ = io.Copy(io.Discard, r.Body)
				plainAnswer(w, r)
			}, func(t *testing.T, address string, mode Mode) {
				sizes := []int{100 << 10, 1 << 20, 12 << 20}
				if mode == Watch {
					sizes = append(sizes, mostBody+1<<20)
				}
				for _, size := range sizes {
					for _, coding := range []string{fmt.Sprintf("Content-Length: %d", size), "Transfer-Encoding: chunked"} {
						c, in := rawly(t, address, "POST /v1/messages HTTP/1.1\nHost: localhost\nContent-Type: application/json\n"+coding+"\n\n")
						go func() {
							piece := bytes.Repeat([]byte("x"), 64<<10)
							for sent := 0; sent < size; {
								n := min(len(piece), size-sent)
								if strings.HasPrefix(coding, "T") {
									fmt.Fprintf(c, "%x\r\n%s\r\n", n, piece[:n])
								} else if _, err := c.Write(piece[:n]); err != nil {
									return
								}
								sent += n
							}
							if strings.HasPrefix(coding, "T") {
								_, _ = io.WriteString(c, "0\r\n\r\n")
							}
						}()
						resp, err := http.ReadResponse(in, nil)
						if err != nil {
							t.Fatalf("%d bytes, %s: %v", size, coding, err)
						}
						text, err := io.ReadAll(resp.Body)
						if err != nil || resp.StatusCode != http.StatusRequestEntityTooLarge || string(text) != `{"error":"too large"}` {
							t.Errorf("%d bytes, %s: %v %d %q", size, coding, err, resp.StatusCode, text)
						}
						c.Close()
						req, _ := http.NewRequest(http.MethodPost, address+"/v1/messages", strings.NewReader(littleBody))
						req.Header.Set("Content-Type", "application/json")
						req.Header.Set("Small", "1")
						if resp, err := http.DefaultClient.Do(req); err != nil || resp.StatusCode != http.StatusOK {
							t.Errorf("the next call: %v", err)
						} else {
							resp.Body.Close()
						}
					}
				}
			})
		})
	}
}

// An agent that asks first whether it may send is answered by the server: a refusal
// comes without the body, and otherwise all of it arrives.
func TestProxyExpectContinue(t *testing.T) {
	var got atomic.Int64
	eachDoor(t, false, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Refuse") != "" {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, "no")
			w.(http.Flusher).Flush() // so that its length is not known
			_, _ = io.WriteString(w, "!")
			return
		}
		n, _ := io.Copy(io.Discard, r.Body)
		got.Store(n)
		plainAnswer(w, r)
	}, func(t *testing.T, address string, mode Mode) {
		head := fmt.Sprintf("POST /v1/messages HTTP/1.1\nHost: localhost\nContent-Type: application/json\nExpect: 100-continue\nContent-Length: %d\n", len(littleBody))
		c, in := rawly(t, address, head+"\n")
		resp, err := http.ReadResponse(in, nil)
		if err != nil || resp.StatusCode != http.StatusContinue {
			t.Fatal(err, resp)
		}
		_, _ = io.WriteString(c, littleBody)
		if resp, err = http.ReadResponse(in, nil); err != nil || resp.StatusCode != http.StatusOK || got.Load() != int64(len(littleBody)) {
			t.Fatal(err, resp, got.Load())
		}
		c, in = rawly(t, address, head+"Refuse: 1\n\n")
		if mode != Watch { // the body is asked for before the server is
			if resp, err = http.ReadResponse(in, nil); err != nil || resp.StatusCode != http.StatusContinue {
				t.Fatal(err, resp)
			}
			_, _ = io.WriteString(c, littleBody)
		}
		if resp, err = http.ReadResponse(in, nil); err != nil || resp.StatusCode != http.StatusUnauthorized || resp.Close != (mode == Watch) {
			t.Fatal(err, resp)
		}
		if text, err := io.ReadAll(resp.Body); err != nil || string(text) != "no!" {
			t.Errorf("%v %q", err, text)
		}
		c.Close()
	})
}

// An agent that goes away, in the middle of its request or of the answer, is gone for the
// server, too.
func TestProxyClientsThatLeave(t *testing.T) {
	var began, over atomic.Int64
	eachDoor(t, false, func(w http.ResponseWriter, r *http.Request) {
		began.Add(1)
		defer over.Add(1)
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return // it never ended
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for {
			if _, err := io.WriteString(w, ": ping\n\n"); err != nil || r.Context().Err() != nil {
				return
			}
			w.(http.Flusher).Flush()
			select {
			case <-r.Context().Done():
				return
			case <-time.After(time.Millisecond):
			}
		}
	}, func(t *testing.T, address string, mode Mode) {
		began.Store(0)
		over.Store(0)
		for _, sent := range []string{littleBody, littleBody[:10], ""} {
			c, in := rawly(t, address, fmt.Sprintf("POST /v1/messages HTTP/1.1\nHost: localhost\nContent-Type: application/json\nContent-Length: %d\n\n", len(littleBody)))
			_, _ = io.WriteString(c, sent)
			if sent == littleBody {
				if resp, err := http.ReadResponse(in, nil); err != nil || resp.StatusCode != http.StatusOK {
					t.Fatal(err, resp)
				}
			}
			c.Close()
		}
		until.True(t, "a call reached the server", func() bool { return began.Load() > 0 })
		until.True(t, "the server answers no agent that is gone", func() bool { return over.Load() == began.Load() })
	})
}

// A request that can't be read is refused, and not answered as if it were empty.
func TestProxyBrokenRequests(t *testing.T) {
	var reached atomic.Int64
	eachDoor(t, false, func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			panic(http.ErrAbortHandler)
		}
		reached.Add(1)
		plainAnswer(w, r)
	}, func(t *testing.T, address string, _ Mode) {
		reached.Store(0)
		for _, body := range []string{"zz\r\n{}\r\n", "5\r\n{}", "2\r\n{}\r\nx\r\n"} {
			c, in := rawly(t, address, "POST /v1/messages HTTP/1.1\nHost: localhost\nContent-Type: application/json\nTransfer-Encoding: chunked\n\n")
			_, _ = io.WriteString(c, body)
			_ = c.(*net.TCPConn).CloseWrite()
			if resp, err := http.ReadResponse(in, nil); err == nil && resp.StatusCode != http.StatusBadRequest {
				t.Errorf("%q was answered with %v, %v", body, resp, err)
			}
		}
		if reached.Load() > 0 {
			t.Error("half a request reached the server as a whole one")
		}
	})
}

// Trailers and early hints of an answer pass.
func TestProxyTrailersAndHints(t *testing.T) {
	for _, h2 := range []bool{false, true} {
		t.Run(fmt.Sprint("h2 ", h2), func(t *testing.T) {
			eachDoor(t, h2, func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				w.Header().Set("Link", "</x>; rel=preload")
				w.WriteHeader(http.StatusEarlyHints)
				w.Header().Set("Trailer", "Announced")
				w.Header().Set("Content-Type", "text/event-stream")
				for range 3 {
					_, _ = io.WriteString(w, "data: {}\n\n")
					w.(http.Flusher).Flush()
				}
				w.Header().Set("Announced", "a")
				w.Header().Set(http.TrailerPrefix+"Unannounced", "b")
			}, func(t *testing.T, address string, _ Mode) {
				hints := 0
				ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
					Got1xxResponse: func(code int, _ textproto.MIMEHeader) error { hints += code; return nil }})
				req, _ := http.NewRequestWithContext(ctx, http.MethodPost, address+"/v1/messages", strings.NewReader(littleBody))
				req.Header.Set("Content-Type", "application/json")
				resp, err := http.DefaultClient.Do(req)
				if err != nil {
					t.Fatal(err)
				}
				defer resp.Body.Close()
				text, err := io.ReadAll(resp.Body)
				trailers := resp.Trailer.Get("Announced") + resp.Trailer.Get("Unannounced")
				if err != nil || len(text) != 30 || trailers != "ab" || hints != http.StatusEarlyHints {
					t.Errorf("%v, %q, trailers %v, hints %d", err, text, resp.Trailer, hints)
				}
			})
		})
	}
}

// An answer that breaks off breaks off for the agent, and does not end.
func TestProxyAnswersThatBreakOff(t *testing.T) {
	for _, h2 := range []bool{false, true} {
		for _, head := range []string{"Content-Length", ""} {
			t.Run(fmt.Sprint("h2 ", h2, head), func(t *testing.T) {
				eachDoor(t, h2, func(w http.ResponseWriter, r *http.Request) {
					_, _ = io.Copy(io.Discard, r.Body)
					if head != "" {
						w.Header().Set(head, "1000")
					}
					_, _ = io.WriteString(w, "data: {}\n\n")
					w.(http.Flusher).Flush()
					panic(http.ErrAbortHandler)
				}, func(t *testing.T, address string, _ Mode) {
					resp, err := http.Post(address+"/v1/messages", "application/json", strings.NewReader(littleBody))
					if err != nil {
						t.Fatal(err)
					}
					defer resp.Body.Close()
					if text, err := io.ReadAll(resp.Body); err == nil || string(text) != "data: {}\n\n" {
						t.Errorf("%v %q", err, text)
					}
				})
			})
		}
	}
}

// Paths and queries pass as they are spelled, also where they are not well spelled.
func TestProxyAddresses(t *testing.T) {
	var got atomic.Value
	eachDoor(t, false, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		got.Store(r.RequestURI)
		plainAnswer(w, r)
	}, func(t *testing.T, address string, _ Mode) {
		for _, want := range []string{"/v1/messages?beta=true", "/v1/messages?a=1;b=2", "/v1/messages?x=%zz&y", "/v1/messages?",
			"/v1/models/a%2Fb", "//v1//messages", "/v1/../v1/messages", "/v1/messages?q=a+b%20c", "/v1/m%C3%A9/messages"} {
			_, in := rawly(t, address, fmt.Sprintf("POST %s HTTP/1.1\nHost: localhost\nContent-Type: application/json\nContent-Length: 2\n\n{}", want))
			if _, err := http.ReadResponse(in, nil); err != nil || got.Load() != want {
				t.Errorf("%s came as %s, %v", want, got.Load(), err)
			}
		}
	})
}

// Calls that follow each other on one connection, some of them before the answer to the
// one before, are answered in their order.
func TestProxyOneConnection(t *testing.T) {
	eachDoor(t, false, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("N")[0]%2 == 0 { // else it is not read
			_, _ = io.Copy(io.Discard, r.Body)
		}
		w.Header().Set("N", r.Header.Get("N"))
		plainAnswer(w, r)
	}, func(t *testing.T, address string, _ Mode) {
		c, in := rawly(t, address, "")
		const calls = 200
		go func() {
			for i := range calls {
				path := []string{"/v1/messages", "/v1/responses", "/v1/models", "/v1/messages/count_tokens"}[i%4]
				if i%3 == 0 {
					fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nN: %d\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n",
						path, i, len(littleBody), littleBody)
				} else {
					fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nN: %d\r\nContent-Length: %d\r\n\r\n%s", path, i, len(littleBody), littleBody)
				}
			}
		}()
		for i := range calls {
			resp, err := http.ReadResponse(in, nil)
			if err != nil {
				t.Fatalf("call %d: %v", i, err)
			}
			if text, err := io.ReadAll(resp.Body); err != nil || resp.Header.Get("N") != fmt.Sprint(i) || len(text) == 0 {
				t.Fatalf("call %d: %v, %q is answered with %s", i, err, resp.Header.Get("N"), text)
			}
		}
	})
}

// A connection that changes its protocol passes in both directions.
func TestProxyUpgrade(t *testing.T) {
	eachDoor(t, false, func(w http.ResponseWriter, r *http.Request) {
		c, rw, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer c.Close()
		_, _ = io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
		_, _ = io.CopyN(c, rw, 5)
	}, func(t *testing.T, address string, _ Mode) {
		c, in := rawly(t, address, "GET /v1/responses HTTP/1.1\nHost: localhost\nConnection: Upgrade\nUpgrade: websocket\n\n")
		resp, err := http.ReadResponse(in, nil)
		if err != nil || resp.StatusCode != http.StatusSwitchingProtocols {
			t.Fatal(err, resp)
		}
		_, _ = io.WriteString(c, "hello")
		if text, err := io.ReadAll(in); err != nil || string(text) != "hello" {
			t.Errorf("%v %q", err, text)
		}
	})
}

// A hundred agents at once, each with another habit, before servers that have theirs: each
// gets its own answer, and nothing of them is left.
func TestProxyManyHabits(t *testing.T) {
	agents := 100
	if testing.Short() { // each habit several times
		agents = 40
	}
	for _, h2 := range []bool{false, true} {
		t.Run(fmt.Sprint("h2 ", h2), func(t *testing.T) {
			eachDoor(t, h2, func(w http.ResponseWriter, r *http.Request) {
				n := r.Header.Get("N")
				w.Header().Set("N", n)
				switch n[len(n)-1] {
				case '0': // before reading
				case '1':
					_, _ = io.CopyN(io.Discard, r.Body, 1000)
				case '2':
					w.WriteHeader(http.StatusRequestEntityTooLarge)
				case '3':
					panic(http.ErrAbortHandler)
				default:
					_, _ = io.Copy(io.Discard, r.Body)
				}
				w.Header().Set("Content-Type", "text/event-stream")
				for i := range 20 {
					if _, err := fmt.Fprintf(w, "data: {\"n\":%q,\"i\":%d}\n\n", n, i); err != nil {
						return
					}
					w.(http.Flusher).Flush()
				}
			}, func(t *testing.T, address string, _ Mode) {
				transport := &http.Transport{MaxIdleConnsPerHost: 100}
				defer transport.CloseIdleConnections()
				client := &http.Client{Transport: transport}
				var wg sync.WaitGroup
				for i := range agents {
					wg.Go(func() { habit(t, client, address, i) })
				}
				wg.Wait()
			})
		})
	}
}

// habit is what one agent of a hundred does.
func habit(t *testing.T, client *http.Client, address string, i int) {
	r := rand.New(rand.NewPCG(uint64(i), 7))
	body := []byte(`{"model":"m","tools":[{"name":"x"}],"messages":[`)
	for k := range 4 {
		n := fmt.Sprintf("%d-%d-%d", i, k, r.IntN(10))
		if k > 0 {
			body = append(body, ',')
		}
		size := r.IntN(5_000)
		if r.IntN(6) == 0 {
			size = 150_000 // more than net/http reads by itself when it is not read
		}
		body = fmt.Appendf(body, `{"role":"user","content":"%s %s"}`, n, strings.Repeat("x ", size))
		ctx, cancel := context.WithCancel(t.Context())
		var from io.Reader = bytes.NewReader(append(body[:len(body):len(body)], "]}"...))
		if r.IntN(2) == 0 {
			from = io.MultiReader(from) // without a length
		}
		path := apiPaths[r.IntN(len(apiPaths))]
		req, _ := http.NewRequestWithContext(ctx, http.MethodPost, address+path, from)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("N", n)
		leaves := r.IntN(5) == 0
		if leaves {
			time.AfterFunc(time.Duration(r.IntN(20))*time.Millisecond, cancel)
		}
		resp, err := client.Do(req)
		switch {
		case err != nil && leaves && errors.Is(err, context.Canceled):
		case err != nil:
			t.Errorf("%s: %v", n, err)
		default:
			text, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if strings.HasSuffix(n, "3") {
				if resp.StatusCode != http.StatusBadGateway {
					t.Errorf("%s: %s", n, resp.Status)
				}
			} else if !leaves && (err != nil || resp.Header.Get("N") != n || bytes.Count(text, []byte(`"n":"`+n+`"`)) != 20) {
				t.Errorf("%s: %v, the answer of %s with %d bytes: %.300s", n, err, resp.Header.Get("N"), len(text), text)
			}
		}
		cancel()
	}
}

// readTwice is a server whose connection is gone when the request was written to it: the
// transport asks for the body once more.
type readTwice struct {
	*testing.T
	http.RoundTripper
	first bool
}

func (t *readTwice) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil || r.GetBody == nil {
		t.Error("a request can't be sent again", err)
		return nil, err
	}
	if r.Body, err = r.GetBody(); err != nil {
		return nil, err
	}
	again, err := io.ReadAll(r.Body)
	if err != nil || !bytes.Equal(body, again) || r.ContentLength != int64(len(again)) {
		t.Errorf("%d bytes are sent, and %d the second time, %v", len(body), len(again), err)
	}
	w := httptest.NewRecorder()
	if t.first = !t.first; t.first && len(again) < 100_000 {
		w.WriteHeader(http.StatusBadRequest) // the original is sent instead
	}
	plainAnswer(w, r)
	resp := w.Result()
	resp.Request = r
	return resp, nil
}

// What is sent with a policy can be sent again where a server let go of the connection.
func TestProxySendsAgain(t *testing.T) {
	dir := t.TempDir()
	st, err := store.Open(filepath.Join(dir, "live.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	log := slog.New(slog.DiscardHandler)
	c := &Compactor{Mode: LedgerMode, Policy: LedgerMode.Policy(smallPolicy()), Store: st, Open: openSource, Dir: dir, Now: time.Now, Log: log}
	x := &url.URL{Scheme: "http", Host: "x"}
	g := httptest.NewServer(NewGateway(x, &Recorder{Dir: dir, Now: time.Now, Store: st, Patience: time.Minute}, c, &readTwice{T: t}, log))
	defer g.Close()
	line := `{"role":"user","content":"` + strings.Repeat("a line of text\\n", 70) + `"},`
	postTo(t, g.URL, bodyOf(200_000, line))
	if list, err := st.Records(t.Context(), store.Filter{}); err != nil || len(list) != 1 {
		t.Error("nothing was compacted", len(list), err)
	}
}
