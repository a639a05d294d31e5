package session

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/model"
)

// Of these formats no real file is at hand: a run of an agent is spelled as
// their producers document it.

// runSteps is how many calls the run has, each with its result.
const runSteps = 40

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

type object = map[string]any

// words is a text of some length that differs for each n.
func words(n int) string {
	return fmt.Sprintf("step %d: ", n) + strings.Repeat("looked at internal/cache.go and found nothing yet. ", 12)
}

// run spells a run: one message of the person, then calls with their results.
func run(user func(text string) any, step func(n int, id string) []any) []any {
	list := []any{user("Find out why the build of internal/cache.go fails.")}
	for n := range runSteps {
		if n%15 == 14 {
			list = append(list, user(fmt.Sprintf("Go on, part %d.", n)))
		}
		list = append(list, step(n, fmt.Sprintf("c%d", n))...)
	}
	return list
}

func inspectRun() object {
	return object{"id": 1, "epoch": 1, "input": "", "target": "", "output": object{}, "messages": run(
		func(text string) any { return object{"id": "u" + text, "role": "user", "content": text} },
		func(n int, id string) []any {
			return []any{object{"id": "a" + id, "role": "assistant", "content": words(n), "tool_calls": []any{object{"id": id, "function": "bash", "arguments": object{"cmd": "go build"}}}},
				object{"id": "t" + id, "role": "tool", "tool_call_id": id, "function": "bash", "content": words(-n)}}
		})}
}

func evalFile(t *testing.T, path string) {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, v := range map[string]any{"header.json": object{"version": 2, "eval": object{"model": "p/m"}}, "samples/1_epoch_1.json": inspectRun()} {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(jsonOf(t, v))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestEveryPresetOnGeneratedFormats(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	eval := filepath.Join(dir, "log.eval")
	evalFile(t, eval)
	tau2 := object{"simulations": []any{object{"task_id": "1", "termination_reason": "user_stop", "messages": run(
		func(text string) any { return object{"role": "user", "content": text} },
		func(n int, id string) []any {
			return []any{object{"role": "assistant", "content": words(n), "tool_calls": []any{object{"id": id, "name": "bash", "arguments": object{}, "requestor": "assistant"}}},
				object{"role": "tool", "id": id, "content": words(-n), "requestor": "assistant", "error": false}}
		})}}}
	sdk4 := object{"id": "c", "messages": run(
		func(text string) any { return object{"id": "u", "role": "user", "content": text} },
		func(n int, id string) []any {
			return []any{object{"id": "a" + id, "role": "assistant", "content": words(n),
				"toolInvocations": []any{object{"state": "result", "toolCallId": id, "toolName": "bash", "args": object{}, "result": words(-n)}}}}
		})}
	for _, x := range []struct {
		name   string
		path   string
		format model.Format
	}{
		{"Inspect archive", eval, model.FormatInspect},
		{"tau2-bench", file("tau2.json", jsonOf(t, tau2)), "tau2-bench"},
		{"AI SDK 4", file("chat.json", jsonOf(t, sdk4)), "ai-sdk"},
	} {
		if testing.Short() && x.format != "tau2-bench" {
			continue // what runs at the same time is the same in each
		}
		t.Run(x.name, func(t *testing.T) {
			f := openReal(t, x.path)
			if f.Doc.Format != x.format {
				t.Fatalf("opened as %s: %s", f.Doc.Format, f.Doc.Why)
			}
			if p := prove(t, f.Doc, 1, compaction.Presets()); p.applied == 0 || p.applied != p.reloaded || p.applied != p.restored || p.same != 1 {
				t.Fatalf("%+v", p)
			}
			s, err := f.Session(t.Context(), Ref{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			compactTail(t, s, 6)
			out := filepath.Join(t.TempDir(), "out")
			if err := exported(t, s, out); err != nil {
				t.Fatal(err)
			}
			if back := openReal(t, out); len(back.Doc.Conversations[0].Main().History) >= len(s.Thread().History) {
				t.Error("nothing is gone from the export")
			}
		})
	}
}
