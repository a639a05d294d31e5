package desk

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
	"palimpsest/model"
	"palimpsest/model/store"
)

// window is a desk driven by a test: what it dispatches waits until settle.
type window struct {
	*Desk
	q     *sched.Queue
	heard map[Topic]int
}

func newWindow(t testing.TB) *window {
	t.Helper()
	st, err := store.Open(filepath.Join(t.TempDir(), "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return newWindowOn(t, st)
}

// newWindowOn is another window on a store.
func newWindowOn(t testing.TB, st *store.Store) *window {
	t.Helper()
	q := sched.NewQueue()
	w := &window{New(q.Dispatch, st), q, map[Topic]int{}}
	for k := range topics {
		w.Listen(k, func() { w.heard[k]++ })
	}
	t.Cleanup(func() { w.Close() })
	return w
}

// settle runs what waits until nothing is under way any more.
func (w *window) settle() { w.q.DrainUntilIdle(w.Scheduler()) }

// chat writes a history of n exchanges with tool calls.
func chat(t *testing.T, n int) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(`{"model":"gpt-4o","messages":[{"role":"system","content":"You are careful."}`)
	for i := range n {
		fmt.Fprintf(&b, `,{"role":"user","content":"Please look at file number %d and tell me what it holds."}`, i)
		fmt.Fprintf(&b, `,{"role":"assistant","content":null,"tool_calls":[{"id":"c%d","type":"function","function":{"name":"read_file","arguments":"{\"path\":\"src/f%d.go\"}"}}]}`, i, i)
		fmt.Fprintf(&b, `,{"role":"tool","tool_call_id":"c%d","content":%q}`, i, strings.Repeat("package main // some source text\n", 40))
		fmt.Fprintf(&b, `,{"role":"assistant","content":"File %d holds a package clause, repeated forty times."}`, i)
	}
	b.WriteString("]}\n")
	path := filepath.Join(t.TempDir(), "chat.json")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOpenTuneCompactRestoreExport(t *testing.T) {
	w := newWindow(t)
	path := chat(t, 30)
	w.Add(path)
	w.settle()
	if w.Session() == nil || w.Current().Messages != 121 || w.Planning.Plan() == nil {
		t.Fatalf("not open: %+v, notices %v", w.Current(), w.Notices())
	}
	w.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 10, Unit: model.Messages} })
	w.settle()
	if w.DraftSet.Draft() == nil || w.Planning.Plan().Outcome != compaction.WouldApply || w.Planning.Plan().After.Messages >= 121 {
		t.Fatalf("no draft: %+v", w.Planning.Plan())
	}
	preview := w.DraftSet.Draft().Text.Text
	w.ApplyDraft()
	w.settle()
	if j := w.Job(); j.Err != nil || j.Record == nil || j.Record.Outcome != model.Applied || j.Record.Summary != preview {
		t.Fatalf("applied something else than was previewed: %+v", j)
	}
	if len(w.RecordList.Records()) != 1 || len(w.Session().Stack()) != 1 {
		t.Fatalf("%d records, %d on the stack", len(w.RecordList.Records()), len(w.Session().Stack()))
	}

	out := filepath.Join(t.TempDir(), "out.json")
	var failed error
	w.Export(Export{Output: session.Output{Path: out}, Format: w.Session().File().Doc.Format}, func(_ *session.Written, err error) { failed = err })
	w.settle()
	if failed != nil {
		t.Fatal(failed)
	}
	w.Export(Export{Output: session.Output{Path: out}, Format: w.Session().File().Doc.Format}, func(_ *session.Written, err error) { failed = err })
	w.settle()
	var p *model.Problem
	if !errors.As(failed, &p) || p.Code != "exists" {
		t.Fatalf("a file was overwritten unasked: %v", failed)
	}

	w.RecordView.Restore(w.RecordList.Records()[0].ID)
	w.settle()
	if len(w.Session().Stack()) != 0 || w.Planning.Plan().Before.Messages != 121 {
		t.Fatalf("not restored: %d messages live", w.Planning.Plan().Before.Messages)
	}
}

// What was applied is there again when the history is opened again.
func TestTheStackOutlivesTheWindow(t *testing.T) {
	w := newWindow(t)
	path := chat(t, 20)
	w.Add(path)
	w.settle()
	w.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 4, Unit: model.Messages} })
	w.CompactNow()
	w.settle()
	want := w.Planning.Plan().Before
	w.Remove(w.Current())
	w.settle()
	w.Add(path)
	w.settle()
	if got := w.Planning.Plan().Before; got != want || got.Messages >= 81 {
		t.Fatalf("%+v live again, %+v before closing", got, want)
	}
}

func TestADragIsOneUndoStep(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 10))
	w.settle()
	before := w.Planning.Params()
	for n := range 20 {
		w.Planning.Adjust(func(p *model.Policy) { p.Tail = model.Amount{N: 100 + n, Unit: model.Tokens} })
	}
	w.Planning.Commit()
	w.Undo()
	w.settle()
	if w.Planning.Params().Tail != before.Tail {
		t.Fatalf("tail %+v after undo, %+v before", w.Planning.Params().Tail, before.Tail)
	}
	w.Redo()
	if w.Planning.Params().Tail.N != 119 {
		t.Fatal("redo")
	}
}

func TestFilterKeepsTheSelectedMessage(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 10))
	w.settle()
	w.SelectMessage(20)
	if got := w.Row(w.Selected()).Num; got != 21 {
		t.Fatalf("message %d selected", got)
	}
	w.SetFilter(Filter{Text: "tool:read_file"})
	if w.RowCount() != 20 { // ten calls and their results
		t.Fatalf("%d rows call read_file", w.RowCount())
	}
	w.SetFilter(Filter{})
	if w.RowCount() < 41 {
		t.Fatal("the filter stays")
	}
}

// A message that is asked for is shown, whatever hid it: the next key must not act on
// another one.
func TestWhatIsAskedForIsShown(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 10))
	w.settle()
	w.SetFilter(Filter{Text: "tool:read_file"})
	w.SelectMessage(0)
	if got := w.Row(w.Selected()).Num; got != 1 || w.Filter().Hides() {
		t.Errorf("message %d is selected, the filter is %+v", got, w.Filter())
	}
	w.Planning.SetAt(4)
	w.settle()
	w.Planning.SetView(session.ModelSees)
	w.settle()
	w.SelectMessage(20)
	if got := w.Row(w.Selected()).Num; got != 21 {
		t.Errorf("message %d is selected behind the plan's place", got)
	}
	w.SetFilter(Filter{Text: "tool:read_file"})
	w.SelectNear(0)
	if !w.Filter().Hides() {
		t.Error("a place in the chart lifts the filter")
	}
}

func TestBadFilesSayWhy(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"empty.jsonl": "", "binary.json": "PK\x03\x04rest", "text.json": "hello", "other.json": `{"a":1}`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWindow(t)
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			w.Add(path)
			w.settle()
			var p *model.Problem
			if w.Current().State != Unavailable || !errors.As(w.Current().Err, &p) || p.What == "" || p.Next == "" {
				t.Fatalf("%+v %v", w.Current(), w.Notices())
			}
		})
	}
}

// A filter and the selected row belong to the history they were chosen on.
func TestSwitchingResetsTheRows(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 20))
	w.settle()
	w.SetFilter(Filter{Text: "tool:read_file"})
	w.SelectRow(5)
	w.settle()
	w.Add(chat(t, 3))
	if w.settle(); w.Filter() != (Filter{}) || w.RowCount() != w.LedgerLen() || w.Selected() != 0 {
		t.Fatalf("filter %v, %d of %d rows, row %d", w.Filter(), w.RowCount(), w.LedgerLen(), w.Selected())
	}
}
