package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/compaction/facts"
	"palimpsest/compaction/replay"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// factSession is ten exchanges about one file each; in the last one the agent
// names the first file again.
func factSession(t *testing.T) *Session {
	t.Helper()
	var b bytes.Buffer
	b.WriteString(`{"model":"gpt-4o","messages":[{"role":"system","content":"You are careful."}`)
	for i := range 10 {
		fmt.Fprintf(&b, `,{"role":"user","content":"Please look at the next file."}`)
		fmt.Fprintf(&b, `,{"role":"assistant","content":null,"tool_calls":[{"id":"c%d","type":"function","function":{"name":"read","arguments":"{\"path\":\"src/f%d.go\"}"}}]}`, i, i)
		fmt.Fprintf(&b, `,{"role":"tool","tool_call_id":"c%d","content":%q}`, i, strings.Repeat("some words of a text without any fact in them\n", 30))
		fmt.Fprintf(&b, `,{"role":"assistant","content":"That is done."}`)
	}
	b.WriteString(`,{"role":"user","content":"And now?"},{"role":"assistant","content":"I go back to src/f0.go for a moment."}]}`)
	d, err := transcript.Read(context.Background(), "facts.json", bytes.NewReader(b.Bytes()), int64(b.Len()), transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewFile(d, Options{}).Session(context.Background(), Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func indexed(t *testing.T, s *Session) *facts.Index {
	t.Helper()
	x, err := s.Insight.Facts(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func lostPaths(v *facts.Survival) string {
	var out []string
	for _, l := range v.Lost(0) {
		if l.Kind == facts.Path {
			out = append(out, fmt.Sprintf("%s@%v", l.Text, l.At))
		}
	}
	return strings.Join(out, " ")
}

// What survives a plan: facts that are kept or that the summary names
// survive, and the lost are listed with their places.
func TestSurvivePlan(t *testing.T) {
	ctx := context.Background()
	s := factSession(t)
	if s.Insight.Survive(s.Plan(s.Policy(), compaction.Options{Manual: true}), "") != nil {
		t.Error("survival without an index")
	}
	indexed(t, s)
	s.SetAt(41)
	p := s.Policy()
	p.Tail = model.Amount{N: 28, Unit: model.Messages} // messages 1–12: the first three exchanges go
	pl := s.Plan(p, compaction.Options{Manual: true})
	none := s.Insight.Survive(pl, "")
	if got := none.Kinds[facts.Path]; got != (facts.Tally{Gone: 3}) || !strings.Contains(lostPaths(none), "src/f1.go@[6]") {
		t.Fatalf("%+v, lost %s", got, lostPaths(none))
	}
	if got := s.Insight.Survive(pl, "The agent read src/f1.go."); got.Kinds[facts.Path] != (facts.Tally{Gone: 3, Survived: 1}) || strings.Contains(lostPaths(got), "src/f1.go") {
		t.Errorf("%+v, lost %s", got.Kinds[facts.Path], lostPaths(got))
	}

	// A summary that is merged takes its facts along; one that stays keeps them.
	d, err := s.Draft(ctx, p, compaction.Options{Manual: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = s.Records.Apply(ctx, s.Edit(d, "src/f0.go and src/f2.go were read.")); err != nil {
		t.Fatal(err)
	}
	p.Tail.N = 24
	for former, want := range map[model.Former]facts.Tally{
		model.MergeFormer: {Gone: 3},              // f0 and f2 of the merged summary, f3
		model.LayerFormer: {Gone: 1, Survived: 0}, // f3 alone goes
	} {
		p.Former = former
		v := s.Insight.Survive(s.Plan(p, compaction.Options{Manual: true}), "")
		if v.Kinds[facts.Path] != want {
			t.Errorf("%s: %+v, lost %s", former, v.Kinds[facts.Path], lostPaths(v))
		}
	}
}

// The index is built once, reports how far it is, and a cancelled build leaves
// the session as it was.
func TestFactsAreIndexedOnce(t *testing.T) {
	s := factSession(t)
	ctx, cancel := context.WithCancel(context.Background())
	_, err := s.Insight.Facts(ctx, func(done, _ int) {
		if done == 5 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || s.Insight.KnownFacts() != nil {
		t.Fatalf("a cancelled build: %v", err)
	}
	last, total := -1, 0
	x, err := s.Insight.Facts(context.Background(), func(done, n int) {
		if done != last+1 {
			t.Errorf("%d after %d", done, last)
		}
		last, total = done, n
	})
	if err != nil || last != total-1 || x.Messages() != total {
		t.Fatalf("%v: %d of %d", err, last, total)
	}
	if again := indexed(t, s); again != x {
		t.Error("built twice")
	}
	s.Insight.ForgetFacts()
	if s.Insight.KnownFacts() != nil {
		t.Error("not forgotten")
	}
}

// The agent names src/f0.go at the end. A policy that drops what is old misses
// it; one whose summary names it does not.
func TestNeededLater(t *testing.T) {
	s := factSession(t)
	p := s.Policy()
	p.Triggers = []model.Clause{{At: model.Amount{N: 20, Unit: model.Messages}}}
	p.Tail = model.Amount{N: 6, Unit: model.Messages}
	p.Budget = model.Amount{}
	for strategy, met := range map[model.Strategy]int{model.Drop: 0, model.NoteText: 1} {
		p.Strategy = strategy
		_, n, err := s.Insight.Live(context.Background(), p, true)
		if err != nil {
			t.Fatal(err)
		}
		if got := n.Kinds[facts.Path]; got != (facts.Recall{Needs: 1, Met: met}) || n.Lower {
			t.Errorf("%s: %+v, lower %v", strategy, got, n.Lower)
		}
	}
	// Without texts it says that it is a lower bound.
	p.Strategy = model.Extract
	tl, err := replay.Run(context.Background(), s.History(), p, replay.Options{Context: true})
	if err != nil {
		t.Fatal(err)
	}
	if n := s.Insight.NeededLater(tl); !n.Lower || n.Kinds[facts.Path] != (facts.Recall{Needs: 1}) {
		t.Errorf("%+v", n)
	}
}

// A record made with an index says what survived; worked out again from the
// record alone it is the same.
func TestRecordsTellWhatSurvived(t *testing.T) {
	ctx := context.Background()
	s := factSession(t)
	p := s.Policy()
	p.Strategy = model.Extract // which needs no index
	p.Tail = model.Amount{N: 28, Unit: model.Messages}
	p.Clear = model.Clearing{On: true, Keep: 3, Above: 50}
	p.Former = model.LayerFormer
	bare, err := s.Records.Compact(ctx, p, compaction.Options{Manual: true}, nil)
	if err != nil || bare.Facts != nil {
		t.Fatalf("%v: facts without an index: %v", err, bare.Facts)
	}
	indexed(t, s)
	first := Tallies(s.Insight.SurviveRecord(bare))
	if len(first) == 0 || first[0].Kind != "path" || first[0].Gone != 3 || first[0].Standing != 1 {
		t.Errorf("%+v", first)
	}
	p.Tail.N, p.Former = 16, model.MergeFormer
	told, err := s.Records.Compact(ctx, p, compaction.Options{Manual: true}, nil)
	if err != nil || len(told.Facts) == 0 || told.FactsBy == "" || !s.Made(told) {
		t.Fatalf("%v: %+v", err, told)
	}
	if again := Tallies(s.Insight.SurviveRecord(told)); !slices.Equal(again, told.Facts) {
		t.Errorf("noted %+v, worked out again %+v", told.Facts, again)
	}
	if refused, err := s.Records.Compact(ctx, p, compaction.Options{}, nil); err != nil || refused.Facts != nil || s.Made(refused) {
		t.Errorf("%v: a refusal tells facts: %+v", err, refused)
	}
}
