package replay

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/model"
	"palimpsest/model/tokens"
)

// talk spells a history in letters: S system, U typed user, A assistant, C
// assistant with one call, R the result of the latest call.
func talk(letters string) *model.Thread {
	th := &model.Thread{}
	calls := 0
	for i, c := range letters {
		m := model.Message{}
		switch c {
		case 'S':
			m.Kind = model.KindSystem
		case 'U':
			m.Kind, m.Origin = model.KindUser, model.OriginTyped
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

// even is a history whose messages weigh 100 each.
func even(letters string) *compaction.History {
	return compaction.NewHistory(talk(letters), func(int32) int32 { return 100 })
}

func tok(n int) model.Amount { return model.Amount{N: n, Unit: model.Tokens} }

func messages(n int) model.Amount { return model.Amount{N: n, Unit: model.Messages} }

func lived(t *testing.T, h *compaction.History, p model.Policy) *Timeline {
	t.Helper()
	tl, err := Run(context.Background(), h, p, Options{Context: true})
	if err != nil {
		t.Fatal(err)
	}
	return tl
}

// S U A U A U A U A, 100 each, fixed part 50; fires at 600 tokens, keeps two
// messages, a summary of at most 30.
//
//	call 0 at 2: S U                    250
//	call 1 at 4: S U A U                450
//	call 2 at 6: S U A U A U = 650 fires: U A U go (300), the summary of 30
//	             stands for them: S + A U = 380
//	call 3 at 8: S + A U A U = 580, 20 below
//	after:       S + A U A U A = 680
//
// Cache: call 2 still reads the fixed part and S (150) and writes 230. Of what
// call 1 sent, S U A U, only S is kept: nothing is sent again word for word.
func TestSmallHistoryByHand(t *testing.T) {
	p := model.Policy{Fixed: 50, Triggers: []model.Clause{{At: tok(600)}}, Tail: messages(2), Budget: tok(30)}
	tl := lived(t, even("SUAUAUAUA"), p)
	want := []Call{
		{At: 2, Tokens: 250, Missing: 350}, {At: 4, Tokens: 450, Missing: 150},
		{At: 6, State: Fired, Tokens: 380, Missing: -50}, {At: 8, Tokens: 580, Missing: 20},
	}
	if !reflect.DeepEqual(tl.Calls, want) {
		t.Errorf("calls are\n%+v, want\n%+v", tl.Calls, want)
	}
	f := Firing{
		Call: 2, At: 6, Range: model.Range{From: 1, To: 4}, Passes: 1,
		Before: model.Size{Messages: 6, Tokens: 650}, After: model.Size{Messages: 4, Tokens: 380},
		Removed: model.Size{Messages: 3, Tokens: 300}, Summary: 30, Record: "1",
		Context: &Context{Gone: []model.Range{{From: 1, To: 4}}, Kept: []model.Range{{From: 0, To: 1}, {From: 4, To: 6}}, Stands: []model.Item{{Msg: -1, Record: "1"}}},
	}
	if len(tl.Firings) != 1 || !reflect.DeepEqual(tl.Firings[0], f) {
		t.Errorf("firings are\n%+v, want\n%+v", tl.Firings, f)
	}
	if why := tl.Why(2).Reason; why != (compaction.Reason{Code: "clause-tokens", N: 650, M: 600}) {
		t.Errorf("it fired because of %+v", why)
	}
	totals := Totals{
		Calls: 4, Input: 250 + 450 + 380 + 580, Uncompacted: 250 + 450 + 650 + 850, Largest: 580,
		CacheRead: 0 + 250 + 150 + 380, CacheWrite: 250 + 200 + 230 + 200,
		Firings: 1, Summaries: 1, SummaryInput: 300, SummaryOutput: 30, After: model.Size{Messages: 7, Tokens: 680},
	}
	if tl.Totals != totals {
		t.Errorf("totals are\n%+v, want\n%+v", tl.Totals, totals)
	}
	for i, want := range []string{
		"no: 250 of 600 tokens; 350 more until it fires",
		"no: 450 of 600 tokens; 150 more until it fires",
		"fires: 650 of 600 tokens; takes messages 2–4; 650 → 380 tokens",
		"no: 580 of 600 tokens; 20 more until it fires",
	} {
		if got := tl.Why(i).String(); got != want {
			t.Errorf("call %d: %q, want %q", i, got, want)
		}
	}
}

// A tail that was in the request before is sent again word for word behind the
// change.
func TestResent(t *testing.T) {
	p := model.Policy{Triggers: []model.Clause{{At: messages(8)}}, Tail: messages(5), Budget: tok(10)}
	tl := lived(t, even("SUAUAUAUA"), p)
	// Call 3 at 8: S U A U A U A U, eight messages: U A go, + and five stay. Call 2
	// sent S U A U A U: of the tail U A U A U it had the first three.
	if len(tl.Firings) != 1 || tl.Firings[0].Resent != 300 || tl.Totals.Resent != 300 {
		t.Fatalf("%+v", tl.Firings)
	}
	// 600 read by call 2's successors: 0, 200 and 400; call 3 reads S alone.
	if tl.Totals.CacheRead != 0+200+400+100 {
		t.Errorf("read %d from the cache", tl.Totals.CacheRead)
	}
}

// Clearing breaks the cache at the first cleared result. S U C R C R C R A:
// before the last call 800 tokens; two results (keep 1) become notes of 16.
func TestClearing(t *testing.T) {
	p := model.Policy{
		Triggers: []model.Clause{{At: tok(800)}}, Tail: messages(1), Strategy: model.ClearOnly,
		Clear: model.Clearing{On: true, Keep: 1, Above: 20},
	}
	tl := lived(t, even("SUCRCRCRA"), p)
	last := tl.Calls[len(tl.Calls)-1]
	if last.State != Fired || last.Tokens != 800-2*84 {
		t.Fatalf("%+v", last)
	}
	f := tl.Firings[0]
	if f.Cleared != 2 || f.Summary != 0 || f.Record != "" || f.Range != (model.Range{}) {
		t.Errorf("%+v", f)
	}
	// The call before sent S U C R C R; the first cleared is R at 3, behind it C
	// (100) is sent again, and R is a note.
	if f.Resent != 100 {
		t.Errorf("resent %d", f.Resent)
	}
	want := &Context{Cleared: []model.Range{{From: 3, To: 4}, {From: 5, To: 6}},
		Kept: []model.Range{{From: 0, To: 3}, {From: 4, To: 5}, {From: 6, To: 8}}}
	if !reflect.DeepEqual(f.Context, want) {
		t.Errorf("it leaves %+v", f.Context)
	}
	if tl.Totals.Summaries != 0 {
		t.Error("clearing makes no summary")
	}
}

// A step record of three messages is one call, and is never cut while it grows.
func TestStepRecordsAreOneCall(t *testing.T) {
	th := &model.Thread{}
	for i := range 12 {
		th.Messages = append(th.Messages, model.Message{Kind: model.KindAssistant, Step: int32(i/3 + 1)})
		th.History = append(th.History, int32(i))
	}
	h := compaction.NewHistory(th, func(int32) int32 { return 10 })
	p := model.Policy{Triggers: []model.Clause{{At: model.Amount{N: 2, Unit: model.Steps}}}, Tail: model.Amount{N: 1, Unit: model.Steps}, Budget: tok(1)}
	tl := lived(t, h, p)
	// Before the fourth step there are three, more than two: two of them go.
	want := []Call{{At: 0, Missing: 3}, {At: 3, Tokens: 30, Missing: 2}, {At: 6, Tokens: 60, Missing: 1}, {At: 9, State: Fired, Tokens: 31}}
	if !reflect.DeepEqual(tl.Calls, want) {
		t.Errorf("%+v", tl.Calls)
	}
	if got := tl.Why(2).Reason.String(); got != "2 steps, fires above 2" {
		t.Errorf("call 2: %s", got)
	}
}

// A trigger that stays reached is said, and the back-off keeps it from firing
// at every call.
func TestThrashAndBackOff(t *testing.T) {
	p := model.Policy{Triggers: []model.Clause{{At: tok(300)}}, Tail: messages(4), Budget: tok(1), BackOff: 3}
	h := even("SUAUAUAUAUAUAUAUA")
	tl := lived(t, h, p)
	for i, want := range []State{Waits, Refused, Fired, BackedOff, Fired, BackedOff, Fired, BackedOff} {
		if got := tl.Calls[i].State; got != want {
			t.Errorf("call %d %v, want %v: %v", i, got, want, tl.Why(i))
		}
	}
	if tl.Totals.Thrash != 2 || tl.Totals.BackedOff != 3 || tl.Totals.Refused != 1 {
		t.Errorf("%+v", tl.Totals)
	}
	p.BackOff = 0
	if again := lived(t, h, p); again.Totals.Thrash != 5 || again.Totals.BackedOff != 0 {
		t.Errorf("without back-off: %+v", again.Totals)
	}
}

func TestWarnings(t *testing.T) {
	h := even("SUAUAUAUAUAUAUAUA")
	at := func(n int) []model.Clause { return []model.Clause{{At: tok(n)}} }
	for _, c := range []struct {
		code string
		p    model.Policy
	}{
		{"no-trigger", model.Policy{Window: 100}},
		{"window-unknown", model.Policy{Triggers: []model.Clause{{Share: 0.8}}}},
		{"unreachable", model.Policy{Window: 1000, Triggers: at(1200)}},
		{"never-fires", model.Policy{Triggers: at(5000)}},
		{"trigger-above-reserve", model.Policy{Window: 1000, Reserve: 300, Triggers: []model.Clause{{Share: 0.8}}}},
		{"fixed-above-trigger", model.Policy{Fixed: 500, Triggers: at(400)}},
		{"tail-above-trigger", model.Policy{Tail: tok(900), Triggers: at(800)}},
		{"refused-calls", model.Policy{Tail: messages(50), Triggers: at(800)}},
		{"calls-over-window", model.Policy{Window: 90, Tail: messages(50), Triggers: at(80)}},
		{"left-out", model.Policy{Window: 700, Strategy: model.ClearOnly, Triggers: at(600)}},
		{"thrash", model.Policy{Tail: messages(4), Triggers: at(300), Budget: tok(1)}},
		{"clamped-window", model.Policy{Tail: messages(-3), Triggers: at(300)}},
	} {
		tl := lived(t, h, c.p)
		found := false
		for _, w := range tl.Warnings {
			found = found || w.Code == c.code
			if w.String() == w.Code {
				t.Errorf("%s has no words", w.Code)
			}
		}
		if !found {
			t.Errorf("%s is not said: %v", c.code, tl.Warnings)
		}
	}
	larger := func(context.Context, *compaction.Plan, func(string) string) (compaction.Text, error) {
		return compaction.Text{Text: "long", Tokens: 10_000}, nil
	}
	tl, err := Run(context.Background(), h, model.Policy{Tail: messages(2), Triggers: at(800), BackOff: 2}, Options{Summarise: larger})
	if err != nil || tl.Totals.Firings != 0 || tl.Totals.Refused == 0 || tl.Totals.BackedOff == 0 {
		t.Errorf("%v %+v", err, tl.Totals)
	}
}

// A summary that can't be made does what the policy says. Messages weigh 100;
// it fires at 600 and keeps three. Extracting takes U A for 9 tokens, which the
// next two messages bring to 609. What does not fit the window of 900 is left
// out: the 1000 before call 4 become S and three messages.
func TestFailures(t *testing.T) {
	h := even("SUAUAUAUAUAUAUAUA")
	fails := func(_ context.Context, p *compaction.Plan, _ func(string) string) (compaction.Text, error) {
		if p.Policy.Strategy == model.Extract {
			return compaction.Text{Text: "extracted", Tokens: 9}, nil
		}
		return compaction.Text{}, fmt.Errorf("out of order")
	}
	p := model.Policy{Window: 900, Strategy: model.StructuredJSON, Tail: messages(3), Triggers: []model.Clause{{At: tok(600)}}}
	for _, c := range []struct {
		on   model.OnFailure
		want []State
	}{
		{model.KeepEverything, []State{Waits, Waits, Failed, Failed, Truncated, Failed, Failed, Truncated}},
		{model.ExtractInstead, []State{Waits, Waits, Fired, Fired, Fired, Fired, Fired, Fired}},
		{model.TruncateAtHard, []State{Waits, Waits, Failed, Failed, Truncated, Failed, Failed, Truncated}},
	} {
		p.OnFailure = c.on
		tl, err := Run(context.Background(), h, p, Options{Summarise: fails})
		if err != nil {
			t.Fatal(err)
		}
		var got []State
		for i := range tl.Calls {
			got = append(got, tl.Calls[i].State)
			if w := tl.Why(i); w.State == Failed && (w.Err == nil || w.Reason.Code != "summary-failed") {
				t.Errorf("call %d does not tell why it failed: %+v", i, w)
			}
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.on, got, c.want)
		}
	}
}

// Whatever the parameters are, a replay of any history ends, keeps its sums,
// and has a line of the decision log for every call.
func TestExtremes(t *testing.T) {
	for _, letters := range []string{"", "S", "A", "U", "SUA", "CCCC", "RRRR", "SUCRCRCRUAUAUAUCRCRA"} {
		h := even(letters)
		for _, n := range []int{-1, 0, 1, 1 << 40} {
			for _, u := range []model.Unit{model.Messages, model.Groups, model.Steps, model.Turns, model.Tokens} {
				p := model.Policy{
					Window: n, Reserve: n, Fixed: n, Target: n, Triggers: []model.Clause{{At: model.Amount{N: n, Unit: u}}, {Share: float64(n)}},
					Tail: model.Amount{N: n, Unit: u}, Batch: model.Amount{N: n, Unit: u}, Budget: tok(n), LayerBudget: tok(n),
					MinGain: model.Gain{Messages: n, Tokens: n}, BackOff: n, Pins: []model.Range{{From: n, To: n}},
				}
				tl := lived(t, h, p)
				var input int64
				for i, c := range tl.Calls {
					input += c.Tokens
					if tl.Why(i).String() == "" {
						t.Errorf("%s, %d %s: call %d has no reason", letters, n, u, i)
					}
				}
				s := tl.Totals
				if input != s.Input || s.CacheRead+s.CacheWrite != s.Input || s.Calls != len(h.Calls()) {
					t.Errorf("%s, %d %s: %+v", letters, n, u, s)
				}
			}
		}
	}
}

func TestCancelledReplay(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	p := model.Policy{Triggers: []model.Clause{{At: tok(600)}}, Tail: messages(2)}
	stop := func(context.Context, *compaction.Plan, func(string) string) (compaction.Text, error) {
		cancel()
		return compaction.Text{Text: "late", Tokens: 1}, nil
	}
	if tl, err := Run(ctx, even("SUAUAUAUA"), p, Options{Summarise: stop}); err != context.Canceled || tl != nil {
		t.Errorf("%v %v", tl, err)
	}
}

// A log opens at the last firing that the reader's place follows, without firings
// at a refusal, else at the largest call.
func TestWhereALogOpens(t *testing.T) {
	h := even("S" + strings.Repeat("UA", 40))
	fires := lived(t, h, model.Policy{Triggers: []model.Clause{{At: tok(1000)}}, Tail: messages(2), Budget: tok(30), Strategy: model.Extract})
	n := len(fires.Firings)
	if n < 3 {
		t.Fatalf("%d firings", n)
	}
	for _, c := range []struct{ at, firing int }{{-1, n - 1}, {0, 0}, {fires.Firings[0].At, 0}, {fires.Firings[1].At - 1, 0}, {fires.Firings[1].At, 1}, {80, n - 1}} {
		if got, want := fires.LogStart(c.at), fires.Firings[c.firing].Call; got != want {
			t.Errorf("from message %d on: call %d, not %d", c.at, got, want)
		}
	}
	quiet := lived(t, h, model.Policy{Triggers: []model.Clause{{At: tok(100000)}}, Tail: messages(2)})
	if got := quiet.LogStart(-1); got != len(quiet.Calls)-1 {
		t.Errorf("nothing fires: call %d of %d", got, len(quiet.Calls))
	}
	refuses := lived(t, h, model.Policy{Triggers: []model.Clause{{At: tok(1000)}}, Tail: messages(100)})
	if got := refuses.LogStart(-1); len(refuses.Refusals) == 0 || got != refuses.Refusals[len(refuses.Refusals)-1].Call {
		t.Errorf("only refusals: call %d, %d refusals", got, len(refuses.Refusals))
	}
	if got := lived(t, even("SU"), model.Policy{}).LogStart(-1); got != -1 {
		t.Errorf("no call: %d", got)
	}
}

// What is sent again from the cache costs a tenth, unless the agent was idle for longer
// than the cache lives: then all of it costs what fresh input costs.
func TestCostByHand(t *testing.T) {
	rates := tokens.Rates{Read: .1, Write: 1, Output: 4}
	history := func(pause int64) *compaction.History {
		th := talk("SUAUAUA") // calls before messages 2, 4 and 6, which send 200, 400 and 600
		for i := range th.Messages {
			if th.Messages[i].Time = 1_000_000 + int64(i)*1000; i >= 5 {
				th.Messages[i].Time += pause
			}
		}
		return compaction.NewHistory(th, func(int32) int32 { return 100 })
	}
	for _, c := range []struct {
		pause int64 // before the third call, in milliseconds
		cost  float64
	}{
		{0, 200 + (.1*200 + 200) + (.1*400 + 200)},
		{4 * 60_000, 200 + (.1*200 + 200) + (.1*400 + 200)},
		{6 * 60_000, 200 + (.1*200 + 200) + (400 + 200)},
	} {
		tl := lived(t, history(c.pause), model.Policy{})
		if got := tl.Totals.CostAt(rates); got != c.cost {
			t.Errorf("a pause of %d ms: %v, want %v (%+v)", c.pause, got, c.cost, tl.Totals)
		}
	}
	// A model is paid for the summary, the ledger is not.
	p := model.Policy{Tail: messages(2), Triggers: []model.Clause{{At: tok(500)}}, Budget: tok(50), Strategy: model.ModelText}
	asked := lived(t, history(0), p).Totals
	p.Strategy = model.NoteText
	offline := lived(t, history(0), p).Totals
	if asked.ModelInput != asked.SummaryInput || asked.ModelInput == 0 || offline.ModelInput != 0 {
		t.Fatalf("a model reads %d of %d, the ledger %d", asked.ModelInput, asked.SummaryInput, offline.ModelInput)
	}
	if more := asked.CostAt(rates) - offline.CostAt(rates); more != float64(asked.ModelInput)+4*float64(asked.ModelOutput) {
		t.Errorf("it costs %v more", more)
	}
}
