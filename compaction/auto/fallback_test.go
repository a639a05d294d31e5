package auto

import (
	"context"
	"errors"
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

// A turn that had begun before what is taken is one turn.
func TestTurnsBeforeWhatIsTaken(t *testing.T) {
	m := &memory{}
	for _, c := range chat("S U A U T:1 R:1 A U A", 10) {
		m.append(held{msg: c})
	}
	at := func(i int) held { return m.history[i] }
	for _, c := range []struct {
		name  string
		taken []held
		want  int
	}{
		{"from the first turn", []held{at(1), at(2)}, 0},
		{"from the second turn", []held{at(3), at(4)}, 1},
		{"from within the second turn", []held{at(6), at(7)}, 1},
		{"behind a summary", []held{{summary: true, hist: -1}, at(7)}, 2},
		{"a summary alone", []held{{summary: true, hist: -1}}, 0},
		{"the system prompt", []held{at(0)}, 0},
		{"nothing", nil, 0},
	} {
		if got := m.turnsBefore(c.taken); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
