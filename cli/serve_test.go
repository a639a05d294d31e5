package cli

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"palimpsest/internal/until"
)

// syncBuffer may be read while it is written.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}
func (s *syncBuffer) String() string { s.mu.Lock(); defer s.mu.Unlock(); return s.b.String() }

// The verb says where it listens, passes a call on, writes it down and ends when it
// is told to.
func TestServe(t *testing.T) {
	up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"id":"m","type":"message","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"text","text":"Hello"}],"usage":{"input_tokens":9,"output_tokens":2}}`)
	}))
	defer up.Close()
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	var out, errOut syncBuffer
	ended := make(chan int, 1)
	var running sync.WaitGroup
	running.Go(func() {
		ended <- Run(ctx, []string{"serve", "--upstream", up.URL, "--listen", "127.0.0.1:0", "--dir", dir}, &out, &errOut, Doors{})
	})
	address := ""
	until.True(t, "the gateway has said its address", func() bool { // another process would wait for the line, too
		address = regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindString(out.String())
		return address != ""
	})
	resp, err := http.Post(address+"/v1/messages", "application/json", strings.NewReader(`{"tools":[{"name":"x"}],"messages":[{"role":"user","content":"Hi"}]}`))
	must(t, err)
	b, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	must(t, err)
	contains(t, string(b), "Hello")
	files, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	equal(t, 1, len(files))
	cancel()
	equal(t, exitDone, <-ended)
	equal(t, "", errOut.String())
	bench := newBench(t)
	contains(t, bench.run("inspect", files[0]).ends(exitDone).out, "Claude Code")
	for _, bad := range [][]string{{"--upstream", "nonsense"}, {"--upstream", "ftp://x"}, {"--upstream", "https://me:pw@x"}} {
		if text := bench.run(append([]string{"serve", "--dir", dir}, bad...)...).ends(exitUsage).err; strings.Contains(text, "pw") {
			t.Errorf("a password is printed: %s", text)
		}
	}
	contains(t, bench.run("serve", "--upstream", up.URL, "--listen", "203.0.113.1:1", "--dir", dir).ends(exitFailed).err, "--listen")
}

// The unit makes the same call, as systemd's own check reads it.
func TestTheUnitOfTheGateway(t *testing.T) {
	b := newBench(t)
	out := b.run("serve", "--upstream", "https://api.anthropic.com", "--token", `50%"$x\`, "--unit", "--mode", "clear").ends(exitDone).out
	contains(t, out, ` "serve" "--upstream" "https://api.anthropic.com" "--token" "50%%\"$$x\\" "--mode" "clear"`)
	contains(t, out, "WantedBy=default.target")
	if strings.Contains(out, "--unit") {
		t.Errorf("the unit prints itself:\n%s", out)
	}
	verify, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Log("there is no systemd-analyze here: the unit was not read by it")
		return
	}
	path := filepath.Join(t.TempDir(), "palimpsest.service")
	must(t, os.WriteFile(path, []byte(out), 0o600))
	if text, err := exec.Command(verify, "verify", path).CombinedOutput(); err != nil && strings.Contains(string(text), "palimpsest.service:") {
		t.Errorf("%v: %s", err, text)
	}
}
