package compaction

import (
	"fmt"
	"pgregory.net/rapid"
	"reflect"
	"testing"

	"palimpsest/model"
)

// drawCalls makes a history as step agents have them: calls with their results,
// sometimes two at once or one that is never answered, and words between them.
func drawCalls(t *rapid.T) *model.Thread {
	th := &model.Thread{}
	add := func(m model.Message) {
		th.History = append(th.History, int32(len(th.Messages)))
		th.Messages = append(th.Messages, m)
	}
	for range rapid.IntRange(0, 1).Draw(t, "systems") {
		add(model.Message{Kind: model.KindSystem, Role: model.RoleSystem})
	}
	for k := range rapid.IntRange(10, 60).Draw(t, "steps") {
		call := func(n int) model.Call { return model.Call{ID: fmt.Sprint(k, "-", n), Name: "run"} }
		result := func(n int) model.Message {
			return model.Message{Kind: model.KindResult, Answers: call(n).ID}
		}
		switch rapid.IntRange(0, 11).Draw(t, "what") {
		case 0:
			add(model.Message{Kind: model.KindUser, Origin: model.OriginTyped})
			add(model.Message{Kind: model.KindAssistant})
		case 1:
			add(model.Message{Kind: model.KindAssistant, Calls: []model.Call{call(0), call(1)}})
			add(result(1))
			add(result(0))
		case 2:
			add(model.Message{Kind: model.KindAssistant, Calls: []model.Call{call(0)}})
		default:
			add(model.Message{Kind: model.KindAssistant, Calls: []model.Call{call(0)}})
			add(result(0))
		}
	}
	return th
}

// What a window that slides over steps does is told by look-ups, and is what the
// plan in full says: in everything that is carried out, at every firing.
func TestSlidingIsThePlanInFull(t *testing.T) {
	told := 0
	checkAll(t, func(t *rapid.T) {
		th := drawCalls(t)
		sizes := make([]int32, len(th.Messages))
		for i := range sizes {
			sizes[i] = int32(rapid.SampledFrom([]int{0, 1, 4, 20, 100, 900}).Draw(t, "size"))
		}
		h := NewHistory(th, func(i int32) int32 { return sizes[i] })
		of := func(name string, values ...int) int { return rapid.SampledFrom(values).Draw(t, name) }
		window := of("window", 1, 2, 4, 8)
		p := model.Policy{
			Triggers: []model.Clause{{At: model.Amount{N: window, Unit: model.Steps}}}, Fixed: of("fixed", 0, 50),
			Tail:        model.Amount{N: max(1, window-of("shorter", 0, 1, 2)), Unit: model.Steps},
			Batch:       model.Amount{N: of("batch", 1, 2, 3, 6), Unit: model.Steps},
			MinGain:     model.Gain{Messages: of("fewer", 0, 1, 3), Tokens: of("freed", 0, 50)},
			Strategy:    model.Extract,
			Former:      rapid.SampledFrom([]model.Former{model.MergeFormer, model.LayerFormer}).Draw(t, "former"),
			Budget:      model.Amount{N: of("budget", 0, 10, 100), Unit: rapid.SampledFrom([]model.Unit{model.Tokens, model.Chars}).Draw(t, "budget unit")},
			LayerBudget: model.Amount{N: of("layer", 0, 50, 400), Unit: rapid.SampledFrom([]model.Unit{model.Tokens, model.Chars}).Draw(t, "layer unit")},
			Adaptive:    of("adaptive", 0, 0, 1) == 1,
		}
		track := h.Track(Prepare(p))
		for at := 0; at <= h.Len(); at++ {
			track.Advance(at)
			tier := track.tierAt(at)
			if !track.Nearest().Fires() {
				continue
			}
			if !tier.slides || !track.slide(tier, true) {
				if pl := track.Attempt(true); pl.Outcome == WouldApply {
					track.Apply(pl, rapid.IntRange(0, 40).Draw(t, "text"), 0)
				}
				continue
			}
			told++
			got := *track.planner.plan
			if !reflect.DeepEqual(got.Policy, *tier.policy) {
				t.Fatalf("the plan is of %+v, not of %+v", got.Policy, *tier.policy)
			}
			want := *track.line.Plan(*tier.policy, Options{})
			got.Policy, want.Policy, got.bySlide = model.Policy{}, model.Policy{}, false // normalised once more; only one is told so
			want.Clauses, want.Warnings, got.Clauses, got.Warnings = nil, nil, nil, nil
			samePlan(t, &got, &want)
			items := want.Apply("s")
			name := track.Apply(track.Attempt(true), rapid.IntRange(0, 40).Draw(t, "text"), 0)
			if i := track.line.firstUser; i >= 0 && track.line.History(i) != h.firstUser(at) {
				t.Fatalf("entry %d is no first message of a person", i)
			}
			for i, it := range items {
				if it.Record == "s" {
					it.Record = name
				}
				if got := track.line.Item(i); got != it || track.line.Len() != len(items) {
					t.Fatalf("entry %d of %d is %+v, want %+v of %d", i, track.line.Len(), got, it, len(items))
				}
			}
		}
	})
	if told == 0 {
		t.Error("no firing was told by look-ups")
	}
	t.Logf("%d firings", told)
}
