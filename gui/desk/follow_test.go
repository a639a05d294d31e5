package desk

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"palimpsest/compaction/replay"
	"palimpsest/compaction/session/journal"
	"palimpsest/compaction/steps"
	"palimpsest/gui/sched"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

// followWindow is a desk that follows files, whose dispatches a test can wait for.
type followWindow struct {
	*window
	t     *testing.T
	heard chan struct{}
}

func newFollowWindow(t *testing.T) *followWindow {
	t.Helper()
	st, err := store.Open(filepath.Join(t.TempDir(), "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	q := sched.NewQueue()
	f := &followWindow{t: t, heard: make(chan struct{}, 1)}
	f.window = &window{New(func(do func()) {
		q.Dispatch(do)
		select {
		case f.heard <- struct{}{}:
		default:
		}
	}, st), q, map[Topic]int{}}
	t.Cleanup(func() { f.Close(); st.Close() })
	f.Follow(true)
	return f
}

// until lets the window work until something is so: the system reports files
// when it likes.
func (f *followWindow) until(what string, so func() bool) {
	f.t.Helper()
	late := time.After(2 * time.Minute)
	for {
		f.settle()
		if so() {
			return
		}
		select {
		case <-f.heard:
		case <-late:
			f.t.Fatalf("never: %s", what)
		}
	}
}

// log is a session of Claude Code that a test writes.
type agentLog struct {
	t    *testing.T
	path string
	n    int
}

func newLog(t *testing.T, path string, n int) *agentLog {
	t.Helper()
	l := &agentLog{t: t, path: path}
	if err := os.WriteFile(path, []byte(l.lines(n)), 0o666); err != nil {
		t.Fatal(err)
	}
	return l
}

func (l *agentLog) lines(n int) string {
	var b strings.Builder
	for range n {
		parent, role := "null", "user"
		if l.n > 0 {
			parent = fmt.Sprintf(`"m%d"`, l.n-1)
		}
		if l.n%2 == 1 {
			role = "assistant"
		}
		fmt.Fprintf(&b, `{"type":"%s","uuid":"m%d","parentUuid":%s,"sessionId":"s","message":{"id":"a%d","role":"%s","content":"message number %d, %s"}}`+"\n",
			role, l.n, parent, l.n, role, l.n, strings.Repeat("with some words ", 150))
		l.n++
	}
	return b.String()
}

func (l *agentLog) append(n int) {
	l.t.Helper()
	f, err := os.OpenFile(l.path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		l.t.Fatal(err)
	}
	if _, err := f.WriteString(l.lines(n)); err != nil {
		l.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		l.t.Fatal(err)
	}
}

func length(f *followWindow) int {
	if f.Session() == nil {
		return -1
	}
	return len(f.Session().Thread().History)
}

func openLog(t *testing.T, n int) (*followWindow, *agentLog) {
	t.Helper()
	f := newFollowWindow(t)
	l := newLog(t, filepath.Join(t.TempDir(), "s.jsonl"), n)
	f.Add(l.path)
	f.settle()
	if length(f) != n {
		t.Fatalf("%d messages", length(f))
	}
	return f, l
}

func TestAnOpenFileGrows(t *testing.T) {
	f, l := openLog(t, 20)
	f.SelectMessage(7)
	f.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 4, Unit: model.Messages} })
	f.CompactNow()
	f.settle()
	if len(f.Session().Stack()) != 1 {
		t.Fatal("not compacted")
	}
	l.append(3)
	f.until("three more messages", func() bool { return length(f) == 23 })
	e := f.Current()
	if e.New != 3 || e.Messages != 23 || e.Change != transcript.FileSame {
		t.Fatalf("%d new, %d messages, change %d", e.New, e.Messages, e.Change)
	}
	if len(f.Session().Stack()) != 1 || f.Planning.Plan().Line.At() != 23 || f.Planning.Params().Tail.N != 4 || f.NextUndo() == nil {
		t.Fatalf("%d records stand, planned at %d with tail %d", len(f.Session().Stack()), f.Planning.Plan().Line.At(), f.Planning.Params().Tail.N)
	}
	l.append(2)
	f.until("two more", func() bool { return length(f) == 25 })
	if e.New != 5 {
		t.Fatalf("%d new", e.New)
	}
	f.SelectNew()
	if got := f.Row(f.Selected()).Num; got != 21 || e.New != 0 {
		t.Fatalf("at message %d, %d new", got, e.New)
	}
	f.Follow(false)
	l.append(2)
	f.settle()
	f.Follow(true) // looks at once
	f.until("what came meanwhile", func() bool { return length(f) == 27 })
}

// A text written by hand is not lost because the agent goes on.
// A sweep is out of date when pins, other settings than those of its axes, or the history
// change, and not when a cell is taken; what is taken keeps the pins.
func TestASweepIsOutOfDate(t *testing.T) {
	w, log := openLog(t, 40)
	x, y := axes(t)
	w.RunSweep(replay.Axes{x, y}, w.Sweepable(), false)
	w.settle()
	is := func(want, when string) {
		t.Helper()
		w.settle()
		if got := Outdated(w.Desk); got != want {
			t.Errorf("%q %s, want %q", got, when, want)
		}
	}
	is("", "at first")
	w.LoadCell(1)
	is("", "with a cell's parameters")
	w.Planning.TogglePinOf(3)
	is("pins", "with a pin")
	if w.LoadCell(0); len(w.Planning.Params().Pins) == 0 {
		t.Error("the pin is gone with a cell's parameters")
	}
	w.Undo()
	w.Undo()
	is("", "when the pin is taken back")
	w.Planning.Set(func(p *model.Policy) { p.KeepFirstUser = !p.KeepFirstUser })
	is("settings", "with another setting")
	w.Undo()
	is("", "when that is taken back")
	before := length(w)
	log.append(4)
	w.until("the file grows", func() bool { return length(w) > before })
	is("history", "when the file has grown")
	w.RunSweep(replay.Axes{x, y}, w.Sweepable(), false)
	is("", "when it was run again")
}

func TestGrowthWaitsForAnEdit(t *testing.T) {
	f, l := openLog(t, 20)
	f.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 4, Unit: model.Messages} })
	f.settle()
	f.DraftSet.EditDraft("What I wrote.")
	l.append(4)
	f.until("the growth is held back", func() bool { return f.Current().held != nil })
	if length(f) != 20 || f.DraftSet.Draft().Text.Text != "What I wrote." {
		t.Fatalf("%d messages, %q", length(f), f.DraftSet.Draft().Text.Text)
	}
	l.append(2)
	f.ApplyDraft()
	f.until("the growth after applying", func() bool { return length(f) == 26 })
	if stack := f.Session().Stack(); len(stack) != 1 || stack[0].Summary != "What I wrote." {
		t.Fatalf("%d records stand", len(stack))
	}
}

func TestWhatIsNoGrowthIsSaid(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(l *agentLog) error
		want transcript.FileChange
	}{
		{"truncated", func(l *agentLog) error { return os.Truncate(l.path, 1000) }, transcript.FileTruncated},
		{"rewritten", func(l *agentLog) error { return os.WriteFile(l.path, []byte(l.lines(30)), 0o666) }, transcript.FileRewritten},
		{"renamed", func(l *agentLog) error { return os.Rename(l.path, l.path+".old") }, transcript.FileGone},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, l := openLog(t, 6)
			if err := c.do(l); err != nil {
				t.Fatal(err)
			}
			// A file that is written again is empty for a moment: both are true.
			f.until("the change is noticed", func() bool { return f.Current().Change != transcript.FileSame })
			if got := f.Current().Change; got != c.want && (c.want != transcript.FileRewritten || got != transcript.FileTruncated) {
				t.Fatalf("change %d", got)
			}
			if len(f.Notices()) != 1 || f.Notices()[0].Severity != Warning || length(f) != 6 {
				t.Fatalf("%d notices, %d messages", len(f.Notices()), length(f))
			}
			if c.want == transcript.FileRewritten {
				f.Reload()
				f.settle()
				if length(f) != 30 || f.Current().Change != transcript.FileSame || len(f.Notices()) != 0 {
					t.Fatalf("%d messages after reloading", length(f))
				}
				l.append(1)
				f.until("it is followed again", func() bool { return length(f) == 31 })
			}
		})
	}
}

func TestAWatchedFolderListsNewSessions(t *testing.T) {
	f := newFollowWindow(t)
	dir := t.TempDir()
	newLog(t, filepath.Join(dir, "first.jsonl"), 3)
	f.Add(dir)
	f.settle()
	newLog(t, filepath.Join(dir, "second.jsonl"), 5)
	listed := func(path string) func() bool {
		return func() bool {
			for _, e := range f.Entries() {
				if e.Path == path {
					return true
				}
			}
			return false
		}
	}
	f.until("a new file", listed(filepath.Join(dir, "second.jsonl")))
	deep := filepath.Join(dir, "2026", "11")
	if err := os.MkdirAll(deep, 0o777); err != nil {
		t.Fatal(err)
	}
	newLog(t, filepath.Join(deep, "third.jsonl"), 2)
	f.until("a file in a new folder", listed(filepath.Join(deep, "third.jsonl")))
	newLog(t, filepath.Join(deep, "fourth.jsonl"), 2)
	f.until("one more in it", listed(filepath.Join(deep, "fourth.jsonl")))
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	newLog(t, filepath.Join(dir, "fifth.jsonl"), 2)
	f.until("the last", listed(filepath.Join(dir, "fifth.jsonl")))
	if len(f.Entries()) != 5 || f.Current().Path != filepath.Join(dir, "first.jsonl") {
		t.Fatalf("%d entries, at %s", len(f.Entries()), f.Current().Path)
	}
}

// A database that an agent writes to is watched: its compactions and its history
// come into the lists.
func TestADatabaseThatAgentsWriteTo(t *testing.T) {
	f := newFollowWindow(t)
	f.RecordList.LoadRecords()
	f.LoadRecents()
	f.settle()
	other, err := store.Open(f.Store().Path())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	env := steps.Env{Clock: func() time.Time { return time.Unix(1e9, 0) }, Journal: journal.Recorded(other)}
	h, err := steps.Open(t.Context(), "builder", steps.FixedSettings(2, 2, 5000), env)
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= 3; n++ {
		if err := h.Append(t.Context(), n, "think", strings.Repeat("do ", 200), "check"); err != nil {
			t.Fatal(err)
		}
	}
	f.until("the record is listed", func() bool { found, _ := f.RecordList.RecordCount(); return found == 1 })
	f.until("the history is listed", func() bool {
		return slices.ContainsFunc(f.recents, func(r Recent) bool { return r.Path == "conversation:builder" })
	})
}
