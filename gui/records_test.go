package gui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"palimpsest/gui/kit"
	"palimpsest/gui/records"
	"palimpsest/gui/show"
	guistate "palimpsest/gui/state"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/figure"
	"palimpsest/model/store"
)

// A record is in force in its own history, whichever is looked at: the list and the head of the
// record go on saying so once another one is.
func TestTheHeadOfARecordFollowsItsHistory(t *testing.T) {
	s := newStage(t)
	s.Desk.CompactNow()
	s.settle()
	s.press("Ctrl+2")
	rec, inForce := s.Desk.RecordView.Record(), words.T("recordState.inForce")
	if rec == nil || strings.Count(shown(s.top()), inForce) < 2 {
		t.Fatalf("%q is not said in the list and in the head", inForce)
	}
	s.press("Ctrl+1", "]", "Ctrl+2")
	if s.Desk.RecordView.Record() != rec || s.Desk.RecordView.BuiltOn(rec) || strings.Count(shown(s.top()), inForce) < 2 {
		t.Errorf("%q is said no longer, at %s", inForce, s.Desk.RecordView.Record().ID)
	}
	s.press("Ctrl+1", "[")
	s.Desk.RecordView.Restore(rec.ID)
	s.settle()
	s.press("]", "Ctrl+2")
	if text := shown(s.top()); strings.Contains(text, inForce) {
		t.Errorf("%q is still said of a compaction that was undone", inForce)
	}
}

// The record that the sheet begins with is one of the open history, also where another one has
// a newer one.
func TestTheRecordsBeginWithTheOpenHistory(t *testing.T) {
	s := newStage(t)
	for _, keys := range []string{"]", "["} {
		s.Desk.CompactNow()
		s.settle()
		s.press(keys)
		s.settle()
	}
	s.press("Ctrl+2")
	if rec := s.Desk.RecordView.Record(); rec == nil || !s.Desk.RecordView.BuiltOn(rec) {
		t.Errorf("it begins with %+v", rec)
	}
	s.press("Ctrl+1", "]", "]") // a history without a record, while one of another is looked at
	s.settle()
	s.Desk.CompactNow()
	s.settle()
	s.press("Ctrl+2")
	if rec, stack := s.Desk.RecordView.Record(), s.Desk.Session().Stack(); len(stack) != 1 || rec == nil || rec.ID != stack[0].ID {
		t.Errorf("after a compaction of another history it does not begin with that one: %d records", len(stack))
	}
}

// Every tab of a record shows something, for one that was made here, for one
// that a file tells of and for a restore; the tree is walked by the keyboard; two
// are set beside each other.
func TestRecordBrowser(t *testing.T) {
	s := newStage(t)
	s.Desk.Planning.Set(func(p *model.Policy) { p.Tail, p.Former = model.Amount{N: 3000, Unit: model.Tokens}, model.MergeFormer })
	n := len(s.Desk.Session().Thread().History)
	for _, at := range []int{n - 40, n} {
		s.Desk.Planning.SetAt(at)
		s.settle()
		s.Desk.CompactNow()
		s.settle()
	}
	stack := s.Desk.Session().Stack()
	if len(stack) != 2 {
		t.Fatalf("%d records stand", len(stack))
	}
	s.press("Ctrl+2")
	p := s.records
	if s.Desk.RecordView.Record().ID != stack[1].ID || len(p.Restore.Ladder) != 2 {
		t.Fatalf("at %s, %d steps down", s.Desk.RecordView.Record().ID, len(p.Restore.Ladder))
	}

	p.Detail.Show(records.TabCovered)
	s.settle()
	covered := p.Detail.Covered
	if covered.Len() != stack[1].Covered || covered.Row(0).Who != stack[0].ID || covered.Row(covered.Len()-1).First == "" {
		t.Errorf("%d rows for %d messages, the first %+v", covered.Len(), stack[1].Covered, covered.Row(0))
	}
	s.sees(fmt.Sprintf("%d + %d of %[1]d + %[2]d equal", stack[1].Messages(), stack[1].Formers))
	p.Detail.Show(records.TabLog)
	s.settle()
	if rows := p.Detail.Log.Rows; len(rows) < 4+len(stack[1].Runs) || rows[1].Glyph == kit.GlyphHalf {
		t.Errorf("the log has %d lines: %+v", len(rows), rows)
	}
	shownOf := s.Desk.RecordView.Record()
	triggers, cause := shownOf.Policy.Triggers, shownOf.Cause
	shownOf.Cause, shownOf.Policy.Triggers = model.CauseAutomatic, []model.Clause{{At: model.Amount{N: 900_000, Unit: model.Tokens}}}
	origins := s.Desk.RecordView.RecordOrigins()
	origins.Plan = origins.Session.With(origins.Below).PlanOf(shownOf) // its program counted more than we do
	s.Desk.Notify(guistate.TopicRecords)
	s.settle()
	s.sees(words.T("recordLog.theirs"))
	shownOf.Cause, shownOf.Policy.Triggers = cause, triggers
	s.Desk.Notify(guistate.TopicRecords)
	s.settle()
	run := stack[1].Runs[slices.IndexFunc(stack[1].Runs, func(r model.RecordRun) bool { return r.To > r.From })]
	what := show.SpanWords(run.From+1, run.To) + " · " + words.T("count.messages", "count", run.To-run.From)
	s.Win.Resize(s.Win.Canvas().Size().AddWidthHeight(20, 20)) // lines are laid out anew
	if sign, badge := s.leftOf(words.T("recordLog.began")), s.leftOf(what); sign != badge {
		t.Errorf("words begin at %v behind a sign, at %v behind a badge", sign, badge)
	}
	if records.TabText(stack[1], records.TabSummary) != stack[1].Summary || records.TabText(stack[1], records.TabParameters) == "" || records.TabText(stack[1], records.TabJSON) == "" {
		t.Error("a tab is empty")
	}

	last := p.Found() - 1 // the oldest
	found := s.Desk.RecordList.RecordAt(last)
	if found == nil || found.Cause != model.CauseFound {
		t.Fatalf("%+v", found)
	}
	p.List.Select(last)
	p.Choose(last)
	s.settle()
	if s.Desk.RecordView.Record().ID != found.ID || len(p.Restore.Ladder) != 0 || records.TabText(s.Desk.RecordView.Record(), records.TabParameters) == "" {
		t.Error("a record of the file is taken for one of ours")
	}
	p.Detail.Show(records.TabFacts)
	s.settle()
	if got := p.Detail.Facts.Note.Text(); got != words.T("recordFacts.found") {
		t.Errorf("after a compaction of the file: %q", got)
	}

	row := s.Desk.RecordList.RecordRow(stack[0].ID)
	p.Tick(row, false)
	p.Tick(row-1, true)
	s.settle()
	if s.Desk.RecordList.TickedCount() != 2 {
		t.Fatalf("%d ticked", s.Desk.RecordList.TickedCount())
	}
	s.Commands.Run("compareRecords")
	s.settle()
	if p.Pair.Shown == nil || p.Pair.Shown.A.ID != stack[0].ID || len(p.Pair.Effects.Rows) == 0 {
		t.Fatalf("%+v", p.Pair.Shown)
	}
	marked := 0
	for _, r := range p.Pair.Effects.Rows {
		if r.FigChange != nil && r.Change != "0" && r.FigA.Kind == figure.Estimated && r.FigA.Unit == figure.Tokens {
			if marked++; !strings.Contains(r.Change, "~") {
				t.Errorf("%s: %s and %s differ by exactly %s", r.Name, r.A, r.B, r.Change)
			}
		}
	}
	if marked == 0 {
		t.Errorf("no size differs: %+v", p.Pair.Effects.Rows)
	}
	was := p.Pair.Shown
	if p.Pair.Swap(); p.Pair.Shown.A != was.B || p.Pair.Effects.Rows[4].A == p.Pair.Effects.Rows[4].B {
		t.Errorf("swapped: %+v", p.Pair.Shown)
	}
	s.press("Esc")
	if !s.records.Visible() {
		t.Error("Esc does not lead back to the records")
	}
}

// The list says that it leaves restores out, and shows with any cause what the verb records
// lists: every record of the database.
func TestTheListSaysThatItLeavesRestoresOut(t *testing.T) {
	s := newStage(t)
	s.Desk.CompactNow()
	s.settle()
	s.Desk.RecordView.Restore(s.Desk.Session().Stack()[0].ID)
	s.settle()
	stored, err := s.Desk.Store().CountRecords(t.Context(), store.Filter{})
	if err != nil || stored != 2 {
		t.Fatal(stored, err)
	}
	s.press("Ctrl+2")
	listed := func(choose string) (n int, restores int) {
		if choose != "" {
			s.tap(words.T("records.noRestores"))
			s.tap(choose)
		}
		for i := range s.records.Found() {
			switch r := s.Desk.RecordList.RecordAt(i); r.Cause {
			case model.CauseRestore:
				restores++
			case model.CauseFound:
				continue
			}
			n++
		}
		return n, restores
	}
	if n, restores := listed(""); n != 1 || restores != 0 {
		t.Errorf("without restores: %d, %d of them restores", n, restores)
	}
	if n, restores := listed(words.T("records.anyCause")); int64(n) != stored || restores != 1 {
		t.Errorf("of any cause: %d, %d of them restores", n, restores)
	}
	s.records.ClearFilter()
	s.settle()
	for i, c := range []model.Cause{model.CauseManual, model.CauseRestore} {
		if n, restores := listed(words.T("recordCause." + string(c))); n != 1 || restores != i {
			t.Errorf("%s: %d, %d of them restores", c, n, restores)
		}
		s.records.ClearFilter()
		s.settle()
	}
}
