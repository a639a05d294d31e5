package session

import (
	"math"
	"testing"

	"palimpsest/model"
	"palimpsest/model/tokens"
)

// A file whose usage is 1.25 × our count + 9,000, with a compaction in the
// middle and one absurd figure, gives those numbers back.
func TestFitFindsFactorAndFixedPart(t *testing.T) {
	th := &model.Thread{}
	var raw []int32
	sum := 0
	for i := range 60 {
		m := model.Message{Kind: model.KindUser}
		if i%2 == 1 {
			m.Kind = model.KindAssistant
			m.Usage = &model.Usage{Input: 9000 + sum*5/4}
			if i == 31 {
				m.Usage.Input = 7
			}
		}
		if i == 30 {
			th.Resets = []model.Reset{{At: i, Base: []int32{0}}}
			sum = int(raw[0])
			m.Kind = model.KindUser
		}
		th.Messages = append(th.Messages, m)
		th.History = append(th.History, int32(i))
		raw = append(raw, int32(400+37*i))
		sum += int(raw[i])
	}
	f := fitThread(th, raw)
	if math.Abs(f.Factor-1.25) > 0.001 || f.Fixed < 8990 || f.Fixed > 9010 || f.Calls != 30 {
		t.Errorf("%+v", f)
	}
}

// Half of the calls were made after the tool cleared old results, which our
// count still holds: they say nothing about the fixed part.
func TestAClearingDoesNotHideTheFixedPart(t *testing.T) {
	th := &model.Thread{Found: []model.Found{{At: 20, Clearing: true}}}
	var raw []int32
	sum, gone := 0, 0
	for i := range 60 {
		m := model.Message{Kind: model.KindUser}
		if i == 20 {
			gone = sum * 3 / 4
		}
		if i%2 == 1 {
			m.Kind = model.KindAssistant
			m.Usage = &model.Usage{Input: 25000 + sum - gone}
		}
		th.Messages = append(th.Messages, m)
		th.History = append(th.History, int32(i))
		raw = append(raw, 4000)
		sum += 4000
	}
	if f := fitThread(th, raw); f.Fixed != 25000 || math.Abs(f.Factor-1) > 0.001 {
		t.Errorf("%+v", f)
	}
}

func TestFitNeedsEnoughCallsAndSenseAndNoRewrittenContext(t *testing.T) {
	few := []call{{reported: 100}, {at: 1, counted: 1000, reported: 1100}, {at: 2, counted: 2000, reported: 2100}}
	if f := fitCallsOf(few); f.Factor != 0 {
		t.Errorf("three calls prove nothing: %+v", f)
	}
	var absurd []call
	for i := range 20 {
		absurd = append(absurd, call{at: i, counted: int64(i) * 1000, reported: int64(i) * 90000})
	}
	if f := fitCallsOf(absurd); f.Factor != 0 {
		t.Errorf("a factor of 90 is no factor: %+v", f)
	}
	th := &model.Thread{Messages: []model.Message{
		{Kind: model.KindSummary, Preview: "[Conversation summary - earlier context] Turns 1–9"},
		{Kind: model.KindAssistant, Usage: &model.Usage{Input: 160000}},
	}, History: []int32{1}, Resets: []model.Reset{{At: 0, Base: []int32{0}}}}
	if got := callsOf(th, []int32{10, 10}, new(lineage)); len(got) != 0 {
		t.Errorf("usage from before the rewrite is taken for the context after it: %+v", got)
	}
}

func fitThread(t *model.Thread, raw []int32) Fit {
	return fit(callsOf(t, raw, new(lineage)), t, tokens.ForModel("gpt-5"), model.FormatGeneric)
}

func fitCallsOf(calls []call) Fit {
	return fit(calls, &model.Thread{}, tokens.ForModel("gpt-5"), model.FormatGeneric)
}
