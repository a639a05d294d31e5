package compaction

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"pgregory.net/rapid"
	"slices"
	"sync"
	"testing"
	"unicode/utf8"

	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// The invariants I1–I12 of spec/seeds.md over the four presets, as an agent
// lives them: the history grows by a message, the policy is checked before every
// call, the summariser sometimes fails. I13, that the systems' first authors'
// switches reproduce the vectors byte for byte, belongs to the types that have
// such switches (steps.History, agents.Contexts, auto.Compactor) and their tests.

// I1: no list that is sent holds a tool result without its call before it, or an
// open call, that it did not hold before the operation; and none at all if each
// call was answered before the talk went on.
func TestI1NoNewOrphans(t *testing.T) {
	checkAll(t, func(t *rapid.T) {
		work(t, drawBent(t), func(a *agent, before []model.Item, _ *Draft, _ error) {
			if n := NewFaults(a.th, before, a.items); n != 0 {
				t.Fatalf("%d new faults after message %d", n, a.at)
			}
			was, is := groupsOf(a.th, before), groupsOf(a.th, a.items)
			for id, n := range was {
				if id != "same" && is[id] != 0 && is[id] != n {
					t.Fatalf("after message %d, %d of %d messages belong to the call %s", a.at, is[id], n, id)
				}
			}
		})
	})
	checkAll(t, func(t *rapid.T) {
		a := newAgent(t, drawTidy(t), drawBent(t))
		for a.grow() {
			if _, err := a.call(context.Background()); err != nil {
				t.Fatal(err)
			}
			if faults := Faults(a.th, a.items); len(faults) > 0 {
				t.Fatalf("after message %d: %+v", a.at, faults)
			}
		}
	})
}

// groupsOf counts, for each id of a call that a list makes, the messages that name it, whatever
// for.
func groupsOf(th *model.Thread, items []model.Item) map[string]int {
	out, made := map[string]int{}, map[string]bool{}
	for _, it := range items {
		if it.Msg < 0 {
			continue
		}
		m := &th.Messages[it.Msg]
		if m.Answers != "" {
			out[m.Answers]++
		}
		for _, c := range m.Calls {
			out[c.ID]++
			made[c.ID] = true
		}
		for _, l := range m.Links {
			out[l.ID]++
		}
	}
	maps.DeleteFunc(out, func(id string, _ int) bool { return !made[id] })
	return out
}

// I2: everything that was removed can be had back: the list, its summaries
// resolved to what their records cover, is the history, each message once.
func TestI2OriginalsAreKept(t *testing.T) {
	checkAll(t, func(t *rapid.T) {
		a := work(t, drawBent(t), func(*agent, []model.Item, *Draft, error) {})
		got := a.originals(a.items)
		slices.Sort(got)
		if !slices.Equal(got, a.th.History[:a.at]) {
			t.Fatalf("%d messages of %d can be had back", len(got), a.at)
		}
	})
}

// I3: the system prompt stays where it is, word for word, and once.
func TestI3SystemPromptStays(t *testing.T) {
	checkAll(t, func(t *rapid.T) {
		work(t, drawBent(t), func(a *agent, _ []model.Item, _ *Draft, _ error) {
			n := 0
			for n < a.at && a.th.Messages[a.th.History[n]].Kind == model.KindSystem {
				if a.items[n] != (model.Item{Msg: a.th.History[n]}) {
					t.Fatalf("entry %d is %+v", n, a.items[n])
				}
				n++
			}
			for _, it := range a.items[n:] {
				if it.Msg >= 0 && int(it.Msg) < n {
					t.Fatalf("system message %d stands a second time", it.Msg)
				}
			}
		})
	})
}

// I4: a compaction that is applied makes the list smaller in tokens and not
// larger in messages; one that is not leaves it as it was. A step history asks
// for no gain: its own summaries are never longer than the steps as its text
// writes them.
func TestI4SmallerOrUnchanged(t *testing.T) {
	checkAll(t, func(t *rapid.T) {
		work(t, drawBent(t), func(a *agent, before []model.Item, dr *Draft, err error) {
			if err != nil || dr.Plan.Outcome != WouldApply {
				if !slices.Equal(before, a.items) {
					t.Fatal("the list changed though nothing was applied")
				}
				return
			}
			if dr.Plan.Steps != (StepWindow{}) {
				return
			}
			after := a.line().Usage()
			if was := dr.Plan.Line.Usage(); after.Tokens >= was.Tokens || after.Messages > was.Messages {
				t.Fatalf("from %+v to %+v", was, after)
			}
		})
	})
}

// I5: a former summary either still stands or is input of the new one, whole.
func TestI5FormersAreInput(t *testing.T) {
	checkAll(t, func(t *rapid.T) {
		work(t, drawBent(t), func(a *agent, before []model.Item, dr *Draft, err error) {
			for _, it := range before {
				if it.Msg >= 0 || slices.Contains(a.items, it) {
					continue
				}
				if !slices.ContainsFunc(a.input, func(e summarize.Entry) bool { return e.Former == a.texts[it.Record] }) {
					t.Fatalf("summary %s is gone unread", it.Record)
				}
			}
		})
	})
}

// I6: a summariser that fails, hangs until it is cancelled, says nothing or too
// much changes nothing, and the next call is made with the list as it was.
func TestI6BadSummarisersChangeNothing(t *testing.T) {
	checkAll(t, func(t *rapid.T) {
		a := newAgent(t, drawLong(t, 150), drawBent(t))
		for a.grow() {
			before := slices.Clone(a.items)
			ctx, bad := badSummariser(t)
			a.summarise = bad
			dr, err := a.call(ctx)
			applied := err == nil && dr.Plan.Outcome == WouldApply
			if !applied && !slices.Equal(before, a.items) {
				t.Fatal("a summariser that failed changed the list")
			}
			if applied && dr.Plan.Insert >= 0 && int64(dr.Text.Tokens) >= dr.Plan.Removed.Tokens {
				t.Fatalf("a text of %d tokens stands for %d", dr.Text.Tokens, dr.Plan.Removed.Tokens)
			}
		}
	})
}

// I7: with a summariser that always fails the attempts are O(log n).
func TestI7AttemptsAreLogarithmic(t *testing.T) {
	for _, id := range fourPresets {
		p, _ := PresetByID(id)
		p.Policy.Window = 3000
		const n = 1000
		a := &agent{th: longThread(n), policy: p.Policy, texts: map[string]string{}}
		for i := range a.th.Messages {
			a.parts = append(a.parts, []model.Part{{Kind: model.PartText, Text: fragments[i%len(fragments)]}})
		}
		a.summarise = func(context.Context, summarize.Request) (string, error) { return "", errors.New("no model answers") }
		for a.grow() {
			if dr, err := a.call(context.Background()); err == nil && dr.Plan.Outcome == WouldApply {
				t.Fatalf("%s: applied without a summary", id)
			}
		}
		if most := 2 + int(math.Log2(n)); a.attempts < 3 || a.attempts > most {
			t.Errorf("%s: %d attempts over %d messages, at most %d", id, a.attempts, n, most)
		}
	}
}

// I8: texts are valid UTF-8 and within their limit in code points, or in
// tokens, never in bytes.
func TestI8LimitsCountCodePoints(t *testing.T) {
	checkAll(t, func(t *rapid.T) {
		p := drawPreset(t)
		p.Budget = model.Amount{N: rapid.IntRange(120, 1500).Draw(t, "budget"), Unit: rapid.SampledFrom([]model.Unit{model.Chars, model.Tokens}).Draw(t, "unit")}
		a := newAgent(t, drawWork(t, p), p)
		for a.grow() {
			dr, err := a.call(context.Background())
			if err != nil || dr.Plan.Insert < 0 {
				continue
			}
			text, size := dr.Text.Text, countRough
			if dr.Plan.Budget.Unit == model.Chars {
				size = utf8.RuneCountInString
			}
			if !utf8.ValidString(text) || size(text) > dr.Plan.Budget.N {
				t.Fatalf("%d of %+v: %q", size(text), dr.Plan.Budget, text)
			}
		}
	})
}

// I9: the same history and policy give the same bytes.
func TestI9Deterministic(t *testing.T) {
	checkAll(t, func(t *rapid.T) {
		p := drawBent(t)
		a := newAgent(t, drawWork(t, p), p)
		b := *a
		b.texts, b.taken = map[string]string{}, map[string][]model.Item{}
		for a.grow() && b.grow() {
			one, err := a.call(context.Background())
			two, again := b.call(context.Background())
			if (err == nil) != (again == nil) || err == nil && one.Text.Text != two.Text.Text || !slices.Equal(a.items, b.items) {
				t.Fatalf("two runs differ after message %d", a.at)
			}
		}
	})
}

// I10, as far as the engine has anything to save: a policy that is saved and
// loaded is the same and saves the same. Contexts and histories, which hold
// items of others, are saved by their own types.
func TestI10PoliciesSurviveSaving(t *testing.T) {
	checkAll(t, func(t *rapid.T) {
		p := drawBent(t)
		saved, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		var q model.Policy
		if err := json.Unmarshal(saved, &q); err != nil {
			t.Fatal(err)
		}
		if again, err := json.Marshal(q); err != nil || string(again) != string(saved) {
			t.Fatalf("%s becomes %s, %v", saved, again, err)
		}
		a := newAgent(t, drawWork(t, p), p)
		for a.grow() {
		}
		one, two := a.line().Plan(p, Options{Manual: true}), a.line().Plan(q, Options{Manual: true})
		if !slices.Equal(flat(one), flat(two)) || one.Why != two.Why {
			t.Fatal("the loaded policy plans otherwise")
		}
	})
}

// I11: messages that arrive while a summary is made are appended to the result,
// none lost, in order (spec F62); a line may be planned on from many goroutines.
func TestI11MessagesArriveMeanwhile(t *testing.T) {
	checkAll(t, func(t *rapid.T) {
		p := drawPreset(t)
		a := newAgent(t, drawWork(t, p), p)
		for range rapid.IntRange(0, len(a.th.History)).Draw(t, "before") {
			a.grow()
		}
		snapshot, line := len(a.items), a.line()
		var plans [8]*Plan
		var wg sync.WaitGroup
		for i := range plans {
			wg.Go(func() { plans[i] = line.Plan(p, Options{Manual: true}) })
		}
		for range 20 {
			a.grow()
		}
		wg.Wait()
		for _, pl := range plans {
			if !slices.Equal(flat(pl), flat(plans[0])) {
				t.Fatal("plans of one line differ")
			}
		}
		if plans[0].Outcome != WouldApply {
			return
		}
		plans[0].Takes(func(i int) { a.taken["R"] = append(a.taken["R"], line.Item(i)) })
		a.items = append(plans[0].Apply("R"), a.items[snapshot:]...)
		got := a.originals(a.items)
		if sorted := slices.Clone(got); p.Strategy != model.Drop {
			slices.Sort(sorted)
			if !slices.Equal(sorted, a.th.History[:a.at]) {
				t.Fatalf("%d of %d messages are left", len(got), a.at)
			}
		}
		if len(p.Pins) == 0 && !slices.IsSorted(got) {
			t.Fatalf("the order is lost: %v", got)
		}
	})
}

// I12: after a check the detail is within the window or it is said why not; the
// layer of summaries is within its cap, read as one text; each summary is within
// its limit.
func TestI12Bounds(t *testing.T) {
	checkAll(t, func(t *rapid.T) {
		p := drawPreset(t)
		a := newAgent(t, drawWork(t, p), p)
		for a.grow() {
			dr, err := a.call(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			layer, n := 0, 0
			for _, it := range a.items {
				if it.Msg < 0 {
					layer, n = layer+utf8.RuneCountInString(a.texts[it.Record]), n+1
				}
			}
			if n > 1 {
				layer += (n - 1) * separator
			}
			if p.Former == model.LayerFormer && layer > p.LayerBudget.N {
				t.Fatalf("a layer of %d characters", layer)
			}
			q := dr.Plan.Policy
			bounded := !slices.ContainsFunc(a.line().clauseStates(nil, q.Triggers, gaugesOf(nil, &q)), func(c ClauseState) bool { return c.Fires })
			switch pl := dr.Plan; pl.Outcome {
			case WouldApply:
				if !bounded && len(pl.warnResult(nil)) == 0 {
					t.Fatalf("still fires after message %d, and no one says so", a.at)
				}
			case WouldRefuse:
				if pl.Why.Code == "" {
					t.Fatal("refused without a reason")
				}
			case WouldWait:
				if !bounded && pl.Why.Code != "back-off" {
					t.Fatalf("fires, and waits for %v", pl.Why)
				}
			}
		}
	})
}

// The sliding window over step records is exact: after a check there are never
// more steps than the window, at every length.
func TestI12StepsWithinTheWindow(t *testing.T) {
	checkAll(t, func(t *rapid.T) {
		p, _ := PresetByID(rapid.SampledFrom(fourPresets[:2]).Draw(t, "preset"))
		a := newAgent(t, drawSteps(t), p.Policy)
		for a.grow() {
			dr, err := a.call(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			window := dr.Plan.Policy.Triggers[0].At.N
			if dr.Plan.Outcome == WouldRefuse || dr.Plan.Why.Code == "back-off" {
				continue // steps so short that no summary of them is shorter
			}
			if steps := a.line().Count(model.Steps); steps > window {
				t.Fatalf("%d steps of a window of %d", steps, window)
			}
		}
	})
}
