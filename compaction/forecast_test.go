package compaction

import (
	"context"
	"errors"
	"pgregory.net/rapid"
	"slices"
	"testing"

	"palimpsest/model"
)

// The nine rules of the design (§3) on random histories and policies. Rules 5
// (former summaries are input), 6 (a failing summariser) and 7 (byte for byte)
// are also held by the packages that own texts and bytes.

func TestRule1NoGroupIsSplit(t *testing.T) {
	checkAll(t, func(t *rapid.T) {
		d := newDesk(t)
		before := slices.Clone(d.items)
		for range 3 {
			dr := draft(t, d, drawPolicy(t), Options{Manual: rapid.Bool().Draw(t, "manual")}, summariser(t))
			if dr.Plan.Outcome != WouldApply {
				continue
			}
			l := dr.Plan.Line
			for i := range l.Len() {
				f, _ := dr.Plan.FateAt(i)
				lead, _ := dr.Plan.FateAt(int(l.leader[i]))
				if gone(f) != gone(lead) {
					t.Fatalf("entry %d is %v, the head of its group %v", i, f, lead)
				}
				if i >= l.pending && gone(f) {
					t.Fatalf("entry %d of the pending group goes", i)
				}
			}
			d.apply(dr)
			if n := NewFaults(d.th, before, d.items); n != 0 {
				t.Fatalf("%d new faults", n)
			}
		}
	})
}

func gone(f model.Fate) bool { return f == model.Summarised || f == model.Dropped }

func TestRule2SystemPromptAndPinsStay(t *testing.T) {
	checkAll(t, func(t *rapid.T) {
		d := newDesk(t)
		p := drawPolicy(t)
		dr := draft(t, d, p, Options{Manual: rapid.Bool().Draw(t, "manual")}, summariser(t))
		l := dr.Plan.Line
		pinned := map[int32]bool{}
		for i := range l.Len() {
			for _, r := range p.Pins {
				if h := l.History(i); h >= r.From && h < r.To {
					pinned[l.leader[i]] = true
				}
			}
		}
		for i := range l.Len() {
			f, _ := dr.Plan.FateAt(i)
			if i < l.system && f != model.Kept {
				t.Fatalf("system message %d is %v", i, f)
			}
			if pinned[l.leader[i]] && i >= l.system && f != model.Pinned {
				t.Fatalf("pinned entry %d is %v", i, f)
			}
		}
		if dr.Plan.Outcome == WouldApply {
			out := dr.Plan.Apply("R")
			if !slices.Equal(out[:l.system], d.items[:l.system]) {
				t.Fatal("the system prompt moved")
			}
		}
	})
}

func TestRule3SmallerOrRefused(t *testing.T) {
	checkAll(t, func(t *rapid.T) {
		d := newDesk(t)
		dr := draft(t, d, drawPolicy(t), Options{Manual: rapid.Bool().Draw(t, "manual")}, summariser(t))
		before := dr.Plan.Line.Usage()
		if dr.Plan.Outcome != WouldApply {
			return
		}
		d.apply(dr)
		after := d.line().Usage()
		after.Tokens += dr.Plan.Line.fixed
		if after.Tokens >= before.Tokens || after.Messages > before.Messages {
			t.Fatalf("from %+v to %+v", before, after)
		}
		if got := dr.Plan.After; got != after {
			t.Fatalf("the plan says %+v, the list measures %+v", got, after)
		}
	})
}

func TestRule4AutomaticCheckOnTheResultDoesNothing(t *testing.T) {
	checkAll(t, func(t *rapid.T) {
		d := newDesk(t)
		p := drawPolicy(t)
		s := summariser(t)
		dr := draft(t, d, p, Options{}, s)
		if dr.Plan.Outcome != WouldApply {
			return
		}
		d.apply(dr)
		if again := draft(t, d, p, Options{}, s); again.Plan.Outcome == WouldApply {
			t.Fatalf("fires again: took %+v of %d, then %+v of %d", dr.Plan.Taken, dr.Plan.Line.Len(), again.Plan.Taken, len(d.items))
		}
	})
}

func TestRule4ManualBatchesReachTheTail(t *testing.T) {
	checkAll(t, func(t *rapid.T) {
		d := newDesk(t)
		p := model.Policy{
			Tail:  model.Amount{N: rapid.IntRange(0, 20).Draw(t, "tail"), Unit: model.Messages},
			Batch: model.Amount{N: rapid.IntRange(1, 9).Draw(t, "batch"), Unit: model.Messages}, MinGain: model.Gain{Messages: 2},
			Strategy: model.Extract, Budget: model.Amount{N: 1, Unit: model.Tokens},
		}
		for i := range d.sizes {
			d.sizes[i] += 10
		}
		one := func(context.Context, *Plan) (Text, error) { return Text{"s", 1, nil}, nil }
		for rounds := 0; ; rounds++ {
			dr := draft(t, d, p, Options{Manual: true}, one)
			if dr.Plan.Outcome != WouldApply {
				if l := dr.Plan.Line; dr.Plan.TailFrom-l.system > 4 && l.CutAfter(l.system+2) <= dr.Plan.TailFrom && unprotected(dr.Plan) > 3 {
					t.Fatalf("stuck with %d messages before the tail: %v", dr.Plan.TailFrom-l.system, dr.Plan.Why)
				}
				return
			}
			if rounds > 100 {
				t.Fatal("no end")
			}
			d.apply(dr)
		}
	})
}

// unprotected is how many messages before the tail could be taken at all: those
// in front of the last legal cut.
func unprotected(p *Plan) int { return p.Line.CutBefore(p.TailFrom) - p.Line.system }

func TestRule5FormerSummariesAreTakenAlong(t *testing.T) {
	checkAll(t, func(t *rapid.T) {
		d := newDesk(t)
		p := drawPolicy(t)
		p.Former, p.Strategy, p.Pins = model.MergeFormer, model.Extract, nil
		for range 4 {
			dr := draft(t, d, p, Options{Manual: true}, summariser(t))
			if dr.Plan.Outcome != WouldApply {
				return
			}
			l := dr.Plan.Line
			for i := dr.Plan.Taken.From; i < dr.Plan.Taken.To; i++ {
				if f, why := dr.Plan.FateAt(i); l.Kind(i) == model.KindSummary && (f != model.Summarised || why.Code != "former") {
					t.Fatalf("former summary %d inside the range is %v", i, f)
				}
			}
			d.apply(dr)
		}
	})
}

func TestRule6FailingSummariserChangesNothing(t *testing.T) {
	checkAll(t, func(t *rapid.T) {
		d := newDesk(t)
		boom := errors.New("boom")
		dr, err := MakeDraft(context.Background(), d.line(), drawPolicy(t), Options{Manual: true},
			func(context.Context, *Plan) (Text, error) { return Text{}, boom })
		if err == nil && dr.Plan.Insert >= 0 && dr.Plan.Outcome == WouldApply {
			t.Fatal("a failed summary is applied")
		}
		if err != nil && !errors.Is(err, boom) {
			t.Fatal(err)
		}
	})
}

func TestRule9RunsCoverTheLine(t *testing.T) {
	checkAll(t, func(t *rapid.T) {
		d := newDesk(t)
		pl := d.line().Plan(drawPolicy(t), Options{Manual: rapid.Bool().Draw(t, "manual"), Wait: rapid.IntRange(0, 3).Draw(t, "wait"), SummaryTokens: rapid.SampledFrom([]int{0, 1, 1 << 30}).Draw(t, "summary")})
		at, tokens := 0, int64(0)
		for _, r := range pl.Runs.All() {
			if r.From != at || r.To <= r.From {
				t.Fatalf("runs do not join: %+v", flat(pl))
			}
			at, tokens = r.To, tokens+r.Tokens
		}
		if at != pl.Line.Len() || tokens+pl.Line.fixed != pl.Before.Tokens {
			t.Fatalf("runs cover %d of %d, %d tokens of %d", at, pl.Line.Len(), tokens, pl.Before.Tokens)
		}
		if pl.Outcome == "" || pl.Why.Code == "" && pl.Outcome != WouldApply || pl.Why.String() == pl.Why.Code && pl.Why.Code != "" {
			t.Fatalf("no reason: %q %+v", pl.Outcome, pl.Why)
		}
		for _, w := range pl.Warnings {
			if _, ok := reasonTexts[w.Code]; !ok {
				t.Fatalf("warning %q has no words", w.Code)
			}
		}
		if pl.Outcome == WouldApply {
			if got := len(pl.Apply("R")); got != pl.After.Messages {
				t.Fatalf("plan says %d messages, apply gives %d", pl.After.Messages, got)
			}
		}
	})
}

func TestPlanIsDeterministic(t *testing.T) {
	checkAll(t, func(t *rapid.T) {
		d := newDesk(t)
		p := drawPolicy(t)
		a, b := d.line().Plan(p, Options{Manual: true}), d.line().Plan(p, Options{Manual: true})
		if !slices.Equal(flat(a), flat(b)) || a.After != b.After || a.Why != b.Why {
			t.Fatal("two plans differ")
		}
	})
}
