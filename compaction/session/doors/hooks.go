package doors

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"palimpsest/compaction/toolconfig"
	"palimpsest/model"
)

// HookDir is where hooks keep their state.
func HookDir() (string, error) {
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "palimpsest", "hooks"), err
}

// LastHookError is the file there with the last error of a hook.
const LastHookError = "last-error.txt"

// LastError is the last error of a hook; "": there was none.
func LastError() string {
	dir, err := HookDir()
	if err != nil {
		return ""
	}
	text, _ := os.ReadFile(filepath.Join(dir, LastHookError))
	return strings.TrimSpace(string(text))
}

// NoteCall notes that the tool of a transcript called its hook at an event.
func NoteCall(dir, transcript, event string) {
	for _, t := range toolconfig.All() {
		folder, err := model.UserPath(t.Folder)
		if rel, outside := filepath.Rel(folder, transcript); err == nil && outside == nil && filepath.IsLocal(rel) {
			_ = os.MkdirAll(dir, 0o700)
			_ = os.WriteFile(filepath.Join(dir, "called-"+t.Key()), []byte(event), 0o600)
		}
	}
}

// ThereIs says where the folder of a tool's file is missing: the tool was never started.
func ThereIs(dir, tool string) error {
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return &model.Problem{Code: "no-tool", What: fmt.Sprintf("%s is not set up for you.", tool),
		Why: fmt.Sprintf("There is no folder %s.", dir), Next: "Start it once, or name its file: --file PATH."}
}

// Hook is the hook in a tool's file.
type Hook struct {
	Path    string
	Events  []string
	Program string // that is called
	Err     error  // why the file has none

	called time.Time
	event  string // the last one
}

// NewHook reads how the hook of a tool is.
func NewHook(h toolconfig.HookFile) (s Hook, err error) {
	if s.Path, err = model.UserPath(h.Hooks); err != nil {
		return s, err
	}
	dir, err := HookDir()
	if err != nil {
		return s, err
	}
	note := filepath.Join(dir, "called-"+h.Key())
	text, err := os.ReadFile(note)
	if i, missing := os.Stat(note); err == nil && missing == nil {
		s.called, s.event = i.ModTime(), string(text)
	}
	old, err := model.ReadIfThere(s.Path)
	if err == nil {
		s.Events, s.Program, err = h.Calls(old)
	}
	if err == nil && len(s.Events) == 0 {
		err = ThereIs(filepath.Dir(s.Path), h.Name)
	}
	s.Err = err
	return s, nil
}

// Last is when it was called last; "": it was never.
func (s *Hook) Last() string {
	if s.called.IsZero() {
		return ""
	}
	return s.called.Format(time.DateTime) + " (" + s.event + ")"
}
