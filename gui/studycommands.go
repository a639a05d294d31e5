package gui

import (
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/dialogs"
	"palimpsest/gui/study"
)

// studyCommands are those of the two screens that set parameters beside each
// other: the sweep and the comparison.
func (w *window) studyCommands(open func() bool) []*commands.Command {
	d := w.Desk
	loadable := func() bool { return w.sweep.Visible() && w.sweep.Loadable() }
	comparing := func() bool { return w.compare.Visible() }
	pairing := func() bool { return w.records != nil && w.records.Pair.Visible() }
	differing := func() bool { return comparing() || pairing() || w.preview.Open || w.kept.Open }
	step := func(by int) {
		switch {
		case pairing():
			w.records.Pair.Step(by)
		case w.preview.Open:
			w.preview.Step(by)
		case w.kept.Open:
			w.kept.StepDifference(by)
		default:
			w.compare.Step(by)
		}
	}
	return append(draftCommands(w), []*commands.Command{
		{ID: commands.Recorded, Needs: "found", Menu: "compaction"},
		{ID: "compare", Needs: "session", Menu: "compaction", Keys: []string{"c", "Ctrl+3"}, Enabled: open, Run: w.showCompare},
		{ID: commands.Swap, Needs: "comparing", Menu: "compaction", Keys: []string{"x"}, Enabled: comparing,
			Run: d.SwapSides},
		{ID: commands.Promote, Needs: "comparing", Menu: "compaction", Enabled: comparing, Run: d.Promote},
		{ID: commands.NextDifference, Needs: "differing", Menu: "compaction", Keys: []string{"F7"},
			Enabled: differing,
			Run:     func() { step(1) }},
		{ID: commands.PreviousDifference, Needs: "differing", Menu: "compaction", Keys: []string{"Shift+F7"},
			Enabled: differing,
			Run:     func() { step(-1) }},
		{ID: commands.OpenPreset, Needs: "session", Menu: "compaction", Enabled: open, Run: func() { dialogs.OpenPreset(w.Host) }},
		{ID: commands.ExportPreset, Needs: "session", Menu: "compaction", Enabled: open,
			Run: func() { dialogs.ExportPreset(w.Host) }},
		{ID: "advice", Needs: "session", Enabled: open, Run: d.SeekAdvice},
		{ID: "sweep", Needs: "session", Menu: "compaction", Keys: []string{"Ctrl+4"}, Enabled: open, Run: w.showSweep},
		{ID: commands.SweepFolder, Needs: "session", Menu: "compaction", Enabled: open, Run: func() {
			w.showSweep()
			w.sweep.OverFolder()
		}},
		{ID: commands.RunSweep, Needs: "sweep", Menu: "compaction",
			Enabled: func() bool { return w.sweep.Visible() && w.sweep.Can() && !d.Sweep().Running() }, Run: func() { w.sweep.Start() }},
		{ID: commands.StopSweep, Needs: "sweepRunning", Menu: "compaction",
			Enabled: func() bool { return d.Sweep().Running() }, Run: d.StopSweep},
		{ID: commands.LoadCell, Needs: "cell", Menu: "compaction", Enabled: loadable, Run: func() {
			d.LoadCell(w.sweep.Heat.Selected())
			w.Overlay.Toast(w.sweep.LoadedWords(), "", nil)
		}},
		{ID: commands.CellCandidate, Needs: "cell", Menu: "compaction", Enabled: loadable, Run: func() {
			d.SetCandidate(desk.Side{From: desk.FromSweep, Policy: d.Sweep().CellFor(d.Session(), w.sweep.Heat.Selected())})
			w.showCompare()
		}},
		{ID: commands.UseCell, Needs: "cell", Menu: "compaction", Enabled: loadable, Run: func() {
			dialogs.ShowUseIn(w.Host, d.Sweep().CellFor(d.Session(), w.sweep.Heat.Selected()))
		}},
		{ID: "saveSweep", Needs: "sweepDone", Menu: "compaction",
			Enabled: func() bool { return d.Sweep() != nil && d.Sweep().Grid != nil },
			Run:     func() { study.ShowSaveSweep(w.Host) }},
	}...)
}

// draftCommands are those of the preview.
func draftCommands(w *window) (list []*commands.Command) {
	previewing := func() bool { return w.preview.Open }
	for _, x := range []struct {
		id, key string
		do      func()
	}{
		{commands.BlockUp, "Alt+↑", func() { w.preview.Edits.MoveSelected(-1) }},
		{commands.BlockDown, "Alt+↓", func() { w.preview.Edits.MoveSelected(1) }},
		{commands.DraftPrevious, "Ctrl+←", func() { w.preview.Edits.StepDraft(-1) }},
		{commands.DraftNext, "Ctrl+→", func() { w.preview.Edits.StepDraft(1) }},
	} {
		list = append(list, &commands.Command{ID: x.id, Needs: "preview", Keys: []string{x.key}, Enabled: previewing, Run: x.do})
	}
	return list
}
