package transcript

import (
	"fmt"
	"testing"
)

// No dump of the AI SDK is at hand: these follow the types UIMessage (versions 4
// and 5) and ModelMessage of its documentation.

func TestAISDKShapes(t *testing.T) {
	checkOutlines(t, "ai-sdk", []outlineCase{
		{"the window's: a run of steps, results in their calls",
			`{"id":"chat","messages":[{"id":"1","role":"user","parts":[{"type":"text","text":"hi"},{"type":"file","mediaType":"image/png","url":"data:"}]},{"id":"2","role":"assistant","metadata":{},"parts":[{"type":"step-start"},{"type":"reasoning","text":"hm"},{"type":"tool-f","toolCallId":"a","state":"output-available","input":{"x":1},"output":{"y":2}},{"type":"dynamic-tool","toolName":"g","toolCallId":"b","state":"output-error","input":{},"errorText":"no"},{"type":"step-start"},{"type":"text","text":"so","state":"done"},{"type":"tool-h","toolCallId":"c","state":"input-available","input":{}},{"type":"source-url","url":"u"}]}]}`,
			"user typed | text hi | media \nassistant →a:f →b:g | reasoning hm | tool call a {\"x\":1} | tool call b {}\ntool result f ←a | tool result a {\"y\":2}\ntool result g ←b failed | tool result b no\nassistant →c:h | text so | tool call c {} | opaque \n"},
		{"version 4",
			`[{"id":"1","role":"user","content":"hi","parts":[{"type":"text","text":"hi"}]},{"id":"2","role":"assistant","content":"","createdAt":"2025-01-01T00:00:00Z","parts":[{"type":"step-start"},{"type":"reasoning","reasoning":"hm"},{"type":"tool-invocation","toolInvocation":{"state":"result","toolCallId":"a","toolName":"f","args":{},"result":"1"}}]}]`,
			"user typed | text hi\nassistant →a:f | reasoning hm | tool call a {}\ntool result f ←a | tool result a 1\n"},
		{"version 4 with the calls beside the text",
			`{"id":"c","messages":[{"id":"1","role":"user","content":"hi"},{"id":"2","role":"assistant","content":"so","createdAt":"2024-12-01T00:00:00Z","toolInvocations":[{"state":"result","step":0,"toolCallId":"a","toolName":"f","args":{"x":1},"result":{"y":2}},{"state":"call","toolCallId":"b","toolName":"g","args":{}}]},{"id":"3","role":"user","content":"and?"}]}`,
			"user typed | text hi\nassistant →a:f →b:g | text so | tool call a {\"x\":1} | tool call b {}\ntool result f ←a | tool result a {\"y\":2}\nuser typed | text and?\n"},
		{"the model's",
			`[{"role":"system","content":"S"},{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"reasoning","text":"hm"},{"type":"text","text":"so"},{"type":"tool-call","toolCallId":"a","toolName":"f","input":{}},{"type":"tool-call","toolCallId":"b","toolName":"g","input":{}}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"b","toolName":"g","output":{"type":"error-text","value":"no"}},{"type":"tool-result","toolCallId":"a","toolName":"f","output":{"type":"content","value":[{"type":"text","text":"1"},{"type":"media","data":"AA"}]}}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"z","toolName":"f","output":{"type":"json","value":[1]}}]}]`,
			"system | text S\nuser typed | text hi\nassistant →a:f →b:g | reasoning hm | text so | tool call a {} | tool call b {}\ntool result g ←b failed | tool result b no\ntool result f ←a | tool result a 1 | media \ntool result f ←z | tool result z [1]\n"},
	})
}

func TestAISDKSpelling(t *testing.T) {
	const u, a = `{"id":"1","role":"user","parts":[{"type":"text","text":"u"}]}`, `{"type":"step-start"},{"type":"tool-f","toolCallId":"a","state":"output-available","input":{},"output":"long"}`
	checkSpelling(t, []spellingCase{
		{"steps out of a message", 1, 3, nil,
			`[` + u + `,{"id":"2","role":"assistant","parts":[` + a + `,{"type":"step-start"},{"type":"text","text":"b"}]}]`,
			`[` + u + `,{"id":"` + testUID + `","role":"user","parts":[{"type":"text","text":"S é"}]},{"id":"2","role":"assistant","parts":[{"type":"step-start"},{"type":"text","text":"b"}]}]`},
		{"the model's", 0, 1, nil,
			`[{"role":"user","content":"u"},{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"f","input":{}}]}]`,
			`[{"role":"user","content":[{"type":"text","text":"S é"}],"providerOptions":{}},{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"f","input":{}}]}]`},
		{"version 4, beside an invocation", 0, 1, []int32{2},
			`[{"id":"1","role":"user","content":"u"},{"id":"2","role":"assistant","content":"","toolInvocations":[{"state":"result","toolCallId":"a","toolName":"f","args":{},"result":{"y":"long"}}]}]`,
			`[{"id":"` + testUID + `","role":"user","content":"S é","parts":[{"type":"text","text":"S é"}]},{"id":"2","role":"assistant","content":"","toolInvocations":[{"state":"result","toolCallId":"a","toolName":"f","args":{},"result":"cleared"}]}]`},
		{"an output inside its call", 0, 0, []int32{2}, `[` + u + `,{"id":"2","role":"assistant","parts":[` + a + `]}]`,
			`[` + u + `,{"id":"2","role":"assistant","parts":[{"type":"step-start"},{"type":"tool-f","toolCallId":"a","state":"output-available","input":{},"output":"cleared"}]}]`},
		{"outputs of the model's messages", 0, 0, []int32{1, 2},
			`[{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"f"},{"type":"tool-call","toolCallId":"b","toolName":"f"}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"a","output":{"type":"text","value":"long"}},{"type":"tool-result","toolCallId":"b","output":{"type":"content","value":[{"type":"text","text":"long"}]}}]}]`,
			`[{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a","toolName":"f"},{"type":"tool-call","toolCallId":"b","toolName":"f"}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"a","output":{"type":"text","value":"cleared"}},{"type":"tool-result","toolCallId":"b","output":{"type":"content","value":[{"type":"text","text":"cleared"}]}}]}]`},
	})
}

func TestAISDKProperties(t *testing.T) {
	t.Run("window", func(t *testing.T) {
		propTalks(t, "ai-sdk", true, genTalk, func(s spelling, talk []saying) any {
			var list []any
			var steps []any // of the assistant message that is open
			flush := func() {
				if steps != nil {
					list = append(list, s.message("assistant", member{"id", fmt.Sprint("m", len(list))}, member{"parts", steps}))
					steps = nil
				}
			}
			for i, m := range talk {
				text := ordered{{"type", "text"}, {"text", m.text}}
				switch m.role {
				case "result":
				case "assistant":
					steps = append(steps, ordered{{"type", "step-start"}}, text)
					for k, res := range resultsOf(talk, i) {
						call := ordered{{"type", "tool-run"}, {"toolCallId", m.calls[k]}, {"state", "input-available"}, {"input", ordered{}}}
						if res != nil {
							call = append(call, member{"output", *res})
						}
						steps = append(steps, call)
					}
				default:
					flush()
					list = append(list, s.message(m.role, member{"id", fmt.Sprint("m", len(list))}, member{"parts", []any{text}}))
				}
			}
			flush()
			return ordered{{"id", "c"}, {"messages", list}}
		})
	})
	t.Run("version 4", func(t *testing.T) {
		propTalks(t, "ai-sdk", true, genTalk, func(s spelling, talk []saying) any {
			list := []any{s.message("assistant", member{"id", "first"}, member{"content", ""}, member{"toolInvocations", []any{ordered{{"state", "result"}, {"toolCallId", "0"}, {"toolName", "run"}, {"args", ordered{}}, {"result", "x"}}}})}
			for i, m := range talk {
				extra := []member{{"id", fmt.Sprint("m", i)}, {"content", m.text}}
				if m.role == "result" {
					continue
				}
				var calls []any
				for k, res := range resultsOf(talk, i) {
					call := ordered{{"state", "result"}, {"toolCallId", m.calls[k]}, {"toolName", "run"}, {"args", ordered{}}}
					if res != nil {
						call = append(call, member{"result", *res})
					}
					calls = append(calls, call)
				}
				if len(calls) > 0 {
					extra = append(extra, member{"toolInvocations", calls})
				}
				list = append(list, s.message(m.role, extra...))
			}
			return ordered{{"id", "c"}, {"messages", list}}
		})
	})
	t.Run("model", func(t *testing.T) {
		propTalks(t, "ai-sdk", true, genTalk, func(s spelling, talk []saying) any {
			var list []any
			for _, m := range talk {
				parts := []any{ordered{{"type", "text"}, {"text", m.text}}}
				for _, id := range m.calls {
					parts = append(parts, ordered{{"type", "tool-call"}, {"toolCallId", id}, {"toolName", "run"}, {"input", ordered{}}})
				}
				role := m.role
				if role == "result" {
					role, parts = "tool", []any{ordered{{"type", "tool-result"}, {"toolCallId", m.answers}, {"toolName", "run"}, {"output", ordered{{"type", "text"}, {"value", m.text}}}}}
				}
				list = append(list, s.message(role, member{"content", parts}, member{"providerOptions", ordered{}}))
			}
			return ordered{{"messages", list}}
		})
	})
}

func FuzzReadAISDK(f *testing.F) {
	fuzzRead(f, "ai-sdk", []string{
		`[{"id":"1","role":"user","content":"u"},{"id":"2","role":"assistant","content":"x","toolInvocations":[{"state":"result","toolCallId":"a","toolName":"f","args":1,"result":[]},{"state":"call","toolCallId":"a","toolName":"f"},3]}]`,
		`{"id":"c","system":"S","messages":[{"id":"1","role":"user","parts":[{"type":"text","text":"u"},{"type":"data-x"}]},{"id":"2","role":"assistant","parts":[{"type":"step-start"},{"type":"tool-f","toolCallId":"a","output":1},{"type":"dynamic-tool","errorText":"e"},{"type":"step-start"},{"type":"tool-invocation","toolInvocation":{"result":{}}}]}]}`,
		`[{"role":"user","content":"u"},{"role":"assistant","content":[{"type":"tool-call","toolCallId":"a"},{"type":"tool-result","toolCallId":"a","output":{"type":"content","value":[{"text":"x"},1]}},{"type":"text","text":"b"}]},{"role":"tool","content":[{"type":"tool-result","result":null}]}]`,
	})
}
