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
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Behaviours lists the models the server offers: each is a way to behave. A
// behaviour may end in "@n": it misbehaves at the first n requests only.
func Behaviours() []string {
	list := slices.Collect(maps.Keys(behaviours))
	for status := range statuses {
		list = append(list, "status-"+status)
	}
	slices.Sort(list)
	return list
}

// Server is a running trial server.
type Server struct {
	// Key, if not "", is demanded of every request.
	Key string
	// Text makes the answer of the behaviours that answer; nil: a short summary.
	Text func(system, user string) string
	// Pace is the time between two events of the streams that take their time.
	Pace time.Duration

	http *httptest.Server
	stop func() // ends what is kept waiting
	over chan struct{}

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
	Seed                *int
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
	s := &Server{Pace: 30 * time.Millisecond, over: make(chan struct{}), count: map[string]int{}}
	s.stop = sync.OnceFunc(func() { close(s.over) })
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", s.admitted(models))
	mux.HandleFunc("POST /v1/chat/completions", s.admitted(s.complete))
	s.http = &httptest.Server{Listener: l, Config: &http.Server{Handler: mux}}
	s.http.Start()
	return s, nil
}

// URL is the base URL to set as endpoint.
func (s *Server) URL() string { return s.http.URL + "/v1" }

// Close ends the server and every request that it keeps waiting.
func (s *Server) Close() error {
	s.stop()
	s.http.CloseClientConnections()
	s.http.Close()
	return nil
}

// Requests lists the calls so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seen)
}

func models(w http.ResponseWriter, _ *http.Request) {
	var list []any
	for _, b := range Behaviours() {
		list = append(list, map[string]any{"id": b, "object": "model", "max_model_len": 32000})
	}
	put(w, http.StatusOK, map[string]any{"object": "list", "data": list})
}

// admitted asks for the key first, if there is one.
func (s *Server) admitted(answer http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if s.Key == "" || r.Header.Get("Authorization") == "Bearer "+s.Key {
			answer(w, r)
			return
		}
		refuse(w, http.StatusUnauthorized, "Incorrect API key provided.", "invalid_api_key")
	}
}

func put(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	_ = e.Encode(v) // the client went
}

func refuse(w http.ResponseWriter, status int, message, code string) {
	put(w, status, map[string]any{"error": map[string]any{"message": message, "type": "trial", "code": code}})
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
	var body struct {
		Request
		MaxTokens   int `json:"max_tokens"`
		MaxComplete int `json:"max_completion_tokens"`
		Tools       []json.RawMessage
		Messages    []struct{ Role, Content string }
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		refuse(w, http.StatusBadRequest, "not JSON: "+err.Error(), "bad_json")
		return
	}
	q := body.Request
	q.MaxTokens, q.Tools = max(body.MaxTokens, body.MaxComplete), len(body.Tools)
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
