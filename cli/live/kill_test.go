package live

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"palimpsest/model/store"
)

// killedUpstream and killedDir are set where this test program is the gateway that is killed.
const killedUpstream, killedDir = "PALIMPSEST_TEST_UPSTREAM", "PALIMPSEST_TEST_DIR"

func TestMain(m *testing.M) {
	if up := os.Getenv(killedUpstream); up != "" {
		if err := serveUntilKilled(up, os.Getenv(killedDir)); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func serveUntilKilled(upstream, dir string) error {
	u, err := url.Parse(upstream)
	if err != nil {
		return err
	}
	st, err := store.Open(filepath.Join(dir, "live.db"))
	if err != nil {
		return err
	}
	log := slog.New(slog.DiscardHandler)
	c := &Compactor{Mode: LedgerMode, Policy: LedgerMode.Policy(smallPolicy()), Store: st, Open: openSource,
		Dir: filepath.Join(dir, "requests"), Now: time.Now, Log: log}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(l.Addr())
	return http.Serve(l, NewGateway(u, &Recorder{Dir: dir, Now: time.Now, Store: st}, c, nil, log))
}

// killable starts a gateway in a process of its own.
func killable(t *testing.T, upstream, dir string) (address string, cmd *exec.Cmd) {
	t.Helper()
	cmd = exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), killedUpstream+"="+upstream, killedDir+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return "http://" + strings.TrimSpace(line), cmd
}

// A gateway that is killed at any moment sends what it sent before for the same
// request once it runs again, and goes on with the same transcripts.
func TestGatewayKilled(t *testing.T) {
	var mu sync.Mutex
	got := map[[32]byte][]byte{} // what was sent first, by the request
	asking, moment := [32]byte{}, func() {}
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the gateway was killed while it sent
		}
		mu.Lock()
		first := got[asking]
		if first == nil {
			got[asking] = body
		}
		now := moment
		mu.Unlock()
		if first != nil && !bytes.Equal(first, body) {
			t.Errorf("a request is sent otherwise after a restart: %d bytes, %d before", len(body), len(first))
		}
		now()
		plainAnswer(w, r)
	}))
	defer up.Close()
	dir := t.TempDir()
	address, cmd := killable(t, up.URL, dir)
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	r := rand.New(rand.NewPCG(9, 9))
	d := drawConversation(11, "/v1/messages")
	kills, small := 0, 0
	for k := range 40 {
		body := d.body()
		mu.Lock()
		asking = sha256.Sum256(body)
		moment = func() {}
		how := r.IntN(4)
		if how == 1 { // while the server answers
			running := cmd
			moment = func() { _ = running.Process.Kill() }
		}
		mu.Unlock()
		if how == 2 { // while it decides, or before
			running, after := cmd, time.Duration(r.IntN(12_000))*time.Microsecond
			time.AfterFunc(after, func() { _ = running.Process.Kill() })
		}
		for try := range 5 {
			resp, err := http.Post(address+d.path, "application/json", bytes.NewReader(body))
			if err == nil {
				_, err = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
			if err == nil {
				break
			}
			if try == 4 {
				t.Fatal(err)
			}
			kills++
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			mu.Lock()
			moment = func() {}
			mu.Unlock()
			address, cmd = killable(t, up.URL, dir)
		}
		mu.Lock()
		if len(got[asking]) < len(body) {
			small++
		}
		mu.Unlock()
		if k%2 == 0 {
			d.turn()
		}
	}
	if kills < 5 || small == 0 {
		t.Errorf("%d kills, %d compacted requests", kills, small)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if len(files) != 1 {
		t.Errorf("%d transcripts", len(files))
	}
}
