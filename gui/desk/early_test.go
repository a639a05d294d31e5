package desk

import (
	"path/filepath"
	"testing"
)

// longLog writes a history that is longer than what is read ahead of it.
func longLog(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "long.jsonl")
	newLog(t, path, 3*headBytes/2500)
	return path
}

// While a history is read its first messages can be seen, once, and what is seen
// is the beginning of what it then holds.
func TestMessagesAreThereWhileTheyAreRead(t *testing.T) {
	f := newFollowWindow(t)
	type row struct {
		num   int
		first string
	}
	var seen [][]row
	f.Listen(TopicFiles, func() {
		y := f.Current().Early
		if y == nil {
			return
		}
		if f.Session() != nil || f.Plan() != nil {
			t.Error("something is planned on a history that is not read yet")
		}
		var rows []row
		for i := range y.Len() {
			rows = append(rows, row{y.Row(i).Num, y.Row(i).First})
		}
		seen = append(seen, rows)
	})
	f.Add(longLog(t))
	f.settle()
	h := f.Session().Thread()
	if f.Current().Early != nil || len(seen) == 0 {
		t.Fatalf("%d views of the beginning; it is still there: %v", len(seen), f.Current().Early != nil)
	}
	for _, rows := range seen {
		for i, r := range rows {
			if r.num != i+1 || r.first != h.Messages[h.History[i]].Preview {
				t.Fatalf("row %d was %+v", i, r)
			}
		}
	}
}

// Stopping leaves the entry as if nothing had been read, and it can be opened
// again.
func TestStoppedReadingLeavesNothingBehind(t *testing.T) {
	for _, counting := range []bool{false, true} {
		f := newFollowWindow(t)
		path := longLog(t)
		stopped := false
		f.Listen(TopicFiles, func() {
			if e := f.Current(); !stopped && e != nil && e.State == Loading && (!counting || e.Counting) {
				stopped = true
				f.CancelOpen()
			}
		})
		f.Add(path)
		f.settle()
		e := f.Current()
		if !stopped {
			t.Fatal("it was never read")
		}
		if e.State != Closed || e.File != nil || e.Session != nil || e.Early != nil || e.Done != 0 || f.Scheduler().Running("open") || f.Scheduler().Running("head") {
			t.Fatalf("counting %v: %+v", counting, e)
		}
		f.Select(e)
		f.settle()
		if e.State != Ready || f.Session() == nil || f.Plan() == nil {
			t.Fatalf("it does not open again: %+v", e)
		}
	}
}
