package drafts

import (
	"palimpsest/compaction"
	"palimpsest/compaction/facts"
	"palimpsest/compaction/session"
	"palimpsest/gui/state"
	"palimpsest/gui/state/undo"
	"palimpsest/model"
)

// Plan is what the drafts ask and tell the plan that they are of.
type Plan interface {
	Params() model.Policy
	Plan() *compaction.Plan   // nil: none yet
	Drafted(*compaction.Plan) // by the draft that is shown, with its true numbers
	Replan()
	SetAt(history int)
}

// needs is what the drafts need of others.
type needs struct {
	core  *state.Core
	open  func() *session.Session // the history looked at; nil: none
	plan  Plan
	step  func(*session.Session, *undo.Step) // notes what a person did to a session's drafts
	shown func()                             // another draft is shown
}

// New makes an empty set of drafts. step notes what a person did to a session's drafts;
// shown is called when another draft is shown.
func New(core *state.Core, open func() *session.Session, p Plan, step func(*session.Session, *undo.Step), shown func()) *Set {
	return &Set{needs: needs{core, open, p, step, shown}, rest: map[*session.Session]*[]kept{}, stored: map[*session.Session][]kept{}}
}

// Survival is which facts of the messages that a plan takes survive it.
type Survival struct {
	*facts.Survival
	Lower bool         // the summary is not made yet: more may survive
	Lost  []facts.Lost // the weightiest first; nil until the draft is there
	At    int          // history position of the plan
	// Needed is what the agent needed later of what the plan takes; nil where
	// nothing follows its place.
	Needed *session.Needed
	Draft  *session.Draft // whose text it is; nil: there is none yet
}
