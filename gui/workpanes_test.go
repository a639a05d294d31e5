package gui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/gui/dialogs"
	"palimpsest/gui/kit"
	"palimpsest/gui/preview"
	"palimpsest/gui/show"
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
	p := params(s)
	s.Desk.Set(func(q *model.Policy) { q.Reserve = 16000 })
	r := rowOf(t, p, "Trigger")
	n, _ := show.ParseField("99%")
	if err := r.Typed(n); err == nil || !strings.Contains(err.Error(), "184,000") {
		t.Fatalf("taken: %v", err)
	}
	if s.Desk.Params().Triggers[0].Share != .8 {
		t.Fatal("the trigger changed")
	}
	r.Field.SetErr(r.Typed(n))
	if !r.Wrong.Obj.Visible() || r.Wrong.Use.Text() != "Use 92 %" {
		t.Fatalf("it offers %q", r.Wrong.Use.Text())
	}
	r.Wrong.Use.Tapped(&fyne.PointEvent{})
	s.settle()
	if got := s.Desk.Params().Triggers[0].Share; got != .92 || r.Wrong.Obj.Visible() {
		t.Fatalf("trigger %v after using the offered value", got)
	}
}

func TestASliderCannotPassWhatIsLegal(t *testing.T) {
	s := newStage(t)
	p := params(s)
	s.Desk.Set(func(q *model.Policy) { q.Reserve = 16000 })
	r := rowOf(t, p, "Trigger")
	for _, v := range []float64{85, 95, 100} {
		r.Slider.OnChanged(v)
	}
	r.Slider.OnChangeEnded(100)
	s.settle()
	if s.Desk.Params().Triggers[0].Share != .92 || r.Slider.Value() != 92 || r.Field.Text() != "92 %" {
		t.Fatalf("trigger %v, slider %v, field %q", s.Desk.Params().Triggers[0].Share, r.Slider.Value(), r.Field.Text())
	}
	s.Desk.Undo()
	s.settle()
	if s.Desk.Params().Triggers[0].Share != .8 || r.Slider.Value() != 80 {
		t.Fatal("a drag is more than one step of undo")
	}
}

func TestAnotherUnitKeepsWhatTheWindowHolds(t *testing.T) {
	s := newStage(t)
	p := params(s)
	r := rowOf(t, p, "Recent tail")
	held := s.Desk.Plan().Line.Len() - s.Desk.Plan().TailFrom
	r.ToUnit(model.Messages)
	s.settle()
	if got := s.Desk.Params().Tail; got.N != held || got.Unit != model.Messages {
		t.Fatalf("%+v, the window held %d messages", got, held)
	}
	if !s.Desk.Modified() || p.Preset.Text() != "Balanced (modified)" {
		t.Errorf("preset is called %q", p.Preset.Text())
	}
	r.Reset.Tapped(nil)
	s.settle()
	if s.Desk.Modified() {
		t.Error("still modified after setting back")
	}
}

func TestClausesCanBeAddedAndRemoved(t *testing.T) {
	s := newStage(t)
	p := params(s)
	p.ClauseMenu(0)[0].Run()
	s.settle()
	if q := s.Desk.Params(); len(q.Triggers) != 2 || len(p.Trigger) != 2 || show.ClauseAmount(q.Triggers[1]).Unit != model.Messages {
		t.Fatalf("%+v", s.Desk.Params().Triggers)
	}
	p.ClauseMenu(0)[1].Run()
	s.settle()
	if q := s.Desk.Params(); len(q.Triggers) != 1 || show.ClauseAmount(q.Triggers[0]).Unit != model.Messages || len(p.Trigger) != 1 {
		t.Fatalf("%+v", q.Triggers)
	}
}

func TestResultFollowsThePlan(t *testing.T) {
	s := newStage(t)
	r := params(s).Result
	if pl := s.Desk.Plan(); pl.Outcome != compaction.WouldApply || s.Desk.Draft() == nil {
		t.Fatalf("no draft: %+v", pl.Why)
	}
	if r.Why.Visible() || !strings.HasPrefix(r.Change.Text(), "−") || !strings.HasPrefix(r.Before.Text(), "from ~") {
		t.Errorf("result %q → %q %q", r.Before.Text(), r.After.Text(), r.Change.Text())
	}
	s.Desk.Set(func(q *model.Policy) { q.Tail = model.Amount{N: 10000, Unit: model.Messages} })
	s.settle()
	if !r.Why.Visible() || !strings.HasPrefix(r.Why.Text(), "Nothing to compact: all") || r.Change.Text() != "" {
		t.Errorf("a refused plan says %q, change %q", r.Why.Text(), r.Change.Text())
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
	want := s.Desk.Plan().Counts()[model.Summarised]
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

func TestPreviewShowsBothSidesAndAppliesTheEditedText(t *testing.T) {
	s := newStage(t)
	s.Desk.Set(func(q *model.Policy) { q.Clear = model.Clearing{On: true, Keep: 1, Above: 100} })
	s.settle()
	p := preview.NewPreviewSheet(s.Desk, s.Win, s.Commands)
	dialogs.NewJobSheet(s.Desk, s.Win, s.Commands)
	p.Show()
	s.settle()
	pl := s.Desk.Plan()
	for _, open := range []bool{false, true} {
		p.FoldEvery(!open)
		last := p.Rows.Right(len(p.Rows.Lines) - 1)
		if want := show.TokenCount(s.Desk, pl.After.Tokens); last.Total != want {
			t.Errorf("the right side ends at %s, the plan at %s", last.Total, want)
		}
		first := p.Rows.Left(len(p.Rows.Lines) - 1)
		if want := show.TokenCount(s.Desk, pl.Before.Tokens); first.Total != want {
			t.Errorf("the left side ends at %s, the plan at %s", first.Total, want)
		}
		if summaries := countRight(p.Rows, "+"); summaries != 1 {
			t.Errorf("%d summaries at the right", summaries)
		}
	}
	p.Draft.Begin()
	p.Draft.Entry.SetText("In my own words.")
	p.ApplyDraft()
	s.settle()
	stack := s.Desk.Session().Stack()
	if len(stack) != 1 || stack[0].Summary != "In my own words." || !stack[0].Edited {
		t.Fatalf("%d records", len(stack))
	}
	if p.Open || s.InSheet() {
		t.Error("the sheet stays open")
	}
	if r := s.Desk.Row(s.Desk.Selected()); r.Record != stack[0].UID {
		t.Errorf("the new summary is not selected: %+v", r)
	}
}

func countRight(p *preview.PreviewRows, fate string) (n int) {
	for i := range p.Lines {
		if p.Right(i).Fate == fate {
			n++
		}
	}
	return n
}

func TestChartFallsAtTheMarks(t *testing.T) {
	s := newStage(t)
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
	if s.Desk.Params().Triggers[0].Share != .5 {
		t.Errorf("trigger %+v", s.Desk.Params().Triggers[0])
	}
	p.DragTail(400, false)
	p.DragTail(400, true)
	s.settle()
	if pl := s.Desk.Plan(); pl.Line.History(pl.TailFrom) > 400 {
		t.Errorf("the tail begins at %d", pl.Line.History(pl.TailFrom))
	}
	s.Desk.SetView(session.ModelSees)
	if p.View.Selected() != 1 {
		t.Error("the view of the ledger is not told")
	}
}

// A preview with room to spare shows the first messages of what is folded, never
// more lines than there is room for, and its sides end where the plan does.
func TestPreviewFillsItsRoom(t *testing.T) {
	s := newStage(t)
	pl := s.Desk.Plan()
	folded := len(preview.NewPreviewRows(s.Desk, pl, nil, preview.OnlyAll, 0).Lines)
	for room := range 60 {
		p := preview.NewPreviewRows(s.Desk, pl, nil, preview.OnlyAll, room)
		if n := len(p.Lines); n > max(room, folded) || room > folded+10 && n < room-2*len(pl.Runs) {
			t.Errorf("%d lines where %d have room, %d folded", n, room, folded)
		}
		next := 0
		for _, l := range p.Lines {
			if l.Fold != kit.FoldNone && !l.Rest && l.Fold == kit.FoldOpen {
				continue // a head: its messages follow
			}
			if l.From != next {
				t.Fatalf("room for %d: entry %d follows %d", room, l.From, next)
			}
			next = l.To
		}
		if next != pl.Line.Len() {
			t.Errorf("room for %d: it ends at %d of %d", room, next, pl.Line.Len())
		}
	}
	p := s.preview
	p.Show()
	// F7 goes through what changes, and round.
	seen := map[int]bool{}
	for range len(p.Rows.Lines) {
		s.press("F7")
		i := p.Before.Selected()
		if i < 0 || p.Rows.Plan.Runs[p.Rows.Lines[i].Run].Fate == model.Kept || p.After.Selected() != i {
			t.Fatalf("F7 selects line %d, at the right %d", i, p.After.Selected())
		}
		seen[i] = true
	}
	changed := 0
	for _, r := range pl.Runs {
		if r.Fate != model.Kept && r.Fate != model.Pinned {
			changed++
		}
	}
	if len(seen) < changed {
		t.Errorf("F7 finds %d of %d changes", len(seen), changed)
	}
	// Shift+F7 goes the same way back.
	s.press("F7")
	there := p.Before.Selected()
	s.press("F7")
	s.press("Shift+F7")
	if p.Before.Selected() != there || p.After.Selected() != there {
		t.Errorf("F7 and Shift+F7 end at line %d, at the right %d, of line %d", p.Before.Selected(), p.After.Selected(), there)
	}
	// The filter leaves out what the plan does otherwise, and nothing else.
	for only := range preview.OnlyDropped + 1 {
		p.ShowOnly(only)
		entries := 0
		for _, l := range p.Rows.Lines {
			if f := pl.Runs[l.Run].Fate; !only.Shows(f) {
				t.Errorf("filter %d shows a message of fate %v", only, f)
			}
			if l.Fold == kit.FoldNone || l.Fold == kit.FoldClosed {
				entries += l.To - l.From
			}
		}
		want := 0
		for _, r := range pl.Runs {
			if only.Shows(r.Fate) {
				want += r.To - r.From
			}
		}
		if want == 0 && !p.Before.Empty.Visible() {
			t.Errorf("filter %d shows nothing and does not say why", only)
		}
		if entries != want {
			t.Errorf("filter %d shows %d of %d messages", only, entries, want)
		}
	}
	p.ShowOnly(preview.OnlyAll)
	// The rest unfolds the whole run, the head folds it.
	at := func(rest bool) int {
		return slices.IndexFunc(p.Rows.Lines, func(l preview.PreviewLine) bool { return l.Fold != kit.FoldNone && l.Rest == rest })
	}
	if at(true) < 0 {
		t.Fatal("nothing of a run is shown although there is room")
	}
	before := len(p.Rows.Lines)
	if p.Toggle(at(true)); len(p.Rows.Lines) <= before {
		t.Error("the rest does not unfold")
	}
	if p.Toggle(at(false)); p.Rows.Lines[at(false)].Fold != kit.FoldClosed {
		t.Error("the head does not fold")
	}
}
