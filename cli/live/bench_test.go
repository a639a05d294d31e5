package live

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"palimpsest/compaction"
	"palimpsest/internal/bench/cputime"
	"palimpsest/model"
	"palimpsest/model/store"
)

// doors are the ways to a server: none between, the least proxy, and ours.
type doors struct{ bare, ours string }

// openDoors starts them before a server that takes a while and answers with as many
// events as it is asked for.
func openDoors(tb testing.TB, mode Mode, takes time.Duration, events int) doors {
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		time.Sleep(takes)
		if events == 0 {
			plainAnswer(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: {\"type\":\"message_start\",\"message\":{\"role\":\"assistant\"}}\n\n"+
			"data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n")
		for i := range events {
			fmt.Fprintf(w, "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"word %d\"}}\n\n", i)
			w.(http.Flusher).Flush()
		}
		fmt.Fprint(w, "data: {\"type\":\"message_stop\"}\n\n")
	}))
	tb.Cleanup(up.Close)
	u, err := url.Parse(up.URL)
	if err != nil {
		tb.Fatal(err)
	}
	bare := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(p *httputil.ProxyRequest) { p.SetURL(u) }, FlushInterval: -1})
	tb.Cleanup(bare.Close)
	dir := tb.TempDir()
	st, err := store.Open(filepath.Join(dir, "live.db"))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { st.Close() })
	p := compaction.BasePolicy()
	p.Window, p.Triggers = 1<<40, []model.Clause{compaction.TriggerAt(1<<39, model.Tokens)}
	log := slog.New(slog.DiscardHandler)
	c := &Compactor{Mode: mode, Policy: mode.Policy(p), Store: st, Open: openSource, Dir: dir, Now: time.Now, Log: log}
	ours := httptest.NewServer(NewGateway(u, &Recorder{Dir: dir, Now: time.Now, Store: st}, c, nil, log))
	tb.Cleanup(ours.Close)
	return doors{bare.URL, ours.URL}
}

// longTalk is a session that grows by a turn at a call, at about a number of bytes.
type longTalk struct {
	list []json.RawMessage
	n    int
}

func newLongTalk(bytes int) *longTalk {
	t := &longTalk{}
	for size := 0; size < bytes; size += 2100 {
		t.turn()
	}
	return t
}

func (t *longTalk) turn() {
	t.n++
	text := strings.Repeat("func main() { return errors.New(\\\"no\\\") } ", 46)
	t.list = append(t.list, fmt.Appendf(nil, `{"role":"user","content":[{"type":"text","text":"%d %s"}]}`, t.n, text[:len(text)/2/43*43]),
		fmt.Appendf(nil, `{"role":"assistant","content":[{"type":"text","text":"%d %s"}]}`, t.n, text[:len(text)/2/43*43]))
}

func (t *longTalk) body() []byte {
	b := []byte(`{"model":"claude-sonnet-4-5","tools":[{"name":"x"}],"messages":[`)
	for i, m := range t.list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, m...)
	}
	return append(b, "]}"...)
}

func postTo(tb testing.TB, address string, body []byte) time.Duration {
	from := time.Now()
	resp, err := http.Post(address+"/v1/messages", "application/json", bytes.NewReader(body))
	if err != nil {
		tb.Error(err)
		return 0
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		tb.Error(err)
	}
	return time.Since(from)
}

// BenchmarkGateway: a call of 1 MB that brings a new turn, through the least proxy
// and through ours in turns. added-ms is the median of the differences.
func BenchmarkGateway(b *testing.B) {
	for _, mode := range []Mode{Watch, LedgerMode} {
		b.Run(string(mode), func(b *testing.B) {
			d := openDoors(b, mode, 0, 0)
			talk := newLongTalk(1 << 20)
			for range 3 { // the first calls count all of it
				postTo(b, d.ours, talk.body())
				talk.turn()
			}
			var bare, ours, added []float64
			for b.Loop() {
				for range 20 {
					talk.turn()
					body := talk.body()
					x, y := postTo(b, d.bare, body), postTo(b, d.ours, body)
					bare, ours = append(bare, x.Seconds()*1e3), append(ours, y.Seconds()*1e3)
					added = append(added, (y-x).Seconds()*1e3)
				}
			}
			b.ReportMetric(median(bare), "bare-ms")
			b.ReportMetric(median(ours), "ours-ms")
			b.ReportMetric(median(added), "added-ms")
		})
	}
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// BenchmarkGatewaySessions: a hundred sessions with 200 kB each, every one at its own pace,
// before a server that takes a second, which is quick for a model. Calls through the least
// proxy and through ours in turns: the time that a session takes for one, and the CPU time
// of a call, that of client and server included.
func BenchmarkGatewaySessions(b *testing.B) {
	const sessions, calls = 100, 4
	for _, mode := range []Mode{Watch, LedgerMode} {
		b.Run(string(mode), func(b *testing.B) {
			d := openDoors(b, mode, time.Second, 20)
			talks := make([]*longTalk, sessions)
			for i := range talks {
				talks[i] = newLongTalk(200_000)
				talks[i].n += 1000 * i
				talks[i].list[0] = fmt.Appendf(nil, `{"role":"user","content":"session %d"}`, i)
			}
			round := func(address string) (each, cpu float64) {
				from, before := time.Now(), cputime.Process()
				var wg sync.WaitGroup
				for i, t := range talks {
					wg.Go(func() {
						time.Sleep(time.Duration(i) * time.Second / sessions)
						for range calls {
							t.turn()
							postTo(b, address, t.body())
						}
					})
				}
				wg.Wait()
				return time.Since(from).Seconds() * 1e3 / calls, (cputime.Process() - before).Seconds() * 1e3 / calls / sessions
			}
			round(d.ours)
			var lists [4][]float64
			for b.Loop() {
				x, xc := round(d.bare)
				y, yc := round(d.ours)
				for i, v := range []float64{x, y, xc, yc} {
					lists[i] = append(lists[i], v)
				}
			}
			for i, name := range []string{"bare-ms", "ours-ms", "bare-cpu-ms", "ours-cpu-ms"} {
				b.ReportMetric(median(lists[i]), name)
			}
		})
	}
}

// BenchmarkGatewayStream: an answer of 100,000 events as fast as the server sends them,
// through the least proxy and through ours in turns.
func BenchmarkGatewayStream(b *testing.B) {
	d := openDoors(b, LedgerMode, 0, 100_000)
	talk := newLongTalk(10_000)
	postTo(b, d.ours, talk.body())
	var bare, ours []float64
	for b.Loop() {
		talk.turn()
		bare = append(bare, postTo(b, d.bare, talk.body()).Seconds()*1e3)
		ours = append(ours, postTo(b, d.ours, talk.body()).Seconds()*1e3)
	}
	b.ReportMetric(median(bare), "bare-ms")
	b.ReportMetric(median(ours), "ours-ms")
}

// A large body takes at most twice its size while it passes and is written down, in many
// messages or in one; where its length is not announced the buffer grows to three times, and
// with a policy that fires it takes four times. One beyond mostBody is not kept.
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
		{"many", Watch, many, false, 2}, {"one", Watch, bodyOf(size, ""), false, 2}, {"chunked", Watch, many, true, 3.2},
		{"over", Watch, bodyOf(mostBody+1<<20, line), false, .1}, {"policy", LedgerMode, many, false, 4},
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
			g := httptest.NewServer(NewGateway(u, &Recorder{Dir: dir, Now: time.Now, Store: st}, c, nil, log))
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
