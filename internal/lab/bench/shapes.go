package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"palimpsest/internal/lab/workload"
)

type object = map[string]any

// shape writes a history as one tool keeps it.
type shape struct {
	format    string // as the program names it
	head, end string
	between   string // two records
	records   func(*turn) []any
}

// turn is a message of a person, where there is one, and what the agent said and did.
type turn struct {
	n        int // from 1
	ask, say string
	calls    []call
	records  *int // of the history so far, in a shape that links them
}

type call struct{ id, name, path, result string }

func (c *call) input() object { return object{"path": c.path} }

func (c *call) arguments() string { return `{"path":"` + c.path + `"}` }

func (t *turn) at() string {
	return time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC).Add(time.Duration(t.n) * 10 * time.Second).Format("2006-01-02T15:04:05.000Z")
}

// shapes are those of the tools that most histories come from.
var shapes = []shape{
	{"claude-code", "", "", "\n", claudeCode},
	{"codex", `{"timestamp":"2026-01-05T09:00:00.000Z","type":"session_meta","payload":{"id":"s","cwd":"/w"}}` + "\n", "", "\n", codex},
	{"openai-chat", "[", "]", ",\n", openAI},
	{"anthropic", "[", "]", ",\n", anthropic},
	{"gemini-cli", `{"sessionId":"s","projectHash":"h","startTime":"2026-01-05T09:00:00.000Z","messages":[`, "]}", ",\n", gemini},
	{"opencode", `{"info":{"id":"ses_1","version":"1","title":"t","directory":"/w","time":{"created":1,"updated":2}},"messages":[`,
		"]}", ",\n", opencode},
	{"pi", `{"type":"session","version":3,"id":"s","timestamp":"2026-01-05T09:00:00.000Z","cwd":"/w"}` + "\n", "", "\n", pi},
	{"copilot-cli", `{"type":"session.start","data":{"sessionId":"s","version":1,"producer":"copilot-agent"},"id":"e0"}` + "\n",
		"", "\n", copilot},
	{"openai-responses", `{"model":"gpt-5","input":[`, "]}", ",\n", responses},
	{"qwen", "", "", "\n", qwen},
	{"goose", `{"working_dir":"/w","description":"d","message_count":1}` + "\n", "", "\n", goose},
	{"ai-sdk", "[", "]", ",\n", aiSDK},
}

// write writes a history of at least size bytes.
func (s *shape) write(w io.Writer, size int64) error {
	texts, _ := workload.Texts()
	random, out, n := rand.New(rand.NewPCG(8, 8)), bufio.NewWriter(w), int64(0)
	put := func(text string) {
		n += int64(len(text))
		_, _ = out.WriteString(text) // Flush returns its error
	}
	put(s.head)
	pick := func() string { return texts[random.IntN(len(texts))] }
	records, between := 0, ""
	for i := 1; n < size; i++ {
		t := &turn{n: i, say: pick(), records: &records}
		if t.n%8 == 1 {
			t.ask = pick()
		}
		for k := range random.IntN(3) {
			file := fmt.Sprintf("src/part%d/file%d.go", t.n%40, t.n)
			t.calls = append(t.calls, call{fmt.Sprintf("call_%d_%d", t.n, k), "read_file", file, pick()})
		}
		for _, r := range s.records(t) {
			text, err := json.Marshal(r)
			if err != nil {
				return err
			}
			put(between)
			put(string(text))
			between = s.between
		}
	}
	put(s.end)
	return out.Flush()
}

// each lists what a turn holds in the order in which it happened, as a shape says it.
func (t *turn) each(ask func(string) any, say func(*turn) any, result func(*call) any) (out []any) {
	if t.ask != "" {
		out = append(out, ask(t.ask))
	}
	out = append(out, say(t))
	for i := 0; i < len(t.calls) && result != nil; i++ {
		out = append(out, result(&t.calls[i]))
	}
	return out
}

// blocks are the agent's text, and then its calls.
func (t *turn) blocks(text any, one func(*call) object) []any {
	out := []any{text}
	for i := range t.calls {
		out = append(out, one(&t.calls[i]))
	}
	return out
}

func text(s string) object { return object{"type": "text", "text": s} }

// messages are those of the Anthropic API.
func (t *turn) messages(wrap func(kind string, message object) any) []any {
	return t.each(
		func(s string) any { return wrap("user", object{"role": "user", "content": s}) },
		func(t *turn) any {
			return wrap("assistant", object{"role": "assistant", "content": t.blocks(text(t.say), func(c *call) object {
				return object{"type": "tool_use", "id": c.id, "name": c.name, "input": c.input()}
			})})
		},
		func(c *call) any {
			result := object{"type": "tool_result", "tool_use_id": c.id, "content": c.result}
			return wrap("user", object{"role": "user", "content": []any{result}})
		})
}

// link returns the id of a new record, and of the one before it.
func (t *turn) link() (id string, parent any) {
	if *t.records++; *t.records > 1 {
		parent = fmt.Sprintf("%08x", *t.records-1)
	}
	return fmt.Sprintf("%08x", *t.records), parent
}

// linked wraps a message as Claude Code and those after it do.
func (t *turn) linked(kind string, message object) any {
	id, parent := t.link()
	return object{"type": kind, "uuid": id, "parentUuid": parent, "sessionId": "s", "timestamp": t.at(), "cwd": "/w", "message": message}
}

func claudeCode(t *turn) []any { return t.messages(t.linked) }

func anthropic(t *turn) []any {
	return t.messages(func(_ string, message object) any { return message })
}

func codex(t *turn) (out []any) {
	for _, item := range responses(t) {
		out = append(out, object{"timestamp": t.at(), "type": "response_item", "payload": item})
	}
	return out
}

func responses(t *turn) []any {
	say := func(role, kind, s string) any {
		return object{"type": "message", "role": role, "content": []any{object{"type": kind, "text": s}}}
	}
	out := t.each(func(s string) any { return say("user", "input_text", s) },
		func(t *turn) any { return say("assistant", "output_text", t.say) },
		func(c *call) any {
			return object{"type": "function_call", "call_id": c.id, "name": c.name, "arguments": c.arguments()}
		})
	for i := range t.calls {
		out = append(out, object{"type": "function_call_output", "call_id": t.calls[i].id, "output": t.calls[i].result})
	}
	return out
}

func openAI(t *turn) []any {
	return t.each(func(s string) any { return object{"role": "user", "content": s} },
		func(t *turn) any {
			m := object{"role": "assistant", "content": t.say}
			if calls := t.blocks(nil, func(c *call) object {
				return object{"id": c.id, "type": "function", "function": object{"name": c.name, "arguments": c.arguments()}}
			})[1:]; len(calls) > 0 {
				m["tool_calls"] = calls
			}
			return m
		},
		func(c *call) any { return object{"role": "tool", "tool_call_id": c.id, "content": c.result} })
}

func aiSDK(t *turn) []any {
	return t.each(func(s string) any { return object{"role": "user", "content": []any{text(s)}} },
		func(t *turn) any {
			return object{"role": "assistant", "content": t.blocks(text(t.say), func(c *call) object {
				return object{"type": "tool-call", "toolCallId": c.id, "toolName": c.name, "input": c.input()}
			})}
		},
		func(c *call) any {
			return object{"role": "tool", "content": []any{object{"type": "tool-result", "toolCallId": c.id, "toolName": c.name,
				"output": object{"type": "text", "value": c.result}}}}
		})
}

func goose(t *turn) []any {
	message := func(role string, content ...any) any {
		return object{"role": role, "created": t.n, "content": content}
	}
	return t.each(func(s string) any { return message("user", text(s)) },
		func(t *turn) any {
			return message("assistant", t.blocks(text(t.say), func(c *call) object {
				return object{"type": "toolRequest", "id": c.id,
					"toolCall": object{"status": "success", "value": object{"name": c.name, "arguments": c.input()}}}
			})...)
		},
		func(c *call) any {
			return message("user", object{"type": "toolResponse", "id": c.id,
				"toolResult": object{"status": "success", "value": []any{text(c.result)}}})
		})
}

func pi(t *turn) []any {
	entry := func(m object) any {
		id, parent := t.link()
		return object{"type": "message", "id": id, "parentId": parent, "timestamp": t.at(), "message": m}
	}
	return t.each(func(s string) any { return entry(object{"role": "user", "content": []any{text(s)}}) },
		func(t *turn) any {
			content := t.blocks(text(t.say), func(c *call) object {
				return object{"type": "toolCall", "id": c.id, "name": c.name, "arguments": c.input()}
			})
			return entry(object{"role": "assistant", "provider": "anthropic", "model": "claude", "content": content})
		},
		func(c *call) any {
			content := []any{text(c.result)}
			return entry(object{"role": "toolResult", "toolCallId": c.id, "toolName": c.name, "content": content, "isError": false})
		})
}

func copilot(t *turn) []any {
	event := func(kind string, data object) any { return object{"type": kind, "data": data, "timestamp": t.at()} }
	return t.each(func(s string) any { return event("user.message", object{"content": s}) },
		func(t *turn) any {
			return event("assistant.message", object{"messageId": fmt.Sprint(t.n), "content": t.say,
				"toolRequests": t.blocks(nil, func(c *call) object {
					return object{"toolCallId": c.id, "name": c.name, "arguments": c.input()}
				})[1:]})
		},
		func(c *call) any {
			return event("tool.execution_complete", object{"toolCallId": c.id, "success": true, "result": object{"content": c.result}})
		})
}

func qwen(t *turn) []any {
	wrap := t.linked
	return t.each(func(s string) any {
		return wrap("user", object{"role": "user", "parts": []any{object{"text": s}}})
	}, func(t *turn) any {
		return wrap("assistant", object{"role": "model", "parts": t.blocks(object{"text": t.say}, func(c *call) object {
			return object{"functionCall": object{"id": c.id, "name": c.name, "args": c.input()}}
		})})
	}, func(c *call) any {
		return wrap("tool_result", object{"role": "user", "parts": []any{object{"functionResponse": object{
			"id": c.id, "name": c.name, "response": object{"output": c.result}}}}})
	})
}

// gemini keeps results with their calls.
func gemini(t *turn) []any {
	message := func(kind, s string) object {
		return object{"id": fmt.Sprint(kind, t.n), "timestamp": t.at(), "type": kind, "content": s}
	}
	return t.each(func(s string) any { return message("user", s) }, func(t *turn) any {
		m := message("gemini", t.say)
		m["toolCalls"] = t.blocks(nil, func(c *call) object {
			return object{"id": c.id, "name": c.name, "args": c.input(), "status": "success", "result": []any{object{
				"functionResponse": object{"id": c.id, "name": c.name, "response": object{"output": c.result}}}}}
		})[1:]
		return m
	}, nil)
}

func opencode(t *turn) []any {
	part := func(id string, p object) object {
		p["id"], p["sessionID"], p["messageID"] = "prt_"+id, "ses_1", fmt.Sprint("msg_", t.n)
		return p
	}
	message := func(role string, parts ...any) any {
		id, at := fmt.Sprint("msg_", role, t.n), object{"created": t.n}
		return object{"info": object{"id": id, "sessionID": "ses_1", "role": role, "time": at}, "parts": parts}
	}
	return t.each(func(s string) any { return message("user", part(fmt.Sprint("a", t.n), text(s))) }, func(t *turn) any {
		return message("assistant", t.blocks(part(fmt.Sprint(t.n), text(t.say)), func(c *call) object {
			return part(c.id, object{"type": "tool", "callID": c.id, "tool": c.name,
				"state": object{"status": "completed", "input": c.input(), "output": c.result, "title": c.path}})
		})...)
	}, nil)
}
