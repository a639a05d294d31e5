package transcript

import (
	"pgregory.net/rapid"
	"strings"
	"testing"

	"palimpsest/model"
)

func TestShareGPTFiles(t *testing.T) {
	for _, s := range samples(t, "sharegpt") {
		t.Run(s.File, func(t *testing.T) {
			t.Parallel()
			d := checkRealFile(t, s, model.FormatShareGPT)
			if len(d.Notes) > 0 {
				t.Errorf("notes %s", noteCodes(d))
			}
			if n := len(d.Conversations); n != map[bool]int{true: 500, false: 300}[strings.Contains(s.File, "fastchat")] {
				t.Errorf("%d conversations", n)
			}
		})
	}
}

func TestShareGPTShapes(t *testing.T) {
	checkOutlines(t, model.FormatShareGPT, []outlineCase{
		{"a call and its observation",
			`[{"id":"a","system":"S","conversations":[{"from":"human","value":"hi"},{"from":"function_call","value":"{\"name\": \"f\", \"arguments\": {\"x\": 1}}"},{"from":"observation","value":"out"},{"from":"gpt","value":"so"}],"tools":"[]"}]`,
			"system | text S\nuser typed | text hi\nassistant →#1:f | tool call #1 {\"x\": 1}\ntool result f ←#1 | tool result #1 out\nassistant | text so\n"},
		{"several calls, one that is no JSON",
			`{"conversations":[{"from":"human","value":"hi"},{"from":"function_call","value":"[{\"name\": \"f\", \"arguments\": {}}, {\"name\": \"g\", \"arguments\": {}}]"},{"from":"observation","value":"1"},{"from":"observation","value":"2"},{"from":"function_call","value":"call it"},{"from":"tool","value":"3"}]}`,
			"user typed | text hi\nassistant →#1:f →#2:g | tool call #1 {} | tool call #2 {}\ntool result f ←#1 | tool result #1 1\ntool result g ←#2 | tool result #2 2\nassistant →#1: | tool call #1 call it\ntool result ←#1 | tool result #1 3\n"},
		{"calls in the text; other names; an unknown speaker",
			`{"conversations":[{"role":"system","content":"S"},{"role":"user","content":"u"},{"role":"assistant","content":"<tool_call>{}</tool_call>"},{"role":"tool","content":"<tool_response>1</tool_response>"},{"role":"critic","content":"?"}]}` + "\n" + `{"conversation":[{"value":"two","from":"user"},{"value":"2","from":"bing"}]}`,
			"system | text S\nuser typed | text u\nassistant | text <tool_call>{}</tool_call>\nuser observed | text <tool_response>1</tool_response>\nother | text ?\n---\nuser typed | text two\nassistant | text 2\n"},
	})
}

// A summary speaks for the side whose turn it is.
func TestShareGPTSpelling(t *testing.T) {
	const a, b, c, e = `{"from":"human","value":"a"}`, `{"from":"gpt","value":"b"}`, `{"from":"human","value":"c"}`, `{"from":"gpt","value":"e"}`
	talk := func(list ...string) string { return `[{"conversations":[` + strings.Join(list, ",") + `]}]` }
	s := func(from string) string { return `{"from":"` + from + `","value":"S é"}` }
	checkSpelling(t, []spellingCase{
		{"the system's before a user's turn", 0, 2, nil, talk(a, b, c, e), talk(s("system"), c, e)},
		{"the user's before an assistant's turn", 0, 3, nil, talk(a, b, c, e), talk(s("human"), e)},
		{"the assistant's behind a user's turn", 1, 2, nil, talk(a, b, c, e), talk(a, s("gpt"), c, e)},
		{"the user's behind an assistant's turn", 2, 3, nil, talk(a, b, c, e), talk(a, b, s("human"), e)},
		{"the user's where the system has spoken", 1, 3, nil, talk(`{"from":"system","value":"P"}`, a, b, c, e), talk(`{"from":"system","value":"P"}`, s("human"), c, e)},
		{"other names, another order", 0, 1, nil, talk(`{"value":"a","from":"user"}`, `{"value":"b","from":"assistant"}`),
			talk(`{"value":"S é","from":"user"}`, `{"value":"b","from":"assistant"}`)},
		{"an observation is cleared", 0, 0, []int32{2}, talk(a, `{"from":"function_call","value":"{}"}`, `{"from":"observation","value":"long"}`),
			talk(a, `{"from":"function_call","value":"{}"}`, `{"from":"observation","value":"cleared"}`)},
	})
}

func TestShareGPTProperties(t *testing.T) {
	names := map[string]string{"system": "system", "user": "human", "assistant": "gpt", "result": "observation"}
	// without ids a result belongs to the calls just before it
	inOrder := func(t *rapid.T) []saying {
		talk := genTalk(t)
		for i := range talk {
			if n := len(talk[i].calls); n > 1 {
				talk[i].calls = talk[i].calls[:1]
			}
		}
		return talk
	}
	propTalks(t, model.FormatShareGPT, true, inOrder, func(_ spelling, talk []saying) any {
		var list []any
		for _, m := range talk {
			if len(m.calls) > 0 {
				list = append(list, ordered{{"from", "function_call"}, {"value", `{"name": "run", "arguments": {"a": 1}}`}})
				continue
			}
			list = append(list, ordered{{"from", names[m.role]}, {"value", m.text}})
		}
		return ordered{{"id", "x"}, {"conversations", list}, {"tools", "[]"}}
	})
}

func FuzzReadShareGPT(f *testing.F) {
	fuzzRead(f, model.FormatShareGPT, []string{
		`[{"id":1,"system":"S","conversations":[{"from":"human","value":"a"},{"from":"function_call","value":"[{\"name\":\"f\"}]"},{"from":"observation","value":{"x":1}},{"from":"gpt","value":"[Conversation summary - earlier context]\nS"}]}]`,
		`{"conversation":[{"role":"tool","content":null},{"role":"user","content":["a"]}]}` + "\n" + `{"conversations":[]}`,
	})
}
