package session

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"pgregory.net/rapid"
	"strings"
	"testing"

	"palimpsest/assets"
	"palimpsest/compaction"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// tree is the agents as one line each: depth, name, and where the caller called
// it and had its result.
func tree(list []Agent) string {
	var b strings.Builder
	for _, a := range list {
		name := a.Name
		if name == "" {
			name = a.ID
		}
		fmt.Fprintf(&b, "%s%s #%d→#%d\n", strings.Repeat("  ", a.Depth), name, a.Task().Called, a.Task().Returned)
	}
	return b.String()
}

func TestAgentsOfTheSample(t *testing.T) {
	for _, smp := range assets.Samples {
		if smp.File != "crew-of-four.jsonl" {
			continue
		}
		path := filepath.Join(t.TempDir(), smp.File)
		if err := os.WriteFile(path, smp.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := Open(t.Context(), path, Options{}, transcript.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		list, skipped, err := f.Agents(t.Context(), AgentsRequest{})
		if err != nil || skipped != 0 {
			t.Fatal(skipped, err)
		}
		t.Log("\n" + tree(list))
		nested := false
		for i, a := range list {
			nested = nested || a.Depth == 2
			last, ok := a.Last()
			if !ok || last.Tokens <= 0 || a.Messages == 0 || a.Session == nil || len(a.KindWeights) == 0 {
				t.Errorf("agent %d tells nothing of its context: %+v", i, last)
			}
			if i > 0 && (a.Task().Called == 0 || a.Task().Asked == "" || a.Task().Passed <= 0) {
				t.Errorf("the call of agent %d is not found: %+v", i, a.Tasks)
			}
			if i > 0 && a.Parent >= i {
				t.Errorf("agent %d stands before its caller %d", i, a.Parent)
			}
		}
		if len(list) != 5 || !nested {
			t.Errorf("%d agents, nested: %v", len(list), nested)
		}
	}
}

// Agents in files of their own hang below who called them, with the call that
// did, and one that can't be read is counted.
func TestAgentsInFilesOfTheirOwn(t *testing.T) {
	path := ""
	for dir, _ := os.Getwd(); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if p := filepath.Join(dir, "..", "shared", "data", "transcripts", "claude_code", "jessitron_episode8", "episode-8-before.jsonl"); exists(p) {
			path = p
		}
	}
	if path == "" {
		t.Skip("the shared transcripts are not here")
	}
	f, err := Open(t.Context(), path, Options{}, transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	others, err := f.Related(t.Context())
	if err != nil || len(others) == 0 {
		t.Fatal(others, err)
	}
	list, skipped, err := f.Agents(t.Context(), AgentsRequest{Others: append(others, Related{Path: filepath.Join(t.TempDir(), "agent-gone.jsonl")})})
	if err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + tree(list))
	a := list[len(list)-1]
	if skipped != 1 || len(list) != 1+len(others) || a.Path == "" || a.Session != nil || a.Depth != 1 || a.Task().Called == 0 || a.Task().Returned <= a.Task().Called || a.Name == "" {
		t.Errorf("skipped %d; %+v", skipped, a)
	}
	if last, ok := a.Last(); !ok || !last.Reported || last.Tokens < 1000 {
		t.Errorf("usage %+v", last)
	}
}

func exists(path string) bool { _, err := os.Stat(path); return err == nil }

// crew is a Claude Code session whose main line calls n agents, each of them in
// a sidechain of the same file.
func crew(n int) string {
	var b strings.Builder
	line := func(v map[string]any) {
		j, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		b.Write(append(j, '\n'))
	}
	msg := func(uuid, parent, agent, role string, content any) {
		v := map[string]any{"uuid": uuid, "parentUuid": nil, "sessionId": "s", "version": "2.1.0", "type": role, "isSidechain": agent != "",
			"timestamp": "2026-01-02T10:00:00Z", "cwd": "/w", "message": map[string]any{"role": role, "content": content}}
		if parent != "" {
			v["parentUuid"] = parent
		}
		if agent != "" {
			v["agentId"] = agent
		}
		if role == "assistant" {
			v["message"] = map[string]any{"role": role, "id": "msg_" + uuid, "type": "message", "model": "claude-sonnet-4-5", "content": content}
		}
		line(v)
	}
	msg("u", "", "", "user", "Find all callers, one agent a package.")
	parent := "u"
	for i := range n {
		agent, task := fmt.Sprintf("a%07x", i*7919), fmt.Sprintf("Look through package %d and list who calls it.", i)
		call, result := fmt.Sprintf("c%d", i), fmt.Sprintf("r%d", i)
		msg(call, parent, "", "assistant", []any{map[string]any{"type": "tool_use", "id": "toolu_" + call, "name": "Task", "input": map[string]any{"prompt": task, "description": "look"}}})
		msg("s"+call, "", agent, "user", task)
		msg("t"+call, "s"+call, agent, "assistant", []any{map[string]any{"type": "text", "text": fmt.Sprintf("Package %d has %d callers.", i, i*3)}})
		msg(result, call, "", "user", []any{map[string]any{"type": "tool_result", "tool_use_id": "toolu_" + call, "content": fmt.Sprintf("Package %d has %d callers.", i, i*3)}})
		parent = result
	}
	return b.String()
}

func TestTwoHundredAgents(t *testing.T) {
	const n = 200
	path := filepath.Join(t.TempDir(), "many.jsonl")
	if err := os.WriteFile(path, []byte(crew(n)), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(t.Context(), path, Options{}, transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var told int
	list, _, err := f.Agents(t.Context(), AgentsRequest{Progress: func(done, total int) { told = total }})
	if err != nil || len(list) != n+1 || told != n+1 {
		t.Fatal(len(list), told, err)
	}
	for i, a := range list[1:] {
		// message 2i+2 calls agent i, the next one brings its result
		if a.Parent != 0 || a.Task().Called != 2*i+2 || a.Task().Returned != 2*i+3 || !strings.Contains(a.Task().Asked, fmt.Sprintf("package %d ", i)) {
			t.Fatalf("agent %d: %+v", i, a.Tasks)
		}
	}
}

// A damaged file may make agents call each other in a circle; each of them is
// listed once, behind who called it.
func TestAgentsInACircle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		all := make([]Agent, n)
		for i := range all {
			all[i] = Agent{Ref: Ref{Thread: i}, Parent: rapid.IntRange(-1, n-1).Draw(t, "parent")}
		}
		all[0].Parent = -1
		list := ordered(all)
		seen := map[int]bool{}
		for i, a := range list {
			if seen[a.Thread] || a.Parent >= i {
				t.Fatalf("%+v", list)
			}
			seen[a.Thread] = true
		}
		if len(seen) != n {
			t.Fatalf("%d of %d agents", len(seen), n)
		}
	})
}

// What an agent sets itself stays when its caller changes, and everything else
// follows; context window and pins are never inherited.
func TestOwnParameters(t *testing.T) {
	base := compaction.Default()
	own := base
	own.Budget = model.Amount{N: 700, Unit: model.Tokens}
	own.Clear = model.Clearing{On: true, Keep: 5}
	diff := Differences(base, own)
	if len(diff) != 2 {
		t.Fatalf("%v", diff)
	}
	b, err := json.Marshal(diff)
	if err != nil {
		t.Fatal(err)
	}
	var kept Overrides
	if err := json.Unmarshal(b, &kept); err != nil {
		t.Fatal(err)
	}
	base.Reserve = 16_000
	got := kept.Over(base)
	if got.Reserve != 16_000 || got.Budget.N != 700 || !got.Clear.On {
		t.Errorf("%+v", got)
	}
	got.Clear = base.Clear // taken back
	if diff = Differences(base, got); len(diff) != 1 || diff["summaryBudget"] == nil {
		t.Errorf("%v", diff)
	}
	if odd := (Overrides{"reserve": json.RawMessage(`"much"`), "no-field": json.RawMessage(`1`)}).Over(base); odd.Reserve != base.Reserve {
		t.Errorf("%+v", odd)
	}
	for _, p := range compaction.Presets() {
		if back := Differences(base, p.Policy).Over(base); len(Differences(p.Policy, back)) > 0 {
			t.Errorf("%s: %v", p.ID, Differences(p.Policy, back))
		}
	}
}

// A title has no marks of Markdown.
func TestTitlesHaveNoMarks(t *testing.T) {
	for title, want := range map[string]string{"**Task Status:** in progress": "Task Status: in progress", "# Fix the build": "Fix the build",
		"a**b is a power": "a**b is a power", "C# notes": "C# notes"} {
		if got := unmarked(title); got != want {
			t.Errorf("%q becomes %q, want %q", title, got, want)
		}
	}
}
