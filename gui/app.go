package gui

import (
	"context"
	"log"
	"runtime"
	"runtime/debug"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/kit/faces"
	"palimpsest/gui/sched"
	"palimpsest/gui/settings"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model/program"
)

// appID keys the preferences of the window; it stays the same for ever.
const appID = "io.github.palimpsest.workbench"

// metadata gives the toolkit what its packaging tool would: in a plain "go
// build" it asks for it at run time.
func metadata(version string) fyne.AppMetadata {
	return fyne.AppMetadata{
		ID: appID, Name: "Palimpsest", Version: version, Release: true,
		Icon:       show.Icon(),
		Migrations: map[string]bool{"fyneDo": true},
	}
}

// Run opens the window and returns when it was closed. The first frame waits
// for no file and no database. A fault of the program or a display that can't be
// used is an error, never a stack on somebody's terminal.
func Run(o Options) (err error) {
	if !mayHaveDisplay() {
		return noDisplay()
	}
	said := &toolkitLog{}
	log.SetOutput(said)
	defer o.Crashes.Watch()()
	defer func() {
		if p := recover(); p != nil {
			err = said.problem(o.Crashes, p, debug.Stack())
		}
	}()
	return run(o, said)
}

func run(o Options, said *toolkitLog) error {
	if o.Version == "" {
		o.Version = program.BuiltFrom()
	}
	app.SetMetadata(metadata(o.Version))
	a := app.NewWithID(appID)
	a.SetIcon(show.Icon())
	set := settings.New(a.Preferences())
	lang := o.Language
	if lang == "" {
		lang = set.Language()
	}
	words.Set(lang)
	go faces.Read(words.Language() == words.Chinese) // which the first frame needs
	kit.UseLook(a, set.Look())

	// Background work takes a processor each; one more is the window's own, so
	// that a frame never waits until one of them is preempted.
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1)
	results := sched.NewBatch(fyne.Do)
	d := desk.New(results.Dispatch, o.Store)
	said.sayUnsaved(d, results.Dispatch)
	d.AdviseUnasked()
	w := newWindow(a, d, set, o)
	w.greets = true
	savePreferences := takeStopHook(a)
	w.Win.Show()
	if said.noWindow() { // Fyne 2.8.1 would wait for one for ever
		return noDisplay()
	}
	go faces.Read(true) // which nothing in that frame needed
	d.Follow(set.Following())
	w.begin()
	a.Run()
	said.sayUnsaved(d, func(func()) {}) // nobody reads it any more
	remember(w)
	savePreferences()
	w.end()
	return nil
}

// takeStopHook returns what the toolkit does when its loop has ended, which is to save
// the preferences, and takes it out of the toolkit: Fyne 2.8.1 queues the hook behind the
// loop that has just ended, and if that queue is a moment late, [fyne.App.Run] waits for
// ever for an answer that nobody gives.
func takeStopHook(a fyne.App) (hook func()) {
	l, ok := a.Lifecycle().(interface {
		OnStopped() func()
		SetOnStoppedHookExecuted(hook func())
	})
	if !ok || l.OnStopped() == nil {
		return func() {}
	}
	hook = l.OnStopped()
	l.SetOnStoppedHookExecuted(nil)
	return hook
}

// closing bounds how long the program waits for work that was cancelled, so
// that a record of it can still be written.
const closing = 2 * time.Second

// end stops all work and waits for it.
func (w *window) end() {
	w.Desk.CancelJob()
	w.Desk.Close()
	ctx, cancel := context.WithTimeout(context.Background(), closing)
	defer cancel()
	_ = w.Desk.Scheduler().Wait(ctx)
	if w.Opened != nil {
		_ = w.Opened.Close()
	}
}
