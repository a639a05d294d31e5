package session

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// Summaries next to each other number their turns on: the second does not
// begin with turn 1 again.
func TestLayersNumberTheirTurnsOn(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"model":"gpt-4o","messages":[{"role":"system","content":"You are careful."}`)
	const turns = 40
	for i := range turns {
		fmt.Fprintf(&b, `,{"role":"user","content":"Question %d about the parser and its grammar, please answer at length."},{"role":"assistant","content":"Answer %d: %s"}`,
			i+1, i+1, strings.Repeat("the grammar has one more rule here. ", 8))
	}
	b.WriteString("]}")
	d, err := transcript.Read(t.Context(), "talk.json", bytes.NewReader([]byte(b.String())), int64(b.Len()), transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewFile(d, Options{}).Session(t.Context(), Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	preset, _ := compaction.PresetByID("message-count")
	p := s.adopt(preset.Policy)
	p.Former, p.LayerBudget = model.LayerFormer, model.Amount{N: 100_000, Unit: model.Chars}
	want := []string{"turns 1–15", "turns 16–30"}
	for i, w := range want {
		s.SetAt(41 + 40*i)
		dr, err := s.Draft(t.Context(), p, compaction.Options{Manual: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Records.Apply(t.Context(), dr); err != nil {
			t.Fatal(err)
		}
		texts := layerTexts(t, s)
		if len(texts) != i+1 || !strings.Contains(texts[i], w) {
			t.Fatalf("after %d compactions %d summaries stand; the newest has no %q:\n%s", i+1, len(texts), w, texts[len(texts)-1])
		}
	}
}
