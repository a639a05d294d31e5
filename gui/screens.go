package gui

import (
	"palimpsest/gui/agents"
	"palimpsest/gui/records"
	"palimpsest/gui/study"
)

// Screens are made when they are first shown, and again when the window is
// built anew.

func (w *window) showRecords() {
	if w.records == nil {
		w.records = records.NewRecordsPane(w.Host)
	}
	w.records.Enter()
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
