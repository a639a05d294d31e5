package gui

import (
	"reflect"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/sched"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// Every menu lists its commands; a line of it does what the command does, and a
// line that can't be chosen now does nothing.
func TestMenusListAndRunTheirCommands(t *testing.T) {
	s := newStage(t)
	looks(s, func() {
		for i, m := range menus {
			s.menu.Open(i)
			s.settle()
			for id := range strings.FieldsSeq(m.commands) {
				if c := s.Commands.ByID[id]; id != "|" {
					s.sees(c.Title())
				}
			}
			s.press("Esc")
			s.closed()
		}
		s.Desk.Planning.SetView(session.FullHistory)
		s.Commands.Run("menu")
		s.press("Esc")
		s.menu.Open(2)
		s.tap(s.Commands.ByID["flip"].Title())
		if s.Desk.Planning.View() != session.ModelSees {
			t.Error("the menu does not change the view")
		}
		s.Desk.Planning.SetView(session.FullHistory)
	})
}

// Rows of one fate are shown alone, and all of them again.
func TestOneFateAlone(t *testing.T) {
	s := newStage(t)
	all := s.Desk.RowCount()
	s.Commands.Run("only." + model.Summarised.String())
	s.settle()
	if n := s.Desk.RowCount(); n == 0 || n >= all || !s.Commands.Enabled("clearFilter") {
		t.Fatalf("%d rows of %d", n, all)
	}
	s.Commands.Run("only." + model.Summarised.String())
	s.settle()
	if s.Desk.RowCount() != all {
		t.Errorf("%d rows of %d", s.Desk.RowCount(), all)
	}
	s.Commands.Run("only." + model.Kept.String())
	s.Commands.Run("clearFilter")
	s.settle()
	if s.Desk.RowCount() != all || s.Commands.Enabled("clearFilter") {
		t.Errorf("%d rows of %d", s.Desk.RowCount(), all)
	}
}

// The keys walk from one typed message to the next, from one mark to the next, and
// no further than the ends.
func TestWalkingThroughAHistory(t *testing.T) {
	s := newStage(t)
	s.Desk.SelectMessage(s.Desk.Session().Thread().Found[1].At + 1) // behind two compactions of the file
	at := s.Desk.Selected()
	s.press("J")
	next := s.Desk.Selected()
	if next <= at || !s.Desk.Row(next).Msg.Typed() {
		t.Fatalf("from %d to %d", at, next)
	}
	s.press("K")
	s.press("J")
	if s.Desk.Selected() != next {
		t.Errorf("there and back is %d, not %d", s.Desk.Selected(), next)
	}
	s.press("Alt+↑")
	mark := s.Desk.Selected()
	if mark >= next || s.Desk.Row(mark).Kind == session.RowMessage {
		t.Errorf("from row %d the mark before is %d", next, mark)
	}
	s.press("Alt+↑")
	s.press("Alt+↓")
	if s.Desk.Selected() != mark {
		t.Errorf("there and back is row %d, not %d", s.Desk.Selected(), mark)
	}
	s.Desk.SelectRow(0)
	s.press("K")
	if s.Desk.Selected() != 0 {
		t.Errorf("before the first message is %d", s.Desk.Selected())
	}
}

// Parameters are taken back and brought again, and the plan is made where a person
// looks.
func TestUndoAndThePlaceOfThePlan(t *testing.T) {
	s := newStage(t)
	tail := s.Desk.Planning.Params().Tail
	s.Desk.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 7, Unit: model.Messages} })
	s.settle()
	s.press("Ctrl+Z")
	if s.Desk.Planning.Params().Tail != tail {
		t.Errorf("undone it is %v", s.Desk.Planning.Params().Tail)
	}
	s.press("Ctrl+Y")
	if s.Desk.Planning.Params().Tail.N != 7 {
		t.Errorf("done again it is %v", s.Desk.Planning.Params().Tail)
	}
	for _, c := range s.Commands.List {
		if strings.HasPrefix(c.ID, "preset.") {
			c.Run()
			s.settle()
			p, _ := compaction.PresetByID(strings.TrimPrefix(c.ID, "preset."))
			if got := s.Desk.Planning.Params(); got.Strategy != p.Policy.Strategy || got.Tail != p.Policy.Tail || !reflect.DeepEqual(got.Triggers, p.Policy.Triggers) {
				t.Errorf("%s: %+v", c.ID, got)
			}
		}
	}
	end := s.Desk.Planning.Plan().Line.At()
	s.Desk.SelectMessage(99)
	s.Commands.Run("planHere")
	s.settle()
	if got := s.Desk.Planning.Plan().Line.At(); got != 100 {
		t.Errorf("planned at %d", got)
	}
	s.Commands.Run("planEnd")
	s.settle()
	if got := s.Desk.Planning.Plan().Line.At(); got != end {
		t.Errorf("planned at %d, the end is %d", got, end)
	}
}

// Panes go and come back; the theme and the size of the text follow their commands
// and stop at their bounds.
func TestTheLookFollowsItsCommands(t *testing.T) {
	s := newStage(t)
	for id, pane := range map[string]string{"hideSessions": "sessions", "hideParameters": "parameters", "hideChart": "chart"} {
		c := s.Commands.ByID[id]
		c.Run()
		if !s.Settings.Hidden(pane) || c.Checked() {
			t.Errorf("%s leaves the pane", id)
		}
		c.Run()
		if s.Settings.Hidden(pane) || !c.Checked() {
			t.Errorf("%s does not bring the pane back", id)
		}
	}
	for _, m := range []kit.Mode{kit.Light, kit.Dark, kit.Auto} {
		s.Commands.Run("theme." + string(m))
		if s.Settings.Mode() != m || !s.Commands.ByID["theme."+string(m)].Checked() {
			t.Errorf("%s: %s", m, s.Settings.Mode())
		}
	}
	for range 30 {
		if s.Commands.Enabled("textSmaller") {
			s.Commands.Run("textSmaller")
		}
	}
	if s.Settings.Scale() != kit.MinScale || s.Commands.Enabled("textSmaller") || !s.Commands.Enabled("textLarger") {
		t.Errorf("scale %v", s.Settings.Scale())
	}
	s.Commands.Run("textNormal")
	if s.Settings.Scale() != 1 {
		t.Errorf("scale %v", s.Settings.Scale())
	}
}

// Parameters are saved under a name of their own, used again, and deleted.
func TestAPresetOfOnesOwn(t *testing.T) {
	s := newStage(t)
	looks(s, func() {
		s.Desk.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 9, Unit: model.Messages} })
		s.settle()
		s.Commands.Run("preview")
		s.settle()
		s.tap(words.T("do.savePreset"))
		s.write("mine") // the field has the keyboard
		s.press("Enter")
		s.closed()
		if own := s.Desk.Planning.Presets(); len(own) != 1 || own[0].Name != "mine" || own[0].Policy.Tail.N != 9 {
			t.Fatalf("%+v", own)
		}
		s.press("Esc")
		s.Commands.Run("preset.careful")
		s.settle()
		s.tap(show.PresetName(s.Desk.Planning.Params().Preset))
		s.tap("mine")
		if s.Desk.Planning.Params().Preset != "mine" {
			t.Fatalf("preset %q", s.Desk.Planning.Params().Preset)
		}
		s.tap("mine")
		s.tap(words.T("preset.delete", "name", "mine"))
		s.tap(words.T("do.delete"))
		if own := s.Desk.Planning.Presets(); len(own) != 0 {
			t.Errorf("%+v", own)
		}
	})
}

// A preset that is chosen by its command is that preset, not values of one's own.
func TestAPresetByCommandKeepsItsName(t *testing.T) {
	s := newStage(t, sampleFile(t, t.TempDir(), "long-coding-run.jsonl"))
	s.Commands.Run("preset.careful")
	s.settle()
	if p := s.Desk.Planning.Params(); p.Preset != "careful" || s.Desk.Planning.Modified() {
		t.Errorf("the preset is %q, modified %v", p.Preset, s.Desk.Planning.Modified())
	}
}

// The window begins with the parameters that its history had when it was closed, and
// takes back the last change of them.
func TestParametersOutliveTheWindow(t *testing.T) {
	s := newStage(t, sampleFile(t, t.TempDir(), "long-coding-run.jsonl"))
	s.Commands.Run("preset.careful")
	s.Desk.Planning.Set(func(p *model.Policy) { p.Strategy = model.StructuredTable })
	s.settle()
	remember(s.window)
	q := sched.NewQueue()
	d := desk.New(q.Dispatch, s.Desk.Store())
	t.Cleanup(func() { d.Close() })
	next := &stage{newWindow(s.App, d, s.Settings, Options{Store: s.Desk.Store()}), q, t}
	next.begin()
	next.settle()
	if p := next.Desk.Planning.Params(); p.Preset != "careful" || p.Strategy != model.StructuredTable || p.Window != s.Desk.Planning.Params().Window {
		t.Errorf("the next window begins with %+v", p)
	}
	next.Desk.Undo()
	next.settle()
	if p := next.Desk.Planning.Params(); p.Preset != "careful" || p.Strategy == model.StructuredTable || next.Desk.Planning.Modified() {
		t.Errorf("after the undo %+v", p)
	}
}
