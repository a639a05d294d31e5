package replay

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/model"

	"pgregory.net/rapid"
)

// drawHistory makes a history as agents leave them: exchanges, parallel calls
// with results in any order, reused ids, calls never answered or answered long
// after, interjections, step records, former summaries.
func drawHistory(t *rapid.T) (*model.Thread, []int32) {
	th := &model.Thread{}
	var sizes []int32
	var open []string
	step, clock := int32(0), int64(1_700_000_000_000)
	add := func(m model.Message) {
		clock += rapid.SampledFrom([]int64{0, 1000, 299_000, 301_000}).Draw(t, "pause")
		if rapid.IntRange(0, 3).Draw(t, "timed") > 0 {
			m.Time = clock
		}
		if rapid.IntRange(0, 4).Draw(t, "reports") == 0 && m.Kind == model.KindAssistant {
			m.Usage = &model.Usage{Input: 1 + len(sizes), CacheRead: rapid.IntRange(0, len(sizes)).Draw(t, "cached")}
		}
		th.History = append(th.History, int32(len(th.Messages)))
		th.Messages = append(th.Messages, m)
		sizes = append(sizes, rapid.SampledFrom([]int32{0, 1, 7, 30, 120, 700}).Draw(t, "size"))
	}
	for k := range rapid.IntRange(0, 90).Draw(t, "messages") {
		switch rapid.IntRange(0, 13).Draw(t, "what") {
		case 0:
			add(model.Message{Kind: model.KindSystem, Role: model.RoleSystem})
		case 1, 2:
			add(model.Message{Kind: model.KindUser, Origin: model.OriginTyped})
		case 3:
			add(model.Message{Kind: model.KindUser, Origin: model.OriginInjected})
		case 4:
			add(model.Message{Kind: model.KindResult, Answers: fmt.Sprint("orphan", k)})
		case 5:
			add(model.Message{Kind: model.KindSummary, Role: model.RoleUser})
		case 6:
			step++
			for range rapid.IntRange(1, 3).Draw(t, "phases") {
				add(model.Message{Kind: model.KindAssistant, Step: step})
			}
		case 7, 8:
			add(model.Message{Kind: model.KindAssistant})
		case 9, 10:
			m := model.Message{Kind: model.KindAssistant}
			for c := range rapid.IntRange(1, 3).Draw(t, "calls") {
				id := fmt.Sprint(k, "-", c)
				if rapid.IntRange(0, 4).Draw(t, "reuse") == 0 {
					id = "same"
				}
				m.Calls = append(m.Calls, model.Call{ID: id, Name: "run"})
				open = append(open, id)
			}
			add(m)
		default:
			if len(open) > 0 {
				i := rapid.IntRange(0, len(open)-1).Draw(t, "which")
				add(model.Message{Kind: model.KindResult, Answers: open[i]})
				open = append(open[:i], open[i+1:]...)
			}
		}
	}
	return th, sizes
}

var extremes = []int{-5, 0, 1, 2, 3, 5, 10, 40, 300, 1000, 5000, 1 << 40}

func drawPolicy(t *rapid.T) model.Policy {
	n := func(name string) int { return rapid.SampledFrom(extremes).Draw(t, name) }
	unit := func(name string) model.Unit {
		return rapid.SampledFrom([]model.Unit{model.Messages, model.Groups, model.Steps, model.Turns, model.Tokens, ""}).Draw(t, name)
	}
	chars := rapid.SampledFrom([]model.Unit{model.Tokens, model.Chars, model.Percent})
	p := model.Policy{
		Window: n("window"), Reserve: n("reserve"), Fixed: rapid.SampledFrom([]int{-5, 0, 50, 1 << 40}).Draw(t, "fixed"),
		Tail: model.Amount{N: n("tail"), Unit: rapid.SampledFrom([]model.Unit{model.Percent, unit("tail unit")}).Draw(t, "tail as a share")}, Batch: model.Amount{N: n("batch"), Unit: unit("batch unit")},
		Target: n("target"), MinGain: model.Gain{Messages: n("gain"), Tokens: n("gain tokens")},
		Adaptive: rapid.Bool().Draw(t, "adaptive"), KeepFirstUser: rapid.Bool().Draw(t, "first user"),
		Strategy:    rapid.SampledFrom([]model.Strategy{model.Extract, model.Extract, model.Drop, model.ClearOnly}).Draw(t, "strategy"),
		Budget:      model.Amount{N: n("budget"), Unit: chars.Draw(t, "budget unit")},
		Former:      rapid.SampledFrom([]model.Former{model.MergeFormer, model.LayerFormer}).Draw(t, "former"),
		LayerBudget: model.Amount{N: n("layer"), Unit: chars.Draw(t, "layer unit")},
		Clear:       model.Clearing{On: rapid.Bool().Draw(t, "clear"), Keep: rapid.IntRange(0, 5).Draw(t, "keep"), Above: rapid.IntRange(0, 60).Draw(t, "above")},
		BackOff:     rapid.SampledFrom([]int{-1, 0, 1, 5, 1 << 40}).Draw(t, "back-off"),
	}
	for range rapid.IntRange(0, 3).Draw(t, "clauses") {
		if rapid.Bool().Draw(t, "share") {
			p.Triggers = append(p.Triggers, model.Clause{Share: rapid.Float64Range(-0.5, 1.5).Draw(t, "share of window")})
		} else {
			p.Triggers = append(p.Triggers, model.Clause{At: model.Amount{N: n("at"), Unit: unit("at unit")}})
		}
	}
	for range rapid.IntRange(0, 2).Draw(t, "pins") {
		from := rapid.IntRange(0, 60).Draw(t, "pin")
		p.Pins = append(p.Pins, model.Range{From: from, To: from + rapid.IntRange(0, 4).Draw(t, "pin length")})
	}
	return p
}

func preparedFor(th *model.Thread, sizes []int32) *compaction.History {
	return compaction.NewHistory(th, func(i int32) int32 { return sizes[i] })
}

// same reports how two timelines differ, call by call.
func same(got, want *Timeline) error {
	if len(got.Calls) != len(want.Calls) {
		return fmt.Errorf("%d calls, want %d", len(got.Calls), len(want.Calls))
	}
	for i, w := range want.Calls {
		g := got.Calls[i]
		if g != w {
			return fmt.Errorf("call %d is %+v, want %+v", i, g, w)
		}
	}
	if len(got.Firings) != len(want.Firings) {
		return fmt.Errorf("%d firings, want %d", len(got.Firings), len(want.Firings))
	}
	for i, w := range want.Firings {
		g := got.Firings[i]
		g.Context = nil
		if !reflect.DeepEqual(g, w) {
			return fmt.Errorf("firing %d is\n%+v, want\n%+v", i, g, w)
		}
	}
	if len(got.Refusals) != len(want.Refusals) {
		return fmt.Errorf("%d refusals, want %d", len(got.Refusals), len(want.Refusals))
	}
	for i, w := range want.Refusals {
		if g := got.Refusals[i]; g.Call != w.Call || g.Why != w.Why || (g.Err == nil) != (w.Err == nil) {
			return fmt.Errorf("refusal %d is %+v, want %+v", i, g, w)
		}
	}
	if got.Totals != want.Totals {
		return fmt.Errorf("totals are\n%+v, want\n%+v", got.Totals, want.Totals)
	}
	return nil
}

func TestReplayIsTheSlowOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		th, sizes := drawHistory(t)
		p := drawPolicy(t)
		got, err := Run(context.Background(), preparedFor(th, sizes), p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := same(got, define(context.Background(), th, sizes, p, nil)); err != nil {
			t.Fatal(err)
		}
	})
}

// texts are made of what a firing takes, former texts included, and fail now
// and then; they depend on nothing else, so that two replays get the same.
func texts(every int) Summariser {
	n := 0
	return func(_ context.Context, p *compaction.Plan, former func(string) string) (compaction.Text, error) {
		var b strings.Builder
		p.Takes(func(i int) {
			if it := p.Line.Item(i); it.Msg < 0 {
				b.WriteString(former(it.Record))
			}
			b.WriteString("é")
		})
		if n++; every > 0 && n%every == 0 {
			return compaction.Text{}, errors.New("the model is out")
		}
		return compaction.Text{Text: b.String(), Tokens: b.Len()}, nil
	}
}

func TestReplayWithTextsIsTheSlowOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		th, sizes := drawHistory(t)
		p := drawPolicy(t)
		p.OnFailure = model.KeepEverything
		every := rapid.IntRange(0, 4).Draw(t, "fails every")
		got, err := Run(context.Background(), preparedFor(th, sizes), p, Options{Summarise: texts(every)})
		if err != nil {
			t.Fatal(err)
		}
		if err := same(got, define(context.Background(), th, sizes, p, texts(every))); err != nil {
			t.Fatal(err)
		}
	})
}

// A policy that only clears waits before most calls for one more result to grow old, which
// is looked at from one call to the next: results come late, messages are left out.
func TestReplayThatClearsIsTheSlowOne(t *testing.T) {
	for seed := range 1200 {
		run := rapid.Custom(drawClearing).Example(seed)
		got, err := Run(context.Background(), preparedFor(run.th, run.sizes), run.policy, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := same(got, define(context.Background(), run.th, run.sizes, run.policy, nil)); err != nil {
			t.Fatalf("seed %d: %v\n%+v", seed, err, run.policy)
		}
	}
}

// clearingRun is a history with a policy that only clears.
type clearingRun struct {
	th     *model.Thread
	sizes  []int32
	policy model.Policy
}

// drawClearing draws steps with calls and results, some of which come late, and some words
// of a person.
func drawClearing(t *rapid.T) (run clearingRun) {
	var late []string
	run.th = &model.Thread{}
	add := func(m model.Message) {
		run.th.History = append(run.th.History, int32(len(run.th.Messages)))
		run.th.Messages = append(run.th.Messages, m)
		run.sizes = append(run.sizes, int32(rapid.IntRange(0, 250).Draw(t, "size")))
	}
	add(model.Message{Kind: model.KindSystem, Role: model.RoleSystem})
	for k := range rapid.IntRange(40, 90).Draw(t, "steps") {
		what := rapid.IntRange(0, 9).Draw(t, "what")
		if what == 0 {
			add(model.Message{Kind: model.KindUser, Origin: model.OriginTyped})
		}
		m := model.Message{Kind: model.KindAssistant}
		for c := range rapid.IntRange(1, 2).Draw(t, "calls") {
			m.Calls = append(m.Calls, model.Call{ID: fmt.Sprint(k, "-", c), Name: "run"})
		}
		add(m)
		for _, c := range m.Calls {
			if what == 1 {
				late = append(late, c.ID)
				continue
			}
			add(model.Message{Kind: model.KindResult, Answers: c.ID})
		}
		if what == 2 && len(late) > 0 {
			add(model.Message{Kind: model.KindResult, Answers: late[0]})
			late = late[1:]
		}
	}
	run.policy = model.Policy{
		Window:   rapid.SampledFrom([]int{0, 2000, 3000, 6000}).Draw(t, "window"),
		Triggers: []model.Clause{compaction.TriggerAt(rapid.IntRange(0, 3000).Draw(t, "at"), model.Tokens)},
		Tail:     model.Amount{N: rapid.IntRange(0, 1900).Draw(t, "tail"), Unit: model.Tokens},
		Adaptive: rapid.IntRange(0, 5).Draw(t, "adaptive") == 5,
		Strategy: model.ClearOnly,
		MinGain:  model.Gain{Tokens: rapid.IntRange(0, 900).Draw(t, "gain")},
		Clear:    model.Clearing{On: true, Keep: rapid.IntRange(0, 5).Draw(t, "keep"), Above: rapid.IntRange(0, 150).Draw(t, "above")},
		BackOff:  rapid.IntRange(0, 3).Draw(t, "back-off"),
	}
	if rapid.IntRange(0, 5).Draw(t, "tail of messages") == 5 {
		run.policy.Tail = model.Amount{N: rapid.IntRange(1, 30).Draw(t, "messages"), Unit: model.Messages}
	}
	if rapid.IntRange(0, 5).Draw(t, "pin") == 5 {
		from := rapid.IntRange(0, 60).Draw(t, "from")
		run.policy.Pins = []model.Range{{From: from, To: from + 2}}
	}
	return run
}
