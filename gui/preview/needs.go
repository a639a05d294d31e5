package preview

import (
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/figures"
	"palimpsest/gui/desk"
	"palimpsest/gui/sched"
	"palimpsest/gui/state"
	"palimpsest/gui/state/drafts"
	"palimpsest/gui/state/plan"
	"palimpsest/model"
	"palimpsest/model/figure"
)

// Window is what the screen asks of the window besides the plan and its drafts.
type Window interface {
	Session() *session.Session // the history looked at; nil: none
	Current() *desk.Entry
	Note(history int) string
	CanExport(desk.What) (why string)

	FigureError() float64
	RowFigure(r session.Row, total bool) (figure.Figure, bool)
	CompactionFigures() (figures.Compaction, bool)

	Asking() *desk.Asking
	Writing() bool
	Job() *desk.Job
	Later() *model.Record

	Survival() *drafts.Survival
	Indexing() (done, total int64)

	Listen(state.Topic, func())
	Scheduler() *sched.Scheduler
}

// State is what the screen shows and changes.
type State struct {
	Window
	Planning *plan.Plan
	DraftSet *drafts.Set
}

// Params are the parameters on the screen.
func (s *State) Params() model.Policy { return s.Planning.Params() }

// Draft is the draft on the screen; nil: it is to come.
func (s *State) Draft() *session.Draft { return s.DraftSet.Draft() }
