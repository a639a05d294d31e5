package session

import (
	"bytes"
	"os"
	"path/filepath"
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

// Older versions put agents beside the session; they say whose they are.
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
