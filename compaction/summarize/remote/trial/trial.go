// Package trial is a server that speaks the OpenAI protocol and misbehaves on
// request, to test against and to drive the window against by hand. It listens
// on this machine only and answers from nothing but the request.
//
// What it does is chosen by the model's name: "good" answers, "status-500"
// fails, "stall" stops in the middle. [Behaviours] lists them.
package trial

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Behaviours lists the models the server offers: each is a way to behave. A
// behaviour may end in "@n": it misbehaves at the first n requests only.
func Behaviours() []string {
	return []string{"good", "plain", "slow", "reason", "status-400", "status-401", "status-404", "status-413", "status-429",
		"status-429-long",
		"status-500", "status-503", "first-byte", "stall", "reset", "cut", "malformed", "empty-choices", "empty-text", "blank", "huge",
		"wrong-type", "html", "redirect", "endless", "error-event", "length", "refusal", "filter", "echo-key", "injected", "long"}
}

// Server is a running trial server.
type Server struct {
	// Key, if not "", is demanded of every request.
	Key string
	// Text makes the answer of the behaviours that answer; nil: a short summary.
	Text func(system, user string) string
	// Pace is the time between two events of the streams that take their time.
	Pace time.Duration

	http *http.Server
	addr string
	stop chan struct{}
	once sync.Once

	mu    sync.Mutex
	seen  []Request
	count map[string]int
}

// Request is what a call asked.
type Request struct {
	Model, System, User string
	MaxTokens           int
	Temperature         float64
	Tools               int
	Stream              bool
}

// Listen starts a server. addr "" takes a free port of this machine; close it
// when done.
func Listen(addr string) (*Server, error) {
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	if host, _, err := net.SplitHostPort(addr); err != nil || !net.ParseIP(host).IsLoopback() {
		return nil, fmt.Errorf("trial: %q is not an address of this machine alone", addr)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("trial: %w", err)
	}
	s := &Server{Pace: 30 * time.Millisecond, addr: l.Addr().String(), stop: make(chan struct{}), count: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", s.models)
	mux.HandleFunc("POST /v1/chat/completions", s.complete)
	s.http = &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	go func() { _ = s.http.Serve(l) }() // ends with Close
	return s, nil
}

// URL is the base URL to set as endpoint.
func (s *Server) URL() string { return "http://" + s.addr + "/v1" }

// Close ends the server and every request that it keeps waiting.
func (s *Server) Close() error {
	s.once.Do(func() { close(s.stop) })
	return s.http.Close()
}

// Requests lists the calls so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.seen...)
}

func (s *Server) models(w http.ResponseWriter, r *http.Request) {
	if !s.admits(w, r) {
		return
	}
	type entry struct {
		ID     string `json:"id"`
		Object string `json:"object"`
		Max    int    `json:"max_model_len"`
	}
	var list struct {
		Object string  `json:"object"`
		Data   []entry `json:"data"`
	}
	list.Object = "list"
	for _, b := range Behaviours() {
		list.Data = append(list.Data, entry{b, "model", 32000})
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(list) // the client went
}

func (s *Server) admits(w http.ResponseWriter, r *http.Request) bool {
	if s.Key == "" || r.Header.Get("Authorization") == "Bearer "+s.Key {
		return true
	}
	refuse(w, http.StatusUnauthorized, "Incorrect API key provided.", "invalid_api_key")
	return false
}

func refuse(w http.ResponseWriter, status int, message, code string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": message, "type": "trial", "code": code}})
}

// note keeps the request and returns the behaviour that is due.
func (s *Server) note(q Request) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, q)
	s.count[q.Model]++
	behaviour, times, limited := strings.Cut(q.Model, "@")
	if n, err := strconv.Atoi(times); limited && err == nil && s.count[q.Model] > n {
		return "good"
	}
	return behaviour
}

func (s *Server) complete(w http.ResponseWriter, r *http.Request) {
	if !s.admits(w, r) {
		return
	}
	var body struct {
		Model       string            `json:"model"`
		Stream      bool              `json:"stream"`
		MaxTokens   int               `json:"max_tokens"`
		MaxComplete int               `json:"max_completion_tokens"`
		Temperature float64           `json:"temperature"`
		Tools       []json.RawMessage `json:"tools"`
		Messages    []struct{ Role, Content string }
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		refuse(w, http.StatusBadRequest, "not JSON: "+err.Error(), "bad_json")
		return
	}
	q := Request{Model: body.Model, Stream: body.Stream, MaxTokens: max(body.MaxTokens, body.MaxComplete),
		Temperature: body.Temperature, Tools: len(body.Tools)}
	for _, m := range body.Messages {
		if m.Role == "user" {
			q.User += m.Content
		} else {
			q.System += m.Content
		}
	}
	a := &answer{s: s, w: w, r: r, q: q, text: "Conversation summary: The person asked for a parser; the agent wrote " +
		"src/parse.go and its 12 tests pass."}
	if s.Text != nil {
		a.text = s.Text(q.System, q.User)
	}
	a.behave(s.note(q))
}
