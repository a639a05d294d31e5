package main

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"palimpsest/cli/live"
	"palimpsest/model/store"
)

// answer is what the model's server says to every call.
const answer = `{"id":"m","type":"message","role":"assistant","content":[{"type":"text","text":"Done."}],"stop_reason":"end_turn",` +
	`"usage":{"input_tokens":8,"output_tokens":2}}`

// gateway is what our gateway adds to a call of 1 MB that brings a new turn, over the least
// proxy that Go has: the median of twenty, or of four while another process holds the
// database, when each call is noted late.
func gateway(held bool) func(context.Context, *lab) (float64, error) {
	return func(ctx context.Context, l *lab) (float64, error) { return overProxy(ctx, l, held) }
}

func overProxy(ctx context.Context, l *lab, held bool) (float64, error) {
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, answer)
	}))
	defer up.Close()
	u, err := url.Parse(up.URL)
	if err != nil {
		return 0, err
	}
	bare := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(p *httputil.ProxyRequest) { p.SetURL(u) }, FlushInterval: -1})
	defer bare.Close()
	st, err := store.Open(filepath.Join(l.dir, "live.db"))
	if err != nil {
		return 0, err
	}
	defer st.Close()
	log := slog.New(slog.DiscardHandler)
	c := &live.Compactor{Mode: live.Watch, Store: st, Dir: l.dir, Now: time.Now, Log: log}
	ours := httptest.NewServer(live.NewGateway(u, &live.Recorder{Dir: l.dir, Now: time.Now, Store: st}, c, nil, log))
	defer ours.Close()
	turn := func(n int) string {
		text := strings.Repeat("func main() { return errors.New(\\\"no\\\") } ", 23)
		return fmt.Sprintf(`{"role":"user","content":[{"type":"text","text":"%d %s"}]},`+
			`{"role":"assistant","content":[{"type":"text","text":"%d %s"}]}`, n, text, n, text)
	}
	body := bytes.NewBufferString(`{"model":"claude-sonnet-4-5","tools":[{"name":"x"}],"messages":[` + turn(0))
	n := 1
	for ; body.Len() < 1<<20; n++ {
		body.WriteString("," + turn(n))
	}
	const first = 3 // calls count all of it
	calls := 20
	if held {
		calls = 4
	}
	var added []float64
	for i := range first + calls {
		if held && i == first {
			letGo, err := hold(ctx, filepath.Join(l.dir, "live.db"))
			if err != nil {
				return 0, err
			}
			defer letGo()
		}
		body.WriteString("," + turn(n+i))
		call := append(bytes.Clone(body.Bytes()), "]}"...)
		x, err := post(ctx, bare.URL, call)
		if err != nil {
			return 0, err
		}
		y, err := post(ctx, ours.URL, call)
		if err != nil {
			return 0, err
		}
		if i >= first {
			added = append(added, milliseconds(y-x))
		}
	}
	return median(added), nil
}

// hold locks a database until it is let go.
func hold(ctx context.Context, path string) (letGo func(), err error) {
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		return nil, err
	}
	one, err := db.Conn(ctx)
	if err == nil {
		_, err = one.ExecContext(ctx, "BEGIN IMMEDIATE")
	}
	return func() { _ = db.Close() }, err
}

func post(ctx context.Context, address string, body []byte) (time.Duration, error) {
	from := time.Now()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address+"/v1/messages", bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return time.Since(from), err
}
