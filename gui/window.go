package gui

import (
	"context"
	"os"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/assets"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/meter"
	"palimpsest/gui/sched"
	"palimpsest/gui/words"
	"palimpsest/model/store"
)

// window is the program's window: the panes around one desk.
type window struct {
	*Host
	o Options

	menu   *kit.MenuStrip
	notice *noticeBar
	status *statusBar

	sessions   *sessionsPane
	welcome    *welcomeStrip
	left       *kit.Split
	right      *kit.Split
	middle     *kit.Split
	records    *recordsPane
	asking     *askingDialog
	preview    *previewSheet
	sweep      *sweepSheet
	compare    *compareSheet
	agents     *agentsSheet
	askReading func() // asks how to read a history that no format claims

	meter  *meter.Meter // nil but for measurements
	memory giveBack
}

func newWindow(a fyne.App, d *desk.Desk, set settings, o Options) *window {
	w := &window{Host: &Host{app: a, d: d, set: set, overlay: kit.NewHost(container.NewWithoutLayout()), version: o.Version}, o: o, meter: meter.New()}
	w.askReading = newReadingAsker(w.Host)
	w.overlay.After = d.Scheduler().After
	w.win = o.window(a)
	w.win.SetPadded(false)
	w.win.SetContent(w.meter.Over(w.overlay))
	d.Scheduler().OnBusy(func(busy bool) { w.status.setBusy(busy); w.memory.busy(busy) })
	w.build()
	w.win.Resize(set.size())
	w.win.SetOnDropped(func(_ fyne.Position, list []fyne.URI) { dropped(w.Host, list) })
	w.win.SetCloseIntercept(w.close)
	return w
}

// build makes the content from the state, at the start and whenever language
// or text size change.
func (w *window) build() {
	w.d.Deafen()
	w.c = newCommands(nil)
	w.c.show, w.c.hide, w.c.toast = w.showSheet, w.hideSheet, w.overlay.Toast
	for _, cmd := range w.table() {
		w.c.add(cmd)
	}
	w.menu = w.newMenu()
	w.notice = newNoticeBar(w.d, w.win, w.c)
	w.status = newStatusBar(w.d, w.c)
	body := w.hold(w.newPanes())
	w.records, w.sweep, w.compare, w.agents = nil, nil, nil, nil
	all := kit.Column(0, w.menu, kit.OnBackground(w.notice.Object()), kit.Yield(leastBody, kit.Margin(6, 6, 6, 6, body)), w.status.Object())
	w.notice.changed = all.Refresh
	w.overlay.SetContent(all)
	w.bindKeys()
	w.d.Listen(desk.TopicSession, w.retitle)
	w.d.Listen(desk.TopicFiles, w.retitle)
	w.d.Listen(desk.TopicSession, w.askReading)
	w.retitle()
}

// leastBody is the height that panes and sheets may be pressed to by banners: at
// 1280×720 four of them leave the status bar where it is.
const leastBody = 480

// newPanes assembles the workbench: sessions, the work, the parameters.
func (w *window) newPanes() fyne.CanvasObject {
	w.sessions = newSessionsPane(w.d, w.win, w.c, w.set)
	chart := newChartPane(w.d, w.win, w.c)
	ledger := newLedgerPane(w.d, w.win, w.c)
	detail := newDetailPane(w.d, w.win, w.c)
	params := newParamPane(w.d, w.win, w.c)
	measured(w.d, w.meter, params)
	w.preview = newPreviewSheet(w.d, w.win, w.c)
	newWhySheet(w.d, w.c)
	newJobSheet(w.d, w.win, w.c)
	w.asking = newAskingDialog(w.Host)

	w.welcome = newWelcomeStrip(w.d, w.c, w.set)
	upper := kit.Column(0, w.welcome.Object(), kit.Stretch(ledger.Object()))
	w.welcome.changed = upper.Refresh
	work := newWorkArea(w.d, w.win, w.c, upper, ledger.startAt)
	lower := w.split("detail", true, work.Object(), detail.Object(), kit.KeepShare, .655)
	w.middle = w.split("chart", true, chart.Object(), lower, kit.KeepShare, .23)
	w.right = w.split("parameters", false, w.middle, params.Object(), kit.KeepSecond, 336)
	w.left = w.split("sessions", false, w.sessions.Object(), w.right, kit.KeepFirst, 236)
	w.left.ShowFirst(!w.set.hidden("sessions"))
	w.right.ShowSecond(!w.set.hidden("parameters"))
	w.middle.ShowFirst(!w.set.hidden("chart"))
	return w.left
}

// togglePane hides or shows one of the panes around the ledger.
func (w *window) togglePane(name string) {
	hide := !w.set.hidden(name)
	w.set.setHidden(name, hide)
	switch name {
	case "sessions":
		w.left.ShowFirst(!hide)
	case "chart":
		w.middle.ShowFirst(!hide)
	default:
		w.right.ShowSecond(!hide)
	}
}

func (w *window) retitle() {
	title := words.T("app.name")
	if e := w.d.Current(); e != nil {
		title += " — " + kit.Clean(entryTitle(e))
	}
	w.win.SetTitle(title)
}

// entryTitle is what a history is called on the screen.
func entryTitle(e *desk.Entry) string {
	for _, s := range assets.Samples {
		if s.ID == e.Sample {
			return words.T(s.Title)
		}
	}
	return e.Title
}

// begin fills the window when its first frame is under way.
func (w *window) begin() {
	if w.o.StoreErr != nil {
		w.d.Fail(w.o.StoreErr)
	}
	w.addSamples()
	if w.o.OpenStore == nil {
		w.first()
		return
	}
	chosen := w.set.database()
	type opened struct {
		st   *store.Store
		path string
	}
	sched.Run(w.d.Scheduler(), "store", func(context.Context, func(sched.Progress)) (o opened, err error) {
		o.st, o.path, err = w.o.OpenStore(chosen)
		return o, err
	}, func(o opened, err error) {
		if err != nil {
			w.d.StoreFailed(o.path, err)
		}
		if o.st != nil { // with an error, too: the rest of a damaged one
			w.opened = o.st
			w.d.UseStore(o.st)
		}
		w.first()
	})
}

// addSamples puts those samples into the list that are not in it.
func (w *window) addSamples() {
	for _, s := range w.missingSamples() {
		w.d.AddSample(s.ID, words.T(s.Title), s.File, s.Bytes())
	}
	w.d.Peek()
}

func (w *window) missingSamples() (list []assets.Sample) {
	for _, s := range assets.Samples {
		if !slices.ContainsFunc(w.d.Entries(), func(e *desk.Entry) bool { return e.Sample == s.ID }) {
			list = append(list, s)
		}
	}
	return list
}

// first opens what the window begins with.
func (w *window) first() {
	w.d.LoadRecents()
	switch last := w.set.last(); {
	case len(w.o.Files) > 0:
		w.d.Add(w.o.Files...)
	case last != "" && !strings.HasPrefix(last, "sample-"):
		w.reopen(last)
		return
	default:
		w.firstSample(last)
	}
	w.d.Peek()
}

// reopen opens the file that was looked at last, if it is still there.
func (w *window) reopen(path string) {
	sched.Do(w.d.Scheduler(), "last", func(context.Context, func(sched.Progress)) error {
		_, err := os.Stat(path)
		return err
	}, func(err error) {
		if err == nil {
			w.d.Add(path)
		} else {
			w.firstSample("")
		}
		w.d.Peek()
	})
}

func (w *window) firstSample(id string) {
	list := w.d.Entries()
	for _, e := range list {
		if e.Sample == id && id != "" {
			w.d.Select(e)
			return
		}
	}
	if len(list) > 0 {
		w.d.Select(list[0])
	}
}

// close closes the window; a compaction under way is cancelled only if a person
// says so.
func (w *window) close() {
	if !w.d.Job().Running() {
		w.closeNow()
		return
	}
	kit.Ask(w.win.Canvas(), words.T("close.title"), words.T("close.text"), words.T("close.do"), words.T("do.cancel"), kit.Danger, w.closeNow)
}

// closeNow remembers how the window stands and closes it.
func (w *window) closeNow() {
	if !w.win.FullScreen() {
		w.set.setSize(w.win.Canvas().Size())
	}
	last := ""
	if e := w.d.Current(); e != nil && e.State == desk.Ready {
		if last = e.Path; e.Sample != "" {
			last = e.Sample
		}
	}
	w.set.setLast(last)
	w.win.Close()
	w.app.Quit()
}
