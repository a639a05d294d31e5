// Package watch reports which files and folders changed on disk.
//
// The system is asked about folders and never about files: a file that is
// replaced by another one of its name would not be reported any more.
package watch

import (
	"path/filepath"
	"slices"
	"sync"

	"github.com/fsnotify/fsnotify"
)

// Watcher watches folders. Its methods may be called from any goroutine.
type Watcher struct {
	sys     *fsnotify.Watcher
	changed func(paths []string)
	over    chan struct{}

	mu        sync.Mutex
	folders   map[string]bool
	pending   map[string]bool
	reporting bool // changed is under way and will take what is pending
}

// New starts a watcher. changed gets what was written, made, renamed or
// removed: directly in a watched folder, each path once however often it
// changed since its last call. dispatch runs changed, as on the goroutine of
// a window.
func New(dispatch func(func()), changed func(paths []string)) (*Watcher, error) {
	sys, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	w := &Watcher{sys: sys, changed: changed, over: make(chan struct{}), folders: map[string]bool{}, pending: map[string]bool{}}
	go w.run(dispatch)
	return w, nil
}

// Close ends the watching and waits until nothing is reported any more; a call of
// changed that was dispatched before may still come, with no paths.
func (w *Watcher) Close() error {
	err := w.sys.Close()
	<-w.over
	w.mu.Lock()
	clear(w.pending)
	w.mu.Unlock()
	return err
}

// Set says which folders to watch from now on. Those that can't be watched are
// given back with the first reason: they are gone, or the system's limit is
// reached.
func (w *Watcher) Set(folders []string) (failed []string, err error) {
	want := map[string]bool{}
	for _, f := range folders {
		want[filepath.Clean(f)] = true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for f := range w.folders {
		if !want[f] {
			_ = w.sys.Remove(f) // it may be gone
			delete(w.folders, f)
		}
	}
	for f := range want {
		if w.folders[f] {
			continue
		}
		if e := w.sys.Add(f); e != nil {
			failed = append(failed, f)
			if err == nil {
				err = e
			}
			continue
		}
		w.folders[f] = true
	}
	slices.Sort(failed)
	return failed, err
}

func (w *Watcher) run(dispatch func(func())) {
	defer close(w.over)
	for {
		select {
		case e, ok := <-w.sys.Events:
			if !ok {
				return
			}
			if e.Has(fsnotify.Create | fsnotify.Write | fsnotify.Rename | fsnotify.Remove) {
				w.note(e, dispatch)
			}
		case err, ok := <-w.sys.Errors:
			if !ok {
				return
			}
			if err != nil { // events were lost: everything may have changed
				w.noteAll(dispatch)
			}
		}
	}
}

func (w *Watcher) note(e fsnotify.Event, dispatch func(func())) {
	path := filepath.Clean(e.Name)
	w.mu.Lock()
	if w.folders[path] && e.Has(fsnotify.Rename|fsnotify.Remove) {
		delete(w.folders, path) // the system forgets it, too
	}
	w.pending[path] = true
	w.schedule(dispatch)
}

// noteAll notes the watched folders themselves.
func (w *Watcher) noteAll(dispatch func(func())) {
	w.mu.Lock()
	for f := range w.folders {
		w.pending[f] = true
	}
	w.schedule(dispatch)
}

// schedule dispatches report unless it is dispatched already. It releases the lock.
func (w *Watcher) schedule(dispatch func(func())) {
	first := !w.reporting
	w.reporting = true
	w.mu.Unlock()
	if first {
		dispatch(w.report)
	}
}

func (w *Watcher) report() {
	w.mu.Lock()
	paths := make([]string, 0, len(w.pending))
	for p := range w.pending {
		paths = append(paths, p)
	}
	clear(w.pending)
	w.reporting = false
	w.mu.Unlock()
	if len(paths) > 0 {
		slices.Sort(paths)
		w.changed(paths)
	}
}
