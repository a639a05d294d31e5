package recount

import (
	"path/filepath"
	"testing"
)

// Objects are counted by the words in their members, wherever they are, in one value or one a
// line; what is beside the history, and what has the same name again, is not.
func TestCount(t *testing.T) {
	for name, x := range map[string]struct {
		text string
		rule Rule
		want Counts
	}{
		"one value": {`{"list":[{"role":"user"},{"role":"assistant","calls":[{"type":"tool_use"}]},{"role":"tool"}]}`,
			Rule{Messages: "role=user|assistant", Calls: "type=tool_use", Results: "role=tool"}, Counts{2, 1, 1}},
		"lines, one of them damaged": {`{"role":"user"}` + "\n" + `{"role":` + "\n" + `{"role":"user"} {"role":"system"}` + "\n", Rule{Messages: "role=user"}, Counts{Messages: 2}},
		"a member that is there":     {`[{"text":"a"},{"text":null},{"words":"b"}]`, Rule{Messages: "text"}, Counts{Messages: 1}},
		"all tests, or one":          {`[{"a":"1","b":"2"},{"a":"1"},{"c":"3"}]`, Rule{Messages: "a=1,b=2;c"}, Counts{Messages: 2}},
		"JSON in a text":             {`{"content":"[{\"role\":\"user\"}]"}`, Rule{Messages: "role=user", Unfold: true}, Counts{Messages: 1}},
		"JSON in a text, as it is":   {`{"content":"[{\"role\":\"user\"}]"}`, Rule{Messages: "role=user"}, Counts{}},
		"beside":                     {`{"info":{"kind":"meta","of":{"role":"user"}},"m":{"role":"user"}}`, Rule{Messages: "role=user", Beside: "kind=meta"}, Counts{Messages: 1}},
		"once":                       {`[{"id":"1","role":"user"},{"id":"1","role":"user"},{"id":"2","role":"user"}]`, Rule{Messages: "role=user", Once: "id"}, Counts{Messages: 2}},
	} {
		if got := count([]byte(x.text), x.rule); got != x.want {
			t.Errorf("%s: %+v, want %+v", name, got, x.want)
		}
	}
}

// A format has a rule or says that it has none.
func TestOf(t *testing.T) {
	text := []byte(`[{"role":"user","content":"Hi"},{"role":"assistant","content":"Yes","tool_calls":[{"id":"1","type":"function","function":{"name":"x"}}]},` +
		`{"role":"tool","tool_call_id":"1","content":"y"}]`)
	n, ok, err := Of("openai-chat", filepath.Join(t.TempDir(), "a.json"), text)
	if err != nil || !ok || n != (Counts{3, Uncounted, 1}) {
		t.Errorf("%+v, %v, %v", n, ok, err)
	}
	if _, ok, err := Of("nobody's", "a.json", text); ok || err != nil {
		t.Errorf("an unknown format: %v, %v", ok, err)
	}
}

// A part of a source that was not read is named by its member.
func TestCover(t *testing.T) {
	source := []byte(`{"text":"The quick brown fox jumps over it","aside":"Somebody forgot this sentence here","n":12}`)
	all := Cover("x", source, "The quick brown fox jumps over it. Somebody forgot this sentence here.")
	if all.Missing != 0 || all.Total == 0 || all.Share() != 0 {
		t.Errorf("all was read: %+v", all)
	}
	some := Cover("x", source, "The quick brown fox jumps over it")
	if some.Missing == 0 || some.By["aside"] == 0 || some.By["text"] != 0 || some.Share() <= 0 || some.Share() >= 1 {
		t.Errorf("one text was not read: %+v", some)
	}
}
