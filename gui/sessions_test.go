package gui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/desk"
	"palimpsest/gui/dialogs"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// All sessions are in the table; one is renamed and given a star there, and the file
// keeps its name; ticks are counted at the foot and end with the screen.
func TestTheTableOfSessions(t *testing.T) {
	dir := t.TempDir()
	file := sampleFile(t, dir, "lab-notebook.jsonl")
	s := newStage(t, file)
	looks(s, func() {
		s.Commands.Run("sessions")
		s.settle()
		s.sees("lab-notebook.jsonl", words.T("sessions.samples"), words.T("sessions.none"))
		s.press("F2")
		s.write("My notebook") // in the place of the title, which is marked
		s.tap(words.T("rename.do"))
		s.closed()
		s.sees("My notebook", "lab-notebook.jsonl")
		if _, err := os.Stat(file); err != nil {
			t.Error(err)
		}
		f := s.Win.Canvas().Focused().(fyne.Shortcutable)
		f.TypedShortcut(&fyne.ShortcutSelectAll{})
		s.settle()
		s.sees(words.T("range.selected", "count", len(s.Desk.Entries())))
		s.press("Esc")
		s.sees(words.T("sessions.none"))
		s.press("Enter")
		if s.InSheet() || s.Desk.Current().Path != file {
			t.Errorf("at %s", s.Desk.Current().Path)
		}
		s.Desk.Rename(s.Desk.Current(), "")
		s.settle()
	})
}

// Beside the table is what is known of the selected session, with a note of a person's
// own that is kept when another row is looked at, and taken back.
func TestTheSessionBesideTheTable(t *testing.T) {
	s := newStage(t, sampleFile(t, t.TempDir(), "tool-heavy-build.json"))
	s.Commands.Run("sessions")
	s.settle()
	e := s.Desk.Current()
	s.sees(show.Upper(words.T("sessions.about.first")))
	first := s.Win.Canvas().Focused()
	var note *kit.Area
	each(s.Win.Content(), func(o fyne.CanvasObject) {
		if a, ok := o.(*kit.Area); ok {
			note = a
		}
	})
	s.Win.Canvas().Focus(note)
	note.SetText("Units are mixed #units")
	s.Win.Canvas().Focus(first)
	s.settle()
	if e.Note != "Units are mixed #units" {
		t.Fatalf("%q", e.Note)
	}
	s.sees("#units")
	s.press("↑", "↑") // over the head of its folder
	s.settle()
	if note.Text != "" {
		t.Errorf("another session has the note %q", note.Text)
	}
	s.press("↓", "↓")
	s.settle()
	if note.Text != e.Note {
		t.Errorf("%q", note.Text)
	}
	s.Desk.Undo()
	s.settle()
	if e.Note != "" || note.Text != "" {
		t.Errorf("taken back, and %q, %q", e.Note, note.Text)
	}
}

// A table without rows says why, and what to do.
func TestATableWithoutSessions(t *testing.T) {
	s := newStage(t)
	s.Commands.Run("sessions")
	s.settle()
	s.library.Find("qqzzxx")
	s.settle()
	s.sees(words.T("state.noMatch", "filter", "qqzzxx"), words.T("do.clearFilter"))
	s.tap(words.T("do.clearFilter"))
	s.settle()
	n := len(s.Desk.Entries())
	s.LeaveSheet()
	s.Commands.Run("sessions") // its list has the keyboard
	s.settle()
	s.Win.Canvas().Focused().(fyne.Shortcutable).TypedShortcut(&fyne.ShortcutSelectAll{})
	s.settle()
	s.tap(words.T("command.remove"))
	s.settle()
	s.sees(words.T("step.done.remove", "name", words.T("sessions.count", "count", n)), words.T("do.undo"))
	s.sees(words.T("state.noSessions"), words.T("command.openFile"), words.T("sessions.about.none"))
	s.tap(words.T("command.samples"))
	s.settle()
	s.sees("Long coding run")
}

// A note on a message is in its row and in what is known of it.
func TestANoteOnAMessage(t *testing.T) {
	s := newStage(t)
	s.Desk.SelectMessage(400)
	s.settle()
	s.press("m")
	s.write("Look here again")
	s.tap(words.T("do.save"))
	s.closed()
	row := show.RowInWords(show.Of(s.Desk), s.Desk.Row(s.Desk.Selected()))
	if row.Link != words.T("note.row", "note", "Look here again") {
		t.Errorf("%+v", row)
	}
	s.Commands.Run("aboutMessage")
	s.settle()
	s.sees("Look here again", words.T("note.change"))
	if x := s.Desk.NextUndo(); x == nil || show.StepName(x) != words.T("step.note", "name", "#401") {
		t.Errorf("%+v", x)
	}
}

// The ticked sessions are compacted with one record each, as far as they can be, and
// one undo takes all of it back, in the sessions that are open too.
func TestSeveralSessionsAreCompacted(t *testing.T) {
	s := newStage(t)
	open := s.Desk.Session()
	was := len(open.Stack())
	s.Commands.Run("sessions")
	s.settle()
	s.Win.Canvas().Focused().(fyne.Shortcutable).TypedShortcut(&fyne.ShortcutSelectAll{})
	s.settle()
	s.tap(words.T("sessions.compact"))
	s.settle()
	m := s.Desk.Many()
	ready := m.Count(desk.ManyReady)
	if m.Phase != desk.ManyTried || ready < 2 || ready+m.Count(desk.ManyRefused)+m.Count(desk.ManyFailed) != len(s.Desk.Entries()) {
		t.Fatalf("%+v", m)
	}
	records := len(s.Desk.RecordList.Records())
	if steps := len(s.Desk.Steps()); steps != 0 {
		t.Fatalf("looking left %d steps", steps)
	}
	s.tap(words.T("many.do", "count", ready))
	s.settle()
	if n := m.Count(desk.ManyMade); n != ready || m.Step == nil || len(s.Desk.RecordList.Records()) != records+ready || len(open.Stack()) != was+1 {
		t.Fatalf("%d of %d made, %d records, %d on the open stack", n, ready, len(s.Desk.RecordList.Records()), len(open.Stack()))
	}
	if plan := s.Desk.Planning.Plan(); plan.Line.Len() >= len(open.Thread().History) {
		t.Errorf("the plan of the open session has %d entries, as if nothing was compacted", plan.Line.Len())
	}
	s.Desk.Undo()
	s.settle()
	if len(s.Desk.RecordList.Records()) != records || len(open.Stack()) != was {
		t.Errorf("after undo %d records, %d on the open stack", len(s.Desk.RecordList.Records()), len(open.Stack()))
	}
	s.Desk.Redo()
	s.settle()
	if len(s.Desk.RecordList.Records()) != records+ready || len(open.Stack()) != was+1 {
		t.Errorf("after redo %d records, %d on the open stack", len(s.Desk.RecordList.Records()), len(open.Stack()))
	}
}

// The ticked sessions are what a sweep goes over.
func TestSeveralSessionsAreSwept(t *testing.T) {
	s := newStage(t)
	s.Commands.Run("sessions")
	s.settle()
	for _, k := range []fyne.KeyName{fyne.KeySpace, fyne.KeyDown, fyne.KeySpace} {
		s.Win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: k})
		s.settle()
	}
	s.sees(words.T("range.selected", "count", 2))
	s.tap(words.T("sessions.sweep"))
	s.settle()
	w := s.Desk.Sweep()
	if !s.sweep.Visible() || w == nil || len(w.Over) != 2 || w.Err != nil || w.Grid == nil {
		t.Fatalf("%+v", w)
	}
}

// Going to another session and back shows the message that was selected.
func TestASessionIsAsItWasLeft(t *testing.T) {
	s := newStage(t)
	s.Desk.SelectMessage(99)
	first, other := s.Desk.Current(), s.Desk.Entries()[1]
	s.Desk.Select(other)
	s.settle()
	s.Desk.Select(first)
	s.settle()
	if n := s.Desk.SelectedMessage(); n != 99 {
		t.Errorf("at message %d", n+1)
	}
}

// Several rows are selected with Shift, counted at the foot, pinned together and left
// selected, copied, written to a file, and let go with Esc.
func TestSelectingSeveralRows(t *testing.T) {
	s := newStage(t)
	looks(s, func() {
		s.Desk.SelectMessage(40)
		list := s.ledger()
		s.Win.Canvas().Focus(list)
		anchor := list.Selected()
		s.Desk.SelectRow(anchor + 23) // as the list says of a click with Shift
		list.SelectRange(anchor, anchor+23)
		s.settle()
		s.sees(words.T("range.selected", "count", 24))
		s.tap(words.T("range.pin", "n", 24))
		s.sees(words.T("range.unpin", "n", 24), words.T("range.selected", "count", 24))
		s.press("Ctrl+Z")
		s.settle()
		s.sees(words.T("range.pin", "n", 24))
		s.tap(words.T("range.copyAs"))
		s.tap(words.T("range.copyForm", "form", "Markdown"))
		if text := fyne.CurrentApp().Clipboard().Content(); len(text) < 100 {
			t.Errorf("copied %q", text)
		}
		to := filepath.Join(t.TempDir(), "rows.md")
		s.tap(words.T("range.export"))
		s.fill(0, to)
		s.tap(words.T("export.do"))
		s.closed()
		if text, err := os.ReadFile(to); err != nil || len(text) < 100 {
			t.Errorf("%d bytes, %v", len(text), err)
		}
		s.Win.Canvas().Focus(list)
		s.press("Esc")
		if strings.Contains(shown(s.top()), words.T("range.selected", "count", 24)) {
			t.Error("the rows are still selected")
		}
	})
}

// An export that fails leaves the dialog with what was chosen, and says why below the
// path; the file that is written can be taken away again.
func TestAnExportKeepsItsChoices(t *testing.T) {
	s := newStage(t)
	looks(s, func() {
		dialogs.ShowExport(s.Host)
		s.tap(words.T("export.full") + " (" + strings.SplitN(strings.SplitN(shown(s.top()), words.T("export.full")+" (", 2)[1], ")", 2)[0] + ")")
		s.tap("Markdown")
		bad := filepath.Join(t.TempDir(), "no", "such", "folder", "x.md")
		s.fill(0, bad)
		s.tap(words.T("export.do"))
		if s.topDialog() == nil || len(s.Desk.Notices()) != 0 {
			t.Fatal("the dialog is closed")
		}
		s.sees("x.md")
		good := filepath.Join(t.TempDir(), "y.md")
		s.fill(0, good)
		s.tap(words.T("export.do"))
		s.closed()
		if _, err := os.Stat(good); err != nil {
			t.Fatal(err)
		}
		s.tap(words.T("do.undo"))
		if _, err := os.Stat(good); err == nil {
			t.Error("the file is still there")
		}

		// What is previewed is written with a record, and both go.
		n := s.Desk.RecordList.StoredCount()
		dialogs.ShowExport(s.Host)
		s.fill(0, filepath.Join(filepath.Dir(good), "z.jsonl"))
		s.tap(words.T("export.do"))
		s.closed()
		s.settle()
		if got := s.Desk.RecordList.StoredCount(); got != n+1 {
			t.Fatalf("%d records, %d before", got, n)
		}
		s.tap(words.T("do.undo"))
		s.settle()
		if list, _ := os.ReadDir(filepath.Dir(good)); len(list) > 0 || s.Desk.RecordList.StoredCount() != n {
			t.Errorf("%v and %d records are left", list, s.Desk.RecordList.StoredCount())
		}
	})
}

// What is previewed has one size in the preview and in the dialog that writes it, also where
// messages follow, or a compaction of the file does; what the model sees at the end of the
// file that is written is named apart from it.
func TestAnExportSaysThePreviewsSize(t *testing.T) {
	s := newStage(t)
	d, th := s.Desk, s.Desk.Session().Thread() // with compactions of its own
	cut := th.LiveFrom(len(th.History))
	if cut == 0 {
		t.Fatal("the first sample holds no compaction")
	}
	for at, note := range map[int]string{cut - 8: "export.note.held", len(th.History) - 8: "export.note.follow"} {
		d.Planning.SetAt(at)
		s.settle()
		s.Commands.Run("preview")
		s.settle()
		after := show.ContextTokens(d, d.Planning.Plan().After.Tokens, d.Planning.Params().Fixed)
		s.sees(words.T("preview.writes", "count", d.Planning.Plan().After.Messages, "tokens", after))
		dialogs.ShowExport(s.Host)
		end, z := show.ContextTokens(d, d.ExportSize(desk.Previewed).Tokens, d.Planning.Params().Fixed), d.ExportSize(desk.Previewed)
		if end == after {
			t.Fatalf("at %d nothing differs", at)
		}
		s.sees(words.T("export.previewed") + " (" + words.T("export.previewed.at", "tokens", after, "n", at) + ")")
		s.sees(words.T("export.sees.end", "what", words.T("count.messages", "count", z.Messages)+" · "+
			words.T("count.tokens", "count", z.Tokens, "tokens", end)))
		if said := words.T(note, "count", len(th.History)-at); !strings.Contains(strings.Join(strings.Fields(shown(s.top())), " "), said) {
			t.Errorf("%q is not shown", said)
		}
		s.tap(words.T("do.cancel"))
		s.press("Esc")
	}
}

// Nothing is written beside the source where that is a folder of a tool's own.
func TestExportsAvoidTheFoldersOfTools(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	dir := filepath.Join(home, ".claude", "projects", "x")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	s := newStage(t, sampleFile(t, dir, "lab-notebook.jsonl"))
	if got := dialogs.ExportFolder(s.Host); got != home {
		t.Errorf("it goes to %s", got)
	}
}

// What is typed while the list of files has the keyboard is a path or a filter.
func TestTypingInTheFileDialog(t *testing.T) {
	dir := t.TempDir()
	sampleFile(t, dir, "lab-notebook.jsonl")
	sampleFile(t, dir, "mixed-languages.json")
	s := newStage(t)
	looks(s, func() {
		s.Settings.SetFolder(dir)
		s.Commands.Run("openFile")
		s.settle()
		s.write("m")
		s.settle()
		s.sees("mixed-languages.json", words.T("files.hidden", "count", 1))
		s.press("Esc")
		s.press("Esc")
		s.closed()
		s.Commands.Run("openFile")
		s.settle()
		s.write("/")
		s.write(strings.TrimPrefix(dir, "/"))
		s.press("Enter")
		s.sees("lab-notebook.jsonl", words.T("files.count", "count", 2))
		s.press("Esc")
		s.closed()
	})
}

// ledger is the list of messages of the workbench.
func (s *stage) ledger() *kit.Ledger {
	s.t.Helper()
	var found *kit.Ledger
	walk(s.Win.Canvas().Content(), nil, func(o fyne.CanvasObject, _ []fyne.CanvasObject) {
		if l, ok := o.(*kit.Ledger); ok && found == nil {
			found = l
		}
	})
	if found == nil {
		s.t.Fatal("there is no ledger")
	}
	return found
}

// In the least window the list of sessions stays where it is when the other parameters
// are opened: none of them is wider than their pane.
func TestOtherParametersTakeNoRoomFromSessions(t *testing.T) {
	s := newStage(t, sampleFile(t, t.TempDir(), "long-coding-run.jsonl"))
	t.Cleanup(func() { words.Set(words.English) })
	for _, lang := range words.Languages {
		s.setLanguage(lang)
		s.Win.Resize(small)
		s.settle()
		before := s.right.Size().Width
		s.tap(words.T("parameters.all.open"))
		s.settle()
		if now := s.right.Size().Width; now != before {
			t.Errorf("%s: all beside the sessions is %.0f wide, and was %.0f", lang, now, before)
		}
	}
}

// Who comes back to a session finds its rows where they were.
func TestRowsStayWhereTheyWereLeft(t *testing.T) {
	dir := t.TempDir()
	s := newStage(t, sampleFile(t, dir, "long-coding-run.jsonl"), sampleFile(t, dir, "tool-heavy-build.json"))
	files := s.Desk.Entries()
	s.Desk.Select(files[0])
	s.settle()
	s.Desk.SelectMessage(100)
	s.settle()
	l := s.ledger()
	walk(l, nil, func(o fyne.CanvasObject, _ []fyne.CanvasObject) {
		if x, ok := o.(*container.Scroll); ok {
			x.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -3007)})
		}
	})
	want := l.Offset()
	s.Desk.Select(files[1])
	s.settle()
	if l.Offset() == want {
		t.Error("the other session is at the same rows")
	}
	s.Desk.Select(files[0])
	s.settle()
	if got := l.Offset(); got != want || s.Desk.SelectedMessage() != 100 {
		t.Errorf("rows are at %.0f and were at %.0f, message %d is selected", got, want, s.Desk.SelectedMessage()+1)
	}
}
