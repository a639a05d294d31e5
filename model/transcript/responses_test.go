package transcript

import (
	"slices"
	"strings"
	"testing"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
)

func TestResponsesFiles(t *testing.T) {
	for _, s := range samples(t, "openai_responses") {
		t.Run(s.File, func(t *testing.T) {
			t.Parallel()
			d := checkRealFile(t, s, model.FormatResponses)
			if n := len(d.Notes); n > 0 && !strings.Contains(s.File, "tool_search") {
				t.Errorf("%d notes, the first: %+v", n, d.Notes[0])
			}
		})
	}
}

// The summary of a server is encrypted, and one more message of what is sent.
func TestResponsesCompactionItem(t *testing.T) {
	for _, s := range samples(t, "openai_responses") {
		if !strings.HasSuffix(s.File, "openai_compaction.json") {
			continue
		}
		c := openSample(t, s.Path).Conversations[0]
		th := c.Main()
		if len(th.Found) != 1 || th.Messages[th.Found[0].Summary].Preview != codec.EncryptedSummary {
			t.Errorf("found %+v", th.Found)
		}
		if u := th.Messages[0].Usage; u == nil || u.Input != 51097 || u.Output != 2056 {
			t.Errorf("usage %+v", u)
		}
		if c.Model == "" || th.Messages[0].Time == 0 {
			t.Errorf("model %q, time %d", c.Model, th.Messages[0].Time)
		}
	}
}

func TestResponsesShapes(t *testing.T) {
	checkOutlines(t, model.FormatResponses, []outlineCase{
		{"what the model says in one go is one message",
			`{"model":"m","instructions":"P","input":[{"role":"user","content":"hi"},{"type":"reasoning","id":"r","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"xx"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"so"},{"type":"refusal","refusal":"no"}]},{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},{"type":"custom_tool_call","call_id":"b","name":"g","input":"raw"},{"type":"custom_tool_call_output","call_id":"b","output":"2"},{"type":"function_call_output","call_id":"a","output":[{"type":"input_text","text":"1"},{"type":"input_image","image_url":"data:"}]}]}`,
			"system | text P\nuser typed | text hi\nassistant →a:f →b:g | reasoning hm | opaque  | text so | text no | tool call a {} | tool call b raw\n" +
				"tool result g ←b | tool result b 2\ntool result f ←a | tool result a 1 | media \n"},
		{"an answer beside its request",
			`{"request":{"model":"m","input":[{"role":"developer","content":"D"},{"role":"user","content":[{"type":"input_text","text":"<environment_context>x"}]}]},"response":{"object":"response","output":[{"type":"web_search_call","id":"w","action":{"query":"q"}},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"}]}],"usage":{"input_tokens":5,"output_tokens":2}}}`,
			"system | text D\nuser injected | text <environment_context>x\nassistant →:web_search | tool call {\"query\":\"q\"} | text a\n"},
		{"the provider's tools answer in the call",
			`{"object":"response","output":[{"type":"mcp_list_tools","tools":[]},{"type":"mcp_call","name":"f","arguments":"{}","output":"out","error":null},{"type":"mcp_call","name":"g","arguments":"{}","output":null,"error":"bad"},{"type":"code_interpreter_call","code":"1","outputs":[{"type":"logs","logs":"l"}]},{"type":"image_generation_call","result":"QUJD"},{"type":"file_search_call","queries":["q"],"results":[{"text":"larch"},{"text":"birch"}]},{"type":"apply_patch_call","operation":{"diff":"+oak"}}]}`,
			"assistant →:f →:g →:code_interpreter →:image_generation →:file_search →:apply_patch | opaque  | tool call {} | tool result out | tool call {} | tool result bad | tool call 1 | tool result l | tool call  | media  | tool call [\"q\"] | tool result larch | tool result birch | tool call {\"diff\":\"+oak\"}\n"},
		{"an approval is the answer to its request",
			`[{"role":"user","content":[{"type":"input_text","text":"u"}]},{"type":"mcp_approval_request","id":"q","name":"f","arguments":"{}"},{"type":"mcp_approval_response","approval_request_id":"q","approve":true}]`,
			"user typed | text u\nassistant →q:f | tool call q {}\ntool result f ←q | tool result q approve: true\n"},
		{"a listing; unknown items are kept",
			`{"object":"list","data":[{"type":"message","role":"user","content":[{"type":"input_text","text":"u"}]},{"type":"hologram","x":1},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"}]}]}`,
			"user typed | text u\nother | opaque \nassistant | text a\n"},
		{"one request a line",
			`{"model":"m","input":[{"role":"user","content":"one"}]}` + "\n" + `{"model":"m","input":[{"role":"user","content":"two"}]}` + "\n",
			"user typed | text one\n---\nuser typed | text two\n"},
		{"a summary of ours",
			`{"model":"m","input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"[Conversation summary - earlier context]\nS"}]},{"role":"user","content":"u"}]}`,
			"summary | text [Conversation summary - earlier context]\nS\nuser typed | text u\n"},
	})
}

func TestResponsesSpelling(t *testing.T) {
	checkSpelling(t, []spellingCase{
		{"in the request", 0, 2, nil,
			`{"model": "m", "input": [{"type": "message", "role": "user", "content": "a"}, {"type": "reasoning", "summary": []}, {"role": "assistant", "content": "b"}, {"role": "user", "content": "c"}]}`,
			`{"model": "m", "input": [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "S é"}]}, {"role": "user", "content": "c"}]}`},
		{"of the answer, in front of it", 1, 2, nil,
			`{"request":{"model":"m","input":[{"role":"user","content":"a"}]},"response":{"object":"response","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"b"}]}]}}`,
			`{"request":{"model":"m","input":[{"role":"user","content":"a"},{"type":"message","role":"user","content":[{"type":"input_text","text":"S é"}]}]},"response":{"object":"response","output":[]}}`},
		{"an answer alone", 0, 1, nil,
			`{"object":"response","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"b"}]}]}`,
			`{"object":"response","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"S é"}]}]}`},
		{"outputs of every form are cleared", 0, 0, []int32{2, 3, 4},
			`{"model":"m","input":[{"role":"user","content":"u"},{"type":"function_call","call_id":"a","name":"f"},{"type":"function_call","call_id":"b","name":"f"},{"type":"shell_call","call_id":"c"},{"type":"function_call_output","call_id":"a","output":"long"},{"type":"function_call_output","call_id":"b","output":[{"type":"input_text","text":"long"}]},{"type":"shell_call_output","call_id":"c","output":[{"stdout":"long","stderr":"","outcome":{"type":"exit"}}]}]}`,
			`{"model":"m","input":[{"role":"user","content":"u"},{"type":"function_call","call_id":"a","name":"f"},{"type":"function_call","call_id":"b","name":"f"},{"type":"shell_call","call_id":"c"},{"type":"function_call_output","call_id":"a","output":"cleared"},{"type":"function_call_output","call_id":"b","output":"cleared"},{"type":"shell_call_output","call_id":"c","output":[{"stdout":"cleared","stderr":"","outcome":{"type":"exit"}}]}]}`},
	})
}

// What is not in the file is said.
func TestResponsesNotes(t *testing.T) {
	for in, want := range map[string]string{
		`{"model":"m","previous_response_id":"resp_1","input":[{"role":"user","content":"u"}]}`:                                                        "map[previous-response:1]",
		`{"input":"one text","model":"m","response":{"output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"}]}]}}`: "map[input-text:1]",
		`{"model":"m","input":[{"type":"function_call_output","call_id":"gone","output":"x"}]}`:                                                        "map[orphan-result:1]",
	} {
		if got := noteCodes(mustRead(t, in)); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

func TestResponsesProperties(t *testing.T) {
	propTalks(t, model.FormatResponses, true, genTalk, func(s spelling, talk []saying) any {
		var items []any
		for i, m := range talk {
			switch m.role {
			case "result":
				items = append(items, ordered{{"type", "function_call_output"}, {"call_id", m.answers}, {"output", m.text}})
			case "assistant":
				items = append(items, ordered{{"type", "reasoning"}, {"id", "r"}, {"summary", []any{}}, {"encrypted_content", "eHg="}})
				if m.text != "" {
					items = append(items, s.message("assistant", member{"type", "message"}, member{"content", []any{ordered{{"type", "output_text"}, {"text", m.text}}}}))
				}
				for _, id := range m.calls {
					items = append(items, ordered{{"type", "function_call"}, {"call_id", id}, {"name", "run"}, {"arguments", `{"cmd": "`}})
				}
			default:
				if i%2 == 0 {
					items = append(items, s.message(m.role, member{"content", m.text}))
				} else {
					items = append(items, s.message(m.role, member{"content", []any{ordered{{"type", "input_text"}, {"text", m.text}}}}))
				}
			}
		}
		return ordered{{"model", "m"}, {"input", items}, {"store", false}}
	})
}

func FuzzReadResponses(f *testing.F) {
	fuzzRead(f, model.FormatResponses, []string{
		`{"model":"m","instructions":"P","input":[{"role":"user","content":"hi"},{"type":"reasoning","summary":[]},{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":[{"type":"input_image"}]}]}`,
		`{"request":{"input":[{"type":"mcp_approval_request","id":"q"},{"type":"mcp_approval_response","approval_request_id":"q"}]},"response":{"output":[{"type":"compaction","encrypted_content":"x"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"}]}],"usage":{"input_tokens":1}}}`,
		`[{"type":"item_reference","id":"x"},{"type":"shell_call_output","call_id":null,"output":[{"stdout":1}]}]` + "\n",
		`{"object":"list","data":[{"type":"mcp_call","error":{}},{"type":"code_interpreter_call","outputs":[1]},{"type":"image_generation_call","result":"A"}]}`,
	})
}

// A compaction that only its provider can read stays sealed where a program keeps it beside
// what a message says.
func TestCheckpointsBesideAMessageAreSealed(t *testing.T) {
	talk := `"messages":[{"role":"user","content":"a question"},{"role":"assistant","content":"an answer","codex_reasoning_items":[` +
		`{"type":"reasoning","encrypted_content":"x"},{"type":"compaction","encrypted_content":"y"}]},{"role":"user","content":"on"},` +
		`{"role":"assistant","content":"done","codex_reasoning_items":[{"type":"reasoning","encrypted_content":"z"}]}]}`
	for _, head := range []string{`{"model":"gpt-5.4",`, `{"session_id":"s","session_start":"2026-01-01T00:00:00","platform":"cli",`} {
		th := mustRead(t, head+talk).Conversations[0].Main()
		var sealed []bool
		for i := range th.Messages {
			sealed = append(sealed, th.Messages[i].Sealed)
		}
		if !slices.Equal(sealed, []bool{false, true, false, false}) {
			t.Errorf("%s: sealed are %v", head, sealed)
		}
	}
}
