package gui

import (
	"strings"
	"testing"

	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// The menu of presets says when each would fire, and what is chosen is one step.
func TestThePresetMenuSaysWhenEachFires(t *testing.T) {
	s := newStage(t)
	p := params(s)
	open := func() string {
		p.Preset.Tapped(nil)
		s.settle()
		if _, ok := s.top().(*kit.Menu); !ok {
			t.Fatalf("%T is open", s.top())
		}
		return s.markup()
	}
	menu := open()
	for _, want := range []string{"fires at 67 %, keeps 2 % · now", "fires at 40 messages, keeps 10 msg · now"} {
		if !strings.Contains(menu, want) {
			t.Errorf("the menu does not say %q", want)
		}
	}
	s.press("Esc")
	s.Desk.Planning.SetAt(30)
	s.Desk.Planning.Set(func(q *model.Policy) { q.Window = 150000 })
	s.settle()
	if menu = open(); !strings.Contains(menu, "keeps 10 msg · in 10 msgs") {
		t.Error("at message 30 the menu is that of the end")
	}
	s.tap(words.T("preset.message-count"))
	if q := s.Desk.Planning.Params(); q.Preset != "message-count" || q.Window != 150000 {
		t.Fatalf("%+v", q)
	}
	s.Desk.Undo()
	s.settle()
	if s.Desk.Planning.Params().Preset == "message-count" {
		t.Error("it is not undone")
	}
}
