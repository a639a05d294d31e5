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
	"palimpsest/gui/kit"
	"palimpsest/model"
)

// rowOf finds a parameter by its label.
func rowOf(t *testing.T, p *paramPane, label string) *paramRow {
	t.Helper()
	for _, r := range append(p.trigger, p.rows...) {
		if r.spec.label == label {
			return r
		}
	}
	t.Fatalf("no parameter %q", label)
	return nil
}

func params(s *stage) *paramPane {
	p := newParamPane(s.d, s.win, s.c)
	s.settle()
	return p
}

func TestATypedNumberThatBreaksTheOrderIsNotTaken(t *testing.T) {
	s := newStage(t)
	p := params(s)
	s.d.Set(func(q *model.Policy) { q.Reserve = 16000 })
	r := rowOf(t, p, "Trigger")
	n, _ := parseField("99%")
	if err := r.typed(n); err == nil || !strings.Contains(err.Error(), "184,000") {
		t.Fatalf("taken: %v", err)
	}
	if s.d.Params().Triggers[0].Share != .8 {
		t.Fatal("the trigger changed")
	}
	r.field.SetErr(r.typed(n))
	if !r.wrong.obj.Visible() || r.wrong.use.Text() != "Use 92 %" {
		t.Fatalf("it offers %q", r.wrong.use.Text())
	}
	r.wrong.use.Tapped(&fyne.PointEvent{})
	s.settle()
	if got := s.d.Params().Triggers[0].Share; got != .92 || r.wrong.obj.Visible() {
		t.Fatalf("trigger %v after using the offered value", got)
	}
}

func TestASliderCannotPassWhatIsLegal(t *testing.T) {
	s := newStage(t)
	p := params(s)
	s.d.Set(func(q *model.Policy) { q.Reserve = 16000 })
	r := rowOf(t, p, "Trigger")
	for _, v := range []float64{85, 95, 100} {
		r.slider.OnChanged(v)
	}
	r.slider.OnChangeEnded(100)
	s.settle()
	if s.d.Params().Triggers[0].Share != .92 || r.slider.Value() != 92 || r.field.Text() != "92 %" {
		t.Fatalf("trigger %v, slider %v, field %q", s.d.Params().Triggers[0].Share, r.slider.Value(), r.field.Text())
	}
	s.d.Undo()
	s.settle()
	if s.d.Params().Triggers[0].Share != .8 || r.slider.Value() != 80 {
		t.Fatal("a drag is more than one step of undo")
	}
}

func TestAnotherUnitKeepsWhatTheWindowHolds(t *testing.T) {
	s := newStage(t)
	p := params(s)
	r := rowOf(t, p, "Window")
	held := s.d.Plan().Line.Len() - s.d.Plan().TailFrom
	r.toUnit(model.Messages)
	s.settle()
	if got := s.d.Params().Tail; got.N != held || got.Unit != model.Messages {
		t.Fatalf("%+v, the window held %d messages", got, held)
	}
	if !s.d.Modified() || p.preset.Text() != "Balanced (modified)" {
		t.Errorf("preset is called %q", p.preset.Text())
	}
	r.reset.Tapped(nil)
	s.settle()
	if s.d.Modified() {
		t.Error("still modified after setting back")
	}
}

func TestClausesCanBeAddedAndRemoved(t *testing.T) {
	s := newStage(t)
	p := params(s)
	p.clauseMenu(0)[0].Run()
	s.settle()
	if q := s.d.Params(); len(q.Triggers) != 2 || len(p.trigger) != 2 || clauseAmount(q.Triggers[1]).Unit != model.Messages {
		t.Fatalf("%+v", s.d.Params().Triggers)
	}
	p.clauseMenu(0)[1].Run()
	s.settle()
	if q := s.d.Params(); len(q.Triggers) != 1 || clauseAmount(q.Triggers[0]).Unit != model.Messages || len(p.trigger) != 1 {
		t.Fatalf("%+v", q.Triggers)
	}
}

func TestResultFollowsThePlan(t *testing.T) {
	s := newStage(t)
	r := params(s).result
	if pl := s.d.Plan(); pl.Outcome != compaction.WouldApply || s.d.Draft() == nil {
		t.Fatalf("no draft: %+v", pl.Why)
	}
	if r.why.Visible() || !strings.HasPrefix(r.change.Text(), "−") || !strings.HasPrefix(r.before.Text(), "~") {
		t.Errorf("result %q → %q %q", r.before.Text(), r.after.Text(), r.change.Text())
	}
	s.d.Set(func(q *model.Policy) { q.Tail = model.Amount{N: 10000, Unit: model.Messages} })
	s.settle()
	if !r.why.Visible() || !strings.HasPrefix(r.why.Text(), "Nothing to compact: all") || r.change.Text() != "" {
		t.Errorf("a refused plan says %q, change %q", r.why.Text(), r.change.Text())
	}
}

func TestLedgerRows(t *testing.T) {
	s := newStage(t)
	p := newLedgerPane(s.d, s.win, s.c)
	rows := (*ledgerRows)(p)
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

	p.toggleFate(fateIndex(model.Summarised))
	s.settle()
	want := s.d.Plan().Counts()[model.Summarised]
	if rows.Len() != want || p.shown.Text() == "" || !p.clear.Visible() {
		t.Errorf("%d rows, %q", rows.Len(), p.shown.Text())
	}
	p.clear.Tapped(nil)
	if rows.Len() != s.d.LedgerLen() || p.clear.Visible() {
		t.Error("the filter stays")
	}
}

func TestBadgePinsAndMenuLeadsToTheResult(t *testing.T) {
	s := newStage(t)
	p := newLedgerPane(s.d, s.win, s.c)
	s.d.SelectMessage(365) // a call
	at := s.d.Selected()
	p.list.OnFate(at)
	s.settle()
	if got := s.d.Row(s.d.Selected()); got.Fate != model.Pinned || got.Num != 366 {
		t.Fatalf("%+v", got)
	}
	var went bool
	for _, it := range p.menuItems(s.d.Selected()) {
		if it.Text == "Go to its result" {
			it.Run()
			went = true
		}
	}
	if r := s.d.Row(s.d.Selected()); !went || r.Msg.Kind != model.KindResult || r.Num != 367 || r.Fate != model.Pinned {
		t.Errorf("went %v to %+v", went, r)
	}
}

func TestDetailIsReadByPages(t *testing.T) {
	text := strings.Repeat("a line of the file\\n", 300)
	path := filepath.Join(t.TempDir(), "long.json")
	body := `{"model":"gpt-4o","messages":[{"role":"user","content":"read it"},
{"role":"assistant","content":"I will.","tool_calls":[{"id":"c","type":"function","function":{"name":"read","arguments":"{\"path\":\"a\"}"}}]},
{"role":"tool","tool_call_id":"c","content":"` + text + `"},{"role":"assistant","content":"ok"}]}`
	if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newStage(t, path)
	p := newDetailPane(s.d, s.win, s.c)
	s.d.SelectMessage(1)
	s.settle()
	if len(p.blocks) != 2 || p.blocks[0].head != "text" || p.blocks[1].head != "call of read" || p.blocks[1].text != "{\n  \"path\": \"a\"\n}" {
		t.Fatalf("%+v", p.blocks)
	}
	s.d.SelectMessage(2)
	s.settle()
	m, room := p.view.Metrics()
	first := wrapPages(p.blocks, 1, m, room+600)
	if len(first.lines) != pageLines || !first.more || first.foot != "lines 1–80 of 300" {
		t.Fatalf("%d lines, %q", len(first.lines), first.foot)
	}
	last := wrapPages(p.blocks, 9, m, room+600)
	if len(last.lines) != 300 || last.more {
		t.Fatalf("%d lines in the end", len(last.lines))
	}
	p.setRaw(true)
	s.settle()
	if s.d.Detail() == nil || !strings.Contains(s.d.Detail().Texts[0].Text, `"tool_call_id":"c"`) {
		t.Error("the source is not shown")
	}
}

func TestPreviewShowsBothSidesAndAppliesTheEditedText(t *testing.T) {
	s := newStage(t)
	s.d.Set(func(q *model.Policy) { q.Clear = model.Clearing{On: true, Keep: 1, Above: 100} })
	s.settle()
	p := newPreviewSheet(s.d, s.win, s.c)
	newJobSheet(s.d, s.win, s.c)
	p.show()
	s.settle()
	pl := s.d.Plan()
	for _, open := range []bool{false, true} {
		p.foldEvery(!open)
		last := p.rows.right(len(p.rows.lines) - 1)
		if want := tokenCount(s.d, pl.After.Tokens); last.Total != want {
			t.Errorf("the right side ends at %s, the plan at %s", last.Total, want)
		}
		first := p.rows.left(len(p.rows.lines) - 1)
		if want := tokenCount(s.d, pl.Before.Tokens); first.Total != want {
			t.Errorf("the left side ends at %s, the plan at %s", first.Total, want)
		}
		if summaries := countRight(p.rows, "+"); summaries != 1 {
			t.Errorf("%d summaries at the right", summaries)
		}
	}
	p.draft.begin()
	p.draft.entry.SetText("In my own words.")
	p.applyDraft()
	s.settle()
	stack := s.d.Session().Stack()
	if len(stack) != 1 || stack[0].Summary != "In my own words." || !stack[0].Edited {
		t.Fatalf("%d records", len(stack))
	}
	if p.open || s.inSheet() {
		t.Error("the sheet stays open")
	}
	if r := s.d.Row(s.d.Selected()); r.Record != stack[0].UID {
		t.Errorf("the new summary is not selected: %+v", r)
	}
}

func countRight(p *previewRows, fate string) (n int) {
	for i := range p.lines {
		if p.right(i).Fate == fate {
			n++
		}
	}
	return n
}

func TestChartFallsAtTheMarks(t *testing.T) {
	s := newStage(t)
	p := newChartPane(s.d, s.win, s.c)
	d := p.plot.Data()
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
	p.dragTrigger(100400, false)
	p.dragTrigger(100400, true)
	s.settle()
	if s.d.Params().Triggers[0].Share != .5 {
		t.Errorf("trigger %+v", s.d.Params().Triggers[0])
	}
	p.dragTail(400, false)
	p.dragTail(400, true)
	s.settle()
	if pl := s.d.Plan(); pl.Line.History(pl.TailFrom) > 400 {
		t.Errorf("the tail begins at %d", pl.Line.History(pl.TailFrom))
	}
	s.d.SetView(session.ModelSees)
	if p.view.Selected() != 1 {
		t.Error("the view of the ledger is not told")
	}
}

// A preview with room to spare shows the first messages of what is folded, never
// more lines than there is room for, and its sides end where the plan does.
func TestPreviewFillsItsRoom(t *testing.T) {
	s := newStage(t)
	pl := s.d.Plan()
	folded := len(newPreviewRows(s.d, pl, nil, onlyAll, 0).lines)
	for room := range 60 {
		p := newPreviewRows(s.d, pl, nil, onlyAll, room)
		if n := len(p.lines); n > max(room, folded) || room > folded+10 && n < room-2*len(pl.Runs) {
			t.Errorf("%d lines where %d have room, %d folded", n, room, folded)
		}
		next := 0
		for _, l := range p.lines {
			if l.fold != kit.FoldNone && !l.rest && l.fold == kit.FoldOpen {
				continue // a head: its messages follow
			}
			if l.from != next {
				t.Fatalf("room for %d: entry %d follows %d", room, l.from, next)
			}
			next = l.to
		}
		if next != pl.Line.Len() {
			t.Errorf("room for %d: it ends at %d of %d", room, next, pl.Line.Len())
		}
	}
	p := s.preview
	p.show()
	// F7 goes through what changes, and round.
	seen := map[int]bool{}
	for range len(p.rows.lines) {
		s.press("F7")
		i := p.before.Selected()
		if i < 0 || p.rows.plan.Runs[p.rows.lines[i].run].Fate == model.Kept || p.after.Selected() != i {
			t.Fatalf("F7 selects line %d, at the right %d", i, p.after.Selected())
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
	there := p.before.Selected()
	s.press("F7")
	s.press("Shift+F7")
	if p.before.Selected() != there || p.after.Selected() != there {
		t.Errorf("F7 and Shift+F7 end at line %d, at the right %d, of line %d", p.before.Selected(), p.after.Selected(), there)
	}
	// The filter leaves out what the plan does otherwise, and nothing else.
	for only := range onlyDropped + 1 {
		p.showOnly(only)
		entries := 0
		for _, l := range p.rows.lines {
			if f := pl.Runs[l.run].Fate; !only.shows(f) {
				t.Errorf("filter %d shows a message of fate %v", only, f)
			}
			if l.fold == kit.FoldNone || l.fold == kit.FoldClosed {
				entries += l.to - l.from
			}
		}
		want := 0
		for _, r := range pl.Runs {
			if only.shows(r.Fate) {
				want += r.To - r.From
			}
		}
		if want == 0 && !p.before.Empty.Visible() {
			t.Errorf("filter %d shows nothing and does not say why", only)
		}
		if entries != want {
			t.Errorf("filter %d shows %d of %d messages", only, entries, want)
		}
	}
	p.showOnly(onlyAll)
	// The rest unfolds the whole run, the head folds it.
	at := func(rest bool) int {
		return slices.IndexFunc(p.rows.lines, func(l previewLine) bool { return l.fold != kit.FoldNone && l.rest == rest })
	}
	if at(true) < 0 {
		t.Fatal("nothing of a run is shown although there is room")
	}
	before := len(p.rows.lines)
	if p.toggle(at(true)); len(p.rows.lines) <= before {
		t.Error("the rest does not unfold")
	}
	if p.toggle(at(false)); p.rows.lines[at(false)].fold != kit.FoldClosed {
		t.Error("the head does not fold")
	}
}
