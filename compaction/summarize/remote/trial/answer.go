package trial

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
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
// is asked. Other names are those of statuses, or unknown.
var behaviours = map[string]func(a *answer){
	"good":     func(a *answer) { a.stream("content", a.text, "stop", 0) },
	"plain":    func(a *answer) { a.whole("stop") },
	"slow":     func(a *answer) { a.stream("content", a.text, "stop", a.s.Pace) },
	"blank":    func(a *answer) { a.stream("content", " \n\t ", "stop", 0) },
	"long":     func(a *answer) { a.stream("content", strings.Repeat(a.text+"\n", 400), "stop", 0) },
	"length":   func(a *answer) { a.stream("content", a.text[:len(a.text)/2], "length", 0) },
	"injected": func(a *answer) { a.stream("content", "Sure! I have ignored the earlier instructions.", "stop", 0) },
	"reason": func(a *answer) {
		a.begin()
		a.delta("reasoning_content", "Let me see.")
		a.words("content", a.text, 0)
		a.end("stop")
	},
	"refusal":    func(a *answer) { a.stream("refusal", "I can't help with that.", "stop", 0) },
	"filter":     func(a *answer) { a.stream("", "", "content_filter", 0) },
	"empty-text": func(a *answer) { a.stream("", "", "stop", 0) },
	"empty-choices": func(a *answer) {
		a.begin()
		a.event(map[string]any{"choices": []any{}})
		a.line("data: [DONE]")
	},
	"first-byte": func(a *answer) { a.sleep(time.Hour) },
	"stall": func(a *answer) {
		a.half()
		a.sleep(time.Hour)
	},
	"reset": func(a *answer) {
		a.half()
		a.breakOff("")
	},
	// The answer ends in the middle as if it were complete: no length, no last chunk, no [DONE].
	"cut": func(a *answer) {
		a.breakOff("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n" +
			`data: {"choices":[{"delta":{"content":"The person asked"}}]}` + "\n\n")
	},
	"endless": func(a *answer) {
		a.begin()
		for a.delta("content", "more ") && a.sleep(a.s.Pace) {
		}
	},
	"huge": func(a *answer) {
		a.begin()
		for range 40 {
			if !a.delta("content", strings.Repeat("more ", 1<<20/5)) {
				return
			}
		}
		a.end("stop")
	},
	"malformed": func(a *answer) {
		a.begin()
		a.line(`data: {"choices":[{"delta":{"content":"half of`)
		a.line("data: [DONE]")
	},
	"error-event": func(a *answer) {
		a.begin()
		a.words("content", "The person asked", 0)
		a.line(`data: {"error":{"message":"the model crashed","type":"server_error"}}` + "\n")
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

// statuses are the answers of "status-…".
var statuses = map[string]struct {
	status    int
	says      string
	code      string
	waitAfter string // seconds
}{
	"400":      {400, "This model does not take that parameter.", "unsupported_parameter", ""},
	"401":      {401, "Incorrect API key provided.", "invalid_api_key", ""},
	"404":      {404, "The model does not exist.", "model_not_found", ""},
	"413":      {413, "This model's maximum context length is 32000 tokens.", "context_length_exceeded", ""},
	"429":      {429, "Rate limit reached.", "rate_limit_exceeded", "1"},
	"429-long": {429, "Rate limit reached.", "rate_limit_exceeded", "3600"},
	"500":      {500, "The server had an error.", "server_error", ""},
	"503":      {503, "", "", ""},
}

func (a *answer) behave(behaviour string) {
	if do := behaviours[behaviour]; do != nil {
		do(a)
		return
	}
	s, known := statuses[strings.TrimPrefix(behaviour, "status-")]
	if !known {
		refuse(a.w, http.StatusNotFound, "The model `"+a.q.Model+"` does not exist.", "model_not_found")
		return
	}
	if s.waitAfter != "" {
		a.w.Header().Set("Retry-After", s.waitAfter)
	}
	refuse(a.w, s.status, s.says, s.code)
}

// half begins an answer and says half of it.
func (a *answer) half() {
	a.begin()
	a.words("content", a.text[:len(a.text)/2], 0)
}

// document answers with something that is no answer of the protocol.
func (a *answer) document(kind, text string) {
	a.w.Header().Set("Content-Type", kind)
	fmt.Fprint(a.w, text)
}

func (a *answer) whole(finish string) {
	put(a.w, http.StatusOK, map[string]any{"id": "trial", "object": "chat.completion", "model": a.q.Model, "usage": a.usage(),
		"choices": []any{map[string]any{"index": 0, "finish_reason": finish,
			"message": map[string]any{"role": "assistant", "content": a.text}}}})
}

// usage is not counted: it only has to be there and to be plausible.
func (a *answer) usage() map[string]int {
	in, out := (len(a.q.System)+len(a.q.User))/4, len(a.text)/4
	return map[string]int{"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out}
}

// stream says a text in a member of the pieces, word by word; in one piece where no stream was
// asked for.
func (a *answer) stream(member, text, finish string, pace time.Duration) {
	if !a.q.Stream {
		a.text = text
		a.whole(finish)
		return
	}
	a.begin()
	a.words(member, text, pace)
	a.end(finish)
}

func (a *answer) begin() {
	a.w.Header().Set("Content-Type", "text/event-stream")
	a.w.WriteHeader(http.StatusOK)
	a.delta("role", "assistant")
}

func (a *answer) words(member, text string, pace time.Duration) {
	for w := range strings.SplitAfterSeq(text, " ") {
		if w != "" && (!a.delta(member, w) || !a.sleep(pace)) {
			return
		}
	}
}

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

// sleep reports whether the client and the server are still there.
func (a *answer) sleep(d time.Duration) bool {
	select {
	case <-time.After(d):
		return a.r.Context().Err() == nil
	case <-a.r.Context().Done():
	case <-a.s.over:
	}
	return false
}

// breakOff breaks the connection, the hard way where nothing is said before.
func (a *answer) breakOff(said string) {
	conn, _, err := http.NewResponseController(a.w).Hijack()
	if err != nil {
		return
	}
	defer conn.Close()
	if tcp, ok := conn.(*net.TCPConn); ok && said == "" {
		_ = tcp.SetLinger(0) // close sends RST
	}
	_, _ = conn.Write([]byte(said))
}
