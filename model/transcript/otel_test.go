package transcript

import (
	"strings"
	"testing"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// No dump of spans is at hand: these follow the JSON schemas of the attributes
// gen_ai.input.messages and gen_ai.output.messages in the conventions.

func TestOTelShapes(t *testing.T) {
	const span = `{"name":"chat m","attributes":{"gen_ai.conversation.id":"c","gen_ai.agent.name":"helper","gen_ai.request.model":"m","gen_ai.usage.input_tokens":100,"gen_ai.usage.output_tokens":20,"gen_ai.system_instructions":[{"type":"text","content":"S"}],` +
		`"gen_ai.input.messages":[{"role":"user","parts":[{"type":"text","content":"hi"},{"type":"blob","mime_type":"image/png","modality":"image","content":"AA"}]},{"role":"assistant","parts":[{"type":"reasoning","content":"hm"},{"type":"tool_call","id":"a","name":"f","arguments":{"x":1}},{"type":"tool_call","id":"b","name":"g","arguments":"{}"}]},{"role":"tool","parts":[{"type":"tool_call_response","id":"b","response":"2"},{"type":"tool_call_response","id":"a","result":{"y":1}}]}],` +
		`"gen_ai.output.messages":[{"role":"assistant","parts":[{"type":"server_tool_call","id":"s","name":"search","server_tool_call":{"type":"web"}},{"type":"server_tool_call_response","id":"s","server_tool_call_response":{"n":1}},{"type":"text","content":"so"},{"type":"custom","x":1}],"finish_reason":"stop"},{"role":"assistant","parts":[{"type":"text","content":"or so"}],"finish_reason":"stop"}]}}`
	checkOutlines(t, model.FormatOTel, []outlineCase{
		{"a span", span,
			"system | text S\nuser typed | text hi | media \nassistant →a:f →b:g | reasoning hm | tool call a {\"x\":1} | tool call b {}\ntool result g ←b | tool result b 2\ntool result f ←a | tool result a {\"y\":1}\nassistant →:search | tool call {\"type\":\"web\"} | tool result {\"n\":1} | text so | opaque \n"},
		{"a span a line; a bare array of messages",
			`{"gen_ai.input.messages":[{"role":"user","parts":[{"type":"text","content":"one"}]}]}` + "\n" + `{"gen_ai.output.messages":[{"role":"assistant","parts":[{"type":"text","content":"two"}]}]}` + "\n",
			"user typed | text one\n---\nassistant | text two\n"},
		{"a bare array", `[{"role":"user","parts":[{"type":"text","content":"<system-reminder>x"}]},{"role":"tool","parts":[{"type":"text","content":"log"}]}]`,
			"user injected | text <system-reminder>x\nuser observed | text log\n"},
	})
	c := mustRead(t, span).Conversations[0]
	last := c.Main().Messages[len(c.Main().Messages)-1]
	if c.ID != "c" || c.Model != "m" || c.Agents[0].Name != "helper" || len(c.Threads) != 1 || last.Usage == nil || *last.Usage != (model.Usage{Input: 100, Output: 20}) {
		t.Errorf("%q of %q by %+v, %d threads, usage %+v", c.ID, c.Model, c.Agents, len(c.Threads), last.Usage)
	}
}

// inString spells a value as a string that holds it.
func inString(text string) string { return string(jspan.AppendQuote(nil, text, false)) }

// Messages within strings, as most exporters write attributes, read and write
// like the lists they hold, also in OTLP, whose attributes are a list.
func TestOTelMessagesInStrings(t *testing.T) {
	const input = `[{"role":"user","parts":[{"type":"text","content":"hi \"é\""}]},{"role":"assistant","parts":[{"type":"tool_call","id":"a","name":"f","arguments":{}}]},{"role":"tool","parts":[{"type":"tool_call_response","id":"a","response":"1"}]}]`
	const output = `[{"role":"assistant","parts":[{"type":"text","content":"so"}],"finish_reason":"stop"}]`
	const system = `[{"type":"text","content":"S"}]`
	const want = "system | text S\nuser typed | text hi \"é\"\nassistant →a:f | tool call a {}\ntool result f ←a | tool result a 1\nassistant | text so\n"
	plain := `{"name":"chat","attributes":{"gen_ai.system_instructions":` + inString(system) + `,"gen_ai.input.messages":` + inString(input) + `,"gen_ai.output.messages":` + inString(output) + `}}`
	attribute := func(key, kind, val string) string {
		return `{"key":"` + key + `","value":{"` + kind + `":` + val + `}}`
	}
	otlpSpan := `{"name":"chat","attributes":[` + attribute("gen_ai.request.model", "stringValue", `"m"`) + `,` + attribute("gen_ai.usage.input_tokens", "intValue", `"100"`) + `,` +
		attribute("gen_ai.system_instructions", "stringValue", inString(system)) + `,` + attribute("gen_ai.input.messages", "stringValue", inString(input)) + `,` + attribute("gen_ai.output.messages", "stringValue", inString(output)) + `]}`
	other := `{"name":"http","attributes":[` + attribute("http.method", "stringValue", `"GET"`) + `]}`
	batch := func(spans string) string {
		return `{"resourceSpans":[{"resource":{"attributes":[]},"scopeSpans":[{"scope":{"name":"x"},"spans":[` + spans + `]}]}]}`
	}
	event := `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"eventName":"gen_ai.client.inference.operation.details","attributes":[` +
		attribute("gen_ai.system_instructions", "stringValue", inString(system)) + `,` + attribute("gen_ai.input.messages", "stringValue", inString(input)) + `,` + attribute("gen_ai.output.messages", "stringValue", inString(output)) + `]}]}]}]}`
	checkOutlines(t, model.FormatOTel, []outlineCase{
		{"an SDK's span", plain, want},
		{"spans, one a line", plain + "\n" + plain + "\n", want + "---\n" + want},
		{"an event of a span", `{"name":"chat","events":[{"name":"gen_ai.client.inference.operation.details","attributes":{"gen_ai.input.messages":` + inString(input) + `}}]}`,
			"user typed | text hi \"é\"\nassistant →a:f | tool call a {}\ntool result f ←a | tool result a 1\n"},
		{"OTLP", batch(other + "," + otlpSpan), want},
		{"OTLP, a batch a line", batch(otlpSpan) + "\n" + batch(otlpSpan+","+otlpSpan) + "\n", want + "---\n" + want + "---\n" + want},
		{"OTLP, a log record", event, want},
	})
	d := mustRead(t, batch(otlpSpan))
	if u := d.Conversations[0].Main().Messages[4].Usage; u == nil || u.Input != 100 || d.Conversations[0].Model != "m" {
		t.Errorf("%+v of %q", u, d.Conversations[0].Model)
	}
	checkSpelling(t, []spellingCase{{"a string is spelled anew", 1, 2, []int32{3}, plain,
		`{"name":"chat","attributes":{"gen_ai.system_instructions":` + inString(system) + `,"gen_ai.input.messages":` +
			inString(`[{"role":"user","parts":[{"type":"text","content":"S é"}]},{"role":"assistant","parts":[{"type":"tool_call","id":"a","name":"f","arguments":{}}]},{"role":"tool","parts":[{"type":"tool_call_response","id":"a","response":"cleared"}]}]`) +
			`,"gen_ai.output.messages":` + inString(output) + `}}`}})
	// what a string can't give back is not taken out of it
	bad := `{"gen_ai.input.messages":"[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"\ud800\"}]}]","gen_ai.output.messages":` + output + `}`
	if d := mustRead(t, bad); noteCodes(d) != "map[unknown-record:1]" || len(d.Conversations[0].Main().Messages) != 1 {
		t.Errorf("notes %s", noteCodes(d))
	}
}

func TestOTelSpelling(t *testing.T) {
	checkSpelling(t, []spellingCase{
		{"in the input", 0, 2, nil,
			`{"gen_ai.input.messages": [{"role": "user", "parts": [{"type": "text", "content": "a"}]}, {"role": "assistant", "parts": [{"type": "text", "content": "b"}]}, {"role": "user", "parts": [{"type": "text", "content": "c"}]}]}`,
			`{"gen_ai.input.messages": [{"role": "user", "parts": [{"type": "text", "content": "S é"}]}, {"role": "user", "parts": [{"type": "text", "content": "c"}]}]}`},
		{"responses are cleared", 0, 0, []int32{1, 2},
			`[{"role":"assistant","parts":[{"type":"tool_call","id":"a","name":"f"},{"type":"tool_call","id":"b","name":"f"}]},{"role":"tool","parts":[{"type":"tool_call_response","id":"a","response":"long"}]},{"role":"tool","parts":[{"type":"tool_call_response","id":"b","result":{"x":"long"}}]}]`,
			`[{"role":"assistant","parts":[{"type":"tool_call","id":"a","name":"f"},{"type":"tool_call","id":"b","name":"f"}]},{"role":"tool","parts":[{"type":"tool_call_response","id":"a","response":"cleared"}]},{"role":"tool","parts":[{"type":"tool_call_response","id":"b","result":"cleared"}]}]`},
	})
}

func TestOTelProperties(t *testing.T) {
	t.Run("lists", func(t *testing.T) {
		propTalks(t, model.FormatOTel, true, genTalk, func(s spelling, talk []saying) any {
			return ordered{{"name", "chat"}, {"attributes", ordered{{"gen_ai.input.messages", otelMessages(s, talk)}}}}
		})
	})
	t.Run("strings in OTLP", func(t *testing.T) {
		propTalks(t, model.FormatOTel, true, genTalk, func(s spelling, talk []saying) any {
			text := strings.TrimPrefix(s.spell(false, otelMessages(s, talk)), "\ufeff")
			span := ordered{{"attributes", []any{ordered{{"key", "gen_ai.input.messages"}, {"value", ordered{{"stringValue", text}}}}}}}
			return ordered{{"resourceSpans", []any{ordered{{"scopeSpans", []any{ordered{{"spans", []any{span}}}}}}}}}
		})
	})
}

func otelMessages(s spelling, talk []saying) []any {
	var list, responses []any
	flush := func() {
		if responses != nil {
			list = append(list, s.message("tool", member{"parts", responses}))
			responses = nil
		}
	}
	for _, m := range talk {
		if m.role == "result" {
			responses = append(responses, ordered{{"type", "tool_call_response"}, {"id", m.answers}, {"response", m.text}})
			continue
		}
		flush()
		parts := []any{ordered{{"type", "text"}, {"content", m.text}}}
		for _, id := range m.calls {
			parts = append(parts, ordered{{"type", "tool_call"}, {"id", id}, {"name", "run"}, {"arguments", ordered{}}})
		}
		list = append(list, s.message(m.role, member{"parts", parts}))
	}
	flush()
	return list
}

func FuzzReadOTel(f *testing.F) {
	fuzzRead(f, model.FormatOTel, []string{
		`{"attributes":{"gen_ai.system_instructions":"[{\"type\":\"text\",\"content\":\"S\"}]","gen_ai.input.messages":"[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"u\"}]}]","gen_ai.output.messages":" []"}}`,
		`{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":[{"key":"gen_ai.input.messages","value":{"stringValue":"[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"\\u00e9\"}]}]"}}],"events":[3]}]}]}]}`,
		`{"attributes":{"gen_ai.system_instructions":[{"type":"text","content":"S"}],"gen_ai.input.messages":[{"role":"user","parts":[{"type":"text","content":"u"},{"type":"uri"}]},{"role":"tool","parts":[{"type":"tool_call_response","id":"a","response":{}},{"type":"text","content":"[Conversation summary - earlier context]"}]}],"gen_ai.output.messages":[{"role":"assistant","parts":[{"type":"tool_call","name":"f"}]},{"role":"assistant","parts":[{"type":"x"}]}]}}`,
		`[{"role":"x","parts":[{"type":"text","content":1},{"type":"server_tool_call"}]}]`,
	})
}
