package doors

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"palimpsest/compaction/session"
	"palimpsest/compaction/toolconfig"
	"palimpsest/model"
)

// Run is a gateway that answers, as its folder says: for doctor, and so that the
// next run can undo what a killed one left.
type Run struct {
	Address string            `json:"address"`
	PID     int               `json:"pid"`
	Tool    string            `json:"tool"` // that was started; "": agents come by themselves
	Started time.Time         `json:"started"`
	Loans   []toolconfig.Loan `json:"loans,omitempty"`

	Dir string `json:"-"`
}

// runState is the file that a run is described in.
const runState = "run.json"

// RunFolder is the folder of the gateway at an address; "": of all.
func RunFolder(address string) (string, error) {
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "palimpsest", "runs", strings.ReplaceAll(address, ":", "_")), err
}

// Announce makes the folder of a gateway, with the files of the program that it starts.
func Announce(l net.Listener, address, tool string, s *toolconfig.Start) (*Run, error) {
	dir, err := RunFolder(l.Addr().String())
	if err != nil {
		return nil, err
	}
	r := &Run{Address: "http://" + address, PID: os.Getpid(), Tool: tool, Started: time.Now().UTC(), Loans: s.Loans, Dir: dir}
	state, err := json.Marshal(r)
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, runState), state, 0o600)
	}
	for name, text := range s.Files {
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o600)
		}
	}
	return r, err
}

// Runs lists the gateways that answer, and those that were killed.
func Runs() (list []Run, err error) {
	dir, err := RunFolder("")
	if err != nil {
		return nil, err
	}
	folders, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, f := range folders {
		r := Run{Dir: filepath.Join(dir, f.Name()), Address: "http://" + strings.ReplaceAll(f.Name(), "_", ":")}
		if text, err := os.ReadFile(filepath.Join(r.Dir, runState)); err == nil {
			_ = json.Unmarshal(text, &r) // else nothing more is known of it
		}
		list = append(list, r)
	}
	return list, err
}

// Health is how it is. One that was stopped for a while does not answer and is not gone.
func (r *Run) Health(ctx context.Context) (h *Health, gone bool) {
	h, err := AskHealth(ctx, r.Address)
	var late net.Error
	switch {
	case err == nil && (h.PID == r.PID || r.PID == 0):
		return h, false
	case errors.As(err, &late) && late.Timeout():
		return nil, false
	}
	return nil, true
}

// Undo gives back what a program was lent and removes the folder.
func (r *Run) Undo(ctx context.Context) error {
	for _, l := range r.Loans {
		path, err := model.UserPath(l.File)
		if err != nil {
			return err
		}
		left, err := os.ReadFile(filepath.Join(r.Dir, l.Copy))
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was never lent
		}
		file, fault := model.ReadIfThere(path)
		if err := errors.Join(err, fault); err != nil {
			return err
		}
		if text, changed := l.Returned(file, left); changed {
			if _, err := session.ReplaceFile(ctx, path, nil, text); err != nil {
				return err
			}
		}
	}
	return os.RemoveAll(r.Dir)
}

// CleanRuns undoes the runs that were killed, and returns those.
func CleanRuns(ctx context.Context) (gone []Run, err error) {
	list, err := Runs()
	for _, r := range list {
		if _, dead := r.Health(ctx); dead {
			err = errors.Join(err, r.Undo(ctx))
			gone = append(gone, r)
		}
	}
	return gone, err
}

// Reading reads what a person has set up for tools.
func Reading(exe string) *toolconfig.Start {
	return &toolconfig.Start{Self: []string{exe}, Env: os.Getenv, Read: func(path string) []byte {
		path, err := model.UserPath(path)
		if err != nil {
			return nil
		}
		text, _ := model.ReadSmall(path)
		return text
	}}
}
