package transcript

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/mapped"
)

// shape is a small history of a format: a turn, repeated, between a head and a tail. @ is
// the number of the turn. The counts are those of one turn.
type mappedShape struct {
	format                   model.Format
	head, turn, sep, tail    string
	messages, calls, results int
	last                     string // the text of the turn's last message
}

const mappedTurns = 7

func (s mappedShape) text() string {
	turns := make([]string, mappedTurns)
	for i := range turns {
		turns[i] = strings.ReplaceAll(s.turn, "@", fmt.Sprint(i+1))
	}
	return s.head + strings.Join(turns, s.sep) + s.tail
}

var mappedShapes = []mappedShape{
	{"bedrock", `{"modelId":"m","system":[{"text":"be brief"}],"messages":[`,
		`{"role":"user","content":[{"text":"question @"}]},{"role":"assistant","content":[{"text":"I look."},{"toolUse":{"toolUseId":"t@","name":"ls","input":{"path":"."}}}]},` +
			`{"role":"user","content":[{"toolResult":{"toolUseId":"t@","content":[{"text":"a.go"}],"status":"success"}}]},{"role":"assistant","content":[{"text":"answer @"}]}`, ",", `]}`, 4, 1, 1, "answer @"},
	{"bedrock", "[", `{"role":"user","content":[{"text":"question @"}]},{"role":"assistant","content":[{"text":"answer @"}]}`, ",", "]", 2, 0, 0, "answer @"},
	{"tau2-bench", `{"info":{"agent_info":{"llm":"m"}},"simulations":[{"task_id":"7","trial":1,"termination_reason":"user_stop","messages":[`, `{"role":"user","content":"question @","tool_calls":null},{"role":"assistant","content":null,"tool_calls":[{"id":"t@","name":"ls","arguments":{},"requestor":"assistant"}]},` +
		`{"id":"t@","role":"tool","content":"a.go","requestor":"assistant","error":false},{"role":"assistant","content":"answer @"}`, ",", "]}]}", 4, 1, 1, "answer @"},
	{"otel", "[", `{"role":"user","parts":[{"type":"text","content":"question @"}]},{"role":"assistant","parts":[{"type":"reasoning","content":"hm"},{"type":"tool_call","id":"t@","name":"ls","arguments":{}}]},` +
		`{"role":"tool","parts":[{"type":"tool_call_response","id":"t@","response":"a.go"}]},{"role":"assistant","parts":[{"type":"text","content":"answer @"}],"finish_reason":"stop"}`, ",", "]", 4, 1, 1, "answer @"},
	{"inspect", `{"version":2,"eval":{"model":"m"},"samples":[{"id":1,"epoch":1,"input":"q","output":{},"messages":[`, `{"role":"user","content":"question @"},{"role":"assistant","content":"I look.","tool_calls":[{"id":"t@","function":"ls","arguments":{}}]},` +
		`{"role":"tool","tool_call_id":"t@","content":"a.go"},{"role":"assistant","content":"answer @"}`, ",", `]}]}`, 4, 1, 1, "answer @"},
	{"atif", `{"schema_version":"ATIF-v1.7","session_id":"s","steps":[`, `{"step_id":1,"source":"user","message":"question @"},{"step_id":2,"source":"agent","message":"I look.","tool_calls":[{"tool_call_id":"t@","function_name":"ls","arguments":{}}],` +
		`"observation":{"results":[{"source_call_id":"t@","content":"a.go"}]}},{"step_id":3,"source":"agent","message":"answer @"}`, ",", `]}`, 4, 1, 1, "answer @"},
	{"langchain", `{"values":{"messages":[`, `{"type":"human","content":"question @","id":"u@"},{"type":"ai","content":[{"type":"text","text":"I look."}],"tool_calls":[{"name":"ls","args":{},"id":"t@","type":"tool_call"}]},` +
		`{"type":"tool","content":"a.go","tool_call_id":"t@"},{"type":"AIMessage","content":"answer @"}`, ",", `]}}`, 4, 1, 1, "answer @"},
	{"ai-sdk", `{"id":"c","messages":[`, `{"id":"u@","role":"user","parts":[{"type":"text","text":"question @"}]},{"id":"a@","role":"assistant","parts":[{"type":"step-start"},` +
		`{"type":"tool-ls","toolCallId":"t@","state":"output-available","input":{},"output":"a.go"},{"type":"step-start"},{"type":"text","text":"answer @"}]}`, ",", `]}`, 4, 1, 1, "answer @"},
	{"pydantic-ai", "[", `{"parts":[{"content":"question @","timestamp":"2026-01-02T03:04:05Z","part_kind":"user-prompt"}],"kind":"request"},` +
		`{"parts":[{"tool_name":"ls","args":{"path":"."},"tool_call_id":"t@","part_kind":"tool-call"}],"model_name":"m","kind":"response"},` +
		`{"parts":[{"tool_name":"ls","content":"a.go","tool_call_id":"t@","part_kind":"tool-return"}],"kind":"request"},{"parts":[{"content":"answer @","part_kind":"text"}],"kind":"response"}`, ",", "]", 4, 1, 1, "answer @"},
	{"haystack", "[", `{"role":"user","meta":{},"name":null,"content":[{"text":"question @"}]},{"role":"assistant","meta":{"model":"m"},"name":null,"content":[{"tool_call":{"tool_name":"ls","arguments":{"path":"."},"id":"t@"}}]},` +
		`{"role":"tool","meta":{},"name":null,"content":[{"tool_call_result":{"result":"a.go","origin":{"tool_name":"ls","arguments":{},"id":"t@"},"error":false}}]},{"role":"assistant","meta":{},"name":null,"content":[{"text":"answer @"}]}`, ",", "]", 4, 1, 1, "answer @"},
	{"goose", `{"working_dir":"/w","description":"d","message_count":4}` + "\n", `{"role":"user","created":1700000000,"content":[{"type":"text","text":"question @"}]}` + "\n" +
		`{"role":"assistant","created":1700000001,"content":[{"type":"toolRequest","id":"t@","toolCall":{"status":"success","value":{"name":"ls","arguments":{"path":"."}}}}]}` + "\n" +
		`{"role":"user","created":1700000002,"content":[{"type":"toolResponse","id":"t@","toolResult":{"status":"success","value":[{"type":"text","text":"a.go"}]}}]}` + "\n" +
		`{"role":"assistant","created":1700000003,"content":[{"type":"text","text":"answer @"}]}`, "\n", "\n", 4, 1, 1, "answer @"},
	// Most lines are results, whose member toolResult is Bedrock's too.
	{"goose", `{"working_dir":"/w","description":"d","message_count":5}` + "\n", `{"role":"assistant","created":1700000001,"content":[` +
		`{"type":"toolRequest","id":"t@","toolCall":{"status":"success","value":{"name":"ls","arguments":{}}}},` +
		`{"type":"toolRequest","id":"u@","toolCall":{"status":"success","value":{"name":"ls","arguments":{}}}},` +
		`{"type":"toolRequest","id":"v@","toolCall":{"status":"success","value":{"name":"ls","arguments":{}}}}]}` + "\n" +
		`{"role":"user","created":1700000002,"content":[{"type":"toolResponse","id":"t@","toolResult":{"status":"success","value":[]}}]}
{"role":"user","created":1700000002,"content":[{"type":"toolResponse","id":"u@","toolResult":{"status":"success","value":[]}}]}
{"role":"user","created":1700000002,"content":[{"type":"toolResponse","id":"v@","toolResult":{"status":"success","value":[]}}]}
` + `{"role":"assistant","created":1700000003,"content":[{"type":"text","text":"answer @"}]}`, "\n", "\n", 5, 3, 3, "answer @"},
	{"deepseek-export", `[{"id":"c","title":"t","mapping":{"root":{"id":"root","parent":null,"children":["u1"],"message":null},`,
		`"u@":{"id":"u@","parent":"root","children":["a@"],"message":{"files":[],"model":"deepseek-chat","inserted_at":"2026-01-02T03:04:0@Z","fragments":[{"type":"REQUEST","content":"question @"}]}},` +
			`"a@":{"id":"a@","parent":"u@","children":[],"message":{"files":[],"model":"deepseek-chat","inserted_at":"2026-01-02T03:05:0@Z","fragments":[{"type":"THINK","content":"hm"},{"type":"RESPONSE","content":"answer @"}]}}`, ",", `}}]`, 2, 0, 0, "answer @"},
	{"vscode-copilot", `{"responderUsername":"GitHub Copilot","requests":[`, `{"requestId":"r@","message":{"text":"question @"},"timestamp":1700000000000,"modelId":"m","response":[{"value":"seen"}],"result":{"metadata":{"toolCallRounds":[` +
		`{"response":"I look.","toolCalls":[{"id":"t@","name":"ls","arguments":"{}"}],"id":"x@"},{"response":"answer @","toolCalls":[],"id":"y@"}],"toolCallResults":{"t@":{"content":[{"value":"a.go"}]}}}}}`, ",", `]}`, 4, 1, 1, "answer @"},
	{"vscode-copilot", `{"responderUsername":"GitHub Copilot","requests":[`, `{"requestId":"r@","message":{"text":"question @"},"response":[{"kind":"thinking","value":"Hm."},{"value":"I "},{"value":"look."},{"kind":"toolInvocationSerialized","toolCallId":"t@","toolId":"ls","isComplete":true,"invocationMessage":"Listing","resultDetails":{"output":"a.go"}},{"value":"answer @"}]}`, ",", `]}`, 4, 1, 1, "answer @"},
	{"cursor-agent", "", `{"role":"user","message":{"content":[{"type":"text","text":"question @"}]}}` + "\n" + `{"role":"assistant","message":{"content":[{"type":"text","text":"answer @"}]}}`, "\n", "\n", 2, 0, 0, "answer @"},
	{"cursor", `{"tabs":[{"tabId":"t","chatTitle":"c","bubbles":[`, `{"type":"user","id":"u@","text":"question @"},{"type":"ai","id":"a@","text":"answer @"}`, ",", "]}]}", 2, 0, 0, "answer @"},
	{"aider", "\n# aider chat started at 2026-01-02 03:04:05\n\n> Main model: m with diff edit format  \n\n", "#### question @  \n#### in two lines  \n\nanswer @\n\n> Applied edit to a.go  \n", "\n", "", 3, 0, 0, "Applied edit to a.go"},
	{"specstory", "<!-- Generated by SpecStory -->\n\n# A title\n\n", "_**User**_\n\nquestion @\n\n---\n\n_**Assistant**_\n\nanswer @\n\n---\n", "\n", "", 2, 0, 0, "answer @"},
	{"crush", "", `{"crush_session":"s","title":"t","id":"u@","role":"user","parts":[{"type":"text","data":{"text":"question @"}}],"created_at":1700000000}` + "\n" +
		`{"crush_session":"s","title":"t","id":"a@","role":"assistant","model":"m","parts":[{"type":"tool_call","data":{"id":"t@","name":"ls","input":"{}","finished":true}},{"type":"finish","data":{"reason":"tool_use"}}],"created_at":1700000001}` + "\n" +
		`{"crush_session":"s","title":"t","id":"r@","role":"tool","parts":[{"type":"tool_result","data":{"tool_call_id":"t@","name":"ls","content":"a.go","is_error":false}}],"created_at":1700000002}`, "\n", "\n", 3, 1, 1, "a.go"},
	{"kiro", `{"conversation_id":"c","history":[`, `{"user":{"content":{"Prompt":{"prompt":"question @"}},"timestamp":"2026-01-02T03:04:05Z"},"assistant":{"ToolUse":{"message_id":"m@","content":"I look.","tool_uses":[{"id":"t@","name":"ls","args":{"path":"."}}]}}},` +
		`{"user":{"content":{"ToolUseResults":{"tool_use_results":[{"tool_use_id":"t@","content":[{"Text":"a.go"}],"status":"Success"}]}}},"assistant":{"Response":{"message_id":"n@","content":"answer @"}}}`, ",", "]}", 4, 1, 1, "answer @"},
	{"kiro", `{"conversation_id":"c","history":[`, `[{"additional_context":"","content":{"Prompt":{"prompt":"question @"}}},{"ToolUse":{"message_id":"m@","content":"I look.","tool_uses":[{"id":"t@","name":"ls","args":{"path":"."}}]}}],[{"content":{"ToolUseResults":{"tool_use_results":[{"tool_use_id":"t@","content":[{"Text":"a.go"}],"status":"Success"}]}}},{"Response":{"message_id":"n@","content":"answer @"}}]`, ",", "]}", 4, 1, 1, "answer @"},
	{"zed", `{"version":"0.2.0","summary":"s","messages":[`, `{"id":0,"role":"user","segments":[{"type":"text","text":"question @"}],"tool_uses":[],"tool_results":[]},{"id":1,"role":"assistant","segments":[{"type":"thinking","text":"hm"},{"type":"text","text":"answer @"}],"tool_uses":[{"id":"t@","name":"ls","input":{}}],"tool_results":[{"tool_use_id":"t@","is_error":false,"content":"a.go"}]}`, ",", "]}", 3, 1, 1, "a.go"},
	{"codex-exec", `{"type":"thread.started","thread_id":"x"}` + "\n", `{"type":"turn.started"}` + "\n" + `{"type":"item.completed","item":{"id":"i@","type":"command_execution","command":"ls","aggregated_output":"a.go","exit_code":0,"status":"completed"}}` + "\n" +
		`{"type":"item.completed","item":{"id":"j@","type":"agent_message","text":"answer @"}}` + "\n" + `{"type":"turn.completed","usage":{"input_tokens":9,"cached_input_tokens":3,"output_tokens":4}}`, "\n", "\n", 3, 1, 1, "answer @"},
	{"gemini-stream", `{"type":"init","session_id":"s","model":"m"}` + "\n", `{"type":"message","role":"user","content":"question @"}` + "\n" + `{"type":"message","role":"assistant","content":"I ","delta":true}` + "\n" + `{"type":"message","role":"assistant","content":"look.","delta":true}` + "\n" +
		`{"type":"tool_use","tool_name":"ls","tool_id":"t@","parameters":{}}` + "\n" + `{"type":"tool_result","tool_id":"t@","status":"success","output":"a.go"}` + "\n" + `{"type":"message","role":"assistant","content":"answer @","delta":true}`, "\n", "\n", 4, 1, 1, "answer @"},
	{"open-webui", `[{"id":"c","chat":{"title":"t","models":["m"],"history":{"currentId":"a7","messages":{`, `"u@":{"id":"u@","parentId":"p@","role":"user","content":"question @"},"a@":{"id":"a@","parentId":"u@","role":"assistant","model":"m","content":"answer @"},"p1@":{"id":"p1@","parentId":"a@","role":"user","content":""}`, ",", `}}}}]`, 0, 0, 0, ""},
	{"open-webui", `[{"id":"c","user_id":"u","chat":{"title":"t","models":["m"],"messages":[`, `{"id":"u@","role":"user","content":"question @"},{"id":"a@","role":"assistant","content":"answer @"}`, ",", `]}}]`, 2, 0, 0, "answer @"},
	{"librechat", `{"conversationId":"c","title":"t","messages":[`, `{"messageId":"u@","parentMessageId":"0","sender":"User","isCreatedByUser":true,"text":"question @","children":[{"messageId":"a@","parentMessageId":"u@","sender":"m","isCreatedByUser":false,"model":"m","text":"answer @","children":[]}]}`, ",", `]}`, 0, 0, 0, ""},
	{"lm-studio", `{"name":"n","messages":[`, `{"versions":[{"type":"singleStep","role":"user","content":[{"type":"text","text":"question @"}]}],"currentlySelected":0},{"versions":[{"type":"singleStep","role":"assistant","content":[{"type":"text","text":"discarded"}]},{"type":"multiStep","role":"assistant","steps":[{"type":"contentBlock","content":[{"type":"text","text":"answer @"}]}]}],"currentlySelected":1}`, ",", `]}`, 2, 0, 0, "answer @"},
	{"grok-export", `{"conversations":[{"conversation":{"title":"t"},"responses":[`, `{"response":{"_id":"u@","sender":"human","message":"question @","create_time":{"$date":{"$numberLong":"1700000000000"}}}},{"response":{"_id":"a@","sender":"ASSISTANT","message":"answer @","model":"grok"}}`, ",", `]}]}`, 2, 0, 0, "answer @"},
	{"grok-build", `{"type":"system","content":"You are"}` + "\n", `{"type":"user","content":[{"type":"text","text":"question @"}],"prompt_index":0}` + "\n" + `{"type":"assistant","content":"I look.","tool_calls":[{"id":"t@","name":"ls","arguments":"{}"}],"model_id":"m"}` + "\n" + `{"type":"tool_result","tool_call_id":"t@","content":"a.go"}` + "\n" + `{"type":"assistant","content":"answer @","model_id":"m"}`, "\n", "\n", 4, 1, 1, "answer @"},
	{"mistral-export", "[", `{"id":"u@","chatId":"c","role":"user","content":"question @","createdAt":"2026-01-02T03:04:05Z"},{"id":"a@","chatId":"c","role":"assistant","content":"answer @","createdAt":"2026-01-02T03:04:06Z"}`, ",", "]", 2, 0, 0, "answer @"},
	{"autogen", `{"type":"TeamState","agent_states":{"coder":{"type":"S","agent_state":{"llm_context":{"messages":[`, `{"content":"question @","source":"user","type":"UserMessage"},{"content":[{"id":"t@","arguments":"{}","name":"ls"}],"source":"coder","type":"AssistantMessage"},` +
		`{"content":[{"content":"a.go","name":"ls","call_id":"t@","is_error":false}],"type":"FunctionExecutionResultMessage"},{"content":"answer @","source":"coder","type":"AssistantMessage"}`, ",", `]}}}}}`, 4, 1, 1, "answer @"},
	{"semantic-kernel", "[", `{"Role":{"Label":"user"},"Items":[{"$type":"TextContent","Text":"question @"}]},{"Role":{"Label":"assistant"},"Items":[{"$type":"FunctionCallContent","Id":"t@","FunctionName":"ls","Arguments":{}}]},` +
		`{"Role":{"Label":"tool"},"Items":[{"$type":"FunctionResultContent","CallId":"t@","FunctionName":"ls","Result":"a.go"}]},{"Role":{"Label":"assistant"},"Items":[{"$type":"TextContent","Text":"answer @"}]}`, ",", "]", 4, 1, 1, "answer @"},
	{"llamaindex", `{"store":{"k":[`, `{"role":"user","additional_kwargs":{},"blocks":[{"block_type":"text","text":"question @"}]},{"role":"assistant","additional_kwargs":{"tool_calls":[{"id":"t@","function":{"name":"ls","arguments":"{}"}}]},"blocks":[]},` +
		`{"role":"tool","additional_kwargs":{"tool_call_id":"t@","name":"ls"},"blocks":[{"block_type":"text","text":"a.go"}]},{"role":"assistant","additional_kwargs":{},"blocks":[{"block_type":"text","text":"answer @"}]}`, ",", `]},"class_name":"SimpleChatStore"}`, 4, 1, 1, "answer @"},
	{"smolagents", "[", `{"task":"question @","task_images":null},{"step_number":@,"model_output":"I look.","tool_calls":[{"id":"t@","type":"function","function":{"name":"ls","arguments":"{}"}}],"observations":"a.go"}`, ",", "]", 3, 1, 1, "a.go"},
	{"smolagents", `{"steps":[`, `{"step_number":@,"model_output":"I look.","tool_calls":[{"id":"t@","type":"function","function":{"name":"ls","arguments":"{}"}}],"observations":null,"error":{"type":"AgentExecutionError","message":"failed @"}}`, ",", "]}", 2, 1, 1, "failed @"},
	{"openai-assistants", `{"object":"list","data":[`, `{"id":"u@","object":"thread.message","created_at":170000000@,"role":"user","content":[{"type":"text","text":{"value":"question @","annotations":[]}}]},{"id":"a@","object":"thread.message","created_at":170000000@,"role":"assistant","content":[{"type":"text","text":{"value":"answer @","annotations":[]}}]}`, ",", "]}", 2, 0, 0, "answer @"},
	{"letta", `{"agents":[{"name":"a","agent_type":"letta_v1_agent","llm_config":{"model":"m"},"messages":[`, `{"type":"message","role":"user","content":[{"type":"text","text":"question @"}],"id":"u@"},{"type":"message","role":"assistant","content":[{"type":"text","text":"I look."}],"tool_calls":[{"id":"t@","function":{"name":"ls","arguments":"{}"},"type":"function"}],"id":"a@"},` +
		`{"type":"message","role":"tool","content":[{"type":"text","text":"a.go"}],"tool_call_id":"t@","name":"ls","id":"r@"},{"type":"message","role":"assistant","content":[{"type":"text","text":"answer @"}],"id":"b@"}`, ",", "]}]}", 4, 1, 1, "answer @"},
	{"amp", `{"v":9,"id":"T-1","created":1700000000000,"title":"t","messages":[`, `{"role":"user","messageId":1,"content":[{"type":"text","text":"question @"}],"meta":{"sentAt":1700000000000}},` +
		`{"role":"assistant","messageId":2,"content":[{"type":"thinking","thinking":"hm","signature":"x"},{"type":"tool_use","id":"t@","name":"Read","input":{"path":"a.go"},"complete":true}],"usage":{"model":"m","inputTokens":3,"outputTokens":2,"cacheReadInputTokens":5}},` +
		`{"role":"user","messageId":3,"content":[{"type":"tool_result","toolUseID":"t@","run":{"status":"done","result":{"content":"a.go"}}}]},{"role":"assistant","messageId":4,"content":[{"type":"text","text":"answer @"}],"usage":{"model":"m","outputTokens":2}}`, ",", "]}", 4, 1, 1, "answer @"},
	{"amp", `{"id":"T-1","title":"t","messages":[`, `{"role":"user","text":"question @","createdAt":1700000000000},{"role":"assistant","text":"answer @","createdAt":1700000001000}`, ",", "]}", 2, 0, 0, "answer @"},
	{"continue", `{"sessionId":"s","title":"t","workspaceDirectory":"/w","history":[`, `{"message":{"role":"user","content":"question @"},"contextItems":[]},{"message":{"role":"assistant","content":"I look.","toolCalls":[{"id":"t@","type":"function","function":{"name":"ls","arguments":"{}"}}]},"contextItems":[]},` +
		`{"message":{"role":"tool","content":"a.go","toolCallId":"t@"},"contextItems":[]},{"message":{"role":"assistant","content":"answer @"},"contextItems":[]}`, ",", "]}", 4, 1, 1, "answer @"},
	{"roo-ui", "[", `{"ts":1700000000000,"type":"say","say":"task","text":"question @"},{"ts":1700000000001,"type":"say","say":"api_req_started","text":"{}"},{"ts":1700000000002,"type":"say","say":"text","text":"answer @"}`, ",", "]", 2, 0, 0, "answer @"},
	{"roo-ui", "[", `{"ts":170000000000@,"type":"say","say":"user_feedback","text":"question @"},{"ts":1700000000001,"type":"ask","ask":"tool","text":"{\"tool\":\"readFile\",\"path\":\"a.go\"}"},{"ts":1700000000002,"type":"ask","ask":"command","text":"ls"},{"ts":1700000000003,"type":"say","say":"command_output","text":"a.go"},{"ts":1700000000004,"type":"say","say":"condense_context","contextCondense":{"summary":"in short @"}}`, ",", "]", 5, 2, 0, "in short @"},
	{"happy", "[", `{"id":"u@","seq":1,"content":{"role":"user","content":{"type":"text","text":"question @"}},"createdAt":1700000000000},{"id":"a@","seq":2,"content":{"role":"agent","content":{"type":"output","data":{"type":"assistant","message":{"role":"assistant","model":"m","content":[{"type":"tool_use","id":"t@","name":"ls","input":{}}]}}}},"createdAt":1700000000001},` +
		`{"id":"r@","seq":3,"content":{"role":"agent","content":{"type":"output","data":{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t@","content":"a.go"}]}}}},"createdAt":1700000000002}`, ",", "]", 3, 1, 1, "a.go"},
	{"hermes", `{"schema_version":1,"producer":"hermes/1","session_id":"s","messages":[`, `{"message_id":"u@","role":"user","state":"active","text":"question @","tool_calls":[],"tool_results":[]},{"message_id":"a@","role":"assistant","state":"active","text":"I look.","reasoning":"hm","tool_calls":[{"action_id":"t@","tool_name":"ls","arguments_json":"{}"}],"tool_results":[]},` +
		`{"message_id":"r@","role":"tool","state":"active","text":null,"tool_calls":[],"tool_results":[{"action_id":"t@","is_error":false,"output":"a.go"}]},{"message_id":"b@","role":"assistant","state":"active","text":"answer @","tool_calls":[],"tool_results":[]}`, ",", "]}", 4, 1, 1, "answer @"},
	{"antigravity", "", `{"step_index":0,"source":"USER_EXPLICIT","type":"USER_INPUT","content":"question @"}` + "\n" + `{"step_index":1,"source":"MODEL","type":"RUN_COMMAND","content":"a.go","tool_calls":[{"name":"ls","id":"t@","arguments":{}}]}` + "\n" + `{"step_index":2,"source":"MODEL","type":"PLANNER_RESPONSE","content":"answer @"}`, "\n", "\n", 4, 1, 1, "answer @"},
	{"ai-studio", `{"runSettings":{"model":"m"},"chunkedPrompt":{"chunks":[`, `{"text":"question @","role":"user"},{"text":"hm","role":"model","isThought":true},{"text":"answer @","role":"model"}`, ",", "]}}", 3, 0, 0, "answer @"},
	{"qwenpaw", `{"agent":{"name":"F","memory":{"content":[`, `[{"id":"u@","name":"user","role":"user","content":[{"type":"text","text":"question @"}]},[]],[{"id":"a@","name":"F","role":"assistant","content":[{"type":"tool_use","id":"t@","name":"ls","input":{}}]},[]],[{"id":"r@","name":"system","role":"system","content":[{"type":"tool_result","id":"t@","name":"ls","output":[{"type":"text","text":"a.go"}]}]},[]]`, ",", "]}}}", 3, 1, 1, "a.go"},
	{"posit", "", `{"id":@,"message":{"role":"user","content":"question @"}}` + "\n" + `{"id":@,"message":{"role":"assistant","content":[{"type":"tool-call","toolCallId":"t@","toolName":"ls","input":{}}]}}` + "\n" + `{"id":@,"message":{"role":"tool","content":[{"type":"tool-result","toolCallId":"t@","toolName":"ls","output":{"type":"text","value":"a.go"}}]}}` + "\n" + `{"id":@,"message":{"role":"assistant","content":[{"type":"text","text":"answer @"}]}}`, "\n", "\n", 4, 1, 1, "answer @"},
	{"managed-agents", "", `{"role":"user","kind":"message","content":"question @","raw":{"type":"user.message","id":"u@"}}` + "\n" + `{"role":"agent","kind":"tool_use","tool":"ls","content":"{}","raw":{"id":"t@","name":"ls","input":{},"type":"agent.tool_use"}}` + "\n" + `{"role":"agent","kind":"tool_result","content":"a.go","raw":{"id":"r@","tool_use_id":"t@","is_error":false,"type":"agent.tool_result"}}`, "\n", "\n", 3, 1, 1, "a.go"},
	{"copilot-hooks", "", `{"session_id":"s","cwd":"/w","type":"userpromptsubmitted","prompt":"question @","timestamp":1700000000000}` + "\n" + `{"session_id":"s","type":"assistantresponse","result":"answer @","timestamp":1700000001000}`, "\n", "\n", 2, 0, 0, "answer @"},
	{"trace", `{"trace":{"id":"x"},"observations":[`, `{"id":"g@","traceId":"x","parentObservationId":null,"type":"GENERATION","name":"chat","startTime":"2026-01-02T03:04:0@.100Z","model":"m","input":"[{\"role\":\"user\",\"content\":\"question @\"}]","output":"{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"t@\",\"function\":{\"name\":\"ls\",\"arguments\":\"{}\"}}]}","usageDetails":{"input":5,"output":2}},` +
		`{"id":"s@","traceId":"x","parentObservationId":null,"type":"TOOL","name":"ls","startTime":"2026-01-02T03:04:0@.200Z","input":"{}","output":"a.go"}`, ",", "]}", 3, 1, 1, "a.go"},
	{"iflow", "", `{"uuid":"u@","parentUuid":null,"sessionId":"session-1","type":"user","message":{"role":"user","content":"question @"},"cwd":"/w"}` + "\n" + `{"uuid":"a@","parentUuid":"u@","sessionId":"session-1","type":"assistant","message":{"id":"response-@","type":"message","role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"t@","name":"ls","input":{}}]}}` + "\n" +
		`{"uuid":"r@","parentUuid":"a@","sessionId":"session-1","type":"user","message":{"role":"user","content":[{"tool_use_id":"t@","type":"tool_result","content":{"callId":"t@","responseParts":{"functionResponse":{"response":{"output":"a.go"}}}}}]},"toolUseResult":{"toolName":"ls"}}`, "\n", "\n", 3, 1, 1, "a.go"},
	{"kimi", `{"type":"metadata","protocol_version":"1.4"}` + "\n" + `{"type":"config.update","systemPrompt":"You are","modelAlias":"m"}` + "\n", `{"type":"context.append_message","message":{"role":"user","content":[{"type":"text","text":"question @"}],"toolCalls":[],"origin":{"kind":"user"}},"time":1700000000000}` + "\n" + `{"type":"context.append_loop_event","event":{"type":"content.part","part":{"type":"think","think":"hm"}}}` + "\n" +
		`{"type":"context.append_loop_event","event":{"type":"tool.call","toolCallId":"t@","name":"ls","args":{}}}` + "\n" + `{"type":"context.append_loop_event","event":{"type":"tool.result","toolCallId":"t@","result":{"output":"a.go"}}}` + "\n" + `{"type":"context.append_loop_event","event":{"type":"step.end","usage":{"inputOther":5,"output":2,"inputCacheRead":3,"inputCacheCreation":0}}}` + "\n" +
		`{"type":"context.append_loop_event","event":{"type":"content.part","part":{"type":"text","text":"answer @"}}}`, "\n", "\n", 4, 1, 1, "answer @"},
	{"droid", `{"type":"session_start","id":"s","title":"t","cwd":"/w","owner":"o","sessionTitle":"t"}` + "\n", `{"type":"message","id":"u@","parentId":"s","message":{"role":"user","content":[{"type":"text","text":"question @"}]}}` + "\n" + `{"type":"message","id":"a@","parentId":"u@","message":{"role":"assistant","content":[{"type":"tool_use","id":"t@","name":"ls","input":{}}]}}` + "\n" +
		`{"type":"message","id":"r@","parentId":"a@","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t@","content":"a.go"}]}}` + "\n" + `{"type":"message","id":"b@","parentId":"r@","message":{"role":"assistant","content":[{"type":"text","text":"answer @"}]}}`, "\n", "\n", 4, 1, 1, "answer @"},
	{"droid", "", `{"type":"message","id":"u@","parentId":null,"message":{"role":"user","content":[{"type":"text","text":"question @"}]}}` + "\n" + `{"type":"message","id":"a@","parentId":"u@","message":{"role":"assistant","content":[{"type":"tool_use","id":"t@","name":"LS","input":{}}]}}` + "\n" +
		`{"type":"message","id":"r@","parentId":"a@","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t@","content":"a.go"}]}}`, "\n", "\n", 3, 1, 1, "a.go"},
	{"droid", `{"type":"system","session_id":"s","model":"m","cwd":"/w"}` + "\n", `{"type":"message","session_id":"s","role":"user","text":"question @","id":"u@"}` + "\n" + `{"type":"tool_call","session_id":"s","toolCallId":"t@","toolName":"ls","parameters":{},"id":"c@"}` + "\n" + `{"type":"tool_result","session_id":"s","toolCallId":"t@","value":{"stdout":"a.go"},"id":"r@"}` + "\n" + `{"type":"completion","session_id":"s","finalText":"answer @","id":"e@"}`, "\n", "\n", 4, 1, 1, "answer @"},
	{"perplexity", `{"conversations":[{"context_title":"t","entries":[`, `{"query":"question @","answer":"answer @","created_at":"2026-01-02T03:04:05Z","query_status":"COMPLETED"}`, ",", `]}]}`, 2, 0, 0, "answer @"},
	{"perplexity", `{"status":"success","entries":[`, `{"uuid":"u@","thread_title":"t","query_str":"question @","display_model":"m","blocks":[{"intended_usage":"web_results","web_result_block":{}},{"intended_usage":"ask_text","markdown_block":{"answer":"answer @"}}]}`, ",", `]}`, 2, 0, 0, "answer @"},
	{"crewai", `{"raw":"done","tasks_output":[`, `{"description":"question @","raw":"answer @","agent":"writer","messages":[]}`, ",", `],"token_usage":{}}`, 2, 0, 0, "answer @"},
	{"crewai", `{"raw":"done","tasks_output":[`, `{"description":"d","raw":"answer @","agent":"writer","messages":[{"role":"user","content":"question @"},{"role":"assistant","content":null,"tool_calls":[{"id":"t@","function":{"name":"ls","arguments":"{}"}}]},{"role":"tool","tool_call_id":"t@","content":"a.go"},{"role":"assistant","content":"answer @"}]}`, ",", `]}`, 4, 1, 1, "answer @"},
	{"crewai", "[", `{"timestamp":"2026-01-02 03:04:05","task_name":"n","task":"question @","agent":"writer","status":"started"},{"timestamp":"2026-01-02 03:04:06","task_name":"n","task":"question @","agent":"writer","status":"completed","output":"answer @"}`, ",", "]", 2, 0, 0, "answer @"},
	{"crewai", `{"type":"crew_kickoff_started","timestamp":"x","crew_name":"c"}` + "\n", `{"type":"agent_execution_started","timestamp":"x","task_prompt":"question @","agent_role":"w"}` + "\n" + `{"type":"llm_call_completed","timestamp":"x","agent_role":"w","model":"m","response":"I look."}` + "\n" +
		`{"type":"tool_usage_finished","timestamp":"x","agent_role":"w","started_at":"2026-0@","tool_name":"ls","tool_args":"{}","output":"a.go"}` + "\n" + `{"type":"llm_call_completed","timestamp":"x","agent_role":"w","response":"answer @"}`, "\n", "\n", 4, 1, 1, "answer @"},
	{"opencode-export", "# A title\n\n**Session ID:** ses_1\n**Created:** 10/1/2026\n\n---\n\n", "## User\n\nquestion @\n\n---\n\n## Assistant (Build · m · 1s)\n\n_Thinking:_\n\nhm\n\n**Tool: ls**\n\n**Input:**\n```json\n{}\n```\n\n**Output:**\n```\na.go\n```\n\nanswer @\n\n---\n", "\n", "", 4, 1, 1, "answer @"},
	{"dsh", `{"type":"session","version":0,"id":"s","cwd":"/w","delegationDepth":0}` + "\n", `{"type":"user/message","seq":"1@","time":1790000000200,"data":{"content":[{"type":"text","text":"question @"}],"source":{"kind":"user"},"role":"user","id":"u@"},"surfaceOp":"append"}` + "\n" +
		`{"type":"assistant/message","seq":"2@","time":1790000000500,"data":{"message":{"role":"assistant","content":[{"type":"reasoning","text":"hm"},{"type":"tool-call","id":"t@","name":"ls","arguments":"{}"}],"source":{"model":"m"}},"usage":{"inputTokens":9,"outputTokens":2}},"surfaceOp":"append"}` + "\n" +
		`{"type":"tool/call","seq":"3@","data":{"callId":"t@","name":"ls"}}` + "\n" + `{"type":"tool/result","seq":"4@","data":{"message":{"content":[{"type":"tool-result","toolCallId":"t@","content":[{"type":"text","text":"a.go"}],"isError":false}],"role":"user"}},"surfaceOp":"append"}` + "\n" +
		`{"type":"assistant/message","seq":"5@","data":{"message":{"role":"assistant","content":[{"type":"text","text":"answer @"}]}},"surfaceOp":"append"}`, "\n", "\n", 4, 1, 1, "answer @"},
	{"mastra", "[", `{"id":"u@","role":"user","threadId":"t","content":{"format":2,"parts":[{"type":"text","text":"question @"}]}},{"id":"a@","role":"assistant","threadId":"t","content":{"format":2,"parts":[{"type":"step-start"},{"type":"tool-invocation","toolInvocation":{"state":"result","toolCallId":"t@","toolName":"ls","args":{},"result":"a.go"}},{"type":"text","text":"answer @"}]}}`, ",", "]", 4, 1, 1, "answer @"},
	{"one-block", "", `{"role":"user","content":{"type":"text","text":"question @"}}` + "\n" + `{"role":"assistant","content":{"type":"thinking","text":"hm"}}` + "\n" + `{"role":"assistant","content":{"type":"tool_use","tool_name":"ls","tool_id":"t@","input":{}}}` + "\n" +
		`{"role":"tool","content":{"type":"tool_result","tool_id":"t@","output":"a.go"}}` + "\n" + `{"role":"assistant","content":{"type":"text","text":"answer @"}}`, "\n", "\n", 4, 1, 1, "answer @"},
	{"hermes-session", `{"session_id":"s","model":"m","platform":"cli","session_start":"2026-01-02T03:04:05Z","system_prompt":"You are","messages":[`, `{"role":"user","content":"question @"},{"role":"assistant","content":"I look.","reasoning":"hm","tool_calls":[{"id":"t@","type":"function","function":{"name":"ls","arguments":"{}"}}]},{"role":"tool","content":"a.go","tool_call_id":"t@"},{"role":"assistant","content":"answer @"}`, ",", `]}`, 4, 1, 1, "answer @"},
	{"codex-legacy", `{"session":{"id":"s","timestamp":"x","cwd":"/w","instructions":"You are"},"items":[`, `{"type":"message","role":"user","content":[{"type":"input_text","text":"question @"}]},{"type":"local_shell_call","id":"i@","call_id":"t@","action":{"type":"exec","command":["ls"]}},{"type":"local_shell_call_output","call_id":"t@","output":"a.go"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"answer @"}]}`, ",", `]}`, 4, 1, 1, "answer @"},
	{"bot-framework", "", `{"type":"message","id":"u@","conversation":{"id":"c"},"from":{"role":"user"},"recipient":{"id":"b"},"text":"question @"}` + "\n" + `{"type":"invoke","id":"i@","conversation":{"id":"c"},"from":{"role":"bot"},"recipient":{"id":"u"},"text":"ls","value":{"type":"function_call","call_id":"t@","name":"ls","arguments":"{}"}}` + "\n" +
		`{"type":"event","id":"e@","conversation":{"id":"c"},"from":{"role":"user"},"recipient":{"id":"b"},"text":"a.go","value":{"type":"function_call_output","call_id":"t@","output":"a.go"}}` + "\n" + `{"type":"message","id":"a@","conversation":{"id":"c"},"from":{"role":"bot"},"recipient":{"id":"u"},"text":"answer @"}`, "\n", "\n", 4, 1, 1, "answer @"},
	{"autogen", "[", `{"source":"user","models_usage":null,"metadata":{},"content":"question @","type":"TextMessage"},{"source":"writer","models_usage":{"prompt_tokens":9,"completion_tokens":2},"metadata":{},"content":"answer @","type":"TextMessage"}`, ",", "]", 2, 0, 0, "answer @"},
	{"codex-events", `{"timestamp":"2026-01-02T03:04:05Z","type":"session_meta","payload":{"id":"s","cwd":"/w"}}` + "\n", `{"type":"event_msg","payload":{"type":"user_message","message":"question @"}}` + "\n" +
		`{"type":"event_msg","payload":{"type":"exec_command_begin","call_id":"t@","command":["ls"]}}` + "\n" + `{"type":"event_msg","payload":{"type":"exec_command_end","call_id":"t@","stdout":"a.go","exit_code":0}}` + "\n" +
		`{"type":"event_msg","payload":{"type":"token_count","info":null}}` + "\n" + `{"type":"event_msg","payload":{"type":"agent_message","message":"answer @"}}`, "\n", "\n", 4, 1, 1, "answer @"},
	{"swe-agent-lines", `{"agent":"main","role":"system","content":"be brief","message_type":"system_prompt"}` + "\n", `{"agent":"main","content":[{"text":"question @","type":"text"}],"message_type":"observation","role":"user"}` + "\n" +
		`{"action":"ls","agent":"main","content":"","message_type":"action","role":"assistant","thought":"","tool_calls":[{"function":{"arguments":"{}","name":"ls"},"id":"t@","type":"function"}]}` + "\n" +
		`{"agent":"main","content":[{"text":"a.go","type":"text"}],"message_type":"observation","role":"tool","tool_call_ids":["t@"]}` + "\n" + `{"action":"","agent":"main","content":"answer @","message_type":"action","role":"assistant","thought":"answer @"}`, "\n", "\n", 4, 1, 1, "answer @"},
	{"atof", `{"atof_version":"0.1","kind":"scope","category":"agent","scope_category":"start","uuid":"p","metadata":{"session_id":"s"}}` + "\n",
		`{"atof_version":"0.1","kind":"scope","category":"llm","scope_category":"start","uuid":"l@","metadata":{"session_id":"s"},"data":{"content":"question @"}}` + "\n" +
			`{"atof_version":"0.1","kind":"scope","category":"tool","scope_category":"start","uuid":"t@","name":"ls","metadata":{"session_id":"s","tool_call_id":"c@"},"data":{"path":"."}}` + "\n" +
			`{"atof_version":"0.1","kind":"scope","category":"tool","scope_category":"end","uuid":"t@","name":"ls","metadata":{"session_id":"s","tool_call_id":"c@"},"data":{"stdout":"a.go"}}` + "\n" +
			`{"atof_version":"0.1","kind":"scope","category":"llm","scope_category":"end","uuid":"l@","metadata":{"session_id":"s"},"data":{"assistant_message":"answer @"}}`, "\n", "\n", 4, 1, 1, "answer @"},
	{"claude-stream", `{"type":"system","subtype":"init","session_id":"s","cwd":"/w","model":"m","tools":["Bash"]}` + "\n",
		`{"type":"user","message":{"role":"user","content":"question @"},"parent_tool_use_id":null,"session_id":"s"}` + "\n" + `{"type":"assistant","message":{"id":"m@","role":"assistant","model":"m","content":[{"type":"text","text":"I look."}],"usage":{"input_tokens":3,"output_tokens":1}},"parent_tool_use_id":null,"session_id":"s"}` + "\n" +
			`{"type":"assistant","message":{"id":"m@","role":"assistant","model":"m","content":[{"type":"tool_use","id":"t@","name":"ls","input":{}}],"usage":{"input_tokens":3,"output_tokens":9}},"parent_tool_use_id":null,"session_id":"s"}` + "\n" +
			`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t@","content":"a.go"}]},"parent_tool_use_id":null,"session_id":"s"}` + "\n" + `{"type":"assistant","message":{"id":"n@","role":"assistant","model":"m","content":[{"type":"text","text":"answer @"}]},"parent_tool_use_id":null,"session_id":"s"}` + "\n" +
			`{"type":"result","subtype":"success","result":"answer @","session_id":"s"}`, "\n", "\n", 4, 1, 1, "answer @"},
	{"claude-stream", `[{"type":"system","subtype":"init","session_id":"s","model":"m"},`, `{"type":"user","message":{"role":"user","content":"question @"},"session_id":"s"},{"type":"assistant","message":{"id":"n@","role":"assistant","content":[{"type":"text","text":"answer @"}]},"session_id":"s"}`, ",", "]", 2, 0, 0, "answer @"},
	{"pairs", "", `{"instruction":"question @","input":"","output":"answer @"}`, "\n", "\n", 2, 0, 0, "answer @"},
	{"pairs", "[", `{"prompt":[{"role":"system","content":"be brief"},{"role":"user","content":"question @"}],"completion":[{"role":"assistant","content":"answer @"}]}`, ",", "]", 3, 0, 0, "answer @"},
	{"copilot-debug", "", `{"ts":1,"sid":"s","type":"user_message","spanId":"u@","attrs":{"content":"question @"}}` + "\n" + `{"ts":2,"sid":"s","type":"agent_response","spanId":"a@","attrs":{"response":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"id\":\"t@\",\"name\":\"ls\",\"arguments\":\"{}\"}]}]"}}` + "\n" +
		`{"ts":3,"sid":"s","type":"tool_call","name":"ls","spanId":"t@","attrs":{"args":"{}","result":"a.go"}}` + "\n" + `{"ts":4,"sid":"s","type":"agent_response","spanId":"b@","attrs":{"response":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"answer @\"}]}]"}}`, "\n", "\n", 4, 1, 1, "answer @"},
	{"qwen", `{"uuid":"r0","parentUuid":null,"sessionId":"s","type":"system","subtype":"ui_telemetry"}` + "\n", `{"uuid":"u@","parentUuid":"b@","sessionId":"s","type":"user","cwd":"/w","message":{"role":"user","parts":[{"text":"question @"}]}}` + "\n" + `{"uuid":"a@","parentUuid":"u@","sessionId":"s","type":"assistant","model":"m","message":{"role":"model","parts":[{"text":"hm","thought":true},{"functionCall":{"id":"t@","name":"ls","args":{}}}]}}` + "\n" +
		`{"uuid":"r@","parentUuid":"a@","sessionId":"s","type":"tool_result","message":{"role":"user","parts":[{"functionResponse":{"id":"t@","name":"ls","response":{"output":"a.go"}}}]}}` + "\n" + `{"uuid":"c@","parentUuid":"r@","sessionId":"s","type":"assistant","message":{"role":"model","parts":[{"text":"answer @"}]}}`, "\n", "\n", 0, 0, 0, ""},
	{"chatgpt-export", `{"title":"t","conversation_id":"c","mapping":{"r":{"id":"r","message":null},`,
		`"u@":{"id":"u@","message":{"author":{"role":"user"},"content":{"content_type":"text","parts":["question @"]}}},` +
			`"t@":{"id":"t@","message":{"author":{"role":"assistant"},"recipient":"python","content":{"content_type":"code","text":"1+1"}}},` +
			`"o@":{"id":"o@","message":{"author":{"role":"tool","name":"python"},"content":{"content_type":"execution_output","text":"2"}}},` +
			`"a@":{"id":"a@","message":{"author":{"role":"assistant"},"recipient":"all","content":{"content_type":"text","parts":["answer @"]}}}`, ",", "}}", 4, 1, 1, "answer @"},
	{"claude-ai-export", `[{"uuid":"c","name":"t","chat_messages":[`, `{"uuid":"u@","sender":"human","text":"question @"},{"uuid":"a@","sender":"assistant","text":"answer @","content":[{"type":"tool_use","id":"t@","name":"ls","input":{}},{"type":"tool_result","tool_use_id":"t@","content":[{"type":"text","text":"a.go"}]},{"type":"text","text":"answer @"}]}`, ",", "]}]", 4, 1, 1, "answer @"},
	{"who-and-when", `{"question_ID":"q","question":"?","mistake_agent":"B","mistake_step":"1","history":[`, `{"role":"human","content":"question @"},{"role":"B (thought)","content":"answer @"}`, ",", "]}", 2, 0, 0, "answer @"},
}

// Each format that is data reads a small history of its own: named, counted and with
// the words in their places. One that is written back is rewritten at random.
func TestFormatsThatAreData(t *testing.T) {
	tried := map[model.Format]bool{}
	for _, s := range mappedShapes {
		tried[s.format] = true
		t.Run(string(s.format), func(t *testing.T) {
			d := mustRead(t, s.text())
			if d.Format != s.format {
				t.Fatalf("read as %s: %s", d.Format, d.Why)
			}
			for _, n := range d.Notes {
				if n.Code != "live-unproven" || Proven(d) {
					t.Errorf("note %+v", n)
				}
			}
			var copied bytes.Buffer
			if err := Copy(&copied, d); err != nil || copied.String() != s.text() {
				t.Errorf("a copy is not the source: %v", err)
			}
			if u := understood(d, true); u.unknown > 0 {
				t.Errorf("%s", u.sentence())
			}
			if s.last == "" {
				checkBranches(t, d)
				return
			}
			th := allTold(d)
			if strings.Contains(s.turn, "question @") && s.format != "deepseek-export" { // not the answer beside it
				for i := range th.Messages {
					if m := &th.Messages[i]; m.Typed() {
						if got := messageText(t, d, m); !strings.HasPrefix(got, "question 1") {
							t.Errorf("the first question reads %q", got)
						}
						break
					}
				}
			}
			messages, calls, results := 0, 0, 0
			for i := range th.Messages {
				m := &th.Messages[i]
				messages, calls = messages+1, calls+len(m.Calls)
				if m.Kind == model.KindResult {
					results++
				}
			}
			if extra := messages - mappedTurns*s.messages; extra < 0 || extra > 1 && s.format != "deepseek-export" || calls != mappedTurns*s.calls || results != mappedTurns*s.results {
				if s.format != "deepseek-export" {
					t.Errorf("%d messages, %d calls, %d results in %d turns of %d, %d and %d", messages, calls, results, mappedTurns, s.messages, s.calls, s.results)
				}
			}
			want := strings.ReplaceAll(s.last, "@", fmt.Sprint(mappedTurns))
			if got := messageText(t, d, &th.Messages[len(th.Messages)-1]); got != want {
				t.Errorf("the last message says %q, not %q", got, want)
			}
			if ReadOnly(d) == "" {
				checkRewrites(t, d, 20)
				checkClearing(t, d)
			}
		})
	}
	for _, f := range mapped.Shipped() {
		if name := f.Info().Format; !tried[name] {
			t.Errorf("%s has no sample", name)
		}
	}
}

// allTold is one thread of the main lines of all conversations, one after the other.
func allTold(d *model.Document) *model.Thread {
	if len(d.Conversations) == 1 {
		return d.Conversations[0].Main()
	}
	all := &model.Thread{}
	for _, c := range d.Conversations {
		all.Messages = append(all.Messages, c.Main().Messages...)
	}
	return all
}

// checkBranches demands all questions and answers of a tree, in whatever lines.
func checkBranches(t *testing.T, d *model.Document) {
	t.Helper()
	said := map[string]bool{}
	for _, th := range d.Conversations[0].Threads {
		for i := range th.Messages {
			said[messageText(t, d, &th.Messages[i])] = true
		}
	}
	for i := range mappedTurns {
		if !said[fmt.Sprintf("question %d", i+1)] || !said[fmt.Sprintf("answer %d", i+1)] {
			t.Errorf("turn %d is not in any line: %v", i+1, said)
		}
	}
}

// In a stream the lines of a sub-agent are beside those of who called it, and a second
// session may follow.
func TestAStreamOfSeveral(t *testing.T) {
	line := func(kind, session, parent, text string) string {
		return `{"type":"` + kind + `","message":{"role":"` + kind + `","content":[{"type":"text","text":"` + text + `"}]},"parent_tool_use_id":` + parent + `,"session_id":"` + session + `"}` + "\n"
	}
	d := mustRead(t, line("user", "s", "null", "question")+line("assistant", "s", "null", "I ask")+line("user", "s", `"t"`, "task")+line("assistant", "s", `"t"`, "done")+
		line("assistant", "s", "null", "answer")+line("user", "r", "null", "other")+line("assistant", "r", "null", "reply"))
	var got []string
	for _, c := range d.Conversations {
		got = append(got, c.ID+" "+fmt.Sprint(len(c.Main().Messages)))
	}
	if says := script(t, d); d.Format != "claude-stream" || strings.Join(got, ", ") != "s 2, t 2, r 2" || says != "user: question|assistant: I ask\nanswer" {
		t.Errorf("%s: %v: %s", d.Format, got, says)
	}
}

// What only the first of a conversation says is a person's, and a list may begin with the
// newest.
func TestWhoBegins(t *testing.T) {
	for name, c := range map[string]struct {
		format     model.Format
		text, says string
	}{
		"a screen log whose task is a text": {"roo-ui", `[{"ts":1,"type":"say","say":"text","text":"question"},{"ts":2,"type":"say","say":"api_req_started","text":"{}"},{"ts":3,"type":"say","say":"text","text":"answer"}]`,
			"user: question|assistant: answer"},
		"the newest first": {"openai-assistants", `{"object":"list","data":[{"id":"b","object":"thread.message","created_at":2,"role":"assistant","content":[{"type":"text","text":{"value":"answer"}}]},{"id":"a","object":"thread.message","created_at":1,"role":"user","content":[{"type":"text","text":{"value":"question"}}]}]}`,
			"user: question|assistant: answer"},
		"a question that is a string, a terminal and an edit": {"vscode-copilot", `{"responderUsername":"GitHub Copilot","requests":[{"requestId":"r","message":"question","response":[{"kind":"toolInvocationSerialized","toolCallId":"t","toolId":"run_in_terminal","invocationMessage":"Running","isComplete":true,` +
			`"toolSpecificData":{"kind":"terminal","commandLine":{"original":"ls"},"terminalCommandOutput":{"text":"a.go"}}},{"kind":"textEditGroup","edits":[[{"text":"new text","range":{}}]]}],"result":{"errorDetails":{"message":"rate limited"}}}]}`,
			"user: question|call: run_in_terminal|result: a.go|assistant: new text|assistant: rate limited"},
	} {
		d := mustRead(t, c.text)
		if got := script(t, d); d.Format != c.format || got != c.says {
			t.Errorf("%s: %s: %q, not %q", name, d.Format, got, c.says)
		}
	}
	for name, text := range map[string]string{
		"a log of searches": `{"entries":[{"query":"words that are looked for","answer":"what was found"},{"query":"other words","answer":"more"}]}`,
	} {
		if d, err := readBytes("x", []byte(text)); err == nil && d.Format != model.FormatGeneric {
			t.Errorf("%s is read as %s", name, d.Format)
		}
	}
}

// What looks like a format and is mostly not understood is refused in a sentence; of
// what is understood in parts, the sentence is beside it.
func TestAClaimIsEarned(t *testing.T) {
	block := `{"type":"holo","scene":"` + strings.Repeat("nothing here is known ", 9) + `"}`
	odd := func(unknown, known int) string {
		var list []string
		for i := range unknown + known {
			body := block
			if i >= unknown {
				body = `{"type":"tool_use","id":"t` + fmt.Sprint(i) + `","name":"ls","input":{"path":"` + strings.Repeat("a/b/c/", 30) + `"}}`
			}
			list = append(list, `{"role":"assistant","content":[`+body+`]}`)
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	_, err := readBytes("odd", []byte(odd(8, 1)))
	if err == nil || !strings.Contains(err.Error(), "8 of 9 messages hold what is not understood: holo") {
		t.Errorf("a source that is not understood gave %v", err)
	}
	d := mustRead(t, odd(3, 9))
	if !hasNote(d, "not-understood") {
		t.Errorf("a quarter is not understood, and the notes are %+v", d.Notes)
	}
	if d, err = Read(context.Background(), "odd", strings.NewReader(odd(8, 1)), int64(len(odd(8, 1))), Options{Format: model.FormatAnthropic}); err != nil || !hasNote(d, "not-understood") {
		t.Errorf("chosen by a person it is refused: %v", err)
	}
	if d = mustRead(t, odd(0, 9)); hasNote(d, "not-understood") {
		t.Errorf("all is understood, and the notes are %+v", d.Notes)
	}
}

func hasNote(d *model.Document, code string) bool {
	for _, n := range d.Notes {
		if n.Code == code {
			return true
		}
	}
	return false
}

// A format that is only read names why, and offers another form.
func TestReadOnlyFormatsSaySo(t *testing.T) {
	d := mustRead(t, mappedShapes[0].text())
	if ReadOnly(d) != "" {
		t.Errorf("Bedrock is written back: %s", ReadOnly(d))
	}
	for _, s := range mappedShapes {
		if s.format != "kiro" && s.format != "aider" {
			continue
		}
		d := mustRead(t, s.text())
		_, err := Rewrite(d, &Change{Drop: []int32{0}})
		if err == nil || !strings.Contains(err.Error(), "-f openai-chat") {
			t.Errorf("%s: rewriting gave %v", s.format, err)
		}
		if _, ok := d.Codec.(codec.ReadOnly); !ok {
			t.Errorf("%s is no format that is data", s.format)
		}
	}
}

// What a program says at its end is the sum over all its calls: no call was that large.
func TestTheSumOfARunIsNoCall(t *testing.T) {
	for _, source := range []string{
		`{"type":"thread.started","thread_id":"x"}` + "\n" + `{"type":"turn.started"}` + "\n" +
			`{"type":"item.completed","item":{"id":"i","type":"command_execution","command":"ls","aggregated_output":"a.go","exit_code":0,"status":"completed"}}` + "\n" +
			`{"type":"item.completed","item":{"id":"j","type":"agent_message","text":"answer"}}` + "\n" +
			`{"type":"turn.completed","usage":{"input_tokens":900000,"cached_input_tokens":3,"output_tokens":4}}` + "\n",
		`{"type":"init","session_id":"s","model":"m"}` + "\n" + `{"type":"message","role":"user","content":"question"}` + "\n" +
			`{"type":"tool_use","tool_name":"ls","tool_id":"t","parameters":{}}` + "\n" +
			`{"type":"tool_result","tool_id":"t","status":"success","output":"a.go"}` + "\n" +
			`{"type":"message","role":"assistant","content":"answer","delta":true}` + "\n" +
			`{"type":"result","status":"success","stats":{"total_tokens":900001,"input_tokens":900000,"output_tokens":1}}` + "\n",
	} {
		d, err := Read(t.Context(), "x.jsonl", strings.NewReader(source), int64(len(source)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		th := d.Conversations[0].Threads[0]
		if len(th.Messages) < 3 {
			t.Fatalf("%s: %d messages", d.Format, len(th.Messages))
		}
		for i := range th.Messages {
			if u := th.Messages[i].Usage; u != nil {
				t.Errorf("%s: message %d has %+v", d.Format, i+1, *u)
			}
		}
	}
}

// No results of tau2-bench are at hand: these follow its data model, in which a
// result's id is that of its call, arguments are objects, and a requestor says
// which of the two called.
const tau2Results = `{
  "timestamp": "2026-01-01", "info": {"agent_info": {"llm": "p/m"}}, "tasks": [],
  "simulations": [
    {"id": "s1", "task_id": "7", "trial": 1, "termination_reason": "user_stop", "reward_info": {"reward": 1.0}, "messages": [
      {"role": "assistant", "content": "Hi! How can I help?", "tool_calls": null, "turn_idx": 0, "timestamp": "2026-01-01T10:00:00", "cost": 0.0, "usage": null},
      {"role": "user", "content": "My phone has no signal.", "tool_calls": null, "turn_idx": 1},
      {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "name": "get_line", "arguments": {"n": 1.0}, "requestor": "assistant"}], "turn_idx": 2, "usage": {"prompt_tokens": 10, "completion_tokens": 2}},
      {"id": "c1", "role": "tool", "content": "{\"line\": 1}", "requestor": "assistant", "error": false, "turn_idx": 3},
      {"role": "assistant", "content": "Please toggle airplane mode.", "turn_idx": 4},
      {"role": "user", "content": null, "tool_calls": [{"id": "u1", "name": "toggle", "arguments": {}, "requestor": "user"}], "turn_idx": 5},
      {"id": "u1", "role": "tool", "content": "done", "requestor": "user", "error": false, "turn_idx": 6},
      {"role": "user", "content": "It works.", "tool_calls": [{"id": "u2", "name": "check", "arguments": {}, "requestor": "user"}], "turn_idx": 7},
      {"id": "u2", "role": "tool", "content": "ok", "requestor": "user", "error": true, "turn_idx": 8},
      {"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "name": "close", "arguments": {}, "requestor": "assistant"}], "turn_idx": 9},
      {"id": "c1", "role": "tool", "content": "no such case", "requestor": "assistant", "error": true, "turn_idx": 10}]},
    {"id": "s2", "task_id": "8", "termination_reason": "max_steps", "messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]},
    {"id": "s3", "task_id": "9", "termination_reason": "max_steps", "messages": [], "ticks": [{"agent_chunk": null}]}]
}`

// The conversation is the agent's: what the user's simulator calls is kept and not shown.
func TestTau2Results(t *testing.T) {
	d := checkFixture(t, tau2Results, "tau2-bench", 80)
	th := d.Conversations[0].Main()
	if got, want := liveShape(th), "assistant, typed, assistant get_line, result c1, assistant, typed, assistant close, result c1"; got != want {
		t.Errorf("live   %s\nwant   %s", got, want)
	}
	if len(d.Conversations) != 2 || d.Conversations[0].ID != "7" {
		t.Errorf("%d conversations, the first is %q", len(d.Conversations), d.Conversations[0].ID)
	}
	if u := th.Messages[2].Usage; u == nil || u.Input != 10 || !th.Messages[7].Error || th.Messages[3].Error {
		t.Errorf("usage %+v", u)
	}
	checkSpelling(t, []spellingCase{{"others stay", 0, 1, nil,
		`[{"id":"s","task_id":"8","termination_reason":"x","messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]},{"id":"t","task_id":"9","termination_reason":"x","messages":[{"role":"user","content":"c"}]}]`,
		`[{"id":"s","task_id":"8","termination_reason":"x","messages":[{"role":"system","content":"S é"},{"role":"assistant","content":"b"}]},{"id":"t","task_id":"9","termination_reason":"x","messages":[{"role":"user","content":"c"}]}]`}})
}
