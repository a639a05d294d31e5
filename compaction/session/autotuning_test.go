package session

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/auto"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// stillClock is a clock that stands.
type stillClock struct{}

func (stillClock) Now() time.Time { return time.Time{} }
func (stillClock) WithTimeout(ctx context.Context, _ time.Duration) (context.Context, context.CancelFunc) {
	return context.WithCancel(ctx)
}

const drawnArguments = `{"command":"go test ./..."}`

// drawChat is a chat of about n messages: a system prompt at times, calls that are
// answered, in parallel at times.
func drawChat(rng *rand.Rand, n int) (list []map[string]any) {
	say := func(role string) {
		list = append(list, map[string]any{"role": role, "content": fmt.Sprintf("%d: %s", len(list),
			strings.Repeat([]string{"look at main.go ", "部署到服务器 ", "it is done "}[rng.IntN(3)], 4+rng.IntN(60)))})
	}
	if rng.IntN(2) == 0 {
		say("system")
	}
	for calls := 0; len(list) < n; {
		say("user")
		for range rng.IntN(3) {
			var made []map[string]any
			for range 1 + rng.IntN(3) {
				calls++
				made = append(made, map[string]any{"id": fmt.Sprint("c", calls), "type": "function",
					"function": map[string]any{"name": "run", "arguments": drawnArguments}})
			}
			list = append(list, map[string]any{"role": "assistant", "content": "I run it.", "tool_calls": made})
			for _, c := range made {
				list = append(list, map[string]any{"role": "tool", "tool_call_id": c["id"],
					"content": strings.Repeat("ok   pkg 0.01s\n", 3+rng.IntN(40))})
			}
		}
		say("assistant")
	}
	return list
}

// bareCount counts as the window does. Automatic compaction adds four tokens for the
// frame of a message and of a call, which the figures of the window don't have: they are
// taken off the texts, of which each message and each call has one that is counted once.
func bareCount(s *Session) func(string) int {
	return func(text string) int {
		n := s.CountText(text)
		if text != drawnArguments {
			n -= 4
		}
		return n
	}
}

// Message count and token share, tuned by threshold, window, batch and the length of a
// summary: the policy fires on a chat when automatic compaction does, at the very token,
// takes the same messages, and the summary is the same text.
func TestTuningNeverLeavesAutomaticCompaction(t *testing.T) {
	rng := rand.New(rand.NewPCG(46, 3))
	same, longer, shares := 0, 0, [2]int{}
	for range 450 {
		list := drawChat(rng, 12+rng.IntN(70))
		data, _ := json.Marshal(map[string]any{"messages": list})
		d, err := transcript.Read(t.Context(), "chat.json", bytes.NewReader(data), int64(len(data)), transcript.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := NewFile(d, Options{}).Session(t.Context(), Ref{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		byCount, byShare, manual := rng.IntN(2) == 0, rng.IntN(3) > 0, rng.IntN(3) == 0
		count, keep, batch, chars := 1+rng.IntN(len(list)), rng.IntN(20), rng.IntN(40), 400+rng.IntN(3000)
		preset, _ := compaction.PresetByID("message-count")
		p, cfg := s.adopt(preset.Policy), auto.MessageCountConfig("gpt-4o")
		set := func(key string, n int, u model.Unit) { model.ParamOf(key).SetNumber(&p, float64(n), u) }
		set("tail", keep, model.Messages)
		set("budget", chars, model.Chars)
		cfg.KeepRecent, cfg.SummaryMaxChars, cfg.Strategy, cfg.OnFailure = keep, chars, model.Extract, model.KeepEverything
		fixed := 0
		switch set("trigger", count, model.Messages); {
		case byShare:
			percent, used := 1+rng.IntN(100), int(s.Plan(p, compaction.Options{}).Before.Tokens)
			fixed, manual = rng.IntN(2000), false
			p.Window = max((used-p.Fixed+fixed)*100/percent+rng.IntN(3)-1, 1)
			p.Fixed = fixed
			set("trigger", percent, model.Percent)
			set("batch", 0, model.Messages)
			cfg.MaxCount, cfg.Batch, cfg.NoShare, cfg.Threshold, cfg.Window, cfg.Fixed = 0, 0, false, float64(percent)/100, p.Window, fixed
		case byCount:
			set("batch", batch, model.Messages)
			cfg.MaxCount, cfg.Batch = count, batch
			manual = manual && batch == 0 // by hand the library takes everything at once
		default:
			set("batch", 0, model.Messages)
			cfg.MaxCount, cfg.Batch, manual = count, 0, true
		}
		a, err := auto.New(cfg, auto.Options{Clock: stillClock{}, Count: bareCount(s)})
		if err != nil {
			t.Fatal(err)
		}
		var messages []auto.ChatMessage
		spelled, _ := json.Marshal(list)
		if err := json.Unmarshal(spelled, &messages); err != nil {
			t.Fatal(err)
		}
		a.Append(messages...)
		if d, pl := a.Decision(), s.Plan(p, compaction.Options{}); byShare {
			fires := slices.ContainsFunc(pl.Clauses, func(c compaction.ClauseState) bool { return c.Fires })
			if d.Usage.Used != pl.Before.Tokens || d.ByShare != fires {
				t.Errorf("%d messages, %v of %d: the policy counts %d tokens and fires: %v; automatic compaction %d, %v", len(list), p.Triggers,
					p.Window, pl.Before.Tokens, fires, d.Usage.Used, d.ByShare)
			}
			shares[map[bool]int{true: 1}[fires]]++
		}
		var r auto.Result
		if manual {
			r = a.CompactNow(t.Context())
		} else {
			r = a.BeforeCall(t.Context())
		}
		dr, err := s.Draft(t.Context(), p, compaction.Options{Manual: manual}, nil)
		if err != nil {
			t.Fatal(err)
		}
		where := fmt.Sprintf("%d messages, by share %v of %d, by count %v, by hand %v, threshold %v, window %d, batch %d, %d characters",
			len(list), byShare, p.Window, byCount, manual, p.Triggers, keep, batch, chars)
		first := s.Plan(p, compaction.Options{Manual: manual})
		if applies := dr.Plan.Outcome == compaction.WouldApply; applies && first.Taken != dr.Plan.Taken {
			longer++ // its summary was longer than expected, so more is taken; the library keeps to its range
			continue
		} else if applies != r.Compressed {
			t.Errorf("%s: the policy applies: %v (%v), automatic compaction did: %v (%v, %s)", where, applies, dr.Plan.Why, r.Compressed, r.Err, r.Decision.Why)
			continue
		} else if !applies {
			continue
		}
		same++
		if got, want := dr.Plan.After.Messages, len(r.Messages); got != want || dr.Plan.Taken.From != r.Record.Range.From || dr.Plan.Taken.To != r.Record.Range.To {
			t.Errorf("%s: the policy leaves %d messages and takes %v; automatic compaction leaves %d and takes %v", where, got, dr.Plan.Taken, want, r.Record.Range)
			continue
		}
		if _, text, _ := strings.Cut(dr.Text.Text, "\n"); text != r.Record.Summary {
			t.Errorf("%s: the summary is\n%s\nthat of automatic compaction\n%s", where, dr.Text.Text, r.Record.Summary)
		}
	}
	if same < 150 || longer > 5 || min(shares[0], shares[1]) < 50 {
		t.Errorf("%d compactions were compared, %d took more for a long summary; by share %d did not fire, %d did", same, longer, shares[0], shares[1])
	}
}
