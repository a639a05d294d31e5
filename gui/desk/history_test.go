package desk

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"palimpsest/compaction"
	"palimpsest/compaction/facts"
	"palimpsest/compaction/session"
	"palimpsest/compaction/summarize/blocks"
	"palimpsest/gui/state/undo"
	"palimpsest/model"
	"palimpsest/model/store"
)

// moment is all that the steps of a history may change.
type moment struct {
	params model.Policy
	stack  []string // each with its state
	stored []string // every record, with its number, state and summary
	out    string   // the compacted history
	drafts []string // texts
}

func stateOf(t *testing.T, w *window) (x moment) {
	t.Helper()
	s := w.Session()
	x.params = s.Policy()
	for _, r := range s.Stack() {
		x.stack = append(x.stack, fmt.Sprint(r.ID, r.UID, r.Off, r.Base))
	}
	list, err := w.Store().Records(t.Context(), store.Filter{Limit: -1, Ascending: true, Full: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		if r.Outcome != model.Applied {
			continue // a refusal is noted and changes nothing
		}
		x.stored = append(x.stored, fmt.Sprint(r.ID, r.UID, r.Off, r.Base, r.Parents, r.Outcome, r.Summary))
	}
	var b bytes.Buffer
	if _, err := s.Overlay().Export(&b); err != nil {
		t.Fatal(err)
	}
	x.out = b.String()
	if w.DraftSet.Draft() != nil {
		for _, dr := range w.DraftSet.Drafts() {
			if dr.Text.Text != "" {
				x.drafts = append(x.drafts, dr.Text.Text)
			}
		}
	}
	return x
}

func (x moment) same(t *testing.T, y moment, what string) {
	t.Helper()
	switch {
	case !reflect.DeepEqual(x.params, y.params):
		t.Errorf("%s: parameters %+v, want %+v", what, y.params, x.params)
	case !slices.Equal(x.stack, y.stack):
		t.Errorf("%s: stack %q, want %q", what, y.stack, x.stack)
	case !slices.Equal(x.stored, y.stored):
		t.Errorf("%s: stored %.300q, want %.300q", what, y.stored, x.stored)
	case x.out != y.out:
		t.Errorf("%s: another history", what)
	case !slices.Equal(x.drafts, y.drafts):
		t.Errorf("%s: drafts %.600q, want %.600q", what, y.drafts, x.drafts)
	default:
		return
	}
	t.FailNow()
}

// act does one random thing that is a step, or may be.
func act(w *window, rnd *rand.Rand, exported string) string {
	s := w.Session()
	stack := s.Stack()
	switch n := rnd.IntN(13); n {
	case 0:
		w.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 2 + rnd.IntN(20), Unit: model.Messages} })
		return "tail"
	case 1:
		w.Planning.TogglePinOf(rnd.IntN(len(s.Thread().History)))
		return "pin"
	case 2:
		w.Planning.UsePreset(model.Policy{Preset: "own", Tail: model.Amount{N: 1 + rnd.IntN(9), Unit: model.Groups}, Strategy: model.NoteText,
			Former: model.MergeFormer, Budget: model.Amount{N: 300, Unit: model.Tokens}})
		return "preset"
	case 3:
		w.CompactNow()
		return "compact"
	case 4:
		if w.DraftSet.Draft() != nil {
			w.ApplyDraft()
		}
		return "apply"
	case 5:
		if len(stack) > 0 {
			w.RecordView.Restore(stack[rnd.IntN(len(stack))].ID)
		}
		return "restore"
	case 6:
		if list := w.RecordList.Records(); len(list) > 0 {
			w.RecordView.SelectRecord(list[rnd.IntN(len(list))].ID)
			w.settle()
			w.RecordView.PreviewReapply()
			w.settle()
			w.RecordView.ReapplyRecord()
		}
		return "reapply"
	case 7:
		if list := w.RecordList.Records(); len(list) > 0 {
			w.RecordList.DeleteRecords([]string{list[rnd.IntN(len(list))].ID})
		}
		return "delete"
	case 8:
		w.DraftSet.EditDraft(fmt.Sprint("in words of ", rnd.IntN(1000)))
		return "edit"
	case 9:
		w.DraftSet.ChangeDraft(undo.DraftPutBack, "a fact", 1, func(o *blocks.Outline) (string, error) {
			return o.PutBack(facts.Fact{Kind: facts.Path, Text: fmt.Sprint("src/x", rnd.IntN(1000), ".go")})
		})
		return "put back"
	case 10:
		w.DraftSet.TryStrategy([]model.Strategy{model.Extract, model.NoteText, model.StructuredJSON}[rnd.IntN(3)])
		return "another draft"
	case 11:
		w.DraftSet.DiscardDrafts()
		return "discard"
	default:
		w.RecordList.ImportRecords(exported)
		return "import"
	}
}

// Whatever was done, undone one by one it is all as it was before each, and redone
// as it was after.
func TestEveryStepIsUndoneAndRedone(t *testing.T) {
	exported := exportOfAnother(t)
	seeds := uint64(12)
	if testing.Short() { // what runs beside the window is the same in each
		seeds = 2
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w := newWindow(t)
			w.Add(chat(t, 24))
			w.settle()
			rnd := rand.New(rand.NewPCG(seed, 7))
			states := []moment{stateOf(t, w)}
			var done []string
			for range 18 {
				before := len(w.Steps())
				what := act(w, rnd, exported)
				w.settle()
				if now := len(w.Steps()); now > before {
					states, done = append(states, stateOf(t, w)), append(done, what)
				} else { // refused
					states[len(states)-1].same(t, stateOf(t, w), what+" that is no step")
				}
			}
			kinds := map[string]bool{}
			for _, k := range done {
				kinds[k] = true
			}
			if len(kinds) < 3 {
				t.Fatalf("the steps are all alike: %v; notices %v", done, w.Notices())
			}
			for range 2 {
				for i := len(done) - 1; i >= 0; i-- {
					w.Undo()
					w.settle()
					states[i].same(t, stateOf(t, w), "undo of "+done[i])
				}
				if w.NextUndo() != nil {
					t.Error("there is more to undo")
				}
				w.GoTo(w.Steps()[len(done)-1]) // all at once
				w.settle()
				states[len(done)].same(t, stateOf(t, w), "all redone")
			}
			if n := len(w.Notices()); n > 0 && w.Notices()[n-1].Err != nil {
				for _, x := range w.Notices() {
					t.Logf("%v %v", x.Code, x.Err)
				}
			}
		})
	}
}

// exportOfAnother is an export of a record of another history.
func exportOfAnother(t *testing.T) string {
	t.Helper()
	w := newWindow(t)
	w.Add(chat(t, 12))
	w.settle()
	w.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 4, Unit: model.Messages} })
	w.CompactNow()
	w.settle()
	path := filepath.Join(t.TempDir(), "records.json")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if n, err := w.Store().Export(t.Context(), f); n != 1 || err != nil {
		t.Fatalf("%d exported, %v", n, err)
	}
	return path
}

// The steps are there again in the next window, and are undone there.
func TestUndoOutlivesTheWindow(t *testing.T) {
	w := newWindow(t)
	path := chat(t, 24)
	w.Add(path)
	w.settle()
	before := stateOf(t, w)
	w.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 4, Unit: model.Messages} })
	w.CompactNow()
	w.settle()
	applied := stateOf(t, w)
	other := newWindowOn(t, w.Store())
	other.Add(path)
	other.settle()
	if s := other.NextUndo(); s == nil || s.Kind != undo.Compact || s.Name != "R-0001" || len(other.Steps()) != 2 {
		t.Fatalf("the next window would undo %+v of %d", s, len(other.Steps()))
	}
	other.Undo()
	other.settle()
	if got := stateOf(t, other); !slices.Equal(got.stored, before.stored) || got.out != before.out || len(got.stack) > 0 {
		t.Fatalf("after the undo: %q, %q", got.stack, got.stored)
	}
	third := newWindowOn(t, w.Store())
	third.Add(path)
	third.settle()
	third.Redo()
	third.settle()
	if got := stateOf(t, third); !slices.Equal(got.stored, applied.stored) || got.out != applied.out || !slices.Equal(got.stack, applied.stack) {
		t.Fatalf("after the redo: %q, %q", got.stack, got.stored)
	}
	// In the first window the record went and came: what it holds is true again.
	third.Undo()
	third.settle()
	w.Undo()
	w.settle()
	if n := w.Notices(); len(n) == 0 || n[len(n)-1].Err == nil {
		t.Error("an undo of what another window has undone is not refused")
	}
	if s := w.NextUndo(); s == nil || s.Kind != undo.Params {
		t.Errorf("a step that can't be undone any more stays: %+v", s)
	}
}

// Parameters, preset and pins are in the next window what they were in this one, and
// are taken back there one by one; so are those of a window whose database came late.
func TestUndoOfParametersOutlivesTheWindow(t *testing.T) {
	w := newWindow(t)
	path := chat(t, 24)
	w.Add(path)
	w.settle()
	states := []model.Policy{w.Planning.Params()}
	for _, do := range []func(){
		func() { w.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 4, Unit: model.Messages} }) },
		func() { w.Planning.TogglePinOf(3) },
		func() { w.Planning.UsePreset(compaction.Presets()[1].Policy) },
		func() { w.Planning.Set(func(p *model.Policy) { p.Fixed += 100 }) },
		func() { w.Planning.TogglePinOf(5) },
		func() { w.Planning.TogglePinOf(3) },
	} {
		do()
		w.settle()
		states = append(states, w.Planning.Params())
	}
	w.Undo()
	w.settle()
	for i, from := range []*store.Store{w.Store(), w.Store(), nil} {
		next := newWindowOn(t, from)
		next.Add(path)
		next.settle()
		if from == nil {
			next.useStore(w.Store())
			next.settle()
		}
		at := len(states) - 2 - i // each window left one step less
		for ; at >= len(states)-3-i; at-- {
			if got := next.Planning.Params(); !reflect.DeepEqual(got, states[at]) || !reflect.DeepEqual(next.Planning.Plan().Policy, got) {
				t.Fatalf("window %d: at %d %+v, want %+v", i, at, got, states[at])
			}
			if next.NextRedo() == nil {
				t.Fatal("nothing to be done again")
			}
			next.Undo()
			next.settle()
		}
		next.Redo()
		next.settle()
	}
	fresh := newWindowOn(t, w.Store())
	fresh.Add(path)
	fresh.settle()
	for range states {
		fresh.Undo()
		fresh.settle()
	}
	if got := fresh.Planning.Params(); !reflect.DeepEqual(got, states[0]) || fresh.NextUndo() != nil {
		t.Errorf("after all %+v", got)
	}
}

// What the file says of its context is the file's, whatever steps there are.
func TestParametersOfAFormerWindowLeaveTheContext(t *testing.T) {
	w := newWindow(t)
	path := chat(t, 24)
	w.Add(path)
	w.settle()
	w.Planning.TogglePinOf(90) // beyond what the file will have
	w.settle()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var short map[string]any
	if err := json.Unmarshal(b, &short); err != nil {
		t.Fatal(err)
	}
	short["model"], short["messages"] = "claude-opus-4-6", short["messages"].([]any)[:20]
	if b, err = json.Marshal(short); err == nil {
		err = os.WriteFile(path, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	next := newWindowOn(t, w.Store())
	next.Add(path)
	next.settle()
	own := newWindow(t)
	own.Add(path)
	own.settle()
	if a, b := next.Planning.Params(), own.Planning.Params(); a.Window != b.Window || a.Fixed != b.Fixed || a.Window == w.Planning.Params().Window {
		t.Errorf("window %d and fixed part %d, of the file %d and %d", a.Window, a.Fixed, b.Window, b.Fixed)
	}
	next.CompactNow()
	next.settle()
	if err := next.Job().Err; err != nil {
		t.Error(err)
	}
	for range 2 {
		next.Undo()
		next.settle()
	}
	if a := next.Planning.Params(); a.Window != own.Planning.Params().Window || len(a.Pins) != 0 {
		t.Errorf("after the undo of a pin: %+v", a)
	}
}

// A pin of a former window is kept by what compacts a history that is not open.
func TestPinsHoldInHistoriesThatAreNotOpen(t *testing.T) {
	w := newWindow(t)
	path := chat(t, 24)
	w.Add(path)
	w.settle()
	w.Planning.TogglePinOf(9)
	w.settle()
	next := newWindowOn(t, w.Store())
	next.Add(chat(t, 5), path)
	next.settle()
	e := next.entry(path)
	if e.Session != nil {
		t.Fatal("it is open")
	}
	p := next.Planning.Params()
	p.Tail = model.Amount{N: 4, Unit: model.Messages}
	next.TryMany([]*Entry{e}, p)
	next.settle()
	next.DoMany()
	next.settle()
	rec := next.Many().Rows[0].Made
	if rec == nil || !slices.ContainsFunc(rec.Runs, func(r model.RecordRun) bool { return r.Fate == model.Pinned.String() && r.From <= 9 && r.To > 9 }) {
		t.Errorf("%+v", rec)
	}
}

// What a person sets before the database is there stays as it was set.
func TestParametersAreNotTakenBackByStepsThatCome(t *testing.T) {
	w := newWindow(t)
	path := chat(t, 24)
	w.Add(path)
	w.settle()
	set := func(w *window, n int) {
		w.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: n, Unit: model.Messages} })
		w.settle()
	}
	set(w, 4)
	late := newWindowOn(t, nil)
	late.Add(path)
	late.settle()
	set(late, 9)
	late.useStore(w.Store())
	late.settle()
	if n := late.Planning.Params().Tail.N; n != 9 || len(late.Steps()) != 2 {
		t.Errorf("a tail of %d after %d steps", n, len(late.Steps()))
	}
}

// A redo that is asked for while the undo before it is under way waits for it, and so
// does an undo behind a redo.
func TestARedoWaitsForTheUndoBeforeIt(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 24))
	w.settle()
	w.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 4, Unit: model.Messages} })
	press := func(can func() bool, do func()) { // a key does nothing while its command can't be done
		if can() {
			do()
		}
	}
	w.CompactNow()
	press(w.CanUndo, w.Undo) // while it is made
	w.settle()
	if n := len(w.Session().Stack()); n != 0 || w.Planning.Params().Tail.N != 4 {
		t.Fatalf("%d records in force after a compaction and an undo, tail %v", n, w.Planning.Params().Tail)
	}
	press(w.CanRedo, w.Redo)
	w.settle()
	press(w.CanUndo, w.Undo)
	press(w.CanRedo, w.Redo)
	w.settle()
	if n := len(w.Session().Stack()); n != 1 {
		t.Fatalf("%d records in force after an undo and a redo", n)
	}
	press(w.CanUndo, w.Undo)
	w.settle()
	press(w.CanRedo, w.Redo)
	press(w.CanUndo, w.Undo)
	w.settle()
	if n := len(w.Session().Stack()); n != 0 {
		t.Fatalf("%d records in force after a redo and an undo", n)
	}
}

// Steps of one history are not undone from another; those of the store are.
func TestStepsBelongToTheirHistory(t *testing.T) {
	w := newWindow(t)
	a, b := chat(t, 20), chat(t, 12)
	w.Add(a)
	w.settle()
	w.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 4, Unit: model.Messages} })
	w.CompactNow()
	w.settle()
	w.Add(b)
	w.settle()
	if w.NextUndo() != nil {
		t.Fatalf("from another history %+v would be undone", w.NextUndo())
	}
	id := w.RecordList.Records()[0].ID
	w.RecordList.DeleteRecords([]string{id})
	w.settle()
	if s := w.NextUndo(); s == nil || s.Kind != undo.Delete || w.RecordList.StoredCount() != 0 {
		t.Fatalf("%+v, %d stored", s, w.RecordList.StoredCount())
	}
	w.Undo()
	w.settle()
	if w.RecordList.StoredCount() != 1 {
		t.Errorf("%d stored after the undo", w.RecordList.StoredCount())
	}
	w.Redo()
	w.settle()
	w.RecordList.EmptyTrash(func(n int, _ int64, err error) {
		if n != 1 || err != nil {
			t.Errorf("%d went, %v", n, err)
		}
	})
	w.settle()
	if w.NextUndo() != nil {
		t.Error("what is deleted for good can be undone")
	}
}

// Deleting a record in force gives the open history back what it took out, as opening
// it again would.
func TestDeletingARecordInForceEndsIt(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 20))
	w.settle()
	w.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 4, Unit: model.Messages} })
	n := w.Planning.Plan().Before.Messages
	w.CompactNow()
	w.settle()
	id := w.RecordList.Records()[0].ID
	if now := w.Planning.Plan().Before.Messages; now >= n {
		t.Fatalf("%d messages after the compaction of %d", now, n)
	}
	w.RecordList.DeleteRecords([]string{id})
	w.settle()
	if s := w.Session().Stack(); len(s) != 0 || w.Planning.Plan().Before.Messages != n {
		t.Errorf("%d records in force after the delete, %d messages of %d", len(s), w.Planning.Plan().Before.Messages, n)
	}
	w.Undo()
	w.settle()
	if s := w.Session().Stack(); len(s) != 1 || s[0].ID != id || w.Planning.Plan().Before.Messages >= n {
		t.Errorf("%d records in force after the undo", len(s))
	}
}

// A text that somebody wrote is there again when the place that it was written at is
// looked at again, and is applied as it was.
func TestAnEditedDraftIsRenewed(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 30))
	w.settle()
	w.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 10, Unit: model.Messages} })
	w.settle()
	n := len(w.Session().Thread().History)
	w.Planning.SetAt(n - 8)
	w.settle()
	w.DraftSet.EditDraft("src/f0.go was read.")
	w.Planning.SetAt(n)
	w.settle()
	if w.DraftSet.Draft() == nil || w.DraftSet.Draft().Edited {
		t.Fatalf("the end of the history has the draft of another place: %+v", w.DraftSet.Draft())
	}
	w.Planning.SetAt(n - 8)
	w.settle()
	if w.DraftSet.Draft() == nil || w.DraftSet.Draft().Text.Text != "src/f0.go was read." {
		t.Fatalf("%+v", w.DraftSet.Draft())
	}
	w.ApplyDraft()
	w.settle()
	if r := w.Job().Record; r == nil || r.Outcome != model.Applied || r.Summary != "src/f0.go was read." {
		t.Fatalf("%+v, %v", r, w.Job().Err)
	}
}

// Where the parameters ask a model and it was not asked, nothing is shown after the drafts were
// discarded, and after that was done again; undo shows what was looked at.
func TestNothingIsShownOfDiscardedDrafts(t *testing.T) {
	w := opened(t)
	w.Planning.Set(func(p *model.Policy) { p.Strategy = model.ModelText })
	w.settle()
	w.DraftSet.TryStrategy(model.Extract)
	w.settle()
	w.DraftSet.EditDraft("In my own words.")
	w.settle()
	edited := w.DraftSet.Draft()
	none := func(when string) {
		t.Helper()
		w.settle()
		if w.DraftSet.Draft() != nil || w.DraftSet.DraftLines() != nil || w.Survival() != nil && !w.Survival().Lower {
			t.Errorf("%s the draft %+v is shown", when, w.DraftSet.Draft())
		}
	}
	w.DraftSet.DiscardDrafts()
	none("discarded,")
	w.Undo()
	w.settle()
	if w.DraftSet.Draft() != edited || w.DraftSet.DraftLines() == nil {
		t.Errorf("after undo: %+v", w.DraftSet.Draft())
	}
	w.Redo()
	none("after redo,")
}

// Undo of a compaction brings back all drafts that there were, and shows the one that was
// looked at, with parameters that ask a model and with those that do not.
func TestUndoOfACompactionBringsTheDraftsBack(t *testing.T) {
	for _, own := range []model.Strategy{model.NoteText, model.ModelText} {
		w := opened(t)
		w.Planning.Set(func(p *model.Policy) { p.Strategy = model.NoteText })
		w.settle()
		w.DraftSet.TryStrategy(model.Extract)
		w.settle()
		w.Planning.Set(func(p *model.Policy) { p.Strategy = own })
		w.settle()
		w.DraftSet.ChooseDraft(1)
		w.settle()
		var before []model.Strategy
		strategies := func() (list []model.Strategy) {
			for _, dr := range w.DraftSet.Drafts() {
				list = append(list, dr.Plan.Policy.Strategy)
			}
			return list
		}
		before = strategies()
		if len(before) != 2 || w.DraftSet.Draft().Plan.Policy.Strategy != model.Extract {
			t.Fatalf("%s: %v, of which %s is shown", own, before, w.DraftSet.Draft().Plan.Policy.Strategy)
		}
		w.ApplyDraft()
		w.settle()
		w.Undo()
		w.settle()
		if now := strategies(); !slices.Equal(now, before) {
			t.Errorf("%s: there were the drafts %v, after the undo there are %v", own, before, now)
		}
		if w.DraftSet.Draft() == nil || w.DraftSet.Draft().Plan.Policy.Strategy != model.Extract {
			t.Errorf("%s: after the undo another draft is shown: %+v", own, w.DraftSet.Draft())
		}
		w.ApplyDraft()
		w.settle()
		if r := w.Job().Record; r == nil || r.Outcome != model.Applied || r.Policy.Strategy != model.Extract {
			t.Errorf("%s: what came back can't be applied: %+v, %v", own, r, w.Job().Err)
		}
	}
}

// The summary of a draft was selected: after the undo it is again, and no message is.
func TestUndoSelectsTheDraftsSummaryOfBefore(t *testing.T) {
	w := opened(t)
	for i := range w.RowCount() {
		if w.Row(i).Kind == session.RowSummary {
			w.SelectRow(i)
		}
	}
	w.ApplyDraft()
	w.settle()
	if i := w.Selected(); i < 0 || w.Row(i).Record == "" {
		t.Fatalf("the summary is not selected but row %d", i)
	}
	w.Undo()
	w.settle()
	if i := w.Selected(); i < 0 || w.Row(i).Kind != session.RowSummary {
		t.Errorf("after the undo row %d is selected, message %d", i, w.SelectedMessage())
	}
}

// A compaction selects its summary; when it is undone, what a person had selected is
// selected again, unless they chose another row meanwhile.
func TestUndoSelectsTheMessageOfBefore(t *testing.T) {
	w := opened(t)
	last := len(w.Session().Thread().History) - 1
	for _, at := range []int{1, last} {
		w.SelectMessage(at)
		w.ApplyDraft()
		w.settle()
		if i := w.Selected(); i < 0 || w.Row(i).Record == "" {
			t.Fatalf("message %d: the summary is not selected but row %d", at, i)
		}
		w.Undo()
		w.settle()
		if got := w.SelectedMessage(); got != at {
			t.Errorf("message %d was selected, after the undo it is %d", at, got)
		}
	}
	w.ApplyDraft()
	w.settle()
	w.SelectMessage(last - 1)
	w.Undo()
	w.settle()
	if got := w.SelectedMessage(); got != last-1 {
		t.Errorf("message %d was chosen meanwhile, after the undo %d is selected", last-1, got)
	}
}
