package records

import (
	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
	"palimpsest/gui/state"
	staterecords "palimpsest/gui/state/records"
	"palimpsest/gui/state/undo"
	"palimpsest/model"
	"palimpsest/model/store"
)

// Window is what the screen asks of the window besides the records themselves.
type Window interface {
	Session() *session.Session // the history looked at; nil: none
	Params() model.Policy
	FigureError() float64
	LastStep() *undo.Step // nil: nothing was done yet

	Store() *store.Store // nil: there is none
	StoreUnopened() bool
	CanStore() bool

	SelectMessage(history int)
	TogglePinOf(history int)
	Unwritable(*model.Record) bool // the write-back of it can be undone
	Unwrite()

	Listen(state.Topic, func())
	Fail(error)
	Scheduler() *sched.Scheduler
}

// State is what the screen shows and changes.
type State struct {
	Window
	RecordList *staterecords.List
	RecordView *staterecords.View
}
