package session

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"palimpsest/compaction"
	"palimpsest/internal/realdata"
	"palimpsest/model"
)

// Three compactions on top of each other, each exported and read back; then the
// middle one is restored, then the bottom one.
func TestNestedCompactionsOnRealFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("many real files, one after the other")
	}
	ctx := context.Background()
	_, here := realdata.Look(t)
	for _, path := range realdata.Sources(t) {
		if st, err := os.Stat(path); !here && err == nil && st.Size() < 20<<10 {
			continue // a made one in which no three compactions fit
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			f := openReal(t, path)
			s, err := f.Session(ctx, Ref{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			live := s.Plan(s.Policy(), compaction.Options{}).Before.Messages
			p := s.Policy()
			p.Tail = model.Amount{N: live / 4, Unit: model.Messages}
			p.Batch = model.Amount{N: max(2, live/5), Unit: model.Messages}
			p.Triggers = nil
			var recs []*model.Record
			for len(recs) < 3 {
				p.Former = []model.Former{model.MergeFormer, model.LayerFormer}[len(recs)%2]
				rec, err := s.Records.Compact(ctx, p, compaction.Options{Manual: true}, nil)
				if err != nil {
					t.Fatal(err)
				}
				if rec.Outcome != model.Applied {
					break
				}
				recs = append(recs, rec)
				if err := exported(t, s, filepath.Join(t.TempDir(), "out")); err != nil {
					t.Fatalf("after %d: %v", len(recs), err)
				}
				if len(recs) > 1 && rec.Base != recs[len(recs)-2].ID {
					t.Fatalf("record %d stands on %q", len(recs), rec.Base)
				}
			}
			if len(recs) < 3 {
				t.Skipf("too few compactions fit: %d", len(recs))
			}
			want := recs[0].After
			if _, err := s.Records.Restore(ctx, recs[1].ID); err != nil {
				t.Fatal(err)
			}
			if got := s.Plan(p, compaction.Options{}).Before; got != want || len(s.Stack()) != 1 {
				t.Errorf("restoring the middle one leaves %+v, the bottom one left %+v", got, want)
			}
			if _, err := s.Records.Restore(ctx, recs[0].ID); err != nil {
				t.Fatal(err)
			}
			var back bytes.Buffer
			input, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Overlay().Export(&back); err != nil || !bytes.Equal(back.Bytes(), input) {
				t.Errorf("restoring the bottom does not give the file back: %v", err)
			}
		})
	}
}

// A draft is applied to the state it was made on or not at all, and what is
// stored is what was shown.
func TestApplyStoresTheDraftThatWasShown(t *testing.T) {
	ctx := context.Background()
	s := smallSession(t)
	p := s.Policy()
	p.Tail = model.Amount{N: 4, Unit: model.Messages}
	d, err := s.Draft(ctx, p, compaction.Options{Manual: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	d = s.Edit(d, d.Text.Text+"\nWritten by hand: 漢字.")
	stale, err := s.Draft(ctx, p, compaction.Options{Manual: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := s.Records.Apply(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	if rec.Summary != d.Text.Text || !rec.Edited {
		t.Errorf("stored %q, edited %v", rec.Summary, rec.Edited)
	}
	var problem *model.Problem
	if _, err := s.Records.Apply(ctx, stale); !errors.As(err, &problem) || problem.Code != "stale-draft" {
		t.Errorf("a draft of an earlier state: %v", err)
	}
}

func TestPositionPlansOnWhatWasLive(t *testing.T) {
	ctx := context.Background()
	s := smallSession(t)
	s.SetAt(20)
	p := s.Policy()
	p.Tail = model.Amount{N: 4, Unit: model.Messages}
	pl := s.Plan(p, compaction.Options{Manual: true})
	if pl.Before.Messages != 20 {
		t.Fatalf("%d messages live before message 21", pl.Before.Messages)
	}
	rec, err := s.Records.Compact(ctx, p, compaction.Options{Manual: true}, nil)
	if err != nil || rec.Outcome != model.Applied {
		t.Fatal(err, rec)
	}
	if _, err := s.Overlay().ExportFile(ctx, Output{Path: filepath.Join(t.TempDir(), "out.json")}); err != nil {
		t.Fatal(err)
	}
	s.SetAt(1 << 30)
	n := len(s.Thread().History)
	if got := s.Plan(p, compaction.Options{}).Before.Messages; got != rec.After.Messages+n-20 {
		t.Errorf("%d live at the end; later messages must follow the tail", got)
	}
}

func TestPins(t *testing.T) {
	s := smallSession(t)
	p := s.Policy()
	p.Tail = model.Amount{N: 7, Unit: model.Tokens}
	s.SetPolicy(p)
	Pin(s, []int{3, 4}, true)
	if !s.Pinned(3) || !s.Pinned(4) || s.Pinned(5) {
		t.Fatal("pins")
	}
	Pin(s, []int{3}, false)
	if s.Pinned(3) || !s.Pinned(4) || s.Policy().Tail.N != 7 {
		t.Errorf("%+v", s.Policy())
	}
}

// Every row of both views can be made, in any state, and the numbers add up.
func TestLedgerOnRealFiles(t *testing.T) {
	for _, path := range realdata.Sources(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			f := openReal(t, path)
			for i, c := range f.Choices() {
				if i > 5 {
					break
				}
				s, err := f.Session(context.Background(), c.Ref, nil)
				if err != nil {
					t.Fatal(err)
				}
				p := s.Policy()
				p.Tail = model.Amount{N: 5, Unit: model.Messages}
				pl := s.Plan(p, compaction.Options{Manual: true})
				checkLedger(t, s, pl, s.Ledger(pl, FullHistory), false)
				checkLedger(t, s, pl, s.Ledger(pl, ModelSees), true)
			}
		})
	}
}

func checkLedger(t *testing.T, s *Session, pl *compaction.Plan, g *Ledger, after bool) {
	t.Helper()
	seen, live := 0, 0
	for i := range g.Len() {
		r := g.Row(i)
		if r.Num > 0 {
			if r.Num <= seen {
				t.Fatalf("row %d is message %d after %d", i, r.Num, seen)
			}
			seen = r.Num
			if g.RowOf(r.Num-1) != i {
				t.Fatalf("message %d is in row %d, RowOf says %d", r.Num, i, g.RowOf(r.Num-1))
			}
		}
		if r.Live {
			live++
		}
	}
	switch want := pl.After.Messages; {
	case after && live != want:
		t.Errorf("%d rows live, the plan leaves %d", live, want)
	case after && live > 0 && g.Row(g.Len()-1).Total != pl.After.Tokens:
		t.Errorf("the last total is %d, the plan leaves %d", g.Row(g.Len()-1).Total, pl.After.Tokens)
	case !after && seen != len(s.Thread().History):
		t.Errorf("the full history ends at %d of %d", seen, len(s.Thread().History))
	}
}

// A compaction in the middle of a history whose file goes on to compact or
// rewind by itself: what the session shows at the end is what the export holds
// (ExportFile reads it back and compares).
func TestPositionBeforeALaterCompactionOfTheFile(t *testing.T) {
	ctx := context.Background()
	_, here := realdata.Look(t)
	for _, path := range realdata.Sources(t) {
		if !here && strings.Contains(path, "samples") {
			continue // which compact and rewind nothing
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			f := openReal(t, path)
			s, err := f.Session(ctx, Ref{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			th := s.Thread()
			if len(th.Resets) == 0 {
				t.Skip("the file compacts and rewinds nothing")
			}
			s.SetAt(th.Resets[len(th.Resets)-1].At * 3 / 4)
			p := s.Policy()
			p.Tail = model.Amount{N: 3, Unit: model.Messages}
			rec, err := s.Records.Compact(ctx, p, compaction.Options{Manual: true}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if rec.Outcome != model.Applied {
				t.Skip("it is not compacted: ", rec.Reason)
			}
			if _, err := s.Overlay().ExportFile(ctx, Output{Path: filepath.Join(t.TempDir(), "out")}); err != nil {
				t.Error(err)
			}
			n := len(th.History)
			s.SetAt(n)
			if got, most := s.Plan(p, compaction.Options{}).Before.Messages, len(th.Live(n))+1; got > most {
				t.Errorf("%d messages are live at the end, the file itself left %d", got, most-1)
			}
		})
	}
}

// An applied record keeps a draft of an earlier position off: the later one
// would be lost behind it.
func TestDraftBeforeAStandingRecordIsRefused(t *testing.T) {
	ctx := context.Background()
	s := smallSession(t)
	p := s.Policy()
	p.Tail = model.Amount{N: 4, Unit: model.Messages}
	if _, err := s.Records.Compact(ctx, p, compaction.Options{Manual: true}, nil); err != nil {
		t.Fatal(err)
	}
	s.SetAt(20)
	d, err := s.Draft(ctx, p, compaction.Options{Manual: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var problem *model.Problem
	if _, err := s.Records.Apply(ctx, d); !errors.As(err, &problem) || problem.Code != "later-record" || len(s.Stack()) != 1 {
		t.Errorf("applied before a later record: %v", err)
	}
}

// A record that left nothing leaves nothing: the originals don't come back by
// themselves.
func TestEmptyLiveListStaysEmpty(t *testing.T) {
	s := smallSession(t)
	o := s.With([]*model.Record{{UID: "x", At: len(s.Thread().History)}})
	if got := o.newLine(0).Plan(s.Policy(), compaction.Options{}).Before.Messages; got != 0 {
		t.Errorf("%d messages are live", got)
	}
}

// Drafts of the same state that are applied at once: one of them is, the other
// is refused; meanwhile the position may move.
func TestApplyingAtOnceKeepsTheStackWhole(t *testing.T) {
	ctx := context.Background()
	s := smallSession(t)
	p := s.Policy()
	p.Tail = model.Amount{N: 4, Unit: model.Messages}
	p.Batch = model.Amount{N: 8, Unit: model.Messages}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			d, err := s.Draft(ctx, p, compaction.Options{Manual: true}, nil)
			if err == nil && d.Plan.Outcome == compaction.WouldApply {
				_, err = s.Records.Apply(ctx, d)
			}
			var problem *model.Problem
			if err != nil && !(errors.As(err, &problem) && problem.Code == "stale-draft") {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	stack := s.Stack()
	for k, r := range stack {
		if want := s.Plan(p, compaction.Options{}).Before; k == len(stack)-1 && r.After != want {
			t.Errorf("the top left %+v, the session has %+v", r.After, want)
		}
		if k > 0 && (r.Base != stack[k-1].ID || r.Before != stack[k-1].After) {
			t.Errorf("record %d is not made on the one below it", k)
		}
	}
	if _, err := s.Records.Restore(ctx, stack[0].ID); err != nil || len(s.Stack()) != 0 {
		t.Error(err)
	}
}

// The record holds the policy as it was given, whatever the session's own
// parameters are.
func TestRecordTellsTheAdaptivePolicy(t *testing.T) {
	s := smallSession(t)
	p, _ := compaction.PresetByID("sliding-adaptive")
	rec, err := s.Records.Compact(context.Background(), p.Policy, compaction.Options{}, nil)
	if err != nil || !rec.Policy.Adaptive || rec.Cause != model.CauseAutomatic {
		t.Errorf("adaptive %v, cause %s, %v", rec.Policy.Adaptive, rec.Cause, err)
	}
}

// A layer of summaries keeps its budget in code points, joined by blank lines.
func TestSummaryLayerKeepsItsBudgetInCharacters(t *testing.T) {
	ctx := context.Background()
	s := smallSession(t)
	p := s.Policy()
	p.Tail = model.Amount{N: 1, Unit: model.Messages}
	p.Batch = model.Amount{N: 6, Unit: model.Messages}
	p.MinGain = model.Gain{Messages: 1}
	p.Former = model.LayerFormer
	p.Budget = model.Amount{N: 300, Unit: model.Chars}
	p.LayerBudget = model.Amount{N: 1000, Unit: model.Chars}
	most := 0
	for {
		rec, err := s.Records.Compact(ctx, p, compaction.Options{Manual: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if rec.Outcome != model.Applied {
			break
		}
		var layer []string
		for _, it := range rec.Live {
			if it.Msg < 0 {
				layer = append(layer, s.SummaryText(it.Record))
			}
		}
		most = max(most, len(layer))
		if n := utf8.RuneCountInString(strings.Join(layer, "\n\n")); n > p.LayerBudget.N {
			t.Errorf("%d summaries of %d characters", len(layer), n)
		}
	}
	if most < 2 {
		t.Errorf("at most %d summaries stood side by side", most)
	}
}
