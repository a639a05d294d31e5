package transcript

import (
	"testing"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/generic"
)

// A field map that names calls pairs them with what the tools said, whatever
// names the calls' own members have; results that name no call stay
// observations. Rewritten, no call and no result is left alone.
func TestFieldMapCalls(t *testing.T) {
	for _, x := range []struct{ name, text, fields string }{
		{"as OpenAI has them", `{"log":[{"who":"user","body":"a"},
			{"who":"bot","body":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"ls","arguments":"{\"p\":1}"}},{"id":"c2","function":{"name":"cat","arguments":"{}"}}]},
			{"who":"tool","body":"x","tool_call_id":"c1"},{"who":"tool","body":[{"type":"text","text":"y"}],"tool_call_id":"c2"},{"who":"bot","body":"b"}]}`,
			"messages=$.log,role=who,text=body,calls=tool_calls"},
		{"of its own", `[{"r":"user","t":"a"},
			{"r":"agent","t":"look","do":{"list":[{"call_id":1,"tool":"ls","args":{"p":1}},{"call_id":2,"tool":"cat","args":{}}]}},
			{"r":"tool","t":"x","of":{"call":1}},{"r":"tool","t":"y","of":{"call":2}},{"r":"agent","t":"b"}]`,
			"messages=$,role=r,text=t,calls=do.list,answers=of.call"},
	} {
		d, err := readMapped(x.text, x.fields)
		if err != nil {
			t.Fatalf("%s: %v", x.name, err)
		}
		th := d.Conversations[0].Main()
		calls := th.Messages[1].Calls
		if len(th.Messages) != 5 || len(calls) != 2 || calls[0].Name != "ls" || calls[1].Name != "cat" {
			t.Fatalf("%s: %d messages, calls %+v", x.name, len(th.Messages), calls)
		}
		for i, want := range []string{"x", "y"} {
			m := &th.Messages[2+i]
			parts, err := d.Parts(m)
			if err != nil || m.Kind != model.KindResult || m.Answers != calls[i].ID || len(parts) != 1 || parts[0].Kind != model.PartResult || parts[0].Text != want {
				t.Errorf("%s: result %d is %+v with %+v: %v", x.name, i, m, parts, err)
			}
		}
		parts, err := d.Parts(&th.Messages[1])
		if n := len(parts); err != nil || n < 2 || parts[n-2].Kind != model.PartCall || parts[n-2].CallID != calls[0].ID || parts[n-2].Name != "ls" || parts[n-1].Text != "{}" {
			t.Errorf("%s: parts %+v: %v", x.name, parts, err)
		}
		if m, err := generic.ParseMap(x.fields); err != nil || m.String() != x.fields {
			t.Errorf("%s: spelled %v: %v", x.name, m, err)
		}
		checkDocument(t, d)
		checkRewrites(t, d, 20)
	}
	d, err := readMapped(`[{"r":"user","t":"a"},{"r":"tool","t":"x"},{"r":"tool","t":"y","call_id":"c"}]`, "messages=$,role=r,text=t")
	if err != nil {
		t.Fatal(err)
	}
	if got := liveShape(d.Conversations[0].Main()); got != "typed, observation, observation" {
		t.Errorf("without calls: %s", got)
	}
}
