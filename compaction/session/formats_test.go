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

func otelRun() []any {
	return run(
		func(text string) any {
			return object{"role": "user", "parts": []any{object{"type": "text", "content": text}}}
		},
		func(n int, id string) []any {
			return []any{object{"role": "assistant", "parts": []any{object{"type": "text", "content": words(n)}, object{"type": "tool_call", "id": id, "name": "bash", "arguments": object{}}}},
				object{"role": "tool", "parts": []any{object{"type": "tool_call_response", "id": id, "response": words(-n)}}}}
		})
}

// storedRun writes the run as opencode's files and returns the session's.
func storedRun(t *testing.T, root string) string {
	t.Helper()
	put := func(v any, path ...string) string {
		name := filepath.Join(append([]string{root}, path...)...)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(jsonOf(t, v)), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	message := func(n int, role string, parts ...object) {
		id := fmt.Sprintf("msg_%03d", n)
		put(object{"id": id, "sessionID": "ses_1", "role": role, "time": object{"created": 1767261600000 + n}}, "message", "ses_1", id+".json")
		for i, p := range parts {
			p["id"], p["messageID"], p["sessionID"] = fmt.Sprintf("prt_%03d_%d", n, i), id, "ses_1"
			put(p, "part", id, fmt.Sprintf("prt_%03d_%d.json", n, i))
		}
	}
	message(0, "user", object{"type": "text", "text": "Find out why the build fails."})
	for n := 1; n <= runSteps; n++ {
		message(n, "assistant", object{"type": "step-start"}, object{"type": "text", "text": words(n)},
			object{"type": "tool", "callID": fmt.Sprint("c", n), "tool": "bash", "state": object{"status": "completed", "input": object{}, "output": words(-n)}})
	}
	return put(object{"id": "ses_1", "title": "A run", "directory": "/w"}, "session", "p", "ses_1.json")
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
	inString := object{"key": "gen_ai.input.messages", "value": object{"stringValue": jsonOf(t, otelRun())}}
	otlp := object{"resourceSpans": []any{object{"scopeSpans": []any{object{"spans": []any{object{"name": "chat", "attributes": []any{inString}}}}}}}}
	for _, x := range []struct {
		name   string
		path   string
		format model.Format
	}{
		{"Inspect archive", eval, model.FormatInspect},
		{"tau2-bench", file("tau2.json", jsonOf(t, tau2)), model.FormatTau2},
		{"AI SDK 4", file("chat.json", jsonOf(t, sdk4)), model.FormatAISDK},
		{"OTLP", file("spans.json", jsonOf(t, otlp)), model.FormatOTel},
		{"opencode storage", storedRun(t, filepath.Join(dir, "storage")), model.FormatOpenCode},
	} {
		if testing.Short() && x.format != model.FormatTau2 {
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
			if _, err := s.Overlay().ExportFile(t.Context(), out, false); err != nil {
				t.Fatal(err)
			}
			if back := openReal(t, out); len(back.Doc.Conversations[0].Main().History) >= len(s.Thread().History) {
				t.Error("nothing is gone from the export")
			}
		})
	}
}
