package compaction

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/model"
)

// talk spells a history in letters: S system, U typed user, u injected user,
// A assistant, C assistant with one call, R the result of the latest call.
func talk(letters string, tokens int32) *Line {
	return NewLine(Source{Thread: talkThread(letters), At: len(letters), Tokens: func(int32, bool) int32 { return tokens }})
}

func talkThread(letters string) *model.Thread {
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
	return th
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

// What belongs together is what a pin of one of it keeps: the price of a pin is told by it.
func TestAPinKeepsWhatBelongsTogether(t *testing.T) {
	checkAll(t, func(t *rapid.T) {
		d := newDesk(t)
		l := d.line()
		for i := range l.Len() {
			h := l.History(i)
			if h < 0 {
				continue
			}
			p := model.Policy{Pins: []model.Range{{From: h, To: h + 1}}}
			pl, with := l.Plan(p, Options{Manual: true}), l.Together(i)
			if !slices.Contains(with, i) {
				t.Fatalf("entry %d is not of %v", i, with)
			}
			for k := range l.Len() {
				fate, _ := pl.FateAt(k)
				if in := slices.Contains(with, k); fate == model.Pinned && !in || in && fate != model.Pinned && fate != model.Kept {
					t.Fatalf("pinned entry %d keeps %v; %d is %v", i, with, k, fate)
				}
			}
		}
	})
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

// longThread is a history of n messages with the proportions of real agent runs.
func longThread(n int) *model.Thread {
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
	return th
}

func long(n int) *Line {
	return NewLine(Source{Thread: longThread(n), At: n, Tokens: func(i int32, _ bool) int32 { return 100 + i%500 }})
}

// What a plan says of itself is true: the reason of a refusal, of rows that
// stay, and the warnings once the text is measured.
func TestPlanTellsTheTruth(t *testing.T) {
	msgs := func(n int) model.Amount { return model.Amount{N: n, Unit: model.Messages} }
	p := model.Policy{Tail: msgs(2), MinGain: model.Gain{Messages: 2}}
	d := desk{th: talkThread("SUAUAUA"), texts: map[string]int32{}, at: 7, sizes: slices.Repeat([]int32{100}, 7)}
	for i := range d.th.History {
		d.items = append(d.items, model.Item{Msg: int32(i)})
	}
	ten := func(context.Context, *Plan) (Text, error) { return Text{Text: "s", Tokens: 10}, nil }
	one, err := MakeDraft(context.Background(), d.line(), p, Options{Manual: true}, ten)
	if err != nil || one.Plan.Outcome != WouldApply {
		t.Fatal(err, one.Plan.Why)
	}
	d.apply(one)
	if pl := d.line().Plan(p, Options{Manual: true}); pl.Outcome != WouldRefuse || pl.Why.Code != "only-former" {
		t.Errorf("a summary alone before the tail: %v %v", pl.Outcome, pl.Why)
	}

	clear := model.Policy{Strategy: model.ClearOnly, Tail: msgs(1), MinGain: model.Gain{Tokens: 500}}
	if pl := talk("SUCRCRU", 100).Plan(clear, Options{Manual: true}); pl.Outcome != WouldRefuse || pl.Why != (Reason{Code: "gain-tokens", N: 168, M: int64(clear.MinGain.Tokens)}) {
		t.Errorf("a clearing below the minimum gain: %v %v", pl.Outcome, pl.Why)
	}

	waits := talk("SUAUAUA", 10).Plan(model.Policy{Tail: msgs(2), Triggers: []model.Clause{{At: msgs(40)}}}, Options{})
	if _, why := waits.FateAt(2); why.Code != "untaken" {
		t.Errorf("a row of a plan that waits is %v", why)
	}

	counts := talk("SUAUAUAUAUA", 100).Plan(model.Policy{Tail: msgs(6), Triggers: []model.Clause{{At: msgs(5)}}}, Options{})
	if !slices.Contains(counts.Warnings, Reason{Code: "still-fires", N: 8, M: 5}) {
		t.Errorf("eight of five messages are left: %v", counts.Warnings)
	}

	share := model.Policy{Tail: msgs(2), Triggers: []model.Clause{{At: model.Amount{N: 450, Unit: model.Tokens}}}, Budget: model.Amount{N: 400, Unit: model.Tokens}}
	dr, err := MakeDraft(context.Background(), talk("SUAUAUA", 100), share, Options{}, ten)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range dr.Plan.Warnings {
		if w.Code == "fires-again" {
			t.Errorf("%v, though the text is small: %+v", w, dr.Plan.After)
		}
	}
	if e := dr.Edit(Text{Text: "long", Tokens: 280}); !slices.Contains(e.Plan.Warnings, Reason{Code: "fires-again", N: 580, M: 450}) {
		t.Errorf("an edited text that is too long: %v", e.Plan.Warnings)
	}
	if e := dr.Edit(Text{Text: " \n"}); e.Plan.Outcome != WouldRefuse || e.Plan.Why.Code != "empty" {
		t.Errorf("an emptied text: %v %v", e.Plan.Outcome, e.Plan.Why)
	}
	none := func(context.Context, *Plan) (Text, error) { return Text{}, nil }
	if _, err := MakeDraft(context.Background(), talk("SUAUAUA", 100), share, Options{}, none); !errors.Is(err, ErrEmpty) {
		t.Errorf("a summariser without a word: %v", err)
	}
}

// What is never compacted counts towards the trigger: not the tail alone.
func TestTailAboveTriggerCountsWhatAlwaysStays(t *testing.T) {
	tokens := func(n int) model.Amount { return model.Amount{N: n, Unit: model.Tokens} }
	th := talkThread("SUAUAUA")
	for _, c := range []struct {
		fixed, tail int
		want        bool
	}{{100, 200, false}, {200, 200, true}, {0, 399, true}, {0, 398, false}} {
		l := NewLine(Source{Thread: th, At: 7, Fixed: c.fixed, Tokens: func(i int32, _ bool) int32 {
			if i == 0 {
				return 101 // the system prompt
			}
			return 100
		}})
		pl := l.Plan(model.Policy{Tail: tokens(c.tail), Triggers: []model.Clause{{At: tokens(500)}}}, Options{})
		if got := slices.Contains(pl.Warnings, Reason{Code: "tail-above-trigger", N: int64(c.fixed + 101 + c.tail), M: 500}); got != c.want {
			t.Errorf("fixed part %d, tail %d: %v", c.fixed, c.tail, pl.Warnings)
		}
	}
}
