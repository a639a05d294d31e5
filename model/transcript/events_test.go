package transcript

import (
	"bytes"
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
			`{"step_id":3,"source":"agent","message":"answer"}]}`, "atif", 4, 1, 1, "question", "answer"},
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

// The words of a vocabulary are no phases of a step.
func TestAVocabularyIsNoHistory(t *testing.T) {
	if d, err := readBytes("vocab.json", []byte(`{"analysis":35270,"execution":46839,"supervision":92,"step":9,"the":1}`)); err == nil {
		t.Errorf("a vocabulary is taken for %s", d.Format)
	}
}
