package gui

import (
	"slices"
	"strings"
	"testing"

	"palimpsest/compaction/session"
	"palimpsest/gui/study"
	"palimpsest/model"
)

// The sheet holds the engine's prompt at the message looked at, with what the last
// compaction changed, and follows the parameters.
func TestThePromptOfTheAgent(t *testing.T) {
	s := newStage(t)
	p := study.NewPromptSheet(s.Desk, s.Commands)
	p.Show()
	s.settle()
	same := func() int {
		t.Helper()
		want, err := s.Desk.Session().Insight.Prompt(t.Context(), s.Desk.Planning.Params(), s.Desk.Session().At(), false)
		if err != nil {
			t.Fatal(err)
		}
		if p.Shown == nil || p.Shown.Text != want.Text || !strings.Contains(p.Head.Text(), "so far") {
			t.Errorf("%q: the sheet holds another prompt", p.Head.Text())
		}
		return want.Firings
	}
	before := same()
	s.Desk.Planning.Set(func(q *model.Policy) {
		q.Triggers, q.Tail = []model.Clause{{Share: .3}}, model.Amount{N: 4, Unit: model.Messages}
	})
	s.settle()
	if after := same(); after <= before {
		t.Errorf("%d compactions, %d before", after, before)
	}
	whole := p.Text
	for i := range p.Part.Len() {
		p.Part.Choose(i)
		s.settle()
		if p.Text != whole && len(p.Text) >= len(whole) {
			t.Errorf("part %d holds %d characters of %d", i, len(p.Text), len(whole))
		}
	}
	p.Part.Choose(1)
	s.settle()
	if want, _ := p.Shown.View(session.PromptView{Summaries: true}); p.Text != want || want == "" {
		t.Errorf("the summaries alone are %q", p.Text)
	}
	p.Part.Choose(0)
	s.settle()
	for _, e := range p.Shown.Entries {
		if e.Role != "user" && e.Role != "assistant" && e.Role != "tool" && e.Role != "system" {
			t.Errorf("role %q", e.Role)
		}
	}
	if !slices.ContainsFunc(p.Shown.Entries, func(e session.PromptEntry) bool { return e.Changed }) {
		t.Error("nothing is marked")
	}
}
