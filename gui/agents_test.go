package gui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/session/figures"
	"palimpsest/gui/agents"
	"palimpsest/gui/chart"
	"palimpsest/gui/desk"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/internal/realdata"
)

// openCrew shows the agents of the sample that has some.
func openCrew(t *testing.T, s *stage) *desk.Agents {
	t.Helper()
	for _, e := range s.Desk.Entries() {
		if strings.Contains(e.Sample, "crew") {
			s.Desk.Select(e)
		}
	}
	s.settle()
	s.Commands.Run("agents")
	s.settle()
	a := s.Desk.Agents()
	if a == nil || len(a.List) != 5 || len(s.agents.Shown) != 5 {
		t.Fatalf("%+v", a)
	}
	return a
}

// Every call and result that the tasks list is an arrow: it begins in the lane
// of one agent, ends in that of the other, and passes all between.
func TestArrowsGoAcrossTheLanes(t *testing.T) {
	s := newStage(t)
	a := openCrew(t, s)
	p := s.agents
	type arrow struct {
		x    float64
		back bool
	}
	ends := map[arrow][3]int{} // parts: through, caller, called
	for row := range p.Shown {
		for _, x := range agents.LaneArrows(a, p.Shown, p.RowOf, row) {
			n := ends[arrow{x.X, x.Back}]
			n[x.Part]++
			ends[arrow{x.X, x.Back}] = n
			if x.Part == chart.ArrowCalled && x.Label == "" {
				t.Errorf("an arrow to row %d says nothing", row)
			}
		}
	}
	want := map[arrow][3]int{}
	for _, ev := range a.Events() {
		k := arrow{float64(ev.Time), ev.Back}
		n := want[k]
		n[chart.ArrowCaller]++
		n[chart.ArrowCalled]++
		n[chart.ArrowThrough] += p.RowOf[ev.Agent] - p.RowOf[ev.Caller] - 1
		want[k] = n
	}
	for k, n := range want {
		if ends[k] != n {
			t.Errorf("arrow %+v has parts %v, not %v", k, ends[k], n)
		}
	}
	if len(ends) != len(want) || len(want) < 5 {
		t.Errorf("%d kinds of arrows for %d", len(ends), len(want))
	}
}

// A group that speaks in one history is named as such, and its speakers are
// listed; that nobody called anybody is said.
func TestAGroupIsListed(t *testing.T) {
	s := newStage(t, realdata.Files(t, "multi_agent")...)
	groups := 0
	for _, e := range s.Desk.Entries() {
		if e.Sample != "" {
			continue
		}
		groups++
		s.Desk.Select(e)
		s.settle()
		s.Commands.Run("agents")
		s.settle()
		a := s.Desk.Agents()
		if a == nil || len(a.List) != 1 || len(a.List[0].Speakers) < 3 {
			t.Fatalf("%s: %+v", e.Path, a)
		}
		if name := agents.AgentName(&a.List[0]); !strings.Contains(name, a.List[0].Speakers[0].Name+" and ") || s.agents.NoTasks.Text() == "" {
			t.Errorf("%s: %q, %q", e.Path, name, s.agents.NoTasks.Text())
		}
		g := s.agents.Group
		g.Choose(1)
		said := g.Said()
		if len(said) != a.List[0].Speakers[1].Messages || len(said) == 0 || said[0].Tokens == 0 || said[0].First == "" {
			t.Fatalf("%s: %+v", e.Path, said)
		}
		s.sees(a.List[0].Speakers[1].Name, words.T("agents.speakers.said", "agent", a.List[0].Speakers[1].Name))
		heads := 0
		for _, l := range s.agents.Side.Lines {
			if l.Name == a.List[0].Speakers[1].Name {
				heads++
			}
		}
		if heads != 1 {
			t.Errorf("%s: a speaker stands %d times in the pane", e.Path, heads)
		}
		if g.Open(len(said) - 1); s.InSheet() || s.Desk.SelectedMessage() != said[len(said)-1].History {
			t.Errorf("%s: at message %d", e.Path, s.Desk.SelectedMessage()+1)
		}
	}
	if groups != 2 {
		t.Errorf("%d groups were looked at", groups)
	}
}

// The numbers of an agent in the table and in the pane beside it explain themselves.
func TestTheNumbersOfAnAgentHaveCards(t *testing.T) {
	s := newStage(t)
	s.Win.Resize(large)
	due := func() {}
	s.Overlay.After = func(_ time.Duration, f func()) func() { due = f; return func() { due = func() {} } }
	openCrew(t, s)
	a := &s.Desk.Agents().List[0]
	_, part := figures.OfAgentPart(a, a.System, false)
	_, share := figures.OfAgent(a, s.Desk.Planning.Params().Window)
	for _, c := range []struct {
		what, name, value string
		left              bool // in the table
	}{
		{words.T("agents.kind.fixed"), show.UpperFirst(words.T("agents.kind.fixed")), show.FullWords(part), false},
		{words.Figure(share), words.T("figure.name.full"), show.FullWords(share), true},
	} {
		if !s.pointAt(func(text string, p fyne.Position) bool { return text == c.what && c.left == (p.X < large.Width/2) }) {
			t.Fatalf("%s is not shown", c.what)
		}
		due()
		var shown []string
		shownTexts(s.Win.Canvas().Content(), &shown)
		if !slices.Contains(shown, c.name) || !slices.Contains(shown, c.value) {
			t.Errorf("no card says %q, %q", c.name, c.value)
		}
	}
}
