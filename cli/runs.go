package cli

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

	"palimpsest/cli/live"
	"palimpsest/compaction/session"
	"palimpsest/compaction/toolconfig"
	"palimpsest/model"
)

// gatewayRun is a gateway that answers, as its folder says: for doctor, and so that the
// next run can undo what a killed one left.
type gatewayRun struct {
	Address string            `json:"address"`
	PID     int               `json:"pid"`
	Tool    string            `json:"tool"` // that was started; "": agents come by themselves
	Started time.Time         `json:"started"`
	Loans   []toolconfig.Loan `json:"loans,omitempty"`

	dir string
}

// runState is the file that a run is described in.
const runState = "run.json"

// runFolder is the folder of the gateway at an address; "": of all.
func runFolder(address string) (string, error) {
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "palimpsest", "runs", strings.ReplaceAll(address, ":", "_")), err
}

// announce makes the folder of a gateway, with the files of the program that it starts.
func announce(l net.Listener, address, tool string, s *toolconfig.Start) (*gatewayRun, error) {
	dir, err := runFolder(l.Addr().String())
	if err != nil {
		return nil, err
	}
	r := &gatewayRun{Address: "http://" + address, PID: os.Getpid(), Tool: tool, Started: time.Now().UTC(), Loans: s.Loans, dir: dir}
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

// runs lists the gateways that answer, and those that were killed.
func runs() (list []gatewayRun, err error) {
	dir, err := runFolder("")
	if err != nil {
		return nil, err
	}
	folders, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, f := range folders {
		r := gatewayRun{dir: filepath.Join(dir, f.Name()), Address: "http://" + strings.ReplaceAll(f.Name(), "_", ":")}
		if text, err := os.ReadFile(filepath.Join(r.dir, runState)); err == nil {
			_ = json.Unmarshal(text, &r) // else nothing more is known of it
		}
		list = append(list, r)
	}
	return list, err
}

// health is how it is. One that was stopped for a while does not answer and is not gone.
func (r *gatewayRun) health(ctx context.Context) (h *live.Health, gone bool) {
	h, err := live.AskHealth(ctx, r.Address)
	var late net.Error
	switch {
	case err == nil && (h.PID == r.PID || r.PID == 0):
		return h, false
	case errors.As(err, &late) && late.Timeout():
		return nil, false
	}
	return nil, true
}

// undo gives back what a program was lent and removes the folder.
func (r *gatewayRun) undo(ctx context.Context) error {
	for _, l := range r.Loans {
		path, err := model.UserPath(l.File)
		if err != nil {
			return err
		}
		left, err := os.ReadFile(filepath.Join(r.dir, l.Copy))
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was never lent
		}
		file, fault := readIfThere(path)
		if err := errors.Join(err, fault); err != nil {
			return err
		}
		if text, changed := l.Returned(file, left); changed {
			if _, err := session.ReplaceFile(ctx, path, nil, text); err != nil {
				return err
			}
		}
	}
	return os.RemoveAll(r.dir)
}

// cleanRuns undoes the runs that were killed, and returns those.
func cleanRuns(ctx context.Context) (gone []gatewayRun, err error) {
	list, err := runs()
	for _, r := range list {
		if _, dead := r.health(ctx); dead {
			err = errors.Join(err, r.undo(ctx))
			gone = append(gone, r)
		}
	}
	return gone, err
}

// reading reads what a person has set up for tools.
func reading(exe string) *toolconfig.Start {
	return &toolconfig.Start{Self: []string{exe}, Env: os.Getenv, Read: func(path string) []byte {
		path, err := model.UserPath(path)
		if err != nil {
			return nil
		}
		text, _ := model.ReadSmall(path)
		return text
	}}
}
