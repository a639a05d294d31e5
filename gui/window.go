package gui

import (
	"context"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/assets"
	"palimpsest/gui/agents"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/dialogs"
	"palimpsest/gui/history"
	"palimpsest/gui/kit"
	"palimpsest/gui/preview"
	"palimpsest/gui/recorded"
	"palimpsest/gui/records"
	"palimpsest/gui/repair"
	"palimpsest/gui/sched"
	"palimpsest/gui/screen"
	"palimpsest/gui/search"
	"palimpsest/gui/sessions"
	"palimpsest/gui/settings"
	"palimpsest/gui/show"
	"palimpsest/gui/study"
	"palimpsest/gui/words"
	"palimpsest/gui/workbench"
	"palimpsest/model/store"
)

// window is the program's window: the panes around one desk.
type window struct {
	*screen.Host
	o Options

	remembered bool // the state is kept for the next start

	menu   *kit.MenuStrip
	room   *container.Scroll // of the panes: scrolls where the window is smaller than they are
	notice *noticeBar
	status *workbench.StatusBar

	sessions   *workbench.SessionsPane
	greets     bool // a person who opened nothing yet is shown the first steps
	left       *kit.Split
	right      *kit.Split
	params     fyne.CanvasObject // one of these two is at the right
	about      *workbench.AboutPane
	middle     *kit.Split
	history    *kit.Split // what is shown, and beside it what was done
	records    *records.RecordsPane
	asking     *dialogs.AskingDialog
	ledger     *workbench.LedgerPane
	preview    *preview.Screen
	kept       *recorded.Screen
	sweep      *study.SweepSheet
	compare    *study.CompareSheet
	agents     *agents.AgentsSheet
	library    *sessions.Table
	search     *search.Screen
	askReading func() // asks how to read a history that no format claims
}

func newWindow(a fyne.App, d *desk.Desk, set settings.Settings, o Options) *window {
	w := &window{Host: &screen.Host{App: a, Desk: d, Settings: set, Overlay: kit.NewHost(container.NewWithoutLayout()), Version: o.Version},
		o: o}
	w.askReading, w.FindAll = dialogs.NewReadingAsker(w.Host), showSearch(w)
	w.Overlay.After = d.Scheduler().After
	w.Overlay.OnZoom = func(larger bool) {
		if larger {
			w.Commands.Run("textLarger")
		} else {
			w.Commands.Run("textSmaller")
		}
	}
	w.Win = newAppWindow(a)
	w.Win.SetPadded(false)
	w.Win.SetContent(w.Overlay)
	memory := givesBack(allocated, debug.FreeOSMemory)
	d.Scheduler().OnBusy(func(busy bool) { w.status.SetBusy(busy); memory(busy) })
	w.build()
	w.Win.Resize(set.Size())
	w.Win.SetOnDropped(func(_ fyne.Position, list []fyne.URI) { dialogs.Dropped(w.Host, list) })
	w.Win.SetCloseIntercept(w.close)
	return w
}

// build makes the content from the state, at the start and whenever language
// or text size change.
func (w *window) build() {
	w.Desk.StopListening()
	w.Overlay.HideToast() // its words are of before
	w.Commands = commands.NewCommands(nil)
	w.Commands.Show, w.Commands.Hide, w.Commands.Toast, w.Commands.Hush = w.ShowSheet, w.HideSheet, w.Overlay.Toast, w.Overlay.HideToast
	w.Commands.Ran = w.o.Crashes.Step
	w.Commands.Lost = func(record, text string) { w.FindAll(desk.Asked{Lost: true, Record: record, Text: text}) }
	for _, cmd := range w.table() {
		w.Commands.Add(cmd)
	}
	w.menu = w.newMenu()
	w.notice = newNoticeBar(w)
	w.status = workbench.NewStatusBar(w.Desk, w.Commands)
	w.history = w.Split("history", false, w.Hold(w.newPanes()), history.New(w.Desk, w.Commands).Object(), kit.KeepSecond, 264)
	w.history.ShowSecond(!w.Settings.Hidden("history"))
	w.records, w.sweep, w.compare, w.agents, w.library, w.search = nil, nil, nil, nil, nil, nil
	w.room = kit.Roomy(kit.Margin(6, 6, 6, 6, w.history))
	w.Overlay.SetContent(kit.Column(0, w.menu, kit.Stretch(w.room), w.status.Object()))
	w.Overlay.SetFloat(w.notice.Object())
	w.notice.changed = w.Overlay.Refresh
	w.bindKeys()
	w.Desk.Listen(desk.TopicSession, w.retitle)
	w.Desk.Listen(desk.TopicFiles, w.retitle)
	w.Desk.Listen(desk.TopicSession, w.askReading)
	w.retitle()
}

// newPanes assembles the workbench: sessions, the work, the parameters.
func (w *window) newPanes() fyne.CanvasObject {
	w.sessions = workbench.NewSessionsPane(w.Desk, w.Win, w.Commands, w.Settings)
	chart := workbench.NewChartPane(w.Desk, w.Win, w.Commands)
	ledger := workbench.NewLedgerPane(w.Desk, w.Win, w.Commands)
	detail := workbench.NewDetailPane(w.Desk, w.Win, w.Commands)
	ledger.ReadBeside(detail.View)
	w.Commands.Bind(commands.Find, func() bool { return !w.InSheet() || w.Find != nil }, func() {
		if w.InSheet() {
			w.Find()
		} else {
			ledger.Find()
		}
	})
	detail.Remember(w.Settings)
	params := workbench.NewParamPane(w.Desk, w.Win, w.Commands)
	w.Turned = func() {
		w.notice.update()
		params.Offer() // a screen was in the way of some
	}
	w.preview = preview.New(&preview.State{Window: w.Desk, Planning: w.Desk.Planning, DraftSet: w.Desk.DraftSet}, w.Win, w.Commands)
	study.NewWhySheet(w.Desk, w.Commands)
	study.NewPromptSheet(w.Desk, w.Commands)
	w.kept = recorded.New(w.Desk, w.Win, w.Commands)
	repair.New(w.Host)
	dialogs.NewJobSheet(w.Desk, w.Win, w.Commands)
	w.asking = dialogs.NewAskingDialog(w.Host)

	work := workbench.NewWorkArea(w.Desk, w.Win, w.Commands, ledger.Object(), ledger.StartAt)
	lower := w.Split("detail", true, work.Object(), detail.Object(), kit.KeepShare, .655)
	w.middle = w.Split("chart", true, chart.Object(), lower, kit.KeepShare, .23)
	w.params, w.about = params.Object(), workbench.NewAboutPane(w.Desk, w.Win, w.Commands, detail.View)
	w.right = w.Split("parameters", false, w.middle, container.NewStack(w.params, w.about.Object()), kit.KeepSecond, 336)
	showAbout(w, !w.Settings.Hidden("about"))
	w.left = w.Split("sessions", false, w.sessions.Object(), w.right, kit.KeepFirst, 236).Spare(w.sessions.Object(), nil)
	w.left.ShowFirst(!w.Settings.Hidden("sessions"))
	ledger.List.SetMore(!w.Settings.Hidden("columns"))
	w.ledger = ledger
	w.right.ShowSecond(!w.Settings.Hidden("parameters"))
	w.middle.ShowFirst(!w.Settings.Hidden("chart"))
	return w.left
}

// togglePane hides or shows one of the panes around the ledger.
func (w *window) togglePane(name string) {
	if name == "parameters" && w.library.Visible() { // it has another one in that place
		w.library.ToggleAbout()
		return
	}
	hide := !w.Settings.Hidden(name)
	w.Settings.SetHidden(name, hide)
	switch name {
	case "sessions":
		w.left.ShowFirst(!hide)
	case "chart":
		w.middle.ShowFirst(!hide)
	case "history":
		w.history.ShowSecond(!hide)
	case "columns":
		w.ledger.List.SetMore(!hide)
	case "about":
		showAbout(w, !hide)
		if !hide && w.Settings.Hidden("parameters") { // they share a place
			w.togglePane("parameters")
		}
	default:
		w.right.ShowSecond(!hide)
	}
}

// showAbout puts what is known of a message into the place of the parameters, or them.
func showAbout(w *window, show bool) {
	shown, hidden := w.params, w.about.Object()
	if show {
		shown, hidden = hidden, shown
	}
	hidden.Hide()
	shown.Show()
	w.about.Update()
}

func (w *window) retitle() {
	title := words.T("app.name")
	if e := w.Desk.Current(); e != nil {
		title += " — " + kit.Clean(show.EntryTitle(e))
		counting := e.Session != nil && e.Session.Sketched() && !w.Desk.CanCount()
		if e.State == desk.Loading || e.State == desk.Closed || counting {
			title += " …" // it is being read; scripts wait for the end of it
		}
	}
	w.Win.SetTitle(title)
}

// begin fills the window when its first frame is under way.
func (w *window) begin() {
	if w.o.StoreErr != nil {
		w.Desk.Fail(w.o.StoreErr)
	}
	w.addSamples()
	sayFaults(w.Desk, w.o.Crashes)
	w.Desk.Replaced = func(st *store.Store) { w.Opened = st }
	if w.o.OpenStore == nil {
		w.first()
		return
	}
	chosen := w.Settings.Database()
	w.Desk.OpenStore(func() (*store.Store, string, error) { return w.o.OpenStore(chosen) }, w.first)
}

// addSamples puts those samples into the list that are not in it.
func (w *window) addSamples() {
	for _, s := range w.missingSamples() {
		w.Desk.AddSample(s.ID, words.T(s.Title), s.File, s.Bytes())
	}
	w.Desk.Peek()
}

func (w *window) missingSamples() (list []assets.Sample) {
	for _, s := range assets.Samples {
		if !slices.ContainsFunc(w.Desk.Entries(), func(e *desk.Entry) bool { return e.Sample == s.ID }) {
			list = append(list, s)
		}
	}
	return list
}

// sheet is the name of the screen in the place of the panes; "" for the panes and for
// those that belong to a moment.
func (w *window) sheet() string {
	switch {
	case w.records.Visible():
		return commands.Records
	case w.library.Visible():
		return commands.Sessions
	}
	return ""
}

// resume goes back to the message and the screen that were seen when the window was
// closed; path is that of the history, or the id of a sample.
func (w *window) resume(path string) {
	w.Desk.Resume(path, w.Settings.LastMessage())
	if name := w.Settings.LastSheet(); name != "" {
		w.Commands.Run(name)
	}
}

// first opens what the window begins with.
func (w *window) first() {
	w.Desk.LoadRecents()
	w.Desk.WatchLive()
	switch last := w.Settings.Last(); {
	case len(w.o.Files) > 0:
		w.Desk.Add(w.o.Files...)
	case w.Desk.Current() != nil: // opened while the database was waited for
	case last != "" && !strings.HasPrefix(last, "sample-"):
		w.reopen(last)
		return
	default:
		w.firstSample(last)
		w.resume(last)
		if w.greets && last == "" {
			w.showFirstSteps()
		}
	}
	w.Desk.Peek()
}

// reopen opens the file that was looked at last, if it is still there.
func (w *window) reopen(path string) {
	sched.Do(w.Desk.Scheduler(), "last", func(context.Context, func(sched.Progress)) error {
		_, err := os.Stat(path)
		return err
	}, func(err error) {
		if err == nil {
			w.resume(path)
			w.Desk.Add(path)
		} else {
			w.firstSample("")
		}
		w.Desk.Peek()
	})
}

func (w *window) firstSample(id string) {
	list := w.Desk.Entries()
	for _, e := range list {
		if e.Sample == id && id != "" {
			w.Desk.Select(e)
			return
		}
	}
	if len(list) > 0 {
		w.Desk.Select(list[0])
	}
}

// close closes the window; a compaction or a call of a model under way is cancelled
// only if a person says so.
func (w *window) close() {
	text := words.T("close.text")
	switch {
	case w.Desk.Job().Running():
	case w.Desk.Asking().Running():
		text = words.T("close.asking", "model", w.Desk.Provider().Model)
	default:
		w.closeNow()
		return
	}
	kit.Ask(w.Win.Canvas(), words.T("close.title"), text, words.T("close.do"), words.T("do.cancel"), kit.Danger,
		w.closeNow)
}

// closeNow remembers the window's state and closes it.
func (w *window) closeNow() {
	remember(w)
	w.LeaveSheet() // a text that is edited by hand becomes a draft
	w.Win.Close()
	w.App.Quit()
}

// remember keeps the window's state for the next start, once: the program also ends
// without a word of the window, by a signal.
func remember(w *window) {
	if w.remembered {
		return
	}
	w.remembered = true
	if !w.Win.FullScreen() {
		w.Settings.SetSize(w.Win.Canvas().Size())
	}
	last := ""
	if e := w.Desk.Current(); e != nil && e.State == desk.Ready {
		if last = e.Path; e.Sample != "" {
			last = e.Sample
		}
	}
	w.Settings.SetLast(last)
	w.Settings.SetLastMessage(w.Desk.SelectedMessage() + 1)
	w.Settings.SetLastSheet(w.sheet())
}
