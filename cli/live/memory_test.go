package live

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"palimpsest/model/store"
)

func postTo(tb testing.TB, address string, body []byte) {
	resp, err := http.Post(address+"/v1/messages", "application/json", bytes.NewReader(body))
	if err != nil {
		tb.Error(err)
		return
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		tb.Error(err)
	}
}

// A large body of many messages takes at most twice its size while it passes and is written
// down; three times where its length is not announced, four and a half with a policy that
// fires (a note keeps each ask), five times where one message is all of it. A body beyond
// mostBody is not kept.
func TestGatewayMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("memory, which a race detector changes")
	}
	const size = 20 << 20
	line := `{"role":"user","content":"` + strings.Repeat("a line of <b>text</b>\\n", 200) + `"},`
	many := bodyOf(size, line)
	for _, k := range []struct {
		name    string
		mode    Mode
		body    []byte
		chunked bool
		most    float64 // of the body
	}{
		{"many", Watch, many, false, 2}, {"one", Watch, bodyOf(size, ""), false, 5.5}, {"chunked", Watch, many, true, 3.2},
		{"over", Watch, bodyOf(mostBody+1<<20, line), false, .1}, {"policy", LedgerMode, many, false, 4.5},
	} {
		t.Run(k.name, func(t *testing.T) {
			up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if n, _ := io.Copy(io.Discard, r.Body); k.mode == Watch && n != int64(len(k.body)) && n != 1000 {
					t.Errorf("%d bytes came", n)
				}
				plainAnswer(w, r)
			}))
			defer up.Close()
			u, _ := url.Parse(up.URL)
			dir := t.TempDir()
			st, err := store.Open(filepath.Join(dir, "live.db"))
			if err != nil {
				t.Fatal(err)
			}
			defer st.Close()
			log := slog.New(slog.DiscardHandler)
			c := &Compactor{Mode: k.mode, Policy: k.mode.Policy(smallPolicy()), Store: st, Open: openSource, Dir: dir, Now: time.Now, Log: log}
			g := httptest.NewServer(NewGateway(u, &Recorder{Dir: dir, Now: time.Now, Store: st, Patience: time.Minute}, c, nil, log))
			defer g.Close()
			postTo(t, g.URL, bodyOf(1000, line)) // what is made once
			defer debug.SetGCPercent(debug.SetGCPercent(10))
			used := func() uint64 {
				list := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
				metrics.Read(list)
				return list[0].Value.Uint64()
			}
			runtime.GC()
			before, peak := used(), uint64(0)
			ended, watched := make(chan bool), make(chan bool)
			go func() {
				defer close(watched)
				for {
					select {
					case <-ended:
						return
					case <-time.After(time.Millisecond):
						peak = max(peak, used())
					}
				}
			}()
			var body io.Reader = bytes.NewReader(k.body)
			if k.chunked {
				body = io.MultiReader(body)
			}
			resp, err := http.Post(g.URL+"/v1/messages", "application/json", body)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
			close(ended)
			<-watched
			more := (float64(peak) - float64(before)) / float64(len(k.body))
			t.Logf("%.1f × the body of %d MB", more, len(k.body)>>20)
			if more > k.most {
				t.Errorf("that is more than %.1f", k.most)
			}
		})
	}
}

// bodyOf is a request of a size: lines, and a last message that fills it.
func bodyOf(size int, line string) []byte {
	body := make([]byte, 0, size)
	body = append(body, `{"model":"claude-sonnet-4-5","tools":[{"name":"x"}],"messages":[`...)
	for line != "" && len(body) < size-10_000 {
		body = append(body, line...)
	}
	body = append(body, `{"role":"user","content":"`...)
	body = append(body, bytes.Repeat([]byte("y "), (max(size, len(body)+20)-len(body)-4)/2)...)
	return append(body, `"}]}`...)
}
