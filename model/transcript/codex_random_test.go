package transcript

import (
	"encoding/json"
	"fmt"
	"pgregory.net/rapid"
	"strings"
	"testing"
)

// cxGen writes a random rollout record by record.
type cxGen struct {
	t     *rapid.T
	n     int
	lines []string
}

func (g *cxGen) put(kind string, payload map[string]any) {
	g.n++
	b, err := json.Marshal(map[string]any{"timestamp": fmt.Sprintf("2026-01-01T00:%02d:%02d.000Z", g.n/60%60, g.n%60), "type": kind, "payload": payload})
	if err != nil {
		g.t.Fatal(err)
	}
	g.lines = append(g.lines, string(b))
}

func message(role, text string) map[string]any {
	kind := "input_text"
	if role == "assistant" {
		kind = "output_text"
	}
	return map[string]any{"type": "message", "role": role, "content": []any{map[string]any{"type": kind, "text": text}}}
}

func (g *cxGen) user() {
	text := fmt.Sprintf("Question %d, 漢字?", g.n)
	early := rapid.Bool().Draw(g.t, "event first")
	event := map[string]any{"type": "user_message", "message": text}
	if early {
		g.put("event_msg", event)
	}
	g.put("response_item", message("user", text))
	if !early {
		g.put("event_msg", event)
	}
}

func (g *cxGen) answer() {
	if rapid.Bool().Draw(g.t, "reasoning") {
		g.put("response_item", map[string]any{"type": "reasoning", "summary": []any{}, "encrypted_content": "gAAA"})
	}
	text := fmt.Sprintf("Answer %d.", g.n)
	g.put("event_msg", map[string]any{"type": "agent_message", "message": text})
	g.put("response_item", message("assistant", text))
	var calls []string
	for range rapid.IntRange(0, 2).Draw(g.t, "calls") {
		id := fmt.Sprintf("call_%d", g.n)
		g.put("response_item", map[string]any{"type": "function_call", "name": "shell", "arguments": "{}", "call_id": id})
		calls = append(calls, id)
	}
	for _, id := range rapid.Permutation(calls).Draw(g.t, "order") {
		g.put("response_item", map[string]any{"type": "function_call_output", "call_id": id, "output": "out of " + id})
	}
	g.put("event_msg", map[string]any{"type": "token_count", "info": map[string]any{"total_token_usage": map[string]any{"input_tokens": g.n},
		"last_token_usage": map[string]any{"input_tokens": g.n, "output_tokens": 1}}})
}

func (g *cxGen) step() {
	switch rapid.IntRange(0, 7).Draw(g.t, "step") {
	case 0, 1:
		g.user()
	case 2, 3, 4:
		g.answer()
	case 5:
		g.put("turn_context", map[string]any{"model": "m"})
	case 6:
		items := []any{}
		for range rapid.IntRange(0, 3).Draw(g.t, "items") {
			items = append(items, message("user", fmt.Sprintf("Kept %d.", g.n)))
		}
		switch rapid.IntRange(0, 2).Draw(g.t, "compaction") {
		case 0:
			g.put("compacted", map[string]any{"message": fmt.Sprintf("What happened up to %d.", g.n)})
		case 1:
			g.put("compacted", map[string]any{"message": "", "replacement_history": append(items, map[string]any{"type": "compaction", "encrypted_content": "gAAA"})})
		case 2:
			g.put("compacted", map[string]any{"message": "", "replacement_history": append(items, message("assistant", "So far.")), "window_number": 2})
		}
	case 7:
		g.user()
		g.answer()
		g.put("event_msg", map[string]any{"type": "thread_rolled_back", "num_turns": 1})
	}
}

func TestCodexRandom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &cxGen{t: t}
		g.put("session_meta", map[string]any{"id": "s", "cwd": "/w"})
		g.put("response_item", message("developer", "Be brief."))
		g.user()
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			g.step()
		}
		g.user()
		text := strings.Join(g.lines, "\n")
		if rapid.Bool().Draw(t, "closed") {
			text += "\n"
		}
		d := mustRead(t, text)
		checkDocument(t, d)
		th := d.Conversations[0].Main()
		live := th.Live(len(th.History))
		starts := append([]int{0}, legalCuts(th, live, 0)...)
		from := starts[rapid.IntRange(0, len(starts)-2).Draw(t, "from")]
		ends := legalCuts(th, live, from)
		checkRewrite(t, d, 0, live, from, ends[rapid.IntRange(0, len(ends)-1).Draw(t, "to")])
	})
}
