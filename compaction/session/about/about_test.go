package about

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// history is a chat in which each turn reads a file, and the last one writes a name
// again that only the first result had.
func history(t *testing.T) *session.Session {
	t.Helper()
	var b bytes.Buffer
	b.WriteString(`{"model":"gpt-4o","messages":[{"role":"system","content":"You are careful."}`)
	for i := range 8 {
		fmt.Fprintf(&b, `,{"role":"user","content":"Look at file %d."}`, i)
		fmt.Fprintf(&b, `,{"role":"assistant","content":null,"tool_calls":[{"id":"c%d","type":"function","function":{"name":"read","arguments":"{\"path\":\"src/f%d.go\"}"}}]}`, i, i)
		fmt.Fprintf(&b, `,{"role":"tool","tool_call_id":"c%d","content":"the port is in internal/net%d/listen_%d.go at 127.0.0.1:48%d19"}`, i, i, i, i)
		fmt.Fprintf(&b, `,{"role":"assistant","content":"Read."}`)
	}
	b.WriteString(`,{"role":"user","content":"And now?"},{"role":"assistant","content":"I change internal/net0/listen_0.go."}]}`)
	d, err := transcript.Read(context.Background(), "small.json", bytes.NewReader(b.Bytes()), int64(b.Len()), transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.NewFile(d, session.Options{}).Session(context.Background(), session.Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestWhatIsKnownOfAMessage(t *testing.T) {
	s := history(t)
	if m := Of(s, 3); m.Indexed || m.Others != 0 {
		t.Errorf("facts before they are indexed: %+v", m)
	}
	if _, err := s.Insight.Facts(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	p := s.Policy()
	p.Tail, p.Strategy = model.Amount{N: 6, Unit: model.Messages}, model.Extract
	pl := s.Plan(p, compaction.Options{Manual: true})
	m := Of(s, 3, pl, nil)
	if m.Caller != 2 || len(m.Results) != 0 || m.Pair <= m.Tokens || m.Bytes == 0 {
		t.Errorf("%+v", m)
	}
	last := len(s.Thread().History) - 1
	if len(m.Facts) == 0 || m.Facts[0].Again[0] != last || m.Facts[0].Text != "internal/net0/listen_0.go" {
		t.Errorf("facts %+v", m.Facts)
	}
	if len(m.Fates) != 2 || !m.Fates[0].Live || m.Fates[0].Fate != model.Summarised || m.Fates[1].Live {
		t.Errorf("fates %+v", m.Fates)
	}
	if call := Of(s, 2); len(call.Results) != 1 || call.Results[0] != 3 || call.Caller != -1 {
		t.Errorf("%+v", call)
	}
	// The caller and the result of every message name each other.
	for i := range s.Thread().History {
		x := Of(s, i)
		if x.Caller >= 0 {
			if back := Of(s, x.Caller); len(back.Results) == 0 || back.Results[0] != i {
				t.Errorf("message %d answers %d, whose results are %v", i, x.Caller, back.Results)
			}
		}
	}
}

func TestTheLineOfASummary(t *testing.T) {
	text := "Messages 2–30: everything.\n- Turn 1 (messages 2–5)\n- Turn 2 (message 6)\n消息 12-15"
	for at, want := range map[int]int{1: 1, 4: 1, 5: 2, 20: 0, 12: 3, 40: -1} {
		if got := lineOf(text, at); got != want {
			t.Errorf("message %d: line %d, not %d", at, got, want)
		}
	}
	if list := Refs(text); len(list) != 4 || text[list[2].From:list[2].To] != "message 6" {
		t.Errorf("%+v", list)
	}
}
