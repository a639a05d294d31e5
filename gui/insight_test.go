package gui

import (
	"fmt"
	"strings"
	"testing"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/gui/words"
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
	// A second click before the answer is there does what the first did.
	p.result.rows[i].use.Tapped(nil)
	once := s.d.Params()
	if p.result.rows[i].use.Tapped(nil); s.d.Params().Tail != once.Tail {
		t.Errorf("a second click sets %+v, the first %+v", s.d.Params().Tail, once.Tail)
	}
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
	// It opens at the last firing, at that before the selected message, or at the
	// call that was asked for.
	last := tl.Firings[len(tl.Firings)-1]
	if got := w.calls[w.list.Selected()]; got != last.Call {
		t.Errorf("opens at call %d, the last firing is %d", got, last.Call)
	}
	s.d.SelectMessage(tl.Firings[0].At + 1)
	if w.show(-1, nil); w.calls[w.list.Selected()] != tl.Firings[0].Call {
		t.Errorf("opens at call %d, not at the firing before the selected message", w.list.Selected())
	}
	if w.show(int(tl.Calls[7].At), nil); w.list.Selected() != 7 {
		t.Errorf("opens at call %d, not at the one asked for", w.list.Selected())
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
	rows := surviveLines(s.d.Survival())
	if len(p.survive.rows) != len(rows)-1 || !p.survive.all.obj.Visible() {
		t.Fatalf("%d of %d lines are shown", len(p.survive.rows), len(rows))
	}
	var sum facts.Tally
	for _, r := range rows[:len(rows)-1] {
		sum.Gone, sum.Standing = sum.Gone+r.Gone, sum.Standing+r.Standing
		if r.Gone > r.Standing != (r.examples != "") {
			t.Errorf("%+v", r)
		}
	}
	if all := rows[len(rows)-1]; all.kind != facts.Kinds || all.Tally != sum || sum.Gone == 0 {
		t.Fatalf("%+v, all %+v", sum, all)
	}
	s.d.EditDraft("nothing of it is told")
	s.settle()
	if all := s.d.Survival().All(); all.Gone != sum.Gone || all.Standing >= sum.Standing || p.survive.all.after.Text() != words.Int(int64(all.Standing)) {
		t.Errorf("after the edit %+v, before %+v, shown %s", all, sum, p.survive.all.after.Text())
	}
}

// What the pointer is told of is the message that a click there selects.
func TestChartPointerAndClickAgree(t *testing.T) {
	s := newStage(t)
	p := newChartPane(s.d, s.win, s.c)
	for x := 0.0; x <= p.plot.Data().XMax; x += .25 {
		at := p.plot.Snap(x)
		lines := p.hover(at)
		p.plot.OnSelect(at)
		num := s.d.Row(s.d.Selected()).Num
		if want := words.T("chart.call", "n", num); len(lines) == 0 || lines[0] != want {
			t.Fatalf("at %v it tells %q, the click selects message %d", x, lines, num)
		}
	}
}

// A history that ran far beyond the window leaves room for the levels and for what
// the parameters make of it.
func TestChartOfAHistoryFarBeyondTheWindow(t *testing.T) {
	s := newStage(t)
	s.d.Set(func(q *model.Policy) { q.Window = 40_000 })
	s.settle()
	p := newChartPane(s.d, s.win, s.c)
	d := p.plot.Data()
	if peak := peakOf(p.recorded); d.YMax <= 40_000 || d.YMax > .6*peak || len(d.Levels) == 0 || !strings.Contains(p.above.Text(), "beyond the axis") {
		t.Errorf("the axis ends at %.0f, %d levels, told %q", d.YMax, len(d.Levels), p.above.Text())
	}
}

// A window far above the curve is told and not drawn, a trigger near the curve is;
// a hand that drags it upwards keeps the axis.
func TestChartOfASmallHistoryInALargeWindow(t *testing.T) {
	s := newStage(t)
	for _, e := range s.d.Entries() {
		if e.Sample == "sample-tool-heavy-build" { // peaks at 34K
			s.d.Select(e)
		}
	}
	s.settle()
	s.d.Set(func(q *model.Policy) { q.Window = 1_000_000; setClause(q, 0, model.Amount{N: 3, Unit: percent}) })
	s.settle()
	p := newChartPane(s.d, s.win, s.c)
	d := p.plot.Data()
	if len(d.Levels) != 1 || d.Levels[0].ID != "trigger" || d.YMax > 60_000 || !strings.Contains(p.above.Text(), "above: window 1M") {
		t.Errorf("the axis ends at %.0f, levels %+v, told %q", d.YMax, d.Levels, p.above.Text())
	}
	p.dragTrigger(900_000, false)
	s.settle()
	if n := len(p.plot.Data().Levels); n != 2 {
		t.Errorf("%d levels while the trigger is dragged", n)
	}
	p.dragTrigger(900_000, true)
	s.settle()
	if d := p.plot.Data(); len(d.Levels) != 1 || !d.Levels[0].Drag || d.Levels[0].Value <= d.YMax || !strings.Contains(d.Levels[0].Label, "900") {
		t.Errorf("levels %+v on an axis to %.0f once it is let go far above the curve", d.Levels, d.YMax)
	}
}

// From an earlier message the table tells what was needed later, adds up, and
// leads from a miss to its use; at the end it says that nothing follows.
func TestPreviewTellsWhatWasNeededLater(t *testing.T) {
	s := newStage(t)
	p := newPreviewSheet(s.d, s.win, s.c)
	p.show()
	s.settle()
	history := len(s.d.Session().Thread().History)
	v := p.survive
	if v.all.later[0].Visible() || v.head.later[0].Visible() || v.foot.misses.Visible() || !strings.Contains(v.note.Text(), "nothing follows message "+words.Int(int64(history))) {
		t.Errorf("at the end: note %q", v.note.Text())
	}
	s.d.Set(func(q *model.Policy) { q.Strategy = model.Drop })
	s.d.SetAt(history / 2)
	s.settle()
	n := s.d.Survival().Needed
	if n == nil || len(n.Misses) == 0 {
		t.Fatalf("from message %d: %+v", history/2, n)
	}
	var sum facts.Recall
	for i, l := range v.rows {
		sum.Needs, sum.Met = sum.Needs+l.needed.Needs, sum.Met+l.needed.Met
		row := newSurviveRow(v)
		row.Fill(i, false)
		if missed := l.needed.Needs - l.needed.Met; row.missed.Text() != words.Int(int64(missed)) || missed > 0 != (row.examples.Text() != "") || missed > l.Gone-l.Standing {
			t.Errorf("%s: missed %q, examples %q of %+v", l.name(), row.missed.Text(), row.examples.Text(), l)
		}
	}
	if sum != n.Recall || v.all.needed.Text() != words.Int(int64(sum.Needs)) || !v.all.later[0].Visible() || !v.head.later[0].Visible() {
		t.Errorf("kinds %+v, all %+v, shown %s", sum, n.Recall, v.all.needed.Text())
	}
	if !strings.Contains(v.foot.said.Text(), "needed later") || !v.foot.misses.Visible() || !strings.Contains(v.foot.misses.Text(), words.Int(int64(len(n.Misses)))) {
		t.Errorf("below: %q, %q", v.foot.said.Text(), v.foot.misses.Text())
	}
	s.d.SetView(session.ModelSees)
	use := n.Misses[0].Use
	if s.d.RowOfMessage(use) >= 0 {
		t.Fatalf("what the model sees at %d holds message %d", history/2, use+1)
	}
	lookAt(s.d, use)
	if r := s.d.Row(s.d.Selected()); r.Num != use+1 {
		t.Errorf("the first miss, used in %d, leads to %d", use+1, r.Num)
	}
}
