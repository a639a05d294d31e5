package gui

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/gui/workbench"
	"palimpsest/model"
)

// rowOf finds a parameter by its label.
func rowOf(t *testing.T, p *workbench.ParamPane, label string) *workbench.ParamRow {
	t.Helper()
	for _, r := range append(p.Trigger, p.Rows...) {
		if r.Spec.Label == label {
			return r
		}
	}
	t.Fatalf("no parameter %q", label)
	return nil
}

func params(s *stage) *workbench.ParamPane {
	p := workbench.NewParamPane(s.Desk, s.Win, s.Commands)
	s.settle()
	return p
}

func TestATypedNumberThatBreaksTheOrderIsNotTaken(t *testing.T) {
	s := newStage(t)
	s.Desk.Planning.Set(at80)
	p := params(s)
	s.Desk.Planning.Set(func(q *model.Policy) { q.Reserve = 16000 })
	r := rowOf(t, p, "Threshold")
	n, _ := show.ParseField("99%")
	if err := r.Typed(n); err == nil || !strings.Contains(err.Error(), "184,000") {
		t.Fatalf("taken: %v", err)
	}
	if s.Desk.Planning.Params().Triggers[0].Share != .8 {
		t.Fatal("the trigger changed")
	}
	r.Field.SetErr(r.Typed(n))
	if !r.Wrong.Obj.Visible() || r.Wrong.Use.Text() != "Use 92 %" {
		t.Fatalf("it offers %q", r.Wrong.Use.Text())
	}
	r.Wrong.Use.Tapped(&fyne.PointEvent{})
	s.settle()
	if got := s.Desk.Planning.Params().Triggers[0].Share; got != .92 || r.Wrong.Obj.Visible() {
		t.Fatalf("trigger %v after using the offered value", got)
	}
}

func TestASliderCannotPassWhatIsLegal(t *testing.T) {
	s := newStage(t)
	s.Desk.Planning.Set(at80)
	p := params(s)
	s.Desk.Planning.Set(func(q *model.Policy) { q.Reserve = 16000 })
	r := rowOf(t, p, "Threshold")
	for _, v := range []float64{85, 95, 100} {
		r.Slider.OnChanged(v)
	}
	r.Slider.OnChangeEnded(100)
	s.settle()
	if s.Desk.Planning.Params().Triggers[0].Share != .92 || r.Slider.Value() != 92 || r.Field.Text() != "92 %" {
		t.Fatalf("trigger %v, slider %v, field %q", s.Desk.Planning.Params().Triggers[0].Share, r.Slider.Value(), r.Field.Text())
	}
	s.Desk.Undo()
	s.settle()
	if s.Desk.Planning.Params().Triggers[0].Share != .8 || r.Slider.Value() != 80 {
		t.Fatal("a drag is more than one step of undo")
	}
}

func TestAnotherUnitKeepsWhatTheWindowHolds(t *testing.T) {
	s := newStage(t)
	p := params(s)
	r := rowOf(t, p, "Window")
	held := s.Desk.Planning.Plan().Line.Len() - s.Desk.Planning.Plan().TailFrom
	r.ToUnit(model.Messages)
	s.settle()
	if got := s.Desk.Planning.Params().Tail; got.N != held || got.Unit != model.Messages {
		t.Fatalf("%+v, the window held %d messages", got, held)
	}
	if !s.Desk.Planning.Modified() || p.Preset.Text() != "Balanced (modified)" {
		t.Errorf("preset is called %q", p.Preset.Text())
	}
	r.Reset.Tapped(nil)
	s.settle()
	if s.Desk.Planning.Modified() {
		t.Error("still modified after setting back")
	}
}

func TestClausesCanBeAddedAndRemoved(t *testing.T) {
	s := newStage(t)
	p := params(s)
	p.ClauseMenu(0)[0].Run()
	s.settle()
	if q := s.Desk.Planning.Params(); len(q.Triggers) != 2 || len(p.Trigger) != 2 || show.ClauseAmount(q.Triggers[1]).Unit != model.Messages {
		t.Fatalf("%+v", s.Desk.Planning.Params().Triggers)
	}
	p.ClauseMenu(0)[1].Run()
	s.settle()
	if q := s.Desk.Planning.Params(); len(q.Triggers) != 1 || show.ClauseAmount(q.Triggers[0]).Unit != model.Messages || len(p.Trigger) != 1 {
		t.Fatalf("%+v", q.Triggers)
	}
}

func TestResultFollowsThePlan(t *testing.T) {
	s := newStage(t)
	r := params(s).Result
	if pl := s.Desk.Planning.Plan(); pl.Outcome != compaction.WouldApply || s.Desk.DraftSet.Draft() == nil {
		t.Fatalf("no draft: %+v", pl.Why)
	}
	if r.Why.Visible() || !strings.HasPrefix(r.Change.Text(), "−") || !strings.HasPrefix(r.Before.Text(), "~") {
		t.Errorf("result %q → %q %q", r.Before.Text(), r.After.Text(), r.Change.Text())
	}
	s.Desk.Planning.Set(func(q *model.Policy) { q.Tail = model.Amount{N: 10000, Unit: model.Messages} })
	s.settle()
	if !r.Why.Visible() || !strings.HasPrefix(r.Why.Text(), "Nothing to compact: all") || r.Change.Text() != "" {
		t.Errorf("a refused plan says %q, change %q", r.Why.Text(), r.Change.Text())
	}
}

// Of a history without any call of a model nothing is said of the largest one, nor of what
// calls cost.
func TestAHistoryWithoutCalls(t *testing.T) {
	path := filepath.Join(t.TempDir(), "one.json")
	if err := os.WriteFile(path, []byte(`{"model":"gpt-4o","messages":[{"role":"user","content":"Hello."}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newStage(t, path)
	s.settle()
	lines := strings.Split(shown(s.Win.Canvas().Content()), "\n")
	if !slices.Contains(lines, words.T("result.never")) {
		t.Errorf("%q is not shown", words.T("result.never"))
	}
	for _, line := range lines {
		if strings.Contains(line, "largest call") || strings.Contains(line, "fresh-input") {
			t.Errorf("%q is said", line)
		}
	}
}

func TestLedgerRows(t *testing.T) {
	s := newStage(t)
	p := workbench.NewLedgerPane(s.Desk, s.Win, s.Commands)
	rows := (*workbench.LedgerRows)(p)
	var marks, past, added, joined int
	for i := range rows.Len() {
		r := rows.Row(i)
		switch {
		case r.Mark:
			marks++
		case r.Past && r.Fate == "":
			past++
		case r.Fate == "+":
			added++
			if r.Num != "§" || !strings.HasPrefix(r.First, "Messages 360–") {
				t.Errorf("the summary's row: %+v", r)
			}
		}
		if r.Joined == kit.BracketTop && rows.Row(i+1).Joined != kit.BracketBottom && rows.Row(i+1).Joined != kit.BracketMiddle {
			t.Errorf("row %d: a bracket that begins does not go on", i)
		}
		if r.Joined == kit.BracketTop {
			joined++
		}
		if r.Bar < 0 || r.Bar > 1 {
			t.Errorf("row %d: bar %v", i, r.Bar)
		}
	}
	if marks != 2 || past != 359 || added != 1 || joined < 100 {
		t.Errorf("%d marks, %d past, %d added, %d brackets", marks, past, added, joined)
	}

	p.ToggleFate(show.FateIndex(model.Summarised))
	s.settle()
	want := s.Desk.Planning.Plan().Counts()[model.Summarised]
	if rows.Len() != want || p.Shown.Text() == "" || !p.Clear.Visible() {
		t.Errorf("%d rows, %q", rows.Len(), p.Shown.Text())
	}
	p.Clear.Tapped(nil)
	if rows.Len() != s.Desk.LedgerLen() || p.Clear.Visible() {
		t.Error("the filter stays")
	}
}

func TestBadgePinsAndMenuLeadsToTheResult(t *testing.T) {
	s := newStage(t)
	p := workbench.NewLedgerPane(s.Desk, s.Win, s.Commands)
	s.Desk.SelectMessage(365) // a call
	at := s.Desk.Selected()
	p.List.OnFate(at)
	s.settle()
	if got := s.Desk.Row(s.Desk.Selected()); got.Fate != model.Pinned || got.Num != 366 {
		t.Fatalf("%+v", got)
	}
	var went bool
	for _, it := range p.MenuItems(s.Desk.Selected()) {
		if it.Text == "Go to its result" {
			it.Run()
			went = true
		}
	}
	if r := s.Desk.Row(s.Desk.Selected()); !went || r.Msg.Kind != model.KindResult || r.Num != 367 || r.Fate != model.Pinned {
		t.Errorf("went %v to %+v", went, r)
	}
}

func TestDetailShowsParts(t *testing.T) {
	text := strings.Repeat("a line of the file\\n", 300)
	path := filepath.Join(t.TempDir(), "long.json")
	body := `{"model":"gpt-4o","messages":[{"role":"user","content":"read it"},
{"role":"assistant","content":"I will.","tool_calls":[{"id":"c","type":"function","function":{"name":"read","arguments":"{\"path\":\"a\"}"}}]},
{"role":"tool","tool_call_id":"c","content":"` + text + `"},{"role":"assistant","content":"ok"}]}`
	if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newStage(t, path)
	p := workbench.NewDetailPane(s.Desk, s.Win, s.Commands)
	s.Desk.SelectMessage(1)
	s.settle()
	list := p.View.Doc().Blocks
	if len(list) != 4 || list[0].Text != "text" || list[2].Text != "call of read" || list[3].Text != "path: \"a\"" {
		t.Fatalf("%+v", list)
	}
	s.Desk.SelectMessage(2)
	s.settle()
	if list := p.View.Doc().Blocks; len(list) != 1 || strings.Count(list[0].Text, "\n") != 300 {
		t.Fatalf("%+v", list)
	}
	p.SetHow(show.ReadRaw)
	s.settle()
	if s.Desk.Detail() == nil || !strings.Contains(s.Desk.Detail().Texts[0].Text, `"tool_call_id":"c"`) {
		t.Error("the source is not shown")
	}
}

func TestChartFallsAtTheMarks(t *testing.T) {
	s := newStage(t)
	s.Desk.Planning.Set(at80)
	s.settle()
	p := workbench.NewChartPane(s.Desk, s.Win, s.Commands)
	d := p.Plot.Data()
	if len(d.Series) != 2 || d.Series[0].Dotted || !d.Series[1].Dotted || len(d.Marks) != 4 || len(d.Levels) != 2 || len(d.Bands) != 1 {
		t.Fatalf("%d series, %d marks, %d levels", len(d.Series), len(d.Marks), len(d.Levels))
	}
	for _, m := range d.Marks {
		drops, curve := 0, d.Series[0].Points
		if m.Simulated { // the replay of the parameters has marks and a curve of its own
			curve = d.Series[1].Points
		}
		for i, q := range curve[1:] {
			if before := curve[i]; q.X == m.X && before.X == m.X && q.Y < before.Y/2 {
				drops++
			}
		}
		if drops != 1 {
			t.Errorf("%d drops at mark %s", drops, m.Label)
		}
	}
	p.DragTrigger(100400, false)
	p.DragTrigger(100400, true)
	s.settle()
	if s.Desk.Planning.Params().Triggers[0].Share != .5 {
		t.Errorf("trigger %+v", s.Desk.Planning.Params().Triggers[0])
	}
	p.DragTail(400, false)
	p.DragTail(400, true)
	s.settle()
	if pl := s.Desk.Planning.Plan(); pl.Line.History(pl.TailFrom) > 400 {
		t.Errorf("the tail begins at %d", pl.Line.History(pl.TailFrom))
	}
	s.Desk.Planning.SetView(session.ModelSees)
	if p.View.Selected() != 1 {
		t.Error("the view of the ledger is not told")
	}
}

// The five settings and the whole result are seen without scrolling in a window of 1280 by
// 720; all settings are a page of their own, which leads back.
func TestTheResultIsWholeInALowPane(t *testing.T) {
	s := newStage(t)
	p := params(s)
	s.Win.SetContent(container.NewWithoutLayout(p.Obj))
	fits := func(height float32) bool {
		p.Obj.Resize(fyne.NewSize(kit.Px(336), kit.Px(height)))
		s.settle()
		fits := false
		walk(p.Obj, nil, func(o fyne.CanvasObject, _ []fyne.CanvasObject) {
			if x, ok := o.(*container.Scroll); ok {
				fits = x.Content.MinSize().Height <= x.Size().Height
			}
		})
		return fits
	}
	if !fits(646) {
		t.Error("the first page is scrolled at 1280 by 720")
	}
	if p.Show(true); strings.Contains(shown(p.Obj), words.T("result.orders")) || !strings.Contains(shown(p.Obj), words.T("parameter.failure")) {
		t.Error("the page of all settings has the result, or not all settings")
	}
	if !fits(926) {
		t.Error("all settings are scrolled at 1600 by 1000")
	}
	if p.Show(false); !strings.Contains(shown(p.Obj), words.T("result.orders")) || strings.Contains(shown(p.Obj), words.T("parameter.failure")) {
		t.Error("the first page has no result, or all settings")
	}
}

// Where the result needs another height, all parts of the pane have the places that they
// would have if the pane were laid out anew, though only places are changed.
func TestALineThatComesMovesThePartsOfThePane(t *testing.T) {
	s := newStage(t)
	p := params(s)
	s.Win.SetContent(container.NewWithoutLayout(p.Obj))
	size := fyne.NewSize(kit.Px(336), kit.Px(900))
	p.Obj.Resize(size)
	s.settle()
	places := func() (list []string) {
		walk(p.Obj, nil, func(o fyne.CanvasObject, _ []fyne.CanvasObject) {
			if x, ok := o.(*container.Scroll); ok {
				list = append(list, fmt.Sprint(x.Position(), x.Size(), x.Content.Size()))
			}
		})
		return append(list, fmt.Sprint(s.App.Driver().AbsolutePositionForObject(p.Result.Run)))
	}
	before := places()
	s.Desk.Planning.Set(func(q *model.Policy) { q.Tail = model.Amount{N: 1000, Unit: model.Messages} }) // leaves nothing to compact, which is said
	s.settle()
	moved := places()
	p.Obj.Resize(size.AddWidthHeight(0, 50))
	p.Obj.Resize(size)
	if anew := places(); slices.Equal(before, moved) || !slices.Equal(moved, anew) {
		t.Errorf("%v, then %v; laid out anew %v", before, moved, anew)
	}
}
