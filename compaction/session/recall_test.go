package session

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"

	"palimpsest/assets"
	"palimpsest/compaction"
	"palimpsest/compaction/facts"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// longSample is the shipped coding session under a small window.
func longSample(t *testing.T) (*Session, model.Policy) {
	t.Helper()
	for _, sample := range assets.Samples {
		if !strings.Contains(sample.File, "long-coding-run") {
			continue
		}
		b := sample.Bytes()
		d, err := transcript.Read(context.Background(), sample.File, bytes.NewReader(b), int64(len(b)), transcript.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := NewFile(d, Options{}).Session(context.Background(), Ref{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		p := s.Policy()
		p.Window, p.Fixed, p.Tail, p.Budget = 40000, 0, model.Amount{N: 8000, Unit: model.Tokens}, model.Amount{N: 1000, Unit: model.Tokens}
		return s, p
	}
	t.Fatal("the sample is not there")
	return nil, model.Policy{}
}

// A ledger of 2,000 tokens meets a tenth more needs than an extract of 3,000, which its
// parts alone do not; two replays at once agree. At 1,000 tokens the parts of a note take all the room, it lists no facts,
// and meets as many needs as an extract.
func TestRecallOfALedger(t *testing.T) {
	ctx := context.Background()
	s, p := longSample(t)
	of := func(strategy model.Strategy, tokens int) *Needed {
		q := p
		q.Strategy, q.Budget = strategy, model.Amount{N: tokens, Unit: model.Tokens}
		tl, err := s.Insight.Replay(ctx, q, true)
		if err != nil {
			t.Error(err)
			return &Needed{}
		}
		for _, f := range tl.Firings {
			if n := s.CountText(f.Text); n > q.BudgetInForce().N {
				t.Errorf("a summary of %d tokens, the budget is %d", n, q.BudgetInForce().N)
			}
			if strategy == model.NoteText && facts.LedgerStart(f.Text) < 0 {
				t.Errorf("no facts are listed in\n%s", f.Text)
			}
		}
		if _, err := s.Insight.Facts(ctx, nil); err != nil {
			t.Error(err)
			return &Needed{}
		}
		return s.Insight.NeededLater(tl)
	}
	var once, again *Needed
	var both sync.WaitGroup
	both.Go(func() { once = of(model.NoteText, 2000) })
	both.Go(func() { again = of(model.NoteText, 2000) })
	both.Wait()
	extract := of(model.Extract, 3000)
	if once.Needs.Needs == 0 || once.Needs.Recall != again.Needs.Recall {
		t.Fatalf("%+v, then %+v", once.Needs.Recall, again.Needs.Recall)
	}
	if once.Share() <= 1.1*extract.Share() {
		t.Errorf("ledger %+v, extract %+v", once.Needs.Recall, extract.Needs.Recall)
	}
}

// Under merged summaries a second ledger lists what the first range held and no
// ledger stands in its story; the counts of both ranges are reported.
func TestASecondLedgerIsOneLedger(t *testing.T) {
	ctx := context.Background()
	s, p := longSample(t)
	p.Strategy, p.Triggers, p.Budget = model.NoteText, nil, model.Amount{N: 3000, Unit: model.Tokens}
	p.Batch = model.Amount{N: 60, Unit: model.Messages}
	var texts []string
	for range 2 {
		rec, err := s.Records.Compact(ctx, p, compaction.Options{Manual: true}, nil)
		if err != nil || rec.Outcome != model.Applied {
			t.Fatal(err, rec)
		}
		texts = append(texts, rec.Summary)
	}
	at := facts.LedgerStart(texts[1])
	if at < 0 || strings.Count(texts[1], "[Fact ledger") != 1 {
		t.Fatalf("not one ledger at the end:\n%s", texts[1])
	}
	from, _, _ := strings.Cut(strings.Split(texts[0], "\n")[1], "–") // Messages a
	if !strings.HasPrefix(from, "Messages ") || !strings.Contains(texts[1][:at], "\n"+from+"–") {
		t.Errorf("the note does not tell what the first one covered, %s …:\n%s", from, texts[1][:at])
	}
	x, err := s.Insight.Facts(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	first, second := x.FactsIn(texts[0][facts.LedgerStart(texts[0]):]), map[facts.ID]bool{}
	for _, id := range x.FactsIn(texts[1]) {
		second[id] = true
	}
	both := 0
	for _, id := range first {
		if second[id] {
			both++
		}
	}
	if both == 0 {
		t.Errorf("none of %d facts of the first ledger is in the second", len(first))
	}
}

// A trigger over the fixed part fires when the history has taken so much, whatever
// system prompt and tools take.
func TestTriggerOverTheFixedPart(t *testing.T) {
	s, p := longSample(t)
	over, err := model.ParseClause("+32000")
	if err != nil {
		t.Fatal(err)
	}
	p.Window, p.Triggers = 200000, []model.Clause{over}
	without, err := s.Insight.Replay(context.Background(), s.Adapt(p), false)
	if err != nil {
		t.Fatal(err)
	}
	s.fit.Fixed, s.policy.Fixed = 50000, 50000
	q := s.Adapt(p)
	if got := q.Triggers[0]; got.Over || got.At.N != 32000+int(s.fit.Beyond(0, 50000)) || p.Triggers[0].At.N != 32000 {
		t.Fatalf("%+v of %+v", q.Triggers, p.Triggers)
	}
	with, err := s.Insight.Replay(context.Background(), q, false)
	if err != nil {
		t.Fatal(err)
	}
	if len(with.Firings) == 0 || len(with.Firings) != len(without.Firings) || with.Firings[0].At != without.Firings[0].At {
		t.Errorf("%d firings, without a fixed part %d", len(with.Firings), len(without.Firings))
	}
}
