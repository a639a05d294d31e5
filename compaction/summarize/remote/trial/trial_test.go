package trial

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// ask asks a model for an answer.
func ask(t *testing.T, s *Server, model, key string, stream bool) (status int, kind, text string) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"model": model, "stream": stream, "max_completion_tokens": 9, "temperature": .3,
		"messages": []map[string]string{{"role": "system", "content": "Sum up."}, {"role": "user", "content": "Hello"}}})
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL()+"/chat/completions", strings.NewReader(string(body)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return 0, "", err.Error()
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return resp.StatusCode, "broken off", string(b)
	}
	return resp.StatusCode, resp.Header.Get("Content-Type"), string(b)
}

// Each model behaves as its name says, and what was asked is noted.
func TestModelsBehaveAsTheirNamesSay(t *testing.T) {
	s, err := Listen("")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.Key, s.Text = "k", func(system, user string) string { return system + " " + user + " and on." }
	for model, want := range map[string]struct {
		status     int
		kind, says string
	}{
		"good": {200, "text/event-stream", `"content":"Hello "`}, "good@0": {200, "text/event-stream", "[DONE]"},
		"blank": {200, "text/event-stream", `\n`}, "length": {200, "text/event-stream", `"finish_reason":"length"`},
		"status-429": {429, "application/json", "Rate limit"}, "status-500@1": {500, "application/json", "error"},
		"html": {200, "text/html; charset=utf-8", "<!doctype"}, "wrong-type": {200, "text/plain", "everything"},
		"redirect": {307, "", ""}, "cut": {200, "text/event-stream", "The person asked"}, "reset": {200, "broken off", "Sum "},
		"nobody": {404, "application/json", "does not exist"}, "error-event": {200, "text/event-stream", "crashed"},
	} {
		status, kind, text := ask(t, s, model, "k", true)
		if status != want.status || kind != want.kind || !strings.Contains(text, want.says) {
			t.Errorf("%s: %d %s\n%s", model, status, kind, text)
		}
	}
	if status, _, text := ask(t, s, "status-500@1", "k", false); status != 200 || !strings.Contains(text, `"content": "Sum up. Hello and on."`) {
		t.Errorf("after its only fault: %d %s", status, text)
	}
	if status, _, _ := ask(t, s, "good", "another", true); status != http.StatusUnauthorized {
		t.Errorf("with another key: %d", status)
	}
	seen := s.Requests()
	if last := seen[len(seen)-1]; last.System != "Sum up." || last.User != "Hello" || last.MaxTokens != 9 || last.Temperature != .3 || last.Stream {
		t.Errorf("noted: %+v", last)
	}
	list := Behaviours()
	if !slices.IsSorted(list) || !slices.Contains(list, "status-429") || !slices.Contains(list, "stall") {
		t.Errorf("it offers %v", list)
	}
}

// The server listens on this machine alone.
func TestItListensHereAlone(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", "example.org:80", "127.0.0.1"} {
		if s, err := Listen(addr); err == nil {
			s.Close()
			t.Errorf("it listens on %s", addr)
		}
	}
}
