package gui

import (
	"palimpsest/gui/desk"
)

// studyCommands are those of the two screens that set parameters beside each
// other: the sweep and the comparison.
func (w *window) studyCommands(open func() bool) []*command {
	d := w.d
	loadable := func() bool { return w.sweep.visible() && w.sweep.loadable() }
	comparing := func() bool { return w.compare.visible() }
	differing := func() bool { return comparing() || w.preview.open }
	step := func(by int) {
		if w.preview.open {
			w.preview.step(by)
		} else {
			w.compare.step(by)
		}
	}
	return []*command{
		{ID: "compare", Menu: "compaction", Part: 1, Keys: []string{"c", "Ctrl+3"}, Enabled: open, Run: w.showCompare},
		{ID: "swap", Menu: "compaction", Part: 1, Keys: []string{"x"}, Enabled: comparing, Run: d.SwapSides},
		{ID: "promote", Menu: "compaction", Part: 1, Enabled: comparing, Run: d.Promote},
		{ID: "nextDifference", Menu: "compaction", Part: 1, Keys: []string{"F7"}, Enabled: differing, Run: func() { step(1) }},
		{ID: "previousDifference", Menu: "compaction", Part: 1, Keys: []string{"Shift+F7"}, Enabled: differing, Run: func() { step(-1) }},
		{ID: "lookAlikes", Menu: "compaction", Part: 2, Enabled: open, Run: func() { showLookAlikes(w.d, w.win) }},
		{ID: "sweep", Menu: "compaction", Part: 2, Keys: []string{"Ctrl+4"}, Enabled: open, Run: w.showSweep},
		{ID: "runSweep", Menu: "compaction", Part: 2, Enabled: func() bool { return w.sweep.visible() && w.sweep.can() && !d.Sweep().Running() }, Run: func() { w.sweep.start() }},
		{ID: "stopSweep", Menu: "compaction", Part: 2, Enabled: func() bool { return d.Sweep().Running() }, Run: d.StopSweep},
		{ID: "loadCell", Menu: "compaction", Part: 2, Enabled: loadable, Run: func() {
			d.LoadCell(w.sweep.heat.Selected())
			w.overlay.Toast(w.sweep.loadedWords(), "", nil)
		}},
		{ID: "cellCandidate", Menu: "compaction", Part: 2, Enabled: loadable, Run: func() {
			d.SetCandidate(desk.Side{From: desk.FromSweep, Policy: d.Sweep().CellFor(d.Session(), w.sweep.heat.Selected())})
			w.showCompare()
		}},
		{ID: "saveSweep", Menu: "compaction", Part: 2, Enabled: func() bool { return d.Sweep() != nil && d.Sweep().Grid != nil }, Run: func() { showSaveSweep(w.Host) }},
	}
}
