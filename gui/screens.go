package gui

import (
	"palimpsest/gui/agents"
	"palimpsest/gui/desk"
	"palimpsest/gui/dialogs"
	"palimpsest/gui/records"
	"palimpsest/gui/search"
	"palimpsest/gui/sessions"
	"palimpsest/gui/state/plan"
	"palimpsest/gui/study"
)

// Screens are made when they are first shown, and again when the window is
// built anew.

func (w *window) showRecords() {
	if w.records == nil {
		w.records = records.NewRecordsPane(w.Host, &records.State{Window: around{w.Desk, w.Desk.Planning},
			RecordList: w.Desk.RecordList, RecordView: w.Desk.RecordView})
	}
	w.records.Enter()
}

func (w *window) showSessions() {
	if w.library == nil {
		w.library = sessions.NewTable(w.Host)
		w.library.Sweep = func(list []*desk.Entry) {
			if w.sweep == nil {
				w.sweep = study.NewSweepSheet(w.Host)
			}
			w.sweep.EnterWith(list)
		}
	}
	w.library.Enter()
}

// showSearch returns what opens the search of all sessions.
func showSearch(w *window) func(desk.Asked) {
	return func(ask desk.Asked) {
		if w.search == nil {
			w.search = search.New(w.Host)
		}
		w.search.Enter(ask)
	}
}

// found reports whether a search has a place to step to: that of all sessions where
// it is looked at, else that of the ledger.
func found(w *window) func() bool {
	return func() bool {
		if w.search.Visible() {
			return w.search.Found()
		}
		if w.records.Visible() {
			return w.records.Searching()
		}
		n, _, _ := w.Desk.Hits()
		return n > 0
	}
}

// findAll begins with what the ledger is searched for.
func findAll(w *window) func() {
	return func() {
		var ask desk.Asked
		if !w.search.Visible() {
			ask.Text = w.Desk.Filter().Text
		}
		w.FindAll(ask)
	}
}

func step(w *window, by int) {
	if w.search.Visible() {
		w.search.Step(by)
		return
	}
	if w.records.Visible() {
		w.records.StepHit(by)
		return
	}
	w.Desk.StepHit(by)
}

// rename asks for a title of the session that is selected.
func (w *window) rename() {
	if w.library.Visible() {
		w.library.Rename()
		return
	}
	dialogs.ShowRename(w.Desk, w.Win, w.Desk.Current())
}

func (w *window) showAgents() {
	if w.agents == nil {
		w.agents = agents.NewAgentsSheet(w.Host)
	}
	w.agents.Enter()
}

func (w *window) showSweep() {
	if w.sweep == nil {
		w.sweep = study.NewSweepSheet(w.Host)
	}
	w.sweep.Enter()
}

func (w *window) showCompare() {
	if w.compare == nil {
		w.compare = study.NewCompareSheet(w.Host)
	}
	w.compare.Enter()
}

// around is the window as its screens see it.
type around struct {
	*desk.Desk
	*plan.Plan
}
