package session

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

func workFile(t *testing.T, content []byte, opt Options) *File {
	d, err := transcript.Read(context.Background(), "work.jsonl", bytes.NewReader(content), int64(len(content)), transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return NewFile(d, opt)
}

// A sketch shows every row, is an estimate, applies nothing, and hands its
// parameters to the session that is counted.
func TestSketch(t *testing.T) {
	var b bytes.Buffer
	for i := range 300 {
		fmt.Fprintf(&b, `{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Question %d"}]}}
{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":%q}]}}
{"type":"event_msg","payload":{"type":"token_count","info":{"last_token_usage":{"input_tokens":%d,"output_tokens":300}}}}
`, i, strings.Repeat(fmt.Sprint("answer ", i, " "), 200), 1500*(i+1))
	}
	ctx := context.Background()
	f := workFile(t, b.Bytes(), Options{})
	sketch, err := f.Sketch(ctx, Ref{})
	if err != nil {
		t.Fatal(err)
	}
	p := sketch.Policy()
	p.Window, p.Tail = 20_000, model.Amount{N: 1000, Unit: model.Tokens}
	sketch.SetPolicy(p)
	if !sketch.Sketched() || !sketch.Estimated() || sketch.fit.Calls != 0 {
		t.Error("a sketch does not say that it is an estimate")
	}
	if rec, _ := sketch.Records.Compact(ctx, p, compaction.Options{Manual: true}, nil); rec != nil && rec.Outcome == model.Applied {
		t.Error("a sketch was compacted")
	}
	s, err := f.Count(ctx, sketch, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.TakeOver(sketch)
	line := s.Plan(s.Policy(), compaction.Options{Manual: true}).Line
	if s.TakeOver(sketch); s.Plan(s.Policy(), compaction.Options{Manual: true}).Line != line {
		t.Error("what plans begin with is made again although nothing changed")
	}
	sketch.SetAt(sketch.At() - 1)
	if s.TakeOver(sketch); s.Plan(s.Policy(), compaction.Options{Manual: true}).Line == line {
		t.Error("the plan of another place begins with what was made for the one before")
	}
	sketch.SetAt(sketch.At() + 1)
	s.TakeOver(sketch)
	whole, err := f.Session(ctx, Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.Sketched() || !slices.Equal(s.counts.raw, whole.counts.raw) || s.Policy().Tail != p.Tail {
		t.Error("the session that follows a sketch has other counts, or lost the parameters")
	}
}
