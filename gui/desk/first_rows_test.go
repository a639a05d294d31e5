package desk

import (
	"path/filepath"
	"testing"
)

// longLog writes a history that is longer than what is read ahead of it: so much
// longer at each try, and not so long that it is sketched. What comes while a
// history is read may come too late where the machine reads it in no time or lets
// the window wait; so a test tries again.
func longLog(t *testing.T, try int) string {
	if try > 20 {
		t.Fatal("what comes while a history is read never came in time")
	}
	path := filepath.Join(t.TempDir(), "long.jsonl")
	newLog(t, path, 3*min(try, 4)*headBytes/2500)
	return path
}

// While a history is read its first messages can be seen, once, and what is seen
// is the beginning of what it then holds.
func TestMessagesAreThereWhileTheyAreRead(t *testing.T) {
	for try := 1; !seenWhileRead(t, longLog(t, try)); try++ {
	}
}

func seenWhileRead(t *testing.T, path string) bool {
	f := newFollowWindow(t)
	type row struct {
		num   int
		first string
	}
	var seen [][]row
	f.Listen(TopicFiles, func() {
		if f.Current() == nil || f.Current().Early == nil {
			return
		}
		y := f.Current().Early
		if f.Session() != nil || f.Planning.Plan() != nil {
			t.Error("something is planned on a history that is not read yet")
		}
		var rows []row
		for i := range y.Len() {
			rows = append(rows, row{y.Row(i).Num, y.Row(i).First})
		}
		seen = append(seen, rows)
	})
	f.Add(path)
	f.settle()
	if f.Current().Early != nil {
		t.Fatal("the beginning is still there when all is read")
	}
	h := f.Session().Thread()
	for _, rows := range seen {
		for i, r := range rows {
			if r.num != i+1 || r.first != h.Messages[h.History[i]].Preview {
				t.Fatalf("row %d was %+v", i, r)
			}
		}
	}
	return len(seen) > 0
}

// Stopping leaves the entry as if nothing had been read, and it can be opened
// again.
func TestStoppedReadingLeavesNothingBehind(t *testing.T) {
	for _, counting := range []bool{false, true} {
		for try := 1; !stoppedWhileRead(t, longLog(t, try), counting); try++ {
		}
	}
}

func stoppedWhileRead(t *testing.T, path string, counting bool) bool {
	f := newFollowWindow(t)
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
		return false
	}
	if e.State != Closed || e.File != nil || e.Session != nil || e.Early != nil || e.Done != 0 || f.Scheduler().Running("open") || f.Scheduler().Running("head") {
		t.Fatalf("counting %v: %+v", counting, e)
	}
	f.Select(e)
	f.settle()
	if e.State != Ready || f.Session() == nil || f.Planning.Plan() == nil {
		t.Fatalf("it does not open again: %+v", e)
	}
	return true
}
