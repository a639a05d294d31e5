package historyitem

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"palimpsest/model"
)

func parseItem(t testing.TB, raw string) Item {
	t.Helper()
	it, err := Parse(raw)
	if err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return it
}

// B9: the literal items of the specification.
func TestB9Literal(t *testing.T) {
	if got, want := Wrapped.Message("user", "帮我查北京天气").Raw(), `{"message": {"role": "user", "content": [{"text": "帮我查北京天气"}]}}`; got != want {
		t.Errorf("%s", got)
	}
	if got, want := Wrapped.Message("assistant", "x").Raw(), `{"message": {"role": "assistant", "content": [{"text": "x"}]}}`; got != want {
		t.Errorf("%s", got)
	}
	if got, want := Wrapped.Call("c", "f", `{"a":1}`).Raw(), `{"function_call": {"call_id": "c", "name": "f", "arguments": "{\"a\":1}"}}`; got != want {
		t.Errorf("%s", got)
	}
	if got, want := Wrapped.Output("c", "o").Raw(), `{"function_call_output": {"call_id": "c", "output": "o"}}`; got != want {
		t.Errorf("%s", got)
	}
}

// B10: both forms are read alike.
func TestB10BothForms(t *testing.T) {
	type view struct {
		kind                          Kind
		role, text, callID, name, arg string
	}
	of := func(it Item) view {
		name, arg := it.Call()
		return view{it.Kind(), it.Role(), it.Text(), it.CallID(), name, arg}
	}
	for raw, want := range map[string]view{
		`{"message": {"role": "user", "content": [{"text": "a"}, {"text": "b"}]}}`:                                               {Message, "user", "a\nb", "", "", ""},
		`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"},{"type":"input_image","image":"…"}]}`: {Message, "assistant", "a", "", "", ""},
		`{"role":"developer","content":"a"}`:                                                             {Message, "developer", "a", "", "", ""},
		`{"function_call": {"call_id": "c", "name": "f", "arguments": "{}"}, "more": 1}`:                 {Call, "", "", "c", "f", "{}"},
		`{"type":"function_call","name":"f","arguments":{"x": 1},"call_id":"c"}`:                         {Call, "", "", "c", "f", `{"x": 1}`},
		`{"function_call_output": {"call_id": "c", "output": {"content":"o","success":true}}}`:           {Output, "", "o", "c", "", ""},
		`{"type":"function_call_output","call_id":"c","output":[{"type":"input_text","text":"o"}]}`:      {Output, "", "o", "c", "", ""},
		`{"message": {"role": "user", "content": [{"text": "\ud800 lone"}]}}`:                            {Message, "user", "\uFFFD lone", "", "", ""},
		`{"type":"reasoning","summary":[{"text":"a"}],"content":[{"text":"b"}],"encrypted_content":"x"}`: {Reasoning, "", "a\nb", "", "", ""},
		`{"type":"reasoning","summary":[]}`:                                                              {kind: Reasoning},
		`{"message": "x"}`:                                                                               {},
		`{"type":"message"}`:                                                                             {},
		`{"role":"assistant","function_call":{"name":"f"}}`:                                              {},
		` null `: {},
	} {
		it := parseItem(t, raw)
		if got := of(it); got != want {
			t.Errorf("%s: %+v, want %+v", raw, got, want)
		}
		if it.Raw() != strings.TrimSpace(raw) {
			t.Errorf("%s became %s", raw, it.Raw())
		}
	}
	if zero := of(Item{}); zero != (view{}) {
		t.Errorf("the zero item: %+v", zero)
	}
}

// B10: an empty column and null are the empty list; what does not parse is an
// error.
func TestB10Columns(t *testing.T) {
	for _, column := range []string{"", " \n", "null", " null ", "[]", "[ ]"} {
		if list, err := ParseList(column); len(list) != 0 || err != nil {
			t.Errorf("%q: %v, %v", column, list, err)
		}
	}
	for _, column := range []string{"[", "{}", `"[]"`, "nul", "[] []", `[{"message": }]`, "[1,]", strings.Repeat("[", 1000)} {
		if list, err := ParseList(column); err == nil {
			t.Errorf("%.40q: %v", column, list)
		}
	}
	for _, text := range []string{"", "{", "{} {}"} {
		if _, err := Parse(text); err == nil {
			t.Errorf("%q is taken for an item", text)
		}
	}
}

// I10: what was written reads the same and is written the same; unknown items
// survive byte for byte.
func TestI10Lists(t *testing.T) {
	const column = `[{"message": {"role": "user", "content": [{"text": "a"}]}}, {"type":"new","n":58.0,"s":"\u4e2d\ud800","x":[1,  2]}, null, "s"]`
	list, err := ParseList(column)
	if err != nil || FormatList(list) != column {
		t.Errorf("%s, %v", FormatList(list), err)
	}
	rapid.Check(t, func(t *rapid.T) {
		var list []Item
		for range rapid.IntRange(0, 5).Draw(t, "items") {
			f := rapid.SampledFrom([]Form{Wrapped, Flat}).Draw(t, "form")
			a, b, c := rapid.String().Draw(t, "a"), rapid.String().Draw(t, "b"), rapid.String().Draw(t, "c")
			m, call, out := f.Message(a, b), f.Call(a, b, c), f.Output(a, b)
			if name, args := call.Call(); m.Role() != a || m.Text() != b || call.CallID() != a || name != b || args != c || out.CallID() != a || out.Text() != b {
				t.Fatalf("%s %s %s", m.Raw(), call.Raw(), out.Raw())
			}
			list = append(list, m, call, out)
		}
		text := FormatList(list)
		if !json.Valid([]byte(text)) {
			t.Fatalf("%s is no JSON", text)
		}
		back, err := ParseList(text)
		if err != nil || len(back) != len(list) {
			t.Fatal(err)
		}
		for i := range list {
			if back[i] != list[i] {
				t.Fatalf("%+v became %+v", list[i], back[i])
			}
		}
	})
}

func TestBadText(t *testing.T) {
	it := Wrapped.Message("user", "a\xffb\x00\u2028")
	if !utf8.ValidString(it.Raw()) || !json.Valid([]byte(it.Raw())) || it.Text() != "a\uFFFDb\x00\u2028" {
		t.Errorf("%q", it.Raw())
	}
}

func TestDocument(t *testing.T) {
	at := time.Date(2025, 1, 3, 18, 0, 0, 120_000_000, time.FixedZone("", 8*3600))
	d := Document{ID: "c", Title: "帮", History: []Item{Wrapped.Message("user", "帮"), Wrapped.Message("assistant", "好")},
		Stats: model.HistoryStats{Messages: 2, LastContent: "好", LastType: "assistant", LastAt: at},
		Agents: []Agent{{model.AgentStats{Agent: "A", State: "输入: 帮", Interactions: 1, LastType: "called", LastAt: at}, []Item{Flat.Output("1", "x")}},
			{AgentStats: model.AgentStats{Agent: "B", Caller: "A"}}}}
	const want = `{
"conversationId": "c",
"title": "帮",
"messageCount": 2,
"lastMessageType": "assistant",
"lastMessageAt": "2025-01-03T10:00:00.12Z",
"lastMessageContent": "好",
"historyContext": [
{"message": {"role": "user", "content": [{"text": "帮"}]}},
{"message": {"role": "assistant", "content": [{"text": "好"}]}}
],
"agents": [
{
"agentId": "A",
"stateDescription": "输入: 帮",
"interactionCount": 1,
"lastInteractionType": "called",
"lastInteractionAt": "2025-01-03T10:00:00.12Z",
"activeContext": [
{"type":"function_call_output","call_id":"1","output":"x"}
]
},
{
"agentId": "B",
"calledBy": "A",
"stateDescription": "",
"interactionCount": 0,
"lastInteractionType": "",
"activeContext": []
}
]
}
`
	got := string(d.Bytes())
	if got != want {
		t.Errorf("%s", got)
	}
	if !json.Valid([]byte(got)) {
		t.Error("it is no JSON")
	}
}

// Any column reads as the same list again, or is an error.
func FuzzParseList(f *testing.F) {
	for _, s := range []string{"", "null", `[{"message": {"role": "user", "content": [{"text": "帮"}]}}]`, `[{"type":"function_call","call_id":"\ud83d"},null, 1e999]`, "[[],{}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, column string) {
		list, err := ParseList(column)
		if err != nil {
			return
		}
		for _, it := range list {
			if again := parseItem(t, it.Raw()); again != it {
				t.Fatalf("%q reads as %+v, then as %+v", it.Raw(), it, again)
			}
			it.Call()
			if !utf8.ValidString(it.Text() + it.Role() + it.CallID()) {
				t.Fatalf("%q gives text that is not Unicode", it.Raw())
			}
		}
		text := FormatList(list)
		again, err := ParseList(text)
		if err != nil || len(again) != len(list) || FormatList(again) != text {
			t.Fatalf("%q became %q: %v", column, text, err)
		}
	})
}
