package gui

import (
	"palimpsest/gui/kit"
	"palimpsest/gui/preferences"
	"palimpsest/gui/words"
)

// setMode changes the palette of the running window.
func (w *window) setMode(m kit.Mode) {
	w.Settings.SetMode(m)
	kit.UseLook(w.App, w.Settings.Look())
}

// setDensity changes the room of the rows of the running window.
func (w *window) setDensity(d kit.Density) {
	if d == w.Settings.Density() {
		return
	}
	w.Settings.SetDensity(d)
	kit.UseLook(w.App, w.Settings.Look())
	w.rebuild()
}

// setScale changes the text size of the running window.
func (w *window) setScale(v float32) {
	v = min(kit.MaxScale, max(kit.MinScale, float32(int(v*10+.5))/10))
	if v == w.Settings.Scale() {
		return
	}
	w.Settings.SetScale(v)
	kit.UseLook(w.App, w.Settings.Look())
	w.rebuild()
}

// setLanguage changes the language of the running window; all of it is built
// anew from the state.
func (w *window) setLanguage(lang string) {
	w.Settings.SetLanguage(lang)
	words.Set(lang)
	w.rebuild()
}

// rebuild builds the window anew and goes back to the sheet that was open.
func (w *window) rebuild() {
	records, agents, library := w.records.Visible(), w.agents.Visible(), w.library.Visible()
	sweep, compare, preview, kept := w.sweep.Visible(), w.compare.Visible(), w.preview, w.kept
	w.build()
	w.Desk.Announce()
	switch {
	case preview.Open:
		w.preview.ShowAs(preview)
	case sweep:
		w.showSweep()
	case compare:
		w.showCompare()
	case kept.Open:
		w.kept.Show(-1)
	case records:
		w.showRecords()
	case agents:
		w.showAgents()
	case library:
		w.showSessions()
	}
}

// settingsAt opens the settings at a page; "" is the one that was open last.
func settingsAt(w *window, page string) func() {
	return func() { preferences.Show(w.Host, page) }
}
