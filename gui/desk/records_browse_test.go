package desk

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"palimpsest/compaction/session"
	"palimpsest/gui/state/records"
	"palimpsest/gui/state/undo"
	"palimpsest/model"
	"palimpsest/model/store"
)

// nestedWindow is a window with three records on top of each other, each of
// which summarizes the summary below it again.
func nestedWindow(t *testing.T) *window {
	t.Helper()
	w := newWindow(t)
	w.Add(chat(t, 30))
	w.settle()
	w.Planning.Set(func(p *model.Policy) {
		p.Tail, p.Former = model.Amount{N: 6, Unit: model.Messages}, model.MergeFormer
	})
	for _, at := range []int{40, 80, 121} {
		w.Planning.SetAt(at)
		w.settle()
		w.CompactNow()
		w.settle()
	}
	if n := len(w.Session().Stack()); n != 3 {
		t.Fatalf("%d records stand", n)
	}
	return w
}

// The record looked at leads down to its originals, and these are read and
// proved.
func TestRecordLeadsToItsOriginals(t *testing.T) {
	w := nestedWindow(t)
	stack := w.Session().Stack()
	w.RecordView.SelectRecord(stack[2].ID)
	w.settle()
	n := w.RecordView.Nested()
	if n == nil || n.Levels() != 3 || n.Inner[0].ID != stack[1].ID || n.Inner[0].Inner[0].ID != stack[0].ID || n.Summary == 0 {
		t.Fatalf("%+v", n)
	}
	if w.RecordView.RecordOrigins() != nil {
		t.Error("the originals were read unasked")
	}
	w.RecordView.ReadOrigins()
	w.settle()
	o := w.RecordView.RecordOrigins()
	if o == nil || o.Err != nil || !(o.Proof.Source.Equal() && o.Proof.Range.Equal()) || len(o.Taken) != stack[2].Covered || o.Taken[0].Record != stack[1].UID || len(o.Below) != 2 {
		t.Fatalf("%+v, the record covers %d", o.Proof, stack[2].Covered)
	}

	// The same when the history is not open any more.
	w.Remove(w.Current())
	w.settle()
	w.RecordView.SelectRecord(stack[1].ID)
	w.settle()
	w.RecordView.ReadOrigins()
	w.settle()
	o = w.RecordView.RecordOrigins()
	if o == nil || o.Err != nil || !(o.Proof.Source.Equal() && o.Proof.Range.Equal()) || o.Session == nil || o.Plan == nil {
		t.Fatalf("from the store: %+v", o)
	}
	path := o.Session.File().Doc.Source.(interface{ Name() string }).Name()
	w.RecordView.SelectRecord(stack[0].ID)
	w.settle()
	if _, err := os.Stat(path); err == nil || w.RecordView.RecordOrigins() != nil {
		t.Error("the originals of the record before are still there")
	}
}

// Down the ladder, and up again by applying what the restore undid.
func TestRestoreLadderAndBack(t *testing.T) {
	w := nestedWindow(t)
	stack := w.Session().Stack()
	ladder := w.RecordView.Ladder()
	if len(ladder) != 3 || len(ladder[2].Undone) != 3 || ladder[0].Then.Tokens >= ladder[1].Then.Tokens {
		t.Fatalf("%+v", ladder)
	}
	want := w.Planning.Plan().Before
	w.RecordView.Restore(stack[1].ID)
	w.settle()
	if got := w.Planning.Plan().Before; got != ladder[1].Then || w.RecordView.Record() == nil || w.RecordView.Record().ID != stack[1].ID || w.RecordView.RecordState(w.RecordView.Record()) != model.SwitchedOff {
		t.Errorf("%+v, told %+v; looked at %+v", got, ladder[1].Then, w.RecordView.Record())
	}
	w.RecordView.PreviewReapply()
	w.settle()
	if events := w.RecordView.RecordEvents(); len(events) != 1 || events[0].Cause != model.CauseRestore {
		t.Errorf("what happened to it: %+v", events)
	}
	w.RecordView.SelectRecord(w.RecordView.RecordEvents()[0].ID)
	w.settle()
	w.RecordView.PreviewReapply()
	w.settle()
	again := w.RecordView.Reapplying()
	if again == nil || again.Err != nil || len(again.Effect.Of) != 2 || again.Effect.Then != want {
		t.Fatalf("%+v", again)
	}
	w.RecordView.ReapplyRecord()
	w.settle()
	if got := w.Planning.Plan().Before; got != want || len(w.Session().Stack()) != 3 || w.RecordView.Record().Again != stack[2].ID {
		t.Errorf("%+v, it was %+v; %+v", got, want, w.RecordView.Record())
	}
	w.RecordView.PreviewReapply()
	w.settle()
	if again := w.RecordView.Reapplying(); again == nil || again.Err == nil {
		t.Error("what is applied can be applied again")
	}
}

// Records are chosen one by one, by a range, and all together; they are compared, exported, deleted and imported.
func TestManyRecordsAtOnce(t *testing.T) {
	w := nestedWindow(t)
	for i := range 120 {
		r := &model.Record{Session: "other", Outcome: model.Applied, Before: model.Size{Tokens: int64(i)}}
		if err := w.Store().SaveRecord(t.Context(), r, model.Originals{Source: strings.NewReader("{}"), Size: 2}); err != nil {
			t.Fatal(err)
		}
	}
	w.RecordList.LoadRecords()
	w.settle()
	total, _ := w.RecordList.RecordCount()
	w.RecordList.Tick(1)
	w.RecordList.TickTo(110)
	w.settle()
	if w.RecordList.TickedCount() != 110 || w.RecordList.Ticked(w.RecordList.RecordAt(0).ID) || !w.RecordList.Ticked(w.RecordList.RecordAt(1).ID) {
		t.Errorf("%d ticked", w.RecordList.TickedCount())
	}
	w.RecordList.TickAll()
	w.settle()
	if w.RecordList.TickedCount() != total {
		t.Errorf("%d of %d ticked", w.RecordList.TickedCount(), total)
	}
	w.RecordList.TickAll()
	if w.RecordList.TickedCount() != 0 {
		t.Error("all again chooses none")
	}

	w.RecordList.QueryRecords(store.Filter{Causes: []model.Cause{model.CauseManual}})
	w.settle()
	w.RecordList.Tick(0)
	w.RecordList.Tick(2)
	w.RecordView.CompareRecords()
	w.settle()
	p := w.RecordView.ComparedRecords()
	if p == nil || p.A.ID != "R-0001" || p.B.ID != "R-0003" || !p.Same || p.A.Summary == "" || p.B.Summary == "" || len(p.OnlyA) == 0 || len(p.OnlyB) == 0 {
		t.Fatalf("%+v", p)
	}

	dir := t.TempDir()
	file := filepath.Join(dir, "r.json")
	w.RecordList.ExportRecords(file, w.RecordList.Chosen(), false, func(_ *session.Written, err error) {
		if err != nil {
			t.Error(err)
		}
	})
	w.settle()
	var holds []string
	text, err := os.ReadFile(file)
	for _, id := range []string{"R-0001", "R-0002", "R-0003"} {
		if strings.Contains(string(text), `"id":"`+id) || strings.Contains(string(text), `"id": "`+id) {
			holds = append(holds, id)
		}
	}
	if err != nil || len(holds) != 3 { // R-0003 was made on R-0002
		t.Error(holds, err)
	}
	ids := w.RecordList.Chosen()
	var would store.DeleteEffect
	w.RecordList.MeasureDelete(ids, func(e store.DeleteEffect, err error) {
		if would = e; err != nil {
			t.Error(err)
		}
	})
	w.settle()
	if !slices.Equal(would.Standing, []string{"R-0002"}) || would.Freed == 0 { // R-0002 is built on R-0001
		t.Errorf("%+v", would)
	}
	w.RecordList.DeleteRecords(ids)
	w.settle()
	if found, _ := w.RecordList.RecordCount(); found != 1 || w.RecordList.TickedCount() != 0 {
		t.Errorf("%d found", found)
	}
	w.RecordList.LookThroughImport(filepath.Join(dir, "r.json"), func(got store.Imported, err error) {
		if err != nil || got.Records != 2 || got.Known != 1 {
			t.Errorf("%+v, %v", got, err)
		}
	})
	w.settle()
	w.RecordList.ImportRecords(filepath.Join(dir, "r.json"))
	w.settle()
	if found, _ := w.RecordList.RecordCount(); found != 3 {
		t.Errorf("%d found after the import", found)
	}
}

// Changes of records asked for while others are still being stored are all made, each is
// a step, and an undo asked for then takes back the newest of them.
func TestChangesOfRecordsWait(t *testing.T) {
	w := nestedWindow(t)
	w.RecordList.QueryRecords(records.FirstQuery())
	w.settle()
	var ids []string
	for i := range 3 {
		ids = append(ids, w.RecordList.RecordAt(i).ID)
	}
	before := len(w.Steps())
	for _, id := range ids {
		w.RecordList.DeleteRecords([]string{id})
	}
	if !w.CanUndo() {
		t.Error("a delete that is being stored can't be taken back")
	}
	w.Undo()
	w.settle()
	steps := w.Steps()[before:]
	if len(steps) != 3 {
		t.Fatalf("%d steps of 3 deletes", len(steps))
	}
	undone := 0
	for _, s := range steps {
		if s.Kind != undo.Delete {
			t.Errorf("a step of kind %v", s.Kind)
		}
		if s.Undone {
			undone++
		}
	}
	if !steps[2].Undone || undone != 1 {
		t.Errorf("%d of the deletes were taken back, the newest: %v", undone, steps[2].Undone)
	}
}

// What is imported about a history that is open is on it at once: its records are read anew,
// and the plan is that of the history as they leave it.
func TestAnImportIsReadByOpenHistories(t *testing.T) {
	file, out := chat(t, 60), filepath.Join(t.TempDir(), "r.json")
	from := newWindow(t)
	from.Add(file)
	from.settle()
	from.CompactNow()
	from.settle()
	rec := from.Session().Stack()[0]
	from.RecordList.ExportRecords(out, nil, false, func(_ *session.Written, err error) {
		if err != nil {
			t.Error(err)
		}
	})
	from.settle()
	w := newWindow(t)
	w.Add(file)
	w.settle()
	before := w.Planning.Plan().Before
	w.RecordList.ImportRecords(out)
	w.settle()
	if stack := w.Session().Stack(); len(stack) != 1 || stack[0].UID != rec.UID {
		t.Fatalf("%d records of the open history", len(stack))
	}
	if now := w.Planning.Plan().Before; now.Tokens >= before.Tokens || now.Messages != rec.After.Messages {
		t.Errorf("the plan begins with %+v, before the import with %+v", now, before)
	}
}
