package transcript

import (
	"github.com/valyala/fastjson"
	"strings"
	"testing"
)

// tableRow is what a table of messages needs of one record, whatever the reader:
// the task by which goal L1 compares readers.
type tableRow struct {
	kind, role, id, parent, time string
	text                         string // all its texts, one after the other
	calls                        []tableCall
	answers                      string // the call whose result it is
}

type tableCall struct{ id, name, input string }

// weight is what the rows of two readers can be compared by, and what keeps a
// compiler from leaving the work out.
func (r *tableRow) weight() int {
	n := len(r.kind) + len(r.role) + len(r.id) + len(r.parent) + len(r.time) + len(r.text) + len(r.answers)
	for _, c := range r.calls {
		n += len(c.id) + len(c.name) + len(c.input)
	}
	return n
}

// fastRow makes the row of a record with plain fastjson: no check of what the
// parser takes for JSON, no hash, no places, no threads.
func fastRow(v *fastjson.Value) tableRow {
	r := tableRow{kind: text(v, "type"), id: text(v, "uuid"), parent: text(v, "parentUuid"), time: text(v, "timestamp")}
	var b strings.Builder
	if p := v.Get("payload"); p != nil {
		r.role, r.id = text(p, "role"), text(p, "id")
		switch text(p, "type") {
		case "message":
			fastContent(p.Get("content"), &r, &b)
		case "function_call":
			r.calls = []tableCall{{text(p, "call_id"), text(p, "name"), text(p, "arguments")}}
		case "function_call_output":
			r.answers = text(p, "call_id")
			b.Write(p.GetStringBytes("output"))
		}
	} else if m := v.Get("message"); m != nil {
		r.role = text(m, "role")
		fastContent(m.Get("content"), &r, &b)
	}
	r.text = b.String()
	return r
}

func fastContent(content *fastjson.Value, r *tableRow, b *strings.Builder) {
	if content == nil {
		return
	}
	if content.Type() == fastjson.TypeString {
		b.Write(content.GetStringBytes())
	}
	for _, part := range content.GetArray() {
		switch string(part.GetStringBytes("type")) {
		case "tool_use":
			c := tableCall{id: text(part, "id"), name: text(part, "name")}
			if input := part.Get("input"); input != nil {
				c.input = string(input.MarshalTo(nil))
			}
			r.calls = append(r.calls, c)
		case "tool_result":
			r.answers = text(part, "tool_use_id")
			fastContent(part.Get("content"), r, b)
		default:
			b.Write(part.GetStringBytes("text"))
		}
	}
}

func text(v *fastjson.Value, key string) string { return string(v.GetStringBytes(key)) }

// The baseline has to do its task, or the ratio means nothing.
func TestFastRow(t *testing.T) {
	for line, want := range map[string]tableRow{
		`{"type":"assistant","uuid":"u2","parentUuid":"u1","timestamp":"t","message":{"role":"assistant","content":[{"type":"text","text":"a\nb"},` +
			`{"type":"tool_use","id":"c","name":"Bash","input":{"command":"ls"}}]}}`: {kind: "assistant", role: "assistant", id: "u2", parent: "u1", time: "t",
			text: "a\nb", calls: []tableCall{{"c", "Bash", `{"command":"ls"}`}}},
		`{"type":"user","uuid":"u3","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":[{"type":"text","text":"out"}]}]}}`: {
			kind: "user", role: "user", id: "u3", text: "out", answers: "c"},
		`{"type":"response_item","payload":{"type":"function_call","call_id":"c","name":"exec","arguments":"{}"}}`: {kind: "response_item",
			calls: []tableCall{{"c", "exec", "{}"}}},
	} {
		var p fastjson.Parser
		v, err := p.Parse(line)
		if err != nil {
			t.Fatal(err)
		}
		if got := fastRow(v); got.weight() != want.weight() || got.text != want.text || got.answers != want.answers || len(got.calls) != len(want.calls) {
			t.Errorf("%s\n gives %+v\nwant %+v", line, got, want)
		}
	}
}
