package toolconfig

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"palimpsest/compaction"
)

// The Python text runs. LangChain itself is replaced by classes that take the
// arguments of its own, by name, and print them.
func TestPythonRuns(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 on this machine")
	}
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must(t, os.WriteFile(path, []byte(text), 0o600))
	}
	write("langchain/__init__.py", "")
	write("langchain/agents/__init__.py", "")
	write("langchain/agents/middleware.py", `
def ClearToolUsesEdit(*, trigger=100000, clear_at_least=0, keep=3, clear_tool_inputs=False, exclude_tools=(), placeholder="[cleared]"):
    return dict(trigger=trigger, clear_at_least=clear_at_least, keep=keep)
def ContextEditingMiddleware(*, edits=None, token_count_method="approximate"):
    return dict(edits=edits)
def SummarizationMiddleware(model, *, trigger=None, keep=("messages", 20), token_counter=None, summary_prompt="", trim_tokens_to_summarize=4000):
    return dict(model=model, trigger=trigger, keep=keep)
`)
	p := compaction.Default()
	p.Window, p.Clear.On, p.Clear.Keep = 200000, true, 5
	r, err := Find("langchain").Write(p, nil)
	must(t, err)
	write("policy.py", string(r.Text))
	write("main.py", "import json, policy\nprint(json.dumps(policy.compaction_middleware('m')))\n")
	cmd := exec.Command(python, "main.py")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	out, err := cmd.Output()
	must(t, err)
	var got []map[string]any
	must(t, json.Unmarshal(out, &got))
	equal(t, []map[string]any{
		{"edits": []any{map[string]any{"trigger": 160000., "clear_at_least": 1., "keep": 5.}}},
		{"model": "m", "trigger": []any{[]any{"fraction", .8}}, "keep": []any{"tokens", float64(p.TailInForce().N)}},
	}, got)
}
