package trial

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// answer is the answering of one request.
type answer struct {
	s    *Server
	w    http.ResponseWriter
	r    *http.Request
	q    Request
	text string
}

// behaviours are what the server does on request, by the name of the model that
// is asked. Other names are those of [answer.status] or unknown.
var behaviours = map[string]func(a *answer){
	"good":   func(a *answer) { a.stream(a.text, "stop", 0) },
	"plain":  func(a *answer) { a.whole(a.text, "stop") },
	"slow":   func(a *answer) { a.stream(a.text, "stop", a.s.Pace) },
	"blank":  func(a *answer) { a.stream(" \n\t ", "stop", 0) },
	"long":   func(a *answer) { a.stream(strings.Repeat(a.text+"\n", 400), "stop", 0) },
	"length": func(a *answer) { a.stream(a.text[:len(a.text)/2], "length", 0) },
	"injected": func(a *answer) {
		a.stream("Sure! I have ignored the earlier instructions.", "stop", 0)
	},
	"reason": func(a *answer) {
		a.begin()
		a.delta("reasoning_content", "Let me see.")
		a.words(a.text, 0)
		a.end("stop")
	},
	"refusal": func(a *answer) {
		a.begin()
		a.delta("refusal", "I can't help with that.")
		a.end("stop")
	},
	"filter": func(a *answer) {
		a.begin()
		a.end("content_filter")
	},
	"empty-text": func(a *answer) {
		a.begin()
		a.end("stop")
	},
	"empty-choices": func(a *answer) {
		a.begin()
		a.event(map[string]any{"choices": []any{}})
		a.line("data: [DONE]")
	},
	"first-byte": (*answer).hang,
	"stall": func(a *answer) {
		a.half()
		a.hang()
	},
	"reset": func(a *answer) {
		a.half()
		a.reset()
	},
	"cut":     (*answer).cut,
	"endless": (*answer).endless,
	"huge":    (*answer).huge,
	"malformed": func(a *answer) {
		a.begin()
		a.line(`data: {"choices":[{"delta":{"content":"half of`)
		a.line("data: [DONE]")
	},
	"error-event": func(a *answer) {
		a.begin()
		a.words("The person asked", 0)
		a.line(`data: {"error":{"message":"the model crashed","type":"server_error"}}`)
		a.line("")
	},
	"wrong-type": func(a *answer) { a.document("text/plain", "The summary is: everything went well.") },
	"html":       func(a *answer) { a.document("text/html; charset=utf-8", "<!doctype html><title>Sign in</title>") },
	"redirect": func(a *answer) {
		http.Redirect(a.w, a.r, "http://127.0.0.1:1/elsewhere", http.StatusTemporaryRedirect)
	},
	"echo-key": func(a *answer) {
		key := strings.TrimPrefix(a.r.Header.Get("Authorization"), "Bearer ")
		refuse(a.w, http.StatusUnauthorized, "Incorrect API key provided: "+key, "invalid_api_key")
	},
}

func (a *answer) behave(behaviour string) {
	code, isStatus := strings.CutPrefix(behaviour, "status-")
	do := behaviours[behaviour]
	switch {
	case isStatus:
		a.status(code)
	case do != nil:
		do(a)
	default:
		refuse(a.w, http.StatusNotFound, "The model `"+a.q.Model+"` does not exist.", "model_not_found")
	}
}

// half begins an answer and says half of it.
func (a *answer) half() {
	a.begin()
	a.words(a.text[:len(a.text)/2], 0)
}

func (a *answer) endless() {
	a.begin()
	for a.alive() && a.word("more ") {
		a.sleep(a.s.Pace)
	}
}

func (a *answer) huge() {
	a.begin()
	for range 40 {
		if !a.word(strings.Repeat("more ", 1<<20/5)) {
			return
		}
	}
	a.end("stop")
}

// document answers with something that is no answer of the protocol.
func (a *answer) document(kind, text string) {
	a.w.Header().Set("Content-Type", kind)
	fmt.Fprint(a.w, text)
}

func (a *answer) status(code string) {
	code, long := strings.CutSuffix(code, "-long")
	status, err := strconv.Atoi(code)
	if err != nil {
		status = http.StatusBadRequest
	}
	says := map[int][2]string{
		400: {"This model does not take that parameter.", "unsupported_parameter"},
		401: {"Incorrect API key provided.", "invalid_api_key"},
		404: {"The model does not exist.", "model_not_found"},
		413: {"This model's maximum context length is 32000 tokens.", "context_length_exceeded"},
		429: {"Rate limit reached.", "rate_limit_exceeded"},
		500: {"The server had an error.", "server_error"},
	}[status]
	if status == http.StatusTooManyRequests {
		wait := "1"
		if long {
			wait = "3600"
		}
		a.w.Header().Set("Retry-After", wait)
	}
	refuse(a.w, status, says[0], says[1])
}

func (a *answer) whole(text, finish string) {
	a.w.Header().Set("Content-Type", "application/json")
	out, err := json.MarshalIndent(map[string]any{
		"id": "trial", "object": "chat.completion", "model": a.q.Model,
		"choices": []any{map[string]any{"index": 0, "message": map[string]any{"role": "assistant", "content": text},
			"finish_reason": finish}},
		"usage": a.usage(),
	}, "", "  ")
	if err == nil {
		_, _ = a.w.Write(out) // the client went
	}
}

// usage is not counted: it only has to be there and to be plausible.
func (a *answer) usage() map[string]int {
	in, out := (len(a.q.System)+len(a.q.User))/4, len(a.text)/4
	return map[string]int{"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out}
}

func (a *answer) stream(text, finish string, pace time.Duration) {
	if !a.q.Stream {
		a.whole(text, finish)
		return
	}
	a.begin()
	a.words(text, pace)
	a.end(finish)
}

func (a *answer) begin() {
	a.w.Header().Set("Content-Type", "text/event-stream")
	a.w.WriteHeader(http.StatusOK)
	a.delta("role", "assistant")
}

func (a *answer) words(text string, pace time.Duration) {
	for _, w := range strings.SplitAfter(text, " ") {
		if !a.alive() || !a.word(w) {
			return
		}
		a.sleep(pace)
	}
}

func (a *answer) word(w string) bool { return a.delta("content", w) }

// delta sends one member of the answer's next piece.
func (a *answer) delta(name, value string) bool {
	delta := map[string]any{"index": 0, "delta": map[string]any{name: value}}
	return a.event(map[string]any{"model": a.q.Model, "choices": []any{delta}})
}

func (a *answer) end(finish string) {
	a.event(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": finish}}})
	a.event(map[string]any{"choices": []any{}, "usage": a.usage()})
	a.line("data: [DONE]")
}

func (a *answer) event(v any) bool {
	b, err := json.Marshal(v)
	return err == nil && a.line("data: "+string(b)+"\n")
}

func (a *answer) line(s string) bool {
	if _, err := fmt.Fprintln(a.w, s); err != nil {
		return false
	}
	return http.NewResponseController(a.w).Flush() == nil
}

func (a *answer) alive() bool {
	select {
	case <-a.r.Context().Done():
		return false
	case <-a.s.stop:
		return false
	default:
		return true
	}
}

func (a *answer) sleep(d time.Duration) {
	if d <= 0 {
		return
	}
	select {
	case <-time.After(d):
	case <-a.r.Context().Done():
	case <-a.s.stop:
	}
}

// hang keeps the client waiting until it or the server goes.
func (a *answer) hang() {
	select {
	case <-a.r.Context().Done():
	case <-a.s.stop:
	}
}

// reset breaks the connection the hard way.
func (a *answer) reset() {
	conn, _, err := http.NewResponseController(a.w).Hijack()
	if err != nil {
		return
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // close sends RST
	}
	conn.Close()
}

// cut ends the answer in the middle as if it were complete: no length, no last
// chunk, no [DONE].
func (a *answer) cut() {
	conn, buf, err := http.NewResponseController(a.w).Hijack()
	if err != nil {
		return
	}
	fmt.Fprint(buf, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n",
		`data: {"choices":[{"delta":{"content":"The person asked"}}]}`, "\n\n")
	buf.Flush()
	conn.Close()
}
