package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"palimpsest/cli/batch/queue"
	"palimpsest/model"
)

// asProgram is set where this test program is to be the program itself.
const asProgram = "PALIMPSEST_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if as := os.Getenv(actVariable); as != "" {
		act(as)
	}
	if os.Getenv(asProgram) != "" {
		os.Exit(Run(context.Background(), os.Args[1:], os.Stdout, os.Stderr, Doors{Queue: queue.Open}))
	}
	os.Exit(m.Run())
}

// What runs is listed with when it would be compacted, and what a gateway does can be
// steered; what no gateway compacts can't.
func TestLive(t *testing.T) {
	b := newBench(t)
	contains(t, b.run("live").ends(exitDone).out, "No session runs")
	a := &app{ctx: t.Context(), db: b.db, out: os.Stdout, errOut: os.Stderr}
	st, err := a.writable()
	must(t, err)
	s := model.LiveSession{ID: "abcdef12-0001", Source: model.LiveGateway, Mode: "ledger", Path: "/x/a.jsonl", Title: "Fix the bug",
		Window: 200_000, Trigger: 100_000, Changed: time.Now()}
	for k := range 5 {
		s.Called(20_000+10_000*k, 10+5*k)
	}
	must(t, st.PutLive(t.Context(), s))
	watched := s
	watched.ID, watched.Mode, watched.Path = "beef", "watch", "/x/b.jsonl"
	must(t, st.PutLive(t.Context(), watched))
	old := s
	old.ID, old.Path, old.Changed = "cafe", "/x/c.jsonl", time.Now().Add(-time.Hour)
	must(t, st.PutLive(t.Context(), old))
	must(t, st.Close())

	out := b.run("live").ends(exitDone).out
	for _, want := range []string{"abcdef12", "60,000", "30 %", "in ~20 messages", "Fix the bug", "beef"} {
		contains(t, out, want)
	}
	if strings.Contains(out, "cafe") {
		t.Error("a session that is silent runs")
	}
	contains(t, b.run("live", "--all").ends(exitDone).out, "cafe")
	b.run("live", "pause", "abc").ends(exitDone)
	contains(t, b.run("live").ends(exitDone).out, "paused")
	b.run("live", "compact", "abc").ends(exitDone)
	contains(t, b.run("live").ends(exitDone).out, "at its next call")
	b.run("live", "restore", "abc").ends(exitDone)
	b.run("live", "resume", "abcdef12-0001").ends(exitDone)
	list := value[[]liveInfo](b.run("live", "--json").ends(exitDone))
	equal(t, 2, len(list))
	for _, l := range list {
		equal(t, 20, *l.Left)
		equal(t, false, l.Paused)
		equal(t, "", l.Wish)
	}
	b.run("live", "pause", "beef").ends(exitFailed, "can't be steered")
	b.run("live", "pause", "nothing").ends(exitFailed, "no running session")
}

// A transcript in a folder that grows is a running session; what can't be read is none.
func TestLiveFolder(t *testing.T) {
	b := newBench(t)
	text, err := os.ReadFile(filepath.Join("..", "assets", "samples", "long-coding-run.jsonl"))
	must(t, err)
	dir := filepath.Join(b.dir, "sessions", "deep")
	must(t, os.MkdirAll(dir, 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "run.jsonl"), text, 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "half.jsonl"), []byte(`{"type":"us`), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "silent.jsonl"), text, 0o600))
	before := time.Now().Add(-time.Hour)
	must(t, os.Chtimes(filepath.Join(dir, "silent.jsonl"), before, before))
	list := value[[]liveInfo](b.run("live", "--json", filepath.Dir(dir)).ends(exitDone))
	equal(t, 1, len(list))
	l := list[0]
	if l.Source != "folder" || l.Path != filepath.Join(dir, "run.jsonl") || l.Used == 0 || l.Window == 0 || l.Trigger == 0 || l.Messages == 0 {
		t.Errorf("%+v", l)
	}
}

// The plugin of Claude Code hands the session over, returns the messages that stay as
// they were given, and lets Claude Code compact by itself where there is no plan.
func TestClaudeCodePlugin(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not here")
	}
	b := newBench(t)
	source, err := os.ReadFile(filepath.Join("..", "docs", "examples", "claude-code-plugin", "hooks", "palimpsest.js"))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(b.dir, "plugin.mjs"), source, 0o600))
	driver := `import { register } from './plugin.mjs'
import { spawnSync } from 'node:child_process'
const hooks = {}, log = []
const engine = { ui: { log: (s) => log.push(s) }, process: { run: async ([program, ...args], { stdin, timeoutMs }) => {
  const ran = spawnSync(program, args, { input: stdin, timeout: timeoutMs, encoding: 'utf8' })
  return { exitCode: ran.status, stdout: ran.stdout, stderr: ran.stderr }
} } }
register((name, ...rest) => { hooks[rest.length > 1 ? name + ' ' + rest[0].trigger : name] = rest.at(-1) }, { program: process.env.PROGRAM, preset: process.env.PRESET })
const messages = []
for (let i = 0; i < 60; i++) {
  messages.push({ role: 'user', text: i ? '' : 'Fix the bug in ' + 'x'.repeat(50), toolUses: [], handle: {}, ...(i ? { toolResults: [{ tool_use_id: 't' + i, text: 'src/file' + i + '.go: ' + 'words and more words '.repeat(200), isError: false }] } : {}) })
  messages.push({ role: 'assistant', text: 'I read ' + i, handle: {}, toolUses: [{ tool_use_id: 't' + (i + 1), tool: 'read', input: { path: 'src/file' + i + '.go' } }] })
}
messages.pop()
const answer = await hooks['session.compact'](engine, { messages }, async () => 'own')
const ahead = await hooks['session.compact precompute'](engine, { messages })
console.log(JSON.stringify({ ahead: ahead.skip, own: answer === 'own', log, left: answer.messages?.length, kept: answer.messages?.filter((m) => messages.includes(m) || m.toolResults && !m.handle).length,
  last: answer.messages?.at(-1).toolResults?.[0].tool_use_id === messages.at(-1).toolResults[0].tool_use_id, made: answer.messages?.find((m) => !m.handle && !m.toolResults)?.text?.length }))`
	must(t, os.WriteFile(filepath.Join(b.dir, "driver.mjs"), []byte(driver), 0o600))
	type outcome struct {
		Own              bool
		Ahead            string
		Log              []string
		Left, Kept, Made int
		Last             bool
	}
	run := func(preset string) (o outcome) {
		cmd := exec.CommandContext(t.Context(), node, "driver.mjs")
		cmd.Dir = b.dir
		cmd.Env = append(os.Environ(), asProgram+"=1", "PALIMPSEST_DB="+b.db, "PROGRAM="+os.Args[0], "PRESET="+preset, "XDG_CACHE_HOME="+b.dir)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		must(t, err)
		must(t, json.Unmarshal(out, &o))
		return o
	}
	o := run("balanced")
	if o.Own || o.Left == 0 || o.Left >= 100 || o.Kept != o.Left-1 || !o.Last || o.Made == 0 || o.Ahead == "" {
		t.Errorf("%+v", o)
	}
	list := value[[]recordInfo](b.run("records", "--json").ends(exitDone))
	equal(t, 1, len(list))
	contains(t, fmt.Sprint(o.Log), list[0].ID)
	if o := run("no-such-preset"); !o.Own || len(o.Log) != 1 || !strings.Contains(o.Log[0], "by itself") {
		t.Errorf("%+v", o)
	}
}
