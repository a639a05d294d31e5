package gui

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"palimpsest/gui/desk"
	"palimpsest/model"
	"palimpsest/model/crash"
)

// toolkitLog takes what the toolkit writes to the log: several lines for each thing it
// could do without, such as a cache. That there is no window matters, and that settings
// can't be saved.
type toolkitLog struct {
	mu      sync.Mutex
	dead    bool
	losing  bool               // the next line is why settings could not be saved
	unsaved func(cause string) // is called once when they could not be; nil: it was, or nobody asks
}

// Write implements [io.Writer].
func (l *toolkitLog) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dead = l.dead || bytes.Contains(b, []byte("failed to initialise GLFW")) || bytes.Contains(b, []byte("window creation error"))
	if _, cause, ok := bytes.Cut(b, []byte("Cause: ")); ok && l.losing && l.unsaved != nil {
		l.unsaved(string(bytes.TrimSpace(cause)))
		l.unsaved = nil
	}
	l.losing = bytes.Contains(b, []byte("saving preferences"))
	return len(b), nil
}

// sayUnsaved has it said once when the toolkit can't save settings, of which a person would
// learn at the next start.
func (l *toolkitLog) sayUnsaved(d *desk.Desk, dispatch func(func())) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unsaved = func(cause string) {
		dispatch(func() {
			d.Say(desk.Notice{Severity: desk.Warning, Err: &model.Problem{Code: "settings-unsaved",
				What: "The window's settings can't be saved.",
				Next: "What you change in them is lost when the program ends; the reason is under Details.",
				Err:  errors.New(cause)}})
		})
	}
}

// noWindow reports whether the toolkit has said that it can't make a window.
func (l *toolkitLog) noWindow() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dead
}

// problem is what a panic means for a person: there is no display, or the program has a
// fault, of which a report is written.
func (l *toolkitLog) problem(r *crash.Reporter, value any, stack []byte) error {
	if l.noWindow() || fmt.Sprintf("%T", value) == "*glfw.Error" {
		return noDisplay()
	}
	p := &model.Problem{Code: "crashed", What: "Palimpsest ended because of a fault of its own.",
		Why: "No report of it could be written."}
	if path := r.Recovered(value, stack); path != "" {
		p.Why = "A report without any text of yours is in " + path + "; the next start shows it."
	}
	return p
}

// mayHaveDisplay reports whether it makes sense to ask for a window: the libraries that
// look for a display complain in their own words.
func mayHaveDisplay() bool {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" || os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != "" {
		return true
	}
	_, err := os.Stat(filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), "wayland-0")) // where Wayland looks then
	return err == nil
}

// noDisplay says what to do where no window can be shown.
func noDisplay() error {
	p := &model.Problem{Code: "no-display", What: "No window can be opened.",
		Next: "Use a verb, which needs no display (palimpsest --help), or start it on a desktop."}
	switch shown := os.Getenv("DISPLAY"); {
	case runtime.GOOS == "windows", runtime.GOOS == "darwin":
		p.Why = "The system gives none, or has no OpenGL 2.1."
	case shown == "" && os.Getenv("WAYLAND_DISPLAY") == "":
		p.Why = "There is no display: DISPLAY and WAYLAND_DISPLAY are empty."
	default:
		p.Why = "The display " + strings.TrimSpace(shown+" "+os.Getenv("WAYLAND_DISPLAY")) + " can't be used, or draws no OpenGL 2.1."
	}
	if os.Getenv("SSH_CONNECTION") != "" {
		p.Next = "Over ssh use a verb, which needs no display (palimpsest --help), or connect with ssh -X."
	}
	return p
}

// sayFaults shows the report of a run that ended by a fault, in a notice with the text
// to read and copy.
func sayFaults(d *desk.Desk, r *crash.Reporter) {
	for _, path := range r.Take() {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		d.Say(desk.Notice{Severity: desk.Warning, Err: &model.Problem{Code: "crash-report",
			What: "Palimpsest ended by a fault of its own the last time.",
			Next: "The report has no text of your histories; read it under Details.",
			Err:  errors.New(path + "\n\n" + string(text))}})
	}
}
