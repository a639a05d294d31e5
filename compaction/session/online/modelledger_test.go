package online_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/session"
	"palimpsest/compaction/summarize"
	"palimpsest/model"
	"palimpsest/model/store"
)

// The model's words come first, the facts they leave out behind them, the whole
// within the budget; what was shown is what is stored, also after the program
// was closed.
func TestModelAndLedger(t *testing.T) {
	b := newBench(t, 40)
	b.server.Text = func(string, string) string { return good + " The first of them is src/f0.go." }
	s := b.open()
	p := policy(s)
	p.Strategy = model.ModelNote
	for _, budget := range []model.Amount{{N: 400, Unit: model.Tokens}, {N: 1500, Unit: model.Chars}, {N: 60, Unit: model.Tokens}, {}} {
		p.Budget = budget
		d := ask(t, s, p, session.Asking{Fresh: true})
		text := d.Text.Text
		at := facts.LedgerStart(text)
		if !strings.HasPrefix(text, good) && budget.N != 60 || budget.N != 60 && at < 0 {
			t.Fatalf("budget %v:\n%s", budget, text)
		}
		if size := s.CountText(text); budget.Unit != model.Chars && size > max(budget.N, 60) && size > summarize.DefaultCeiling {
			t.Errorf("%d tokens, the budget is %d", size, budget.N)
		}
		if n := utf8.RuneCountInString(text); budget.Unit == model.Chars && n > budget.N {
			t.Errorf("%d characters, the budget is %d", n, budget.N)
		}
		if at >= 0 && (lists(text[at:], "src/f0.go") || budget.N != 60 && !strings.Contains(text, "f38.go")) {
			t.Errorf("budget %v, ledger:\n%s", budget, text[at:])
		}
	}
	p.Budget = model.Amount{N: 400, Unit: model.Tokens}
	d := ask(t, s, p, session.Asking{})
	shown := d.Text.Text
	if _, err := s.Records.Apply(context.Background(), d); err != nil {
		t.Fatal(err)
	}
	b.store.Close()
	var err error
	if b.store, err = store.Open(filepath.Join(filepath.Dir(b.path), "p.db")); err != nil {
		t.Fatal(err)
	}
	b.opt.Store, b.opt.Answers = b.store, b.store
	stack := b.open().Stack()
	if len(stack) != 1 || stack[0].Summary != shown || stack[0].Strategy != model.ModelNote || stack[0].Asked == nil {
		t.Errorf("shown %q, stored %+v", shown, stack)
	}
}

// lists reports whether a ledger lists a path, alone or in a group.
func lists(ledger, path string) bool {
	found := strings.Contains(ledger, path)
	facts.Grouped(ledger, func(p string, _, _ int) { found = found || p == path })
	return found
}

// A second summary weighs the facts again: the model is not sent the former
// ledger, and there is one in the end.
func TestASecondModelAndLedger(t *testing.T) {
	b := newBench(t, 40)
	s := b.open()
	p := policy(s)
	p.Strategy, p.Batch = model.ModelNote, model.Amount{N: 60, Unit: model.Messages}
	var texts []string
	for range 2 {
		d := ask(t, s, p, session.Asking{})
		rec, err := s.Records.Apply(context.Background(), d)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, rec.Summary)
	}
	title := texts[0][facts.LedgerStart(texts[0]):]
	title, _, _ = strings.Cut(title, "\n")
	if n := strings.Count(texts[1], title); n != 1 {
		t.Errorf("%d ledgers:\n%s", n, texts[1])
	}
	for _, r := range b.server.Requests() {
		if strings.Contains(r.User, title) {
			t.Errorf("the model was told a ledger:\n%s", r.User)
		}
	}
	reqs := b.server.Requests()
	if !strings.Contains(reqs[len(reqs)-1].User, strings.TrimPrefix(good, "Conversation summary: ")) {
		t.Error("the second question does not hold the first summary's words")
	}
}

// A demand that the model left out and the ledger holds is not missing.
func TestALedgerHoldsWhatTheModelLost(t *testing.T) {
	b := newBench(t, 20)
	const demand = "You must never touch src/generated/api.go."
	b.input = []byte(strings.Replace(string(b.input), "Look at file 1 and", demand+" Look at file 1 and", 1))
	b.write()
	s := b.open()
	p := policy(s)
	if d := ask(t, s, p, session.Asking{}); len(d.Flaws) != 1 || d.Flaws[0].Code != summarize.FlawConstraints {
		t.Fatalf("without a ledger: %+v", d.Flaws)
	}
	p.Strategy, p.Budget = model.ModelNote, model.Amount{N: 2000, Unit: model.Tokens}
	if d := ask(t, s, p, session.Asking{}); len(d.Flaws) != 0 {
		t.Errorf("%+v\n%s", d.Flaws, d.Text.Text)
	}
}

func ask(t *testing.T, s *session.Session, p model.Policy, a session.Asking) *session.Draft {
	t.Helper()
	e, err := s.Enquire(context.Background(), p, manual, a, nil)
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.Ask(context.Background(), e, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
