package live

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

// gatewayTo starts a gateway before an upstream and returns its address and the
// folder of its transcripts.
func gatewayTo(t *testing.T, upstream http.HandlerFunc) (address, dir string) {
	t.Helper()
	up := httptest.NewServer(upstream)
	t.Cleanup(up.Close)
	u, err := url.Parse(up.URL)
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	g := httptest.NewServer(NewGateway(u, &Recorder{Dir: dir, Now: time.Now}, nil, nil, slog.New(slog.DiscardHandler)))
	t.Cleanup(g.Close)
	return g.URL, dir
}

// Every byte passes as it is, in both directions, also in streams and coded.
func TestGatewayForwardsBytes(t *testing.T) {
	var got []byte
	var header http.Header
	answer := []byte("data: {\"type\":\"ping\"}\n\nevent: x\ndata: {\"type\":\"message_start\",\"message\":{}}\n\n")
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write(answer)
	w.Close()
	status, coding := 200, ""
	address, _ := gatewayTo(t, func(w http.ResponseWriter, r *http.Request) {
		got, _ = io.ReadAll(r.Body)
		header = r.Header.Clone()
		header.Set("path", r.URL.RequestURI())
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("X-Request-Id", "abc")
		body := answer
		if coding != "" {
			w.Header().Set("Content-Encoding", coding)
			body = z.Bytes()
		}
		w.WriteHeader(status)
		for _, b := range body {
			w.Write([]byte{b})
			w.(http.Flusher).Flush()
		}
	})
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 40 {
		body := make([]byte, r.IntN(200000))
		for k := range body {
			body[k] = byte(r.Uint32())
		}
		if i%2 == 0 {
			body = fmt.Appendf(nil, `{ "messages" : [ {"role":"user","content":"%x"} ],  "model":"m" }`, body)
		}
		path := []string{"/v1/messages?beta=true", "/v1/chat/completions", "/v1/responses", "/v1/models", "/anything/else"}[i%5]
		status = []int{200, 200, 200, 401, 529}[r.IntN(5)]
		coding = []string{"", "gzip", "br"}[r.IntN(3)]
		req, _ := http.NewRequest("POST", address+path, bytes.NewReader(body))
		req.Header.Set("Authorization", "Bearer secret")
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept-Encoding", "gzip")
		resp, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		back, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != status || resp.Header.Get("X-Request-Id") != "abc" || resp.Header.Get("Content-Encoding") != coding {
			t.Fatalf("%v %v %v", err, resp.StatusCode, resp.Header)
		}
		want := answer
		if coding != "" {
			want = z.Bytes()
		}
		if !bytes.Equal(got, body) || !bytes.Equal(back, want) {
			t.Fatalf("%s: %d of %d bytes came, %d of %d went back", path, len(got), len(body), len(back), len(want))
		}
		if header.Get("path") != path || header.Get("Authorization") != "Bearer secret" || header.Get("X-Forwarded-For") != "" {
			t.Fatalf("%v", header)
		}
	}
}

// An event is with the agent before the next one is sent.
func TestGatewayDoesNotHoldStreamsBack(t *testing.T) {
	next := make(chan bool)
	address, _ := gatewayTo(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for range 3 {
			fmt.Fprint(w, "data: {}\n\n")
			w.(http.Flusher).Flush()
			<-next
		}
	})
	resp, err := http.Post(address+"/v1/messages", "application/json", strings.NewReader(`{"messages":[]}`))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b := make([]byte, 10)
	for range 3 {
		if _, err := io.ReadFull(resp.Body, b); err != nil {
			t.Fatal(err)
		}
		next <- true
	}
}

// talk is an agent that speaks one of the protocols: it sends its whole history
// and appends what it is answered.
type talk struct {
	*testing.T
	address, path, field string
	history              []any
	tools                bool
}

func (a *talk) call(m ...any) {
	a.Helper()
	if a.field == "contents" {
		for i, e := range m {
			if text, ok := e.(map[string]any)["content"]; ok {
				m[i] = map[string]any{"role": "user", "parts": []any{map[string]any{"text": text}}}
			}
		}
	}
	a.history = append(a.history, m...)
	body := map[string]any{"model": "m", a.field: a.history, "stream": true}
	if a.tools {
		body["tools"] = []any{map[string]any{"name": "read"}}
	}
	b, _ := json.Marshal(body)
	req, _ := http.NewRequest("POST", a.address+a.path, bytes.NewReader(b))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Api-Key", "sk-secret-key")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		a.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		a.Fatal(err)
	}
}

func user(text string) map[string]any { return map[string]any{"role": "user", "content": text} }

// upstreamOf answers as the model's server does, with the usage of the n-th call.
func upstreamOf() http.HandlerFunc {
	var mu sync.Mutex
	n := 0
	return func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		n++
		k := n
		mu.Unlock()
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		send := func(format string, args ...any) { fmt.Fprintf(w, "data: "+format+"\n\n", args...) }
		switch {
		case strings.HasSuffix(r.URL.Path, "/messages"):
			send(`{"type":"message_start","message":{"id":"msg_%d","type":"message","role":"assistant","model":"claude-sonnet-4-5","content":[],"usage":{"input_tokens":%d,"output_tokens":1}}}`, k, 1000*k)
			send(`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`)
			send(`{"type":"ping"}`)
			send(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"I read "}}`)
			send(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"file %d."}}`, k)
			send(`{"type":"content_block_stop","index":0}`)
			send(`{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"toolu_%d","name":"read","input":{}}}`, k)
			send(`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"path\":"}}`)
			send(`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"\"f%d.go\"}"}}`, k)
			send(`{"type":"content_block_stop","index":1}`)
			send(`{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":%d}}`, 10*k)
			send(`{"type":"message_stop"}`)
		case strings.HasSuffix(r.URL.Path, "/completions"):
			send(`{"id":"c%d","model":"gpt-5","choices":[{"index":0,"delta":{"role":"assistant","content":"I read "}}]}`, k)
			send(`{"id":"c%d","model":"gpt-5","choices":[{"index":0,"delta":{"content":"file %d."}}]}`, k, k)
			send(`{"id":"c%d","model":"gpt-5","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_%d","type":"function","function":{"name":"read","arguments":""}}]}}]}`, k, k)
			send(`{"id":"c%d","model":"gpt-5","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"path\":\"f%d.go\"}"}}]}}]}`, k, k)
			send(`{"id":"c%d","model":"gpt-5","choices":[],"usage":{"prompt_tokens":%d,"completion_tokens":%d}}`, k, 1000*k, 10*k)
			fmt.Fprint(w, "data: [DONE]\n\n")
		case strings.HasSuffix(r.URL.Path, "enerateContent"):
			send(`{"candidates":[{"content":{"role":"model","parts":[{"text":"I think","thought":true}]}}],"modelVersion":"gemini-2.5-pro"}`)
			send(`{"candidates":[{"content":{"role":"model","parts":[{"text":"I read "}]}}],"modelVersion":"gemini-2.5-pro"}`)
			send(`{"candidates":[{"content":{"role":"model","parts":[{"text":"file %d."}]}}],"modelVersion":"gemini-2.5-pro"}`, k)
			send(`{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"read","args":{"path":"f%d.go"}},"thoughtSignature":"s%d"}]},"finishReason":"STOP"}],`+
				`"modelVersion":"gemini-2.5-pro","responseId":"g%d","usageMetadata":{"promptTokenCount":%d,"candidatesTokenCount":%d}}`, k, k, k, 1000*k, 10*k)
		default:
			send(`{"type":"response.created","response":{"id":"r%d"}}`, k)
			send(`{"type":"response.completed","response":{"id":"r%d","model":"gpt-5","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"I read file %d."}]},{"type":"function_call","call_id":"call_%d","name":"read","arguments":"{\"path\":\"f%d.go\"}"}],"usage":{"input_tokens":%d,"output_tokens":%d,"total_tokens":%d}}}`,
				k, k, k, k, 1000*k, 10*k, 1010*k)
		}
	}
}

// said is what the agent puts into its history of the n-th answer: in its own
// spelling, which is not the server's.
func (a *talk) said(k int) []any {
	switch a.path {
	case "/v1/messages":
		return []any{map[string]any{"role": "assistant", "content": []any{map[string]any{"text": fmt.Sprintf("I read file %d.", k), "type": "text"},
			map[string]any{"type": "tool_use", "name": "read", "id": fmt.Sprintf("toolu_%d", k), "input": map[string]any{"path": fmt.Sprintf("f%d.go", k)}}}},
			map[string]any{"role": "user", "content": []any{map[string]any{"type": "tool_result", "tool_use_id": fmt.Sprintf("toolu_%d", k),
				"content": "package f", "cache_control": map[string]any{"type": "ephemeral"}}}}}
	case "/v1/chat/completions":
		return []any{map[string]any{"role": "assistant", "content": fmt.Sprintf("I read file %d.", k), "tool_calls": []any{map[string]any{
			"id": fmt.Sprintf("call_%d", k), "type": "function", "function": map[string]any{"name": "read", "arguments": fmt.Sprintf(`{"path":"f%d.go"}`, k)}}}},
			map[string]any{"role": "tool", "tool_call_id": fmt.Sprintf("call_%d", k), "content": "package f"}}
	}
	if a.field == "contents" {
		return []any{map[string]any{"role": "model", "parts": []any{map[string]any{"text": fmt.Sprintf("I read file %d.", k)},
			map[string]any{"functionCall": map[string]any{"name": "read", "args": map[string]any{"path": fmt.Sprintf("f%d.go", k)}}, "thoughtSignature": fmt.Sprintf("s%d", k)}}},
			map[string]any{"role": "user", "parts": []any{map[string]any{"functionResponse": map[string]any{"name": "read", "response": map[string]any{"output": fmt.Sprintf("package f%d", k)}}}}}}
	}
	return []any{map[string]any{"type": "message", "role": "assistant", "content": []any{map[string]any{"type": "output_text", "text": fmt.Sprintf("I read file %d.", k)}}},
		map[string]any{"type": "function_call", "call_id": fmt.Sprintf("call_%d", k), "name": "read", "arguments": fmt.Sprintf(`{"path":"f%d.go"}`, k)},
		map[string]any{"type": "function_call_output", "call_id": fmt.Sprintf("call_%d", k), "output": "package f"}}
}

// unmark takes the marks of the cache away, as clients move them to the newest
// block.
func (a *talk) unmark() {
	for _, m := range a.history {
		if list, ok := m.(map[string]any)["content"].([]any); ok {
			for _, b := range list {
				delete(b.(map[string]any), "cache_control")
			}
		}
	}
}

// A session of several calls becomes one transcript that opens with the reported
// usage of each call; what the agent asks beside it does not get into it.
func TestGatewayWritesSessionsDown(t *testing.T) {
	for _, api := range []struct {
		path, field string
		format      model.Format
	}{{"/v1/messages", "messages", model.FormatClaudeCode}, {"/v1/chat/completions", "messages", model.FormatOpenAI},
		{"/v1/responses", "input", model.FormatCodex},
		{"/v1beta/models/gemini-2.5-pro:streamGenerateContent", "contents", model.FormatGeminiCLI}} {
		t.Run(strings.Trim(strings.ReplaceAll(api.path, "/", "-"), "-"), func(t *testing.T) {
			address, dir := gatewayTo(t, upstreamOf())
			main := &talk{T: t, address: address, path: api.path, field: api.field, tools: true}
			main.call(user("Read the files"))
			side := &talk{T: t, address: address, path: api.path, field: api.field}
			side.call(user("Is this a new topic?"))
			for k := range 4 {
				n := k + 1
				if k > 0 {
					n++ // the second call was the side call
				}
				main.unmark()
				main.call(main.said(n)...)
			}
			main.history = main.history[:len(main.history):len(main.history)]
			main.call() // the same request again
			whole := main.history
			n := len(whole) - len(main.said(1))
			main.history = whole[:n:n] // and an earlier one
			main.call()
			main.history = whole
			files, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
			if len(files) != 1 {
				t.Fatalf("%d transcripts: %v", len(files), files)
			}
			f, err := session.Open(context.Background(), files[0], session.Options{}, transcript.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if f.Doc.Format != api.format || len(f.Doc.Damaged()) > 0 {
				t.Errorf("%s, %v", f.Doc.Format, f.Doc.Damaged())
			}
			s, err := f.Session(context.Background(), session.Ref{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			th := s.Thread()
			calls, results, usage := 0, 0, []int{}
			for _, i := range th.History {
				m := &th.Messages[i]
				calls += len(m.Calls)
				if m.Kind == model.KindResult {
					results++
				}
				if m.Usage != nil {
					usage = append(usage, int(m.Usage.Input))
				}
			}
			if calls != 5 || results != 4 || fmt.Sprint(usage) != "[1000 3000 4000 5000 6000]" {
				text, _ := os.ReadFile(files[0])
				t.Errorf("%d calls, %d results, usage %v\n%s", calls, results, usage, text)
			}
			text, _ := os.ReadFile(files[0])
			if bytes.Contains(text, []byte("sk-secret")) {
				t.Error("a credential was written down")
			}
			if st, _ := os.Stat(files[0]); st.Mode().Perm() != 0o600 {
				t.Errorf("mode %v", st.Mode())
			}
		})
	}
}

// What ends early, says nonsense or fails is forwarded and not written down.
func TestGatewayMisbehavingUpstreams(t *testing.T) {
	for name, answer := range map[string]string{
		"cut":     "data: {\"type\":\"message_start\",\"message\":{\"role\":\"assistant\"}}\n\n",
		"garbage": "data: {{{{\n\n",
		"html":    "<html>", "empty": "", "deltas first": "data: {\"type\":\"content_block_delta\",\"index\":7,\"delta\":{\"type\":\"text_delta\",\"text\":\"x\"}}\n\n",
		"message delta first": "data: {\"type\":\"message_delta\",\"delta\":{\"x\":1}}\n\n",
	} {
		t.Run(name, func(t *testing.T) {
			address, dir := gatewayTo(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				io.WriteString(w, answer)
			})
			for _, path := range []string{"/v1/messages", "/v1/chat/completions", "/v1/responses"} {
				for _, body := range []string{`{"messages":[{"role":"user","content":"x"}],"input":"x","tools":[1]}`, "{", `{"messages":5,"input":5}`, ""} {
					resp, err := http.Post(address+path, "application/json", strings.NewReader(body))
					if err != nil {
						t.Fatal(err)
					}
					b, err := io.ReadAll(resp.Body)
					resp.Body.Close()
					if err != nil || string(b) != answer {
						t.Errorf("%s: %v %q", path, err, b)
					}
				}
			}
			if files, _ := filepath.Glob(filepath.Join(dir, "*")); len(files) > 0 {
				t.Errorf("%v", files)
			}
		})
	}
	down, _ := url.Parse("http://127.0.0.1:1")
	g := httptest.NewServer(NewGateway(down, &Recorder{Dir: t.TempDir(), Now: time.Now}, nil, nil, slog.New(slog.DiscardHandler)))
	defer g.Close()
	for path, want := range map[string]string{
		"/v1/messages":         `{"error":{"message":"palimpsest: the server could not be asked: …","type":"api_error"},"type":"error"}`,
		"/v1/chat/completions": `{"error":{"code":null,"message":"palimpsest: the server could not be asked: …","param":null,"type":"server_error"}}`,
		"/v1/responses":        `{"error":{"code":null,"message":"palimpsest: the server could not be asked: …","param":null,"type":"server_error"}}`,
		"/x":                   `{"error":{"code":null,"message":"palimpsest: the server could not be asked: …","param":null,"type":"server_error"}}`,
	} {
		resp, err := http.Post(g.URL+path, "application/json", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		b, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		begins, ends, _ := strings.Cut(want, "…")
		got := strings.TrimSpace(string(b))
		if resp.StatusCode != http.StatusBadGateway || !strings.HasPrefix(got, begins) || !strings.HasSuffix(got, ends) {
			t.Errorf("%s: %d %s", path, resp.StatusCode, b)
		}
	}
}

// A session that its client compacts by itself goes on in one transcript, which shows the
// compaction, whether the client keeps messages or not and asks in the session or beside it.
func TestGatewayGoesOnAfterTheClientsOwnCompaction(t *testing.T) {
	for _, api := range []struct{ path, field string }{{"/v1/messages", "messages"}, {"/v1/chat/completions", "messages"}, {"/v1/responses", "input"},
		{"/v1beta/models/gemini-2.5-pro:streamGenerateContent", "contents"}} {
		for _, keeps := range []int{0, 4} {
			t.Run(fmt.Sprintf("%s keeps %d", strings.ReplaceAll(api.path, "/", "-"), keeps), func(t *testing.T) {
				st, err := store.Open(filepath.Join(t.TempDir(), "live.db"))
				if err != nil {
					t.Fatal(err)
				}
				defer st.Close()
				up := httptest.NewServer(upstreamOf())
				defer up.Close()
				u, _ := url.Parse(up.URL)
				dir := t.TempDir()
				g := httptest.NewServer(NewGateway(u, &Recorder{Dir: dir, Now: time.Now, Store: st, Patience: time.Minute}, nil, nil, slog.New(slog.DiscardHandler)))
				defer g.Close()
				a := &talk{T: t, address: g.URL, path: api.path, field: api.field, tools: true}
				a.call(user("Read the files"))
				for k := range 4 {
					a.call(a.said(k + 1)...)
				}
				whole := append([]any{}, a.history...)
				whole = append(whole, a.said(5)...)
				if keeps == 0 { // in the session
					a.history = append([]any{}, whole...)
				} else {
					a.history = nil
				}
				a.call(user("Your task is to create a detailed summary of the conversation so far"))
				a.history = []any{}
				kept := whole[len(whole)-keeps*len(a.said(5))/2:] // of these the server has not seen the last two
				a.call(append([]any{user("<state_snapshot>\nI read file 6.\n</state_snapshot>")}, kept...)...)
				a.call(a.said(7)...)
				files, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
				live, err := st.Live(t.Context(), time.Time{})
				if err != nil || len(files) != 1 || len(live) != 1 || live[0].Calls != 7 {
					t.Fatalf("%d transcripts, %+v, %v", len(files), live, err)
				}
				f, err := session.Open(t.Context(), files[0], session.Options{}, transcript.Options{})
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				s, err := f.Session(t.Context(), session.Ref{}, nil)
				if err != nil {
					t.Fatal(err)
				}
				calls, results := 0, 0
				for _, i := range s.Thread().History {
					m := &s.Thread().Messages[i]
					calls += len(m.Calls)
					if m.Kind == model.KindResult {
						results++
					}
				}
				text, _ := os.ReadFile(files[0])
				if found := len(s.Found()); api.path != "/v1/chat/completions" && found != 1 || calls != 7 || results != 6 || len(f.Doc.Damaged()) > 0 {
					t.Errorf("%d compactions, %d calls, %d results, %v\n%s", found, calls, results, f.Doc.Damaged(), text)
				}
				if bytes.Contains(text, []byte("Your task is to create")) {
					t.Error("what the client asked for is in the transcript")
				}
			})
		}
	}
}

// A hundred sessions at once keep apart.
func TestGatewayManySessions(t *testing.T) {
	address, dir := gatewayTo(t, upstreamOf())
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			a := &talk{T: t, address: address, path: "/v1/messages", field: "messages", tools: true}
			a.call(user(fmt.Sprintf("session %d", i)))
			for k := range 3 {
				a.call(map[string]any{"role": "assistant", "content": fmt.Sprintf("answer %d", k)}, user(fmt.Sprintf("session %d, message %d", i, k)))
			}
		})
	}
	wg.Wait()
	files, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if len(files) != 100 {
		t.Fatalf("%d transcripts", len(files))
	}
	for _, f := range files {
		text, _ := os.ReadFile(f)
		lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
		if len(lines) != 8 {
			t.Errorf("%s has %d lines", f, len(lines))
		}
		which := ""
		for _, l := range lines {
			if i := bytes.Index(l, []byte("session ")); i >= 0 {
				w := strings.FieldsFunc(string(l[i+8:i+12]), func(r rune) bool { return r < '0' || r > '9' })[0]
				if which == "" {
					which = w
				} else if which != w {
					t.Errorf("%s mixes %s and %s", f, which, w)
				}
			}
		}
	}
}

// A session is called by what a person said first, whatever the program put before it.
func TestGatewayTitles(t *testing.T) {
	for want, content := range map[string]any{
		"plain":       "plain\n",
		"in a block":  []any{map[string]any{"type": "text", "text": "in  a block"}},
		"behind tags": []any{map[string]any{"type": "text", "text": "<system-reminder>x"}, map[string]any{"type": "text", "text": "behind tags"}},
		"":            []any{map[string]any{"type": "text", "text": "<environment>"}, map[string]any{"type": "image"}},
	} {
		raw, err := json.Marshal(map[string]any{"messages": []any{map[string]any{"role": "system", "content": "no"}, map[string]any{"role": "user", "content": content}}})
		if err != nil {
			t.Fatal(err)
		}
		b, err := cut(anthropicAPI, raw)
		if err != nil {
			t.Fatal(err)
		}
		if got := b.title(); got != want {
			t.Errorf("%q is called %q", want, got)
		}
	}
}
