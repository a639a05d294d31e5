package steps

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"palimpsest/compaction"
	"palimpsest/model"
)

// The presets of the engine that slide a window over steps take the same steps at
// the same time as a History: after every step, the steps that stand in full
// are the same. The engine acts as it would for an agent, by its trigger alone.
func TestSlidingPresetsFollowStepHistory(t *testing.T) {
	for preset, set := range map[string]Settings{
		"sliding-adaptive": DefaultSettings(),
		"sliding-fixed":    FixedSettings(5, 3, 5000),
	} {
		p, ok := compaction.PresetByID(preset)
		if !ok {
			t.Fatalf("no preset %s", preset)
		}
		h := newSteps(t, set)
		th := &model.Thread{}
		var items []model.Item
		for n := 1; n <= 120; n++ {
			add(t, h, done(n))
			for _, phase := range []string{"analysis", "execution", "supervision"} {
				i := int32(len(th.Messages))
				th.Messages = append(th.Messages, model.Message{Kind: model.KindAssistant, Role: model.RoleAssistant, Step: int32(n), Name: phase})
				th.History = append(th.History, i)
				items = append(items, model.Item{Msg: i})
			}
			l := compaction.NewLine(compaction.Source{Thread: th, At: len(th.History), Items: items,
				Tokens:        func(int32, bool) int32 { return 200 },
				SummaryTokens: func(string) int32 { return 40 },
				SummaryChars:  func(model.Item) int { return 20 }}) // so that the layer does not overflow
			d, err := compaction.MakeDraft(context.Background(), l, p.Policy, compaction.Options{}, func(context.Context, *compaction.Plan) (compaction.Text, error) {
				return compaction.Text{Text: "summary", Tokens: 40}, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if d.Plan.Outcome == compaction.WouldApply {
				items = d.Plan.Apply(fmt.Sprint(n))
			}
			var left []int
			for _, it := range items {
				if it.Msg < 0 {
					continue
				}
				if s := int(th.Messages[it.Msg].Step); !slices.Contains(left, s) {
					left = append(left, s)
				}
			}
			if want := numbers(h.Steps()); !slices.Equal(left, want) {
				t.Fatalf("%s after step %d leaves %v, the step history %v (%s, %v)", preset, n, left, want, d.Plan.Outcome, d.Plan.Why)
			}
		}
	}
}
