package workload

import "fmt"

// claudeTurn is a question, nine calls with their results, and an answer, as
// Claude Code writes them.
func (g *generator) claudeTurn() {
	g.claude("user", object{"role": "user", "content": g.brief()})
	for range 9 {
		call := fmt.Sprintf("toolu_%08d", g.n)
		g.claude("assistant", g.claudeAnswer([]any{
			object{"type": "text", "text": g.brief()},
			object{"type": "tool_use", "id": call, "name": "Bash", "input": object{"command": g.brief(), "description": g.brief()}},
		}))
		g.claude("user", object{"role": "user", "content": []any{
			object{"tool_use_id": call, "type": "tool_result", "content": g.result()}}})
	}
	g.claude("assistant", g.claudeAnswer([]any{object{"type": "text", "text": g.result()}}))
}

func (g *generator) claudeAnswer(content []any) object {
	g.input = g.input%150_000 + 1500
	return object{"model": "claude-opus-4-5-20251101", "id": fmt.Sprintf("msg_%08d", g.n), "type": "message", "role": "assistant",
		"content": content, "stop_reason": "tool_use", "usage": object{"input_tokens": 8, "cache_read_input_tokens": g.input,
			"output_tokens": 300}}
}

func (g *generator) claude(kind string, message object) {
	id := fmt.Sprintf("%08d-4c1e-4b6e-9a51-000000000000", g.n)
	var parent any
	if g.last != "" {
		parent = g.last
	}
	g.put(object{"parentUuid": parent, "isSidechain": false, "userType": "external", "cwd": "/work",
		"sessionId": "0276a600-2f22-4d2b-844c-3feb9c5aa108",
		"version":   "2.1.7", "type": kind, "message": message, "uuid": id, "timestamp": g.now()})
	g.last = id
	g.n++
}

func (g *generator) codexHead() {
	g.codex("session_meta", object{"id": "019f36b8-7808-7b53-b256-85144c802798", "timestamp": g.now(), "cwd": "/work",
		"originator":  "codex-tui",
		"cli_version": "0.142.5", "source": "cli", "model_provider": "openai"})
	g.codex("turn_context", object{"cwd": "/work", "approval_policy": "never", "model": "gpt-5.5"})
}

// codexTurn is the same turn as Codex writes it.
func (g *generator) codexTurn() {
	text := func(role, kind, s string) {
		g.codex("response_item", object{"type": "message", "role": role, "content": []any{object{"type": kind, "text": s}}})
	}
	text("user", "input_text", g.brief())
	for range 9 {
		text("assistant", "output_text", g.brief())
		call := fmt.Sprintf("call_%08d", g.n)
		g.codex("response_item", object{"type": "function_call", "name": "exec_command", "arguments": g.brief(), "call_id": call})
		g.codex("response_item", object{"type": "function_call_output", "call_id": call, "output": g.result()})
		g.input = g.input%150_000 + 1500
		g.codex("event_msg", object{"type": "token_count", "info": object{"last_token_usage": object{"input_tokens": g.input,
			"output_tokens": 300},
			"model_context_window": 258400}})
	}
	text("assistant", "output_text", g.result())
}

func (g *generator) codex(kind string, payload object) {
	g.put(object{"timestamp": g.now(), "type": kind, "payload": payload})
	g.n++
}
