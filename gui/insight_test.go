package gui

import (
	"fmt"
	"strings"
	"testing"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/replay"
	"palimpsest/model"
)

// The result tells what replay and facts found, and follows the parameters.
func TestResultTellsReplayAndFacts(t *testing.T) {
	s := newStage(t)
	p := params(s)
	text := func(key string) string { return p.result.facts[key].Text() }
	tl := s.d.Timeline()
	if len(tl.Firings) != 2 || text("fires") != firesWords(s.d, tl) || !strings.HasPrefix(text("fires"), "2 times, at ") {
		t.Errorf("fires %q", text("fires"))
	}
	if !strings.HasSuffix(text("survives"), " facts") || strings.Contains(text("survives"), "≥") || !p.result.links["survives"].Visible() {
		t.Errorf("survives %q", text("survives"))
	}
	n, _ := s.d.Needed()
	if n.Needs.Needs < 20 || !strings.Contains(text("needed"), "missed") {
		t.Errorf("needed %q of %d", text("needed"), n.Needs.Needs)
	}
	s.d.Adjust(func(q *model.Policy) { setClause(q, 0, model.Amount{N: 30, Unit: percent}) })
	s.settle()
	if !strings.HasPrefix(text("fires"), fmt.Sprintf("%d times", len(s.d.Timeline().Firings))) || len(s.d.Timeline().Firings) < 4 {
		t.Errorf("after a move: %q", text("fires"))
	}
}

// A warning offers a remedy; taking it does away with the warning, and undo
// brings it back.
func TestWarningsHaveARemedy(t *testing.T) {
	s := newStage(t)
	p := params(s)
	s.d.Set(func(q *model.Policy) { q.Tail = model.Amount{N: 170000, Unit: model.Tokens} })
	s.settle()
	has := func(code string) int {
		for i, w := range p.result.warnings {
			if w.Code == code {
				return i
			}
		}
		return -1
	}
	i := has("tail-above-trigger")
	if i < 0 || !p.result.rows[i].foot.Visible() || !strings.HasPrefix(p.result.rows[i].use.Text(), "Use window ") {
		t.Fatalf("%v", p.result.warnings)
	}
	p.result.rows[i].use.Tapped(nil)
	s.settle()
	if has("tail-above-trigger") >= 0 || s.d.Params().Tail.N >= 160000 {
		t.Errorf("still %v at %+v", p.result.warnings, s.d.Params().Tail)
	}
	s.d.Undo()
	s.settle()
	if has("tail-above-trigger") < 0 {
		t.Error("the remedy cannot be undone")
	}
}

// The log has a line for each call, its filter leaves the firings, and a line
// leads to its message.
func TestWhyTellsEachCall(t *testing.T) {
	s := newStage(t)
	w := newWhySheet(s.d, s.c)
	w.show(-1, nil)
	tl := s.d.Timeline()
	if len(w.calls) != len(tl.Calls) {
		t.Fatalf("%d of %d calls", len(w.calls), len(tl.Calls))
	}
	w.filter.Select(whyFired)
	w.fill()
	if len(w.calls) != len(tl.Firings) {
		t.Fatalf("%d firings, %d are shown", len(tl.Firings), len(w.calls))
	}
	row := newWhyRow(w)
	row.Fill(0, false)
	if !strings.HasPrefix(row.result.Text(), "fires: ") || !strings.Contains(row.result.Text(), "takes ") {
		t.Errorf("%q", row.result.Text())
	}
	w.list.Select(0)
	w.list.OnSelect(0)
	if r := s.d.Row(s.d.Selected()); r.Num != tl.Firings[0].At+1 {
		t.Errorf("message %d is selected, it fired at %d", r.Num, tl.Firings[0].At)
	}
	for _, c := range w.calls {
		if tl.Calls[c].State != replay.Fired {
			t.Error("the filter lets others through")
		}
	}
}

// The table of the preview adds up and follows an edit of the draft.
func TestPreviewTellsWhatSurvives(t *testing.T) {
	s := newStage(t)
	p := newPreviewSheet(s.d, s.win, s.c)
	p.show()
	s.settle()
	rows := p.survive.rows
	var sum facts.Tally
	for _, r := range rows[:len(rows)-1] {
		sum.Gone, sum.Standing = sum.Gone+r.Gone, sum.Standing+r.Standing
		if r.Gone > r.Standing != (r.lost != "") {
			t.Errorf("%+v", r)
		}
	}
	if all := rows[len(rows)-1]; all.kind != facts.Kinds || all.Tally != sum || sum.Gone == 0 {
		t.Fatalf("%+v, all %+v", sum, all)
	}
	s.d.EditDraft("nothing of it is told")
	s.settle()
	if all := p.survive.rows[len(p.survive.rows)-1]; all.Gone != sum.Gone || all.Standing >= sum.Standing {
		t.Errorf("after the edit %+v, before %+v", all.Tally, sum)
	}
}
