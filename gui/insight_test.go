package gui

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/replay"
	"palimpsest/gui/chart"
	"palimpsest/gui/commands"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/study"
	"palimpsest/gui/words"
	"palimpsest/gui/workbench"
	"palimpsest/model"
)

// The result tells what replay and facts found, and follows the parameters.
func TestResultTellsReplayAndFacts(t *testing.T) {
	s := newStage(t)
	s.Desk.Planning.Set(at80)
	p := params(s)
	r, tl := p.Result, s.Desk.Timeline()
	if len(tl.Firings) != 2 || !strings.HasPrefix(r.Run.Text(), "2 compactions, before #") {
		t.Errorf("%d firings: %q", len(tl.Firings), r.Run.Text())
	}
	orders := s.Desk.Survival().Kinds[facts.Instruction]
	if want := fmt.Sprintf("%d of %d", orders.Survived, orders.Gone); orders.Gone < 5 || r.Orders.Text() != want {
		t.Errorf("orders %q, want %q", r.Orders.Text(), want)
	}
	n, _ := s.Desk.Needed()
	want := fmt.Sprintf("Strings used again · %d of %d", n.Met, n.Needs.Needs)
	if n.Needs.Needs < 20 || r.Strings.Text() != want || !strings.HasSuffix(r.Share.Text(), " %") || !tl.Texts {
		t.Errorf("strings %q %q, real summaries %v; want %s", r.Strings.Text(), r.Share.Text(), tl.Texts, want)
	}
	pl := s.Desk.Planning.Plan()
	saved := words.PercentChange(float64(pl.After.Tokens)/float64(pl.Before.Tokens) - 1)
	if !strings.HasPrefix(r.Before.Text(), "~") || strings.Contains(r.After.Text(), "~") || r.Change.Text() != saved {
		t.Errorf("%s %s is %s, not %s of the whole", r.Before.Text(), r.After.Text(), r.Change.Text(), saved)
	}
	s.Desk.Planning.Adjust(func(q *model.Policy) { show.SetClause(q, 0, model.Amount{N: 30, Unit: model.Percent}) })
	s.settle()
	if n := len(s.Desk.Timeline().Firings); n < 4 || !strings.HasPrefix(r.Run.Text(), fmt.Sprint(n, " compactions")) {
		t.Errorf("after a move: %q", r.Run.Text())
	}
}

// A result that does not fit the threshold is no success: it says so, and names both.
func TestAResultThatDoesNotFitSaysSo(t *testing.T) {
	s := newStage(t)
	r := params(s).Result
	if r.Why.Visible() {
		t.Fatalf("%q", r.Why.Text())
	}
	s.Desk.Planning.Set(func(q *model.Policy) { show.SetClause(q, 0, model.Amount{N: 20000, Unit: model.Tokens}) })
	s.settle()
	if !r.Why.Visible() || !strings.HasSuffix(r.Why.Text(), "does not fit 20K") {
		t.Errorf("%q, from %s %s", r.Why.Text(), r.Before.Text(), r.After.Text())
	}
}

// A warning offers a remedy; taking it does away with the warning, and undo
// brings it back.
func TestWarningsHaveARemedy(t *testing.T) {
	s := newStage(t)
	p := params(s)
	s.Desk.Planning.Set(func(q *model.Policy) { q.Tail = model.Amount{N: 170000, Unit: model.Tokens} })
	s.settle()
	has := func(code string) int {
		for i, w := range p.Result.Warnings {
			if w.Code == code {
				return i
			}
		}
		return -1
	}
	i := has("tail-above-trigger")
	if i < 0 || !p.Result.Rows[i].Foot.Visible() || !strings.HasPrefix(p.Result.Rows[i].Use.Text(), "Use window ") {
		t.Fatalf("%v", p.Result.Warnings)
	}
	// A second click before the answer is there does what the first did.
	p.Result.Rows[i].Use.Tapped(nil)
	once := s.Desk.Planning.Params()
	if p.Result.Rows[i].Use.Tapped(nil); s.Desk.Planning.Params().Tail != once.Tail {
		t.Errorf("a second click sets %+v, the first %+v", s.Desk.Planning.Params().Tail, once.Tail)
	}
	s.settle()
	if has("tail-above-trigger") >= 0 || s.Desk.Planning.Params().Tail.N >= 160000 {
		t.Errorf("still %v at %+v", p.Result.Warnings, s.Desk.Planning.Params().Tail)
	}
	s.Desk.Undo()
	s.settle()
	if has("tail-above-trigger") < 0 {
		t.Error("the remedy cannot be undone")
	}
}

// The log has a line for each call, its filter leaves the firings, and a line
// leads to its message.
func TestWhyTellsEachCall(t *testing.T) {
	s := newStage(t)
	w := study.NewWhySheet(s.Desk, s.Commands)
	w.Show(-1)
	tl := s.Desk.Timeline()
	if n := len(w.Calls); n < 4*len(tl.Firings) || n > 7*(len(tl.Firings)+len(tl.Refusals)+len(s.Desk.Session().Found())) {
		t.Fatalf("%d of %d calls around %d firings", n, len(tl.Calls), len(tl.Firings))
	}
	w.Filter.Select(study.WhyAll)
	if w.Fill(); len(w.Calls) != len(tl.Calls) {
		t.Fatalf("%d of %d calls", len(w.Calls), len(tl.Calls))
	}
	w.Filter.Select(study.WhyNear)
	w.Show(-1)
	// It opens at the last firing, at that before the selected message, or at the
	// call that was asked for.
	last := tl.Firings[len(tl.Firings)-1]
	if got := w.Calls[w.List.Selected()]; got != last.Call {
		t.Errorf("opens at call %d, the last firing is %d", got, last.Call)
	}
	s.Desk.SelectMessage(tl.Firings[0].At + 1)
	if w.Show(-1); w.Calls[w.List.Selected()] != tl.Firings[0].Call {
		t.Errorf("opens at call %d, not at the firing before the selected message", w.List.Selected())
	}
	if w.Show(int(tl.Calls[7].At)); w.List.Selected() != 7 {
		t.Errorf("opens at call %d, not at the one asked for", w.List.Selected())
	}
	w.Filter.Select(study.WhyFired)
	w.Fill()
	if len(w.Calls) != len(tl.Firings) {
		t.Fatalf("%d firings, %d are shown", len(tl.Firings), len(w.Calls))
	}
	result := func(i int) string {
		text, _ := study.WhyResult(s.Desk, tl.Policy.Fixed, tl.Why(w.Calls[i]))
		return text
	}
	if got := result(0); !strings.HasPrefix(got, "fires: ") || !strings.Contains(got, "takes ") {
		t.Errorf("%q", got)
	}
	formers := 0
	for i, f := range tl.Firings {
		formers += f.Formers
		if got := result(i); !strings.Contains(got, show.Went(f.Removed.Messages-f.Formers, f.Formers)) || (f.Formers > 0) != strings.Contains(got, "former") {
			t.Errorf("firing %d takes %d with %d former summaries: %q", i, f.Removed.Messages, f.Formers, got)
		}
	}
	if formers == 0 {
		t.Errorf("no firing takes a former summary")
	}
	w.List.Select(0)
	w.List.OnSelect(0)
	if r := s.Desk.Row(s.Desk.Selected()); r.Num != tl.Firings[0].At+1 {
		t.Errorf("message %d is selected, it fired at %d", r.Num, tl.Firings[0].At)
	}
	for _, c := range w.Calls {
		if tl.Calls[c].State != replay.Fired {
			t.Error("the filter lets others through")
		}
	}
	w.Filter.Select(study.WhyAll)
	w.Fill()
	for i, c := range w.Calls {
		if got := result(i); tl.Calls[c].State == replay.Waits && (!strings.HasPrefix(got, "no: ") || strings.Contains(got, " of ")) {
			t.Fatalf("call %d: %q says usage and trigger again", c, got)
		}
	}
}

// What the pointer is told of is the message that a click there selects.
func TestChartPointerAndClickAgree(t *testing.T) {
	s := newStage(t)
	p := workbench.NewChartPane(s.Desk, s.Win, s.Commands)
	for x := 0.0; x <= p.Plot.Data().XMax; x += .25 {
		at := p.Plot.Snap(x)
		p.Read(at, true)
		told := p.ReadAt()
		p.Plot.OnSelect(at)
		if num := s.Desk.Row(s.Desk.Selected()).Num; told != num {
			t.Fatalf("at %v the head shows message %d, the click selects message %d", x, told, num)
		}
	}
}

// The head of the chart has the figures of the call, with room for them at 1600 × 1000: each
// beside the line of its curve, so that no legend takes their place.
func TestTheChartsHeadHasTheFiguresOfACall(t *testing.T) {
	s := newStage(t)
	p := workbench.NewChartPane(s.Desk, s.Win, s.Commands)
	p.Object().Resize(fyne.NewSize(kit.Px(860), kit.Px(180)))
	s.settle()
	p.Read(p.Plot.Snap(200), true)
	seen := ""
	walk(p.Object(), nil, func(o fyne.CanvasObject, in []fyne.CanvasObject) {
		x := float32(0)
		for _, o := range append(in, o) {
			x += o.Position().X
		}
		if f, ok := o.(*kit.Figure); ok && x >= 0 {
			seen += f.Text() + "\n"
		}
	})
	for _, key := range []string{"chart.hoverRecorded", "chart.hoverLived"} {
		name, _, _ := strings.Cut(words.T(key, "tokens", "|"), "|")
		if !strings.Contains(seen, name) {
			t.Errorf("%q is not in the head:\n%s", name, seen)
		}
	}
}

// A compaction in force bends the curve where it stands, the head says the new size, and what
// was recorded without it goes on faint; undone, all is as it was.
func TestTheChartFallsWhereACompactionIsInForce(t *testing.T) {
	s := newStage(t)
	p := workbench.NewChartPane(s.Desk, s.Win, s.Commands)
	curves := func(ink fyne.ThemeColorName) (list [][]chart.Point) {
		s.settle()
		for _, c := range p.Plot.Data().Series {
			if c.Color == ink {
				list = append(list, c.Points)
			}
		}
		return list
	}
	n, whole := len(s.Desk.Session().Thread().History), curves(kit.ColorText)
	s.Desk.Planning.SetAt(n - 60) // after the last compaction of the file
	s.settle()
	s.Commands.Run(commands.Compact)
	s.settle()
	rec := s.Desk.Session().Stack()[0]
	s.Desk.Planning.SetAt(n)
	bent := curves(kit.ColorAdded)
	if len(whole) != 1 || len(bent) != 1 || len(curves(kit.ColorFaint)) != 1 || len(bent[0]) < 20 {
		t.Fatalf("%d curves bend, %d go on faint", len(bent), len(curves(kit.ColorFaint)))
	}
	if solid := curves(kit.ColorText)[0]; solid[len(solid)-1].X > float64(rec.At) {
		t.Errorf("what was recorded without the record is drawn as the context to #%v", solid[len(solid)-1].X)
	}
	if a, b := bent[0][0], bent[0][1]; a.X != float64(rec.At) || b.X != a.X || a.Y != float64(rec.Before.Tokens) || b.Y != float64(rec.After.Tokens) {
		t.Errorf("it falls from %v to %v, the record from %d to %d", a, b, rec.Before.Tokens, rec.After.Tokens)
	}
	now, last := float64(s.Desk.Planning.Plan().Before.Tokens), bent[0][len(bent[0])-1]
	if head := shown(p.Object()); math.Abs(last.Y-now) > now/20 || !strings.Contains(head, "~"+words.TokensShort(int64(last.Y))+"\n") {
		t.Errorf("at the end %v, the panel %v, the head says\n%s", last, now, head)
	}
	s.press("Ctrl+Z")
	s.press("Ctrl+Z")
	s.press("Ctrl+Z")
	if len(curves(kit.ColorAdded)) != 0 || len(curves(kit.ColorText)[0]) != len(whole[0]) {
		t.Error("it bends although the compaction was undone")
	}
}

// A click on the chart selects; the plan is then moved there by its command, and is
// as it was by the link above the result.
func TestThePlanMovesToTheSelectedMessage(t *testing.T) {
	s := newStage(t)
	p := workbench.NewChartPane(s.Desk, s.Win, s.Commands)
	end := s.Desk.Session().At()
	p.Plot.OnSelect(p.Plot.Snap(200))
	s.settle()
	n := s.Desk.Row(s.Desk.Selected()).Num
	if n <= 0 || n == end || s.Desk.Session().At() != end {
		t.Fatalf("message %d of %d", n, end)
	}
	s.Commands.Run("planHere")
	s.settle()
	if at := s.Desk.Session().At(); at != n {
		t.Errorf("planned at %d, not %d", at, n)
	}
	s.tap(words.T("result.at", "n", n))
	s.settle()
	if at := s.Desk.Session().At(); at != end {
		t.Errorf("planned at %d, not %d", at, end)
	}
}

// A history that ran far beyond the window leaves room for the levels and for what
// the parameters make of it.
func TestChartOfAHistoryFarBeyondTheWindow(t *testing.T) {
	s := newStage(t)
	s.Desk.Planning.Set(func(q *model.Policy) { q.Window = 40_000 })
	s.settle()
	p := workbench.NewChartPane(s.Desk, s.Win, s.Commands)
	d := p.Plot.Data()
	if peak := workbench.PeakOf(p.Recorded); d.YMax <= 40_000 || d.YMax > .6*peak || len(d.Levels) == 0 || !strings.Contains(p.Above.Text(), "beyond the axis") {
		t.Errorf("the axis ends at %.0f, %d levels, told %q", d.YMax, len(d.Levels), p.Above.Text())
	}
}

// A window far above the curve is told and not drawn, a trigger near the curve is;
// a hand that drags it upwards keeps the axis.
func TestChartOfASmallHistoryInALargeWindow(t *testing.T) {
	s := newStage(t)
	for _, e := range s.Desk.Entries() {
		if e.Sample == "sample-tool-heavy-build" { // peaks at 34K
			s.Desk.Select(e)
		}
	}
	s.settle()
	s.Desk.Planning.Set(func(q *model.Policy) {
		q.Window = 1_000_000
		show.SetClause(q, 0, model.Amount{N: 3, Unit: model.Percent})
	})
	s.settle()
	p := workbench.NewChartPane(s.Desk, s.Win, s.Commands)
	d := p.Plot.Data()
	if len(d.Levels) != 1 || d.Levels[0].ID != "trigger" || d.YMax > 60_000 || !strings.Contains(p.Above.Text(), "above: model limit 1M") {
		t.Errorf("the axis ends at %.0f, levels %+v, told %q", d.YMax, d.Levels, p.Above.Text())
	}
	p.DragTrigger(900_000, false)
	s.settle()
	if n := len(p.Plot.Data().Levels); n != 2 {
		t.Errorf("%d levels while the trigger is dragged", n)
	}
	p.DragTrigger(900_000, true)
	s.settle()
	if d := p.Plot.Data(); len(d.Levels) != 1 || !d.Levels[0].Drag || d.Levels[0].Value <= d.YMax || !strings.Contains(d.Levels[0].Label, "900") {
		t.Errorf("levels %+v on an axis to %.0f once it is let go far above the curve", d.Levels, d.YMax)
	}
}
