package transcript

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
)

// outline is one message a line: kind, name, calls, answer, first words.
func outline(t tb, d *model.Document, c int) string {
	var b strings.Builder
	th := d.Conversations[c].Main()
	for i := range th.Messages {
		m := &th.Messages[i]
		fmt.Fprintf(&b, "%s", m.Kind)
		if m.Origin != model.OriginUnknown && m.Kind == model.KindUser {
			b.WriteString([]string{"", " typed", " injected", " observed"}[m.Origin])
		}
		if m.Name != "" {
			b.WriteString(" " + m.Name)
		}
		for _, call := range m.Calls {
			b.WriteString(" →" + call.ID + ":" + call.Name)
		}
		if m.Answers != "" {
			b.WriteString(" ←" + m.Answers)
		}
		if m.Error {
			b.WriteString(" failed")
		}
		parts, err := d.Parts(m)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range parts {
			fmt.Fprintf(&b, " | %s", p.Kind)
			if p.CallID != "" {
				b.WriteString(" " + p.CallID)
			}
			b.WriteString(" " + p.Text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestShapes(t *testing.T) {
	for _, x := range []struct {
		name, in string
		format   model.Format
		want     []string // outline of each conversation
	}{
		{"a bare array, content null, empty and absent",
			`[{"role":"user","content":"hi"},{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{bad"}},{"id":"b","function":{"name":"g","arguments":{"x":1}}}]},{"role":"tool","tool_call_id":"b","content":""},{"role":"tool","tool_call_id":"a","name":"f2","content":[{"type":"text","text":"one"},{"type":"text","text":"two"}]},{"role":"assistant","tool_calls":[]}]`,
			model.FormatOpenAI, []string{"user typed | text hi\nassistant →a:f →b:g | tool call a {bad | tool call b {\"x\":1}\ntool result g ←b | tool result b \ntool result f2 ←a | tool result a one\ntwo\nassistant\n"}},
		{"legacy functions",
			`{"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}},{"role":"function","name":"f","content":"out"}]}`,
			model.FormatOpenAI, []string{"user typed | text hi\nassistant →f:f | tool call f {}\ntool result f ←f | tool result f out\n"}},
		{"reused ids pair with the latest call before",
			`{"messages":[{"role":"assistant","tool_calls":[{"id":"0","function":{"name":"f","arguments":""}}]},{"role":"tool","tool_call_id":"0","content":"1"},{"role":"assistant","tool_calls":[{"id":"0","function":{"name":"g","arguments":""}}]},{"role":"tool","tool_call_id":"0","content":"2"}]}`,
			model.FormatOpenAI, []string{"assistant →0:f | tool call 0 \ntool result f ←0 | tool result 0 1\nassistant →0:g | tool call 0 \ntool result g ←0 | tool result 0 2\n"}},
		{"results without ids pair in order",
			`{"messages":[{"role":"user","content":"u"},{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":""}},{"function":{"name":"g","arguments":""}}]},{"role":"tool","content":"1"},{"role":"tool","content":"2"}]}`,
			model.FormatOpenAI, []string{"user typed | text u\nassistant →#1:f →#2:g | tool call #1  | tool call #2 \ntool result f ←#1 | tool result #1 1\ntool result g ←#2 | tool result #2 2\n"}},
		{"reasoning is told once",
			`{"messages":[{"role":"user","content":"u"},{"role":"assistant","content":"t","reasoning_content":"r","thinking_blocks":[{"type":"thinking","thinking":"r","signature":"c2ln"}]}]}`,
			model.FormatOpenAI, []string{"user typed | text u\nassistant | reasoning r | opaque  | text t\n"}},
		{"a hybrid tells its call once",
			`{"messages":[{"role":"user","content":"u"},{"role":"assistant","content":[{"type":"text","text":"t"},{"type":"tool_call","id":"c"}],"tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]}]}`,
			model.FormatOpenAI, []string{"user typed | text u\nassistant →c:f | text t | opaque  | tool call c {}\n"}},
		{"fine-tuning lines with a system of their own; capitals; injected context",
			`{"system":"S","messages":[{"role":"USER","content":"one"},{"role":"Assistant","content":"1","weight":0}]}` + "\n" +
				`{"messages":[{"role":"user","content":"<environment_context>x"},{"role":"user","content":"two"},{"role":"critic","content":"?"}]}`,
			model.FormatOpenAI, []string{"system | text S\nuser typed | text one\nassistant | text 1\n", "user injected | text <environment_context>x\nuser typed | text two\nother | text ?\n"}},
		{"one message a line",
			`{"role":"user","content":"one"}` + "\n" + `{"role":"assistant","content":"two"}` + "\n",
			model.FormatOpenAI, []string{"user typed | text one\nassistant | text two\n"}},
		{"a batch request a line",
			`{"custom_id":"r1","method":"POST","url":"/v1/chat/completions","body":{"model":"m","messages":[{"role":"user","content":"one"}]}}` + "\n" +
				`{"custom_id":"r2","method":"POST","url":"/v1/chat/completions","body":{"model":"m","messages":[{"role":"user","content":"two"}]}}` + "\n",
			model.FormatOpenAI, []string{"user typed | text one\n", "user typed | text two\n"}},
		{"an OpenAI response",
			`{"id":"x","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"a"}},{"index":1,"message":{"role":"assistant","content":"b"}}],"usage":{"prompt_tokens":5,"completion_tokens":2}}`,
			model.FormatOpenAI, []string{"assistant | text a\n"}},
		{"our own summary is one",
			`[{"role":"system","content":"S"},{"role":"system","content":"[对话摘要 - 早期上下文]\n旧"},{"role":"user","content":"new"}]`,
			model.FormatOpenAI, []string{"system | text S\nsummary | text [对话摘要 - 早期上下文]\n旧\nuser typed | text new\n"}},
		{"an Anthropic request: results are messages of their own",
			`{"model":"m","system":[{"type":"text","text":"S"}],"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"thinking","thinking":"r","signature":"c2ln"},{"type":"tool_use","id":"a","name":"f","input":{"b":1,"a":2}},{"type":"tool_use","id":"b","name":"g","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","is_error":true,"content":[{"type":"text","text":"no"}]},{"type":"tool_result","tool_use_id":"a"},{"type":"text","text":"and now?"}]}]}`,
			model.FormatAnthropic, []string{"system | text S\nuser typed | text hi\nassistant →a:f →b:g | reasoning r | opaque  | tool call a {\"b\":1,\"a\":2} | tool call b {}\ntool result g ←b failed | tool result b no\ntool result f ←a | tool result a \nuser typed | text and now?\n"}},
		{"a system prompt and two roles",
			`{"system":"S","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"ho"}]}`,
			model.FormatAnthropic, []string{"system | text S\nuser typed | text hi\nassistant | text ho\n"}},
		{"requests and responses in turn",
			`[{"model":"m","system":"S","messages":[{"role":"user","content":"one"}]},{"type":"message","role":"assistant","content":[{"type":"text","text":"1"}],"stop_reason":"end_turn"},{"model":"m","messages":[{"role":"user","content":"two"}]}]`,
			model.FormatAnthropic, []string{"system | text S\nuser typed | text one\nassistant | text 1\n", "user typed | text two\n"}},
		{"reminders beside a person's words",
			`{"messages":[{"role":"user","content":[{"type":"text","text":"<system-reminder>r</system-reminder>"},{"type":"text","text":"do it"}]},{"role":"assistant","content":[{"type":"thinking","thinking":"r","signature":""}]},{"role":"user","content":[{"type":"text","text":"<system-reminder>r</system-reminder>"}]}]}`,
			model.FormatAnthropic, []string{"user typed | text <system-reminder>r</system-reminder> | text do it\nassistant | reasoning r\nuser injected | text <system-reminder>r</system-reminder>\n"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			d := mustRead(t, x.in)
			if d.Format != x.format || len(d.Conversations) != len(x.want) {
				t.Fatalf("%s with %d conversations: %s", d.Format, len(d.Conversations), d.Why)
			}
			for i, want := range x.want {
				if got := outline(t, d, i); got != want {
					t.Errorf("conversation %d:\n%swant\n%s", i, got, want)
				}
			}
			checkDocument(t, d)
			checkRewrites(t, d, 6)
		})
	}
}

func TestResponseUsage(t *testing.T) {
	d := mustRead(t, `{"messages":[{"role":"user","content":"u"}],"context_window":200000,"response":{"model":"gpt-x","choices":[{"message":{"role":"assistant","content":"a"}}],"usage":{"prompt_tokens":50,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":40},"completion_tokens_details":{"reasoning_tokens":3}}}}`)
	c := d.Conversations[0]
	if u := c.Main().Messages[1].Usage; u == nil || *u != (model.Usage{Input: 50, CacheRead: 40, Output: 7, Reasoning: 3}) {
		t.Errorf("usage %+v", u)
	}
	if c.Window != 200000 || c.Model != "gpt-x" || c.Title != "u" {
		t.Errorf("window %d, model %q, title %q", c.Window, c.Model, c.Title)
	}
	d = mustRead(t, `{"type":"message","role":"assistant","model":"claude-x","content":[{"type":"text","text":"a"}],"usage":{"input_tokens":5,"cache_read_input_tokens":20,"cache_creation_input_tokens":3,"output_tokens":9}}`)
	if u := d.Conversations[0].Main().Messages[0].Usage; u == nil || *u != (model.Usage{Input: 28, CacheRead: 20, CacheWrite: 3, Output: 9}) {
		t.Errorf("usage %+v", u)
	}
}

// The summary is spelled like its neighbours, and nothing else changes.
func TestRequestSpelling(t *testing.T) {
	for _, x := range []struct{ name, in, want string }{
		{"compact", `[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]`,
			`[{"role":"system","content":"S é"},{"role":"user","content":"c"}]`},
		{"spaced, content first, ASCII", `[{"content": "\u00e9", "role": "user"}, {"content": "b", "role": "assistant"}, {"content": "c", "role": "user"}]`,
			`[{"content": "S \u00e9", "role": "system"}, {"content": "c", "role": "user"}]`},
		{"indented", "{\n  \"messages\": [\n    {\n      \"role\": \"user\",\n      \"content\": \"a\"\n    },\n    {\n      \"role\": \"assistant\",\n      \"content\": \"b\"\n    },\n    {\n      \"role\": \"user\",\n      \"content\": \"c\"\n    }\n  ]\n}\n",
			"{\n  \"messages\": [\n    {\n      \"role\": \"system\",\n      \"content\": \"S é\"\n    },\n    {\n      \"role\": \"user\",\n      \"content\": \"c\"\n    }\n  ]\n}\n"},
		{"CRLF lines", `{"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}, {"role": "user", "content": "c"}]}` + "\r\n" + `{"messages": [{"role": "user", "content": "z"}]}` + "\r\n",
			`{"messages": [{"role": "system", "content": "S é"}, {"role": "user", "content": "c"}]}` + "\r\n" + `{"messages": [{"role": "user", "content": "z"}]}` + "\r\n"},
		{"one message a line", `{"role":"user","content":"a"}` + "\n" + `{"role":"assistant","content":"b"}` + "\n" + `{"role":"user","content":"c"}`,
			`{"role":"system","content":"S é"}` + "\n" + `{"role":"user","content":"c"}`},
		{"typed parts", `{"messages": [{"role": "user", "content": [{"type": "text", "value": "a"}]}, {"role": "assistant", "content": [{"type": "text", "value": "b"}]}, {"role": "user", "content": [{"type": "text", "value": "c"}]}]}`,
			`{"messages": [{"role": "system", "content": [{"type": "text", "value": "S é"}]}, {"role": "user", "content": [{"type": "text", "value": "c"}]}]}`},
		{"Anthropic", `{"system":"P","messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"text","text":"b"}]},{"role":"user","content":"c"}]}`,
			`{"system":"P","messages":[{"role":"user","content":"S é"},{"role":"user","content":"c"}]}`},
	} {
		t.Run(x.name, func(t *testing.T) {
			d := mustRead(t, x.in)
			th := d.Conversations[0].Main()
			live := th.Live(len(th.History))
			for th.Messages[live[0]].Kind == model.KindSystem {
				live = live[1:]
			}
			r, err := Rewrite(d, &edit.Change{Drop: live[:2], Summaries: []edit.Summary{{Text: "S é", Before: live[0]}}})
			if err != nil {
				t.Fatal(err)
			}
			if got := string(written(t, r.Edits)); got != x.want {
				t.Errorf("got\n%s\nwant\n%s", got, x.want)
			}
		})
	}
}

func TestClearResults(t *testing.T) {
	for _, x := range []struct{ name, in, want string }{
		{"OpenAI", `[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"long"}]`,
			`[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"cleared"}]`},
		{"Anthropic, alone", `[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"long"}]}]}]`,
			`[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"cleared"}]}]`},
		{"Anthropic, beside text", `[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"long"},{"type":"text","text":"go on"}]}]`,
			`[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"cleared"},{"type":"text","text":"go on"}]}]`},
	} {
		d := mustRead(t, x.in)
		r, err := Rewrite(d, &edit.Change{Clear: []int32{1}, Note: func(int32) string { return "cleared" }})
		if err != nil {
			t.Fatalf("%s: %v", x.name, err)
		}
		if got := string(written(t, r.Edits)); got != x.want {
			t.Errorf("%s: got\n%s\nwant\n%s", x.name, got, x.want)
		}
	}
}

func TestOddRequestsAreNoted(t *testing.T) {
	d := mustRead(t, `{"messages":[{"role":"tool","tool_call_id":"gone","content":"?"},{"role":"critic","content":"x"},{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}}]},{"role":"tool","tool_call_id":"a","content":"1"},{"role":"tool","tool_call_id":"a","content":"2"}]}`)
	codes := map[string]int{}
	for _, n := range d.Notes {
		codes[n.Code]++
	}
	if codes["orphan-result"] != 1 || codes["second-result"] != 1 || codes["unknown-role"] != 1 {
		t.Errorf("notes: %+v", d.Notes)
	}
	if n := len(d.Conversations[0].Main().History); n != 5 {
		t.Errorf("%d of 5 messages in the history", n)
	}
}

func TestPreferenceDataIsRefused(t *testing.T) {
	for _, in := range []string{
		`[{"prompt":"p","chosen":"c","rejected":"r"},{"prompt":"p","chosen":"c","rejected":"r"}]`,
		`{"prompt":"p","completion":"c","label":true}` + "\n" + `{"prompt":"p","completion":"c","label":false}`,
	} {
		_, err := Read(context.Background(), "p.json", strings.NewReader(in), int64(len(in)), Options{})
		var p *model.Problem
		if !errors.As(err, &p) || p.Code != "preference-data" {
			t.Errorf("%s: %v", in, err)
		}
	}
}

// A chat about code is not an agent that speaks a text protocol.
func TestCodeChatIsTyped(t *testing.T) {
	talk := func(answer string) string {
		var list []string
		for range 4 {
			list = append(list, `{"role":"user","content":"next"},{"role":"assistant","content":"`+answer+`"}`)
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	for answer, want := range map[string]bool{
		"so:\n```python\nx\n```":                     false,
		"first ```bash\na\n``` then ```bash\nb\n```": false,
		"THOUGHT\n```bash\nls\n```":                  true,
		"<function=run>\n</function>":                true,
	} {
		if th := mustRead(t, talk(answer)).Conversations[0].Main(); th.Observations != want || th.Messages[2].Typed() == want {
			t.Errorf("%q: observations %v", answer, th.Observations)
		}
	}
}

// A system prompt of the wrapper says where it is but can't be taken out.
func TestWrapperSystemStays(t *testing.T) {
	for _, in := range []string{
		`{"system":"P","messages":[{"role":"user","content":"a"}]}`,
		`{"system":"P","messages":[{"role":"user","content":"a"}]}` + "\n" + `{"system":"P","messages":[{"role":"user","content":"a"}]}` + "\n",
	} {
		d := mustRead(t, in)
		r, err := Rewrite(d, &edit.Change{Drop: []int32{0}})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(written(t, r.Edits)); got != in {
			t.Errorf("dropping the fixed part gives %s", got)
		}
	}
}

func requestSeeds() []string {
	return []string{
		exportSource,
		`[{"role":"user","content":"a"},{"role":"assistant","tool_calls":[{"id":"0","function":{"name":"f","arguments":{"x":[1,2]}}}]},{"role":"tool","tool_call_id":"0","content":null}]`,
		`{"system":"P","messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"x"},{"type":"text","text":"[Conversation summary - earlier context]\nS"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA"}}]},{"role":"assistant","content":[{"type":"compaction","content":"S"},{"type":"tool_use","name":"f"}]}]}`,
		`[{"model":"m","messages":[{"role":"user","content":"u"}]},{"type":"message","role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"}],"stop_reason":null,"usage":{}}]`,
		`{"messages":[{"role":"user","content":[{"type":"text","value":"v"}]}]}` + "\r\n" + `{"role":"assistant"}` + "\r\n" + `{"messages":[{"role":"x","content":1}]}`,
		`{"choices":[{"message":{"role":"assistant","content":"a"}},{"message":{"role":"assistant","function_call":{"name":"g"}}}]}`,
		`{"version":1,"agent":"lead","sessionId":"s","messages":[{"id":"m","role":"user","ts":1783376868634,"content":[{"type":"text","text":"t"}],"metadata":{"kind":"compaction_summary","tokensBefore":-1}}]}`,
	}
}

// fuzzRead holds whatever a reader makes of any bytes against the promises that
// every document keeps.
func fuzzRead(f *testing.F, format model.Format, seeds []string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		d, err := Read(context.Background(), "fuzz", strings.NewReader(string(in)), int64(len(in)), Options{Format: format})
		if err != nil {
			return
		}
		checkDocument(t, d)
		checkDropNothing(t, d)
		th := d.Conversations[0].Main()
		live := th.Live(len(th.History))
		if len(live) == 0 {
			return
		}
		r, err := Rewrite(d, &edit.Change{Drop: live[:1], Summaries: []edit.Summary{{Text: "S", Before: live[0]}}})
		if err == nil {
			written(t, r.Edits)
		}
	})
}

func FuzzReadOpenAI(f *testing.F)    { fuzzRead(f, model.FormatOpenAI, requestSeeds()) }
func FuzzReadAnthropic(f *testing.F) { fuzzRead(f, model.FormatAnthropic, requestSeeds()) }
