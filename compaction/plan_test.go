package compaction

import (
	"fmt"
	"testing"

	"palimpsest/model"
)

// talk spells a history in letters: S system, U typed user, u injected user,
// A assistant, C assistant with one call, R the result of the latest call.
func talk(letters string, tokens int32) *Line {
	th := &model.Thread{}
	calls := 0
	for i, c := range letters {
		m := model.Message{}
		switch c {
		case 'S':
			m.Kind = model.KindSystem
		case 'U':
			m.Kind, m.Origin = model.KindUser, model.OriginTyped
		case 'u':
			m.Kind, m.Origin = model.KindUser, model.OriginInjected
		case 'A':
			m.Kind = model.KindAssistant
		case 'C':
			calls++
			m.Kind, m.Calls = model.KindAssistant, []model.Call{{ID: fmt.Sprint(calls)}}
		case 'R':
			m.Kind, m.Answers = model.KindResult, fmt.Sprint(calls)
		}
		th.Messages = append(th.Messages, m)
		th.History = append(th.History, int32(i))
	}
	return NewLine(Source{Thread: th, At: len(letters), Tokens: func(int32, bool) int32 { return tokens }})
}

// spelling writes the fates of a plan, one letter an entry.
func spelling(p *Plan) string {
	s := ""
	for i := range p.Line.Len() {
		f, _ := p.FateAt(i)
		s += f.Letter()
	}
	return s
}

func TestPlanFates(t *testing.T) {
	msgs := func(n int) model.Amount { return model.Amount{N: n, Unit: model.Messages} }
	for _, c := range []struct {
		name, talk, want string
		policy           model.Policy
	}{
		{"all before the tail", "SUACRUA", "KSSSSKK", model.Policy{Tail: msgs(2)}},
		{"tail moves before the call", "SUACRUA", "KSSKKKK", model.Policy{Tail: msgs(3)}},
		{"first user kept", "SUACRUA", "KKSSSKK", model.Policy{Tail: msgs(2), KeepFirstUser: true}},
		{"batch", "SUAUAUAUA", "KSSSKKKKK", model.Policy{Tail: msgs(2), Batch: msgs(3)}},
		{"batch moves to the cut before the call", "SUACRUAUA", "KSSKKKKKK", model.Policy{Tail: msgs(2), Batch: msgs(3)}},
		{"batch smaller than the first group", "SCRUAUA", "KSSKKKK", model.Policy{Tail: msgs(2), Batch: msgs(1)}},
		{"pin takes its group", "SUACRUAUA", "KSSPPSSKK", model.Policy{Tail: msgs(2), Pins: []model.Range{{From: 4, To: 5}}}},
		{"pin in the tail", "SUACRUAUA", "KSSPPKKKK", model.Policy{Tail: msgs(6), Pins: []model.Range{{From: 4, To: 5}}}},
		{"pending call stays", "SUAUAUAC", "KSSSSSSK", model.Policy{}},
		{"call without result, other calls since", "SUAUACCR", "KSSSSKKK", model.Policy{}},
		{"abandoned call", "SUACCRA", "KSSSSSS", model.Policy{}},
		{"drop", "SUAUA", "KDDKK", model.Policy{Tail: msgs(2), Strategy: model.Drop}},
		{"drop leaves something to answer", "SUAUA", "KDDDK", model.Policy{Strategy: model.Drop}},
		{"clear only", "SUCRCRCRU", "KKKCKKKKK", model.Policy{Tail: msgs(1), Strategy: model.ClearOnly, Clear: model.Clearing{Keep: 2}}},
		{"tail by turns", "SUAACRUACRU", "KSSSSSKKKKK", model.Policy{Tail: model.Amount{N: 2, Unit: model.Turns}}},
		{"tail by steps", "SUAACRUACRU", "KSSSKKKKKKK", model.Policy{Tail: model.Amount{N: 3, Unit: model.Steps}}},
		{"tail by tokens", "SUAUAUA", "KSSSKKK", model.Policy{Tail: model.Amount{N: 250, Unit: model.Tokens}}},
		{"everything is tail", "SUAUA", "KKKKK", model.Policy{Tail: msgs(100)}},
		{"injected context is not the first user", "SuUAUA", "KSKSKK", model.Policy{Tail: msgs(2), KeepFirstUser: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := spelling(talk(c.talk, 100).Plan(c.policy, Options{Manual: true})); got != c.want {
				t.Errorf("%s\n got %s\nwant %s", c.talk, got, c.want)
			}
		})
	}
}

func TestAutomaticSaysHowFar(t *testing.T) {
	p, _ := PresetByID("message-count")
	pl := talk("SUAUAUAUAUAU", 10).Plan(p.Policy, Options{})
	if pl.Outcome != WouldWait || pl.Clauses[0].Reason().String() != "12 of 40 messages" {
		t.Errorf("%v: %v", pl.Outcome, pl.Clauses[0].Reason())
	}
}

func TestShareOfAnUnknownWindowNeverFires(t *testing.T) {
	pl := talk("SUAUAUA", 1000).Plan(Default(), Options{})
	if pl.Outcome != WouldWait || !pl.Clauses[0].Unknown {
		t.Errorf("%v %+v", pl.Outcome, pl.Clauses)
	}
}

// The borders of the token-share trigger are those of the division (spec D8).
func TestShareBorder(t *testing.T) {
	for window := 1; window < 3000; window += 7 {
		for _, s := range []float64{0.1, 0.5, 0.7, 0.8, 0.9, 0.999, 1} {
			at := shareOf(s, window)
			if float64(at)/float64(window) < s || float64(at-1)/float64(window) >= s && at > 0 {
				t.Fatalf("%v of %d is not %d", s, window, at)
			}
		}
	}
}

// long is a history of n messages with the proportions of real agent runs.
func long(n int) *Line {
	th := &model.Thread{}
	for i := range n {
		m := model.Message{Kind: model.KindAssistant}
		switch {
		case i == 0:
			m.Kind = model.KindSystem
		case i%20 == 1:
			m.Kind, m.Origin = model.KindUser, model.OriginTyped
		case i%2 == 0:
			m.Calls = []model.Call{{ID: fmt.Sprint(i)}}
		default:
			m.Kind, m.Answers = model.KindResult, fmt.Sprint(i-1)
		}
		th.Messages = append(th.Messages, m)
		th.History = append(th.History, int32(i))
	}
	return NewLine(Source{Thread: th, At: n, Tokens: func(i int32, _ bool) int32 { return 100 + i%500 }})
}

// BenchmarkPlan is one move of a slider: a plan for every message, from the
// parameters alone.
func BenchmarkPlan(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		l := long(n)
		p := Default()
		p.Window = n * 300
		p.Pins = []model.Range{{From: n / 3, To: n/3 + 4}}
		p.Clear = model.Clearing{On: true, Keep: 5, Above: 50}
		for _, batch := range []int{0, 30} {
			p.Batch = model.Amount{N: batch, Unit: model.Messages}
			b.Run(fmt.Sprintf("messages=%d/batch=%d", n, batch), func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					p.Tail.N = 1000 + i%20000
					if pl := l.Plan(p, Options{Manual: true}); pl.Outcome != WouldApply {
						b.Fatal(pl.Why)
					}
				}
			})
		}
	}
}
