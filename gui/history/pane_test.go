package history

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"

	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/sched"
	"palimpsest/model"
)

// A pane without steps says so; a step that was done is listed under its day, and its name is
// on the button that undoes it, or does it again.
func TestThePaneListsSteps(t *testing.T) {
	kit.Use(test.NewTempApp(t), kit.Dark, 1)
	q := sched.NewQueue()
	d := desk.New(q.Dispatch, nil)
	defer d.Close()
	p := New(d, commands.NewCommands([]*commands.Command{{ID: commands.Undo}, {ID: commands.Redo}}))
	if len(p.lines) != 0 || p.none.Text() != "Nothing was changed yet." || p.undo.Text() != "Undo" || p.redo.Text() != "Redo" {
		t.Errorf("%d lines, %q, %q, %q", len(p.lines), p.none.Text(), p.undo.Text(), p.redo.Text())
	}
	path := filepath.Join(t.TempDir(), "a.jsonl")
	text := strings.Repeat(`{"role":"user","content":"Hi"}`+"\n"+`{"role":"assistant","content":"Hello"}`+"\n", 4)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	d.Add(path)
	q.DrainUntilIdle(d.Scheduler())
	d.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 3, Unit: model.Messages} })
	q.DrainUntilIdle(d.Scheduler())
	if len(p.lines) != 2 || p.lines[0].day == "" || p.lines[1].step == nil || p.none.Text() != "" {
		t.Fatalf("the lines are %+v", p.lines)
	}
	if undo := p.undo.Text(); undo == "Undo" || !strings.HasPrefix(undo, "Undo ") || p.redo.Text() != "Redo" {
		t.Errorf("done: %q and %q", undo, p.redo.Text())
	}
	d.Undo()
	q.DrainUntilIdle(d.Scheduler())
	if redo := p.redo.Text(); redo == "Redo" || p.undo.Text() != "Undo" || !p.lines[1].step.Undone {
		t.Errorf("undone: %q and %q", p.undo.Text(), redo)
	}
}

// A day is named by as much of its date as differs from today.
func TestDayWords(t *testing.T) {
	now := time.Now()
	if got, want := dayWords(now), "Today, "+now.Format("01-02"); got != want {
		t.Errorf("today is %q, want %q", got, want)
	}
	if got := dayWords(time.Date(2001, 2, 3, 4, 5, 6, 0, time.Local)); got != "2001-02-03" {
		t.Errorf("another year's day is %q", got)
	}
}
