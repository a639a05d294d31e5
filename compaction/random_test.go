package compaction

import (
	"context"
	"fmt"
	"pgregory.net/rapid"
	"slices"
	"testing"

	"palimpsest/model"
)

// drawThread makes a history with everything real ones hold: several system
// messages, parallel and out-of-order results, reused ids, interjections,
// abandoned and pending calls, orphans, second results, results before their calls, results of
// a provider's tools in later answers, and calls that such a tool makes.
func drawThread(t *rapid.T) *model.Thread { return drawLong(t, 60) }

// drawLong is drawThread with at most so many messages behind the system prompt.
func drawLong(t *rapid.T, most int) *model.Thread {
	th := &model.Thread{}
	add := func(m model.Message) {
		th.History = append(th.History, int32(len(th.Messages)))
		th.Messages = append(th.Messages, m)
	}
	for range rapid.IntRange(0, 2).Draw(t, "systems") {
		add(model.Message{Kind: model.KindSystem, Role: model.RoleSystem})
	}
	var open, late []string
	for k := range rapid.IntRange(0, most).Draw(t, "messages") {
		switch rapid.IntRange(0, 13).Draw(t, "what") {
		case 0, 1:
			add(model.Message{Kind: model.KindUser, Origin: model.OriginTyped})
		case 2:
			add(model.Message{Kind: model.KindUser, Origin: model.OriginInjected})
		case 3:
			add(model.Message{Kind: model.KindAssistant})
		case 4:
			add(model.Message{Kind: model.KindSystem, Role: model.RoleSystem})
		case 5:
			add(model.Message{Kind: model.KindResult, Answers: fmt.Sprint("orphan", k)})
		case 6, 7, 8:
			m := model.Message{Kind: model.KindAssistant}
			for c := range rapid.IntRange(1, 3).Draw(t, "calls") {
				id := fmt.Sprint(k, "-", c)
				if rapid.IntRange(0, 5).Draw(t, "reuse") == 0 {
					id = "same"
				}
				m.Calls = append(m.Calls, model.Call{ID: id, Name: "run"})
				open = append(open, id)
			}
			add(m)
		case 9:
			id := fmt.Sprint(k, "-early")
			add(model.Message{Kind: model.KindResult, Answers: id})
			late = append(late, id)
		case 10:
			m := model.Message{Kind: model.KindAssistant}
			for _, id := range late {
				m.Calls = append(m.Calls, model.Call{ID: id, Name: "run"})
			}
			if len(open) > 0 {
				id := open[rapid.IntRange(0, len(open)-1).Draw(t, "linked")]
				m.Links = []model.Link{{ID: id, Result: rapid.Bool().Draw(t, "its result")}}
			}
			late = nil
			add(m)
		default:
			if len(open) > 0 {
				i := rapid.IntRange(0, len(open)-1).Draw(t, "which")
				add(model.Message{Kind: model.KindResult, Answers: open[i]})
				if rapid.IntRange(0, 5).Draw(t, "once more") > 0 {
					open = append(open[:i], open[i+1:]...)
				}
			}
		}
	}
	return th
}

// drawSteps makes a step history of three-message steps.
func drawSteps(t *rapid.T) *model.Thread {
	th := &model.Thread{}
	for s := range rapid.IntRange(0, 70).Draw(t, "steps") {
		for range rapid.IntRange(1, 3).Draw(t, "phases") {
			th.History = append(th.History, int32(len(th.Messages)))
			th.Messages = append(th.Messages, model.Message{Kind: model.KindAssistant, Step: int32(s + 1)})
		}
	}
	return th
}

func drawHistory(t *rapid.T) *model.Thread {
	th := drawThread
	if rapid.IntRange(0, 4).Draw(t, "form") == 0 {
		th = drawSteps
	}
	h := th(t)
	drawFound(t, h)
	return h
}

// drawFound puts compactions into the history that its file is said to hold:
// each leaves a stored summary, perhaps a copy of a message, and some of what
// was live.
func drawFound(t *rapid.T, th *model.Thread) {
	at := 0
	for range rapid.IntRange(0, 2).Draw(t, "found") {
		if at = rapid.IntRange(at, len(th.History)).Draw(t, "found at"); at == 0 {
			continue
		}
		live := th.Live(at)
		base := slices.Clone(live[:rapid.IntRange(0, min(2, len(live))).Draw(t, "found keeps")])
		base = append(base, int32(len(th.Messages)))
		th.Messages = append(th.Messages, model.Message{Kind: model.KindSummary, Role: model.RoleUser})
		if rapid.Bool().Draw(t, "found copy") {
			base = append(base, int32(len(th.Messages)))
			th.Messages = append(th.Messages, model.Message{Kind: model.KindUser, Origin: model.OriginTyped})
		}
		if tail := rapid.IntRange(0, 6).Draw(t, "found tail"); tail < len(live)-len(base) {
			base = append(base, live[len(live)-tail:]...)
		}
		th.Resets = append(th.Resets, model.Reset{At: at, Base: base})
	}
}

var extremes = []int{-5, 0, 1, 2, 3, 5, 10, 40, 1000, 1 << 40}

func drawPolicy(t *rapid.T) model.Policy {
	n := func(name string) int { return rapid.SampledFrom(extremes).Draw(t, name) }
	unit := func(name string) model.Unit {
		return rapid.SampledFrom([]model.Unit{model.Messages, model.Groups, model.Steps, model.Turns, model.Tokens, ""}).Draw(t, name)
	}
	p := model.Policy{
		Window: n("window"), Reserve: n("reserve"), Fixed: n("fixed"),
		Tail:  model.Amount{N: n("tail"), Unit: rapid.SampledFrom([]model.Unit{model.Percent, unit("tail unit")}).Draw(t, "tail as a share")},
		Batch: model.Amount{N: n("batch"), Unit: unit("batch unit")}, Target: n("target"),
		MinGain:       model.Gain{Messages: rapid.IntRange(0, 3).Draw(t, "gain"), Tokens: rapid.IntRange(0, 30).Draw(t, "gain tokens")},
		Adaptive:      rapid.Bool().Draw(t, "adaptive"),
		KeepFirstUser: rapid.Bool().Draw(t, "first user"),
		Strategy:      rapid.SampledFrom([]model.Strategy{model.Extract, model.Drop, model.ClearOnly, model.StructuredJSON}).Draw(t, "strategy"),
		Budget:        model.Amount{N: n("budget"), Unit: rapid.SampledFrom([]model.Unit{model.Tokens, model.Chars, model.Percent}).Draw(t, "budget unit")},
		Former:        rapid.SampledFrom([]model.Former{model.MergeFormer, model.LayerFormer}).Draw(t, "former"),
		LayerBudget:   model.Amount{N: n("layer"), Unit: model.Tokens},
		Clear:         model.Clearing{On: rapid.Bool().Draw(t, "clear"), Keep: rapid.IntRange(0, 5).Draw(t, "keep"), Above: rapid.IntRange(0, 60).Draw(t, "above")},
	}
	for range rapid.IntRange(0, 3).Draw(t, "clauses") {
		if rapid.Bool().Draw(t, "share") {
			p.Triggers = append(p.Triggers, model.Clause{Share: rapid.Float64Range(-0.5, 1.5).Draw(t, "share of window")})
		} else {
			p.Triggers = append(p.Triggers, model.Clause{At: model.Amount{N: n("at"), Unit: unit("at unit")}})
		}
	}
	for range rapid.IntRange(0, 3).Draw(t, "pins") {
		from := rapid.IntRange(0, 60).Draw(t, "pin")
		p.Pins = append(p.Pins, model.Range{From: from, To: from + rapid.IntRange(0, 4).Draw(t, "pin length")})
	}
	return p
}

// desk is a history under compaction, as a session would hold it.
type desk struct {
	th    *model.Thread
	sizes []int32 // tokens of stored messages
	texts map[string]int32
	items []model.Item
	at    int
}

func newDesk(t *rapid.T) *desk {
	th := drawHistory(t)
	d := &desk{th: th, texts: map[string]int32{}, at: len(th.History)}
	if rapid.IntRange(0, 3).Draw(t, "position") == 0 {
		d.at = rapid.IntRange(0, len(th.History)).Draw(t, "at")
	}
	for range th.Messages {
		d.sizes = append(d.sizes, int32(rapid.SampledFrom([]int{0, 1, 4, 20, 100, 900}).Draw(t, "size")))
	}
	for _, i := range th.Live(d.at) {
		d.items = append(d.items, model.Item{Msg: i})
	}
	return d
}

func (d *desk) line() *Line {
	return NewLine(Source{Thread: d.th, At: d.at, Items: d.items,
		Tokens: func(i int32, cleared bool) int32 {
			if cleared {
				return min(d.sizes[i], NoteTokens)
			}
			return d.sizes[i]
		},
		SummaryTokens: func(r string) int32 { return d.texts[r] }})
}

// summariser gives texts of a drawn size, as a model might.
func summariser(t *rapid.T) Summariser {
	return func(_ context.Context, p *Plan) (Text, error) {
		n := rapid.IntRange(0, int(min(p.Removed.Tokens+3, 2000))).Draw(t, "text size")
		return Text{Text: "s", Tokens: n}, nil
	}
}

func (d *desk) apply(dr *Draft) {
	r := fmt.Sprint("R", len(d.texts))
	d.texts[r] = int32(dr.Text.Tokens)
	d.items = dr.Plan.Apply(r)
}

func draft(t *rapid.T, d *desk, p model.Policy, o Options, s Summariser) *Draft {
	dr, err := MakeDraft(context.Background(), d.line(), p, o, s)
	if err != nil {
		t.Fatal(err)
	}
	return dr
}

func checkAll(t *testing.T, f func(*rapid.T)) {
	t.Helper()
	rapid.Check(t, f)
}
