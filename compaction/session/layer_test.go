package session

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"palimpsest/compaction"
	"palimpsest/compaction/summarize"
	"palimpsest/model/transcript"
)

// A hundred firings of the sliding window: the layer stays within its cap, is
// not emptied when it overflows, and says what it could not carry on.
func TestLayerOverAHundredFirings(t *testing.T) {
	if testing.Short() {
		t.Skip("one compaction after the other")
	}
	var b bytes.Buffer
	const steps = 310
	b.WriteString(`{"model":"gpt-4o","messages":[{"role":"system","content":"You are careful."},{"role":"user","content":"Walk through the files."}`)
	for i := range steps {
		fmt.Fprintf(&b, `,{"role":"assistant","content":"File %d begins like all the others, with the package and a word on it.","tool_calls":[{"id":"c%d","type":"function","function":{"name":"read","arguments":"{\"path\":\"src/f%d.go\"}"}}]}`, i, i, i)
		fmt.Fprintf(&b, `,{"role":"tool","tool_call_id":"c%d","content":%q}`, i, strings.Repeat("package main // text\n", 40))
	}
	b.WriteString("]}")
	d, err := transcript.Read(context.Background(), "steps.json", bytes.NewReader(b.Bytes()), int64(b.Len()), transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewFile(d, Options{}).Session(context.Background(), Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	preset, _ := compaction.PresetByID("sliding-fixed")
	p := s.adopt(preset.Policy)
	full := false
	for at := range len(s.Thread().History) + 1 {
		s.SetAt(at)
		dr, err := s.Draft(context.Background(), p, compaction.Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if dr.Plan.Outcome != compaction.WouldApply {
			continue
		}
		if _, err := s.Records.Apply(context.Background(), dr); err != nil {
			t.Fatal(err)
		}
		size := layerSize(t, s)
		if size > p.LayerBudget.N {
			t.Fatalf("after %d firings the layer has %d characters", len(s.Stack()), size)
		}
		if full = full || size > p.LayerBudget.N*9/10; full && size < p.LayerBudget.N/2 {
			t.Fatalf("after %d firings only %d characters are left of a full layer", len(s.Stack()), size)
		}
	}
	if n := len(s.Stack()); n < 100 || !full {
		t.Fatalf("%d firings, layer once full: %v %s", n, full, layerText(t, s))
	}
	text := layerText(t, s)
	for _, want := range []string{
		"File 305 begins", "File 269 begins", // the newest range, and what was merged more than once
		"Messages 2–614: turn 1, 306 calls.", // one line for all that is covered: a person spoke once
		" more (#7–",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not told:\n%s", want, text)
		}
	}
}

func layerTexts(t *testing.T, s *Session) []string {
	t.Helper()
	var texts []string
	for _, it := range s.Items() {
		if it.Msg >= 0 {
			continue
		}
		text := s.SummaryText(it.Record)
		if !summarize.IsSummary(text) {
			t.Fatalf("no summary: %q", text)
		}
		texts = append(texts, text)
	}
	return texts
}

func layerText(t *testing.T, s *Session) string { return strings.Join(layerTexts(t, s), "\n\n") }

func layerSize(t *testing.T, s *Session) int { return utf8.RuneCountInString(layerText(t, s)) }
