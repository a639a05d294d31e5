package compaction

import (
	"fmt"
	"pgregory.net/rapid"
	"strings"
	"testing"

	"palimpsest/model"
)

func policiesOf(window int, ids ...string) []model.Policy {
	var out []model.Policy
	for _, id := range ids {
		p, _ := PresetByID(id)
		p.Policy.Window = window
		out = append(out, p.Policy)
	}
	return out
}

// A history that goes on as it has gone fires when it was said: the forecast is
// checked against the history with that many messages more, and one fewer.
func TestNextIsWhenItFires(t *testing.T) {
	checkAll(t, func(t *rapid.T) {
		size := int32(rapid.IntRange(1, 300).Draw(t, "size"))
		n := rapid.IntRange(1, 30).Draw(t, "messages")
		p := model.Policy{Window: rapid.IntRange(0, 9000).Draw(t, "window")}
		for range rapid.IntRange(0, 3).Draw(t, "clauses") {
			if rapid.Bool().Draw(t, "share") {
				p.Triggers = append(p.Triggers, ShareClause(rapid.Float64Range(0.05, 1).Draw(t, "share of window")))
			} else {
				p.Triggers = append(p.Triggers, TriggerAt(rapid.IntRange(1, 60).Draw(t, "at"),
					rapid.SampledFrom([]model.Unit{model.Messages, model.Steps, model.Groups, model.Tokens}).Draw(t, "unit")))
			}
		}
		rule := talk(strings.Repeat("A", n), size).Next([]model.Policy{p})[0]
		fires := func(n int) bool {
			return talk(strings.Repeat("A", n), size).Plan(p, Options{}).Why.Code != "not-triggered"
		}
		switch ahead := rule.Messages(); {
		case ahead < 0:
			if fires(n) || p.Window == 0 && fires(n+500) {
				t.Fatalf("fires though it never should: %+v", rule.Clauses)
			}
		case !fires(n+ahead) || ahead > 0 && fires(n+ahead-1):
			t.Fatalf("%d messages ahead of %d: %+v", ahead, n, rule.Clauses)
		}
	})
}

func TestNextTellsClauses(t *testing.T) {
	l := talk("S"+strings.Repeat("UA", 19), 100) // 39 messages, 19 steps, 3,900 tokens
	rules := l.Next(policiesOf(5000, "message-count", "token-share", "sliding-fixed", "sliding-adaptive"))
	for i, want := range []struct {
		clause    string
		ahead     int
		estimated bool
		outcome   Outcome
	}{
		{"39 of 40 messages", 1, false, WouldWait},
		{"3,900 of 4,000 tokens", 1, true, WouldWait},
		{"19 steps, fires above 5", 0, false, WouldApply},
		{"19 steps, fires above 8", 0, false, WouldApply}, // the tier of up to 20 steps
	} {
		r := rules[i]
		if got := r.Clauses[r.First].Reason().String(); got != want.clause || r.Messages() != want.ahead || r.Estimated() != want.estimated || r.Plan.Outcome != want.outcome {
			t.Errorf("%s: %q in %d, estimated %v, %v", r.Preset, got, r.Messages(), r.Estimated(), r.Plan.Outcome)
		}
	}
	if got := rules[2].Plan; got.Taken != (model.Range{From: 1, To: 31}) || got.Passes != 5 {
		t.Errorf("the window of 5 would take %+v in %d passes", got.Taken, got.Passes)
	}
	if got := FiresFirst(rules); got != 2 {
		t.Errorf("rule %d fires first", got)
	}
	if got := FiresFirst([]Rule{rules[3], rules[2]}); got != 1 {
		t.Errorf("of two that fire, rule %d is named, not the one of the smaller window", got)
	}
	if got := FiresFirst(rules[:2]); got != 0 {
		t.Errorf("of two that fire in a message, rule %d is named", got)
	}
}

func TestNextWithNothingToGoBy(t *testing.T) {
	rules := talk("", 1).Next(policiesOf(0, "balanced", "message-count", "sliding-fixed"))
	for i, want := range []int{-1, 40, -1} {
		if got := rules[i].Messages(); got != want {
			t.Errorf("%s of an empty history: %d", rules[i].Preset, got)
		}
	}
	if rules[0].Clauses[0].Reason().Code != "window-unknown" {
		t.Errorf("%+v", rules[0].Clauses)
	}
	if FiresFirst(rules) != 1 || FiresFirst(nil) != -1 {
		t.Error("the rule that can fire is not named")
	}
	never := model.Policy{}
	if r := talk("UA", 1).Next([]model.Policy{never})[0]; r.First != -1 || r.Estimated() {
		t.Errorf("without a clause: %+v", r)
	}
}

// BenchmarkNext is what the list of next rules adds to one move of a slider.
func BenchmarkNext(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		l := long(n)
		var policies []model.Policy
		for _, p := range Presets() {
			p.Policy.Window = n * 300
			policies = append(policies, p.Policy)
		}
		b.Run(fmt.Sprintf("messages=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if len(l.Next(policies)) != len(policies) {
					b.Fatal("rules are missing")
				}
			}
		})
	}
}
