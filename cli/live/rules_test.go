package live

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"palimpsest/internal/until"
	"palimpsest/model"
)

// codings are the ways in which a body may be coded. Each writer is flushed after each
// piece, as a server does that streams.
var codings = map[string]func(w io.Writer) coder{
	"":     func(w io.Writer) coder { return plainCoder{w} },
	"gzip": func(w io.Writer) coder { return gzip.NewWriter(w) },
	"br":   func(w io.Writer) coder { return brotli.NewWriter(w) },
	"zstd": func(w io.Writer) coder { z, _ := zstd.NewWriter(w); return z },
}

type coder interface {
	io.WriteCloser
	Flush() error
}

type plainCoder struct{ io.Writer }

func (plainCoder) Flush() error { return nil }
func (plainCoder) Close() error { return nil }

func coded(coding string, b []byte) []byte {
	var out bytes.Buffer
	w := codings[coding](&out)
	_, _ = w.Write(b)
	_ = w.Close()
	return out.Bytes()
}

// Rule 6: streams in every coding pass byte for byte, each piece before the next is sent,
// and what they say of the usage is in the transcript. Requests in every coding are read.
func TestRuleStreams(t *testing.T) {
	for coding := range codings {
		for _, path := range apiPaths {
			t.Run(coding+" "+path[4:], func(t *testing.T) {
				answer := upstreamOf()
				var sent bytes.Buffer     // what the server wrote
				var received atomic.Int64 // how much of it the agent has
				address, dir := gatewayTo(t, func(w http.ResponseWriter, r *http.Request) {
					said := httpSaid(answer, r)
					w.Header().Set("Content-Type", "text/event-stream")
					if coding != "" {
						w.Header().Set("Content-Encoding", coding)
					}
					z := codings[coding](io.MultiWriter(w, &sent))
					for event := range bytes.SplitAfterSeq(said, []byte("\n\n")) {
						_, _ = z.Write(event)
						_ = z.Flush()
						w.(http.Flusher).Flush()
						until.True(t, "the agent has what was sent", func() bool { return received.Load() >= int64(sent.Len()) })
					}
					_ = z.Close()
				})
				field := "messages"
				if path == "/v1/responses" {
					field = "input"
				}
				body, _ := json.Marshal(map[string]any{"model": "m", field: []any{user("Read the files")}, "tools": []any{map[string]any{"name": "read"}}})
				req, _ := http.NewRequest("POST", address+path, bytes.NewReader(coded(coding, body)))
				req.Header.Set("Content-Type", "application/json")
				if coding != "" {
					req.Header.Set("Content-Encoding", coding)
				}
				req.Header.Set("Accept-Encoding", coding) // or the client decodes by itself
				resp, err := http.DefaultClient.Do(req)
				if err != nil {
					t.Fatal(err)
				}
				defer resp.Body.Close()
				var got bytes.Buffer
				buffer := make([]byte, 64<<10)
				for {
					n, err := resp.Body.Read(buffer)
					got.Write(buffer[:n])
					received.Add(int64(n))
					if err != nil && err != io.EOF {
						t.Errorf("the stream broke off: %v", err)
					}
					if err != nil {
						break
					}
				}
				if !bytes.Equal(got.Bytes(), sent.Bytes()) {
					t.Errorf("%d bytes of %d came", got.Len(), sent.Len())
				}
				files, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
				if len(files) != 1 {
					t.Fatalf("%d transcripts", len(files))
				}
				text, _ := os.ReadFile(files[0])
				for _, want := range []string{"Read the files", "I read file 1.", "f1.go", `tokens":1000`, `tokens":10`} {
					if !bytes.Contains(text, []byte(want)) {
						t.Errorf("%q is not in the transcript:\n%s", want, text)
					}
				}
			})
		}
	}
}

// httpSaid is what a server answers.
func httpSaid(h http.HandlerFunc, r *http.Request) []byte {
	w := &keptAnswer{header: http.Header{}}
	h(w, r)
	return w.Bytes()
}

type keptAnswer struct {
	bytes.Buffer
	header http.Header
}

func (w *keptAnswer) Header() http.Header { return w.header }
func (w *keptAnswer) WriteHeader(int)     {}

// Watching holds no request back: the server has its beginning before the agent has sent
// its end. An answer that comes before the end of the request reaches the agent, too.
func TestRuleWatchingHoldsNothingBack(t *testing.T) {
	began := make(chan bool)
	early := false
	address, dir := gatewayTo(t, func(w http.ResponseWriter, r *http.Request) {
		if early {
			plainAnswer(w, r)
			return
		}
		_, _ = io.ReadFull(r.Body, make([]byte, 10))
		began <- true
		_, _ = io.Copy(io.Discard, r.Body)
		plainAnswer(w, r)
	})
	body := []byte(`{"model":"m","tools":[{"name":"x"}],"messages":[{"role":"user","content":"` + strings.Repeat("x", 100_000) + `"}]}`)
	for _, early = range []bool{false, true} {
		from, to := io.Pipe()
		go func() {
			_, _ = to.Write(body[:50_000])
			if !early {
				<-began
			}
			_, _ = to.Write(body[50_000:])
			_ = to.Close()
		}()
		resp, err := http.Post(address+"/v1/messages", "application/json", from)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(resp.Body); err != nil || !strings.Contains(string(text), `"ok"`) {
			t.Errorf("%v: %s", err, text)
		}
		resp.Body.Close()
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*.jsonl")); len(files) != 1 {
		t.Errorf("%d transcripts", len(files))
	}
}

// Rule 5: marks of the prompt cache, wherever a client puts them, go with what they are on
// and stay with what stays: never more than the client's, and none on what is new.
func TestRuleMarks(t *testing.T) {
	seeds := uint64(3)
	if testing.Short() { // what runs at the same time is the same in each
		seeds = 1
	}
	for _, mode := range []Mode{ClearMode, LedgerMode} {
		for seed := range seeds {
			t.Run(fmt.Sprint(mode, seed), func(t *testing.T) {
				p := smallPolicy()
				p.Clear = model.Clearing{On: mode == ClearMode, Keep: 1}
				r := newRig(t, mode, p)
				d := drawConversation(seed+20, "/v1/messages")
				d.marks = false
				places := rand.New(rand.NewPCG(seed, 5))
				changed := 0
				for range 40 {
					body, n := marked(t, d.body(), places)
					was := marksIn(t, body)
					got := r.post(d.path, body)
					is := marksIn(t, got)
					if len(was) != n || n > mostMarks || len(is) > len(was) {
						t.Fatalf("%d marks became %d", len(was), len(is))
					}
					for place := range is {
						if was[place] == "" {
							t.Fatalf("a mark is on what the client did not mark: %.200s", place)
						}
					}
					there := wholeOf(t, got)
					for place := range was {
						if there[place] && is[place] != was[place] {
							t.Fatalf("the mark %s of a message that stayed became %q: %.200s", was[place], is[place], place)
						}
					}
					if !bytes.Equal(got, body) {
						changed++
					}
					d.turn()
				}
				if changed < 10 {
					t.Errorf("%d requests were compacted", changed)
				}
			})
		}
	}
}

// marked puts up to four marks into a request: on tools, the system prompt, blocks and
// blocks in results.
func marked(t *testing.T, body []byte, r *rand.Rand) ([]byte, int) {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(body, &m); err != nil {
		t.Fatal(err)
	}
	var places []map[string]any
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if v["type"] != nil && v["type"] != "thinking" && v["type"] != "ephemeral" {
				delete(v, "cache_control")
				places = append(places, v)
			}
			if text, ok := v["content"].(string); ok && v["type"] == "tool_result" && len(text)%2 == 0 {
				v["content"] = []any{map[string]any{"type": "text", "text": text}} // with a block of its own
			}
			walk(v["content"])
		case []any:
			for _, e := range v {
				walk(e)
			}
		}
	}
	walk(m["system"])
	for _, e := range m["messages"].([]any) {
		walk(e)
	}
	n := 0
	chosen := r.Perm(len(places))[:min(len(places), 1+r.IntN(mostMarks))]
	slices.Sort(chosen) // marks for an hour come before those for five minutes
	for i, k := range chosen {
		mark := map[string]any{"type": "ephemeral"}
		if i < len(chosen)/2 {
			mark["ttl"] = "1h"
		}
		places[k]["cache_control"] = mark
		n++
	}
	out, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return out, n
}

// marksIn are the marks of a request, by their blocks.
func marksIn(t *testing.T, body []byte) map[string]string {
	t.Helper()
	out := map[string]string{}
	eachBlock(t, body, func(block map[string]any) {
		if mark := block["cache_control"]; mark != nil {
			m, _ := json.Marshal(mark)
			b, _ := json.Marshal(withoutMarks(block))
			out[string(b)] = string(m)
		}
	})
	return out
}

// wholeOf are all blocks of a request.
func wholeOf(t *testing.T, body []byte) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	eachBlock(t, body, func(block map[string]any) {
		b, _ := json.Marshal(withoutMarks(block))
		out[string(b)] = true
	})
	return out
}

func eachBlock(t *testing.T, body []byte, f func(map[string]any)) {
	t.Helper()
	var m any
	if err := json.Unmarshal(body, &m); err != nil {
		t.Fatal(err)
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for key, x := range v {
				if key != "cache_control" {
					walk(x)
				}
			}
			if v["type"] != nil {
				f(v)
			}
		case []any:
			for _, e := range v {
				walk(e)
			}
		}
	}
	walk(m)
}

// Rule 9: each client's own compaction sees everything, wherever the client puts what it
// asks for; a call beside it that only speaks of summaries is compacted as before.
func TestRuleClientsOwnCompaction(t *testing.T) {
	long := strings.Repeat("Long talk about src/main.go. ", 1500)
	clients := []struct{ name, path, system, last string }{
		{"Claude Code", "/v1/messages", "", "CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.\n\nYour task is to create a detailed summary of the conversation so far, paying close attention to the user's explicit requests"},
		{"Claude Code, recent part", "/v1/messages", "", "Your task is to create a detailed summary of the RECENT portion of the conversation"},
		{"Claude Code, without the cache", "/v1/messages", "You are a helpful AI assistant tasked with summarizing conversations.", "Summarize."},
		{"Cline", "/v1/messages", "", "<explicit_instructions type=\"summarize_task\">\nThe current conversation is rapidly running out of context. Now, your urgent task is to create a comprehensive detailed summary of the conversation so far, paying close attention"},
		{"Cline CLI", "/v1/chat/completions", "Summarize the provided coding session into a concise continuation note with detailed next steps.", "<conversation>" + long},
		{"Copilot", "/v1/chat/completions", "Your task is to create a comprehensive, detailed summary of the entire conversation that captures all", "Summarize the conversation history so far"},
		{"Codex", "/v1/responses", "", "You are performing a CONTEXT CHECKPOINT COMPACTION. Create a handoff summary for another LLM that will resume the task."},
		{"opencode 1", "/v1/chat/completions", "", "Provide a detailed prompt for continuing our conversation above. Focus on information"},
		{"opencode 2", "/v1/chat/completions", "You are an anchored context summarization assistant for coding sessions.", "Go."},
		{"opencode 2, first", "/v1/messages", "", "Create a new anchored summary from the conversation history above."},
		{"opencode 2, later", "/v1/messages", "", "Update the anchored summary below using the conversation history above.\n<previous-summary>" + long},
		{"opencode 1.18, later", "/v1/chat/completions", "", "<conversation>" + long + "</conversation>\nThe <prior-summary> summarizes everything that happened before the <conversation>. Construct a new summary that combines both. The <prior-summary> is discarded after this"},
		{"Crush", "/v1/messages", "", "Provide a detailed summary of our conversation above.\n\n## Current Todo List"},
		{"pi", "/v1/chat/completions", "You are a context summarization assistant. Your task is to read a conversation", "<conversation>" + long},
		{"pi, first", "/v1/messages", "", "<conversation>\n" + long + "\n</conversation>\n\nThe messages above are a conversation to summarize. Create a structured context checkpoint summary"},
		{"pi, later", "/v1/responses", "", "<conversation>\n" + long + "\n</conversation>\n\nThe messages above are NEW conversation messages to incorporate into the existing summary"},
		{"Gemini CLI", "/v1/chat/completions", "You are a specialized system component responsible for distilling chat history into a structured XML <state_snapshot>.", "First, reason in your scratchpad."},
		{"Qwen Code", "/v1/chat/completions", "You are the component that summarizes internal chat history into a given structure.", "First, reason in your scratchpad."},
		{"Kimi CLI", "/v1/chat/completions", "", long + "\n---\n\nThe above is a list of messages in an agent conversation. You are now given a task to compact this conversation context according to specific priorities and rules."},
		{"Goose", "/v1/chat/completions", "## Task Context\n- An llm context limit was reached when a user was in a working session with an agent (you)", "Please summarize the conversation history provided in the system prompt."},
		{"OpenHands", "/v1/chat/completions", "", "You are maintaining a context-aware state summary for an interactive agent."},
		{"LangChain", "/v1/chat/completions", "", "Your sole objective in this task is to extract the highest quality/most relevant context from your conversation history below."},
		{"Anthropic's SDK", "/v1/messages", "", "You have been working on the task described above but have not yet completed it. Write a continuation summary that will allow you (or another instance of yourself) to resume"},
		{"", "/v1/chat/completions", "You are an agent. Write summaries of what you did.", "Make a summary of the conversation about the parser."},
		{"", "/v1/messages", "You are an agent.", long},
	}
	for i, c := range clients {
		t.Run(fmt.Sprint(i, " ", c.name), func(t *testing.T) {
			p := smallPolicy()
			p.Window = 200_000 // what the client asks for fits
			r := newRig(t, LedgerMode, p)
			d := drawConversation(uint64(30+i), c.path)
			for len(r.records()) == 0 {
				r.post(d.path, d.body())
				d.turn()
			}
			var m map[string]any
			if err := json.Unmarshal(d.body(), &m); err != nil {
				t.Fatal(err)
			}
			field := "messages"
			switch {
			case c.path == "/v1/responses":
				field = "input"
				m["instructions"] = c.system
			case c.path == "/v1/messages":
				m["system"] = []any{map[string]any{"type": "text", "text": "You are an agent."}, map[string]any{"type": "text", "text": c.system}}
			case c.system != "":
				m[field] = append([]any{map[string]any{"role": "system", "content": c.system}}, m[field].([]any)...)
			}
			m[field] = append(m[field].([]any), map[string]any{"role": "user", "content": c.last})
			body, err := json.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			if got := r.post(d.path, body); bytes.Equal(got, body) != (c.name != "") {
				t.Errorf("whole: %v", bytes.Equal(got, body))
			}
		})
	}
	// What a tool shows is nobody's wish.
	b, err := parseBody(chatAPI, []byte(`{"messages":[{"role":"user","content":"x"},{"role":"tool","tool_call_id":"1","content":"You are performing a CONTEXT CHECKPOINT COMPACTION."}]}`), &elementHashes{})
	if err != nil || b.compactsItself() {
		t.Error("a tool's result is taken for the client's compaction", err)
	}
}

// A message of a request that is coded is compacted like any other, and sent plain.
func TestRuleCodedRequests(t *testing.T) {
	for coding := range codings {
		r := newRig(t, LedgerMode, smallPolicy())
		var header string
		r.answer = func(w http.ResponseWriter, q *http.Request, _ []byte) {
			header = q.Header.Get("Content-Encoding")
			plainAnswer(w, q)
		}
		d := drawConversation(50, "/v1/responses")
		d.think = false
		for range 40 {
			d.turn()
		}
		body := d.body()
		req, _ := http.NewRequest("POST", r.address+d.path, bytes.NewReader(coded(coding, body)))
		req.Header.Set("Content-Type", "application/json")
		if coding != "" {
			req.Header.Set("Content-Encoding", coding)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		r.mu.Lock()
		got := r.sent[len(r.sent)-1]
		r.mu.Unlock()
		if header != "" || !json.Valid(got) || len(got) >= len(body) || len(r.records()) != 1 {
			t.Errorf("%q: %d of %d bytes, coded as %q, %d records", coding, len(got), len(body), header, len(r.records()))
		}
	}
}

// A plan leaves the newest turn alone, however large it is: no check has to refuse what it
// proposes.
func TestPlanLeavesTheNewestTurn(t *testing.T) {
	for _, path := range slices.Concat(apiPaths, []string{geminiPath}) {
		for _, mode := range []Mode{ClearMode, LedgerMode} {
			for size := range 3 {
				r := newRig(t, mode, smallPolicy())
				var log bytes.Buffer
				r.log = slog.New(slog.NewTextHandler(&log, nil))
				r.start()
				d := drawConversation(uint64(size), path)
				for range 3 + 4*size {
					d.turn()
				}
				whole := d.text(12_000)
				last := d.list[len(d.list)-1]
				switch {
				case size == 2: // alone, as after a client's own compaction
					d.list = []map[string]any{{"role": "user", "content": whole}}
					if path == geminiPath {
						d.list = []map[string]any{{"role": "user", "parts": []any{map[string]any{"text": whole}}}}
					}
				case path == geminiPath:
					last["parts"] = append(last["parts"].([]any), map[string]any{"text": whole})
				case last["output"] != nil:
					last["output"] = whole
				case path == "/v1/messages":
					if blocks, ok := last["content"].([]any); ok {
						last["content"] = append(blocks, map[string]any{"type": "text", "text": whole})
						break
					}
					last["content"] = whole
				default:
					last["content"] = whole
				}
				r.post(path, d.body())
				for _, rec := range r.records() {
					if strings.Contains(rec.Reason, "not what the server accepts") {
						t.Errorf("%s %s %d: %s", path, mode, size, rec.Reason)
					}
				}
				if strings.Contains(log.String(), "not what the server accepts") {
					t.Errorf("%s %s %d: %s", path, mode, size, log.String())
				}
			}
		}
	}
}
