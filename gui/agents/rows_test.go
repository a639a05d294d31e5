package agents

import (
	"slices"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/session"
	"palimpsest/gui/chart"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/model"
)

// crew is a main agent that called two others, of which the first has returned.
func crew() []session.Agent {
	return []session.Agent{
		{Parent: -1, From: 1_000, To: 9_000, Usage: make([]session.AgentCall, 3)},
		{Parent: 0, ID: "a1", Name: "reviewer", From: 2_000, To: 5_000, Usage: make([]session.AgentCall, 5),
			Tasks: []session.Task{{Caller: 0, Called: 4, CalledAt: 2_000, Returned: 7, BackAt: 5_000, Asked: "Look at the parser and say what could be wrong in it, please"}}},
		{Parent: 0, ID: "a2", Tasks: []session.Task{{Caller: 0, Called: 8, CalledAt: 6_000}}},
	}
}

// An agent has a name that differs from those of others of its kind, and the state that its task has
// where its program records none.
func TestNamesAndStatesOfAgents(t *testing.T) {
	list := crew()
	list = append(list, session.Agent{Parent: -1, Speakers: []session.Speaker{{Name: "Ann"}, {Name: "Bo"}, {Name: "Cy"}}},
		session.Agent{Parent: 0, Name: "B", Recorded: &model.AgentStats{State: "Input: x"}, Tasks: []session.Task{{Asked: "never told"}}},
		session.Agent{Parent: 0}, session.Agent{Parent: -1, Path: "b.jsonl", ID: "b"})
	for i, want := range []struct {
		name, state string
		ink         fyne.ThemeColorName
	}{
		{"main thread", "", kit.ColorMuted},
		{"reviewer · Look at the parser and say what cou…", "finished", kit.ColorMuted},
		{"a2", "no result", kit.ColorAccent},
		{"Ann and 2 others", "", kit.ColorMuted},
		{"B", "Input: x", kit.ColorText},
		{"sub-agent", "not found", kit.ColorFaint},
		{"b", "", kit.ColorMuted},
	} {
		state, ink := agentState(&list[i])
		if name := AgentName(&list[i]); name != want.name || state != want.state || ink != want.ink {
			t.Errorf("%d: %q, %q in %v; want %+v", i, name, state, ink, want)
		}
	}
}

// An agent is red from the threshold on, and yellow from nine tenths of it.
func TestAnAgentNearItsThresholdIsMarked(t *testing.T) {
	q := model.Policy{Window: 1000, Triggers: []model.Clause{{At: model.Amount{N: 800, Unit: model.Tokens}}}}
	for tokens, want := range map[int64]fyne.ThemeColorName{100: kit.ColorKept, 719: kit.ColorKept, 720: kit.ColorWarning, 801: kit.ColorError} {
		if got := agentColor(&session.Agent{Usage: []session.AgentCall{{Tokens: tokens}}}, q); got != want {
			t.Errorf("%d of 800: %v, want %v", tokens, got, want)
		}
	}
	if got := agentColor(&session.Agent{}, q); got != kit.ColorKept {
		t.Errorf("without a call: %v", got)
	}
}

// Times have seconds only where the minutes are the same; what is unknown is not made up.
func TestClocks(t *testing.T) {
	at := func(h, m, s int) int64 { return time.Date(2026, 1, 2, h, m, s, 0, time.Local).UnixMilli() }
	for _, x := range []struct {
		from, to int64
		want     string
	}{
		{0, at(10, 0, 0), ""}, {at(10, 0, 5), at(10, 0, 9), "10:00:05–10:00:09"}, {at(10, 0, 5), at(11, 7, 0), "10:00–11:07"},
		{at(10, 0, 5), 0, "10:00:05–10:00:05"},
	} {
		if got := clocks(x.from, x.to); got != x.want {
			t.Errorf("%d to %d: %q, want %q", x.from, x.to, got, x.want)
		}
	}
}

// All lanes share an axis: time, or calls where the files have none. An arrow goes through
// the lanes between caller and called; a result that has not come has none.
func TestLanesShareTheirAxis(t *testing.T) {
	list := crew()
	tree := &desk.Agents{List: list}
	if s := laneScale(tree); !s.Timed || s.From != 1000 || s.To != 9000 {
		t.Errorf("the axis is %+v", s)
	}
	rows := []int{0, 1, 2}
	var parts [][]chart.ArrowPart
	for row := range rows {
		var list []chart.ArrowPart
		for _, a := range LaneArrows(tree, rows, rows, row) {
			list = append(list, a.Part)
		}
		parts = append(parts, list)
	}
	want := [][]chart.ArrowPart{{chart.ArrowCaller, chart.ArrowCaller, chart.ArrowCaller}, {chart.ArrowCalled, chart.ArrowCalled, chart.ArrowThrough}, {chart.ArrowCalled}}
	if !slices.EqualFunc(parts, want, slices.Equal) {
		t.Errorf("the arrows are %v, want %v", parts, want)
	}
	for i := range list {
		list[i].From, list[i].To = 0, 0
	}
	if s := laneScale(tree); s.Timed || s.To != 4 {
		t.Errorf("without times the axis is %+v", s)
	}
}
