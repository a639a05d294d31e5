package drafts

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/compaction/summarize/blocks"
	"palimpsest/gui/sched"
	"palimpsest/gui/state"
	"palimpsest/gui/state/undo"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

// planned is a plan whose drafts are looked at.
type planned struct {
	s      *session.Session
	params model.Policy
	plan   *compaction.Plan
}

func (p *planned) Params() model.Policy        { return p.params }
func (p *planned) Plan() *compaction.Plan      { return p.plan }
func (p *planned) Drafted(pl *compaction.Plan) { p.plan = pl }
func (p *planned) SetAt(at int)                { p.s.SetAt(at) }
func (p *planned) Replan()                     { p.plan = p.s.Plan(p.params, compaction.Options{Manual: true}) }
func (p *planned) use(strategy model.Strategy) {
	p.params.Strategy = strategy
	p.s.SetPolicy(p.params)
	p.Replan()
}

// stage is the drafts of a history of thirty questions, with the steps that were noted.
type stage struct {
	*Set
	p     *planned
	q     *sched.Queue
	core  *state.Core
	steps []*undo.Step
	shown int
}

func newStage(t *testing.T, st *store.Store) *stage {
	t.Helper()
	var b strings.Builder
	for i := range 30 {
		fmt.Fprintf(&b, `{"role":"user","content":"Look at src/file%d.go, and never change its tests."}`+"\n", i)
		fmt.Fprintf(&b, `{"role":"assistant","content":"It holds a parser of %d lines. I decided to keep it as it is."}`+"\n", 300+i)
	}
	d, err := transcript.Read(t.Context(), "x.jsonl", strings.NewReader(b.String()), int64(b.Len()), transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.NewFile(d, session.Options{}).Session(t.Context(), session.Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := &stage{p: &planned{s: s, params: s.Policy()}, q: sched.NewQueue()}
	g.core = state.New(g.q.Dispatch, st)
	g.core.Fail = func(err error) { t.Error(err) }
	g.Set = New(g.core, func() *session.Session { return s }, g.p, func(_ *session.Session, x *undo.Step) { g.steps = append(g.steps, x) }, func() { g.shown++ })
	g.p.params.Tail = model.Amount{N: 4, Unit: model.Messages}
	g.p.use(model.Extract)
	g.make()
	return g
}

func (g *stage) make() {
	g.Make()
	g.q.DrainUntilIdle(g.core.Sched)
}

func open(t *testing.T) *store.Store {
	t.Helper()
	st, err := store.Open(filepath.Join(t.TempDir(), "p.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return st
}

// The draft has the text that is stored when it is applied, and the plan its true numbers. An
// edit is another draft beside it, and a step.
func TestAnEditIsAnotherDraft(t *testing.T) {
	g := newStage(t, open(t))
	computed := g.Draft()
	if computed == nil || computed.Text.Text == "" || g.p.plan != computed.Plan || g.shown == 0 {
		t.Fatalf("there is no draft: %+v", g.p.plan)
	}
	g.ChangeDraft(undo.DraftEdit, "a line", 1, func(*blocks.Outline) (string, error) { return "Only this stays.", nil })
	g.q.DrainUntilIdle(g.core.Sched)
	edited := g.Draft()
	if edited == computed || edited.Text.Text != "Only this stays." || len(g.steps) != 1 || g.steps[0].Kind != undo.DraftEdit {
		t.Fatalf("edited: %q, steps %v", edited.Text.Text, g.steps)
	}
	if list := g.Drafts(); len(list) != 2 || !slices.Contains(list, computed) || g.Unedited().Text.Text != computed.Text.Text {
		t.Errorf("%d drafts beside each other", len(list))
	}
	g.steps[0].Move(false)
	if got := g.Draft(); got.Text.Text != computed.Text.Text {
		t.Errorf("undone, it says %q", got.Text.Text)
	}
	g.steps[0].Move(true)
	if got := g.Draft(); got.Text.Text != "Only this stays." {
		t.Errorf("done again, it says %q", got.Text.Text)
	}
}

// Another strategy's draft is looked at beside the present one, and the parameters stay.
func TestAnotherStrategyIsTried(t *testing.T) {
	g := newStage(t, open(t))
	first := g.Draft()
	g.TryStrategy(model.NoteText)
	g.q.DrainUntilIdle(g.core.Sched)
	other := g.Draft()
	if other == first || other.Plan.Policy.Strategy != model.NoteText || g.p.params.Strategy != model.Extract {
		t.Fatalf("shown is a draft by %s, the parameters say %s", other.Plan.Policy.Strategy, g.p.params.Strategy)
	}
	g.ShowOwn()
	if g.Draft().Plan.Policy.Strategy != model.Extract {
		t.Error("the draft of the parameters is not shown again")
	}
}

// What a person edited is there again in the next run, of the same place and records alone.
func TestEditedDraftsOutliveTheProgram(t *testing.T) {
	st := open(t)
	g := newStage(t, st)
	g.EditDraft("My own words.")
	g.q.DrainUntilIdle(g.core.Sched)
	g.core.Flush()
	again := newStage(t, st)
	if got, _ := again.Edited(); got == nil || got.Text.Text != "My own words." {
		t.Fatalf("in the next run there is %v", got)
	}
	other := newStage(t, open(t))
	if got, _ := other.Edited(); got != nil {
		t.Errorf("another database has %q", got.Text.Text)
	}
}
