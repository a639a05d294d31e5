package session

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"palimpsest/internal/realdata"
	"palimpsest/model/transcript"
)

func related(t *testing.T, path string) []Related {
	t.Helper()
	list, err := openReal(t, path).Related(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// The real session of Claude Code with an agent in a file of its own: each leads
// to the other, and each is copied byte for byte.
func TestClaudeAgentsInFilesOfTheirOwn(t *testing.T) {
	main := ""
	for _, p := range realdata.Sources(t) {
		if filepath.Base(p) == "episode-8-before.jsonl" {
			main = p
		}
	}
	if main == "" {
		t.Skip("the session with an agent beside it is not among the real transcripts")
	}
	list := related(t, main)
	if len(list) != 1 || list[0].Parent || list[0].ID != "ae20659fd0f63295e" || list[0].Name != "Explore: Explore timeline/replay features" {
		t.Fatalf("%+v", list)
	}
	back := related(t, list[0].Path)
	if len(back) != 1 || !back[0].Parent || back[0].Path != main {
		t.Fatalf("%+v", back)
	}
	for _, p := range []string{main, list[0].Path} {
		want, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := transcript.Copy(&got, openReal(t, p).Doc); err != nil || !bytes.Equal(got.Bytes(), want) {
			t.Fatalf("%s is not copied byte for byte: %v", p, err)
		}
	}
}

// Older versions put agents next to the session; they say whose they are.
func TestClaudeAgentsBesideTheSession(t *testing.T) {
	dir := t.TempDir()
	record := func(session string) string {
		return `{"type":"user","uuid":"u","parentUuid":null,"sessionId":"` + session + `","isSidechain":true,"agentId":"a","message":{"role":"user","content":"look"}}` + "\n"
	}
	for name, text := range map[string]string{"s.jsonl": record("s"), "agent-1.jsonl": record("s"), "agent-2.jsonl": record("other"),
		"t.jsonl": record("other"), "agent-3.jsonl": "{broken\n", "agent-4.jsonl": strings.Repeat("x", maxFirstLine+10), "agent-5.jsonl": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if list := related(t, filepath.Join(dir, "s.jsonl")); len(list) != 1 || list[0].ID != "1" {
		t.Fatalf("%+v", list)
	}
	if list := related(t, filepath.Join(dir, "agent-2.jsonl")); len(list) != 1 || list[0].Path != filepath.Join(dir, "t.jsonl") || !list[0].Parent {
		t.Fatalf("%+v", list)
	}
}

// The real rollout of a Codex sub-agent names its caller; rollouts of the same
// day lead to each other.
func TestCodexAgents(t *testing.T) {
	sub := ""
	for _, p := range realdata.Sources(t) {
		if filepath.Base(p) == "agentsview_traex_rollout_subagent.jsonl" {
			sub = p
		}
	}
	if sub == "" {
		t.Skip("the rollout of a sub-agent is not among the real transcripts")
	}
	dir := t.TempDir()
	data, err := os.ReadFile(sub)
	if err != nil {
		t.Fatal(err)
	}
	item := `{"timestamp":"2026-08-01T18:00:00.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"hello"}]}}` + "\n"
	meta := func(id string) string {
		return `{"timestamp":"2026-08-01T18:00:00.000Z","type":"session_meta","payload":{"id":"` + id + `","source":"cli"}}` + "\n" + item
	}
	for name, text := range map[string]string{"rollout-sub.jsonl": string(data), "rollout-main.jsonl": meta("019fbc4a-48b9-7472-a0da-6d92901383db"), "rollout-other.jsonl": meta("x")} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	list := related(t, filepath.Join(dir, "rollout-main.jsonl"))
	if len(list) != 1 || list[0].Name != "Averroes" || list[0].ID != "019fbcca-9fd4-7d20-83dc-0762b2f839b3" || list[0].Parent {
		t.Fatalf("%+v", list)
	}
	if list = related(t, filepath.Join(dir, "rollout-sub.jsonl")); len(list) != 1 || !list[0].Parent || filepath.Base(list[0].Path) != "rollout-main.jsonl" {
		t.Fatalf("%+v", list)
	}
	if list = related(t, filepath.Join(dir, "rollout-other.jsonl")); len(list) != 0 {
		t.Fatalf("%+v", list)
	}
}

// An agent that began on another day than its caller is in that day's folder.
// Folders of days on which the caller was not at work are not looked at.
func TestCodexAgentsOfOtherDays(t *testing.T) {
	root := filepath.Join(t.TempDir(), "sessions")
	item := func(day string) string {
		return `{"timestamp":"` + day + `T23:00:00.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"hello"}]}}` + "\n"
	}
	rollout := func(folder, id, parent string, days ...string) string {
		source := `"cli"`
		if parent != "" {
			source = `{"subagent":{"thread_spawn":{"parent_thread_id":"` + parent + `","depth":1}}}`
		}
		text := `{"timestamp":"` + days[0] + `T23:00:00.000Z","type":"session_meta","payload":{"id":"` + id + `","source":` + source + `}}` + "\n"
		for _, d := range days {
			text += item(d)
		}
		path := filepath.Join(root, filepath.FromSlash(folder), "rollout-"+id+".jsonl")
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	main := rollout("2025/12/30", "main", "", "2025-12-30", "2026-01-01")
	same := rollout("2025/12/30", "same", "main", "2025-12-30")
	next := rollout("2025/12/31", "next", "main", "2025-12-31")
	year := rollout("2026/01/02", "year", "main", "2026-01-01") // its folder is by local time
	rollout("2026/01/09", "late", "main", "2026-01-09")
	rollout("2025/12/29", "early", "main", "2025-12-29")
	var got []string
	for _, r := range related(t, main) {
		got = append(got, r.Path)
	}
	if want := []string{same, next, year}; !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	for _, p := range []string{same, next, year} {
		if list := related(t, p); len(list) != 1 || !list[0].Parent || list[0].Path != main {
			t.Errorf("the caller of %s: %+v", p, list)
		}
	}
}
