package repair

import (
	"fmt"
	"strings"
	"testing"

	"palimpsest/model"
	"palimpsest/model/transcript"
)

// shape is a small session of a format: a question, a call, its result and an answer. asked is
// the call where it has no result and that is a part of it; "": it is the call itself.
type shape struct {
	format                    model.Format
	head, sep, tail           string
	user, call, result, ended string
	asked                     string
}

var shapes = []shape{
	{"hermes-session", `{"session_id":"s","platform":"cli","session_start":"2026-01-02T03:04:05","messages":[`, ",", "]}", `{"role":"user","content":"go"}`,
		`{"role":"assistant","content":"","tool_calls":[{"id":"t1","call_id":"t1","type":"function","function":{"name":"ls","arguments":"{}"}}]}`,
		`{"role":"tool","content":"a.go","tool_call_id":"t1"}`, `{"role":"assistant","content":"done"}`, ""},
	{"agent-state", `{"agentId":"a","messages":[],"compressions":[],"runtimeMessages":[`, ",", "]}", `{"role":"user","content":"go"}`,
		`{"role":"assistant","content":null,"tool_calls":[{"id":"t1","type":"function","function":{"name":"ls","arguments":"{}"}}]}`,
		`{"role":"tool","content":"a.go","tool_call_id":"t1"}`, `{"role":"assistant","content":"done"}`, ""},
	{"tau2-bench", `{"info":{"agent_info":{"llm":"m"}},"simulations":[{"task_id":"7","trial":1,"messages":[`, ",", "]}]}", `{"role":"user","content":"go","tool_calls":null}`,
		`{"role":"assistant","content":null,"tool_calls":[{"id":"t1","name":"ls","arguments":{},"requestor":"assistant"}]}`,
		`{"id":"t1","role":"tool","content":"a.go","requestor":"assistant","error":false}`, `{"role":"assistant","content":"done"}`, ""},
	{"tau-bench", `[{"task_id":1,"reward":1,"traj":[`, ",", "]}]", `{"role":"user","content":"go"}`,
		`{"role":"assistant","content":null,"tool_calls":[{"id":"t1","type":"function","function":{"name":"ls","arguments":"{}"}}]}`,
		`{"role":"tool","tool_call_id":"t1","name":"ls","content":"a.go"}`, `{"role":"assistant","content":"done"}`, ""},
	{"otel", "[", ",", "]", `{"role":"user","parts":[{"type":"text","content":"go"}]}`, `{"role":"assistant","parts":[{"type":"tool_call","id":"t1","name":"ls","arguments":{}}]}`,
		`{"role":"tool","parts":[{"type":"tool_call_response","id":"t1","response":"a.go"}]}`, `{"role":"assistant","parts":[{"type":"text","content":"done"}],"finish_reason":"stop"}`, ""},
	{"haystack", "[", ",", "]", `{"role":"user","meta":{},"name":null,"content":[{"text":"go"}]}`,
		`{"role":"assistant","meta":{"model":"m"},"name":null,"content":[{"tool_call":{"tool_name":"ls","arguments":{"path":"."},"id":"t1"}}]}`,
		`{"role":"tool","meta":{},"name":null,"content":[{"tool_call_result":{"result":"a.go","origin":{"tool_name":"ls","arguments":{},"id":"t1"},"error":false}}]}`,
		`{"role":"assistant","meta":{},"name":null,"content":[{"text":"done"}]}`, ""},
	{"semantic-kernel", "[", ",", "]", `{"Role":{"Label":"user"},"Items":[{"$type":"TextContent","Text":"go"}]}`,
		`{"Role":{"Label":"assistant"},"Items":[{"$type":"FunctionCallContent","Id":"t1","FunctionName":"ls","Arguments":{}}]}`,
		`{"Role":{"Label":"tool"},"Items":[{"$type":"FunctionResultContent","CallId":"t1","FunctionName":"ls","Result":"a.go"}]}`,
		`{"Role":{"Label":"assistant"},"Items":[{"$type":"TextContent","Text":"done"}]}`, ""},
	{"amp", `{"v":9,"id":"T-1","created":1700000000000,"title":"t","messages":[`, ",", "]}", `{"role":"user","messageId":1,"content":[{"type":"text","text":"go"}],"meta":{"sentAt":1700000000000}}`,
		`{"role":"assistant","messageId":2,"content":[{"type":"tool_use","id":"t1","name":"Read","input":{"path":"a.go"},"complete":true}]}`,
		`{"role":"user","messageId":3,"content":[{"type":"tool_result","toolUseID":"t1","run":{"status":"done","result":{"content":"a.go"}}}]}`,
		`{"role":"assistant","messageId":4,"content":[{"type":"text","text":"done"}]}`, ""},
	{"continue", `{"sessionId":"s","title":"t","workspaceDirectory":"/w","history":[`, ",", "]}", `{"message":{"role":"user","content":"go"},"contextItems":[]}`,
		`{"message":{"role":"assistant","content":"","toolCalls":[{"id":"t1","type":"function","function":{"name":"ls","arguments":"{}"}}]},"contextItems":[]}`,
		`{"message":{"role":"tool","content":"a.go","toolCallId":"t1"},"contextItems":[]}`, `{"message":{"role":"assistant","content":"done"},"contextItems":[]}`, ""},
	{"cursor-agent", "", "\n", "\n", `{"role":"user","message":{"content":[{"type":"text","text":"go"}]}}`, `{"role":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"ls","input":{}}]}}`,
		`{"role":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"a.go"}]}}`, `{"role":"assistant","message":{"content":[{"type":"text","text":"done"}]}}`, ""},
	{"kimi", `{"type":"metadata","protocol_version":"1.4"}` + "\n" + `{"type":"config.update","systemPrompt":"You are","modelAlias":"m"}` + "\n", "\n", "\n",
		`{"type":"context.append_message","message":{"role":"user","content":[{"type":"text","text":"go"}],"toolCalls":[],"origin":{"kind":"user"}},"time":1}`,
		`{"type":"context.append_loop_event","event":{"type":"tool.call","uuid":"e","toolCallId":"t1","name":"ls","args":{}},"time":2}`,
		`{"type":"context.append_loop_event","event":{"type":"tool.result","parentUuid":"e","toolCallId":"t1","result":{"output":"a.go"}},"time":3}`,
		`{"type":"context.append_loop_event","event":{"type":"content.part","part":{"type":"text","text":"done"}},"time":4}`, ""},
	{"adk", `{"id":"s","appName":"a","userId":"u","events":[`, ",", "]}", `{"id":"e1","invocationId":"i","author":"user","timestamp":1,"content":{"parts":[{"text":"go"}],"role":"user"}}`,
		`{"id":"e2","invocationId":"i","author":"bot","timestamp":2,"content":{"parts":[{"functionCall":{"id":"t1","name":"ls","args":{}}}],"role":"model"}}`,
		`{"id":"e3","invocationId":"i","author":"bot","timestamp":3,"content":{"parts":[{"functionResponse":{"id":"t1","name":"ls","response":{"result":"a.go"}}}],"role":"user"}}`,
		`{"id":"e4","invocationId":"i","author":"bot","timestamp":4,"content":{"parts":[{"text":"done"}],"role":"model"}}`, ""},
	{"swe-agent", `{"trajectory":[],"info":{},"history":[`, ",", "]}", `{"role":"user","content":"go","agent":"main","message_type":"observation"}`,
		`{"role":"assistant","content":"I look.","agent":"main","message_type":"action","tool_calls":[{"id":"t1","type":"function","function":{"name":"ls","arguments":"{}"}}]}`,
		`{"role":"tool","content":[{"type":"text","text":"a.go"}],"agent":"main","message_type":"observation","tool_call_ids":["t1"]}`,
		`{"role":"assistant","content":"done","agent":"main","message_type":"action"}`, ""},
	{"ai-sdk", "[", ",", "]", `{"role":"user","content":[{"type":"text","text":"go"}]}`, `{"role":"assistant","content":[{"type":"tool-call","toolCallId":"t1","toolName":"ls","input":{}}]}`,
		`{"role":"tool","content":[{"type":"tool-result","toolCallId":"t1","toolName":"ls","output":{"type":"text","value":"a.go"}}]}`, `{"role":"assistant","content":[{"type":"text","text":"done"}]}`, ""},
	{"goose", `{"working_dir":"/w","description":"d","message_count":4}` + "\n", "\n", "\n", `{"role":"user","created":1,"content":[{"type":"text","text":"go"}]}`,
		`{"role":"assistant","created":2,"content":[{"type":"toolRequest","id":"t1","toolCall":{"status":"success","value":{"name":"ls","arguments":{}}}}]}`,
		`{"role":"user","created":3,"content":[{"type":"toolResponse","id":"t1","toolResult":{"status":"success","value":[{"type":"text","text":"a.go"}]}}]}`,
		`{"role":"assistant","created":4,"content":[{"type":"text","text":"done"}]}`, ""},
	{"pydantic-ai", "[", ",", "]", `{"parts":[{"content":"go","part_kind":"user-prompt"}],"kind":"request"}`, `{"parts":[{"tool_name":"ls","args":{},"tool_call_id":"t1","part_kind":"tool-call"}],"kind":"response"}`,
		`{"parts":[{"tool_name":"ls","content":"a.go","tool_call_id":"t1","part_kind":"tool-return"}],"kind":"request"}`, `{"parts":[{"content":"done","part_kind":"text"}],"kind":"response"}`, ""},
	{"gemini", `{"contents":[`, ",", "]}", `{"role":"user","parts":[{"text":"go"}]}`, `{"role":"model","parts":[{"functionCall":{"id":"t1","name":"ls","args":{}}}]}`,
		`{"role":"user","parts":[{"functionResponse":{"id":"t1","name":"ls","response":{"output":"a.go"}}}]}`, `{"role":"model","parts":[{"text":"done"}]}`, ""},
	{"qwen", "", "\n", "\n", `{"uuid":"u","parentUuid":null,"sessionId":"s","timestamp":"2026-01-02T03:04:05Z","type":"user","cwd":"/w","version":"0.15","message":{"role":"user","parts":[{"text":"go"}]}}`,
		`{"uuid":"a","parentUuid":"u","sessionId":"s","timestamp":"2026-01-02T03:04:06Z","type":"assistant","cwd":"/w","version":"0.15","message":{"role":"model","parts":[{"functionCall":{"id":"t1","name":"ls","args":{}}}]}}`,
		`{"uuid":"r","parentUuid":"a","sessionId":"s","timestamp":"2026-01-02T03:04:07Z","type":"tool_result","cwd":"/w","version":"0.15","message":{"role":"user","parts":[{"functionResponse":{"id":"t1","name":"ls","response":{"output":"a.go"}}}]}}`,
		`{"uuid":"b","parentUuid":"r","sessionId":"s","timestamp":"2026-01-02T03:04:08Z","type":"assistant","cwd":"/w","version":"0.15","message":{"role":"model","parts":[{"text":"done"}]}}`, ""},
	{format: "ai-sdk", head: `{"id":"c","messages":[`, sep: ",", tail: "]}", user: `{"id":"u","role":"user","parts":[{"type":"text","text":"go"}]}`,
		asked: `{"id":"a","role":"assistant","parts":[{"type":"step-start"},{"type":"tool-ls","toolCallId":"t1","state":"input-available","input":{}}]}`,
		ended: `{"id":"b","role":"assistant","parts":[{"type":"text","text":"done"}]}`},
	{format: "gemini-cli", head: `{"sessionId":"s","projectHash":"p","messages":[`, sep: ",", tail: "]}", user: `{"id":"u","timestamp":"2026-01-02T03:04:05Z","type":"user","content":"go"}`,
		asked: `{"id":"a","timestamp":"2026-01-02T03:04:06Z","type":"gemini","content":"","toolCalls":[{"id":"t1","name":"ls","args":{},"status":"executing","timestamp":"2026-01-02T03:04:06Z"}]}`,
		ended: `{"id":"b","timestamp":"2026-01-02T03:04:07Z","type":"gemini","content":"done"}`},
	{format: "opencode", head: `{"info":{"id":"ses_1","title":"t","time":{"created":1}},"messages":[`, sep: ",", tail: "]}",
		user:  `{"info":{"id":"msg_1","role":"user","time":{"created":1}},"parts":[{"type":"text","text":"go"}]}`,
		asked: `{"info":{"id":"msg_2","role":"assistant","modelID":"m","time":{"created":2}},"parts":[{"type":"step-start"},{"type":"tool","callID":"t1","tool":"ls","state":{"status":"pending","input":{},"raw":""}}]}`,
		ended: `{"info":{"id":"msg_3","role":"assistant","modelID":"m","time":{"created":3}},"parts":[{"type":"step-start"},{"type":"text","text":"done"}]}`},
	{format: "opencode", head: `{"info":{"id":"ses_1","title":"t","time":{"created":1}},"messages":[`, sep: ",", tail: "]}",
		user:  `{"info":{"id":"msg_1","role":"user","time":{"created":1}},"parts":[{"type":"text","text":"go"}]}`,
		asked: `{"info":{"id":"msg_2","role":"assistant","modelID":"m","time":{"created":2}},"parts":[{"type":"step-start"},{"type":"tool","callID":"t1","tool":"ls","state":{"status":"running","input":{},"time":{"start":2}}}]}`,
		ended: `{"info":{"id":"msg_3","role":"assistant","modelID":"m","time":{"created":3}},"parts":[{"type":"step-start"},{"type":"text","text":"done"}]}`},
}

func reading(t *testing.T, text string) *model.Document {
	d, err := transcript.Read(t.Context(), "x", strings.NewReader(text), int64(len(text)), transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// said are the live messages of a document, as kind and beginning.
func said(d *model.Document) (list []string) {
	th := d.Conversations[0].Main()
	for _, i := range th.Live(len(th.History)) {
		if m := &th.Messages[i]; m.Kind != model.KindSystem {
			list = append(list, m.Kind.String()+" "+m.Preview)
		}
	}
	return list
}

// In each format a call gets its result, and a result whose call is gone is a message with its text.
func TestEachFormatIsMended(t *testing.T) {
	all := Options{Mend: func(*Fault) bool { return true }}
	for _, s := range shapes {
		call := s.asked
		if call == "" {
			call = s.call
		}
		mended := func(records ...string) []string {
			text := s.head + strings.Join(records, s.sep) + s.tail
			faults, out, r := checkText(t, text, all)
			if d := reading(t, text); r.Err != nil || d.Format != s.format {
				t.Errorf("%s: %s %v", s.format, d.Format, r.Err)
				return nil
			}
			if why := proven(t, []byte(text), r); why != "" || r.Mended() == 0 || r.Mended() < len(r.Faults) {
				t.Errorf("%s: %q %s\n%s", s.format, faults, why, out)
			}
			return said(reading(t, out))
		}
		list := mended(s.user, call, s.ended)
		if n := len(list); n != 4 || list[0] != "user go" || !strings.HasPrefix(list[1], "assistant ") || list[2] != "tool result "+noResult && list[2] != "tool result Error: "+noResult || list[3] != "assistant done" {
			t.Errorf("%s: %q", s.format, list)
		}
		if s.result == "" {
			continue
		}
		want := "user go; user (Result of a tool) a.go; assistant done"
		if s.format == model.FormatADK { // by its author; it is sent with the role of the user
			want = "user go; assistant (Result of a tool) a.go; assistant done"
		}
		if list := strings.Join(mended(s.user, s.result, s.ended), "; "); list != want {
			t.Errorf("%s: %s", s.format, list)
		}
	}
}

// Results that belong together come into one message, or after each other, and no text before them.
func TestResultsOfOneTurn(t *testing.T) {
	const head, tail = `[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}},{"type":"tool_use","id":"b","name":"f","input":{}}]},`, `{"role":"assistant","content":"done"}]`
	a, b, none := `{"type":"tool_result","tool_use_id":"a","content":"A"}`, `{"type":"tool_result","tool_use_id":"b","content":"B"}`, `{"type":"tool_result","tool_use_id":"%s","content":"No result was recorded.","is_error":true}`
	user := func(blocks ...string) string { return `{"role":"user","content":[` + strings.Join(blocks, ",") + `]},` }
	for name, x := range map[string]struct{ in, out string }{
		"none is there":      {"", user(fmt.Sprintf(none, "a"), fmt.Sprintf(none, "b"))},
		"one is there":       {user(b), user(fmt.Sprintf(none, "a"), b)},
		"a second one":       {user(a, b, strings.Replace(a, `"A"`, `"C"`, 1)), user(a, b, `{"type":"text","text":"(Result of a tool)\nC"}`)},
		"one without a call": {user(strings.Replace(a, `"a"`, `"z"`, 1), a, b), user(a, b, `{"type":"text","text":"(Result of a tool)\nA"}`)},
		"a text before them": {user(`{"type":"text","text":"look"}`, a, b), user(a, b, `{"type":"text","text":"look"}`)},
	} {
		if _, out, r := checkText(t, head+x.in+tail, Options{}); out != head+x.out+tail || r.Err != nil {
			t.Errorf("%s: %v\n%s\n%s", name, r.Err, out, head+x.out+tail)
		}
	}
	pi := `{"type":"session","version":3,"id":"s","timestamp":"2026-10-01T10:00:00Z","cwd":"/"}
{"type":"message","id":"a","parentId":null,"timestamp":"2026-10-01T10:00:01Z","message":{"role":"user","content":"go"}}
{"type":"message","id":"b","parentId":"a","timestamp":"2026-10-01T10:00:02Z","message":{"role":"assistant","content":[{"type":"toolCall","id":"x","name":"f","arguments":{}},{"type":"toolCall","id":"y","name":"f","arguments":{}}]}}
{"type":"message","id":"c","parentId":"b","timestamp":"2026-10-01T10:00:03Z","message":{"role":"user","content":"more"}}
`
	_, out, _ := checkText(t, pi, Options{Mend: func(*Fault) bool { return true }})
	if got := strings.Join(said(reading(t, out)), "; "); got != "user go; assistant f {}; tool result No result was recorded.; tool result No result was recorded.; user more" {
		t.Error(got)
	}
}

// A file that is right stays as it is: calls without ids, a request that goes on with what its
// provider holds, a call that the provider runs, a session whose beginning is in another file.
func TestHealthyFiles(t *testing.T) {
	for name, text := range map[string]string{
		"calls without ids": `[{"role":"user","parts":[{"text":"go"}]},{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}},{"functionCall":{"name":"g","args":{}}}]},
			{"role":"user","parts":[{"functionResponse":{"id":"f-1","name":"f","response":{"output":"A"}}},{"functionResponse":{"id":"g-2","name":"g","response":{"output":"B"}}}]},{"role":"model","parts":[{"text":"done"}]}]`,
		"goes on":              `{"previous_response_id":"resp_1","input":[{"type":"function_call_output","call_id":"c","output":"A"},{"type":"message","role":"user","content":[{"type":"input_text","text":"go on"}]}]}`,
		"the provider runs it": `[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}]},{"role":"user","content":"and?"}]`,
		"a part":               strings.Replace(claudeU, `"parentUuid":null`, `"parentUuid":"before"`, 1) + "\n" + strings.Replace(claudeE, `"r1"`, `"u1"`, 1) + "\n",
	} {
		if faults, out, r := checkText(t, text, Options{}); faults != "" || out != text || r.Err != nil {
			t.Errorf("%s: %s %v", name, faults, r.Err)
		}
	}
}
