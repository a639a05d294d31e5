package gui

import (
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/gui/workbench"
	"palimpsest/model"
)

// ruleOf finds the shown row of a rule by its name.
func ruleOf(t *testing.T, p *workbench.ParamPane, name string) *workbench.RuleRow {
	t.Helper()
	for _, r := range p.Rules.Rows[:p.Rules.Shown] {
		if r.Name.Text() == name {
			return r
		}
	}
	t.Fatalf("no rule %q", name)
	return nil
}

func TestRulesTellMeasureAndDistance(t *testing.T) {
	s := newStage(t)
	p := params(s)
	for name, want := range map[string][2]string{
		"As set":         {"72 % of 80 %", "in ~15 msgs"},
		"Message count":  {"122/40 messages", "now"},
		"Sliding, fixed": {"53 steps, limit 5", "now"},
	} {
		if r := ruleOf(t, p, name); r.Clause.Text() != want[0] || r.When.Text() != want[1] {
			t.Errorf("%s: %q %q", name, r.Clause.Text(), r.When.Text())
		}
	}
	if p.Rules.First.Text() != "Sliding, fixed (now)" {
		t.Errorf("first is %q", p.Rules.First.Text())
	}
	if n := len(compaction.Presets()); p.Rules.Shown != n { // as set is Balanced, which is not told twice
		t.Errorf("%d rows, %d presets", p.Rules.Shown, n)
	}
	own := show.RuleTip(s.Desk, s.Desk.Next()[7])
	if !strings.HasPrefix(own, "122 of 40 messages. Fires now: would take messages 360–448 in 3 passes.") {
		t.Errorf("the tip says %q", own)
	}
}

// The distance follows the parameters while a slider is dragged, and the
// position.
func TestRulesAreLive(t *testing.T) {
	s := newStage(t)
	p := params(s)
	s.Desk.Adjust(func(q *model.Policy) { q.Triggers = []model.Clause{{Share: .9}} })
	s.settle()
	r := ruleOf(t, p, "As set")
	if r.Clause.Text() != "72 % of 90 %" || r.When.Text() == "in ~15 msgs" {
		t.Errorf("a moved trigger: %q %q", r.Clause.Text(), r.When.Text())
	}
	if ruleOf(t, p, "Balanced").When.Text() != "in ~15 msgs" {
		t.Error("the preset that was left is not told")
	}
	s.Desk.SetAt(30)
	s.settle()
	if r := ruleOf(t, p, "Message count"); r.Clause.Text() != "30/40 messages" || r.When.Text() != "in 10 msgs" {
		t.Errorf("at message 30: %q %q", r.Clause.Text(), r.When.Text())
	}
	s.Desk.Set(func(q *model.Policy) { q.Window = 0 })
	s.settle()
	if r := ruleOf(t, p, "As set"); r.Clause.Text() != "context window unknown" || r.When.Text() != "–" {
		t.Errorf("an unknown window: %q %q", r.Clause.Text(), r.When.Text())
	}
}

func TestAPressedRuleIsTakenOverAndCanBeUndone(t *testing.T) {
	s := newStage(t)
	p := params(s)
	s.Desk.Set(func(q *model.Policy) { q.Window, q.Pins = 150000, []model.Range{{From: 400, To: 401}} })
	s.settle()
	before := s.Desk.Params()
	ruleOf(t, p, "Message count").Obj.Tapped(nil)
	s.settle()
	if got := s.Desk.Params(); got.Preset != before.Preset {
		t.Fatal("a click on the row took the preset over")
	}
	ruleOf(t, p, "Message count").Use.Tapped(nil)
	s.settle()
	q := s.Desk.Params()
	if q.Preset != "message-count" || q.Window != 150000 || len(q.Pins) != 1 || s.Desk.Modified() {
		t.Fatalf("%+v", q)
	}
	if r := ruleOf(t, p, "As set"); r.Clause.Text() != "122/40 messages" || r.Use.Visible() {
		t.Errorf("as set: %q, use shown %v", r.Clause.Text(), r.Use.Visible())
	}
	s.Desk.Undo()
	s.settle()
	if got := s.Desk.Params(); got.Preset != before.Preset || got.Triggers[0] != before.Triggers[0] {
		t.Errorf("undone to %+v", got)
	}
}

// Every rule has words for what it would do, in both languages, whatever it is.
func TestRulesHaveWords(t *testing.T) {
	s := newStage(t)
	defer words.Set(words.English)
	for _, lang := range words.Languages {
		words.Set(lang)
		for _, at := range []int{0, 30, 480} {
			for _, window := range []int{0, 200000} {
				s.Desk.SetAt(at)
				s.Desk.Set(func(q *model.Policy) { q.Window = window })
				s.settle()
				for i, r := range s.Desk.Next() {
					for _, text := range []string{show.RuleName(i, r), show.ClauseShort(s.Desk, r), show.WhenShort(r), show.RuleTip(s.Desk, r)} {
						if text == "" || strings.Contains(text, "rules.") || strings.Contains(text, "reason.") || strings.Contains(text, "<no value>") {
							t.Errorf("%s, rule %d at %d: %q", lang, i, at, text)
						}
					}
				}
			}
		}
	}
}
