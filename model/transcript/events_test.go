package transcript

import (
	"bytes"
	"strings"
	"testing"

	"palimpsest/model"
)

// What programs keep as a log of events, and values that are not one a line, are read as
// the history in them; a copy is the file.
func TestLogsOfEvents(t *testing.T) {
	for _, s := range []struct {
		name, text               string
		format                   model.Format
		messages, calls, results int
		first, last              string
	}{
		{"the bus of opencode", `{"type":"session.created.1","data":{"sessionID":"s","info":{"id":"s","title":"T","directory":"/w"}}}
{"type":"message.updated.1","data":{"sessionID":"s","info":{"id":"m1","role":"user","sessionID":"s"}}}
{"type":"message.part.updated.1","data":{"part":{"id":"p1","messageID":"m1","sessionID":"s","type":"text","text":"question"}}}
{"type":"message.updated.1","data":{"sessionID":"s","info":{"id":"m2","role":"assistant","sessionID":"s","modelID":"m"}}}
{"type":"message.part.updated.1","data":{"part":{"id":"p2","messageID":"m2","sessionID":"s","type":"tool","callID":"c","tool":"ls","state":{"status":"pending","input":{}}}}}
{"type":"message.part.updated.1","data":{"part":{"id":"p2","messageID":"m2","sessionID":"s","type":"tool","callID":"c","tool":"ls","state":{"status":"completed","input":{},"output":"a.go"}}}}
{"type":"message.part.updated.1","data":{"part":{"id":"p3","messageID":"m2","sessionID":"s","type":"text","text":"ans"}}}
{"type":"message.part.updated.1","data":{"part":{"id":"p3","messageID":"m2","sessionID":"s","type":"text","text":"answer"}}}
`, model.FormatOpenCode, 3, 1, 1, "question", "a.go"},
		{"opencode run --format json", `{"type":"step_start","timestamp":1,"sessionID":"s","part":{"id":"p1","messageID":"m","sessionID":"s","type":"step-start"}}
{"type":"text","timestamp":2,"sessionID":"s","part":{"id":"p2","messageID":"m","sessionID":"s","type":"text","text":"answer"}}
`, model.FormatOpenCode, 1, 0, 0, "answer", "answer"},
		{"events of Pydantic AI", `{"event_kind":"part_start","index":0,"part":{"content":"I ","part_kind":"text"}}
{"event_kind":"part_delta","index":0,"delta":{"content_delta":"look","part_delta_kind":"text"}}
{"event_kind":"part_end","index":0,"part":{"content":"I look","part_kind":"text"}}
{"event_kind":"part_end","index":1,"part":{"tool_name":"ls","args":"{}","tool_call_id":"c","part_kind":"tool-call"}}
{"event_kind":"function_tool_result","result":{"tool_name":"ls","content":"a.go","tool_call_id":"c","part_kind":"tool-return"}}
{"event_kind":"part_end","index":0,"part":{"content":"answer","part_kind":"text"}}
`, "pydantic-ai", 3, 1, 1, "I look", "answer"},
		{"events of Pydantic AI beside its messages", `{"kind":"request","parts":[{"content":"question","part_kind":"user-prompt"}]}
{"event_kind":"part_end","index":0,"part":{"content":"answer","part_kind":"text"}}
{"kind":"response","parts":[{"content":"answer","part_kind":"text"}]}
`, "pydantic-ai", 2, 0, 0, "question", "answer"},
		{"events of LangGraph", `{"event":"on_chain_start","run_id":"r0","name":"graph","data":{}}
{"event":"on_chat_model_start","run_id":"r1","metadata":{"ls_model_name":"m"},"data":{"input":{"messages":[[{"type":"human","content":"question"}]]}}}
{"event":"on_chat_model_end","run_id":"r1","data":{"output":{"type":"ai","content":"","tool_calls":[{"id":"c","name":"ls","args":{}}]}}}
{"event":"on_tool_start","run_id":"r2","name":"ls","data":{"input":{"path":"."}}}
{"event":"on_tool_end","run_id":"r2","name":"ls","data":{"output":{"type":"tool","content":"a.go","tool_call_id":"c"}}}
{"event":"on_chat_model_end","run_id":"r3","data":{"output":{"type":"ai","content":"answer","usage_metadata":{"input_tokens":5,"output_tokens":3}}}}
`, "trace", 4, 1, 1, "question", "answer"},
		{"values as jq prints them", "{\n  \"role\": \"user\",\n  \"content\": \"question\"\n}\n{\n  \"role\": \"assistant\",\n  \"content\": \"answer\"\n}\n", "openai-chat", 2, 0, 0, "question", "answer"},
		{"values on one line", `{"role":"user","content":"question"}{"role":"assistant","content":"answer"}`, "openai-chat", 2, 0, 0, "question", "answer"},
		{"a history of SpecStory with a heading alone", "## 2026-01-02 03:04:05Z\n\n<!-- Claude Code Session 0000aaaa-bbbb-cccc-dddd-000000000000 (2026-01-02) -->\n\n" +
			"_**User**_\n\nquestion\n\n---\n\n_**Agent (m)**_\n\nanswer\n", "specstory", 2, 0, 0, "question", "answer"},
		{"a rollout of events", `{"type":"session_meta","payload":{"id":"s"}}
{"type":"event_msg","payload":{"type":"user_message","message":"question"}}
{"type":"event_msg","payload":{"type":"agent_message","message":"answer"}}
`, "codex-events", 2, 0, 0, "question", "answer"},
		{"a tool's answer kept as the model's", `{"type":"user","sessionId":"s","uuid":"1","parentUuid":null,"message":{"role":"user","content":"question"}}
{"type":"assistant","sessionId":"s","uuid":"2","parentUuid":"1","message":{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"ls","input":{}}]}}
{"type":"assistant","sessionId":"s","uuid":"3","parentUuid":"2","message":{"role":"assistant","content":[{"type":"tool_result","tool_use_id":"c","content":"a.go"}]}}
{"type":"assistant","sessionId":"s","uuid":"4","parentUuid":"3","message":{"role":"assistant","content":[{"type":"text","text":"answer"}]}}
`, model.FormatClaudeCode, 4, 1, 1, "question", "answer"},
		{"ATIF whose results name no call", `{"schema_version":"ATIF-v1.6","session_id":"s","agent":{"name":"a"},"steps":[{"step_id":1,"source":"user","message":"question"},` +
			`{"step_id":2,"source":"agent","message":"look","tool_calls":[{"tool_call_id":"c","function_name":"ls","arguments":{}}],"observation":{"results":[{"content":"a.go"}]}},` +
			`{"step_id":3,"source":"agent","message":"answer"}]}`, model.FormatATIF, 4, 1, 1, "question", "answer"},
	} {
		t.Run(s.name, func(t *testing.T) {
			d, err := readBytes("log", []byte(s.text))
			if err != nil {
				t.Fatal(err)
			}
			var list []*model.Message
			messages, calls, results := 0, 0, 0
			for _, c := range d.Conversations {
				for i := range c.Main().Messages {
					m := &c.Main().Messages[i]
					list = append(list, m)
					messages, calls = messages+1, calls+len(m.Calls)
					if m.Kind == model.KindResult {
						results++
					}
				}
			}
			if d.Format != s.format || messages != s.messages || calls != s.calls || results != s.results {
				t.Fatalf("%s with %d messages, %d calls, %d results, not %s with %d, %d, %d",
					d.Format, messages, calls, results, s.format, s.messages, s.calls, s.results)
			}
			if first, last := messageText(t, d, list[0]), messageText(t, d, list[len(list)-1]); first != s.first || last != s.last {
				t.Errorf("it begins with %q and ends with %q", first, last)
			}
			if hasNote(d, "orphan-result") || hasNote(d, "not-understood") {
				t.Errorf("notes: %+v", d.Notes)
			}
			var copied bytes.Buffer
			if err := Copy(&copied, d); err != nil || copied.String() != s.text {
				t.Errorf("a copy is not the source: %v", err)
			}
		})
	}
}

// A log of events whose lines are damaged gives what is whole, and no line that is none.
func TestADamagedLogOfEvents(t *testing.T) {
	text := `{"type":"message.updated","properties":{"info":{"id":"m1","role":"user","sessionID":"s"}}}
{"type":"message.part.updated","properties":{"part":{"id":"p1","messageID":"m1","sessionID":"s","type":"text","text":"question"}}}
`
	for _, bad := range []string{"{\"type\":\"message.part.upd", "null\n7\n[]\n", `{"type":"message.part.updated","properties":{"part":7}}`, strings.Repeat("[", 9000)} {
		d, err := readBytes("log", []byte(text+bad))
		if err != nil || d.Format != model.FormatOpenCode || len(d.Conversations[0].Main().Messages) != 1 {
			t.Errorf("behind %.30q: %v", bad, err)
		}
	}
}

// The words of a vocabulary are no phases of a step.
func TestAVocabularyIsNoHistory(t *testing.T) {
	if d, err := readBytes("vocab.json", []byte(`{"analysis":35270,"execution":46839,"supervision":92,"step":9,"the":1}`)); err == nil {
		t.Errorf("a vocabulary is taken for %s", d.Format)
	}
}
