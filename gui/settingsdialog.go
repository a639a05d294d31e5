package gui

import (
	"palimpsest/gui/dialogs"
	"palimpsest/gui/kit"
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
	records, agents := w.records.Visible(), w.agents.Visible()
	w.build()
	w.Desk.Announce()
	switch {
	case records:
		w.showRecords()
	case agents:
		w.showAgents()
	}
}

// showSettings opens the dialog of the window's look and language. What is
// chosen holds at once.
func (w *window) showSettings() {
	var dlg *kit.Dialog
	again := func() { dlg.Hide(); w.showSettings() }
	modes := kit.Modes
	var names []string
	at := 0
	for i, m := range modes {
		names = append(names, words.T("theme."+string(m)))
		if m == w.Settings.Mode() {
			at = i
		}
	}
	theme := kit.NewSegments(names, at, func(i int) { w.setMode(modes[i]) })

	langs := append([]string{""}, words.Languages...)
	names, at = []string{words.T("language.system")}, 0
	for i, l := range langs[1:] {
		names = append(names, words.Name(l))
		if l == w.Settings.Language() {
			at = i + 1
		}
	}
	lang := kit.NewSegments(names, at, func(i int) { w.setLanguage(langs[i]); again() })

	size := kit.NewText(words.Percent(float64(w.Settings.Scale())), kit.ColorText, 13).Center()
	step := func(by float32) func() { return func() { w.setScale(w.Settings.Scale() + by); again() } }
	text := kit.Row(8, kit.NewButton("A−", kit.Secondary, step(-.1)), kit.Sized(54, 0, size), kit.NewButton("A+", kit.Secondary, step(.1)))

	database := words.T("status.memory")
	if st := w.Desk.Store(); st != nil {
		database = st.Path()
	}
	factors := kit.NewButton(words.T("factors.edit"), kit.Secondary, func() { dialogs.ShowFactors(w.Host) })
	form := kit.NewFormOf(112, 30, 4).
		Row(words.T("settings.theme"), theme).
		Row(words.T("settings.language"), lang).
		Row(words.T("settings.text"), text).
		Row(words.T("factors.row"), factors).
		Wide(words.T("settings.database"), kit.NewText(database, kit.ColorMuted, 12).Fit())
	dlg = kit.NewDialog(words.T("do.settings"), "", form.Body(), 560, 0)
	dlg.SetCaption(words.T("settings.caption"))
	dlg.SetButtons(kit.NewButton(words.T("do.close"), kit.Primary, dlg.Hide))
	dlg.ShowOn(w.Win.Canvas())
}
