package plan

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
	"palimpsest/gui/state"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

// stage is a plan of a history, with what it told.
type stage struct {
	*Plan
	core    *state.Core
	q       *sched.Queue
	s       *session.Session
	told    []string
	settled bool
}

func newStage(t *testing.T) *stage {
	t.Helper()
	text := strings.Repeat(`{"role":"user","content":"Look at src/a.go, please, and tell what it holds."}`+"\n"+
		`{"role":"assistant","content":"It holds a parser of three hundred lines, and its tests."}`+"\n", 30)
	d, err := transcript.Read(t.Context(), "x.jsonl", strings.NewReader(text), int64(len(text)), transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.NewFile(d, session.Options{}).Session(t.Context(), session.Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(filepath.Join(t.TempDir(), "p.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	g := &stage{q: sched.NewQueue(), s: s}
	g.core = state.New(g.q.Dispatch, st)
	g.core.Fail = func(err error) { t.Error(err) }
	tell := func(what string) { g.told = append(g.told, what) }
	g.Plan = New(g.core, func() *session.Session { return g.s }, Events{
		Outdated: func() { tell("outdated") }, Changed: func(*session.Session, model.Policy) { tell("changed") }, Kept: func() { tell("kept") },
		Begun:   func(*session.Session, model.Policy, bool) {},
		Planned: func(_ *session.Session, _ *session.Ledger, _, settled bool) { tell("planned"); g.settled = settled },
		Rows:    func(*session.Ledger) { tell("rows") },
	})
	g.Reset(s)
	return g
}

func (g *stage) settle() { g.q.DrainUntilIdle(g.core.Sched) }

func tail(n int) func(*model.Policy) {
	return func(p *model.Policy) { p.Tail = model.Amount{N: n, Unit: model.Messages} }
}

// A parameter that is dragged gives its plan at once, and is one step when the hand lets go.
func TestADragIsOneStep(t *testing.T) {
	g := newStage(t)
	g.Replan()
	g.settle()
	if g.Plan.Plan() == nil || !g.settled {
		t.Fatal("there is no plan")
	}
	before := g.s.Policy()
	g.told = nil
	g.Adjust(tail(3))
	g.Adjust(tail(3)) // nothing new
	g.Adjust(tail(4))
	if want := []string{"outdated", "planned", "outdated", "planned"}; !slices.Equal(g.told, want) {
		t.Errorf("while it is dragged: %v, want %v", g.told, want)
	}
	if g.s.Policy().Tail != before.Tail || g.Planned().Tail.N != 4 || g.Plan.Plan().After.Messages >= g.Plan.Plan().Before.Messages {
		t.Errorf("the session has %v, planned is %v", g.s.Policy().Tail, g.Planned().Tail)
	}
	g.told = nil
	g.Commit()
	if want := []string{"changed", "kept"}; !slices.Equal(g.told, want) || g.s.Policy().Tail.N != 4 {
		t.Errorf("let go: %v, the session has %v", g.told, g.s.Policy().Tail)
	}
	gone := g.Gone()
	if len(gone) == 0 || gone[0] != 1 || gone[len(gone)-1] != 55 {
		t.Errorf("the plan takes %v", gone) // all but the first words of the person, and the last four
	}
	g.PinPicked([]int{0, 1}, true)
	g.settle()
	if again := g.Gone(); len(again) != len(gone)-1 || again[0] != 2 {
		t.Errorf("with two pinned it takes %v", again)
	}
	g.TogglePinOf(0)
	g.settle()
	if g.s.Pinned(0) || !g.s.Pinned(1) {
		t.Error("the pin of the first message stays")
	}
}

// A preset is saved without what belongs to the history, says whether it was changed since,
// and is gone when it is deleted.
func TestPresetsAreSaved(t *testing.T) {
	g := newStage(t)
	g.Set(func(p *model.Policy) { tail(7)(p); p.Window, p.Pins = 90_000, []model.Range{{From: 1, To: 2}} })
	g.settle()
	g.SavePreset("mine")
	g.settle()
	list := g.Presets()
	if len(list) != 1 || list[0].Name != "mine" || list[0].Policy.Tail.N != 7 || list[0].Policy.Window != 0 || len(list[0].Policy.Pins) != 0 {
		t.Fatalf("saved: %+v", list)
	}
	if g.Params().Preset != "mine" || g.Modified() || g.Defaults().Tail.N != 7 {
		t.Errorf("of %q, modified %v", g.Params().Preset, g.Modified())
	}
	g.Set(tail(8))
	if !g.Modified() {
		t.Error("a change of a preset's value is not seen")
	}
	if name := g.freePreset("mine", g.Params(), nil); name != "mine 2" {
		t.Errorf("another preset of that name is called %q", name)
	}
	g.DeletePreset("mine")
	g.settle()
	if _, known := g.BasePreset(); len(g.Presets()) != 0 || known {
		t.Errorf("deleted: %+v", g.Presets())
	}
}

// Without a history there are the usual parameters, and nothing is planned or changed.
func TestWithoutAHistory(t *testing.T) {
	g := newStage(t)
	g.s = nil
	g.Reset(nil)
	g.told = nil
	g.Set(tail(3))
	g.TogglePinOf(0)
	g.SetAt(4)
	g.Replan()
	g.settle()
	if len(g.told) != 0 || g.Plan.Plan() != nil || !Same(g.Params(), compaction.Default()) {
		t.Errorf("told %v, the parameters are %+v", g.told, g.Params())
	}
	if a := compaction.Default(); Same(a, model.Policy{}) || !SameValues(a, Values(a)) {
		t.Error("what is the same is not told from what is not")
	}
}
