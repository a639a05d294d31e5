package gui

import (
	"reflect"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/gui/kit"
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
			for _, c := range s.C.List {
				if c.Menu == m && c.Run != nil {
					s.sees(c.Title())
				}
			}
			s.press("Esc")
			s.closed()
		}
		s.D.SetView(session.FullHistory)
		s.C.Run("menu")
		s.press("Esc")
		s.menu.Open(2)
		s.tap(s.C.ByID["viewModel"].Title())
		if s.D.View() != session.ModelSees {
			t.Error("the menu does not change the view")
		}
		s.D.SetView(session.FullHistory)
	})
}

// Rows of one fate are shown alone, and all of them again.
func TestOneFateAlone(t *testing.T) {
	s := newStage(t)
	all := s.D.RowCount()
	s.C.Run("only." + model.Summarised.String())
	s.settle()
	if n := s.D.RowCount(); n == 0 || n >= all || !s.C.Enabled("clearFilter") {
		t.Fatalf("%d rows of %d", n, all)
	}
	s.C.Run("only." + model.Summarised.String())
	s.settle()
	if s.D.RowCount() != all {
		t.Errorf("%d rows of %d", s.D.RowCount(), all)
	}
	s.C.Run("only." + model.Kept.String())
	s.C.Run("clearFilter")
	s.settle()
	if s.D.RowCount() != all || s.C.Enabled("clearFilter") {
		t.Errorf("%d rows of %d", s.D.RowCount(), all)
	}
}

// The keys walk from one typed message to the next, from one mark to the next, and
// no further than the ends.
func TestWalkingThroughAHistory(t *testing.T) {
	s := newStage(t)
	s.D.SelectMessage(s.D.Session().Thread().Found[1].At + 1) // behind two compactions of the file
	at := s.D.Selected()
	s.press("J")
	next := s.D.Selected()
	if next <= at || !s.D.Row(next).Msg.Typed() {
		t.Fatalf("from %d to %d", at, next)
	}
	s.press("K")
	s.press("J")
	if s.D.Selected() != next {
		t.Errorf("there and back is %d, not %d", s.D.Selected(), next)
	}
	s.press("Alt+↑")
	mark := s.D.Selected()
	if mark >= next || s.D.Row(mark).Kind == session.RowMessage {
		t.Errorf("from row %d the mark before is %d", next, mark)
	}
	s.press("Alt+↑")
	s.press("Alt+↓")
	if s.D.Selected() != mark {
		t.Errorf("there and back is row %d, not %d", s.D.Selected(), mark)
	}
	s.D.SelectRow(0)
	s.press("K")
	if s.D.Selected() != 0 {
		t.Errorf("before the first message is %d", s.D.Selected())
	}
}

// Parameters are taken back and brought again, and the plan is made where a person
// looks.
func TestUndoAndThePlaceOfThePlan(t *testing.T) {
	s := newStage(t)
	tail := s.D.Params().Tail
	s.D.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 7, Unit: model.Messages} })
	s.settle()
	s.press("Ctrl+Z")
	if s.D.Params().Tail != tail {
		t.Errorf("undone it is %v", s.D.Params().Tail)
	}
	s.press("Ctrl+Y")
	if s.D.Params().Tail.N != 7 {
		t.Errorf("done again it is %v", s.D.Params().Tail)
	}
	for _, c := range s.C.List {
		if strings.HasPrefix(c.ID, "preset.") {
			c.Run()
			s.settle()
			p, _ := compaction.PresetByID(strings.TrimPrefix(c.ID, "preset."))
			if got := s.D.Params(); got.Strategy != p.Policy.Strategy || got.Tail != p.Policy.Tail || !reflect.DeepEqual(got.Triggers, p.Policy.Triggers) {
				t.Errorf("%s: %+v", c.ID, got)
			}
		}
	}
	end := s.D.Plan().Line.At()
	s.D.SelectMessage(99)
	s.C.Run("planHere")
	s.settle()
	if got := s.D.Plan().Line.At(); got != 100 {
		t.Errorf("planned at %d", got)
	}
	s.C.Run("planEnd")
	s.settle()
	if got := s.D.Plan().Line.At(); got != end {
		t.Errorf("planned at %d, the end is %d", got, end)
	}
}

// Panes go and come back; the theme and the size of the text follow their commands
// and stop at their bounds.
func TestTheLookFollowsItsCommands(t *testing.T) {
	s := newStage(t)
	for id, pane := range map[string]string{"hideSessions": "sessions", "hideParameters": "parameters", "hideChart": "chart"} {
		c := s.C.ByID[id]
		c.Run()
		if !s.Set.Hidden(pane) || c.Checked() {
			t.Errorf("%s leaves the pane", id)
		}
		c.Run()
		if s.Set.Hidden(pane) || !c.Checked() {
			t.Errorf("%s does not bring the pane back", id)
		}
	}
	for _, m := range []kit.Mode{kit.Light, kit.Dark, kit.Auto} {
		s.C.Run("theme." + string(m))
		if s.Set.Mode() != m || !s.C.ByID["theme."+string(m)].Checked() {
			t.Errorf("%s: %s", m, s.Set.Mode())
		}
	}
	for range 30 {
		if s.C.Enabled("textSmaller") {
			s.C.Run("textSmaller")
		}
	}
	if s.Set.Scale() != kit.MinScale || s.C.Enabled("textSmaller") || !s.C.Enabled("textLarger") {
		t.Errorf("scale %v", s.Set.Scale())
	}
	s.C.Run("textNormal")
	if s.Set.Scale() != 1 {
		t.Errorf("scale %v", s.Set.Scale())
	}
}

// Parameters are saved under a name of their own, used again, and deleted.
func TestAPresetOfOnesOwn(t *testing.T) {
	s := newStage(t)
	looks(s, func() {
		s.D.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 9, Unit: model.Messages} })
		s.settle()
		s.C.Run("preview")
		s.settle()
		s.tap(words.T("do.savePreset"))
		s.write("mine") // the field has the keyboard
		s.press("Enter")
		s.closed()
		if own := s.D.Presets(); len(own) != 1 || own[0].Name != "mine" || own[0].Policy.Tail.N != 9 {
			t.Fatalf("%+v", own)
		}
		s.press("Esc")
		s.C.Run("preset.careful")
		s.settle()
		s.tap(show.PresetName(s.D.Params().Preset))
		s.tap("mine")
		if s.D.Params().Preset != "mine" {
			t.Fatalf("preset %q", s.D.Params().Preset)
		}
		s.tap("mine")
		s.tap(words.T("preset.delete", "name", "mine"))
		s.tap(words.T("do.delete"))
		if own := s.D.Presets(); len(own) != 0 {
			t.Errorf("%+v", own)
		}
	})
}
