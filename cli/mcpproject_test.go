package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/cli/live"
)

// codexRun is a short session of Codex in a folder.
func codexRun(dir, secret string) string {
	var s strings.Builder
	fmt.Fprintf(&s, `{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"%s","cwd":%q,"originator":"codex","cli_version":"0.1"}}`+"\n", secret, dir)
	for i := range 12 {
		for _, m := range [][2]string{{"user", "input_text"}, {"assistant", "output_text"}} {
			fmt.Fprintf(&s, `{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":{"type":"message","role":"%s","content":[{"type":"%s","text":"message %d of %s %s"}]}}`+"\n",
				m[0], m[1], i, secret, strings.Repeat("word ", 80))
		}
	}
	return s.String()
}

// An agent is given what happened in its own project, whether it asks by words, by a record
// or by a file, unless a person allows more.
func TestMCPAnswersForItsProject(t *testing.T) {
	b := newBench(t)
	ours, theirs := filepath.Join(b.dir, "ours"), filepath.Join(b.dir, "theirs")
	must(t, os.MkdirAll(filepath.Join(ours, ".git"), 0o700))
	must(t, os.MkdirAll(filepath.Join(ours, "deep", "down"), 0o700))
	records := map[string]string{}
	for name, dir := range map[string]string{"apricot": filepath.Join(ours, "deep"), "walnut": theirs} {
		file := filepath.Join(b.dir, name+".jsonl")
		must(t, os.WriteFile(file, []byte(codexRun(dir, name)), 0o600))
		records[name] = *value[compacted](b.run("compact", file, "--strategy", "drop", "--tail", "4msgs", "--json").ends(exitDone)).Record
	}
	file := func(name string) string { return filepath.Join(b.dir, name+".jsonl") }
	world := func(projects ...string) live.World {
		w := (&app{ctx: context.Background(), db: b.db}).world(&readFlags{})
		w.Projects = projects
		return w
	}
	equal(t, ours, live.ProjectOf(filepath.Join(ours, "deep", "down")))
	equal(t, theirs, live.ProjectOf(theirs))

	type answer struct {
		Hits []struct{ Record, Project string }
	}
	has := func(c *mcpClient, name string, want bool) {
		t.Helper()
		var found answer
		equal(t, "", c.call("recall", map[string]any{"query": name}, &found))
		equal(t, want, len(found.Hits) > 0, "words of "+name)
		for _, h := range found.Hits {
			equal(t, records[name], h.Record)
			contains(t, h.Project, b.dir)
		}
		for _, args := range []map[string]any{{"record": records[name], "message": 1}, {"file": file(name), "message": 1}} {
			failure := c.call("original", args, new(any))
			equal(t, want, failure == "", fmt.Sprint(args, failure))
			if !want {
				contains(t, failure, "no history of this project")
			}
		}
		for _, tool := range []string{"facts", "preview", "compress_context"} {
			failure := c.call(tool, map[string]any{"file": file(name)}, new(any))
			equal(t, !want, strings.Contains(failure, "no history of this project"), tool)
		}
	}
	mine := b.client(world(ours))
	has(mine, "apricot", true)
	has(mine, "walnut", false)
	all := b.client(world())
	has(all, "apricot", true)
	has(all, "walnut", true)
}
