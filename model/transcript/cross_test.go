package transcript

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"palimpsest/model"
)

// crossed writes the live end of a document in another form.
func crossed(t *testing.T, d *model.Document, f model.Format) ([]byte, Losses, Cross) {
	t.Helper()
	th := d.Conversations[0].Main()
	x := Cross{Doc: d, Thread: th, Summary: summaryOf, How: "by test", Tokens: func(it model.Item) int { return int(it.Msg) + 1 }}
	for _, i := range th.Live(len(th.History)) {
		x.Items = append(x.Items, model.Item{Msg: i})
	}
	var b bytes.Buffer
	lost, err := WriteCross(&b, f, x)
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), lost, x
}

func mustReadFile(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// textsAndCalls is what must survive in a form that holds conversations.
func textsAndCalls(t *testing.T, d *model.Document, th *model.Thread, list []int32) (texts, calls []string) {
	t.Helper()
	ids, named := map[string]bool{}, 0
	for _, i := range list {
		m := &th.Messages[i]
		if m.Kind == model.KindBoundary || m.Kind == model.KindOther && m.Role != model.RoleOther {
			continue
		}
		parts, err := d.Parts(m)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range parts {
			switch {
			case p.Kind == model.PartCall && m.Role == model.RoleAssistant:
				id := p.CallID
				if id == "" || strings.HasPrefix(id, "#") || ids[id] { // each gets one of its own
					named++
					id = fmt.Sprintf("call_%d", named)
				}
				ids[id] = true
				calls = append(calls, id+" "+p.Name)
			case (p.Kind == model.PartText || p.Kind == model.PartResult) && strings.TrimSpace(p.Text) != "":
				texts = append(texts, strings.TrimSpace(p.Text))
			}
		}
	}
	return texts, calls
}

// Every real file, written for OpenAI and Anthropic and read back: every text
// and every call is there.
func TestCrossExportReadsBack(t *testing.T) {
	for _, s := range fewer(samples(t, "claude_code", "codex_rollout", "openai_chat", "anthropic_messages", "swe_agent", "mini_swe_agent", "pi", "gemini", "openhands")) {
		t.Run(s.File, func(t *testing.T) {
			d, err := readBytes(s.Path, mustReadFile(t, s.Path))
			if err != nil {
				return // a file beside a session, a refusal with a reason
			}
			th := d.Conversations[0].Main()
			texts, calls := textsAndCalls(t, d, th, th.Live(len(th.History)))
			for _, f := range []model.Format{model.FormatOpenAI, model.FormatAnthropic} {
				b, lost, _ := crossed(t, d, f)
				if !json.Valid(b) {
					t.Fatalf("%s: not JSON", f)
				}
				if len(texts)+len(calls) == 0 || f == model.FormatAnthropic && bytes.Contains(b, []byte("\"messages\":[\n]")) {
					continue // nothing, or nothing but a system prompt
				}
				back, err := Read(t.Context(), "", bytes.NewReader(b), int64(len(b)), Options{Format: f})
				if err != nil {
					t.Fatalf("%s: %v", f, err)
				}
				bt := back.Conversations[0].Main()
				gotTexts, gotCalls := textsAndCalls(t, back, bt, bt.Live(len(bt.History)))
				all := strings.Join(gotTexts, "\n\n")
				for _, want := range texts {
					if !strings.Contains(all, want) {
						t.Fatalf("%s: a text is missing: %.200q", f, want)
					}
				}
				if !slices.Equal(gotCalls, calls) {
					t.Fatalf("%s: %d calls instead of %d", f, len(gotCalls), len(calls))
				}
				target, _ := TargetOf(f)
				for _, l := range lost.List() {
					if !slices.Contains(target.Loses, l) || l.Text() == "" {
						t.Errorf("%s loses %q, which it does not say", f, l)
					}
				}
			}
		})
	}
}

// A call that the provider ran has no result of its own; in OpenAI's form it gets one, which a
// service asks for.
func TestCallsThatTheProviderRan(t *testing.T) {
	d := mustRead(t, `{"input":[{"role":"user","content":"question"},{"type":"mcp_call","id":"m","name":"find","arguments":"{}","output":"found","server_label":"s"},`+
		`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"answer"}]}]}`)
	b, _, _ := crossed(t, d, model.FormatOpenAI)
	back := mustRead(t, string(b))
	if n := count(back); n.Calls != 1 || n.Results != 1 || !strings.Contains(string(b), `"tool_call_id":"call_1"`) {
		t.Errorf("%+v\n%s", n, b)
	}
}

// Anthropic's rules: the sides alternate, results follow their calls, inputs are
// objects.
func TestCrossAnthropicRules(t *testing.T) {
	d := mustRead(t, `{"messages":[
{"role":"system","content":"Be brief."},
{"role":"user","content":"go"},
{"role":"assistant","content":null,"reasoning_content":"hm","tool_calls":[{"id":"a","type":"function","function":{"name":"x","arguments":"{\"p\":1}"}},{"id":"b","type":"function","function":{"name":"y","arguments":"no json"}}]},
{"role":"user","content":"meanwhile"},
{"role":"tool","tool_call_id":"b","content":"B"},
{"role":"tool","tool_call_id":"a","content":"A"},
{"role":"system","content":"Later."},
{"role":"tool","tool_call_id":"z","content":"orphan"},
{"role":"assistant","content":"done"}]}`)
	b, lost, _ := crossed(t, d, model.FormatAnthropic)
	want := `{"system":"Be brief.","messages":[
{"role":"user","content":[{"type":"text","text":"go"}]},
{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"x","input":{"p":1}},{"type":"tool_use","id":"b","name":"y","input":{"arguments":"no json"}}]},
{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"A"},{"type":"tool_result","tool_use_id":"b","content":"B"},{"type":"text","text":"meanwhile"},{"type":"text","text":"Later."},{"type":"text","text":"orphan"}]},
{"role":"assistant","content":[{"type":"text","text":"done"}]}
]}
`
	if string(b) != want {
		t.Errorf("got\n%s\nwant\n%s", b, want)
	}
	for l, n := range map[Loss]int{LossReasoning: 1, LossArguments: 1, LossSystem: 1, LossRoles: 1} {
		if lost[l] != n {
			t.Errorf("%s: %d instead of %d", l, lost[l], n)
		}
	}
}

// A service wants the user's message first, and takes none that says nothing: of a compaction that
// only its provider reads, nothing can be written.
func TestCrossWritesOnlyWhatAServiceTakes(t *testing.T) {
	d := mustRead(t, `{"model":"m","input":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a0"}]},
{"type":"compaction","id":"cmp","encrypted_content":"gAAAAQQQQQQQQ"},{"role":"user","content":"u1"}]}`)
	for f, want := range map[model.Format]string{
		model.FormatOpenAI: `{"messages":[
{"role":"assistant","content":"a0"},
{"role":"user","content":"u1"}
]}
`,
		model.FormatAnthropic: `{"messages":[
{"role":"user","content":[{"type":"text","text":"[what came before is not in this history]"}]},
{"role":"assistant","content":[{"type":"text","text":"a0"}]},
{"role":"user","content":[{"type":"text","text":"u1"}]}
]}
`} {
		if b, lost, _ := crossed(t, d, f); string(b) != want || lost[LossOpaque] == 0 {
			t.Errorf("%s: %v\n%s", f, lost, b)
		}
	}
}

// Of calls at the end whose results are still to come nothing is said; where one has come, a service
// wants one for each.
func TestCrossOfCallsThatAreOpenAtTheEnd(t *testing.T) {
	const calls = `{"messages":[{"role":"user","content":"go"},{"role":"assistant","content":null,"tool_calls":[` +
		`{"id":"a","type":"function","function":{"name":"x","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"x","arguments":"{}"}}]}`
	for text, notes := range map[string]int{calls + "]}": 0, calls + `,{"role":"tool","tool_call_id":"b","content":"B"}]}`: 1} {
		for _, f := range []model.Format{model.FormatOpenAI, model.FormatAnthropic} {
			b, lost, _ := crossed(t, mustRead(t, text), f)
			if lost[LossResults] != notes || strings.Count(string(b), noResult) != notes {
				t.Errorf("%s: %d notes instead of %d\n%s", f, lost[LossResults], notes, b)
			}
		}
	}
}

// The report is text, whatever a transcript holds.
func TestHTMLReportHoldsNoMarkupOfTheTranscript(t *testing.T) {
	evil := `</pre><script>alert(1)</script><img src=x onerror=alert(2)>{{.}}`
	q, _ := json.Marshal(evil)
	d := mustRead(t, `{"title":`+string(q)+`,"messages":[{"role":"user","content":`+string(q)+`},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":`+string(q)+`,"arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":`+string(q)+`}]}`)
	b, _, _ := crossed(t, d, FormatHTML)
	s := string(b)
	if strings.Contains(s, "<script") || strings.Contains(s, "<img") || strings.Contains(s, "http") && !strings.Contains(s, "http-equiv") {
		t.Errorf("markup of the transcript is markup of the page:\n%s", s)
	}
	if !strings.Contains(s, "&lt;script&gt;") || !strings.Contains(s, "{{.}}") || strings.Count(s, "<article") != 3 || !strings.Contains(s, "3 tokens") {
		t.Errorf("not all is there:\n%s", s)
	}
}

func TestTargetsAreComplete(t *testing.T) {
	for _, target := range Targets() {
		if target.Title == "" || target.Extension == "" || len(target.Loses) == 0 {
			t.Errorf("%+v", target)
		}
		for _, l := range target.Loses {
			if l.Text() == "" {
				t.Errorf("%s has no words for %q", target.Format, l)
			}
		}
	}
	if _, err := WriteCross(&bytes.Buffer{}, "no-such", Cross{}); err == nil {
		t.Error("a form that is none is written")
	}
}
