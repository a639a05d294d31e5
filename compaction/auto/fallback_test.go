package auto

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"palimpsest/model"
)

// What stands in for a model's summary numbers its turns on from the history,
// also behind a summary in a model's own words and behind messages that were cut:
// it never tells of a second turn 1.
func TestExtractInsteadNumbersItsTurnsOn(t *testing.T) {
	cfg := MessageCountConfig("m")
	cfg.OnFailure, cfg.MaxCount, cfg.Batch, cfg.KeepRecent = model.ExtractInstead, 30, 20, 10
	cfg.SummaryMaxChars, cfg.SummaryMaxTokens = 4000, 0
	client := says("They talked about the parser.")
	r := newRig(t, cfg, client)
	r.Append(chat("S", 60)...)
	next := func() Result {
		for len(r.mem.runtime) < cfg.MaxCount {
			r.Append(chat("U A", 300)...)
		}
		return r.BeforeCall(t.Context())
	}
	if res := next(); res.Instead != "" || !res.Compressed {
		t.Fatalf("the model's summary: %+v", res.Decision)
	}
	client.reply = func(context.Context, SummaryRequest) (string, error) { return "", errors.New("down") }
	for round, want := range []string{": turns 11–19.", ": turns 11–28."} {
		res := next()
		if res.Instead != model.ExtractInstead {
			t.Fatalf("round %d: %+v", round, res.Decision)
		}
		text := ""
		for _, h := range r.mem.runtime {
			if h.summary {
				text = h.msg.Content
			}
		}
		if !strings.Contains(text, want) || strings.Contains(text, "Turn 1 ") {
			t.Errorf("round %d does not tell of%s\n%s", round, want, text)
		}
	}
}

// What is summarised knows the turn of the history that it belongs to, also in the middle
// of one, and after its state was read again; what a program put in begins none, and
// what stands before the first words of a person belongs to their turn.
func TestTurnsOfWhatIsTaken(t *testing.T) {
	a := newRig(t, MessageCountConfig("m"), nil)
	a.Append(chat("S A U A U T:1 R:1 A U A", 10)...)
	a.Append(ChatMessage{Role: "user", Content: "<environment_context>\n<cwd>/tmp</cwd>\n</environment_context>"}, chat("A", 10)[0])
	want := []int{1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}
	turns := func() (out []int) {
		for _, e := range entries(a.mem.runtime, func(s string) string { return s }) {
			out = append(out, e.Turn)
		}
		return out
	}
	if got := turns(); !slices.Equal(got, want) {
		t.Errorf("turns %v, want %v", got, want)
	}
	b, err := json.Marshal(a.Compactor)
	if err == nil {
		err = a.Load(b)
	}
	if got := turns(); err != nil || !slices.Equal(got, want) {
		t.Errorf("turns of a saved history %v (%v), want %v", got, err, want)
	}
	for _, c := range []struct{ part, turns model.Range }{
		{model.Range{From: 0, To: 2}, model.Range{}}, {model.Range{From: 0, To: 3}, model.Range{From: 1, To: 1}},
		{model.Range{From: 5, To: 9}, model.Range{From: 2, To: 3}}, {model.Range{From: 3, To: 3}, model.Range{}},
	} {
		if got := a.mem.turnsOf(c.part); got != c.turns {
			t.Errorf("turns of %v: %v, want %v", c.part, got, c.turns)
		}
	}
}
