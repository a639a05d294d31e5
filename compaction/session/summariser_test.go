package session

import (
	"context"
	"strings"
	"testing"

	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// A replay with real texts asks no model: extract's words replace one's, with a
// ledger behind them where the strategy has one, and within its budget.
func TestAReplayAsksNoModel(t *testing.T) {
	s := reporting(t)
	s.file.opt.Model = func() (*SummaryModel, error) {
		t.Error("a model was asked for")
		return nil, nil
	}
	p := s.Policy()
	p.Window, p.Reserve, p.Triggers = 16000, 0, []model.Clause{{Share: 0.8}}
	p.Tail, p.Budget = model.Amount{N: 4, Unit: model.Messages}, model.Amount{N: 400, Unit: model.Tokens}
	texts := map[model.Strategy]string{}
	for _, st := range []model.Strategy{model.Extract, model.ModelText, model.ModelNote} {
		p.Strategy = st
		tl, err := s.Insight.Replay(context.Background(), p, true)
		if err != nil {
			t.Fatal(err)
		}
		if len(tl.Firings) == 0 {
			t.Fatalf("%s never fires", st)
		}
		for _, f := range tl.Firings {
			if f.Text == "" || s.CountText(f.Text) > p.Budget.N {
				t.Errorf("%s: %d tokens of text", st, s.CountText(f.Text))
			}
		}
		texts[st] = tl.Firings[0].Text
	}
	if texts[model.ModelText] != texts[model.Extract] {
		t.Error("what stands for a model's words is not what extract writes")
	}
	words, _, _ := strings.Cut(texts[model.ModelNote], "\n\n")
	if !summarize.IsSummary(texts[model.ModelNote]) || texts[model.ModelNote] == texts[model.Extract] || words == "" {
		t.Errorf("with a ledger:\n%s", texts[model.ModelNote])
	}
}
