package gui

import (
	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/dialogs"
	"palimpsest/gui/history"
	"palimpsest/gui/kit"
	"palimpsest/gui/preferences"
	"palimpsest/gui/show"
	"palimpsest/gui/study"
	"palimpsest/gui/words"
	"palimpsest/gui/workbench"
	"palimpsest/model"
)

// table is every command of the window. Those without Run are bound by the
// pane they belong to. Keys are those of the design, one meaning each.
func (w *window) table() []*commands.Command {
	d := w.Desk
	open := func() bool { return d.Session() != nil }
	here := func() bool { return open() && !w.InSheet() }
	list := []*commands.Command{
		{ID: commands.OpenFile, Menu: "file", Keys: []string{"Ctrl+O"}, Run: func() { dialogs.OpenFile(w.Host) }},
		{ID: commands.OpenFolder, Menu: "file", Keys: []string{"Ctrl+Shift+O"}, Run: func() { dialogs.OpenFolder(w.Host) }},
		{ID: "watched", Menu: "file", Run: settingsAt(w, preferences.Folders)},
		{ID: commands.Export, Needs: "session", Menu: "file", Keys: []string{"Ctrl+E"}, Enabled: open,
			Run: func() { dialogs.ShowExport(w.Host) }},
		{ID: commands.ExportSelection, Needs: "rows", Menu: "file",
			Enabled: func() bool { p, many := d.Range(); return many && len(p.Messages) > 0 },
			Run:     func() { dialogs.ShowExportPicked(w.Host) }},
		{ID: commands.ExportGone, Needs: "applies", Menu: "file", Enabled: func() bool { return len(d.Planning.Gone()) > 0 },
			Run: func() {
				gone := d.Planning.Gone()
				dialogs.ShowExportMessages(w.Host, gone, words.T("count.messages", "count", len(gone)), ".gone")
			}},
		{ID: "writeBack", Needs: "written", Menu: "file", Enabled: d.CanWriteBack, Run: d.WriteBack},
		{ID: "undoWriteBack", Needs: "wroteBack", Menu: "file", Enabled: d.CanUnwrite, Run: d.Unwrite},
		{ID: commands.Repair, Needs: "session", Menu: "file"},
		{ID: commands.Samples, Needs: "samples", Menu: "file", Enabled: func() bool { return len(w.missingSamples()) > 0 },
			Run: w.addSamples},
		{ID: "remove", Needs: "session", Menu: "file", Enabled: func() bool { return d.Current() != nil },
			Run: func() { d.TakeOff(d.Current()) }},
		{ID: "quit", Menu: "file", Keys: []string{"Ctrl+Q"}, Run: w.close},

		{ID: commands.Undo, Needs: "undo", Menu: "edit", Keys: []string{"Ctrl+Z"}, Enabled: d.CanUndo, Run: d.Undo,
			Text: func() string { return history.UndoWords(d) }},
		{ID: commands.Redo, Needs: "redo", Menu: "edit", Keys: []string{"Ctrl+Y", "Ctrl+Shift+Z"}, Enabled: d.CanRedo, Run: d.Redo,
			Text: func() string { return history.RedoWords(d) }},
		{ID: commands.Find, Needs: "field", Menu: "edit", Keys: []string{"Ctrl+F"}},
		{ID: commands.NextHit, Needs: "hits", Menu: "edit", Keys: []string{"F3"}, Enabled: found(w), Run: func() { step(w, 1) }},
		{ID: commands.PreviousHit, Needs: "hits", Menu: "edit", Keys: []string{"Shift+F3"}, Enabled: found(w),
			Run: func() { step(w, -1) }},
		{ID: commands.FindAll, Menu: "edit", Keys: []string{"Ctrl+Shift+F"}, Run: findAll(w)},
		{ID: "goto", Needs: "panes", Menu: "edit", Keys: []string{"Ctrl+G"}, Enabled: here,
			Run: func() { dialogs.ShowGoto(w.Host) }},
		{ID: commands.Pin, Needs: "message", Menu: "edit", Keys: []string{"p"}, Enabled: w.onMessage,
			Run: d.TogglePinSelected, Text: w.pinText},
		{ID: commands.Note, Needs: "message", Menu: "edit", Keys: []string{"m"}, Enabled: w.onMessage,
			Run: func() { dialogs.ShowNote(w.Host) }},
		{ID: commands.CopyText, Needs: "selection", Menu: "edit"},
		{ID: commands.CopyRedacted, Needs: "selection", Menu: "edit"},
		{ID: commands.Storage, Menu: "edit", Run: settingsAt(w, preferences.Storage)},
		{ID: "factors", Menu: "edit", Run: settingsAt(w, preferences.Tokens)},
		{ID: "settings", Menu: "edit", Keys: []string{"Ctrl+,"}, Run: settingsAt(w, "")},
	}
	list = append(list, w.viewCommands(here)...)
	list = append(list, w.sessionCommands(here)...)
	list = append(list, w.followCommands(here)...)
	return append(list, w.otherCommands(open)...)
}

func (w *window) viewCommands(here func() bool) []*commands.Command {
	d := w.Desk
	view := func(v session.View) *commands.Command {
		id := "viewHistory"
		if v == session.ModelSees {
			id = "viewModel"
		}
		return &commands.Command{ID: id, Needs: "panes", Menu: "view", Enabled: here,
			Checked: func() bool { return d.Planning.View() == v },
			Run:     func() { d.Planning.SetView(v) }}
	}
	list := []*commands.Command{
		view(session.FullHistory), view(session.ModelSees),
		{ID: "flip", Needs: "panes", Menu: "view", Keys: []string{"v", "\\", "b"}, Enabled: here, Run: func() {
			if d.Planning.View() == session.FullHistory {
				d.Planning.SetView(session.ModelSees)
			} else {
				d.Planning.SetView(session.FullHistory)
			}
		}},
		{ID: commands.Raw, Needs: "selection", Menu: "view", Keys: []string{"r"}},
	}
	for i, f := range model.Fates {
		list = append(list, &commands.Command{ID: "only." + f.String(), Needs: "panes", Menu: "view",
			Keys:    []string{string(rune('1' + i))},
			Enabled: func() bool { return here() || w.preview.Open },
			Checked: func() bool { return d.Filter().Fate == i+1 },
			Run:     func() { w.onlyFate(i + 1) },
			Text:    func() string { return words.T("command.only", "fate", words.T("fate."+f.String())) }})
	}
	list = append(list,
		&commands.Command{ID: "clearFilter", Needs: "filter", Menu: "view",
			Enabled: func() bool { return d.Filter() != (desk.Filter{}) },
			Run:     func() { d.SetFilter(desk.Filter{}) }},
		&commands.Command{ID: "hideSessions", Menu: "view", Keys: []string{"Ctrl+B"},
			Checked: func() bool { return !w.Settings.Hidden("sessions") }, Run: func() { w.togglePane("sessions") }},
		&commands.Command{ID: "hideParameters", Menu: "view", Keys: []string{"Ctrl+Shift+B"},
			Checked: func() bool { return !w.Settings.Hidden("parameters") }, Run: func() { w.togglePane("parameters") }},
		&commands.Command{ID: commands.AboutMessage, Needs: "panes", Menu: "view", Keys: []string{"i"},
			Enabled: func() bool { return !w.InSheet() }, Checked: func() bool { return !w.Settings.Hidden("about") },
			Run: func() { w.togglePane("about") }},
		&commands.Command{ID: commands.History, Menu: "view", Keys: []string{"Ctrl+H"},
			Checked: func() bool { return !w.Settings.Hidden("history") }, Run: func() { w.togglePane("history") }},
		&commands.Command{ID: commands.Columns, Menu: "view", Checked: func() bool { return !w.Settings.Hidden("columns") },
			Run: func() { w.togglePane("columns") }},
		&commands.Command{ID: commands.HideChart, Menu: "view", Checked: func() bool { return !w.Settings.Hidden("chart") },
			Run: func() { w.togglePane("chart") }},
	)
	for _, m := range kit.Modes {
		list = append(list, &commands.Command{ID: "theme." + string(m), Menu: "view",
			Checked: func() bool { return w.Settings.Mode() == m },
			Run:     func() { w.setMode(m) }, Text: func() string { return words.T("command.theme", "mode", words.T("theme."+string(m))) }})
	}
	for _, x := range kit.Densities {
		list = append(list, &commands.Command{ID: "density." + string(x), Menu: "view",
			Checked: func() bool { return w.Settings.Density() == x },
			Run:     func() { w.setDensity(x) },
			Text:    func() string { return words.T("command.density", "density", words.T("density."+string(x))) }})
	}
	return append(list,
		&commands.Command{ID: "textLarger", Needs: "largest", Menu: "view", Keys: []string{"Ctrl+=", "Ctrl++"},
			Enabled: func() bool { return w.Settings.Scale() < kit.MaxScale }, Run: func() { w.setScale(w.Settings.Scale() + .1) }},
		&commands.Command{ID: "textSmaller", Needs: "smallest", Menu: "view", Keys: []string{"Ctrl+-"},
			Enabled: func() bool { return w.Settings.Scale() > kit.MinScale }, Run: func() { w.setScale(w.Settings.Scale() - .1) }},
		&commands.Command{ID: "textNormal", Needs: "normal", Menu: "view", Keys: []string{"Ctrl+0"},
			Enabled: func() bool { return w.Settings.Scale() != 1 }, Run: func() { w.setScale(1) }},
		&commands.Command{ID: "fullScreen", Menu: "view", Keys: []string{"F11"}, Checked: w.Win.FullScreen,
			Run: func() { w.Win.SetFullScreen(!w.Win.FullScreen()) }},
	)
}

func (w *window) sessionCommands(here func() bool) []*commands.Command {
	d := w.Desk
	step := func(by int) func() { return func() { d.Step(by, w.sessions.Filter.Text(), w.Settings.Order()) } }
	many := func() bool { return len(d.Entries()) > 1 && !w.InSheet() }
	list := []*commands.Command{
		{ID: "previousSession", Needs: "sessions", Menu: "session", Keys: []string{"[", "Ctrl+PgUp"}, Enabled: many, Run: step(-1)},
		{ID: "nextSession", Needs: "sessions", Menu: "session", Keys: []string{"]", "Ctrl+PgDn"}, Enabled: many, Run: step(1)},
		{ID: "previousUser", Needs: "panes", Menu: "session", Keys: []string{"K"}, Enabled: here,
			Run: func() { w.seek(-1, typedRow) }},
		{ID: "nextUser", Needs: "panes", Menu: "session", Keys: []string{"J"}, Enabled: here, Run: func() { w.seek(1, typedRow) }},
		{ID: "previousMark", Needs: "panes", Menu: "session", Keys: []string{"Alt+↑"}, Enabled: here,
			Run: func() { w.seek(-1, markRow) }},
		{ID: "nextMark", Needs: "panes", Menu: "session", Keys: []string{"Alt+↓"}, Enabled: here,
			Run: func() { w.seek(1, markRow) }},
		{ID: "planHere", Needs: "message", Menu: "session", Enabled: w.onMessage,
			Run: func() { d.Planning.SetAt(d.Row(d.Selected()).Num) }},
		{ID: "planEnd", Needs: "atEnd", Menu: "session",
			Enabled: func() bool { return here() && d.Session().At() < len(d.Session().Thread().History) },
			Run:     func() { d.Planning.SetAt(len(d.Session().Thread().History)) }},
		{ID: "threads", Needs: "threads", Menu: "session",
			Enabled: func() bool {
				return d.Current() != nil && d.Current().Threads > 1 &&
					d.Current().File != nil
			}, Run: func() { workbench.ShowThreads(w.Host) }},
		{ID: commands.Sessions, Menu: "session", Keys: []string{"Ctrl+6"}, Checked: func() bool { return w.library.Visible() },
			Run: w.showSessions},
		{ID: commands.Rename, Needs: "file", Menu: "session", Keys: []string{"F2"},
			Enabled: func() bool { return d.Current() != nil },
			Run:     w.rename},
		{ID: commands.Star, Needs: "file", Menu: "session", Enabled: func() bool { return d.Current() != nil },
			Checked: func() bool { return d.Current() != nil && d.Current().Star },
			Run:     func() { d.SetStar(d.Current(), !d.Current().Star) }},
		{ID: commands.ReadAs, Needs: "readAs", Menu: "session", Enabled: func() bool { return d.CanReadAs() && !w.InSheet() },
			Run: func() { dialogs.ShowReadAs(w.Host) }},
		{ID: "agents", Needs: "agents", Menu: "session", Keys: []string{"Ctrl+5"}, Enabled: d.HasAgents, Run: w.showAgents},
		{ID: commands.Doors, Menu: "session", Run: func() { dialogs.ShowDoors(w.Host) }},
		{ID: "filling", Needs: "session", Menu: "session", Enabled: func() bool { return d.Session() != nil },
			Run: func() { dialogs.ShowFilling(w.Host) }},
		{ID: "skippedLines", Needs: "skipped", Menu: "session",
			Enabled: func() bool {
				return d.Current() != nil && d.Current().Damaged > 0 &&
					d.Current().File != nil
			}, Run: func() { dialogs.ShowSkipped(d, w.Win) }},
	}
	return list
}

func (w *window) otherCommands(open func() bool) []*commands.Command {
	d := w.Desk
	later := func() string { return show.LaterWords(d) }
	record := func() bool { return d.RecordView.Record() != nil && w.records.Visible() }
	applies := func() bool { return open() && d.CanApply() && (!w.InSheet() || w.preview.Open) } // what is in sight
	list := []*commands.Command{
		{ID: commands.Preview, Needs: "plan", Menu: "compaction", Keys: []string{"Ctrl+P"}},
		{ID: commands.Why, Needs: "session", Menu: "compaction"},
		{ID: commands.Prompt, Needs: "session", Menu: "compaction"},
		{ID: commands.Compact, Needs: "applies", Menu: "compaction", Enabled: applies, Not: later, Run: func() { w.asking.Compact() }},
		{ID: commands.ApplyDraft, Needs: "applies", Menu: "compaction", Keys: []string{"Ctrl+Enter"},
			Enabled: func() bool { return applies() && d.DraftSet.Draft() != nil }, Not: later,
			Run: func() { dialogs.ApplyDraft(w.Host) }},
		{ID: commands.Ask, Needs: "ask", Menu: "compaction", Keys: []string{"Ctrl+M"},
			Enabled: func() bool { return open() && d.CanAsk() }, Not: later,
			Run: func() {
				if p := d.Provider(); !p.Set() || d.Planning.Params().Strategy.Asks() {
					w.asking.Ask()
					return
				}
				w.Commands.Run(commands.Preview)
				w.preview.Edits.Ask(model.ModelNote)
			}},
		{ID: "cancelJob", Needs: "job", Menu: "compaction", Enabled: func() bool { return d.Job().Running() || d.Asking().Running() },
			Run: func() {
				d.CancelJob()
				d.CancelAsking()
			}},
		{ID: "useIn", Needs: "session", Menu: "compaction", Enabled: func() bool { return open() && d.Planning.Plan() != nil },
			Run: func() { dialogs.ShowUseIn(w.Host, d.Planning.Plan().Policy) }},
		{ID: commands.SummaryModel, Menu: "compaction", Run: settingsAt(w, preferences.Models)},
		{ID: "summaryWording", Menu: "compaction", Run: func() { dialogs.ShowTemplate(w.Host) }},
		{ID: "modelPrices", Menu: "compaction", Run: settingsAt(w, preferences.Tokens)},
	}
	list = append(list, w.studyCommands(open)...)
	list = append(list, w.settingCommands(open)...)
	list = append(list,
		&commands.Command{ID: commands.Records, Menu: "records", Keys: []string{"Ctrl+2"},
			Checked: func() bool { return w.records.Visible() },
			Run:     w.showRecords},
		&commands.Command{ID: "workbench", Menu: "records", Keys: []string{"Ctrl+1"}, Checked: func() bool { return !w.InSheet() },
			Run: w.LeaveSheet},
		&commands.Command{ID: "restore", Needs: "restorable", Menu: "records",
			Enabled: func() bool { return record() && w.records.CanRestore() },
			Run:     func() { w.records.Restore.Ask() }},
		&commands.Command{ID: "openRecord", Needs: "record", Menu: "records", Enabled: record,
			Run: func() { w.records.OpenInWorkbench() }},
		&commands.Command{ID: "useRecord", Needs: "record", Menu: "records", Enabled: record,
			Run: func() { dialogs.ShowUseIn(w.Host, d.RecordView.Record().Policy) }},
		&commands.Command{ID: "exportRecord", Needs: "record", Menu: "records", Enabled: record,
			Run: func() { dialogs.ShowExportRecord(w.Host) }},
		&commands.Command{ID: commands.CompareRecords, Needs: "ticked", Menu: "records", Keys: []string{"Ctrl+D"},
			Enabled: func() bool { return w.records.Visible() && d.RecordList.TickedCount() == 2 }, Run: func() { w.records.Pair.Show() }},
		&commands.Command{ID: "deleteRecords", Needs: "recordsChosen", Menu: "records",
			Enabled: func() bool {
				return w.records.Visible() && d.CanStore() && len(d.RecordList.Chosen()) > 0
			}, Run: func() { w.records.AskDelete(d.RecordList.Chosen()) }},
		&commands.Command{ID: commands.ExportRecords, Needs: "store", Menu: "records",
			Enabled: func() bool { return d.Store() != nil },
			Run:     func() { dialogs.ShowExportRecords(w.Host) }},
		&commands.Command{ID: commands.ImportRecords, Needs: "store", Menu: "records",
			Enabled: func() bool { return d.Store() != nil },
			Run:     func() { dialogs.ImportRecords(w.Host) }},
		&commands.Command{ID: "metrics", Needs: "store", Menu: "records", Enabled: func() bool { return d.Store() != nil },
			Run: func() { study.ShowMetrics(w.Host) }},

		&commands.Command{ID: commands.Palette, Menu: "help", Keys: []string{"Ctrl+K", "Ctrl+Shift+P"},
			Run: func() { dialogs.ShowPalette(w.Host) }},
		&commands.Command{ID: "menu", Menu: "help", Keys: []string{"F10"}, Run: func() { w.menu.Open(0) }},
		&commands.Command{ID: commands.Keys, Menu: "help", Keys: []string{"F1", "?"}, Run: settingsAt(w, preferences.Keys)},
		&commands.Command{ID: "welcome", Menu: "help", Run: w.showFirstSteps},
		&commands.Command{ID: "formats", Menu: "help", Run: func() { dialogs.ShowFormats(w.Host) }},
		&commands.Command{ID: "about", Menu: "help", Run: func() { dialogs.ShowAbout(w.Host) }},
	)
	return append(list, w.languageCommands()...)
}

// settingCommands lead to the parameters and choose the presets. The parameters are first, since
// both are found by the same words.
func (w *window) settingCommands(open func() bool) (list []*commands.Command) {
	for _, x := range model.Params() {
		list = append(list, &commands.Command{ID: commands.Param + x.Key, Needs: "session", Enabled: open,
			Text: func() string { return words.T(x.Word) }})
	}
	for _, p := range compaction.Presets() {
		p.Policy.Preset = p.ID
		list = append(list, &commands.Command{ID: "preset." + p.ID, Needs: "session", Enabled: open,
			Run:  func() { w.Desk.Planning.UsePreset(p.Policy) },
			Text: func() string { return words.T("command.preset", "preset", show.PresetName(p.ID)) }})
	}
	return list
}

// languageCommands choose the language of the window; the first one follows the system.
func (w *window) languageCommands() (list []*commands.Command) {
	for _, lang := range append([]string{""}, words.Languages...) {
		list = append(list, &commands.Command{ID: commands.Language + lang, Run: func() { w.setLanguage(lang) },
			Checked: func() bool { return w.Settings.Language() == lang },
			Text: func() string {
				name := words.T("language.system")
				if lang != "" {
					name = words.Name(lang)
				}
				return words.T("command.language", "language", name)
			}})
	}
	return list
}

// onMessage reports whether a message of the history is selected.
func (w *window) onMessage() bool {
	d := w.Desk
	return !w.InSheet() && d.Session() != nil && d.Selected() >= 0 && d.Selected() < d.RowCount() && d.Row(d.Selected()).Num > 0
}

func (w *window) pinText() string {
	if p, many := w.Desk.Range(); many {
		if p.Pinned == len(p.Messages) {
			return words.T("range.unpin", "n", len(p.Messages))
		}
		return words.T("range.pin", "n", len(p.Messages))
	}
	if w.onMessage() && w.Desk.Row(w.Desk.Selected()).Pinned {
		return words.T("do.unpin")
	}
	return words.T("do.pin")
}

// onlyFate shows the rows of one fate, or all again.
func (w *window) onlyFate(fate int) {
	if w.preview.Open {
		w.preview.ToggleFate(fate)
		return
	}
	f := w.Desk.Filter()
	if f.Fate == fate {
		fate = 0
	}
	f.Fate = fate
	w.Desk.SetFilter(f)
	w.Overlay.HideToast()
	if fate > 0 {
		name := words.T("fate." + model.Fates[fate-1].String())
		w.Overlay.Toast(words.T("ledger.filtered", "fate", name), words.T("ledger.filtered.clear"),
			func() { w.Desk.SetFilter(desk.Filter{}) })
	}
}

// seek selects the next row in a direction that is wanted.
func (w *window) seek(by int, wanted func(session.Row) bool) {
	d := w.Desk
	for i := d.Selected() + by; i >= 0 && i < d.RowCount(); i += by {
		if wanted(d.Row(i)) {
			d.SelectRow(i)
			return
		}
	}
}

func typedRow(r session.Row) bool { return r.Msg != nil && r.Msg.Typed() }

func markRow(r session.Row) bool { return r.Kind != session.RowMessage }
