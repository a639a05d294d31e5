package gui

import (
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// ruleOf finds the shown row of a rule by its name.
func ruleOf(t *testing.T, p *paramPane, name string) *ruleRow {
	t.Helper()
	for _, r := range p.rules.rows[:p.rules.shown] {
		if r.name.Text() == name {
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
		"As set":         {"72 % of 80 %", "~14 to go"},
		"Message count":  {"122/40 messages", "now"},
		"Sliding, fixed": {"53 steps > 5", "now"},
	} {
		if r := ruleOf(t, p, name); r.clause.Text() != want[0] || r.when.Text() != want[1] {
			t.Errorf("%s: %q %q", name, r.clause.Text(), r.when.Text())
		}
	}
	if p.rules.first.Text() != "Sliding, fixed: now" {
		t.Errorf("first is %q", p.rules.first.Text())
	}
	if n := len(compaction.Presets()); p.rules.shown != n { // as set is Balanced, which is not told twice
		t.Errorf("%d rows, %d presets", p.rules.shown, n)
	}
	own := ruleTip(s.d, 1, s.d.Next()[7])
	if !strings.HasPrefix(own, "122 of 40 messages. Fires now: would take messages 360–448 in 3 passes.") {
		t.Errorf("the tip says %q", own)
	}
}

// The distance follows the parameters while a slider is dragged, and the
// position.
func TestRulesAreLive(t *testing.T) {
	s := newStage(t)
	p := params(s)
	s.d.Adjust(func(q *model.Policy) { q.Triggers = []model.Clause{{Share: .9}} })
	s.settle()
	r := ruleOf(t, p, "As set")
	if r.clause.Text() != "72 % of 90 %" || r.when.Text() == "~14 to go" {
		t.Errorf("a moved trigger: %q %q", r.clause.Text(), r.when.Text())
	}
	if ruleOf(t, p, "Balanced").when.Text() != "~14 to go" {
		t.Error("the preset that was left is not told")
	}
	s.d.SetAt(30)
	s.settle()
	if r := ruleOf(t, p, "Message count"); r.clause.Text() != "30/40 messages" || r.when.Text() != "10 to go" {
		t.Errorf("at message 30: %q %q", r.clause.Text(), r.when.Text())
	}
	s.d.Set(func(q *model.Policy) { q.Window = 0 })
	s.settle()
	if r := ruleOf(t, p, "As set"); r.clause.Text() != "window unknown" || r.when.Text() != "–" {
		t.Errorf("an unknown window: %q %q", r.clause.Text(), r.when.Text())
	}
}

func TestAPressedRuleIsTakenOverAndCanBeUndone(t *testing.T) {
	s := newStage(t)
	p := params(s)
	s.d.Set(func(q *model.Policy) { q.Window, q.Pins = 150000, []model.Range{{From: 400, To: 401}} })
	s.settle()
	before := s.d.Params()
	ruleOf(t, p, "Message count").obj.Tapped(nil)
	s.settle()
	q := s.d.Params()
	if q.Preset != "message-count" || q.Window != 150000 || len(q.Pins) != 1 || s.d.Modified() {
		t.Fatalf("%+v", q)
	}
	if r := ruleOf(t, p, "As set"); r.clause.Text() != "122/40 messages" || !r.obj.Disabled() {
		t.Errorf("as set: %q, disabled %v", r.clause.Text(), r.obj.Disabled())
	}
	s.d.Undo()
	s.settle()
	if got := s.d.Params(); got.Preset != before.Preset || got.Triggers[0] != before.Triggers[0] {
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
				s.d.SetAt(at)
				s.d.Set(func(q *model.Policy) { q.Window = window })
				s.settle()
				for i, r := range s.d.Next() {
					for _, text := range []string{ruleName(i, r), clauseShort(s.d, r), whenShort(r), ruleTip(s.d, i, r)} {
						if text == "" || strings.Contains(text, "rules.") || strings.Contains(text, "reason.") || strings.Contains(text, "<no value>") {
							t.Errorf("%s, rule %d at %d: %q", lang, i, at, text)
						}
					}
				}
			}
		}
	}
}
