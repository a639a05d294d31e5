package live

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

// Web pages are refused, in whichever way a browser lets them ask; agents are not.
func TestGuardRefusesPages(t *testing.T) {
	asked := 0
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		_, _ = io.WriteString(w, r.URL.RequestURI())
	}))
	t.Cleanup(up.Close)
	u, err := url.Parse(up.URL)
	if err != nil {
		t.Fatal(err)
	}
	const json = "application/json"
	for _, c := range []struct {
		what, path, host, header, value, kind string
		token                                 string
		want                                  int
	}{
		{"an agent", "/v1/messages", "", "", "", json, "", 200},
		{"an agent that says the encoding", "/v1/messages", "", "", "", json + "; charset=utf-8", "", 200},
		{"an agent that asks by name", "/v1/messages", "localhost:8787", "", "", json, "", 200},
		{"an agent on another machine", "/v1/messages", "192.168.0.7:8787", "", "", json, "", 200},
		{"an agent that asks by a name that was given", "/v1/messages", "box.example:8787", "", "", json, "", 200},
		{"a program with a window", "/v1/messages", "", "Origin", "app://cline", json, "", 200},
		{"a list of models", "/v1/models", "", "", "", "", "", 200},
		{"a name that leads to this machine", "/v1/messages", "evil.example:8787", "", "", json, "", 403},
		{"a page of another origin", "/v1/messages", "", "Origin", "https://evil.example", json, "", 403},
		{"a page in a frame", "/v1/messages", "", "Origin", "null", json, "", 403},
		{"an extension of a browser", "/v1/messages", "", "Origin", "chrome-extension://abc", json, "", 403},
		{"a page of a file", "/v1/messages", "", "Origin", "file://", json, "", 403},
		{"a page in an editor", "/v1/messages", "", "Origin", "vscode-webview://x", json, "", 403},
		{"a page that hides its origin", "/v1/models", "", "Sec-Fetch-Site", "cross-site", json, "", 403},
		{"a form", "/v1/messages", "", "", "", "text/plain", "", 415},
		{"a page without a type", "/v1/chat/completions", "", "", "", "", "", 415},
		{"an agent with the token", "/apple/v1/messages", "", "", "", json, "apple", 200},
		{"an agent without it", "/v1/messages", "", "", "", json, "apple", 403},
		{"an agent with half of it", "/app/v1/messages", "", "", "", json, "apple", 403},
	} {
		t.Run(c.what, func(t *testing.T) {
			g := NewGateway(u, &Recorder{Dir: t.TempDir(), Now: time.Now}, nil, nil, slog.New(slog.DiscardHandler))
			g.Guard.Names, g.Guard.Token = []string{"Box.example"}, c.token
			s := httptest.NewServer(g)
			defer s.Close()
			asked = 0
			req, _ := http.NewRequest(http.MethodPost, s.URL+c.path, strings.NewReader(littleBody))
			req.Host = c.host
			req.Header.Set("Content-Type", c.kind)
			if c.header != "" {
				req.Header.Set(c.header, c.value)
			}
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			b, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			if resp.StatusCode != c.want || (asked == 1) != (c.want == 200) {
				t.Errorf("answered with %d, want %d; the server was asked %d times: %s", resp.StatusCode, c.want, asked, b)
			}
			if c.want == 200 && string(b) != strings.TrimPrefix(c.path, "/apple") {
				t.Errorf("the server was asked for %s", b)
			}
		})
	}
}
