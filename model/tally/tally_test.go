package tally

import (
	"strings"
	"testing"
)

const (
	call    = `{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{"id":"x","type":"tool_use"}}]}`
	result  = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"say \"tool_calls\" {"}]}`
	said    = `{"role":"user","content":"on"}`
	served  = `{"role":"assistant","content":[{"type":"server_tool_use","id":"s","name":"code_execution","input":{}}]}`
	gave    = `{"role":"assistant","content":[{"type":"code_execution_tool_result","tool_use_id":"s","content":{"stdout":"1"}}]}`
	chat    = `{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"b","function":{"name":"f"}}]}`
	chatA   = `{"role":"tool","tool_call_id":"a","content":"1"}`
	chatB   = `{"tool_call_id":"b","role":"tool","content":"2"}`
	itemC   = `{"type":"function_call","call_id":"c","name":"f","arguments":"{\"type\":\"function_call_output\",\"call_id\":\"z\"}"}`
	outC    = `{"type":"function_call_output","call_id":"c","output":"3"}`
	handoff = `{"type":"function_call_output","name":"handoff","output":"3"}`
)

func TestFaults(t *testing.T) {
	for _, x := range []struct{ in, id, want string }{
		{call + "\n" + result, "a", ""},
		{call + "\n" + said + "\n" + result, "a", "a result does not follow its call"},
		{result + "\n" + call, "a", "a result is before its call"},
		{call, "a", "a call has no result"},
		{"[" + result + "]", "a", "a result has no call"},
		{served + "\n" + said + "\n" + gave, "s", ""},
		{served, "s", "a call has no result"},
		{gave, "s", "a result has no call"},
		{`{"messages":[` + chat + "," + chatB + "," + chatA + "]}", "b", ""},
		{"[\n" + chat + ",\n" + chatA + "\n]", "b", "a call has no result"},
		{chat + "\nno JSON\n" + chatA + "\n" + chatB, "a", ""},
		{itemC + "\n" + outC + "\n" + handoff, "c", ""},
		{outC, "c", "a result has no call"},
		{`{"payload":` + itemC + "}\n{\"payload\":" + outC + "}", "c", ""},
	} {
		c, err := Of(strings.NewReader(x.in))
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Faults()[x.id]; got != x.want {
			t.Errorf("%s\n%s: %q, want %q", x.in, x.id, got, x.want)
		}
		if c.Faults()["x"] != "" {
			t.Errorf("%s: an argument is taken for a call", x.in)
		}
	}
}

func TestWhatIsWorse(t *testing.T) {
	of := func(list ...string) *Count {
		c := New()
		for _, m := range list {
			if !c.Add([]byte(m)) {
				t.Fatal(m)
			}
		}
		return c
	}
	if err := of(result).Worse(of(call, result), false); err == nil {
		t.Error("a call went without its result")
	}
	if err := of(result).Worse(of(result, call), false); err == nil {
		t.Error("a call went, and its result, which was before it, stayed")
	}
	if err := of(gave).Worse(of(served, said, gave), false); err == nil {
		t.Error("a provider's tool lost its call")
	}
	if err := of(call, said, result).Worse(of(call, result), true); err != nil {
		t.Error(err)
	}
	if err := of(said).Worse(of(call, result, said), false); err != nil {
		t.Error(err)
	}
	if err := of(result).Worse(of(result), false); err != nil {
		t.Errorf("it was so before: %v", err)
	}
}

func TestLegal(t *testing.T) {
	chatRoles := []string{"system", "user", "assistant", "tool"}
	for _, x := range []struct {
		in, tool string
		roles    []string
		legal    bool
	}{
		{`[` + said + "," + chat + "," + chatB + "," + chatA + "," + said + "]", "tool", chatRoles, true},
		{`[` + said + "," + chat + "]", "tool", chatRoles, true},
		{`[` + said + "," + chat + "," + chatB + "," + said + "," + chatA + "]", "tool", chatRoles, false},
		{`[` + said + "," + chatA + "]", "tool", chatRoles, false},
		{`[{"role":"critic","content":"x"}]`, "tool", chatRoles, false},
		{`{"messages":[` + said + "," + call + "," + result + "]}", "user", []string{"user", "assistant"}, true},
		{`{"messages":[` + said + "," + call + "," + said + "," + result + "]}", "user", []string{"user", "assistant"}, false},
		{`{"messages":[` + said + "," + result + "," + call + "]}", "user", []string{"user", "assistant"}, false},
	} {
		c, err := Of(strings.NewReader(x.in))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Legal(x.tool, x.roles...); (err == nil) != x.legal {
			t.Errorf("%s: %v", x.in, err)
		}
	}
}

// A result under a member that no server reads is none: a misspelled line harms nobody.
func TestAResultIsWhereAServerReadsIt(t *testing.T) {
	for text, want := range map[string]int{
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"x"}]}`:  1,
		`{"role":"user","contenst":[{"type":"tool_result","tool_use_id":"a","content":"x"}]}`: 0,
		`[{"type":"tool_result","tool_use_id":"a","content":"x"}]`:                            1,
	} {
		c := New()
		if !c.Add([]byte(text)) || len(c.results) != want {
			t.Errorf("%s: %d results, want %d", text, len(c.results), want)
		}
	}
}
