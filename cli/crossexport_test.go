package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every form is written from the command line, and what it has no place for is
// said.
func TestExportInEveryForm(t *testing.T) {
	b := newBench(t)
	dir := t.TempDir()
	in := filepath.Join(dir, "in.json")
	text := `{"messages":[{"role":"user","content":"Look at lex.go"},{"role":"assistant","content":null,"reasoning_content":"I should look.","tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"package lex"},{"role":"assistant","content":"Done."}]}`
	if err := os.WriteFile(in, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for form, holds := range map[string]string{"openai-chat": `"tool_call_id":"c1"`, "anthropic": `"tool_use_id":"c1"`, "sharegpt": `"from":"observation"`,
		"markdown": "## Tool result", "html": "<article", "csv": "reported_input", "json": `"kind":"tool result"`} {
		out := filepath.Join(dir, form)
		var g given
		if err := json.Unmarshal([]byte(b.run("export", in, "--format", form, "-o", out, "--json").ends(exitDone).out), &g); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(out)
		if err != nil || !strings.Contains(string(got), holds) {
			t.Errorf("%s: no %q in %s", form, holds, got)
		}
		reasoning := false
		for _, l := range g.Lost {
			reasoning = reasoning || l.What == "reasoning" && l.Count == 1 && l.Text != ""
		}
		if want := form == "anthropic" || form == "sharegpt" || form == "csv"; reasoning != want {
			t.Errorf("%s: says that reasoning is lost: %v", form, reasoning)
		}
	}
	b.run("export", in, "--format", "anthropic", "-o", filepath.Join(dir, "again")).ends(exitDone).says("Not held by anthropic", "1  reasoning")
}
