package gui

import (
	"cmp"
	"context"
	"os"

	"fyne.io/fyne/v2"

	"palimpsest/model/crash"
	"palimpsest/model/program"
	"palimpsest/model/store"
)

// Options say with what the window begins.
type Options struct {
	// Files are opened at the start; none opens what was looked at last, or the
	// first sample.
	Files []string
	// Store keeps records, presets, recent files and settings. The window does
	// not close it.
	Store *store.Store
	// StoreErr is why there is no store; it is said in a banner, and records
	// are kept in memory.
	StoreErr error
	// OpenStore opens the store when the first frame is drawn, in the place of
	// Store; the window closes it. It is given what a person chose in the window's
	// settings, "" for nothing, and gives the path or address it went to.
	OpenStore func(chosen string) (st *store.Store, path string, err error)
	// Language is one of words.Languages; "" is the one chosen before, else
	// the system's.
	Language string
	// Version is shown in the window about the program; "" is the build's.
	Version string

	// Crashes writes a report if the program fails; nil: none.
	Crashes *crash.Reporter
}

// newAppWindow makes the window the program shows itself in.
func newAppWindow(a fyne.App) fyne.Window {
	defer quietWayland()()
	return a.NewWindow(a.Metadata().Name) // its words are still being read
}

// quietWayland keeps the library that looks for Wayland from writing to the terminal that
// there is none, until it is called.
func quietWayland() (end func()) {
	const folder = "XDG_RUNTIME_DIR"
	if os.Getenv(folder) != "" || os.Getenv("WAYLAND_DISPLAY") != "" || os.Getenv("DISPLAY") == "" {
		return func() {}
	}
	_ = os.Setenv(folder, "/nonexistent")
	return func() { _ = os.Unsetenv(folder) }
}

// Open opens the window with files on the database at a path or address; "": that which a
// person chose in it, else the usual one. The database is opened behind the first frame:
// one that can't be opened is said there and keeps nobody from looking at a history.
func Open(files []string, db string) error {
	open := func(chosen string) (*store.Store, string, error) {
		path := cmp.Or(db, chosen)
		if path == "" {
			var err error
			if path, err = store.DefaultPath(); err != nil {
				return nil, "", err
			}
		}
		st, err := store.OpenWhole(context.Background(), path)
		shown, _ := store.WithoutPassword(path)
		return st, shown, err
	}
	return Run(Options{Files: files, Version: program.BuiltFrom(), Crashes: program.Crashes(), OpenStore: open})
}
