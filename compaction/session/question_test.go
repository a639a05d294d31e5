package session

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// goodAnswer is a summary with nothing wrong about it.
const goodAnswer = "Conversation summary: six steps were run with curl.\n\n- step a is done\n- step b is done"

// mouth is a model that says what it is to say and remembers what it was asked.
type mouth struct {
	says  string
	err   error
	heard []string
}

func (m *mouth) ask(_ context.Context, q summarize.Question, _ int, said func(summarize.AskEvent)) (summarize.ModelAnswer, error) {
	m.heard = append(m.heard, q.Guard+q.Prompt)
	if m.err != nil {
		return summarize.ModelAnswer{}, m.err
	}
	said(summarize.AskEvent{Delta: m.says, Reset: true})
	return summarize.ModelAnswer{Text: m.says, Model: "mouth-1", Input: 900, Output: 40}, nil
}

// options set the mouth up as the model.
func (m *mouth) options() Options {
	return Options{Model: func() (*SummaryModel, error) {
		return &SummaryModel{Name: "mouth", Host: "localhost", Price: Price{Input: 2, Output: 8, Currency: "USD"}, Ask: m.ask}, nil
	}}
}

// drawer keeps answers in memory.
type drawer map[[32]byte][]byte

func (d drawer) Answer(_ context.Context, key [32]byte) ([]byte, bool, error) {
	b, ok := d[key]
	return b, ok, nil
}

func (d drawer) PutAnswer(_ context.Context, key [32]byte, answer []byte) error {
	d[key] = answer
	return nil
}

var byHand = compaction.Options{Manual: true}

func asksModel(s *Session, st model.Strategy) model.Policy {
	p := s.Policy()
	p.Strategy, p.Tail = st, model.Amount{N: 4, Unit: model.Messages}
	p.Budget = model.Amount{N: 400, Unit: model.Tokens}
	return p
}

// A model is asked without the secrets of the history, its words are the
// summary, and the record keeps who was asked, for what and with which flaws.
func TestAModelWritesTheSummary(t *testing.T) {
	m := &mouth{says: goodAnswer}
	s := planted(t, m.options())
	e, err := s.Enquire(t.Context(), asksModel(s, model.ModelText), byHand, Asking{Instruction: "Mail jane.doe@acme-corp.com nothing."}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.heard) > 0 {
		t.Fatal("the model was asked before the question was put")
	}
	most, known := e.Price()
	if want := (2*float64(e.Input) + 8*float64(e.Output)) / 1e6; !known || most != want || want == 0 {
		t.Errorf("it costs %v, known %v, not %v", most, known, want)
	}
	d, err := s.Ask(t.Context(), e, nil)
	if err != nil || len(d.Flaws) > 0 || d.Text.Text != goodAnswer || !slices.Equal(d.Text.KeyPoints, []string{"step a is done", "step b is done"}) {
		t.Fatalf("%+v, %v", d, err)
	}
	if sent := strings.Join(m.heard, ""); strings.Contains(sent, plantedKey) || strings.Contains(sent, "jane.doe@") || !strings.Contains(sent, "step a") {
		t.Errorf("this was sent:\n%s", sent)
	}
	rec, err := s.Records.Apply(t.Context(), d)
	if err != nil || rec.Summary != goodAnswer {
		t.Fatalf("%+v, %v", rec, err)
	}
	if a := rec.Asked; a.Host != "localhost" || a.Model != "mouth-1" || a.Calls != 1 || a.Input != 900 || a.Withheld < 2 || !strings.HasSuffix(a.Instruction, "nothing.") {
		t.Errorf("asked: %+v", a)
	}
}

// What was found is sent all the same when a person lets it through.
func TestAFindingIsLetThrough(t *testing.T) {
	m := &mouth{says: goodAnswer}
	s := planted(t, m.options())
	e, err := s.Enquire(t.Context(), asksModel(s, model.ModelText), byHand, Asking{Keep: map[string]bool{"jane.doe@acme-corp.com": true}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Ask(t.Context(), e, nil); err != nil {
		t.Fatal(err)
	}
	if sent := strings.Join(m.heard, ""); !strings.Contains(sent, "jane.doe@acme-corp.com") || strings.Contains(sent, plantedKey) {
		t.Errorf("this was sent:\n%s", sent)
	}
}

// The same question is not paid for twice, unless it is to be asked anew; an
// answer with flaws is asked for again.
func TestAnAnswerIsKept(t *testing.T) {
	m, kept := &mouth{says: "no heading, no facts"}, drawer{}
	opt := m.options()
	opt.Answers = kept
	s := planted(t, opt)
	ask := func(fresh bool) *Draft {
		t.Helper()
		e, err := s.Enquire(t.Context(), asksModel(s, model.ModelText), byHand, Asking{Fresh: fresh}, nil)
		if err != nil {
			t.Fatal(err)
		}
		d, err := s.Ask(t.Context(), e, nil)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	if d := ask(false); len(d.Flaws) == 0 || len(kept) != 0 {
		t.Fatalf("flaws %v, %d answers kept", d.Flaws, len(kept))
	}
	m.says = goodAnswer
	for i, c := range []struct {
		fresh         bool
		asked, cached int
	}{{false, 2, 0}, {false, 2, 1}, {true, 3, 0}} {
		if d := ask(c.fresh); len(m.heard) != c.asked || d.Asked.Cached != c.cached || d.Text.Text != goodAnswer {
			t.Errorf("%d: asked %d times, %d from the answers kept: %q", i, len(m.heard), d.Asked.Cached, d.Text.Text)
		}
	}
}

// A flawed answer is applied only once somebody accepted it; nobody reads what
// Compact makes, so there it is a failure, and the policy says what to do instead.
func TestAFlawedAnswerWaitsForAWord(t *testing.T) {
	m := &mouth{says: "The steps were run."}
	s := planted(t, m.options())
	p := asksModel(s, model.ModelText)
	e, err := s.Enquire(t.Context(), p, byHand, Asking{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.Ask(t.Context(), e, nil)
	if err != nil || len(d.Flaws) == 0 {
		t.Fatalf("%+v, %v", d, err)
	}
	var problem *model.Problem
	if _, err := s.Records.Apply(t.Context(), d); !errors.As(err, &problem) || problem.Code != "flawed" || len(s.Stack()) != 0 {
		t.Fatalf("applied without a word: %v", err)
	}

	var flawed *FlawedError
	if rec, err := s.Records.Compact(t.Context(), p, byHand, nil); !errors.As(err, &flawed) || rec.Outcome != model.Failed || rec.Model != "mouth" {
		t.Fatalf("%+v, %v", rec, err)
	} else if !strings.Contains(rec.Reason, flawed.Flaws[0].Code.Words()) {
		t.Errorf("the reason is %q", rec.Reason)
	}
	q := p
	q.OnFailure = model.ExtractInstead
	instead, err := s.Draft(t.Context(), q, byHand, nil)
	if err != nil || !strings.HasPrefix(instead.Instead, "extracted, because the summary failed: ") || !slices.Equal(instead.Asked.Flaws, []string{string(flawed.Flaws[0].Code)}) {
		t.Fatalf("%+v, %v", instead, err)
	}

	s.file.opt.AcceptFlaws = true
	if auto, err := s.Draft(t.Context(), p, byHand, nil); err != nil || !auto.Accepted {
		t.Errorf("flaws are to be accepted: %+v, %v", auto, err)
	}
	rec, err := s.Records.Apply(t.Context(), s.Accept(d))
	if err != nil || !rec.Asked.Accepted || len(rec.Asked.Flaws) != len(d.Flaws) {
		t.Fatalf("%+v, %v", rec, err)
	}
}

// After a model's words comes a note of how things are at the end, where the strategy has one.
func TestAModelWritesBeforeTheLedger(t *testing.T) {
	m := &mouth{says: goodAnswer}
	s := planted(t, m.options())
	d, err := s.Draft(t.Context(), asksModel(s, model.ModelNote), byHand, nil)
	if err != nil {
		t.Fatal(err)
	}
	rest, ok := strings.CutPrefix(d.Text.Text, goodAnswer)
	if !ok || !strings.Contains(rest, "step f") || len(m.heard) != 1 {
		t.Errorf("after %d questions:\n%s", len(m.heard), d.Text.Text)
	}
}

// Without a model, or with one that can't be reached, the history stays as it is
// and the error says what to do.
func TestNoModelToAsk(t *testing.T) {
	s := planted(t, Options{})
	var problem *model.Problem
	if _, err := s.Draft(t.Context(), asksModel(s, model.ModelText), byHand, nil); !errors.As(err, &problem) || problem.Code != "no-model" {
		t.Errorf("%v", err)
	}
	gone := errors.New("nobody answers")
	m := &mouth{err: gone}
	s = planted(t, m.options())
	rec, err := s.Records.Compact(t.Context(), asksModel(s, model.ModelText), byHand, nil)
	if !errors.Is(err, gone) || rec.Outcome != model.Failed || len(s.Stack()) != 0 {
		t.Errorf("%+v, %v", rec, err)
	}
}
