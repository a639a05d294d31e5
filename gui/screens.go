package gui

// Screens are made when they are first shown, and again when the window is
// built anew.

func (w *window) showRecords() {
	if w.records == nil {
		w.records = newRecordsPane(w.Host)
	}
	w.records.enter()
}

func (w *window) showAgents() {
	if w.agents == nil {
		w.agents = newAgentsSheet(w.Host)
	}
	w.agents.enter()
}

func (w *window) showSweep() {
	if w.sweep == nil {
		w.sweep = newSweepSheet(w.Host)
	}
	w.sweep.enter()
}

func (w *window) showCompare() {
	if w.compare == nil {
		w.compare = newCompareSheet(w.Host)
	}
	w.compare.enter()
}
