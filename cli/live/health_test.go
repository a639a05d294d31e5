package live

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"palimpsest/compaction/session/doors"
	"palimpsest/model"
	"palimpsest/model/store"
)

// A board leads to the server that a path begins with, which is asked without that word,
// for its models, too; it says how it is to programs and not to pages; and an agent that
// would rather use a web socket is told to call.
func TestBoardOfTwoServers(t *testing.T) {
	st, err := store.Open(filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	p := smallPolicy()
	p.Window, p.Triggers = 0, []model.Clause{{Share: .8}}
	log := slog.New(slog.DiscardHandler)
	b := &Board{Health: &doors.Health{PID: 7, Mode: string(LedgerMode)}, Log: log}
	asked := make(chan string, 10)
	for _, name := range []string{"one", "two"} {
		up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked <- name + " " + r.URL.Path
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"id":"m","role":"assistant","model":"x","content":[],"usage":{"input_tokens":9},"data":[{"id":"x","context_window":64000}]}`)
		}))
		defer up.Close()
		u, err := url.Parse(up.URL + "/base")
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		c := &Compactor{Mode: LedgerMode, Policy: LedgerMode.Policy(p), Store: st, Open: openSource, Dir: dir, Now: time.Now,
			Log: log, Health: b.Health}
		g := NewGateway(u, &Recorder{Dir: dir, Now: time.Now, Store: st, Patience: time.Minute}, c, nil, log)
		g.Guard.Token, g.CallsOnly = name, true
		b.Gateways = append(b.Gateways, g)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- b.Serve(ctx, l) }()
	address := "http://" + l.Addr().String()
	status := func(method, path, body string, header ...string) int {
		t.Helper()
		r, err := http.NewRequest(method, address+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		return resp.StatusCode
	}
	if s := status("POST", "/two/v1/messages", `{"model":"x","tools":[{"name":"x"}],"messages":[{"role":"user","content":"Hi"}]}`); s != 200 {
		t.Errorf("a call is answered with %d", s)
	}
	for _, want := range []string{"two /base/v1/models", "two /base/v1/messages"} {
		if got := <-asked; got != want {
			t.Errorf("%s is asked, not %s", got, want)
		}
	}
	if s := status("GET", "/one/v1/responses", "", "Connection", "Upgrade", "Upgrade", "websocket"); s != http.StatusUpgradeRequired {
		t.Errorf("a web socket is answered with %d", s)
	}
	for path, want := range map[string]int{"/three/v1/messages": 404, "/": 404, doors.HealthPath: 200} {
		if s := status("GET", path, ""); s != want {
			t.Errorf("%s is answered with %d", path, s)
		}
	}
	if s := status("GET", doors.HealthPath, "", "Origin", "https://evil.example"); s != 403 {
		t.Errorf("a page is answered with %d", s)
	}
	h, err := doors.AskHealth(t.Context(), address)
	if err != nil || h.PID != 7 || h.Calls != 1 || h.Models["x"].Limit != 64000 || h.Models["x"].Trigger == 0 || h.Last.IsZero() {
		t.Errorf("%+v %v", h, err)
	}
	end()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := doors.AskHealth(t.Context(), address); err == nil {
		t.Error("it answers after its end")
	}
}
