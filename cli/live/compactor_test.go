package live

import (
	"bytes"
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
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/store"
)

// openSource opens requests as the verb does.
var openSource = Opening(session.Options{Verb: true})

// rig is a gateway with a policy before a server that keeps what it is sent.
type rig struct {
	*testing.T
	dir    string
	mode   Mode
	policy model.Policy
	answer func(w http.ResponseWriter, r *http.Request, body []byte)
	open   Opener
	now    func() time.Time
	log    *slog.Logger

	address string
	st      *store.Store
	close   func()
	up      *httptest.Server
	mu      sync.Mutex
	sent    [][]byte // the bodies that arrived
}

// smallPolicy fires at 9,000 tokens and keeps the newest 2,500.
func smallPolicy() model.Policy {
	p := compaction.BasePolicy()
	p.Window, p.Reserve = 16_000, 1000
	p.Triggers = []model.Clause{compaction.TriggerAt(9000, model.Tokens)}
	p.Tail, p.Budget = model.Amount{N: 2500, Unit: model.Tokens}, model.Amount{N: 1200, Unit: model.Tokens}
	return p
}

func newRig(t *testing.T, mode Mode, p model.Policy) *rig {
	r := &rig{T: t, dir: t.TempDir(), mode: mode, policy: mode.Policy(p), open: openSource, now: time.Now, log: slog.New(slog.DiscardHandler)}
	r.up = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		r.mu.Lock()
		r.sent = append(r.sent, body)
		answer := r.answer
		r.mu.Unlock()
		if answer != nil {
			answer(w, q, body)
			return
		}
		plainAnswer(w, q)
	}))
	t.Cleanup(r.up.Close)
	r.start()
	t.Cleanup(func() { r.close() })
	return r
}

// start starts the gateway, as after a restart on the same database.
func (r *rig) start() {
	r.Helper()
	if r.close != nil {
		r.close()
	}
	u, err := url.Parse(r.up.URL)
	if err != nil {
		r.Fatal(err)
	}
	if r.st, err = store.Open(filepath.Join(r.dir, "live.db")); err != nil {
		r.Fatal(err)
	}
	before, err := r.st.Overlaid(r.Context())
	if err != nil {
		r.Fatal(err)
	}
	c := &Compactor{Mode: r.mode, Overlaid: before > 0, Policy: r.policy, Store: r.st, Open: r.open, Dir: filepath.Join(r.dir, "requests"), Now: r.now, Log: r.log}
	g := httptest.NewServer(NewGateway(u, &Recorder{Dir: r.dir, Now: r.now, Store: r.st, Patience: time.Minute}, c, nil, r.log))
	r.address = g.URL
	r.close = func() { g.Close(); r.st.Close() }
}

// post sends a body and returns what the server got.
func (r *rig) post(path string, body []byte) []byte {
	r.Helper()
	req, _ := http.NewRequest(http.MethodPost, r.address+path, bytes.NewReader(body))
	req.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer key"}}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		r.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		r.Fatal(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sent[len(r.sent)-1]
}

func (r *rig) records() []model.Record {
	r.Helper()
	list, err := r.st.Records(context.Background(), store.Filter{})
	if err != nil {
		r.Fatal(err)
	}
	return list
}

func plainAnswer(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	switch {
	case strings.HasSuffix(strings.ToLower(r.URL.Path), "tokens"):
		io.WriteString(w, `{"input_tokens":1}`)
	case strings.HasSuffix(r.URL.Path, "enerateContent"):
		io.WriteString(w, `{"candidates":[{"content":{"role":"model","parts":[{"text":"ok"}]},"finishReason":"STOP"}],"modelVersion":"gemini-2.5-pro"}`)
	case strings.HasSuffix(r.URL.Path, "/messages"):
		io.WriteString(w, `{"id":"m","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"text","text":"ok"}]}`)
	case strings.HasSuffix(r.URL.Path, "/completions"):
		io.WriteString(w, `{"id":"c","model":"gpt-5","choices":[{"message":{"role":"assistant","content":"ok"}}]}`)
	default:
		io.WriteString(w, `{"id":"","model":"gpt-5","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ok"}]}]}`)
	}
}

// drawn is a conversation that is drawn: what an agent sends grows by a turn at a
// time, spelled by a client that has its own habits.
type drawn struct {
	r     *rand.Rand
	path  string
	list  []map[string]any
	n     int
	think bool // thoughts with signatures
	marks bool // of the cache, on the system prompt and the newest two messages
}

func drawConversation(seed uint64, path string) *drawn {
	r := rand.New(rand.NewPCG(seed, 19))
	d := &drawn{r: r, path: path, think: r.IntN(2) == 0, marks: r.IntN(2) == 0}
	d.ask()
	return d
}

func (d *drawn) text(words int) string {
	var b strings.Builder
	for range words {
		fmt.Fprintf(&b, "%s ", []string{"the", "file", "src/main.go", "returns", "<b>", "état", "\"quoted\"", "0x7f3a", "error", "測試"}[d.r.IntN(10)])
	}
	fmt.Fprintf(&b, "%d", d.n)
	return b.String()
}

// ask adds what a person says.
func (d *drawn) ask() {
	d.n++
	m := map[string]any{"role": "user", "content": fmt.Sprintf("Task %d: %s", d.n, d.text(10+d.r.IntN(60)))}
	if d.path == "/v1/messages" && d.r.IntN(2) == 0 {
		m["content"] = []any{map[string]any{"type": "text", "text": m["content"]}}
	}
	if d.path == geminiPath {
		m = map[string]any{"role": "user", "parts": []any{map[string]any{"text": m["content"]}}}
	}
	d.list = append(d.list, m)
}

// turn adds what the model said and what answers it.
func (d *drawn) turn() {
	calls := d.r.IntN(4)
	var ids []string
	for range calls {
		d.n++
		ids = append(ids, fmt.Sprintf("call_%d", d.n))
	}
	d.n++
	switch d.path {
	case "/v1/messages":
		d.anthropicTurn(ids)
	case "/v1/chat/completions":
		d.chatTurn(ids)
	case geminiPath:
		d.geminiTurn(ids)
	default:
		d.responsesTurn(ids)
	}
	if calls == 0 {
		d.ask()
	}
}

func (d *drawn) anthropicTurn(ids []string) {
	var said, results []any
	if d.think {
		said = append(said, map[string]any{"type": "thinking", "thinking": d.text(20), "signature": fmt.Sprintf("sig%d==", d.n)})
	}
	said = append(said, map[string]any{"type": "text", "text": d.text(10)})
	if d.r.IntN(5) == 0 {
		said = append(said, map[string]any{"type": "server_tool_use", "id": fmt.Sprintf("srv_%d", d.n), "name": "web_search", "input": map[string]any{"query": "x"}},
			map[string]any{"type": "web_search_tool_result", "tool_use_id": fmt.Sprintf("srv_%d", d.n), "content": []any{}})
	}
	for _, id := range ids {
		said = append(said, map[string]any{"type": "tool_use", "id": id, "name": "read", "input": map[string]any{"path": "src/main.go"}})
		results = append(results, map[string]any{"type": "tool_result", "tool_use_id": id, "content": d.text(d.r.IntN(400))})
	}
	d.list = append(d.list, map[string]any{"role": "assistant", "content": said})
	if len(results) > 0 {
		d.list = append(d.list, map[string]any{"role": "user", "content": results})
	}
}

func (d *drawn) chatTurn(ids []string) {
	m := map[string]any{"role": "assistant", "content": d.text(10)}
	var calls []any
	var results []map[string]any
	for _, id := range ids {
		calls = append(calls, map[string]any{"id": id, "type": "function", "function": map[string]any{"name": "read", "arguments": `{"path":"a"}`}})
		results = append(results, map[string]any{"role": "tool", "tool_call_id": id, "content": d.text(d.r.IntN(400))})
	}
	if calls != nil {
		m["tool_calls"] = calls
	}
	d.list = append(append(d.list, m), results...)
}

func (d *drawn) responsesTurn(ids []string) {
	if d.think {
		d.list = append(d.list, map[string]any{"type": "reasoning", "id": fmt.Sprintf("rs_%d", d.n), "summary": []any{}, "encrypted_content": d.text(5)})
	}
	d.list = append(d.list, map[string]any{"type": "message", "role": "assistant", "content": []any{map[string]any{"type": "output_text", "text": d.text(10)}}})
	if d.n%5 == 0 { // a server's tool that a person allows
		id := fmt.Sprintf("mcpr_%d", d.n)
		d.list = append(d.list, map[string]any{"type": "mcp_approval_request", "id": id, "server_label": "s", "name": "deploy", "arguments": "{}"},
			map[string]any{"type": "mcp_approval_response", "approval_request_id": id, "approve": true},
			map[string]any{"type": "mcp_call", "id": "c" + id, "server_label": "s", "name": "deploy", "arguments": "{}", "output": d.text(40)})
	}
	for _, id := range ids {
		d.list = append(d.list, map[string]any{"type": "function_call", "call_id": id, "name": "read", "arguments": `{"path":"a"}`})
	}
	for _, id := range ids {
		d.list = append(d.list, map[string]any{"type": "function_call_output", "call_id": id, "output": d.text(d.r.IntN(400))})
	}
}

// geminiTurn has calls without ids: results follow in their order.
func (d *drawn) geminiTurn(ids []string) {
	said := []any{map[string]any{"text": d.text(10)}}
	var results []any
	for i := range ids {
		name := []string{"read", "list", "run"}[d.r.IntN(3)]
		call := map[string]any{"functionCall": map[string]any{"name": name, "args": map[string]any{"path": "a"}}}
		if i == 0 && d.think {
			call["thoughtSignature"] = fmt.Sprintf("signature%d", d.n)
		}
		said = append(said, call)
		results = append(results, map[string]any{"functionResponse": map[string]any{"name": name, "response": map[string]any{"output": d.text(d.r.IntN(400))}}})
	}
	d.list = append(d.list, map[string]any{"role": "model", "parts": said})
	if results != nil {
		d.list = append(d.list, map[string]any{"role": "user", "parts": results})
	}
}

// body spells the request.
func (d *drawn) body() []byte {
	field := "messages"
	switch d.path {
	case "/v1/responses":
		field = "input"
	case geminiPath:
		field = "contents"
	}
	list := make([]map[string]any, len(d.list))
	for i, m := range d.list {
		list[i] = m
		if blocks, ok := m["content"].([]any); ok && d.marks && d.path == "/v1/messages" && i >= len(d.list)-2 {
			copied := append([]any{}, blocks...)
			last := map[string]any{"cache_control": map[string]any{"type": "ephemeral"}}
			for k, v := range blocks[len(blocks)-1].(map[string]any) {
				last[k] = v
			}
			copied[len(copied)-1] = last
			list[i] = map[string]any{"role": m["role"], "content": copied}
		}
	}
	name := "claude-sonnet-4-5"
	if field == "input" || strings.HasSuffix(d.path, "completions") {
		name = "gpt-5"
	}
	out := map[string]any{"model": name, field: list, "stream": false, "tools": []any{map[string]any{"name": "read", "description": "Reads a file"}}}
	if d.path == "/v1/messages" {
		out["max_tokens"] = 100
		out["system"] = []any{map[string]any{"type": "text", "text": "You are an agent.", "cache_control": map[string]any{"type": "ephemeral"}}}
	}
	if d.path == geminiPath {
		out = map[string]any{field: list, "tools": out["tools"], "systemInstruction": map[string]any{"parts": []any{map[string]any{"text": "You are an agent."}}}}
	}
	b, _ := json.MarshalIndent(out, "", " ")
	return b
}

// elements are the messages of a body, as they are spelled and as they are meant.
func elements(t *testing.T, body []byte) (raw []string, meant []string, values []map[string]any) {
	t.Helper()
	var x struct{ Messages, Input, Contents []json.RawMessage }
	if err := json.Unmarshal(body, &x); err != nil {
		t.Fatalf("%v: %.300s", err, body)
	}
	for _, m := range slices.Concat(x.Messages, x.Input, x.Contents) {
		c, err := spelled(m)
		if err != nil {
			t.Fatal(err)
		}
		var v map[string]any
		if err := json.Unmarshal(m, &v); err != nil {
			t.Fatal(err)
		}
		raw, meant, values = append(raw, string(m)), append(meant, string(c)), append(values, v)
	}
	return raw, meant, values
}

// beside is what a request holds beside its messages: tools, system prompt, parameters.
func beside(t *testing.T, body []byte) string {
	t.Helper()
	var x map[string]json.RawMessage
	if err := json.Unmarshal(body, &x); err != nil {
		t.Fatal(err)
	}
	delete(x, "messages")
	delete(x, "input")
	delete(x, "contents")
	b, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// provider refuses what the real servers refuse: the same rules, stated anew.
func provider(values []map[string]any) error {
	open, said := map[string]int{}, map[string]int{}
	marks := 0
	var called []string // by the content of Gemini's before
	for i, m := range values {
		var calls, answers []string
		parts, _ := m["parts"].([]any)
		for _, p := range parts {
			p := p.(map[string]any)
			if c, ok := p["functionCall"].(map[string]any); ok {
				calls = append(calls, c["name"].(string))
			}
			if r, ok := p["functionResponse"].(map[string]any); ok {
				answers = append(answers, r["name"].(string))
			}
		}
		if !slices.Equal(called, answers) || i == 0 && m["role"] == "model" {
			return fmt.Errorf("content %d answers %q, and %q were called", i, answers, called)
		}
		called = calls
		if m["type"] == "reasoning" && (i+1 == len(values) || values[i+1]["role"] != "assistant" && values[i+1]["type"] != "function_call") {
			return fmt.Errorf("reasoning %v without what follows it", m["id"])
		}
		if m["type"] == "mcp_approval_request" {
			open[m["id"].(string)] = i
		}
		if id, _ := m["approval_request_id"].(string); id != "" && m["type"] == "mcp_approval_response" {
			said[id] = i
		}
		if id, _ := m["call_id"].(string); id != "" && m["type"] == "function_call" {
			open[id] = i
		} else if id != "" {
			said[id] = i
		}
		if id, _ := m["tool_call_id"].(string); id != "" {
			said[id] = i
		}
		toolCalls, _ := m["tool_calls"].([]any)
		for _, c := range toolCalls {
			open[c.(map[string]any)["id"].(string)] = i
		}
		blocks, _ := m["content"].([]any)
		for _, b := range blocks {
			b := b.(map[string]any)
			switch b["type"] {
			case "tool_use", "server_tool_use":
				open[b["id"].(string)] = i
			case "tool_result", "web_search_tool_result":
				said[b["tool_use_id"].(string)] = i
			}
			if b["cache_control"] != nil {
				marks++
			}
		}
	}
	for id, at := range open {
		if to, ok := said[id]; !ok || to < at {
			return fmt.Errorf("call %s is not answered", id)
		}
	}
	for id := range said {
		if _, ok := open[id]; !ok {
			return fmt.Errorf("result %s has no call", id)
		}
	}
	if marks > 3 { // and one on the system prompt
		return fmt.Errorf("%d marks", marks+1)
	}
	return nil
}

var apiPaths = []string{"/v1/messages", "/v1/chat/completions", "/v1/responses"}

const geminiPath = "/v1beta/models/gemini-2.5-pro:generateContent"

// What is sent of drawn conversations: the request itself while nothing is compacted;
// then what was sent before and what came since, for ever, also after a restart;
// always what a server takes, with the newest turn in its own bytes, within the window.
func TestPolicyOnDrawnConversations(t *testing.T) {
	seeds := uint64(2)
	for i, mode := range []Mode{ClearMode, LedgerMode} {
		paths := slices.Concat(apiPaths, []string{geminiPath})
		if testing.Short() { // what runs at the same time is the same in each
			paths, seeds = apiPaths[i:i+1], 1
		}
		for _, path := range paths {
			for seed := range seeds {
				t.Run(fmt.Sprintf("%s %s %d", mode, strings.ReplaceAll(path[4:], "/", " "), seed), func(t *testing.T) {
					p := smallPolicy()
					if mode == ClearMode {
						p.Clear = model.Clearing{On: true, Keep: 1}
					}
					r := newRig(t, mode, p)
					d := drawConversation(seed, path)
					fired := follow(r, d, 45)
					if mode == LedgerMode && fired < 2 || fired == 0 {
						t.Errorf("%d firings", fired)
					}
				})
			}
		}
	}
}

// follow lets a conversation grow through a gateway and checks every request.
func follow(r *rig, d *drawn, turns int) (fired int) {
	r.Helper()
	var last []string // what was sent for the last request, as it is meant
	var known int     // messages of the last request
	changed := false  // something was compacted already
	for k := range turns {
		body := d.body()
		got := r.post(d.path, body)
		wasRaw, wasMeant, _ := elements(r.T, body)
		raw, meant, values := elements(r.T, got)
		if err := provider(values); err != nil {
			r.Fatalf("call %d: %v", k, err)
		}
		if raw[len(raw)-1] != wasRaw[len(wasRaw)-1] {
			r.Fatalf("call %d: the newest message changed", k)
		}
		if beside(r.T, body) != beside(r.T, got) {
			r.Fatalf("call %d: what is beside the messages changed", k)
		}
		want := append(append([]string{}, last...), wasMeant[known:]...)
		if strings.Join(meant, "\n") != strings.Join(want, "\n") {
			fired++
			changed = true
		} else if !changed && !bytes.Equal(got, body) {
			r.Fatalf("call %d: the bytes changed, though nothing was compacted", k)
		}
		there := map[string]bool{}
		for _, e := range wasRaw {
			there[e] = true
		}
		for i, e := range raw {
			if !there[e] && strings.Contains(e, "ignature") && (values[i]["content"] != nil || values[i]["parts"] != nil) {
				r.Fatalf("call %d: a message with thoughts changed: %.200s", k, e)
			}
			if !there[e] && strings.Contains(e, "cache_control") {
				r.Fatalf("call %d: what was changed holds a mark", k)
			}
		}
		if k%11 == 10 {
			r.start()
		}
		if again := r.post(d.path, body); !bytes.Equal(again, got) {
			r.Fatalf("call %d is sent otherwise the second time", k)
		}
		counting, ofGemini := strings.CutSuffix(d.path, ":generateContent")
		counted := r.post(counting+map[bool]string{true: ":countTokens", false: "/count_tokens"}[ofGemini], body)
		if !bytes.Equal(counted, got) {
			r.Fatalf("call %d: what is counted is not what is sent", k)
		}
		if n := len(got); r.mode != ClearMode && n > 90_000 {
			r.Fatalf("call %d: %d bytes are sent", k, n)
		}
		last, known = meant, len(wasMeant)
		d.turn()
	}
	applied := 0
	for _, rec := range r.records() {
		if rec.Outcome == model.Applied {
			applied++
		} else {
			r.Logf("%s: %s", rec.Outcome, rec.Reason)
		}
	}
	if applied != fired {
		r.Errorf("%d records of %d firings", applied, fired)
	}
	return fired
}

// The records are those of any compaction: built on each other, restorable, with the
// request as its original. Restoring one sends the messages themselves again.
func TestPolicyRecords(t *testing.T) {
	r := newRig(t, LedgerMode, smallPolicy())
	d := drawConversation(3, "/v1/messages")
	var last []byte
	var originals [][]byte // what was to be sent when it fired
	for len(r.records()) < 2 {
		last = d.body()
		n := len(r.records())
		r.post(d.path, last)
		if len(r.records()) > n {
			originals = append(originals, last)
		}
		d.turn()
	}
	list := r.records()
	newest, first := list[0], list[1]
	full, err := r.st.Record(t.Context(), newest.ID)
	if err != nil {
		t.Fatal(err)
	}
	if full.Base != first.ID || len(full.Parents) != 1 || full.Parents[0] != first.ID || full.Cause != model.CauseAutomatic {
		t.Errorf("base %q, parents %v, cause %s; the first is %s", full.Base, full.Parents, full.Cause, first.ID)
	}
	var back bytes.Buffer
	if err := r.st.WriteSource(t.Context(), first.ID, &back); err != nil || !bytes.Equal(back.Bytes(), originals[0]) {
		t.Errorf("%v: the original of %s is not the request", err, first.ID)
	}
	if _, err := os.Stat(full.Path); err != nil {
		t.Error(err)
	}
	live, err := r.st.Live(t.Context(), time.Time{})
	if err != nil || len(live) != 1 {
		t.Fatal(live, err)
	}
	if s := live[0]; s.Record != newest.ID || s.Trigger != 9000 || s.Used == 0 || !strings.HasPrefix(s.Title, "Task 1") {
		t.Errorf("%+v", s)
	}
	if err := r.st.SetLive(t.Context(), live[0].ID, false, model.RestoreNext); err != nil {
		t.Fatal(err)
	}
	body := d.body()
	if got := r.post(d.path, body); !bytes.Equal(got, body) {
		t.Error("the originals are not sent after a restore")
	}
	if s, _ := r.st.LiveSession(t.Context(), live[0].ID); !s.Paused || s.Wish != "" || len(s.Course) != 1 {
		t.Errorf("after the restore: %+v", s)
	}
	d.turn()
	if err := r.st.SetLive(t.Context(), live[0].ID, false, model.CompactNext); err != nil {
		t.Fatal(err)
	}
	body = d.body()
	if got := r.post(d.path, body); len(got) >= len(body) {
		t.Error("it is not compacted though a person wants it")
	}
}

// A gateway that only watches goes on sending what one with a policy sent before: else the
// whole history would come at once, beyond the window and without the cache. Other sessions
// pass as they are, nothing new is compacted, and the originals can be had back.
func TestPolicyThenWatching(t *testing.T) {
	r := newRig(t, LedgerMode, smallPolicy())
	d := drawConversation(3, "/v1/messages")
	var body, sent []byte
	for len(r.records()) == 0 {
		body = d.body()
		sent = r.post(d.path, body)
		d.turn()
	}
	r.mode = Watch
	r.start()
	if again := r.post(d.path, body); !bytes.Equal(again, sent) {
		t.Error("the same request is sent otherwise")
	}
	_, before, _ := elements(t, sent)
	_, known, _ := elements(t, body)
	for range 25 {
		d.turn()
		body = d.body()
		_, is, _ := elements(t, r.post(d.path, body))
		_, all, _ := elements(t, body)
		if want := append(slices.Clone(before), all[len(known):]...); strings.Join(is, "\n") != strings.Join(want, "\n") {
			t.Fatal("what was sent before is not sent so")
		}
	}
	if len(r.records()) != 1 {
		t.Error("watching, something was compacted")
	}
	other := drawConversation(9, "/v1/messages")
	if got := r.post(other.path, other.body()); !bytes.Equal(got, other.body()) {
		t.Error("another session was changed")
	}
	list, err := r.st.Live(t.Context(), time.Time{})
	if err != nil || len(list) == 0 {
		t.Fatal(list, err)
	}
	for _, s := range list {
		if s.Record != "" && s.Restorable() {
			if err := r.st.SetLive(t.Context(), s.ID, false, model.RestoreNext); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := r.post(d.path, body); !bytes.Equal(got, body) {
		// the same request is not written down again, but the wish is of its session
		t.Error("the originals are not sent after a restore")
	}
}

// The client's own compaction sees everything; a request that goes on at the server,
// one that the server compacts, and one that can't be read go as they are, and a record says
// why where the trigger had fired.
func TestPolicyStaysOutOfTheWay(t *testing.T) {
	r := newRig(t, LedgerMode, smallPolicy())
	d := drawConversation(4, "/v1/messages")
	for len(r.records()) == 0 {
		r.post(d.path, d.body())
		d.turn()
	}
	d.list = append(d.list, map[string]any{"role": "user", "content": "Your task is to create a detailed summary of the conversation so far, paying …"})
	body := d.body()
	if got := r.post(d.path, body); !bytes.Equal(got, body) {
		t.Error("the client's compaction does not see everything")
	}
	for name, change := range map[string]func(map[string]any){
		"server holds":    func(m map[string]any) { m["previous_response_id"] = "resp_1" },
		"server compacts": func(m map[string]any) { m["context_management"] = []any{map[string]any{"type": "compaction"}} },
		"server clears": func(m map[string]any) {
			m["context_management"] = map[string]any{"edits": []any{map[string]any{"type": "clear_thinking_20251015", "keep": "all"},
				map[string]any{"type": "clear_tool_uses_20250919"}}}
		},
	} {
		r := newRig(t, LedgerMode, smallPolicy())
		d := drawConversation(5, "/v1/responses")
		for range 30 {
			d.turn()
		}
		var m map[string]any
		if err := json.Unmarshal(d.body(), &m); err != nil {
			t.Fatal(err)
		}
		change(m)
		body, _ := json.Marshal(m)
		for range 3 {
			if got := r.post(d.path, body); !bytes.Equal(got, body) {
				t.Errorf("%s: it was changed", name)
			}
		}
		list := r.records()
		if len(list) != 1 || list[0].Outcome != model.Refused || list[0].Reason == "" {
			t.Errorf("%s: records %+v", name, list)
		}
	}
	for _, bad := range []string{`{"messages":[{"role":"user","content":"x"}],"messages":[]}`, `{"messages":[1,2]}`, `{"messages":{}}`, `[]`, `{"messages":[{"role":"user"`} {
		if got := r.post("/v1/messages", []byte(bad)); string(got) != bad {
			t.Errorf("%s became %s", bad, got)
		}
	}
}

// That the server clears old thoughts, as Claude Code 2.1.330 has it do in every request,
// keeps nothing from being compacted.
func TestClearedThoughtsAreNoObstacle(t *testing.T) {
	r := newRig(t, LedgerMode, smallPolicy())
	d := drawConversation(7, "/v1/messages")
	for range 30 {
		d.turn()
	}
	var m map[string]any
	if err := json.Unmarshal(d.body(), &m); err != nil {
		t.Fatal(err)
	}
	m["context_management"] = map[string]any{"edits": []any{map[string]any{"type": "clear_thinking_20251015", "keep": "all"}}}
	body, _ := json.Marshal(m)
	if got := r.post(d.path, body); len(got) >= len(body) || !bytes.Contains(got, []byte(`"context_management"`)) {
		t.Errorf("%d bytes became %d", len(body), len(got))
	}
}

// What becomes of a checkpoint that only the server can read is what the policy says, as in
// files: it is sent on, or it goes, with a summary of what the request holds before it.
func TestCheckpointsInRequests(t *testing.T) {
	for set, stays := range map[model.Checkpoints]bool{model.CheckpointsStay: true, model.FromOriginals: false, model.LoseCheckpoints: false} {
		p := smallPolicy()
		p.Checkpoints = set
		r := newRig(t, LedgerMode, p)
		d := drawConversation(9, "/v1/responses")
		d.turn()
		d.list = append(d.list, map[string]any{"type": "compaction", "id": "cmp_1", "encrypted_content": "sealed-words"}, map[string]any{"role": "user", "content": "go on"})
		for range 30 {
			d.turn()
		}
		body := d.body()
		got := r.post(d.path, body)
		if len(got) >= len(body) || bytes.Contains(got, []byte("sealed-words")) != stays || len(r.records()) != 1 {
			t.Errorf("%s: %d bytes became %d, %d records", set, len(body), len(got), len(r.records()))
		}
	}
}

// What the program briefed its agent with stays: a message of the role system that follows
// the first of the user, as Claude Code 2.1.330 writes one. Later ones go with the rest.
func TestTheBriefingStays(t *testing.T) {
	r := newRig(t, LedgerMode, smallPolicy())
	d := drawConversation(8, "/v1/messages")
	d.turn()
	system := func(text string) map[string]any { return map[string]any{"role": "system", "content": text} }
	d.list = slices.Insert(d.list, 1, system("Skills: the-skill-list"))
	d.turn()
	d.list = append(d.list, d.list[0], system("the-later-reminder"))
	for range 30 {
		d.turn()
	}
	body := d.body()
	got := r.post(d.path, body)
	var sent struct {
		Messages []struct {
			Role    string
			Content any
		}
	}
	if err := json.Unmarshal(got, &sent); err != nil {
		t.Fatal(err)
	}
	var said []any
	for _, m := range sent.Messages {
		if m.Role == "system" {
			said = append(said, m.Content)
		}
	}
	if want := []any{"Skills: the-skill-list"}; len(got) >= len(body) || !slices.Equal(said, want) {
		t.Errorf("%d bytes became %d with %v", len(body), len(got), said)
	}
}

// What a server refuses of ours it gets as the agent wrote it, at once; from then on
// the originals are sent. What it refuses anyway stays refused.
func TestPolicyServerRefuses(t *testing.T) {
	r := newRig(t, LedgerMode, smallPolicy())
	d := drawConversation(6, "/v1/messages")
	var want []byte
	all := false
	r.answer = func(w http.ResponseWriter, q *http.Request, body []byte) {
		if all || !bytes.Equal(body, want) {
			w.WriteHeader(http.StatusBadRequest)
			io.WriteString(w, `{"type":"error","error":{"type":"invalid_request_error","message":"no"}}`)
			return
		}
		plainAnswer(w, q)
	}
	for range 60 {
		want = d.body()
		resp, err := http.Post(r.address+d.path, "application/json", bytes.NewReader(want))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != 200 {
			t.Fatalf("the agent is answered %d", resp.StatusCode)
		}
		if len(r.records()) > 0 {
			break
		}
		d.turn()
	}
	n := len(r.sent)
	if n < 2 || bytes.Equal(r.sent[n-2], want) || !bytes.Equal(r.sent[n-1], want) {
		t.Fatal("the original was not sent after the refusal")
	}
	all = true
	resp, err := http.Post(r.address+d.path, "application/json", bytes.NewReader(want))
	if err != nil {
		t.Fatal(err)
	}
	b, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	if resp.StatusCode != http.StatusBadRequest || !strings.Contains(string(b), "invalid_request_error") {
		t.Errorf("%d %s", resp.StatusCode, b)
	}
}

// Sub-agents whose histories begin with the same messages are compacted apart, at the same time.
func TestPolicyTellsSessionsApart(t *testing.T) {
	r := newRig(t, LedgerMode, smallPolicy())
	var wg sync.WaitGroup
	for k := range 6 {
		wg.Go(func() {
			d := drawConversation(7, "/v1/messages") // the same first message
			d.r = rand.New(rand.NewPCG(uint64(k), 1))
			for range 30 {
				d.n += 1000 * (k + 1)
				d.turn()
			}
			body := d.body()
			resp, err := http.Post(r.address+d.path, "application/json", bytes.NewReader(body))
			if err != nil {
				t.Error(err)
				return
			}
			resp.Body.Close()
		})
	}
	wg.Wait()
	seen := map[string]bool{}
	for _, b := range r.sent {
		_, _, values := elements(t, b)
		if err := provider(values); err != nil {
			t.Error(err)
		}
		seen[string(b)] = true
	}
	if len(seen) != 6 || len(r.records()) != 6 {
		t.Errorf("%d requests, %d records", len(seen), len(r.records()))
	}
}

// A key is nowhere: not in the database, the transcripts or the requests that are kept.
func TestPolicyKeepsNoCredentials(t *testing.T) {
	r := newRig(t, LedgerMode, smallPolicy())
	d := drawConversation(8, "/v1/messages")
	for len(r.records()) == 0 {
		req, _ := http.NewRequest("POST", r.address+d.path, bytes.NewReader(d.body()))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("X-Api-Key", "sk-ant-credential")
		req.Header.Set("Authorization", "Bearer sk-ant-credential")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		d.turn()
	}
	files := 0
	err := filepath.Walk(r.dir, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		if bytes.Contains(text, []byte("credential")) {
			t.Errorf("%s holds a key", path)
		}
		if info.Mode().Perm()&0o077 != 0 && !strings.Contains(path, "live.db") {
			t.Errorf("%s can be read by others", path)
		}
		return err
	})
	if err != nil || files < 4 {
		t.Error(files, err)
	}
}

// An agent that goes away is gone for the server, too; what the server says of its own
// troubles reaches the agent as it is.
func TestPolicyUpstreamTroubles(t *testing.T) {
	r := newRig(t, LedgerMode, smallPolicy())
	d := drawConversation(12, "/v1/messages")
	for len(r.records()) == 0 {
		r.post(d.path, d.body())
		d.turn()
	}
	gone := make(chan bool, 1)
	r.mu.Lock()
	r.answer = func(w http.ResponseWriter, q *http.Request, _ []byte) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "data: {}\n\n")
		w.(http.Flusher).Flush()
		<-q.Context().Done()
		gone <- true
	}
	r.mu.Unlock()
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, "POST", r.address+d.path, bytes.NewReader(d.body()))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(resp.Body, make([]byte, 10)); err != nil {
		t.Error(err)
	}
	cancel()
	resp.Body.Close()
	<-gone
	for _, status := range []int{401, 404, 429, 500, 529} {
		r.mu.Lock()
		r.answer = func(w http.ResponseWriter, _ *http.Request, _ []byte) {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(status)
			fmt.Fprintf(w, `{"type":"error","status":%d}`, status)
		}
		n := len(r.sent)
		r.mu.Unlock()
		resp, err := http.Post(r.address+d.path, "application/json", bytes.NewReader(d.body()))
		if err != nil {
			t.Fatal(err)
		}
		b, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != status || string(b) != fmt.Sprintf(`{"type":"error","status":%d}`, status) || resp.Header.Get("Retry-After") != "7" {
			t.Errorf("%d became %d %s", status, resp.StatusCode, b)
		}
		if len(r.sent) != n+1 {
			t.Errorf("%d: the server was asked %d times", status, len(r.sent)-n)
		}
	}
}
