package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"palimpsest/compaction/session/doors"
	"palimpsest/internal/until"
)

// actVariable makes this test program a command line or an agent, in another process.
const actVariable = "PALIMPSEST_TEST_ACT"

// act is what such a process does: "run" is the command line, all else is a scripted agent,
// which says in its folder how it was started.
func act(as string) {
	if as == "run" {
		os.Setenv(actVariable, "agent")
		Main(Doors{})
	}
	dir := os.Getenv("TEST_AGENT")
	said := fmt.Sprintf("%q %s", os.Args[1:], os.Getenv("ANTHROPIC_BASE_URL"))
	body := `{"model":"claude-sonnet-4-5","tools":[{"name":"x"}],"messages":[{"role":"user","content":"Hi"}]}`
	for range 2 {
		resp, err := http.Post(os.Getenv("ANTHROPIC_BASE_URL")+"/v1/messages", "application/json", strings.NewReader(body))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(99)
		}
		text, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		said += " " + string(text)
	}
	if path := os.Getenv("CLINE_PROVIDER_SETTINGS_PATH"); path != "" {
		text, _ := os.ReadFile(path)
		said += string(text)
		_ = os.WriteFile(path, bytes.Replace(text, []byte(`"old-token"`), []byte(`"new-token"`), 1), 0o600)
	}
	_ = os.WriteFile(filepath.Join(dir, "said.new"), []byte(said), 0o600)
	_ = os.Rename(filepath.Join(dir, "said.new"), filepath.Join(dir, "said"))
	if slices.Contains(os.Args, "stay") {
		_, _ = os.Stdin.Read(make([]byte, 1)) // until a signal, or the end of the test
	}
	os.Exit(7)
}

// wrappedAgent is a person's folder and a server of models, for agents that are started.
type wrappedAgent struct {
	*bench
	up *httptest.Server
}

func newWrappedAgent(t *testing.T) *wrappedAgent {
	w := &wrappedAgent{newBench(t), httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"id":"m","type":"message","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"text","text":"Hello"}],"usage":{"input_tokens":9,"output_tokens":2}}`)
	}))}
	t.Cleanup(w.up.Close)
	for _, v := range []string{"CLAUDE_CONFIG_DIR", "CLINE_DATA_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"} {
		t.Setenv(v, "")
	}
	t.Setenv("HOME", w.dir)
	t.Setenv("TEST_AGENT", w.dir)
	t.Setenv("ANTHROPIC_BASE_URL", w.up.URL)
	return w
}

// command is `palimpsest run TOOL`, with this test program as the agent.
func (w *wrappedAgent) command(tool string, args ...string) (*exec.Cmd, *syncBuffer) {
	cmd := exec.Command(os.Args[0], append([]string{"--db", w.db, "run", "--program", os.Args[0], tool, "--"}, args...)...)
	cmd.Env = append(os.Environ(), actVariable+"=run")
	out := &syncBuffer{}
	cmd.Stdout, cmd.Stderr = out, out
	return cmd, out
}

// said waits until the agent has said how it was started.
func (w *wrappedAgent) said(out *syncBuffer) string {
	w.Helper()
	var text []byte
	until.True(w, "the agent has said something; run says: "+out.String(), func() (is bool) {
		var err error
		text, err = os.ReadFile(filepath.Join(w.dir, "said"))
		return err == nil
	})
	return string(text)
}

// left lists the files below the person's folder.
func (w *wrappedAgent) left() (list []string) {
	must(w.T, filepath.WalkDir(w.dir, func(path string, d fs.DirEntry, err error) error {
		if rel, _ := filepath.Rel(w.dir, path); err == nil && !d.IsDir() && !strings.HasPrefix(rel, "data") && !strings.Contains(rel, "gateway") {
			list = append(list, rel)
		}
		return err
	}))
	return list
}

func exitOf(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return 0
}

// The agent asks the gateway, which asks the server that it was set up for; it has our hooks
// and tools; the verb ends with its exit code, and nothing is left.
func TestRunStartsAnAgent(t *testing.T) {
	w := newWrappedAgent(t)
	settings := filepath.Join(w.dir, ".claude", "settings.json")
	must(t, os.MkdirAll(filepath.Dir(settings), 0o700))
	must(t, os.WriteFile(settings, []byte(`{"model": "opus"}`), 0o600))
	cmd, out := w.command("claude", "-p", "a word", "--flag")
	equal(t, 7, exitOf(cmd.Run()))
	said := w.said(out)
	for _, part := range []string{`"-p" "a word" "--flag"] http://127.0.0.1:`, `Hello`, `\"PreCompact\"`, `\"mcpServers\"`, ` --db ` + w.db + ` hook`} {
		contains(t, said, part)
	}
	equal(t, false, strings.Contains(said, " "+w.up.URL+" "), "it asks the gateway")
	equal(t, []string{".claude/settings.json", "said"}, w.left())
	text, err := os.ReadFile(settings)
	must(t, err)
	equal(t, `{"model": "opus"}`, string(text))
	equal(t, 1, len(value[[]liveInfo](w.bench.run("live", "--json").ends(exitDone))), "the call is noted")
}

// Signals reach the agent, and the exit code says how it ended, as in a shell.
func TestRunPassesSignalsOn(t *testing.T) {
	w := newWrappedAgent(t)
	cmd, out := w.command("claude", "stay")
	stdin, err := cmd.StdinPipe()
	must(t, err)
	defer stdin.Close()
	must(t, cmd.Start())
	w.said(out)
	list, err := doors.Runs()
	must(t, err)
	equal(t, 1, len(list), "a run is known while it lasts")
	h, gone := list[0].Health(t.Context())
	equal(t, false, gone)
	equal(t, 2, h.Calls)
	equal(t, true, h.Models["claude-sonnet-4-5"].Trigger > 0, "the threshold is known")
	contains(t, w.bench.run("doctor").ends(exitDone).out, "of run claude; in mode ledger; calls: 2; the last 20")
	must(t, cmd.Process.Signal(syscall.SIGTERM))
	equal(t, 128+int(syscall.SIGTERM), exitOf(cmd.Wait()))
	equal(t, []string{"said"}, w.left())
}

// A run that is killed leaves its folder and a borrowed file; the next run, or unwrap,
// removes the one and gives back the other with what the agent wrote into it.
func TestRunAfterAKill(t *testing.T) {
	for _, next := range []string{"run", "unwrap"} {
		t.Run(next, func(t *testing.T) {
			w := newWrappedAgent(t)
			providers := filepath.Join(w.dir, ".cline", "data", "settings", "providers.json")
			must(t, os.MkdirAll(filepath.Dir(providers), 0o700))
			text := `{"providers": {"anthropic": {"settings": {"token": "old-token"}}, "mine": {"settings": {"baseUrl": "` + w.up.URL + `"}}}}`
			must(t, os.WriteFile(providers, []byte(text), 0o600))
			cmd, out := w.command("cline", "stay")
			stdin, err := cmd.StdinPipe()
			must(t, err)
			must(t, cmd.Start())
			said := w.said(out)
			contains(t, said, `"baseUrl": "http://127.0.0.1:`)
			must(t, cmd.Process.Kill())
			stdin.Close() // the agent ends by itself
			_ = cmd.Wait()
			list, err := doors.Runs()
			must(t, err)
			equal(t, 1, len(list))
			d := w.bench.run("doctor").ends(exitFailed)
			contains(t, d.out, "was killed and left files")
			contains(t, w.bench.run("unwrap", "--dry-run").ends(exitDone).out, "Left by a run of cline that was killed")
			if next == "unwrap" {
				w.bench.run("unwrap").ends(exitDone)
			} else {
				must(t, os.Remove(filepath.Join(w.dir, "said")))
				again, _ := w.command("claude")
				equal(t, 7, exitOf(again.Run()))
			}
			now, err := os.ReadFile(providers)
			must(t, err)
			equal(t, strings.Replace(text, "old-token", "new-token", 1), string(now))
			equal(t, []string{".cline/data/settings/providers.json", "said"}, w.left())
			contains(t, w.bench.run("unwrap").ends(exitDone).out, "Nothing is left.")
		})
	}
}

// Two runs at once have ports of their own.
func TestTwoRunsAtOnce(t *testing.T) {
	w := newWrappedAgent(t)
	var both sync.WaitGroup
	for range 2 {
		cmd, _ := w.command("claude")
		both.Go(func() {
			if code := exitOf(cmd.Run()); code != 7 {
				t.Errorf("ended with %d", code)
			}
		})
	}
	both.Wait()
	equal(t, []string{"said"}, w.left())
}

func TestRunRefusals(t *testing.T) {
	w := newWrappedAgent(t)
	contains(t, w.bench.run("run", "cloude").ends(exitUsage).err, "Did you mean claude?")
	contains(t, w.bench.run("run", "--program", "/none", "claude").ends(exitFailed).err, "can't be started")
	contains(t, w.bench.run("run", "--program", os.Args[0], "cline").ends(exitFailed).err, "cline auth")
	t.Setenv("CLAUDE_CODE_USE_BEDROCK", "1")
	contains(t, w.bench.run("run", "--program", os.Args[0], "claude").ends(exitFailed).err, "CLAUDE_CODE_USE_BEDROCK is set")
	equal(t, 0, len(w.left()))
}

// unwrap takes out the hooks that were put in, and doctor says what is wrong with one.
func TestDoctorAndUnwrapOfHooks(t *testing.T) {
	w := newWrappedAgent(t)
	t.Setenv("PATH", "")
	t.Setenv("ANTHROPIC_BASE_URL", "")
	settings := filepath.Join(w.dir, ".claude", "settings.json")
	must(t, os.MkdirAll(filepath.Dir(settings), 0o700))
	must(t, os.WriteFile(settings, []byte("{}"), 0o600))
	find := func(code int, of string) diagnosis {
		t.Helper()
		list := value[[]diagnosis](w.bench.run("doctor", "--json").ends(code))
		i := slices.IndexFunc(list, func(d diagnosis) bool { return d.Of == of })
		if i < 0 {
			t.Fatalf("nothing is said of %s: %+v", of, list)
		}
		return list[i]
	}
	equal(t, doors.Off, find(exitDone, "Claude Code, hook").State)
	w.bench.run("hook", "install", "--in", "claude-code").ends(exitDone)
	contains(t, find(exitDone, "Claude Code, hook").Says, "PreCompact, SessionStart; never called")
	h := w.bench.hooks(&readFlags{})
	h.Dir, _ = doors.HookDir()
	transcript := filepath.Join(w.dir, ".claude", "projects", "x.jsonl")
	var out bytes.Buffer
	_ = h.Answer(event(t, "hook_event_name", "SessionStart", "source", "startup", "session_id", "s", "transcript_path", transcript), &out)
	contains(t, find(exitDone, "Claude Code, hook").Says, "; last called 20")
	contains(t, w.bench.run("hook", "status").ends(exitDone).out, "(SessionStart)")

	text, err := os.ReadFile(settings)
	must(t, err)
	must(t, os.WriteFile(settings, bytes.ReplaceAll(text, []byte(os.Args[0]), []byte("/gone/palimpsest")), 0o600))
	contains(t, find(exitFailed, "Claude Code, hook").Says, "/gone/palimpsest, which is not there")
	must(t, os.WriteFile(settings, text, 0o600))
	w.bench.run("unwrap").ends(exitDone)
	text, err = os.ReadFile(settings)
	must(t, err)
	equal(t, "{}", string(text))

	t.Setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
	contains(t, find(exitFailed, "Claude Code").Says, "where nothing answers")
	must(t, os.MkdirAll(filepath.Join(w.dir, ".codex"), 0o700))
	w.bench.run("hook", "install", "--in", "codex").ends(exitDone)
	equal(t, doors.Fault, find(exitFailed, "Codex, hook").State, "nobody allowed it")
	trust := fmt.Sprintf("[hooks.state.%q]\ntrusted_hash = \"sha256:1\"\n", filepath.Join(w.dir, ".codex", "hooks.json")+":pre_compact:0:0")
	must(t, os.WriteFile(filepath.Join(w.dir, ".codex", "config.toml"), []byte(trust), 0o600))
	equal(t, doors.Works, find(exitFailed, "Codex, hook").State)
}
