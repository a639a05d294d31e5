package filling

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// history is a chat in which the agent reads two files by turns, and runs a command once.
func history(t *testing.T) *session.Session {
	t.Helper()
	var b bytes.Buffer
	b.WriteString(`{"model":"gpt-4o","messages":[{"role":"system","content":"You are careful."},{"role":"user","content":"Look."}`)
	call := func(id, tool, args, result string) {
		fmt.Fprintf(&b, `,{"role":"assistant","content":null,"tool_calls":[{"id":%q,"type":"function","function":{"name":%q,"arguments":%q}}]}`, id, tool, args)
		fmt.Fprintf(&b, `,{"role":"tool","tool_call_id":%q,"content":%q}`, id, result)
	}
	for i := range 6 {
		call(fmt.Sprint("r", i), "read", fmt.Sprintf(`{"path":"f%d.go"}`, i%2), strings.Repeat("the port is open ", 10*(1+i%2)))
	}
	call("b", "bash", `{"command":"ls"}`, "f0.go f1.go")
	b.WriteString(`]}`)
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

func at(t *testing.T, s *session.Session, n int) *Filling {
	t.Helper()
	f, err := Of(t.Context(), s, n)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// What fills a context is what the plan says its size is, whichever way it is divided.
func TestFilling(t *testing.T) {
	s := history(t)
	end := len(s.Thread().History)
	f := at(t, s, end)
	size := s.Plan(s.Policy(), compaction.Options{Manual: true}).Before
	if f.Messages != size.Messages || f.Whole() != size.Tokens {
		t.Errorf("%d messages of %d tokens, the plan has %+v", f.Messages, f.Whole(), size)
	}
	var sum, results int64
	for _, p := range f.Kinds {
		if sum += p.Tokens; p.Kind == model.KindResult {
			results = p.Tokens
		}
	}
	if sum != f.Tokens || results == 0 {
		t.Errorf("kinds come to %d of %d, results to %d", sum, f.Tokens, results)
	}
	if len(f.Tools) != 2 || f.Tools[0].Name != "read" || f.Tools[0].Messages != 6 || f.Tools[0].Tokens+f.Tools[1].Tokens != results {
		t.Errorf("tools %+v", f.Tools)
	}
	if len(f.Files) != 2 || f.Files[0].Name != "f1.go" || f.Files[0].Messages != 3 || f.Files[0].Tokens+f.Files[1].Tokens != f.Tools[0].Tokens {
		t.Errorf("files %+v", f.Files)
	}
	if m := s.Thread().Messages[s.Thread().History[f.Files[0].Largest]]; m.Kind != model.KindResult {
		t.Errorf("the largest of a file is message %d, a %v", f.Files[0].Largest+1, m.Kind)
	}
	early := at(t, s, 4)
	if early.Messages != 4 || len(early.Files) != 1 || early.Whole() >= f.Whole() {
		t.Errorf("before message 5: %+v", early)
	}
}

// After a compaction the summary is in the context in place of what it took.
func TestFillingAfterACompaction(t *testing.T) {
	s := history(t)
	before := at(t, s, s.At())
	p := s.Policy()
	p.Tail, p.Strategy, p.MinGain = model.Amount{N: 2, Unit: model.Messages}, model.Extract, model.Gain{}
	if _, err := s.Records.Compact(t.Context(), p, compaction.Options{Manual: true}, nil); err != nil {
		t.Fatal(err)
	}
	after := at(t, s, s.At())
	if after.Messages >= before.Messages || after.Kinds[0].Kind == model.KindResult && after.Kinds[0].Messages > 1 {
		t.Errorf("%+v", after)
	}
}
