package desk

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/gui/state/plan"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// agentSession writes a Claude Code session with the file of an agent it called and the
// file that Claude Code keeps beside that, and returns the folder.
func agentSession(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	line := func(side bool, uuid, parent, role, text string) string {
		p := "null"
		if parent != "" {
			p = `"` + parent + `"`
		}
		return fmt.Sprintf(`{"parentUuid":%s,"isSidechain":%t,"agentId":"a77","userType":"external","cwd":"/src/larch","sessionId":"5e55","version":"2.0.1",`+
			`"type":%q,"message":{"role":%q,"content":%q},"uuid":%q,"timestamp":"2026-11-20T10:00:00.000Z"}`, p, side, role, role, text, uuid)
	}
	write := func(name string, lines ...string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	main := strings.ReplaceAll(line(false, "u1", "", "user", "Fix the scanner"), `"agentId":"a77",`, "")
	write("5e55.jsonl", main, strings.ReplaceAll(line(false, "u2", "u1", "assistant", "Done."), `"agentId":"a77",`, ""))
	write("agent-a77.jsonl", line(true, "s1", "", "user", "Read the spec"), line(true, "s2", "s1", "assistant", "Read."))
	write("agent-a77.meta.json", `{"agentType":"explore"}`)
	return dir
}

// A folder shows the conversation and below it the agents that it called; what a tool
// keeps beside them is no session. The conversation is the one that is opened.
func TestAgentsAreUnderTheirCaller(t *testing.T) {
	w := newWindow(t)
	w.Add(agentSession(t))
	w.settle()
	for _, g := range Groupings {
		w.SetGrouping(g)
		groups, hidden := w.Shelf("", ByTitle)
		if len(groups) == 0 || hidden != 0 || len(groups[0].Entries) != 2 {
			t.Fatalf("%+v, %d hidden", groups, hidden)
		}
		main, agent := groups[0].Entries[0], groups[0].Entries[1]
		if filepath.Base(main.Path) != "5e55.jsonl" || groups[0].Callers[agent] != main || groups[0].Callers[main] != nil {
			t.Errorf("%s, then %s", main.Path, agent.Path)
		}
		if w.Current() != main {
			t.Errorf("%s is open", w.Current().Path)
		}
		if g == ByProject && groups[0].Folder != "/src/larch" {
			t.Errorf("the project is %q", groups[0].Folder)
		}
	}
}

// A title of one's own and a star are kept by the database, and the file keeps its
// name; what is known of files is there before they are looked into again.
func TestNamesAndStarsAreKept(t *testing.T) {
	w := newWindow(t)
	path := chat(t, 6)
	w.Add(path, chat(t, 4))
	w.settle()
	e := w.Entries()[slices.IndexFunc(w.Entries(), func(e *Entry) bool { return e.Path == path })]
	w.Rename(e, " The scanner ")
	w.SetStar(e, true)
	w.settle()
	again := New(w.q.Dispatch, w.Store())
	t.Cleanup(again.Close)
	w.q.DrainUntilIdle(again.Scheduler())
	x := again.entry(path)
	if x.Name != "The scanner" || !x.Star {
		t.Errorf("%+v", x)
	}
	groups, hidden := again.Shelf(Starred, ByAdded)
	if len(groups) != 1 || len(groups[0].Entries) != 1 {
		t.Errorf("%+v, %d hidden", groups, hidden)
	}
	w = newWindowOn(t, w.Store()) // the step outlives the window
	w.settle()
	if s := w.NextUndo(); s == nil || s.Name != "The scanner" {
		t.Errorf("the step names %+v, want the new name", s)
	}
	w.Undo()
	if e = w.entry(path); e.Name != "" {
		t.Errorf("its name was taken back, and is %q", e.Name)
	}
	w.Redo()
	if e.Name != "The scanner" {
		t.Errorf("its name was given again, and is %q", e.Name)
	}
	w.Rename(e, "")
	w.SetStar(e, false)
	w.settle()
	if len(w.marks) != 0 || filepath.Base(e.Path) != filepath.Base(path) {
		t.Errorf("%+v", w.marks)
	}
}

// Histories that are taken off the list come back to their places, the one looked at too.
func TestTakenOffTheListAndBack(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 1), chat(t, 2), chat(t, 3))
	w.settle()
	paths := func() (list []string) {
		for _, e := range w.Entries() {
			list = append(list, e.Path)
		}
		return list
	}
	was, current := paths(), w.Entries()[1]
	w.Select(current)
	w.settle()
	w.SetStar(current, true)
	w.TakeOff(current, w.Entries()[0])
	w.settle()
	if got := paths(); !slices.Equal(got, was[2:]) || w.Current().Path != was[2] {
		t.Fatalf("%q, at %s", got, w.Current().Path)
	}
	w.Undo()
	w.settle()
	if got := paths(); !slices.Equal(got, was) || w.Current().Path != was[1] || w.Session() == nil || !w.Current().Star {
		t.Errorf("%q, at %+v", got, w.Current())
	}
	w.Redo()
	w.settle()
	if got := paths(); !slices.Equal(got, was[2:]) {
		t.Errorf("%q", got)
	}
}

// The most compactions come first, and last where that is turned round.
func TestAnOrderIsTurnedRound(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 1), chat(t, 2), chat(t, 3))
	w.settle()
	for i, e := range w.Entries() {
		e.Found = []int{1, 3, 2}[i]
	}
	for order, want := range map[Order]string{ByFound: "3 2 1", ByFound | Reversed: "1 2 3"} {
		w.SetGrouping(Ungrouped)
		groups, _ := w.Shelf("", order)
		var got []string
		for _, e := range groups[0].Entries {
			got = append(got, fmt.Sprint(e.Found))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("order %d: %s, want %s", order, got, want)
		}
	}
}

// Notes on a session and on its messages are kept by the database, in steps that are taken
// back after a restart too; the words with # in that of the session are its tags.
func TestNotesAreKept(t *testing.T) {
	w := newWindow(t)
	path := chat(t, 6)
	w.Add(path, chat(t, 4))
	w.settle()
	w.Select(w.entry(path))
	w.settle()
	w.SetSessionNote(w.Current(), " Starts before the file is there. #flaky, #watch ")
	w.SetNote([]int{3}, "the first read")
	w.SetNote([]int{2, 3, 4}, "one pair")
	w.SetNote([]int{2}, "one pair") // no step
	w.settle()
	if steps := len(w.Steps()); steps != 3 {
		t.Fatalf("%d steps", steps)
	}
	w = newWindowOn(t, w.Store())
	w.Add(path)
	w.settle()
	notes := func() string {
		return fmt.Sprint(w.Current().Note, "|", w.Note(2), "|", w.Note(3), "|", w.Note(4), "|", w.Note(5))
	}
	for _, x := range []struct {
		do   func()
		want string
	}{
		{func() {}, "Starts before the file is there. #flaky, #watch|one pair|one pair|one pair|"},
		{w.Undo, "Starts before the file is there. #flaky, #watch||the first read||"},
		{w.Undo, "Starts before the file is there. #flaky, #watch||||"},
		{w.Undo, "||||"},
		{func() { w.Redo(); w.Redo(); w.Redo() }, "Starts before the file is there. #flaky, #watch|one pair|one pair|one pair|"},
	} {
		if x.do(); notes() != x.want {
			t.Errorf("%q, want %q", notes(), x.want)
		}
	}
	if tags := w.Current().Tags(); !slices.Equal(tags, []string{"#flaky", "#watch"}) {
		t.Errorf("tags %q", tags)
	}
	if groups, _ := w.Shelf("#watch", ByAdded); len(groups) != 1 || len(groups[0].Entries) != 1 {
		t.Errorf("found by its tag: %+v", groups)
	}
}

// What a file says of itself is seen without opening it, with the records of it.
func TestAnOverviewOpensNothing(t *testing.T) {
	w := newWindow(t)
	path := agentSession(t)
	w.Add(path)
	w.settle()
	main, agent := w.entry(filepath.Join(path, "5e55.jsonl")), w.entry(filepath.Join(path, "agent-a77.jsonl"))
	for _, x := range []struct {
		e    *Entry
		want string
	}{{main, "Fix the scanner"}, {agent, "Read the spec"}} {
		var got *Overview
		was := x.e.State
		w.Overview(x.e, func(g *Overview) { got = g })
		w.settle()
		if got == nil || got.First != x.want || got.End != 2 || x.e.State != was {
			t.Errorf("%s: %+v", x.e.Path, got)
		}
	}
	if agent.State != Closed {
		t.Errorf("the agent's file is in state %d", agent.State)
	}
}

// Rows that are selected together are counted, pinned as one step of the undo, copied
// in three forms, and found by role, tool and size.
func TestRowsSelectedTogether(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 30))
	w.settle()
	w.Planning.Set(at80)
	w.settle()
	w.SetRange(2, 8)
	p, many := w.Range()
	if !many || p.Rows != 6 || len(p.Messages) != 6 || p.Tokens <= 0 || p.Pinned != 0 {
		t.Fatalf("%+v", p)
	}
	sum := int64(0)
	for i := 2; i < 8; i++ {
		sum += int64(w.Row(i).Tokens)
	}
	if p.Tokens != sum {
		t.Errorf("%d tokens, not %d", p.Tokens, sum)
	}
	w.TogglePinSelected()
	w.settle()
	if p = w.Pick(2, 8); p.Pinned != 6 {
		t.Errorf("%d are pinned", p.Pinned)
	}
	w.Undo()
	w.settle()
	if p = w.Pick(2, 8); p.Pinned != 0 {
		t.Errorf("%d are pinned after one undo", p.Pinned)
	}
	for _, as := range []model.Format{"", transcript.FormatMarkdown, transcript.FormatJSON} {
		w.CopyPicked(p.Messages[:2], Copying{As: as}, func(text string, _ int, err error) {
			if err != nil || text == "" {
				t.Errorf("%s: %q, %v", as, text, err)
			}
		})
		w.settle()
	}
	all := w.RowCount()
	w.SetFilter(Filter{Text: "role:user"})
	users := w.RowCount()
	w.SetFilter(Filter{Text: "role:assistant"})
	if users == 0 || users+w.RowCount() > all {
		t.Errorf("%d of users, %d of the model, %d in all", users, w.RowCount(), all)
	}
	w.SetFilter(Filter{Text: "tokens>0", Sort: Largest})
	for i := 1; i < w.RowCount(); i++ {
		if w.Row(i).Tokens > w.Row(i-1).Tokens {
			t.Fatalf("row %d is larger than the one before", i)
		}
	}
	w.SetFilter(Filter{Sort: ByWho})
	if w.RowCount() != all {
		t.Errorf("%d rows of %d in another order", w.RowCount(), all)
	}
	for i := 1; i < w.RowCount(); i++ {
		a, b := w.Row(i-1), w.Row(i)
		if x, y := spoken(a), spoken(b); x > y || x == y && a.Num > b.Num {
			t.Fatalf("row %d (%s, #%d) is behind %s, #%d", i, y, b.Num, x, a.Num)
		}
	}
}

// A preset that was written to a file is read again as it was, beside one of its name
// that has other values; a file that holds none is refused.
func TestPresetsGoThroughFiles(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 30))
	w.settle()
	path := filepath.Join(t.TempDir(), "lean.preset.json")
	w.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 7, Unit: model.Messages} })
	was := plan.Values(w.Planning.Params())
	write := func() (failed error) {
		w.Planning.ExportPreset(path, "lean", func(_ *session.Written, err error) { failed = err })
		w.settle()
		return failed
	}
	if err := write(); err != nil {
		t.Fatal(err)
	}
	if write() == nil {
		t.Error("a file that is there was overwritten")
	}
	w.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 9, Unit: model.Messages} })
	w.settle()
	w.Planning.SavePreset("lean")
	w.settle()
	for range 2 { // the second time it is known
		w.Planning.OpenPreset(path, nil)
		w.settle()
		if q := w.Planning.Params(); !plan.SameValues(was, q) || q.Preset != "lean 2" {
			t.Errorf("%q, %+v", q.Preset, q)
		}
		if n := len(w.Planning.Presets()); n != 2 {
			t.Errorf("%d presets are saved", n)
		}
	}
	bad := filepath.Join(t.TempDir(), "bad.json")
	if err := os.WriteFile(bad, []byte(`{"triggr": []}`), 0o600); err != nil {
		t.Fatal(err)
	}
	w.Planning.OpenPreset(bad, nil)
	w.settle()
	if n := len(w.Notices()); n != 1 || w.Planning.Params().Preset != "lean 2" {
		t.Errorf("%d notices, preset %q", n, w.Planning.Params().Preset)
	}
	shown := map[string]string{"Ausgewogen": "balanced"} // by the name that a person saw it under
	for _, x := range []struct {
		policy model.Policy
		want   string
		saved  int
	}{{compaction.Default(), "balanced", 2}, {was, "Ausgewogen 2", 3}} {
		w.Planning.UsePreset(x.policy)
		w.settle()
		path := filepath.Join(t.TempDir(), "a.json")
		w.Planning.ExportPreset(path, "Ausgewogen", func(_ *session.Written, err error) {
			if err != nil {
				t.Error(err)
			}
		})
		w.settle()
		w.Planning.OpenPreset(path, shown)
		w.settle()
		if q := w.Planning.Params(); q.Preset != x.want || len(w.Planning.Presets()) != x.saved {
			t.Errorf("%q, %d presets are saved, want %q, %d", q.Preset, len(w.Planning.Presets()), x.want, x.saved)
		}
	}
}

// A history is opened at the message that was seen last, and one that is left and
// looked at again is where it was.
func TestAHistoryIsResumed(t *testing.T) {
	w := newWindow(t)
	path, other := chat(t, 30), chat(t, 4)
	w.Resume(path, 61)
	w.Add(path)
	w.settle()
	if n := w.SelectedMessage(); n != 60 {
		t.Errorf("at message %d", n+1)
	}
	w.SelectMessage(20)
	w.Add(other)
	w.settle()
	w.Add(path)
	w.settle()
	if n := w.SelectedMessage(); n != 20 || w.Current().Path != path {
		t.Errorf("at message %d of %s", n+1, w.Current().Path)
	}
}

// A file of the list that can't be read says so before anybody opens it.
func TestAFileThatIsNotThereIsSeen(t *testing.T) {
	w := newWindow(t)
	gone := filepath.Join(t.TempDir(), "gone.jsonl")
	w.Add(chat(t, 4), gone)
	w.settle()
	w.Peek()
	w.settle()
	if e := w.entry(gone); e.State != Unavailable || e.Err == nil {
		t.Errorf("%+v", e)
	}
}
