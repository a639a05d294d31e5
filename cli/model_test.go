package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/compaction/session/online"
	"palimpsest/compaction/summarize/remote"
	"palimpsest/compaction/summarize/remote/trial"
	"palimpsest/model/store"
)

func trialServer(t *testing.T) *trial.Server {
	t.Helper()
	s, err := trial.Listen("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	s.Text = func(string, string) string { return "Conversation summary: files were read." }
	return s
}

// A preview shows what a model would be asked and asks nothing; compact asks,
// and again for free; a failing server changes nothing, and what it says is
// told and recorded.
func TestSummariesByAModel(t *testing.T) {
	const key = "sk-trial-0a1b2c3d4e5f"
	t.Setenv("PALIMPSEST_TRIAL_KEY", key)
	b, s := newBench(t), trialServer(t)
	s.Key = key
	in := samples(t)[0]
	with := func(verb, model string, more ...string) *result {
		b.Helper()
		return b.run(append([]string{verb, in, "--endpoint", s.URL(), "--model", model, "--key-env", "PALIMPSEST_TRIAL_KEY", "--model-window", "32000", "--window", "10"}, more...)...)
	}
	with("preview", "good").ends(exitDone).says("would ask", "good at 127.0.0.1", "tokens in, at most")
	if n := len(s.Requests()); n != 0 {
		t.Fatalf("a preview sent %d requests", n)
	}
	with("compact", "status-401").ends(exitFailed, "did not accept the key", "R-0001")
	with("compact", "refusal").ends(exitFailed, "flaws", "it refuses", "R-0002")
	with("compact", "status-401", "--on-failure", "extract").ends(exitDone).says("R-0003 applied")
	asked := len(s.Requests())
	with("compact", "good", "--accept-flaws").ends(exitDone).says("R-0004 applied")
	calls := len(s.Requests()) - asked
	with("compact", "good", "--accept-flaws").ends(exitDone).says("R-0005 applied", "Nothing is sent: good at 127.0.0.1").lacks("Sending to", "Withheld")
	if calls == 0 || len(s.Requests()) != asked+calls {
		t.Errorf("%d calls, and %d the second time", calls, len(s.Requests())-asked-calls)
	}
	shown := b.run("records", "show", "R-0004", "--json").ends(exitDone).says(`"sections@`, `"accepted": true`, "Conversation summary: files were read.").out
	for _, text := range []string{shown, string(fileBytes(t, b.db))} {
		if strings.Contains(text, key) {
			t.Error("the key stands in what is kept")
		}
	}
	asked = len(s.Requests())
	with("compact", "good", "--dry-run").ends(exitDone).says("would ask", "Would be sent, 1 of 1")
	if n := len(s.Requests()); n != asked {
		t.Errorf("a dry run sent %d requests", n-asked)
	}
	with("compact", "plain", "--accept-flaws", "--show-sent").ends(exitDone).says("Sending to plain at 127.0.0.1", "Withheld: ")
	b.run("records", "show", "6", "--sent").ends(exitDone).says("Sent, 1 of 1", "[Tool call]")
	b.run("compact", in, "--strategy", "model").ends(exitUsage, "--endpoint")
	b.run("compact", in, "--endpoint", "ftp://x", "--model", "m").ends(exitUsage, "http://")
}

// What the window was set up with is used, but its key goes to no other server.
func TestTheProviderOfTheWindow(t *testing.T) {
	b, s := newBench(t), trialServer(t)
	st, err := store.Open(b.db)
	if err != nil {
		t.Fatal(err)
	}
	p := online.Provider{Endpoint: remote.Endpoint{BaseURL: s.URL(), Model: "good", Key: remote.KeyRef{Env: "PALIMPSEST_TRIAL_KEY"}}}
	if err := st.SetSetting(t.Context(), online.Setting, p); err != nil {
		t.Fatal(err)
	}
	st.Close()
	a := &app{ctx: t.Context(), db: b.db}
	if got, err := (&modelFlags{}).provider(a); err != nil || got.BaseURL != s.URL() || got.Key != p.Key {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := (&modelFlags{Endpoint: "ollama", Model: "m"}).provider(a); err != nil || got.BaseURL == s.URL() || got.Key != (remote.KeyRef{}) {
		t.Errorf("%+v, %v", got, err)
	}
}

func fileBytes(t *testing.T, path string) []byte {
	t.Helper()
	var all []byte
	files, _ := filepath.Glob(path + "*")
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, raw...)
	}
	return all
}

// Where a model can't be reached it says why and what to do.
func TestNoServer(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 40)
	for kind, want := range map[string]string{
		"http://127.0.0.1:1/v1":     "did not answer. Nothing listens at that address. Start the server, or name another with --endpoint. (R-",
		"http://nowhere.invalid/v1": "did not answer. The name of its host is not known, or there is no network. Start",
	} {
		b.run("compact", f, "--tail", "4msgs", "--model", "m", "--endpoint", kind).ends(exitFailed, want)
	}
}
